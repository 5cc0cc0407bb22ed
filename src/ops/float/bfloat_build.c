/* ops/float/bfloat_build.c -- bfloat16 and floats, to lane IR.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/float/bfloat_build.h"

HdIrRef hd_build_rounded_bits(HdBuild *b, HdIrRef x, unsigned cut)
{
    HdIrRef bits = hd_build_bitcast(b, x, HD_IR_I32);
    HdIrRef kept = hd_build_op2(b, HD_IR_LSHR, HD_IR_I32, bits, hd_build_const(b, HD_IR_I32, cut));
    HdIrRef is_odd = hd_build_op2(b, HD_IR_AND, HD_IR_I32, kept, hd_build_const(b, HD_IR_I32, 1));
    HdIrRef up = hd_build_op2(b, HD_IR_ADD, HD_IR_I32, is_odd,
                              hd_build_const(b, HD_IR_I32, (UINT64_C(1) << (cut - 1)) - 1));
    HdIrRef sum = hd_build_op2(b, HD_IR_ADD, HD_IR_I32, bits, up);
    HdIrRef quiet =
        hd_build_op2(b, HD_IR_OR, HD_IR_I32, bits, hd_build_const(b, HD_IR_I32, 0x400000));

    return hd_build_select(b, HD_IR_I32, hd_build_fcmp(b, HD_IR_UNO, x, x), quiet, sum);
}

HdIrRef hd_build_to_bfloat16(HdBuild *b, HdIrRef x)
{
    x = hd_build_op2(b, HD_IR_LSHR, HD_IR_I32, hd_build_rounded_bits(b, x, 16),
                     hd_build_const(b, HD_IR_I32, 16));
    return hd_build_resize(b, x, HD_IR_I16, false);
}

HdIrRef hd_build_from_bfloat16(HdBuild *b, HdIrRef x)
{
    x = hd_build_op2(b, HD_IR_SHL, HD_IR_I32, hd_build_resize(b, x, HD_IR_I32, false),
                     hd_build_const(b, HD_IR_I32, 16));
    return hd_build_bitcast(b, x, HD_IR_F32);
}

HdStatus hd_build_floats(HdBuild *b, const HdInst *in, unsigned first, unsigned count,
                         HdBuildValue *v)
{
    HD_TRY(hd_build_operands(b, in, first, count, v));
    for (unsigned k = 0; k < count; k++) {
        const HdType *t;
        HdIrRef *wide;

        HD_TRY(hd_build_type_of(b, in->w[first + k], &t));
        if (!hd_is_bfloat16(hd_type_scalar(t)))
            continue;
        HD_TRY(hd_build_room(b, v[k].count, &wide));
        for (uint32_t i = 0; i < v[k].count; i++)
            wide[i] = hd_build_from_bfloat16(b, v[k].at[i]);
        v[k].at = wide;
    }
    return HD_OK;
}

HdStatus hd_build_bind_floats(HdBuild *b, const HdInst *in, HdIrRef *refs, uint32_t count)
{
    const HdType *t;

    HD_TRY(hd_build_type(b, in->w[1], &t));
    if (hd_is_bfloat16(hd_type_scalar(t)))
        for (uint32_t i = 0; i < count; i++)
            refs[i] = hd_build_to_bfloat16(b, refs[i]);
    return hd_build_bind(b, in->w[2], refs, count);
}
