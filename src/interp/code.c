/* interp/code.c -- preparation of a module: placement of values, decoded functions, measured calls.
 *
 * Nothing recurses, so what a kernel needs of private memory is known before it runs.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/round.h"
#include "base/array.h"
#include "base/gather.h"
#include "base/map.h"
#include "interp/info.h"
#include "interp/registers.h"
#include "interp/watch_state.h"
#include "module/decoration.h"
#include "module/resource.h"
#include "module/source.h"

#define MAX_CALL_DEPTH 256u
#define MAX_BYTES      (UINT64_C(1) << 30)
#define LARGE_BYTES    (UINT64_C(1) << 20)
#define SPREAD_BYTES   64u /* constants up to this size have a copy for each lane */
#define VLA_BYTES      (UINT64_C(1) << 20)

typedef struct Prepare {
    HdInterpProgram *p;
    const HdModule *m;
    HdDiags *d;
    bool keeps_variables;
} Prepare;

/* ---- module scope -------------------------------------------------------------------------- */

static HdStatus check_type(const Prepare *x, const HdInst *in)
{
    const HdType *t = hd_module_type(x->m, in->w[1]);

    if (t == NULL)
        return HD_OK;
    if ((t->kind == HD_T_INT && t->bits != 8 && t->bits != 16 && t->bits != 32 && t->bits != 64) ||
        (t->kind == HD_T_FLOAT && ((t->bits != 16 && t->bits != 32 && t->bits != 64) ||
                                   (t->encoding != 0 && !hd_is_bfloat16(t)))))
        return hd_fail(x->d, HD_UNSUPPORTED, in->word, "interp.type",
                       "the interpreter does not know numbers of this width or encoding");
    return HD_OK;
}

static bool has_address(const HdConstant *c)
{
    HdConstant room;

    if (c->kind == HD_C_ADDRESS)
        return true;
    if (c->kind == HD_C_COMPOSITE)
        for (uint32_t i = 0; i < c->count; i++)
            if (has_address(hd_constant_at(c, i, &room)))
                return true;
    return false;
}

static HdStatus place_fixed(Prepare *x, HdId id, const HdConstant *c, const HdType *t)
{
    HdInterpProgram *p = x->p;
    HdFixed f = {.id = id, .constant = c, .offset = hd_round_up(p->fixed_bytes, 16)};

    p->fixed_bytes = f.offset + hd_type_size(t);
    p->constant_most = hd_type_size(t) > p->constant_most ? hd_type_size(t) : p->constant_most;
    if (p->fixed_bytes > MAX_BYTES)
        return hd_fail(x->d, HD_UNSUPPORTED, HD_NO_PLACE, "interp.constants",
                       "more than 1 GiB of constants");
    p->places[id] = (HdPlace){.kind = HD_PLACE_FIXED, .offset = f.offset, .type = t};
    if (p->fixed_count == p->fixed_room &&
        !hd_array_grow(p->arena, (void **)&p->fixed, p->fixed_count, &p->fixed_room, 1,
                       sizeof *p->fixed))
        return HD_NO_MEMORY;
    p->fixed[p->fixed_count++] = f;
    return HD_OK;
}

/* Does an instruction of a function name this id? */
static bool is_used(const HdModule *m, HdId id)
{
    uint32_t word = m->first_function;

    for (HdInst in; word < m->nwords && hd_module_next(m, &word, &in);) {
        HdOperandWalk walk;
        HdOperandPart part;

        hd_operands_start(&walk, &m->operand_types, in.w, in.nwords);
        while (hd_operands_next(&walk, &part))
            if (part.klass == HD_OPERAND_ID && in.w[part.at] == id)
                return true;
    }
    return false;
}

/* A structure without members has values, of no bytes. */
static bool has_values(const HdType *t)
{
    return hd_type_size(t) != 0 || t->kind == HD_T_STRUCT || t->kind == HD_T_ARRAY;
}

