/* codegen/strided.c -- strided and narrow loads, done better than lane by lane.
 *
 * Both methods read more bytes than requested, but never in another page: between two lanes'
 * elements less than a page apart, or in the aligned word around a byte. Concurrent writes to those
 * bytes do not matter.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/strided.h"

#include "codegen/access.h"
#include "codegen/values.h"
#include "ir/edit.h"

#define MOST_STEP  8u
#define MOST_BYTES 512u /* read for one load of all lanes; above, gathering is as good */

unsigned hd_gen_step(const HdGen *g, HdIrRef address, unsigned bytes)
{
    const HdIrInst *a = &g->f->insts.at[address];
    int64_t step = a->stride / (int64_t)bytes;

    if (g->width < 8 || (a->shape != HD_SHAPE_AFFINE && a->shape != HD_SHAPE_ADDRESS) ||
        !hd_gen_has_s(g, address) || a->stride % (int64_t)bytes != 0 || step < 2 ||
        step > MOST_STEP || (uint64_t)step * g->width * bytes > MOST_BYTES)
        return 0;
    return (unsigned)step;
}

/* Two halves, the second ending with the last lane's element: nothing after it is read. */
LLVMValueRef hd_gen_load_step(HdGen *g, LLVMTypeRef element, LLVMValueRef at, unsigned step,
                              unsigned bytes, unsigned align)
{
    unsigned half = step * g->width / 2, skip = (g->width - 1) * step + 1 - half;
    LLVMTypeRef type = LLVMVectorType(element, half);
    LLVMValueRef x[2], pick[64];

    x[0] = LLVMBuildLoad2(g->b, type, at, "");
    x[1] =
        LLVMBuildLoad2(g->b, type, hd_gen_offset(g, at, hd_gen_u64(g, (uint64_t)skip * bytes)), "");
    for (unsigned i = 0; i < 2; i++)
        LLVMSetAlignment(x[i], align < bytes ? align : bytes);
    for (unsigned l = 0; l < g->width; l++)
        pick[l] = hd_gen_u32(g, l < g->width / 2 ? l * step : half + l * step - skip);
    return LLVMBuildShuffleVector(g->b, x[0], x[1], LLVMConstVector(pick, g->width), "");
}

/* Processors gather words, not bytes: LLVM would branch for every lane. */
LLVMValueRef hd_gen_gather_narrow(HdGen *g, LLVMTypeRef type, LLVMValueRef at, LLVMValueRef mask)
{
    LLVMTypeRef wide = g->vector[HD_IR_I32];
    LLVMValueRef address = LLVMBuildPtrToInt(g->b, at, g->vector[HD_IR_I64], ""), shift, x;

    shift = LLVMBuildTrunc(g->b, address, wide, "");
    shift = LLVMBuildAnd(g->b, shift, hd_gen_splat(g, hd_gen_u32(g, 3)), "");
    shift = LLVMBuildShl(g->b, shift, hd_gen_splat(g, hd_gen_u32(g, 3)), "");
    address = LLVMBuildAnd(g->b, address, hd_gen_splat(g, hd_gen_u64(g, ~UINT64_C(3))), "");
    x = hd_gen_load_at(g, wide, LLVMBuildIntToPtr(g->b, address, g->vector[HD_IR_PTR], ""), mask,
                       4);
    return LLVMBuildTrunc(g->b, LLVMBuildLShr(g->b, x, shift, ""), type, "");
}

LLVMValueRef hd_gen_gather(HdGen *g, HdIrType type, LLVMValueRef at, LLVMValueRef mask,
                           unsigned align)
{
    unsigned bytes = hd_ir_type_bytes(type);
    LLVMValueRef x;

    if (g->width < 16 || bytes > 2 || align < bytes)
        return hd_gen_load_at(g, g->vector[type], at, mask, align);
    x = hd_gen_gather_narrow(g, g->vector[hd_ir_int_of(bytes)], at, mask);
    return LLVMBuildBitCast(g->b, x, g->vector[type], "");
}
