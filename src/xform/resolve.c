/* xform/resolve.c -- imported functions with an OpenCL built-in's name get a body: the bodies, and
 * the module that has them.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "module/decoration.h"
#include "xform/resolve_state.h"

static void decorate(HdResolve *r, uint32_t id, uint32_t decoration, uint32_t operand,
                     bool has_operand)
{
    uint32_t words[3] = {id, decoration, operand};

    hd_writer_inst(r->out, SpvOpDecorate, words, has_operand ? 3 : 2);
}

static bool makes_item(const HdResolve *r, uint32_t item)
{
    return r->items[item] >= r->m->bound;
}

static void write_decorations(HdResolve *r)
{
    for (uint32_t i = 0; i < HD_ITEM_NAMES; i++) {
        const uint32_t words[3] = {r->items[i], SpvDecorationBuiltIn, hd_item_names[i].builtin};

        if (makes_item(r, i))
            hd_writer_inst(r->out, SpvOpDecorate, words, 3);
    }
    for (uint32_t f = 0; f < r->m->function_count; f++) {
        const HdBodyPlan *p = &r->plans[f];

        if (p->kind != HD_BODY_CONVERT)
            continue;
        if (p->saturate)
            decorate(r, p->result, SpvDecorationSaturatedConversion, 0, false);
        if (p->rounds)
            decorate(r, p->result, SpvDecorationFPRoundingMode, p->rounding, true);
    }
}

static uint32_t u32_type(HdResolve *r)
{
    return hd_declared_int(&r->declared, 32);
}

static uint32_t constant(HdResolve *r, uint32_t value)
{
    const uint32_t words[2] = {u32_type(r), value};

    return hd_declared_constant(&r->declared, SpvOpConstant, words, 2);
}

static uint32_t float_type(HdResolve *r)
{
    return hd_declared_type(&r->declared, SpvOpTypeFloat, (const uint32_t[]){32}, 1);
}

static uint32_t zero(HdResolve *r)
{
    const uint32_t words[2] = {float_type(r), 0};

    return hd_declared_constant(&r->declared, SpvOpConstant, words, 2);
}

/* One instruction that makes another value than the body's result. */
static uint32_t emit(HdResolve *r, uint32_t opcode, uint32_t type, uint32_t a, uint32_t b)
{
    uint32_t words[4] = {type, r->bound++, a, b};

    hd_writer_inst(&r->bodies, opcode, words, b != 0 ? 4 : 3);
    return words[1];
}

static void read_texel(HdResolve *r, const HdFunction *f, const HdBodyPlan *p,
                       const uint32_t *params)
{
    uint32_t operand = hd_type_words(hd_resolve_param_type(r, f, 0))[6] == 1
                           ? SpvImageOperandsSampleMask
                           : SpvImageOperandsLodMask;
    uint32_t w[6] = {f->result_type, p->result, params[0], params[1], operand, params[2]};

    hd_writer_inst(&r->bodies, SpvOpImageRead, w, f->param_count == 3 ? 6 : 4);
}

static void sample_image(HdResolve *r, const HdFunction *f, const HdBodyPlan *p,
                         const uint32_t *params)
{
    const HdType *image = hd_resolve_param_type(r, f, 0),
                 *result = hd_module_type(r->m, f->result_type);
    bool has_gradients = f->param_count == 5;
    uint32_t both = hd_declared_type(&r->declared, SpvOpTypeSampledImage, &image->id, 1);
    uint32_t w[7] = {f->result_type,
                     p->result,
                     emit(r, SpvOpSampledImage, both, params[0], params[1]),
                     params[2],
                     has_gradients ? SpvImageOperandsGradMask : SpvImageOperandsLodMask,
                     f->param_count == 3 ? zero(r) : params[3],
                     params[4]};

    if (result != NULL && result->kind == HD_T_FLOAT) { /* depth: the first of four components */
        const uint32_t vector[2] = {float_type(r), 4};
        uint32_t part[4] = {f->result_type, p->result, r->bound++, 0};

        w[0] = hd_declared_type(&r->declared, SpvOpTypeVector, vector, 2);
        w[1] = part[2];
        hd_writer_inst(&r->bodies, SpvOpImageSampleExplicitLod, w, has_gradients ? 7 : 6);
        hd_writer_inst(&r->bodies, SpvOpCompositeExtract, part, 4);
        return;
    }
    hd_writer_inst(&r->bodies, SpvOpImageSampleExplicitLod, w, has_gradients ? 7 : 6);
}

