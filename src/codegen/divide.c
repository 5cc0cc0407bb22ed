/* codegen/divide.c -- integer division: of vectors, through floats where that is exact.
 *
 * Processors divide one pair of integers at a time. 32-bit quotients are exact as doubles; 64-bit
 * ones take two steps, each of which leaves a remainder.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/divide.h"

#include "codegen/values.h"

static LLVMValueRef equal(HdGen *g, LLVMValueRef x, LLVMValueRef y)
{
    return LLVMBuildICmp(g->b, LLVMIntEQ, x, y, "");
}

/* Narrow integers divide exactly as floats: a quotient's fraction is far above the rounding error.
 */
static LLVMValueRef divide_as_floats(HdGen *g, HdIrOp op, unsigned bits, LLVMValueRef x,
                                     LLVMValueRef y)
{
    LLVMTypeRef fp = bits == 32 ? LLVMDoubleTypeInContext(g->c) : LLVMFloatTypeInContext(g->c);
    LLVMTypeRef type = LLVMVectorType(fp, g->width), back = LLVMTypeOf(x);
    bool is_signed = op == HD_IR_SDIV || op == HD_IR_SREM;
    LLVMValueRef a, b, q;

    if (is_signed) {
        a = LLVMBuildSIToFP(g->b, x, type, "");
        b = LLVMBuildSIToFP(g->b, y, type, "");
        q = LLVMBuildFPToSI(g->b, LLVMBuildFDiv(g->b, a, b, ""), back, "");
    } else {
        a = LLVMBuildUIToFP(g->b, x, type, "");
        b = LLVMBuildUIToFP(g->b, y, type, "");
        q = LLVMBuildFPToUI(g->b, LLVMBuildFDiv(g->b, a, b, ""), back, "");
    }
    if (op == HD_IR_UDIV || op == HD_IR_SDIV)
        return q;
    return LLVMBuildSub(g->b, x, LLVMBuildMul(g->b, q, y, ""), "");
}

/* By a divisor that all lanes share, through its reciprocal: (x + 1/2) / y is further from a whole
 * number than the product's error, x below 2^32 over y times 2^-51, for every y. */
static LLVMValueRef divide_by_one(HdGen *g, HdIrOp op, LLVMValueRef x, LLVMValueRef y)
{
    LLVMTypeRef fp = g->scalar[HD_IR_F64], type = LLVMVectorType(fp, g->width);
    bool is_signed = op == HD_IR_SDIV || op == HD_IR_SREM;
    LLVMValueRef one = LLVMConstInt(g->i32, 1, 0), none = LLVMConstNull(g->i32), by_zero, minus, q;
    LLVMValueRef half = hd_gen_splat(g, LLVMConstReal(fp, 0.5)), safe, whole, d;

    by_zero = LLVMBuildICmp(g->b, LLVMIntEQ, y, none, "");
    minus = LLVMBuildICmp(g->b, LLVMIntEQ, y, LLVMConstAllOnes(g->i32), "");
    safe = LLVMBuildSelect(g->b, by_zero, one, y, "");
    if (is_signed) { /* -1 is a special case: the smallest number has no quotient */
        safe = LLVMBuildSelect(g->b, minus, one, safe, "");
        whole = LLVMBuildSIToFP(g->b, x, type, "");
        half = hd_gen_two(g, "llvm.copysign", half, whole);
        d = LLVMBuildSIToFP(g->b, safe, fp, "");
    } else {
        whole = LLVMBuildUIToFP(g->b, x, type, "");
        d = LLVMBuildUIToFP(g->b, safe, fp, "");
    }
    d = hd_gen_splat(g, LLVMBuildFDiv(g->b, LLVMConstReal(fp, 1), d, ""));
    q = LLVMBuildFMul(g->b, LLVMBuildFAdd(g->b, whole, half, ""), d, "");
    q = is_signed ? LLVMBuildFPToSI(g->b, q, LLVMTypeOf(x), "")
                  : LLVMBuildFPToUI(g->b, q, LLVMTypeOf(x), "");
    if (is_signed)
        q = LLVMBuildSelect(g->b, minus, LLVMBuildNeg(g->b, x, ""), q, "");
    if (op == HD_IR_UREM || op == HD_IR_SREM)
        q = LLVMBuildSub(g->b, x, LLVMBuildMul(g->b, q, hd_gen_splat(g, y), ""), "");
    return LLVMBuildSelect(g->b, by_zero, LLVMConstNull(LLVMTypeOf(x)), q, "");
}

/* 1 / y of unsigned numbers, a little less: its relative error is below 2^-50, and with that of a
 * factor that is rounded to a double (2^-53) and of the product it is never above the true value.
 */
static LLVMValueRef inverse_below(HdGen *g, LLVMValueRef y)
{
    bool is_vector = LLVMGetTypeKind(LLVMTypeOf(y)) == LLVMVectorTypeKind;
    LLVMTypeRef type = is_vector ? g->vector[HD_IR_F64] : g->scalar[HD_IR_F64];
    LLVMValueRef below = LLVMConstReal(type, 1 - 0x1p-50);

    return LLVMBuildFDiv(g->b, below, LLVMBuildUIToFP(g->b, y, type, ""), "");
}

