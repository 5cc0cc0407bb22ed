/* build/operands.c -- flags and memory operands of the instruction being built; values of other
 * types.
 *
 * SPDX-License-Identifier: MIT
 */
#include "build/emit.h"
#include "module/decoration.h"

HdStatus hd_build_bad(HdBuild *b, const HdInst *in, const char *why)
{
    if (b->ir->failed) /* values of what could not be emitted fit nothing */
        return HD_NO_MEMORY;
    return hd_fail(b->diags, HD_BAD_INPUT, in->word, "build.operand", "%s: %s",
                   hd_gram_insts[in->opix].name, why);
}

HdStatus hd_build_room(HdBuild *b, uint32_t count, HdIrRef **out)
{
    HD_TAKE(*out, HD_NEW(b->arena, HdIrRef, (size_t)count + 1));
    return HD_OK;
}

HdIrFlags hd_build_flags(const HdBuild *b, const HdInst *in)
{
    HdIrFlags flags = b->fast_math ? HD_IR_FAST : 0;

    for (HdDecorations x = hd_module_decorations(b->m, hd_inst_result(in)); x.d != NULL;
         hd_decorations_step(&x)) {
        if (x.d->decoration == SpvDecorationNoSignedWrap)
            flags |= HD_IR_NSW;
        if (x.d->decoration == SpvDecorationNoUnsignedWrap)
            flags |= HD_IR_NUW;
        if (x.d->decoration == SpvDecorationFPFastMathMode && x.d->operand_count > 0 &&
            (hd_decoration_value(b->m, x.d) & SpvFPFastMathModeFastMask) != 0)
            flags |= HD_IR_FAST;
    }
    return flags;
}

HdIrRef hd_build_flag(HdBuild *b, HdIrRef r, HdIrFlags flags)
{
    if (r)
        hd_ir_inst(b->fn, r)->flags |= flags;
    return r;
}

HdIrRef hd_build_fused(HdBuild *b, const HdInst *in, HdIrRef x, HdIrRef y, HdIrRef z)
{
    return hd_build_flag(b, hd_build_op3(b, HD_IR_FMA, hd_build_type_at(b, x), x, y, z),
                         hd_build_flags(b, in) | HD_IR_FAST);
}

HdIrRef hd_build_resize(HdBuild *b, HdIrRef x, HdIrType to, bool is_signed)
{
    HdIrType from = hd_build_type_at(b, x);

    if (hd_ir_type_bits(from) == hd_ir_type_bits(to))
        return x;
    if (hd_ir_type_bits(from) > hd_ir_type_bits(to))
        return hd_build_op1(b, HD_IR_TRUNC, to, x);
    return hd_build_op1(b, is_signed ? HD_IR_SEXT : HD_IR_ZEXT, to, x);
}

HdIrRef hd_build_bitcast(HdBuild *b, HdIrRef x, HdIrType to)
{
    return hd_build_type_at(b, x) == to ? x : hd_build_op1(b, HD_IR_BITCAST, to, x);
}

HdMatrixLayout hd_build_matrix(const HdBuild *b, HdId pointer, const HdType *t)
{
    return hd_module_is_opencl(b->m) ? (HdMatrixLayout){0}
                                     : hd_module_pointer_matrix(b->m, pointer, t);
}

HdStatus hd_build_access(HdBuild *b, const HdInst *in, unsigned at, HdId pointer,
                         HdBuildAccess *out, unsigned *next)
{
    const HdType *t;
    uint32_t mask = at < in->nwords ? in->w[at] : 0;

    *out = (HdBuildAccess){0};
    HD_TRY(hd_build_type_of(b, pointer, &t));
    if (t->kind != HD_T_POINTER)
        return hd_build_bad(b, in, "not a pointer");
    if (t->storage == SpvStorageClassUniformConstant && b->kernel->is_shader)
        return hd_build_unsupported(b, in, "data in a heap of descriptors");
    out->space = hd_build_space(t->storage);
    if (hd_layout_table(b->layout, pointer) != NULL) {
        out->space = HD_SPACE_CONSTANT;
        out->flags |= HD_IR_INVARIANT;
    }
    if (t->storage == SpvStorageClassUniformConstant || t->storage == SpvStorageClassPushConstant)
        out->flags |= HD_IR_INVARIANT;
    if (hd_module_decoration(b->m, pointer, SpvDecorationVolatile) != NULL ||
        (!hd_module_is_opencl(b->m) &&
         hd_module_pointer_has(b->m, pointer, SpvDecorationVolatile)) ||
        (mask & SpvMemoryAccessVolatileMask) != 0)
        out->flags = (HdIrFlags)((out->flags & ~HD_IR_INVARIANT) | HD_IR_VOLATILE);
    if ((mask & SpvMemoryAccessNontemporalMask) != 0)
        out->flags |= HD_IR_NONTEMPORAL;
    *next = at < in->nwords ? at + 1 : at;
    if ((mask & SpvMemoryAccessAlignedMask) != 0 && *next < in->nwords) {
        out->align = in->w[(*next)++];
        if (out->align == 0 || (out->align & (out->align - 1)) != 0)
            return hd_build_bad(b, in, "alignment is not a power of two");
    }
    /* The remaining bits have one operand each, all about visibility or aliasing. */
    for (uint32_t bit = SpvMemoryAccessMakePointerAvailableMask; bit != 0; bit <<= 1)
        if ((mask & bit) != 0 && bit != SpvMemoryAccessNonPrivatePointerMask && *next < in->nwords)
            (*next)++;
    return HD_OK;
}
