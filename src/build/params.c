/* build/params.c -- where parameters come from.
 *
 * A kernel's are in the argument block. Parameters decorated ByVal are pointers to bytes that the
 * callee owns. A call gives the address of the caller's variable, which may change while the callee
 * runs, through another pointer: the callee copies it. A kernel's bytes are in the argument block,
 * which work-items share and nobody else writes: they are copied unless the kernel only reads them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/bitset.h"
#include "build/emit.h"
#include "module/decoration.h"

static bool mentions(const HdInst *in, const uint64_t *set, uint32_t bound)
{
    for (unsigned i = 1; i < in->nwords; i++)
        if (in->w[i] < bound && hd_bit_has(set, in->w[i]))
            return true;
    return false;
}

/* What an instruction does with pointers in `set`. Literals that look like ids only make the
 * answer more careful. */
typedef enum Use { USE_NONE, USE_READ, USE_DERIVE, USE_OTHER } Use;

static Use use_of(const HdInst *in, const uint64_t *set, uint32_t bound)
{
    if (!mentions(in, set, bound))
        return USE_NONE;
    switch (in->opix) {
    case HD_OPIX_FunctionParameter:
    case HD_OPIX_Load:
    case HD_OPIX_LifetimeStart:
    case HD_OPIX_LifetimeStop: return USE_READ;
    case HD_OPIX_CopyMemory:
    case HD_OPIX_CopyMemorySized:
        return in->w[1] < bound && hd_bit_has(set, in->w[1]) ? USE_OTHER : USE_READ;
    case HD_OPIX_Bitcast:
    case HD_OPIX_CopyObject: return USE_DERIVE;
    default: return hd_operands_is_chain(in->opix) ? USE_DERIVE : USE_OTHER;
    }
}

static HdStatus is_only_read(HdBuild *b, const HdFunction *f, HdId parameter, bool *only_read)
{
    uint32_t word = f->word;
    HdInst in = {0};
    uint64_t *set;

    HD_TAKE(set, HD_NEW(b->arena, uint64_t, HD_BITSET_WORDS(b->m->bound)));
    hd_bit_add(set, parameter);
    *only_read = true;
    while (word < f->end && hd_module_next(b->m, &word, &in)) {
        Use use = use_of(&in, set, b->m->bound);

        if (use == USE_DERIVE)
            hd_bit_add(set, hd_inst_result(&in));
        if (use == USE_OTHER) {
            *only_read = false;
            break;
        }
    }
    return HD_OK;
}

static const HdType *byval_pointee(const HdModule *m, HdId id, const HdType *t)
{
    if (t->kind != HD_T_POINTER || hd_type_element(t) == NULL ||
        t->storage != SpvStorageClassFunction)
        return NULL;
    return hd_module_is_decorated(m, id, SpvDecorationFuncParamAttr,
                                  SpvFunctionParameterAttributeByVal)
               ? hd_type_element(t)
               : NULL;
}

/* A private copy of what a ByVal pointer points to. */
static HdIrRef own_copy(HdBuild *b, HdId id, const HdType *pointee, uint64_t align, HdIrRef address)
{
    const HdBuildAccess from = {.space = HD_SPACE_GENERIC, .align = align};
    const HdBuildAccess to = {.space = HD_SPACE_PRIVATE, .align = pointee->align};
    HdIrRef copy =
        hd_build_alloca(b, hd_type_size(pointee), hd_module_alignment(b->m, id, pointee->align));

    hd_build_copy(b, copy, address, hd_build_const(b, HD_IR_I64, hd_type_size(pointee)), &to,
                  &from);
    return copy;
}

static HdIrRef kernel_word(HdBuild *b, HdIrOp op, HdIrType t, uint64_t offset)
{
    return hd_ir_emit_sub(b->fn, b->block, op, t, 0, offset, NULL, 0);
}

static HdStatus value_argument(HdBuild *b, HdId id, const HdType *t, const HdArgInfo *arg)
{
    const HdBuildFlat *flat;
    HdIrRef refs[HD_BUILD_SPLIT_MAX];

    HD_TRY(hd_build_flatten(b, t, &flat));
    if (flat->count > HD_BUILD_SPLIT_MAX)
        return hd_build_bind_memory(b, id, t,
                                    kernel_word(b, HD_IR_KARG_ADDR, HD_IR_PTR, arg->offset));
    for (uint32_t i = 0; i < flat->count; i++) {
        bool is_bool = flat->types[i] == HD_IR_BOOL;

        refs[i] = kernel_word(b, HD_IR_KARG, is_bool ? HD_IR_I8 : flat->types[i],
                              arg->offset + flat->offsets[i]);
        if (flat->types[i] == HD_IR_PTR)
            hd_ir_inst(b->fn, refs[i])->sub = 1;
        if (is_bool)
            refs[i] = hd_build_icmp(b, HD_IR_NE, refs[i], hd_build_const(b, HD_IR_I8, 0));
    }
    return hd_build_bind(b, id, refs, flat->count);
}