static HdStatus place_constant(Prepare *x, const HdInst *in, const HdConstant *c)
{
    const HdType *t = c->type;
    HdId id = hd_inst_result(in);
    HdInterpProgram *p = x->p;
    HdPlace place = {.kind = HD_PLACE_CONSTANT, .type = t};

    /* What gives a variable its first value, and nothing more, need not be there. */
    if (!has_values(t) || (hd_type_size(t) > LARGE_BYTES && !is_used(x->m, id)))
        return HD_OK;
    if (has_address(c))
        return place_fixed(x, id, c, t);
    if (hd_undef_is(c) && hd_type_size(t) != 0) {
        if (hd_type_size(t) > MAX_BYTES || p->undef_bytes > MAX_BYTES)
            return hd_fail(x->d, HD_UNSUPPORTED, in->word, "interp.constants",
                           "more than 1 GiB of constants");
        return hd_undef_place(p, in, c);
    }
    place.stride = hd_type_size(t) <= SPREAD_BYTES ? hd_type_size(t) : 0;
    place.offset = hd_round_up(p->constant_bytes, 16);
    p->constant_most = hd_type_size(t) > p->constant_most ? hd_type_size(t) : p->constant_most;
    p->constant_bytes =
        place.offset + (place.stride ? hd_type_size(t) * HD_EVAL_LANES : hd_type_size(t));
    if (p->constant_bytes > MAX_BYTES)
        return hd_fail(x->d, HD_UNSUPPORTED, x->m->def[id], "interp.constants",
                       "more than 1 GiB of constants");
    p->places[id] = place;
    return HD_OK;
}

static HdStatus add_input(Prepare *x, const HdType *pointer, HdInput input)
{
    HdInterpProgram *p = x->p;

    input.offset = hd_round_up(p->input_bytes, input.type->align);
    p->input_bytes = input.offset + (hd_type_size(input.type) ? hd_type_size(input.type) : 1);
    if (hd_type_size(input.type) > MAX_BYTES || p->input_bytes > MAX_BYTES)
        return hd_fail(x->d, HD_UNSUPPORTED, x->m->def[input.id], "interp.private",
                       "the variables of a work-item take more than 1 GiB");
    p->align = input.type->align > p->align ? input.type->align : p->align;
    p->places[input.id] =
        (HdPlace){.kind = HD_PLACE_INPUT, .offset = p->input_count, .stride = 8, .type = pointer};
    if (p->input_count == p->input_room &&
        !hd_array_grow(p->arena, (void **)&p->inputs, p->input_count, &p->input_room, 1,
                       sizeof *p->inputs))
        return HD_NO_MEMORY;
    p->inputs[p->input_count++] = input;
    return HD_OK;
}

static HdStatus place_input(Prepare *x, const HdInst *in, const HdType *pointer)
{
    const HdDecoration *d = hd_module_decoration(x->m, in->w[2], SpvDecorationBuiltIn);
    HdInput input = {.id = in->w[2], .type = hd_module_content(x->m, in)};

    if (d == NULL || d->operand_count == 0 ||
        !hd_interp_knows_input(input.type, hd_decoration_value(x->m, d)))
        return HD_OK; /* using it is an error */
    input.builtin = hd_decoration_value(x->m, d);
    return add_input(x, pointer, input);
}

static HdStatus place_private(Prepare *x, const HdInst *in, const HdType *pointer)
{
    HdInput input = {
        .id = in->w[2], .type = hd_module_content(x->m, in), .builtin = HD_INPUT_PRIVATE};
    unsigned at = in->opix == HD_OPIX_UntypedVariableKHR ? 5 : 4;

    if (input.type == NULL || !has_values(input.type))
        return HD_OK; /* using it is an error */
    if (in->nwords > at && hd_type_size(input.type) != 0)
        input.first = hd_module_constant(x->m, in->w[at]);
    return add_input(x, pointer, input);
}

static HdStatus place_global(Prepare *x, const HdInst *in)
{
    const HdType *pointer = hd_module_type(x->m, in->w[1]);
    HdId id = in->w[2];

    if (pointer == NULL || pointer->kind != HD_T_POINTER)
        return HD_OK;
    if (pointer->storage == SpvStorageClassInput)
        return place_input(x, in, pointer);
    if (pointer->storage == SpvStorageClassPrivate)
        return place_private(x, in, pointer);
    if (x->p->layout->local_offset[id] == UINT64_MAX && x->p->layout->resource[id] == UINT32_MAX &&
        x->p->layout->program_offset[id] == UINT64_MAX)
        return HD_OK;
    return place_fixed(x, id, NULL, pointer);
}

