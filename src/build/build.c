/* build/build.c -- the engine: functions, blocks and phis; instructions go to their builders.
 *
 * Function 0 is the kernel. Functions that it calls are queued when a call is built and built once
 * each. Block 0 of every lane-IR function is a prologue: parameters, private memory, copies of
 * built-in variables; SPIR-V blocks follow. Blocks that cannot be reached are left out, and phis
 * are filled last, when all values exist.
 *
 * SPDX-License-Identifier: MIT
 */
#include "build/emit.h"

uint32_t hd_build_split(HdBuild *b)
{
    uint32_t block = hd_ir_block(b->fn);

    if (!b->ir->failed && block < b->fn->blocks.count)
        b->fn->blocks.at[block].rank = b->rank;
    return block;
}

HdStatus hd_build_target(HdBuild *b, HdId label, uint32_t *block)
{
    *block = label < b->m->bound ? b->block_of[label] : HD_IR_NOWHERE;
    if (*block == HD_IR_NOWHERE)
        return hd_fail(b->diags, HD_BAD_INPUT, HD_NO_PLACE, "build.label",
                       "%%%u is not a block of this function", label);
    return HD_OK;
}

/* ---- functions --------------------------------------------------------------------------- */

static HdStatus set_signature(HdBuild *b, HdIrFunc *fn, const HdFunction *f)
{
    const HdType *type, *result;
    const HdBuildFlat *flat;
    uint32_t count = 0, at = 0;

    HD_TRY(hd_build_type(b, f->type, &type));
    HD_TRY(hd_build_type(b, f->result_type, &result));
    if (type->kind != HD_T_FUNCTION || type->count != f->param_count)
        return hd_fail(b->diags, HD_BAD_INPUT, f->word, "build.signature",
                       "function %%%u does not fit its type", f->id);
    HD_TRY(hd_build_flatten(b, result, &flat));
    fn->result_count = flat->count;
    HD_TAKE(fn->result_types, HD_NEW(b->arena, uint8_t, flat->count + 1));
    for (uint32_t i = 0; i < flat->count; i++)
        fn->result_types[i] = (uint8_t)flat->types[i];
    for (uint32_t p = 0; p < type->count; p++) {
        HD_TRY(hd_build_flatten(b, hd_type_member(b->m, type, p), &flat));
        count += flat->count;
        if (count > HD_BUILD_MAX_SCALARS)
            return hd_fail(b->diags, HD_UNSUPPORTED, f->word, "build.large",
                           "parameters of function %%%u are too large", f->id);
    }
    count += b->layout->private_count + b->has_arrays;
    if (count > HD_BUILD_MAX_SCALARS)
        return hd_fail(b->diags, HD_UNSUPPORTED, f->word, "build.large",
                       "parameters and Private variables of function %%%u are too many", f->id);
    fn->param_count = count;
    HD_TAKE(fn->param_types, HD_NEW(b->arena, uint8_t, count + 1));
    for (uint32_t p = 0; p < type->count; p++) {
        HD_TRY(hd_build_flatten(b, hd_type_member(b->m, type, p), &flat));
        for (uint32_t i = 0; i < flat->count; i++)
            fn->param_types[at++] = (uint8_t)flat->types[i];
    }
    for (uint32_t i = 0; i < b->layout->private_count; i++)
        fn->param_types[at++] = HD_IR_PTR;
    if (b->has_arrays)
        fn->param_types[at] = HD_IR_I64;
    return HD_OK;
}

HdStatus hd_build_callee(HdBuild *b, const HdInst *in, HdId function, uint32_t *index)
{
    const HdFunction *f = hd_module_function(b->m, function);
    const char *name = function < b->m->bound ? hd_module_name(b->m, function) : NULL;
    HdIrFunc *fn;

    if (f == NULL)
        return hd_fail(b->diags, HD_UNSUPPORTED, in->word, "build.call",
                       "%%%u, which is called, is not a function", function);
    if (b->function_index[function] == UINT32_MAX) {
        if (f->block_count == 0)
            return hd_fail(b->diags, HD_UNSUPPORTED, in->word, "build.import",
                           "call of function %s, which this module does not define",
                           name ? name : "without a name");
        HD_TAKE(fn, hd_ir_func(b->ir, name ? name : "function"));
        HD_TRY(set_signature(b, fn, f));
        b->function_index[function] = (uint32_t)(b->ir->funcs.count - 1);
        HD_TRY_PUSH(b->arena, &b->pending, function);
    }
    *index = b->function_index[function];
    return HD_OK;
}

