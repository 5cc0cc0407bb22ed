/* ops/memory/length_build.c -- how many elements the run-time array has that a shader's block ends
 * with: as many whole ones as fit into what is bound.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/build_fns.h"

/* OpArrayLength, OpUntypedArrayLengthKHR.
 * Words: 1 type, 2 result, [3 structure,] pointer, member. */
HdStatus hd_build_array_length(HdBuild *b, const HdInst *in)
{
    bool untyped = in->opix == HD_OPIX_UntypedArrayLengthKHR;
    HdId pointer = in->w[untyped ? 4 : 3];
    uint32_t member = in->w[untyped ? 5 : 4];
    const HdType *block, *array, *type;
    HdIrRef bytes, before, has, r;
    uint64_t offset, stride;

    HD_TRY(hd_build_type(b, in->w[1], &type));
    HD_TRY(hd_build_type_of(b, pointer, &block));
    block = untyped ? hd_module_type(b->m, in->w[3]) : hd_type_element(block);
    if (block == NULL || block->kind != HD_T_STRUCT || member >= block->count)
        return hd_build_bad(b, in, "not a structure with that member");
    array = hd_type_member(b->m, block, member);
    stride = hd_type_stride(b->m, array);
    if (array->kind != HD_T_RUNTIME_ARRAY || stride == 0 || type->kind != HD_T_INT)
        return hd_build_bad(b, in, "the member is not a run-time array of elements with a size");
    offset = hd_type_offset(b->m, block, member);
    HD_TRY(hd_build_block_bytes(b, in, pointer, &bytes));
    before = hd_build_const(b, HD_IR_I64, offset);
    has = hd_build_icmp(b, HD_IR_UGT, bytes, before);
    r = hd_build_op2(b, HD_IR_SUB, HD_IR_I64, bytes, before);
    r = hd_build_op2(b, HD_IR_UDIV, HD_IR_I64, r, hd_build_const(b, HD_IR_I64, stride));
    r = hd_build_select(b, HD_IR_I64, has, r, hd_build_const(b, HD_IR_I64, 0));
    r = hd_build_resize(b, r, hd_build_scalar(type), false);
    return hd_build_bind(b, in->w[2], &r, 1);
}
