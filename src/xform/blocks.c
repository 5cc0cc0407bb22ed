/* xform/blocks.c -- blocks that are enqueued: from imported functions to instructions.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/blocks.h"

#include <string.h>

#include "module/decoration.h"
#include "module/type.h"
#include "xform/declared.h"

#define PREFIX     "__heddle_"
#define MAX_PARAMS 64u

/* What becomes of a function. */
typedef struct Plan {
    uint32_t opcode;            /* of the body that it gets; 0: none */
    HdId invoke;                /* the block's kernel that the opcode names */
    bool is_invoked;            /* it is such a kernel */
    HdId wrapper, wrapper_type; /* what is enqueued in its place; 0: itself */
} Plan;

typedef struct Blocks {
    const HdModule *m;
    HdWriter *out;
    HdWriter globals; /* types that are made here */
    HdDeclared declared;
    Plan *plans; /* [functions] */
    uint32_t bound;
    HdId bytes, range, events; /* pointers to bytes, to an ND-range, to events */
} Blocks;

/* NULL: the id is no function's. */
static Plan *plan_of(const Blocks *b, HdId function)
{
    const HdFunction *f = hd_module_function(b->m, function);

    return f != NULL ? &b->plans[f - b->m->functions] : NULL;
}

static bool is_invoked(const Blocks *b, HdId id)
{
    return plan_of(b, id) != NULL && plan_of(b, id)->is_invoked;
}

static bool has_new_body(const Blocks *b, HdId id)
{
    return plan_of(b, id) != NULL && plan_of(b, id)->opcode != 0;
}

/* ---- planning ----------------------------------------------------------------------------------
 */

static const struct {
    const char *name;
    uint32_t opcode;
} rows[] = {
    {"enqueue.", SpvOpEnqueueKernel},
    {"group_size.", SpvOpGetKernelWorkGroupSize},
    {"multiple.", SpvOpGetKernelPreferredWorkGroupSizeMultiple},
    {"sub_group_size.", SpvOpGetKernelNDrangeMaxSubGroupSize},
    {"sub_group_count.", SpvOpGetKernelNDrangeSubGroupCount},
};

static const char *import_name(const HdModule *m, HdId id)
{
    const HdDecoration *d = hd_module_decoration(m, id, SpvDecorationLinkageAttributes);

    return d != NULL ? (const char *)hd_decoration_operands(m, d) : NULL;
}

static HdId kernel_named(const HdModule *m, const char *name)
{
    for (uint32_t i = 0; i < m->entry_count; i++)
        if (strcmp(m->entries[i].name, name) == 0)
            return m->entries[i].function;
    return 0;
}

static void plan(const Blocks *b, const HdFunction *f)
{
    const char *name = f->block_count == 0 ? import_name(b->m, f->id) : NULL;
    Plan *p = plan_of(b, f->id);

    if (name == NULL || strncmp(name, PREFIX, strlen(PREFIX)) != 0 || f->param_count > MAX_PARAMS)
        return;
    name += strlen(PREFIX);
    if (strcmp(name, "marker") == 0)
        p->opcode = SpvOpEnqueueMarker;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t len = strlen(rows[i].name);

        if (strncmp(name, rows[i].name, len) != 0)
            continue;
        p->invoke = kernel_named(b->m, name + len);
        if (plan_of(b, p->invoke) == NULL)
            continue;
        p->opcode = rows[i].opcode;
        plan_of(b, p->invoke)->is_invoked = true;
    }
}

/* ---- types -------------------------------------------------------------------------------------
 */

static bool is_range(const HdModule *m, const HdType *t)
{
    const HdType *dimensions, *sizes;

    if (t == NULL || t->count != 4)
        return false;
    dimensions = hd_type_member(m, t, 0);
    sizes = hd_type_member(m, t, 1);
    return dimensions->kind == HD_T_INT && dimensions->bits == 32 && sizes->kind == HD_T_ARRAY &&
           hd_type_length(sizes) == 3 && hd_type_member(m, t, 2) == sizes &&
           hd_type_member(m, t, 3) == sizes;
}

/* The structure of an ND-range: clang's kernels always have one. */
static HdId range_type(const HdModule *m)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);)
        if (in.opix == HD_OPIX_TypeStruct && is_range(m, hd_module_type(m, in.w[1])))
            return in.w[1];
    return 0;
}

/* The back end types a block's address by its uses; the instruction requires a pointer to bytes. A
 * wrapper function around the kernel has that type. */
