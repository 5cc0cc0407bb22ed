/* codegen/divide.c -- integer division: of vectors, through floats where that is exact.
 *
 * Processors divide one pair of integers at a time. 32-bit quotients are exact as doubles; 64-bit
 * ones take two steps, each of which leaves a remainder.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/divide.h"

#include "codegen/mathcode.h"
#include "codegen/values.h"

static LLVMValueRef equal(HdGen *g, LLVMValueRef x, LLVMValueRef y)
{
    return LLVMBuildICmp(g->b, LLVMIntEQ, x, y, "");
}

/* x and 1/2 more of its sign, times 1 / y, of doubles: further from a whole number than the
 * product's error, x below 2^32 over y times 2^-50, for every y. */
static LLVMValueRef times_inverse(HdGen *g, bool is_signed, LLVMValueRef x, LLVMValueRef inverse)
{
    LLVMValueRef half = hd_gen_splat(g, LLVMConstReal(g->scalar[HD_IR_F64], 0.5));

    if (is_signed)
        half = hd_gen_two(g, "llvm.copysign", half, x);
    return LLVMBuildFMul(g->b, LLVMBuildFAdd(g->b, x, half, ""), inverse, "");
}

static LLVMValueRef to_float(HdGen *g, bool is_signed, LLVMValueRef x, LLVMTypeRef type)
{
    return is_signed ? LLVMBuildSIToFP(g->b, x, type, "") : LLVMBuildUIToFP(g->b, x, type, "");
}

static LLVMValueRef to_int(HdGen *g, bool is_signed, LLVMValueRef x, LLVMTypeRef type)
{
    return is_signed ? LLVMBuildFPToSI(g->b, x, type, "") : LLVMBuildFPToUI(g->b, x, type, "");
}

/* Narrow integers divide exactly as floats: a quotient's fraction is far above the rounding error.
 */
static LLVMValueRef divide_narrow(HdGen *g, HdIrOp op, LLVMValueRef x, LLVMValueRef y)
{
    LLVMTypeRef type = g->vector[HD_IR_F32];
    bool is_signed = op == HD_IR_SDIV || op == HD_IR_SREM;
    LLVMValueRef a = to_float(g, is_signed, x, type), b = to_float(g, is_signed, y, type), q;

    q = to_int(g, is_signed, LLVMBuildFDiv(g->b, a, b, ""), LLVMTypeOf(x));
    if (op == HD_IR_UDIV || op == HD_IR_SDIV)
        return q;
    return LLVMBuildSub(g->b, x, LLVMBuildMul(g->b, q, y, ""), "");
}

static bool is_vector(LLVMValueRef x)
{
    return LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind;
}

/* A value that all lanes share, or one for each, for each. */
static LLVMValueRef for_lanes(HdGen *g, LLVMValueRef x)
{
    return is_vector(x) ? x : hd_gen_splat(g, x);
}

/* Vectors of 32 bits; a divisor that all lanes share has one inverse. What x does not change stays
 * the same in loops that change x. */
static LLVMValueRef divide_words(HdGen *g, HdIrOp op, LLVMValueRef x, LLVMValueRef y)
{
    LLVMTypeRef fp = is_vector(y) ? g->vector[HD_IR_F64] : g->scalar[HD_IR_F64];
    bool is_signed = op == HD_IR_SDIV || op == HD_IR_SREM;
    LLVMValueRef by_zero = equal(g, y, hd_gen_like(g, y, 0)), minus = NULL, safe, d, q;

    safe = LLVMBuildSelect(g->b, by_zero, hd_gen_like(g, y, 1), y, "");
    if (is_signed) { /* -1 is a special case: the smallest number has no quotient */
        minus = equal(g, y, hd_gen_like(g, y, UINT32_MAX));
        safe = LLVMBuildSelect(g->b, minus, hd_gen_like(g, y, 1), safe, "");
    }
    d = to_float(g, is_signed, safe, fp);
    d = is_vector(y) ? hd_gen_inverse(g, d) : LLVMBuildFDiv(g->b, LLVMConstReal(fp, 1), d, "");
    q = times_inverse(g, is_signed, to_float(g, is_signed, x, g->vector[HD_IR_F64]),
                      for_lanes(g, d));
    q = to_int(g, is_signed, q, LLVMTypeOf(x));
    if (is_signed)
        q = LLVMBuildSelect(g->b, minus, LLVMBuildNeg(g->b, x, ""), q, "");
    if (op == HD_IR_UREM || op == HD_IR_SREM)
        q = LLVMBuildSub(g->b, x, LLVMBuildMul(g->b, q, for_lanes(g, y), ""), "");
    return LLVMBuildSelect(g->b, by_zero, LLVMConstNull(LLVMTypeOf(x)), q, "");
}

/* 1 / y of unsigned numbers, less by 2^-50: the errors of its factors, of a further factor that is
 * rounded to a double and of the product with it (2^-53 each, 2^-52.8 of the lanes' inverse) leave
 * it below the true value, by less than 2^-49. */
static LLVMValueRef inverse_below(HdGen *g, LLVMValueRef y)
{
    LLVMValueRef below = LLVMConstReal(g->scalar[HD_IR_F64], 1 - 0x1p-50);

    if (!is_vector(y))
        return LLVMBuildFDiv(g->b, below, to_float(g, false, y, g->scalar[HD_IR_F64]), "");
    y = to_float(g, false, y, g->vector[HD_IR_F64]);
    return LLVMBuildFMul(g->b, hd_gen_inverse(g, y), hd_gen_splat(g, below), "");
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
    LLVMValueRef size = is_signed ? magnitude(g, y) : y, inverse = inverse_below(g, size), q, sign;

    q = divide_long(g, remainder, is_signed ? magnitude(g, x) : x, for_lanes(g, size),
                    for_lanes(g, inverse));
    if (!is_signed)
        return q;
    sign = remainder ? x : LLVMBuildXor(g->b, x, for_lanes(g, y), "");
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
    if (wide && bits == 32 && !LLVMIsConstant(y))
        return divide_words(g, op, x, y);
    by_zero = guard = equal(g, y, LLVMConstNull(LLVMTypeOf(y)));
    if (is_signed && !by_lanes) {
        LLVMValueRef least = equal(g, x, hd_gen_like(g, x, UINT64_C(1) << (bits - 1)));
        LLVMValueRef minus = equal(g, y, hd_gen_like(g, y, UINT64_MAX));

        guard = LLVMBuildOr(g->b, guard, LLVMBuildAnd(g->b, least, minus, ""), "");
    }
    safe = LLVMBuildSelect(g->b, guard, hd_gen_like(g, y, 1), y, "");
    if (by_lanes)
        q = divide_lanes(g, op, x, safe);
    else if (wide && bits < 32 && !LLVMIsConstant(y))
        q = divide_narrow(g, op, x, safe);
    else
        switch (op) {
        case HD_IR_UDIV: q = LLVMBuildUDiv(g->b, x, safe, ""); break;
        case HD_IR_SDIV: q = LLVMBuildSDiv(g->b, x, safe, ""); break;
        case HD_IR_UREM: q = LLVMBuildURem(g->b, x, safe, ""); break;
        default: q = LLVMBuildSRem(g->b, x, safe, ""); break;
        }
    return LLVMBuildSelect(g->b, by_zero, LLVMConstNull(LLVMTypeOf(x)), q, "");
}