static bool has_matrices(const HdModule *m)
{
    for (HdDecorations x = hd_module_all_decorations(m); x.d != NULL; hd_decorations_step(&x))
        if (x.d->decoration == SpvDecorationMatrixStride)
            return true;
    return false;
}

static HdStatus place_module(Prepare *x)
{
    const HdModule *m = x->m;
    uint32_t word = HD_MODULE_FIRST_WORD;

    x->p->has_matrices = has_matrices(m);

    for (HdInst in; word < m->nwords && hd_module_next(m, &word, &in);) {
        HdId id = hd_inst_result(&in);
        const HdConstant *c = id ? hd_module_constant(m, id) : NULL;

        if (in.opix == HD_OPIX_ExtInstImport && hd_module_extset(m, id) == HD_EXTSET_OpenCL_std)
            x->p->std = id;
        if (in.word < m->first_function && id != 0 && hd_inst_type(&in) == 0)
            HD_TRY(check_type(x, &in));
        /* A variable is a constant too (its address), but not one that is known yet. */
        if (hd_inst_is_variable(&in)) {
            if (in.word < m->first_function)
                HD_TRY(place_global(x, &in));
        } else if (c != NULL && (in.opix != HD_OPIX_Undef || in.word < m->first_function)) {
            HD_TRY(place_constant(x, &in, c));
        }
    }
    return HD_OK;
}

static HdStatus write_constants(Prepare *x)
{
    HdInterpProgram *p = x->p;

    HD_TAKE(p->constants, hd_arena_zero(p->arena, (size_t)p->constant_bytes + 1));
    for (HdId id = 1; id < x->m->bound; id++) {
        const HdPlace *place = &p->places[id];
        unsigned char *at = p->constants + place->offset;

        if (place->kind != HD_PLACE_CONSTANT || hd_type_size(place->type) == 0)
            continue;
        if (!hd_constant_write(x->m, hd_module_constant(x->m, id), at, NULL, NULL))
            return HD_NO_MEMORY;
        for (unsigned lane = 1; place->stride && lane < HD_EVAL_LANES; lane++)
            memcpy(at + lane * place->stride, at, (size_t)place->stride);
    }
    return HD_OK;
}

/* ---- functions ----------------------------------------------------------------------------- */

/* Which lanes a convergent instruction waits for: OpGroup instructions and barriers for all of
 * their scope, others for those of one iteration. */
static HdGathers gathers_by_scope(const Prepare *x, const HdInst *in, HdId scope_id)
{
    uint64_t scope;

    if (strncmp(hd_gram_insts[in->opix].name, "OpGroupNonUniform", 17) == 0)
        return HD_GATHERS_ROUND;
    if (!hd_module_constant_u64(x->m, scope_id, &scope))
        return HD_GATHERS_NOT;
    if (scope <= SpvScopeWorkgroup)
        return HD_GATHERS_HERE;
    return scope == SpvScopeSubgroup ? HD_GATHERS_SUBGROUP : HD_GATHERS_NOT;
}

static HdGathers gathers(const Prepare *x, const HdInst *in)
{
    const HdGramInst *row = &hd_gram_insts[in->opix];
    const HdInterpCode *callee;

    if (in->opix == HD_OPIX_FunctionCall) {
        callee = hd_interp_code(x->p, in->w[3]);
        if (callee == NULL || callee->meets < HD_GATHERS_CALLED)
            return callee == NULL ? HD_GATHERS_NOT : (HdGathers)callee->meets;
        return HD_GATHERS_CALLED;
    }
    if (!hd_eval_convergent[in->opix])
        return HD_GATHERS_NOT;
    for (unsigned i = 0; i < row->operand_count && i + 1u < in->nwords; i++)
        if (row->operands[i].klass == HD_OPERAND_SCOPE_ID ||
            strcmp(row->operands[i].name, "Execution") == 0)
            return gathers_by_scope(x, in, in->w[i + 1]);
    return HD_GATHERS_ROUND;
}