static void plan_wrapper(Blocks *b, const HdFunction *f, Plan *p)
{
    const HdType *t = hd_module_type(b->m, f->type);
    uint32_t words[MAX_PARAMS + 1] = {hd_type_element(t)->id, b->bytes}, count = t->count;

    if (count == 0 || count > MAX_PARAMS || hd_type_member(b->m, t, 0)->id == b->bytes)
        return;
    for (uint32_t i = 1; i < count; i++)
        words[1 + i] = hd_type_member(b->m, t, i)->id;
    p->wrapper = b->bound++;
    p->wrapper_type = hd_declared_type(&b->declared, SpvOpTypeFunction, words, 1 + count);
}

static void make_types(Blocks *b)
{
    HdDeclared *d = &b->declared;
    HdId range = range_type(b->m), event = hd_declared_type(d, SpvOpTypeDeviceEvent, NULL, 0);

    b->bytes = hd_declared_pointer(d, SpvStorageClassGeneric, hd_declared_int(d, 8));
    if (range != 0)
        b->range = hd_declared_pointer(d, SpvStorageClassFunction, range);
    b->events = hd_declared_pointer(d, SpvStorageClassGeneric, event);
}

/* ---- writing -----------------------------------------------------------------------------------
 */

/* A parameter as another pointer type. */
static HdId cast(Blocks *b, HdId param, HdId type)
{
    const HdType *t = hd_module_type_of(b->m, param);
    uint32_t words[3] = {type, b->bound, param};

    if (type == 0 || t == NULL || t->id == type)
        return param;
    b->bound++;
    hd_writer_inst(b->out, SpvOpBitcast, words, 3);
    return words[1];
}

static void write_operation(Blocks *b, const HdFunction *f, const Plan *p, const HdId *params,
                            HdId result)
{
    uint32_t w[MAX_PARAMS + 3] = {f->result_type, result}, count = 2, at = 0;
    HdId wrapper;

    if (p->opcode == SpvOpEnqueueMarker) {
        uint32_t marker[6] = {f->result_type, result, params[0], params[1]};

        marker[4] = cast(b, params[2], b->events);
        marker[5] = cast(b, params[3], b->events);
        hd_writer_inst(b->out, p->opcode, marker, 6);
        return;
    }
    wrapper = plan_of(b, p->invoke)->wrapper;
    if (p->opcode == SpvOpEnqueueKernel) {
        w[count++] = params[0];
        w[count++] = params[1];
        w[count++] = cast(b, params[2], b->range);
        w[count++] = params[3];
        w[count++] = cast(b, params[4], b->events);
        w[count++] = cast(b, params[5], b->events);
        at = 6;
    } else if (f->param_count == 4) {
        w[count++] = cast(b, params[0], b->range);
        at = 1;
    }
    w[count++] = wrapper != 0 ? wrapper : p->invoke;
    w[count++] = cast(b, params[at++], b->bytes);
    for (; at < f->param_count; at++)
        w[count++] = params[at];
    hd_writer_inst(b->out, p->opcode, w, count);
}

static void write_body(Blocks *b, const HdFunction *f, const Plan *p)
{
    HdInst in = hd_module_inst(b->m, f->word);
    HdId params[MAX_PARAMS] = {0}, label = b->bound++, result = b->bound++;

    hd_writer_copy(b->out, &in);
    for (uint32_t i = 0; i < f->param_count; i++) {
        HdInst param = hd_function_param(b->m, f, i);

        params[i] = param.w[2];
        hd_writer_copy(b->out, &param);
    }
    hd_writer_inst(b->out, SpvOpLabel, &label, 1);
    write_operation(b, f, p, params, result);
    hd_writer_inst(b->out, SpvOpReturnValue, &result, 1);
    hd_writer_inst(b->out, SpvOpFunctionEnd, NULL, 0);
}

static void write_wrapper(Blocks *b, const HdFunction *f, const Plan *p)
{
    const HdType *t = hd_module_type(b->m, f->type);
    uint32_t function[4] = {f->result_type, p->wrapper, SpvFunctionControlMaskNone,
                            p->wrapper_type};
    uint32_t call[MAX_PARAMS + 3] = {f->result_type, 0, f->id}, label;
    uint32_t bitcast[3] = {hd_type_member(b->m, t, 0)->id, 0, b->bound};

    hd_writer_inst(b->out, SpvOpFunction, function, 4);
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t param[2] = {i == 0 ? b->bytes : hd_type_member(b->m, t, i)->id, b->bound++};

        hd_writer_inst(b->out, SpvOpFunctionParameter, param, 2);
        call[3 + i] = param[1];
    }
    label = b->bound++;
    hd_writer_inst(b->out, SpvOpLabel, &label, 1);
    call[3] = bitcast[1] = b->bound++;
    hd_writer_inst(b->out, SpvOpBitcast, bitcast, 3);
    call[1] = b->bound++;
    hd_writer_inst(b->out, SpvOpFunctionCall, call, 3 + t->count);
    hd_writer_inst(b->out, SpvOpReturn, NULL, 0);
    hd_writer_inst(b->out, SpvOpFunctionEnd, NULL, 0);
}

