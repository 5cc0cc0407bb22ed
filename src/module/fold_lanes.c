/* module/fold_lanes.c -- arithmetic on the lanes of constants.
 *
 * Float arithmetic is the host's in float and double; half is computed in double and rounded once,
 * which is exact for the four basic operations. Results that the specification leaves undefined
 * (division by zero, shifts past the width) are 0, so that specialising never traps.
 *
 * Spec: SPIR-V, "OpSpecConstantOp".
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/fold_lanes.h"

#include <math.h>

#include "base/half.h"

/* Float arithmetic done in double and rounded once to float is exact for + - * /: double has more
 * than twice the digits. */
static bool float_op(enum HdOpix op, uint32_t bits, uint64_t x, uint64_t y, uint64_t *out)
{
    double a = hd_float_value(x, bits), b = hd_float_value(y, bits), v;

    switch (op) {
    case HD_OPIX_FAdd: v = a + b; break;
    case HD_OPIX_FSub: v = a - b; break;
    case HD_OPIX_FMul: v = a * b; break;
    case HD_OPIX_FDiv: v = a / b; break;
    case HD_OPIX_FRem: v = fmod(a, b); break;
    case HD_OPIX_FMod:
        v = fmod(a, b);
        if (v != 0 && signbit(v) != signbit(b))
            v += b;
        break;
    default: return false;
    }
    *out = hd_float_bits(v, bits);
    return true;
}

/* ---- integers ------------------------------------------------------------------------------ */

static uint64_t shifted(enum HdOpix op, uint32_t bits, uint64_t a, uint64_t b)
{
    if (op == HD_OPIX_ShiftRightArithmetic)
        return (uint64_t)(hd_fold_extended(a, bits) >> (b < bits ? b : bits - 1));
    if (b >= bits)
        return 0;
    return op == HD_OPIX_ShiftLeftLogical ? a << b : a >> b;
}

static uint64_t divided(enum HdOpix op, uint32_t bits, uint64_t a, uint64_t b)
{
    int64_t sa = hd_fold_extended(a, bits), sb = hd_fold_extended(b, bits), rest;

    if (b == 0)
        return 0;
    if (op == HD_OPIX_UDiv)
        return a / b;
    if (op == HD_OPIX_UMod)
        return a % b;
    if (sb == -1) /* the quotient may not fit */
        return op == HD_OPIX_SDiv ? 0 - a : 0;
    rest = sa % sb;
    if (op == HD_OPIX_SDiv)
        return (uint64_t)(sa / sb);
    if (op == HD_OPIX_SMod && rest != 0 && (rest < 0) != (sb < 0))
        rest += sb;
    return (uint64_t)rest;
}

/* An operation on `count` pairs of integers. */
static bool int_ops(enum HdOpix op, uint32_t bits, uint32_t count, const uint64_t *a,
                    const uint64_t *b, uint64_t *out)
{
    uint64_t mask = hd_fold_mask(bits);

    switch (op) {
    case HD_OPIX_IAdd:
        for (uint32_t i = 0; i < count; i++)
            out[i] = a[i] + b[i];
        break;
    case HD_OPIX_ISub:
        for (uint32_t i = 0; i < count; i++)
            out[i] = a[i] - b[i];
        break;
    case HD_OPIX_IMul:
        for (uint32_t i = 0; i < count; i++)
            out[i] = a[i] * b[i];
        break;
    case HD_OPIX_BitwiseOr:
        for (uint32_t i = 0; i < count; i++)
            out[i] = a[i] | b[i];
        break;
    case HD_OPIX_BitwiseXor:
        for (uint32_t i = 0; i < count; i++)
            out[i] = a[i] ^ b[i];
        break;
    case HD_OPIX_BitwiseAnd:
        for (uint32_t i = 0; i < count; i++)
            out[i] = a[i] & b[i];
        break;
    case HD_OPIX_UDiv:
    case HD_OPIX_SDiv:
    case HD_OPIX_UMod:
    case HD_OPIX_SRem:
    case HD_OPIX_SMod:
        for (uint32_t i = 0; i < count; i++)
            out[i] = divided(op, bits, a[i], b[i]);
        break;
    case HD_OPIX_ShiftRightLogical:
    case HD_OPIX_ShiftRightArithmetic:
    case HD_OPIX_ShiftLeftLogical:
        for (uint32_t i = 0; i < count; i++)
            out[i] = shifted(op, bits, a[i], b[i]);
        break;
    default: return false;
    }
    for (uint32_t i = 0; i < count; i++)
        out[i] &= mask;
    return true;
}