static HdStatus kernel_argument(HdBuild *b, const HdFunction *f, HdId id, const HdType *t,
                                const HdArgInfo *arg)
{
    bool only_read;
    HdIrRef r;

    switch (arg->kind) {
    case HD_ARG_VALUE: return value_argument(b, id, t, arg);
    case HD_ARG_GLOBAL:
    case HD_ARG_CONSTANT: r = kernel_word(b, HD_IR_KARG, HD_IR_PTR, arg->offset); break;
    case HD_ARG_LOCAL:
        r = kernel_word(b, HD_IR_KARG, HD_IR_I64, arg->offset);
        r = hd_ir_emit_sub(b->fn, b->block, HD_IR_LOCAL_ADDR, HD_IR_PTR, 0, 0, &r, 1);
        break;
    case HD_ARG_BYVAL:
        r = kernel_word(b, HD_IR_KARG_ADDR, HD_IR_PTR, arg->offset);
        HD_TRY(is_only_read(b, f, id, &only_read));
        if (!only_read)
            r = own_copy(b, id, hd_type_element(t), arg->align, r);
        break;
    case HD_ARG_IMAGE:
    case HD_ARG_SAMPLER:
    case HD_ARG_PIPE:
    case HD_ARG_QUEUE: r = kernel_word(b, HD_IR_KARG, HD_IR_I64, arg->offset); break;
    default: return HD_BUG;
    }
    return hd_build_bind(b, id, &r, 1);
}

static HdStatus call_parameter(HdBuild *b, HdId id, const HdType *t, uint32_t *index)
{
    const HdType *pointee = byval_pointee(b->m, id, t);
    const HdBuildFlat *flat;
    HdIrRef *refs;

    HD_TRY(hd_build_flatten(b, t, &flat));
    HD_TAKE(refs, HD_NEW(b->arena, HdIrRef, flat->count + 1));
    for (uint32_t i = 0; i < flat->count; i++)
        refs[i] =
            hd_ir_emit_sub(b->fn, b->block, HD_IR_PARAM, flat->types[i], 0, (*index)++, NULL, 0);
    if (pointee)
        refs[0] = own_copy(b, id, pointee, pointee->align, refs[0]);
    return hd_build_bind(b, id, refs, flat->count);
}

/* Private variables of the module: the kernel has the memory, functions are given its address. */
static HdStatus bind_privates(HdBuild *b, uint32_t *index)
{
    for (uint32_t i = 0; i < b->layout->private_count; i++) {
        HdId id = b->layout->privates[i];
        HdIrRef r;
        HdInst in;

        if (!hd_module_def(b->m, id, &in))
            return HD_BUG;
        if (b->fn->is_kernel) {
            HD_TRY(hd_build_fns[in.opix](b, &in));
            continue;
        }
        r = hd_ir_emit_sub(b->fn, b->block, HD_IR_PARAM, HD_IR_PTR, 0, (*index)++, NULL, 0);
        HD_TRY(hd_build_bind(b, id, &r, 1));
    }
    return HD_OK;
}

/* Variable-length arrays of a function follow those of its caller, and are freed when it returns; a
 * kernel's begin at the start of the work-item's part. */
static void begin_arrays(HdBuild *b, uint32_t parameter)
{
    const HdBuildAccess own = {.space = HD_SPACE_PRIVATE};
    HdIrRef top;

    b->array_top = hd_build_alloca(b, 8, 8);
    if (b->fn->is_kernel)
        top = hd_build_array_part(b);
    else
        top = hd_ir_emit_sub(b->fn, b->block, HD_IR_PARAM, HD_IR_I64, 0, parameter, NULL, 0);
    hd_build_store1(b, b->array_top, 0, top, &own);
}

HdStatus hd_build_parameters(HdBuild *b, const HdFunction *f)
{
    uint32_t index = 0;

    if (b->fn->is_kernel && !b->kernel->is_shader && f->param_count != b->kernel->arg_count)
        return HD_BUG;
    for (uint32_t p = 0; p < f->param_count; p++) {
        HdInst in = hd_function_param(b->m, f, p);
        HdId id = hd_inst_result(&in);
        const HdType *t;

        HD_TRY(hd_build_type_of(b, id, &t));
        if (b->fn->is_kernel)
            HD_TRY(kernel_argument(b, f, id, t, &b->kernel->args[p]));
        else
            HD_TRY(call_parameter(b, id, t, &index));
    }
    HD_TRY(bind_privates(b, &index));
    if (b->has_arrays)
        begin_arrays(b, index);
    return b->ir->failed ? HD_NO_MEMORY : HD_OK;
}