/* Kernels that are enqueued are not the host's, and what has a body now is no import. */
static bool is_dropped(const Blocks *b, const HdInst *in)
{
    if (in->opix == HD_OPIX_EntryPoint)
        return is_invoked(b, in->w[2]);
    if (in->opix == HD_OPIX_ExecutionMode)
        return is_invoked(b, in->w[1]) && in->nwords == 3; /* that nothing is contracted */
    return in->opix == HD_OPIX_Decorate && in->nwords > 3 &&
           in->w[2] == SpvDecorationLinkageAttributes &&
           (has_new_body(b, in->w[1]) || is_invoked(b, in->w[1]));
}

/* Reports and debuggers know kernels by their names. */
static void write_names(Blocks *b)
{
    for (uint32_t f = 0; f < b->m->function_count; f++) {
        const char *name = hd_module_name(b->m, b->m->functions[f].id);

        if (b->plans[f].wrapper != 0 && name != NULL)
            hd_writer_text(b->out, SpvOpName, b->plans[f].wrapper, name);
    }
}

static void write_head(Blocks *b)
{
    static const uint32_t needed = SpvCapabilityDeviceEnqueue;
    uint32_t word = HD_MODULE_FIRST_WORD;
    bool is_capable = hd_module_has_capability(b->m, needed), is_named = false;

    for (HdInst in; word < b->m->first_function && hd_module_next(b->m, &word, &in);) {
        if (!is_capable && in.opix != HD_OPIX_Capability) {
            hd_writer_inst(b->out, SpvOpCapability, &needed, 1);
            is_capable = true;
        }
        if (in.opix == HD_OPIX_Name && !is_named) {
            write_names(b);
            is_named = true;
        }
        if (!is_dropped(b, &in))
            hd_writer_copy(b->out, &in);
    }
}

static void write_module(Blocks *b)
{
    uint32_t word = b->m->first_function;
    HdInst in;

    hd_writer_start(b->out, b->m->version, b->m->generator, b->bound);
    write_head(b);
    hd_writer_append(b->out, &b->globals);
    for (uint32_t f = 0; f < b->m->function_count; f++) {
        const HdFunction *fn = &b->m->functions[f];

        while (word < fn->word && hd_module_next(b->m, &word, &in))
            hd_writer_copy(b->out, &in);
        while (word < fn->end && hd_module_next(b->m, &word, &in))
            if (b->plans[f].opcode == 0)
                hd_writer_copy(b->out, &in);
    }
    while (hd_module_next(b->m, &word, &in))
        hd_writer_copy(b->out, &in);
    /* Declarations precede definitions, so the new bodies come last. */
    for (uint32_t f = 0; f < b->m->function_count; f++)
        if (b->plans[f].opcode != 0)
            write_body(b, &b->m->functions[f], &b->plans[f]);
    for (uint32_t f = 0; f < b->m->function_count; f++)
        if (b->plans[f].wrapper != 0)
            write_wrapper(b, &b->m->functions[f], &b->plans[f]);
    hd_writer_set_bound(b->out, b->bound);
}

HdStatus hd_xform_blocks(const HdModule *m, HdWriter *out, bool *done)
{
    HdArena *a = hd_arena_open();
    Blocks b = {.m = m, .out = out, .bound = m->bound};

    *done = false;
    *out = (HdWriter){0};
    if (a == NULL)
        return HD_NO_MEMORY;
    b.declared = (HdDeclared){.arena = a, .out = &b.globals, .next = &b.bound};
    b.plans = HD_NEW(a, Plan, m->function_count + 1u);
    for (uint32_t f = 0; b.plans != NULL && f < m->function_count; f++) {
        plan(&b, &m->functions[f]);
        *done = *done || b.plans[f].opcode != 0;
    }
    if (*done) {
        hd_declared_know(&b.declared, m);
        make_types(&b);
        for (uint32_t f = 0; f < m->function_count; f++)
            if (b.plans[f].is_invoked)
                plan_wrapper(&b, &m->functions[f], &b.plans[f]);
        write_module(&b);
    }
    out->failed = out->failed || b.declared.failed || b.plans == NULL;
    hd_writer_free(&b.globals);
    hd_arena_drop(a);
    if (out->failed) {
        hd_writer_free(out);
        return HD_NO_MEMORY;
    }
    return HD_OK;
}