/* The order in which blocks run at which lanes wait. Blocks where the work-group meets come after
 * all others in any case (choose in run.c). */
static HdStatus find_turns(Prepare *x, HdInterpCode *c)
{
    const HdCfg *g = c->cfg;
    HdGatherOrder order;
    unsigned char *kind;

    HD_TAKE(kind, HD_NEW(x->p->arena, unsigned char, g->count + 1));
    for (uint32_t b = 0; b < g->count; b++)
        kind[b] = c->gathers[b] == HD_GATHERS_SUBGROUP ? HD_GATHER_ALL
                  : c->gathers[b] == HD_GATHERS_ROUND  ? HD_GATHER_ROUND
                                                       : HD_GATHER_NONE;
    HD_TRY(hd_cfg_gather_order(g, kind, x->p->arena, &order));
    c->turn = order.turn;
    return HD_OK;
}

/* Variables begin where any number may, whatever lies before them: an odd place in an array of
 * characters is odd in every run. */
#define LEAST_ALIGN 16u

static HdStatus add_variable(Prepare *x, HdInterpCode *c, const HdInst *in, const HdType *t,
                             uint64_t align)
{
    uint64_t offset = hd_round_up(c->own_bytes, align > LEAST_ALIGN ? align : LEAST_ALIGN);

    if (hd_type_size(t) > MAX_BYTES || offset + hd_type_size(t) > MAX_BYTES)
        return hd_fail(x->d, HD_UNSUPPORTED, in->word, "interp.private",
                       "the variables of a work-item take more than 1 GiB");
    x->p->variables[in->w[2]] = offset;
    x->p->align = align > x->p->align ? align : x->p->align;
    c->own_bytes = offset + (hd_type_size(t) ? hd_type_size(t) : 1);
    return HD_OK;
}

static HdStatus place_variable(Prepare *x, HdInterpCode *c, const HdInst *in)
{
    const HdType *pointer = hd_module_type(x->m, in->w[1]), *t;

    if (pointer == NULL || pointer->kind != HD_T_POINTER)
        return HD_OK;
    t = hd_type_element(pointer);
    if (pointer->is_untyped)
        t = in->nwords > 4 ? hd_module_type(x->m, in->w[4]) : NULL;
    if (t == NULL)
        return hd_fail(x->d, HD_UNSUPPORTED, in->word, "interp.variable",
                       "a variable without a data type");
    return add_variable(x, c, in, t, hd_module_alignment(x->m, in->w[2], t->align));
}

/* A ByVal parameter points to bytes that are the function's own. */
static HdStatus place_parameter(Prepare *x, HdInterpCode *c, const HdInst *in)
{
    const HdType *t = hd_module_type(x->m, in->w[1]);

    if (t == NULL || t->kind != HD_T_POINTER || hd_type_element(t) == NULL ||
        t->storage != SpvStorageClassFunction ||
        !hd_module_is_decorated(x->m, in->w[2], SpvDecorationFuncParamAttr,
                                SpvFunctionParameterAttributeByVal))
        return HD_OK;
    t = hd_type_element(t);
    return add_variable(x, c, in, t, hd_module_alignment(x->m, in->w[2], t->align));
}

static HdStatus place_value(Prepare *x, HdInterpCode *c, const HdInst *in)
{
    HdId id = hd_inst_result(in), type = hd_inst_type(in);
    const HdType *t = type ? hd_module_type(x->m, type) : NULL;

    if (id == 0 || t == NULL || !has_values(t) || x->p->places[id].kind != HD_PLACE_NONE)
        return HD_OK;
    x->p->places[id] = (HdPlace){
        .kind = HD_PLACE_VALUE, .offset = c->value_bytes, .stride = hd_type_size(t), .type = t};
    if (hd_type_size(t) > MAX_BYTES)
        return hd_fail(x->d, HD_UNSUPPORTED, in->word, "interp.value", "a value of this size");
    c->value_bytes += hd_round_up(hd_type_size(t) + (hd_type_size(t) == 0), 16);
    if (c->value_bytes > MAX_BYTES)
        return hd_fail(x->d, HD_UNSUPPORTED, in->word, "interp.values",
                       "a function with more than 1 GiB of values");
    return HD_OK;
}