/* A part of x / y: never more than the quotient. Takes its multiple of y from *rest. */
static LLVMValueRef partial_quotient(HdGen *g, LLVMValueRef *rest, LLVMValueRef y,
                                     LLVMValueRef inverse)
{
    LLVMValueRef q = LLVMBuildUIToFP(g->b, *rest, g->vector[HD_IR_F64], "");

    q = LLVMBuildFPToUI(g->b, LLVMBuildFMul(g->b, q, inverse, ""), LLVMTypeOf(y), "");
    *rest = LLVMBuildSub(g->b, *rest, LLVMBuildMul(g->b, q, y, ""), "");
    return q;
}

/* x / y or the remainder, of vectors of unsigned 64-bit numbers. After the first step the remainder
 * is below y + x 2^-49, after the second below 2 y. */
static LLVMValueRef divide_long(HdGen *g, bool remainder, LLVMValueRef x, LLVMValueRef y,
                                LLVMValueRef inverse)
{
    LLVMValueRef rest = x, q = partial_quotient(g, &rest, y, inverse), more;

    q = LLVMBuildAdd(g->b, q, partial_quotient(g, &rest, y, inverse), "");
    more = LLVMBuildICmp(g->b, LLVMIntUGE, rest, y, "");
    if (remainder)
        return LLVMBuildSelect(g->b, more, LLVMBuildSub(g->b, rest, y, ""), rest, "");
    return LLVMBuildAdd(g->b, q, LLVMBuildZExt(g->b, more, LLVMTypeOf(x), ""), "");
}

static LLVMValueRef magnitude(HdGen *g, LLVMValueRef x)
{
    LLVMTypeRef over = LLVMTypeOf(x);
    LLVMValueRef args[2] = {x, LLVMConstInt(g->i1, 0, 0)};

    return hd_gen_intrinsic(g, "llvm.abs", &over, 1, args, 2);
}

/* Vectors of 64 bits; y is not 0. A divisor that all lanes share has one inverse. */
static LLVMValueRef divide_lanes(HdGen *g, HdIrOp op, LLVMValueRef x, LLVMValueRef y)
{
    bool is_signed = op == HD_IR_SDIV || op == HD_IR_SREM;
    bool remainder = op == HD_IR_UREM || op == HD_IR_SREM;
    bool shared = LLVMGetTypeKind(LLVMTypeOf(y)) != LLVMVectorTypeKind;
    LLVMValueRef size = is_signed ? magnitude(g, y) : y, inverse = inverse_below(g, size), q, sign;

    size = shared ? hd_gen_splat(g, size) : size;
    inverse = shared ? hd_gen_splat(g, inverse) : inverse;
    q = divide_long(g, remainder, is_signed ? magnitude(g, x) : x, size, inverse);
    if (!is_signed)
        return q;
    y = shared ? hd_gen_splat(g, y) : y;
    sign = remainder ? x : LLVMBuildXor(g->b, x, y, "");
    sign = LLVMBuildICmp(g->b, LLVMIntSLT, sign, LLVMConstNull(LLVMTypeOf(x)), "");
    return LLVMBuildSelect(g->b, sign, LLVMBuildNeg(g->b, q, ""), q, "");
}

LLVMValueRef hd_gen_divide(HdGen *g, HdIrRef r, HdIrOp op, bool wide, LLVMValueRef x,
                           LLVMValueRef y)
{
    HdIrRef divisor = hd_ir_arg(g->f, r, 1);
    unsigned bits = hd_ir_type_bits((HdIrType)g->f->insts.at[r].type);
    bool is_signed = op == HD_IR_SDIV || op == HD_IR_SREM;
    bool by_lanes = wide && bits == 64 && g->has_avx512;
    LLVMValueRef by_zero, guard, safe, q;

    if (wide && (bits == 32 || by_lanes) && !LLVMIsConstant(y) &&
        g->f->insts.at[divisor].shape == HD_SHAPE_UNIFORM)
        y = hd_gen_s(g, divisor);
    if (wide && bits == 32 && LLVMTypeOf(y) == g->i32)
        return divide_by_one(g, op, x, y);
    by_zero = guard = equal(g, y, LLVMConstNull(LLVMTypeOf(y)));
    if (is_signed && !by_lanes) {
        LLVMValueRef least = equal(g, x, hd_gen_like(g, x, UINT64_C(1) << (bits - 1)));
        LLVMValueRef minus = equal(g, y, hd_gen_like(g, y, UINT64_MAX));

        guard = LLVMBuildOr(g->b, guard, LLVMBuildAnd(g->b, least, minus, ""), "");
    }
    safe = LLVMBuildSelect(g->b, guard, hd_gen_like(g, y, 1), y, "");
    if (by_lanes)
        q = divide_lanes(g, op, x, safe);
    else if (wide && bits <= 32 && !LLVMIsConstant(y))
        q = divide_as_floats(g, op, bits, x, safe);
    else
        switch (op) {
        case HD_IR_UDIV: q = LLVMBuildUDiv(g->b, x, safe, ""); break;
        case HD_IR_SDIV: q = LLVMBuildSDiv(g->b, x, safe, ""); break;
        case HD_IR_UREM: q = LLVMBuildURem(g->b, x, safe, ""); break;
        default: q = LLVMBuildSRem(g->b, x, safe, ""); break;
        }
    return LLVMBuildSelect(g->b, by_zero, LLVMConstNull(LLVMTypeOf(x)), q, "");
}
