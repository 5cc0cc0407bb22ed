/* ops/constant/constant_build.c -- values created inside functions without operands.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/build_fns.h"

/* Words: 1 type, 2 result. */
HdStatus hd_build_undef(HdBuild *b, const HdInst *in)
{
    return hd_build_bind_op0(b, in, HD_IR_UNDEF);
}

/* Words: 1 type, 2 result, 3 pointer. */
HdStatus hd_build_size_of(HdBuild *b, const HdInst *in)
{
    const HdType *t, *pointer;
    HdIrRef r;

    HD_TRY(hd_build_type(b, in->w[1], &t));
    pointer = hd_module_type(b->m, in->w[3]); /* of a pointer, or a pointer */
    if (pointer == NULL)
        HD_TRY(hd_build_type_of(b, in->w[3], &pointer));
    if (pointer->kind != HD_T_POINTER || hd_type_element(pointer) == NULL ||
        hd_build_scalar(t) == 0)
        return hd_build_bad(b, in, "needs a typed pointer");
    r = hd_build_const(b, hd_build_scalar(t), hd_type_size(hd_type_element(pointer)));
    return hd_build_bind(b, in->w[2], &r, 1);
}