static void write_image(HdResolve *r, const HdFunction *f, const uint32_t *params)
{
    bool has_level = f->param_count == 4;
    uint32_t w[5] = {params[0], params[1], params[has_level ? 3 : 2], SpvImageOperandsLodMask,
                     params[2]};

    hd_writer_inst(&r->bodies, SpvOpImageWrite, w, has_level ? 5 : 3);
}

/* clang declares some of these on pointers to bytes. */
static uint32_t atomic_pointer(HdResolve *r, const HdFunction *f, uint32_t param)
{
    const HdType *t = hd_resolve_param_type(r, f, 0);

    if (t == NULL || t->kind != HD_T_POINTER || t->is_untyped || hd_type_element(t) == NULL ||
        hd_type_element(t)->id == f->result_type)
        return param;
    return emit(r, SpvOpBitcast, hd_declared_pointer(&r->declared, t->storage, f->result_type),
                param, 0);
}

/* What a built-in variable has. */
static uint32_t item_type(HdResolve *r, const HdItemName *name)
{
    const uint32_t number =
        hd_declared_int(&r->declared, name->is_size ? hd_module_address_bits(r->m) : 32);

    if (!name->is_vector)
        return number;
    return hd_declared_type(&r->declared, SpvOpTypeVector, (const uint32_t[]){number, 3}, 2);
}

static void write_variables(HdResolve *r)
{
    for (uint32_t i = 0; i < HD_ITEM_NAMES; i++) {
        uint32_t words[3] = {0, r->items[i], SpvStorageClassInput};

        if (!makes_item(r, i))
            continue;
        words[0] = hd_declared_pointer(&r->declared, words[2], item_type(r, &hd_item_names[i]));
        hd_writer_inst(&r->globals, SpvOpVariable, words, 3);
    }
}

/* The variable, or of its three numbers the one that the first parameter names. */
static void write_item(HdResolve *r, const HdFunction *f, const HdBodyPlan *p,
                       const uint32_t *params)
{
    const HdItemName *name = &hd_item_names[p->base];
    const uint32_t boolean = hd_declared_type(&r->declared, SpvOpTypeBool, NULL, 0);
    uint32_t w[5] = {f->result_type, p->result, r->items[p->base], 0, 0}, beyond[3];

    if (!name->is_vector) {
        hd_writer_inst(&r->bodies, SpvOpLoad, w, 3);
        return;
    }
    beyond[0] = f->result_type;
    beyond[1] = name->beyond;
    beyond[2] = 0;
    w[4] = hd_declared_constant(&r->declared, SpvOpConstant, beyond,
                                hd_module_address_bits(r->m) / 32 + 1);
    w[2] = emit(r, SpvOpULessThan, boolean, params[0], constant(r, 3));
    {
        uint32_t inside[5] = {u32_type(r), r->bound++, w[2], params[0], constant(r, 0)};
        uint32_t all = emit(r, SpvOpLoad, item_type(r, name), r->items[p->base], 0);

        hd_writer_inst(&r->bodies, SpvOpSelect, inside, 5);
        w[3] = emit(r, SpvOpVectorExtractDynamic, f->result_type, all, inside[1]);
    }
    hd_writer_inst(&r->bodies, SpvOpSelect, w, 5);
}

static void write_standard(HdResolve *r, const HdFunction *f, const HdBodyPlan *p,
                           const uint32_t *params)
{
    uint32_t w[4 + HD_BODY_MAX_PARAMS] = {f->result_type, p->result, r->standard, p->opcode};

    memcpy(w + 4, params, f->param_count * sizeof *w);
    hd_writer_inst(&r->bodies, SpvOpExtInst, w, 4 + f->param_count);
}