/* ---- blocks and instructions ------------------------------------------------------------- */

/* Every instruction of lane IR knows the SPIR-V instruction it comes from: set here alone. */
static void set_places(HdBuild *b, size_t from, uint32_t word)
{
    for (size_t i = from; i < b->fn->insts.count; i++)
        b->fn->insts.at[i].place = word;
}

static HdStatus build_inst(HdBuild *b, const HdInst *in)
{
    HdBuildFn *build = in->opix < HD_OPIX_COUNT ? hd_build_fns[in->opix] : NULL;
    size_t before = b->fn->insts.count;

    if (in->opix == HD_OPIX_NONE)
        return hd_fail(b->diags, HD_UNSUPPORTED, in->word, "build.unsupported",
                       "unsupported instruction with opcode %u", in->opcode);
    if (build == NULL)
        return hd_build_unsupported(b, in, NULL);
    HD_TRY(build(b, in));
    HD_TRY(hd_build_flush(b, in));
    if (b->ir->failed)
        return HD_NO_MEMORY;
    set_places(b, before, in->word);
    return HD_OK;
}

static bool is_terminated(const HdBuild *b)
{
    const HdIrBlock *block = &b->fn->blocks.at[b->block];

    return block->insts.count > 0 &&
           hd_ir_op_is_terminator(b->fn->insts.at[block->insts.at[block->insts.count - 1]].op);
}

static HdStatus build_block(HdBuild *b, const HdBlock *block, uint32_t rank)
{
    HdId label = hd_block_label(b->m, block);
    uint32_t word = block->word, end = hd_block_end(b->m, block);
    HdInst in = {0};

    b->block = b->block_of[label];
    b->label = label;
    b->rank = rank;
    while (word < end && hd_module_next(b->m, &word, &in)) {
        if (in.opix != HD_OPIX_Label)
            HD_TRY(build_inst(b, &in));
        if (is_terminated(b))
            break;
    }
    if (!is_terminated(b))
        return hd_fail(b->diags, HD_BAD_INPUT, block->word, "build.block",
                       "block %%%u has no terminator", (unsigned)label);
    b->block_end[label] = b->block;
    return HD_OK;
}

/* ---- phis -------------------------------------------------------------------------------- */

/* Scalars of a phi's operand, made at the end of the block it comes from: constants and values in
 * memory have to be there. */
static HdStatus use_at_end(HdBuild *b, HdId id, uint32_t block, HdBuildValue *v)
{
    HdIrBlock *at = &b->fn->blocks.at[block];
    HdIrRef terminator = at->insts.at[--at->insts.count];
    HdStatus st;

    b->block = block;
    st = hd_build_use(b, id, v);
    at = &b->fn->blocks.at[block]; /* emitting may have moved it */
    if (!HD_PUSH(b->arena, &at->insts, terminator))
        return HD_NO_MEMORY;
    return st;
}