static bool compare_op(enum HdOpix op, uint32_t bits, uint64_t a, uint64_t b, uint64_t *out)
{
    int64_t sa = hd_fold_extended(a, bits), sb = hd_fold_extended(b, bits);

    switch (op) {
    case HD_OPIX_IEqual:
    case HD_OPIX_LogicalEqual: *out = a == b; return true;
    case HD_OPIX_INotEqual:
    case HD_OPIX_LogicalNotEqual: *out = a != b; return true;
    case HD_OPIX_LogicalOr: *out = a | b; return true;
    case HD_OPIX_LogicalAnd: *out = a & b; return true;
    case HD_OPIX_ULessThan: *out = a < b; return true;
    case HD_OPIX_SLessThan: *out = sa < sb; return true;
    case HD_OPIX_UGreaterThan: *out = a > b; return true;
    case HD_OPIX_SGreaterThan: *out = sa > sb; return true;
    case HD_OPIX_ULessThanEqual: *out = a <= b; return true;
    case HD_OPIX_SLessThanEqual: *out = sa <= sb; return true;
    case HD_OPIX_UGreaterThanEqual: *out = a >= b; return true;
    case HD_OPIX_SGreaterThanEqual: *out = sa >= sb; return true;
    default: return false;
    }
}

/* ---- conversions and other operations on one value ----------------------------------------- */

static uint64_t float_to_int(double x, uint32_t bits, bool is_signed)
{
    double top = ldexp(1.0, (int)bits - (is_signed ? 1 : 0));

    if (isnan(x))
        return 0;
    x = trunc(x);
    if (is_signed) {
        if (x >= top)
            return hd_fold_mask(bits - 1);
        return x < -top ? (uint64_t)1 << (bits - 1) : (uint64_t)(int64_t)x & hd_fold_mask(bits);
    }
    if (x <= 0)
        return 0;
    return x >= top ? hd_fold_mask(bits) : (uint64_t)x;
}

/* To float, rounded once: 64-bit integers have more digits than double. */
static uint64_t int_to_float(uint64_t v, uint32_t from, bool is_signed, uint32_t bits)
{
    int64_t s = hd_fold_extended(v, from);

    if (bits == 64)
        return hd_float_bits(is_signed ? (double)s : (double)v, 64);
    if (bits == 32) {
        float f = is_signed ? (float)s : (float)v;

        return hd_float_bits((double)f, 32);
    }
    /* Beyond 2^53 every half is infinity, so the inner rounding does not matter. */
    return hd_float_bits(is_signed ? (double)s : (double)v, 16);
}

static uint64_t truncated(double x, uint32_t bits)
{
    return bits == 16   ? hd_half_round(x, HD_ROUND_RTZ)
           : bits == 32 ? hd_f32_bits(hd_float_round(x, HD_ROUND_RTZ))
                        : hd_f64_bits(x);
}

