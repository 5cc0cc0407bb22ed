/* codegen/half.c -- arithmetic of halves for processors that only convert them, and fused
 * multiply-adds for those that have none.
 *
 * LLVM does +, -, *, / and sqrt in float, which rounds right as float has more than twice a half's
 * digits; for the rest it would call a library for each lane. What is rounded twice here is rounded
 * to odd first: an inexact float gets an odd last bit, so that it is never halfway between two
 * halves, nor one of them. With AVX-512 an instruction may round down, up and towards zero, which
 * tells that bit; without, the error of a sum does.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/half.h"

#include "codegen/access.h"
#include "codegen/values.h"

/* The type of x's shape with other elements. */
static LLVMTypeRef shaped(const HdGen *g, LLVMValueRef x, HdIrType t)
{
    LLVMTypeRef type = LLVMTypeOf(x);

    return LLVMGetTypeKind(type) == LLVMVectorTypeKind
               ? LLVMVectorType(g->scalar[t], LLVMGetVectorSize(type))
               : g->scalar[t];
}

static LLVMTypeRef element_of(LLVMValueRef x)
{
    LLVMTypeRef t = LLVMTypeOf(x);

    return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetElementType(t) : t;
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
    lower = LLVMBuildSub(g->b, bits, hd_gen_like(g, bits, 1), "");
    odd = LLVMBuildOr(g->b, LLVMBuildSelect(g->b, more, lower, bits, ""), hd_gen_like(g, bits, 1),
                      "");
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
    step = LLVMBuildAShr(g->b, step, hd_gen_like(g, bits, is_half ? 31 : 63), "");
    step = LLVMBuildOr(g->b, step, hd_gen_like(g, bits, 1), "");
    odd = LLVMBuildAnd(g->b, bits, hd_gen_like(g, bits, 1), "");
    wrong = LLVMBuildAnd(g->b, LLVMBuildICmp(g->b, LLVMIntEQ, odd, hd_gen_like(g, bits, 0), ""),
                         LLVMBuildFCmp(g->b, LLVMRealONE, error, LLVMConstNull(wider), ""), "");
    bits = LLVMBuildSelect(g->b, wrong, LLVMBuildAdd(g->b, bits, step, ""), bits, "");
    return LLVMBuildFPTrunc(g->b, LLVMBuildBitCast(g->b, bits, wider, ""), type, "");
}

/* ---- with a rounding of its own in each instruction ---- */

#define LANES_512 16u
#define DOWN      9u /* without exceptions */
#define UP        10u
#define TO_ZERO   11u

/* The bits of x * y + z, of floats: one or sixteen. */
static LLVMValueRef rounded(HdGen *g, const LLVMValueRef *x, unsigned rounding)
{
    bool is_vector = LLVMGetTypeKind(LLVMTypeOf(x[0])) == LLVMVectorTypeKind;
    LLVMValueRef args[4] = {x[0], x[1], x[2], hd_gen_u32(g, rounding)}, sum;

    sum = hd_gen_intrinsic(
        g, is_vector ? "llvm.x86.avx512.vfmadd.ps.512" : "llvm.x86.avx512.vfmadd.f32", NULL, 0,
        args, 4);
    return LLVMBuildBitCast(g->b, sum, is_vector ? LLVMVectorType(g->i32, LANES_512) : g->i32, "");
}

static LLVMValueRef ones(HdGen *g, LLVMValueRef like)
{
    LLVMValueRef one = hd_gen_u32(g, 1);

    return LLVMTypeOf(like) == g->i32 ? one : hd_gen_splat_of(g, one, LANES_512);
}

/* Rounded to odd: towards zero, with the last bit of either neighbour, which is that of the sum if
 * it is a float itself. */
static LLVMValueRef odd_fma(HdGen *g, const LLVMValueRef *x)
{
    LLVMValueRef down = rounded(g, x, DOWN), up = rounded(g, x, UP), zero = rounded(g, x, TO_ZERO);

    up = LLVMBuildOr(g->b, down, up, "");
    up = LLVMBuildAnd(g->b, up, ones(g, up), "");
    return LLVMBuildBitCast(g->b, LLVMBuildOr(g->b, zero, up, ""), LLVMTypeOf(x[0]), "");
}

static LLVMValueRef lengthened(HdGen *g, LLVMValueRef x, unsigned n)
{
    LLVMValueRef pick[LANES_512];

    for (unsigned i = 0; i < LANES_512; i++)
        pick[i] = hd_gen_u32(g, i < n ? i : n);
    return LLVMBuildShuffleVector(g->b, x, LLVMGetPoison(LLVMTypeOf(x)),
                                  LLVMConstVector(pick, LANES_512), "");
}

/* Of n floats: sixteen, fewer, or twice as many. */
static LLVMValueRef odd_fma_of(HdGen *g, const LLVMValueRef *x, unsigned n)
{
    LLVMValueRef part[2][3];

    if (n == 1 || n == LANES_512)
        return odd_fma(g, x);
    if (n < LANES_512) {
        for (unsigned k = 0; k < 3; k++)
            part[0][k] = lengthened(g, x[k], n);
        return hd_gen_lanes_of(g, odd_fma(g, part[0]), 0, n);
    }
    for (unsigned k = 0; k < 3; k++) {
        part[0][k] = hd_gen_lanes_of(g, x[k], 0, n / 2);
        part[1][k] = hd_gen_lanes_of(g, x[k], n / 2, n / 2);
    }
    return hd_gen_joined(g, odd_fma_of(g, part[0], n / 2), odd_fma_of(g, part[1], n / 2));
}

/* Of halves, whose product is exact in float. */
static LLVMValueRef fma_by_directions(HdGen *g, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z)
{
    LLVMTypeRef type = LLVMTypeOf(x), floats = shaped(g, x, HD_IR_F32);
    LLVMValueRef wide[3] = {LLVMBuildFPExt(g->b, x, floats, ""),
                            LLVMBuildFPExt(g->b, y, floats, ""),
                            LLVMBuildFPExt(g->b, z, floats, "")};

    unsigned n = type == g->scalar[HD_IR_F16] ? 1 : LLVMGetVectorSize(type);

    return LLVMBuildFPTrunc(g->b, odd_fma_of(g, wide, n), type, "");
}

LLVMValueRef hd_gen_fma(HdGen *g, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z)
{
    LLVMValueRef args[3] = {x, y, z};
    LLVMTypeRef type = LLVMTypeOf(x);
    LLVMTypeKind kind = LLVMGetTypeKind(element_of(x));

    if (kind == LLVMHalfTypeKind && !g->has_fp16)
        return g->has_avx512 ? fma_by_directions(g, x, y, z) : fma_by_wider(g, x, y, z);
    if (kind == LLVMFloatTypeKind && !g->has_fma)
        return fma_by_wider(g, x, y, z);
    return hd_gen_intrinsic(g, "llvm.fma", &type, 1, args, 3);
}