/* Words: 1 type, 2 result, then pairs of value and predecessor. */
static HdStatus fill_phi(HdBuild *b, const HdInst *in)
{
    const HdBuildValue *phi = hd_build_peek(b, in->w[2]);
    uint32_t pairs = (in->nwords - 3u) / 2, used = 0;
    HdIrRef *args; /* [scalar][pair * 2] */

    if (phi == NULL || phi->count == 0)
        return HD_OK;
    HD_TAKE(args, HD_NEW(b->arena, HdIrRef, (size_t)phi->count * (pairs + 1) * 2));
    for (uint32_t p = 0; p < pairs; p++) {
        HdId value = in->w[3 + p * 2], from = in->w[4 + p * 2];
        HdBuildValue v;

        /* One that cannot be reached, or again: some producers write one pair per edge. */
        if (from >= b->m->bound || b->block_of[from] == HD_IR_NOWHERE ||
            b->phi_of[from] == in->w[2])
            continue;
        b->phi_of[from] = in->w[2];
        HD_TRY(use_at_end(b, value, b->block_end[from], &v));
        if (v.count != phi->count)
            return hd_fail(b->diags, HD_BAD_INPUT, in->word, "build.phi",
                           "%%%u does not have the type of the phi", value);
        for (uint32_t i = 0; i < v.count; i++) {
            args[((size_t)i * pairs + used) * 2] = b->block_end[from];
            args[((size_t)i * pairs + used) * 2 + 1] = v.at[i];
        }
        used++;
    }
    for (uint32_t i = 0; i < phi->count; i++)
        hd_ir_set_args(b->fn, phi->at[i], args + (size_t)i * pairs * 2, (size_t)used * 2);
    return b->ir->failed ? HD_NO_MEMORY : HD_OK;
}

static HdStatus fill_phis(HdBuild *b, const HdBlock *block)
{
    uint32_t word = block->word, end = hd_block_end(b->m, block);
    HdInst in = {0};

    while (word < end && hd_module_next(b->m, &word, &in)) {
        size_t before = b->fn->insts.count;

        if (in.opix != HD_OPIX_Phi)
            continue;
        HD_TRY(fill_phi(b, &in));
        set_places(b, before, in.word);
    }
    return HD_OK;
}

/* ---- one function ------------------------------------------------------------------------ */

static HdStatus make_blocks(HdBuild *b, const HdFunction *f, const HdCfg *cfg)
{
    for (uint32_t i = 0; i < f->block_count; i++) {
        HdId label = hd_block_label(b->m, &b->m->blocks[f->first_block + i]);

        b->block_of[label] = HD_IR_NOWHERE;
        if (cfg->rank[i] == HD_NO_BLOCK)
            continue;
        b->block_of[label] = hd_ir_block(b->fn);
        if (b->ir->failed)
            return HD_NO_MEMORY;
        b->fn->blocks.at[b->block_of[label]].rank = cfg->rank[i] + 1;
    }
    return HD_OK;
}

static HdStatus build_function(HdBuild *b, const HdFunction *f)
{
    const HdBlock *blocks = b->m->blocks + f->first_block;
    size_t before;
    HdCfg *cfg;

    HD_TRY(hd_cfg_build(b->m, f, b->arena, b->diags, &cfg));
    HD_TRY(make_blocks(b, f, cfg));
    while (b->copied.count > 0)
        b->builtins[b->copied.at[--b->copied.count]] = 0;
    b->block = 0;
    b->rank = b->fn->blocks.at[0].rank = 0;
    before = b->fn->insts.count;
    HD_TRY(hd_build_parameters(b, f));
    set_places(b, before, f->word);
    /* In the order of execution dominators come first, whatever the order in the module. */
    for (uint32_t i = 0; i < cfg->reachable; i++)
        HD_TRY(build_block(b, &blocks[cfg->order[i]], i + 1));
    for (uint32_t i = 0; i < cfg->reachable; i++)
        HD_TRY(fill_phis(b, &blocks[cfg->order[i]]));
    before = b->fn->insts.count;
    hd_ir_br(b->fn, 0, b->block_of[hd_block_label(b->m, &blocks[0])]);
    set_places(b, before, f->word);
    return b->ir->failed ? HD_NO_MEMORY : HD_OK;
}

/* What calls demand: a function that holds a convergent operation, or calls one that does, must
 * be inlined. */
static void mark_inlined(HdIrModule *ir)
{
    bool changed = true;

    while (changed) {
        changed = false;
        for (size_t i = 0; i < ir->funcs.count; i++) {
            HdIrFunc *f = ir->funcs.at[i];

            for (size_t r = 1;
                 r < f->insts.count && !(f->callee.must_inline && f->waits.has_barrier); r++) {
                const HdIrInst *in = &f->insts.at[r];
                const HdIrFunc *to = in->op == HD_IR_CALL ? ir->funcs.at[in->imm] : NULL;
                bool barrier = in->op == HD_IR_BARRIER || (to && to->waits.has_barrier);
                bool inlined = barrier || hd_ir_op_is_convergent(in->op) || hd_ir_gather(in) != 0 ||
                               (to && to->callee.must_inline);

                changed |=
                    (barrier && !f->waits.has_barrier) || (inlined && !f->callee.must_inline);
                f->waits.has_barrier |= barrier;
                f->callee.must_inline |= inlined;
            }
        }
    }
}