/* Room for the variable-length arrays of each work-item, aligned as their elements or they are. */
static void make_room(Prepare *x, const HdInst *in)
{
    const HdType *t;
    uint64_t align;

    if (in->opix == HD_OPIX_SaveMemoryINTEL)
        x->p->vla_bytes = VLA_BYTES;
    if (in->opix != HD_OPIX_VariableLengthArrayINTEL &&
        in->opix != HD_OPIX_UntypedVariableLengthArrayINTEL)
        return;
    x->p->vla_bytes = VLA_BYTES;
    t = hd_module_vla_element(x->m, in);
    align = t != NULL ? hd_module_alignment(x->m, in->w[2], t->align) : 1;
    x->p->align = align > x->p->align ? align : x->p->align;
}

static HdStatus decode(Prepare *x, HdInterpCode *c)
{
    const HdFunction *f = c->function;
    HD_ARRAY(HdInst) insts = {0};

    HD_TAKE(c->first, HD_NEW(x->p->arena, uint32_t, f->block_count + 1));
    HD_TAKE(c->gathers, HD_NEW(x->p->arena, unsigned char, f->block_count + 1));
    for (uint32_t b = 0; b < f->block_count; b++) {
        const HdBlock *block = &x->m->blocks[f->first_block + b];
        uint32_t word = block->word, end = hd_block_end(x->m, block);
        HdInst in = {0};

        x->p->block_of[hd_block_label(x->m, block)] = b;
        c->first[b] = (uint32_t)insts.count;
        while (word < end && hd_module_next(x->m, &word, &in)) {
            bool is_gone;

            if (in.opix == HD_OPIX_Label || hd_source_is_silent(x->m, &in))
                continue;
            HD_TRY(hd_registers_rewrite(x->p, &in, &is_gone));
            if (is_gone)
                continue;
            HD_TRY(place_value(x, c, &in));
            if (hd_inst_is_variable(&in))
                HD_TRY(place_variable(x, c, &in));
            make_room(x, &in);
            HD_TRY_PUSH(x->p->arena, &insts, in);
        }
        if (insts.count == c->first[b] || !hd_inst_is_terminator(&insts.at[insts.count - 1]))
            return hd_fail(x->d, HD_BAD_INPUT, block->word, "interp.block",
                           "block %%%u does not end", (unsigned)hd_block_label(x->m, block));
    }
    c->first[f->block_count] = (uint32_t)insts.count;
    c->insts = insts.at;
    return HD_OK;
}

static HdStatus prepare_function(Prepare *x, HdInterpCode *c)
{
    const HdFunction *f = c->function;

    if (f->block_count == 0)
        return HD_OK;
    c->value_bytes = x->p->undef_bytes;
    for (uint32_t i = 0; i < f->param_count; i++) {
        HdInst in = hd_function_param(x->m, f, i);

        HD_TRY(place_value(x, c, &in));
        HD_TRY(place_parameter(x, c, &in));
    }
    if (!x->keeps_variables)
        HD_TRY(hd_registers_find(x->p, f));
    HD_TRY(decode(x, c));
    return hd_cfg_build(x->m, f, x->p->arena, x->d, &c->cfg);
}