static void write_operation(HdResolve *r, const HdFunction *f, const HdBodyPlan *p,
                            const uint32_t *params)
{
    uint32_t w[6] = {f->result_type, p->result, params[0], 0, 0, 0};

    switch (p->kind) {
    case HD_BODY_CONVERT: hd_writer_inst(&r->bodies, p->opcode, w, 3); break;
    case HD_BODY_TO_SPACE:
        w[3] = hd_module_type(r->m, f->result_type)->storage;
        hd_writer_inst(&r->bodies, p->opcode, w, 4);
        break;
    case HD_BODY_ATOMIC:
    case HD_BODY_ATOMIC_ONE:
        w[2] = atomic_pointer(r, f, params[0]);
        w[3] = constant(r, p->scope);
        w[4] = constant(r, p->semantics);
        w[5] = params[1];
        hd_writer_inst(&r->bodies, p->opcode, w, p->kind == HD_BODY_ATOMIC ? 6 : 5);
        break;
    case HD_BODY_CONTROL:
        w[0] = w[1] = constant(r, p->scope);
        w[2] = constant(r, p->semantics);
        hd_writer_inst(&r->bodies, p->opcode, w, 3);
        break;
    case HD_BODY_FENCE:
        w[0] = constant(r, p->scope);
        w[1] = constant(r, p->semantics);
        hd_writer_inst(&r->bodies, p->opcode, w, 2);
        break;
    case HD_BODY_GET_FENCE:
        /* Memory semantics 0x100 (Workgroup) and 0x200 (CrossWorkgroup) are flags 1 and 2. */
        w[2] = emit(r, p->opcode, u32_type(r), params[0], 0);
        w[2] = emit(r, SpvOpShiftRightLogical, u32_type(r), w[2], constant(r, 8));
        w[3] = constant(r, 3);
        hd_writer_inst(&r->bodies, SpvOpBitwiseAnd, w, 4);
        break;
    case HD_BODY_READ_IMAGE: read_texel(r, f, p, params); break;
    case HD_BODY_SAMPLE_IMAGE: sample_image(r, f, p, params); break;
    case HD_BODY_WRITE_IMAGE: write_image(r, f, params); break;
    case HD_BODY_IMAGE_QUERY:
        w[2] = emit(r, p->opcode, f->result_type, params[0], 0);
        w[3] = constant(r, p->base);
        hd_writer_inst(&r->bodies, SpvOpIAdd, w, 4);
        break;
    case HD_BODY_ITEM: write_item(r, f, p, params); break;
    case HD_BODY_STANDARD: write_standard(r, f, p, params); break;
    case HD_BODY_NONE: break;
    }
}

static void write_body(HdResolve *r, const HdFunction *f, const HdBodyPlan *p)
{
    HdInst in = hd_module_inst(r->m, f->word);
    uint32_t params[HD_BODY_MAX_PARAMS] = {0}, label = r->bound++;
    const HdType *result = hd_module_type(r->m, f->result_type);

    hd_writer_copy(&r->bodies, &in);
    for (uint32_t i = 0; i < f->param_count; i++) {
        HdInst param = hd_function_param(r->m, f, i);

        if (i < HD_BODY_MAX_PARAMS)
            params[i] = param.w[2];
        hd_writer_copy(&r->bodies, &param);
    }
    hd_writer_inst(&r->bodies, SpvOpLabel, &label, 1);
    write_operation(r, f, p, params);
    if (result != NULL && result->kind == HD_T_VOID)
        hd_writer_inst(&r->bodies, SpvOpReturn, NULL, 0);
    else
        hd_writer_inst(&r->bodies, SpvOpReturnValue, &p->result, 1);
    hd_writer_inst(&r->bodies, SpvOpFunctionEnd, NULL, 0);
}

/* Import decorations of what is now defined go, also those of groups. Returns a set of words. */
static uint64_t *find_dropped(const HdResolve *r, HdArena *a)
{
    uint64_t *words = HD_NEW(a, uint64_t, HD_BITSET_WORDS(r->m->nwords));

    for (uint32_t f = 0; words != NULL && f < r->m->function_count; f++)
        if (r->plans[f].kind != HD_BODY_NONE)
            hd_bit_add(words, hd_module_decoration(r->m, r->m->functions[f].id,
                                                   SpvDecorationLinkageAttributes)
                                  ->word);
    return words;
}

/* Is there a body that needs the capability, and the module does not have it? */
static bool lacks(const HdResolve *r, uint32_t capability)
{
    for (uint32_t f = 0; f < r->m->function_count; f++)
        if (r->plans[f].kind != HD_BODY_NONE && r->plans[f].capability == capability)
            return !hd_module_has_capability(r->m, capability);
    return false;
}

/* Capabilities that the new bodies need; after the module's own. */
static void write_capabilities(HdResolve *r)
{
    static const uint32_t all[] = {SpvCapabilityInt64Atomics, SpvCapabilityAtomicFloat16MinMaxEXT,
                                   SpvCapabilityAtomicFloat32MinMaxEXT,
                                   SpvCapabilityAtomicFloat64MinMaxEXT};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (lacks(r, all[i]))
            hd_writer_inst(r->out, SpvOpCapability, &all[i], 1);
}

/* The extension that those of floats come with, unless the module declares it. */
static void write_extension(HdResolve *r)
{
    static const char name[] = "SPV_EXT_shader_atomic_float_min_max";
    bool is_needed = false;

    for (uint32_t f = 0; f < r->m->function_count; f++)
        is_needed = is_needed || (r->plans[f].capability != 0 &&
                                  r->plans[f].capability != SpvCapabilityInt64Atomics);
    if (is_needed && !hd_module_has_extension(r->m, name))
        hd_writer_text(r->out, SpvOpExtension, 0, name);
}