static HdStatus open_build(HdBuild *b)
{
    uint32_t bound = b->m->bound;

    HD_TAKE(b->values, HD_NEW(b->arena, HdBuildValue, bound));
    HD_TAKE(b->flats, HD_NEW(b->arena, HdBuildFlat *, bound));
    HD_TAKE(b->builtins, HD_NEW(b->arena, HdIrRef, bound));
    HD_TAKE(b->function_index, HD_NEW(b->arena, uint32_t, bound));
    HD_TAKE(b->block_of, HD_NEW(b->arena, uint32_t, bound));
    HD_TAKE(b->phi_of, HD_NEW(b->arena, HdId, bound));
    HD_TAKE(b->block_end, HD_NEW(b->arena, uint32_t, bound));
    for (uint32_t i = 0; i < bound; i++)
        b->function_index[i] = b->block_of[i] = b->block_end[i] = UINT32_MAX;
    return HD_OK;
}

static const HdKernelInfo *kernel_of(const HdBuildLayout *l, const HdEntryPoint *entry)
{
    for (uint32_t i = 0; i < hd_layout_count(l); i++)
        if (l->kernels[i].entry->word == entry->word)
            return &l->kernels[i];
    return NULL;
}

static bool has_arrays(const HdModule *m)
{
    return hd_module_has_capability(m, SpvCapabilityVariableLengthArrayINTEL) ||
           hd_module_has_capability(m, SpvCapabilityUntypedVariableLengthArrayINTEL);
}

/* What the constants hold is known where they are no addresses. */
static HdStatus tell_program(const HdBuildLayout *l, HdIrModule *ir)
{
    uint64_t *places;

    HD_TAKE(places, HD_NEW(ir->arena, uint64_t, l->reloc_count + 1));
    for (size_t i = 0; i < l->reloc_count; i++)
        places[i] = l->relocs[i].at;
    ir->program = (HdIrProgram){.bytes = l->image,
                                .size = l->image != NULL ? l->image_bytes : 0,
                                .addresses = places,
                                .address_count = l->reloc_count};
    return HD_OK;
}

HdStatus hd_build_kernel(const HdModule *m, const struct HdBuildLayout *layout,
                         const HdEntryPoint *entry, uint32_t subgroup_size, bool fast_math,
                         HdArena *a, HdDiags *d, HdIrModule **out)
{
    HdBuild b = {.m = m,
                 .arena = a,
                 .diags = d,
                 .layout = layout,
                 .kernel = kernel_of(layout, entry),
                 .subgroup_size = subgroup_size,
                 .fast_math = fast_math,
                 .has_arrays = has_arrays(m)};
    const HdFunction *f = hd_module_function(m, entry->function);

    *out = NULL;
    if (b.kernel == NULL || f == NULL || f->block_count == 0)
        return hd_fail(d, HD_BAD_INPUT, entry->word, "build.entry",
                       "entry point \"%s\" is not a kernel with a body", entry->name);
    HD_TRY(open_build(&b));
    HD_TAKE(b.ir, hd_ir_module(a));
    b.ir->structured = !hd_module_is_opencl(m);
    HD_TRY(tell_program(layout, b.ir));
    HD_TAKE(b.fn, hd_ir_func(b.ir, entry->name));
    b.fn->is_kernel = true;
    b.function_index[f->id] = 0;
    HD_TRY_PUSH(a, &b.pending, f->id);
    for (size_t i = 0; i < b.pending.count; i++) {
        b.function = hd_module_function(m, b.pending.at[i]);
        b.fn = b.ir->funcs.at[b.function_index[b.function->id]];
        HD_TRY(build_function(&b, b.function));
    }
    mark_inlined(b.ir);
    *out = b.ir;
    return HD_OK;
}