/* What calls below need; recursion is found here. `depth` bounds the use of the host's stack. */
static HdStatus measure(Prepare *x, HdInterpCode *c, uint32_t depth)
{
    const HdFunction *f = c->function;
    uint64_t deepest = 0;

    if (c->state == 2 || f->block_count == 0)
        return HD_OK;
    if (c->state == 1)
        return hd_fail(x->d, HD_BAD_INPUT, f->word, "interp.recursion",
                       "function %%%u calls itself", (unsigned)f->id);
    if (depth == MAX_CALL_DEPTH)
        return hd_fail(x->d, HD_UNSUPPORTED, f->word, "interp.depth",
                       "calls are nested more than %u deep", MAX_CALL_DEPTH);
    c->state = 1;
    for (uint32_t b = 0; b < f->block_count; b++)
        for (uint32_t i = c->first[b]; i < c->first[b + 1]; i++) {
            const HdInst *in = &c->insts[i];
            HdGathers gather;

            if (in->opix == HD_OPIX_FunctionCall) {
                const HdFunction *to = hd_module_function(x->m, in->w[3]);
                HdInterpCode *callee = to ? &x->p->codes[to - x->m->functions] : NULL;

                if (callee == NULL)
                    continue;
                HD_TRY(measure(x, callee, depth + 1));
                deepest = callee->stack_bytes > deepest ? callee->stack_bytes : deepest;
            }
            gather = gathers(x, in);
            if (gather > c->gathers[b])
                c->gathers[b] = (unsigned char)gather;
            if (gather > c->meets)
                c->meets = (unsigned char)gather;
        }
    c->own_bytes = hd_round_up(c->own_bytes, x->p->align);
    c->stack_bytes = c->own_bytes + deepest;
    if (c->stack_bytes > MAX_BYTES)
        return hd_fail(x->d, HD_UNSUPPORTED, f->word, "interp.private",
                       "more than 1 GiB of private memory");
    c->state = 2;
    return find_turns(x, c);
}

const HdInterpCode *hd_interp_code(const HdInterpProgram *p, HdId function)
{
    const HdFunction *f = hd_module_function(p->m, function);

    if (f == NULL || f->block_count == 0)
        return NULL;
    return &p->codes[f - p->m->functions];
}

static HdStatus prepare(Prepare *x)
{
    const HdModule *m = x->m;
    HdInterpProgram *p = x->p;

    HD_TAKE(p->places, HD_NEW(p->arena, HdPlace, m->bound));
    HD_TAKE(p->variables, HD_NEW(p->arena, uint64_t, m->bound));
    HD_TAKE(p->block_of, HD_NEW(p->arena, uint32_t, m->bound));
    HD_TAKE(p->codes, HD_NEW(p->arena, HdInterpCode, m->function_count + 1));
    memset(p->variables, 0xff, m->bound * sizeof *p->variables);
    memset(p->block_of, 0xff, m->bound * sizeof *p->block_of);
    HD_TRY(place_module(x));
    HD_TRY(write_constants(x));
    for (uint32_t i = 0; i < m->function_count; i++) {
        p->codes[i].function = &m->functions[i];
        p->codes[i].first_edge = p->edge_count;
        HD_TRY(prepare_function(x, &p->codes[i]));
        if (p->codes[i].cfg != NULL)
            p->edge_count += p->codes[i].cfg->succ_first[p->codes[i].cfg->count];
    }
    p->input_bytes = hd_round_up(p->input_bytes, p->align);
    for (uint32_t i = 0; i < m->function_count; i++)
        HD_TRY(measure(x, &p->codes[i], 0));
    return hd_info_open(p);
}

HdStatus hd_interp_open(const HdModule *m, const HdBuildLayout *layout, bool keeps_variables,
                        HdDiags *d, HdInterpProgram **out)
{
    HdArena *a;
    Prepare x = {.m = m, .d = d, .keeps_variables = keeps_variables};
    HdStatus st;

    *out = NULL;
    HD_TAKE(a, hd_arena_open());
    x.p = HD_NEW(a, HdInterpProgram, 1);
    if (x.p == NULL) {
        hd_arena_drop(a);
        return HD_NO_MEMORY;
    }
    *x.p = (HdInterpProgram){.arena = a,
                             .m = m,
                             .layout = layout,
                             .identity = hd_hash_bytes(m->words, m->nwords * sizeof *m->words, 0),
                             .align = 16};
    st = prepare(&x);
    if (st != HD_OK)
        hd_interp_close(x.p);
    else
        *out = x.p;
    return st;
}

void hd_interp_close(HdInterpProgram *p)
{
    if (p == NULL)
        return;
    hd_info_close(p);
    hd_arena_drop(p->arena);
}

uint64_t hd_interp_identity(const HdInterpProgram *p)
{
    return p->identity;
}