static bool unary_op(enum HdOpix op, const HdType *from, const HdType *to, bool truncates,
                     uint64_t a, uint64_t *out)
{
    uint32_t bits = from->bits;

    switch (op) {
    case HD_OPIX_SNegate: *out = (0 - a) & hd_fold_mask(bits); return true;
    case HD_OPIX_Not: *out = ~a & hd_fold_mask(bits); return true;
    case HD_OPIX_LogicalNot: *out = a == 0; return true;
    case HD_OPIX_FNegate: *out = a ^ ((uint64_t)1 << (bits - 1)); return true;
    case HD_OPIX_UConvert: *out = a & hd_fold_mask(to->bits); return true;
    case HD_OPIX_SConvert:
        *out = (uint64_t)hd_fold_extended(a, bits) & hd_fold_mask(to->bits);
        return true;
    case HD_OPIX_FConvert:
        *out = truncates ? truncated(hd_float_value(a, bits), to->bits)
                         : hd_float_bits(hd_float_value(a, bits), to->bits);
        return true;
    case HD_OPIX_QuantizeToF16:
        *out = hd_float_bits(hd_float_value(hd_float_bits(hd_float_value(a, bits), 16), 16), 32);
        return true;
    case HD_OPIX_ConvertFToS:
        *out = float_to_int(hd_float_value(a, bits), to->bits, true);
        return true;
    case HD_OPIX_ConvertFToU:
        *out = float_to_int(hd_float_value(a, bits), to->bits, false);
        return true;
    case HD_OPIX_ConvertSToF: *out = int_to_float(a, bits, true, to->bits); return true;
    case HD_OPIX_ConvertUToF: *out = int_to_float(a, bits, false, to->bits); return true;
    default: return false;
    }
}

static bool is_kind(const HdType *t, HdTypeKind kind)
{
    return t->kind == kind && (kind != HD_T_FLOAT || t->encoding == 0);
}

/* Do the operand's and the result's kinds of scalar suit a conversion or negation? */
static bool unary_types(enum HdOpix op, const HdType *from, const HdType *to)
{
    switch (op) {
    case HD_OPIX_SNegate:
    case HD_OPIX_Not:
        return is_kind(from, HD_T_INT) && is_kind(to, HD_T_INT) && from->bits == to->bits;
    case HD_OPIX_LogicalNot: return is_kind(from, HD_T_BOOL) && is_kind(to, HD_T_BOOL);
    case HD_OPIX_FNegate: return is_kind(from, HD_T_FLOAT) && from == to;
    case HD_OPIX_UConvert:
    case HD_OPIX_SConvert: return is_kind(from, HD_T_INT) && is_kind(to, HD_T_INT);
    case HD_OPIX_FConvert: return is_kind(from, HD_T_FLOAT) && is_kind(to, HD_T_FLOAT);
    case HD_OPIX_QuantizeToF16: return is_kind(from, HD_T_FLOAT) && from == to && to->bits == 32;
    case HD_OPIX_ConvertFToS:
    case HD_OPIX_ConvertFToU: return is_kind(from, HD_T_FLOAT) && is_kind(to, HD_T_INT);
    case HD_OPIX_ConvertSToF:
    case HD_OPIX_ConvertUToF: return is_kind(from, HD_T_INT) && is_kind(to, HD_T_FLOAT);
    default: return false;
    }
}

bool hd_fold_unary(enum HdOpix op, const HdType *to, bool truncates, const HdFoldLanes *in,
                   HdFoldLanes *out)
{
    if (!unary_types(op, in->scalar, to))
        return false;
    for (uint32_t i = 0; i < in->count; i++)
        if (!unary_op(op, in->scalar, to, truncates, in->at[i], &out->at[i]))
            return false;
    return true;
}

static bool binary_lane(enum HdOpix op, const HdType *from, const HdType *to, uint64_t a,
                        uint64_t b, uint64_t *out)
{
    if (is_kind(to, HD_T_BOOL))
        return (from->kind == HD_T_INT || from->kind == HD_T_BOOL) &&
               compare_op(op, from->kind == HD_T_BOOL ? 1 : from->bits, a, b, out);
    if (from->bits != to->bits)
        return false;
    return is_kind(from, HD_T_FLOAT) && is_kind(to, HD_T_FLOAT) &&
           float_op(op, to->bits, a, b, out);
}

bool hd_fold_binary(enum HdOpix op, const HdType *to, const HdFoldLanes *a, const HdFoldLanes *b,
                    HdFoldLanes *out)
{
    if (is_kind(a->scalar, HD_T_INT) && is_kind(to, HD_T_INT))
        return a->scalar->bits == to->bits &&
               int_ops(op, to->bits, a->count, a->at, b->at, out->at);
    for (uint32_t i = 0; i < a->count; i++)
        if (!binary_lane(op, a->scalar, to, a->at[i], b->at[i], &out->at[i]))
            return false;
    return true;
}