static bool opens_types(const HdInst *in)
{
    return (in->opix != HD_OPIX_NONE &&
            hd_gram_insts[in->opix].klass == HD_CLASS_Type_Declaration) ||
           (in->opix != HD_OPIX_NONE &&
            hd_gram_insts[in->opix].klass == HD_CLASS_Constant_Creation);
}

/* An entry point with the variables that bodies read in its interface. */
static void write_entry(HdResolve *r, const HdInst *in, const HdEntryPoint *e)
{
    hd_writer_begin(r->out, SpvOpEntryPoint);
    for (uint32_t i = 1; i < in->nwords; i++)
        hd_writer_word(r->out, in->w[i]);
    for (uint32_t i = 0; i < HD_ITEM_NAMES; i++) {
        bool has = r->items[i] == 0;

        for (uint32_t k = 0; k < e->interface_count; k++)
            has = has || e->interface[k] == r->items[i];
        if (!has)
            hd_writer_word(r->out, r->items[i]);
    }
    hd_writer_end(r->out);
}

static void write_import(HdResolve *r)
{
    if (r->makes_standard)
        hd_writer_text(r->out, SpvOpExtInstImport, r->standard, "OpenCL.std");
}

static void write_module(HdResolve *r, const uint64_t *dropped)
{
    uint32_t entry = 0;
    uint32_t word = HD_MODULE_FIRST_WORD;
    bool decorated = false, capable = false;

    hd_writer_start(r->out, r->m->version, r->m->generator, r->bound);
    for (HdInst in; word < r->m->first_function && hd_module_next(r->m, &word, &in);) {
        if (!capable && in.opix != HD_OPIX_Capability) {
            write_capabilities(r);
            write_extension(r);
            capable = true;
        }
        if (!decorated && opens_types(&in)) {
            write_decorations(r);
            decorated = true;
        }
        if (in.opix == HD_OPIX_MemoryModel)
            write_import(r);
        if (entry < r->m->entry_count && in.word == r->m->entries[entry].word)
            write_entry(r, &in, &r->m->entries[entry++]);
        else if (!hd_bit_has(dropped, in.word))
            hd_writer_copy(r->out, &in);
    }
    hd_writer_append(r->out, &r->globals);
    word = r->m->first_function;
    for (uint32_t f = 0; f < r->m->function_count; f++) {
        const HdFunction *fn = &r->m->functions[f];

        for (HdInst in; word < fn->word && hd_module_next(r->m, &word, &in);)
            hd_writer_copy(r->out, &in);
        for (HdInst in; word < fn->end && hd_module_next(r->m, &word, &in);)
            if (r->plans[f].kind == HD_BODY_NONE)
                hd_writer_copy(r->out, &in);
    }
    for (HdInst in; hd_module_next(r->m, &word, &in);)
        hd_writer_copy(r->out, &in);
    /* Declarations precede definitions, so the new bodies come last. */
    hd_writer_append(r->out, &r->bodies);
    hd_writer_set_bound(r->out, r->bound);
}

static void write_bodies(HdResolve *r)
{
    hd_declared_know(&r->declared, r->m);
    write_variables(r);
    for (uint32_t f = 0; f < r->m->function_count; f++)
        if (r->plans[f].kind != HD_BODY_NONE)
            write_body(r, &r->m->functions[f], &r->plans[f]);
}

HdStatus hd_xform_resolve(const HdModule *m, HdWriter *out, bool *done)
{
    HdArena *a = hd_arena_open();
    HdResolve r = {.m = m, .out = out, .bound = m->bound};

    *done = false;
    *out = (HdWriter){0};
    if (a == NULL)
        return HD_NO_MEMORY;
    r.plans = HD_NEW(a, HdBodyPlan, m->function_count + 1u);
    if (r.plans == NULL) {
        hd_arena_drop(a);
        return HD_NO_MEMORY;
    }
    r.declared = (HdDeclared){.arena = a, .out = &r.globals, .next = &r.bound};
    for (uint32_t f = 0; f < m->function_count; f++) {
        hd_resolve_plan(&r, &m->functions[f], &r.plans[f]);
        *done = *done || r.plans[f].kind != HD_BODY_NONE;
    }
    if (*done) {
        const uint64_t *dropped = find_dropped(&r, a);

        write_bodies(&r);
        if (dropped != NULL)
            write_module(&r, dropped);
        out->failed = out->failed || dropped == NULL || r.declared.failed;
    }
    hd_writer_free(&r.globals);
    hd_writer_free(&r.bodies);
    hd_arena_drop(a);
    if (out->failed) {
        hd_writer_free(out);
        return HD_NO_MEMORY;
    }
    return HD_OK;
}
