/* codegen/half.c -- arithmetic of halves for processors that only convert them, and fused
 * multiply-adds for those that have none.
 *
 * LLVM does +, -, *, / and sqrt in float, which rounds right as float has more than twice a half's
 * digits; for the rest it would call a library for each lane. What is rounded twice here is rounded
 * to odd first: an inexact float gets an odd last bit, so that it is never halfway between two
 * halves, nor one of them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/gen.h"

/* The type of x's shape with other elements. */
static LLVMTypeRef shaped(const HdGen *g, LLVMValueRef x, HdIrType t)
{
    bool wide = LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind;

    return wide ? g->vector[t] : g->scalar[t];
}

static LLVMTypeRef element_of(LLVMValueRef x)
{
    LLVMTypeRef t = LLVMTypeOf(x);

    return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetElementType(t) : t;
}

static LLVMValueRef whole(HdGen *g, LLVMValueRef like, uint64_t bits)
{
    LLVMValueRef c = LLVMConstInt(element_of(like), bits, false);

    return LLVMGetTypeKind(LLVMTypeOf(like)) == LLVMVectorTypeKind ? hd_gen_splat(g, c) : c;
}

/* Of floats or doubles. */
static LLVMValueRef bits_of(HdGen *g, LLVMValueRef x)
{
    bool is_double = LLVMGetTypeKind(element_of(x)) == LLVMDoubleTypeKind;

    return LLVMBuildBitCast(g->b, x, shaped(g, x, is_double ? HD_IR_I64 : HD_IR_I32), "");
}

static LLVMValueRef to_half(HdGen *g, LLVMValueRef x)
{
    return LLVMBuildFPTrunc(g->b, x, shaped(g, x, HD_IR_F16), "");
}

/* Towards zero, then odd: infinities and NaNs are exact, what overflows ends below infinity. */
LLVMValueRef hd_gen_half_from_double(HdGen *g, LLVMValueRef x)
{
    LLVMTypeRef f64 = LLVMTypeOf(x);
    LLVMValueRef near, back, bits, lower, odd, more;

    if (g->has_fp16)
        return to_half(g, x);
    near = LLVMBuildFPTrunc(g->b, x, shaped(g, x, HD_IR_F32), "");
    back = LLVMBuildFPExt(g->b, near, f64, "");
    bits = bits_of(g, near);
    more = LLVMBuildFCmp(g->b, LLVMRealOGT, hd_gen_intrinsic(g, "llvm.fabs", &f64, 1, &back, 1),
                         hd_gen_intrinsic(g, "llvm.fabs", &f64, 1, &x, 1), "");
    lower = LLVMBuildSub(g->b, bits, whole(g, bits, 1), "");
    odd = LLVMBuildOr(g->b, LLVMBuildSelect(g->b, more, lower, bits, ""), whole(g, bits, 1), "");
    bits = LLVMBuildSelect(g->b, LLVMBuildFCmp(g->b, LLVMRealONE, back, x, ""), odd, bits, "");
    return to_half(g, LLVMBuildBitCast(g->b, bits, LLVMTypeOf(near), ""));
}

/* Of halves by floats, of floats by doubles: the product is exact there, the sum is one number and
 * the error of its rounding (two-sum). */
static LLVMValueRef fma_by_wider(HdGen *g, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z)
{
    LLVMValueRef args[3] = {x, y, z}, p, s, back, error, bits, wrong, step, odd;
    bool is_half = LLVMGetTypeKind(element_of(x)) == LLVMHalfTypeKind;
    LLVMTypeRef type = LLVMTypeOf(x), wider = shaped(g, x, is_half ? HD_IR_F32 : HD_IR_F64);

    for (unsigned i = 0; i < 3; i++)
        args[i] = LLVMBuildFPExt(g->b, args[i], wider, "");
    z = args[2];
    p = LLVMBuildFMul(g->b, args[0], args[1], "");
    s = LLVMBuildFAdd(g->b, p, z, "");
    back = LLVMBuildFSub(g->b, s, p, "");
    error = LLVMBuildFSub(g->b, p, LLVMBuildFSub(g->b, s, back, ""), "");
    error = LLVMBuildFAdd(g->b, error, LLVMBuildFSub(g->b, z, back, ""), "");
    /* One step away from zero when the error has the sum's sign, one towards it otherwise. */
    bits = bits_of(g, s);
    step = LLVMBuildXor(g->b, bits, bits_of(g, error), "");
    step = LLVMBuildAShr(g->b, step, whole(g, bits, is_half ? 31 : 63), "");
    step = LLVMBuildOr(g->b, step, whole(g, bits, 1), "");
    odd = LLVMBuildAnd(g->b, bits, whole(g, bits, 1), "");
    wrong = LLVMBuildAnd(g->b, LLVMBuildICmp(g->b, LLVMIntEQ, odd, whole(g, bits, 0), ""),
                         LLVMBuildFCmp(g->b, LLVMRealONE, error, LLVMConstNull(wider), ""), "");
    bits = LLVMBuildSelect(g->b, wrong, LLVMBuildAdd(g->b, bits, step, ""), bits, "");
    return LLVMBuildFPTrunc(g->b, LLVMBuildBitCast(g->b, bits, wider, ""), type, "");
}

LLVMValueRef hd_gen_fma(HdGen *g, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z)
{
    LLVMValueRef args[3] = {x, y, z};
    LLVMTypeRef type = LLVMTypeOf(x);
    LLVMTypeKind kind = LLVMGetTypeKind(element_of(x));

    if (kind == LLVMHalfTypeKind ? !g->has_fp16 : kind == LLVMFloatTypeKind && !g->has_fma)
        return fma_by_wider(g, x, y, z);
    return hd_gen_intrinsic(g, "llvm.fma", &type, 1, args, 3);
}
