/* ops/float/rounded_build.c -- quotients and square roots in a rounding mode, to lane IR.
 *
 * Halfs are computed as floats, floats as doubles, to nearest: those have more than twice as many
 * bits, so no result that needs more bits than the narrow type has becomes one that does not, and
 * converting it in the mode rounds as if it were exact. A double is rounded to nearest, and
 * replaced by its neighbour where it lies on the other side of the exact result; the side follows
 * from what remains when the product is taken away, which one FMA gives exactly as numbers are
 * scaled first.
 *
 * Spec: SPV_INTEL_rounded_divide_sqrt.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/float/rounded_build.h"

#include "module/decoration.h"
#include "rt/math/convert.h"

#define FRACTION UINT64_C(0x000fffffffffffff)
#define ONE      UINT64_C(0x3ff0000000000000)
#define LEAST    UINT64_C(0x0010000000000000) /* that is normal */
#define TWO_54   UINT64_C(0x4350000000000000)
#define INFINITE UINT64_C(0x7ff0000000000000)
#define BIAS     1023u

static HdIrRef whole(HdBuild *b, uint64_t x)
{
    return hd_build_const(b, HD_IR_I64, x);
}

static HdIrRef real(HdBuild *b, uint64_t bits)
{
    return hd_build_const(b, HD_IR_F64, bits);
}

static HdIrRef int2(HdBuild *b, HdIrOp op, HdIrRef x, HdIrRef y)
{
    return hd_build_op2(b, op, HD_IR_I64, x, y);
}

static HdIrRef real2(HdBuild *b, HdIrOp op, HdIrRef x, HdIrRef y)
{
    return hd_build_op2(b, op, HD_IR_F64, x, y);
}

static HdIrRef both(HdBuild *b, HdIrRef x, HdIrRef y)
{
    return hd_build_op2(b, HD_IR_AND, HD_IR_BOOL, x, y);
}

/* A number that is neither 0 nor infinite, without sign: mantissa in [1, 2), biased exponent. */
typedef struct Parts {
    HdIrRef mantissa, exponent;
} Parts;

static Parts parts_of(HdBuild *b, HdIrRef x)
{
    HdIrRef is_small = hd_build_fcmp(b, HD_IR_OLT, x, real(b, LEAST));
    HdIrRef raised = real2(b, HD_IR_FMUL, x, real(b, TWO_54));
    HdIrRef bits =
        hd_build_bitcast(b, hd_build_select(b, HD_IR_F64, is_small, raised, x), HD_IR_I64);
    HdIrRef fraction = int2(b, HD_IR_AND, bits, whole(b, FRACTION));
    Parts p;

    p.mantissa = hd_build_bitcast(b, int2(b, HD_IR_OR, fraction, whole(b, ONE)), HD_IR_F64);
    p.exponent = int2(b, HD_IR_SUB, int2(b, HD_IR_LSHR, bits, whole(b, 52)),
                      hd_build_from_bool(b, is_small, HD_IR_I64, 54));
    return p;
}

/* x * 2^exponent, the biased exponent of a normal number. */
static HdIrRef scaled(HdBuild *b, HdIrRef x, HdIrRef exponent)
{
    HdIrRef power = hd_build_bitcast(b, int2(b, HD_IR_SHL, exponent, whole(b, 52)), HD_IR_F64);

    return real2(b, HD_IR_FMUL, x, power);
}

/* a - x * y */
static HdIrRef remainder_of(HdBuild *b, HdIrRef a, HdIrRef x, HdIrRef y)
{
    return hd_build_op3(b, HD_IR_FMA, HD_IR_F64, hd_build_op1(b, HD_IR_FNEG, HD_IR_F64, x), y, a);
}

/* A result rounded to nearest, moved where the mode wants the neighbour.
 *   rest  the exact result minus this one, or something of that sign, both without their signs
 *   is    whether there is anything to move */
static HdIrRef moved(HdBuild *b, unsigned round, HdIrRef result, HdIrRef rest, HdIrRef is)
{
    HdIrRef bits = hd_build_bitcast(b, result, HD_IR_I64), zero = whole(b, 0);
    HdIrRef is_less = both(b, is, hd_build_fcmp(b, HD_IR_OGT, rest, real(b, 0)));
    HdIrRef is_more = both(b, is, hd_build_fcmp(b, HD_IR_OLT, rest, real(b, 0)));
    HdIrRef up = hd_build_from_bool(b, is_less, HD_IR_I64, 1);
    HdIrRef down = hd_build_from_bool(b, is_more, HD_IR_I64, UINT64_MAX), by = down;

    if (round != HD_ROUND_RTZ) {
        HdIrRef is_negative = hd_build_icmp(b, HD_IR_SLT, bits, zero);

        by = round == HD_ROUND_RTP ? hd_build_select(b, HD_IR_I64, is_negative, down, up)
                                   : hd_build_select(b, HD_IR_I64, is_negative, up, down);
    }
    return hd_build_bitcast(b, int2(b, HD_IR_ADD, bits, by), HD_IR_F64);
}

static HdIrRef divide_doubles(HdBuild *b, unsigned round, HdIrRef x, HdIrRef y)
{
    HdIrRef q = real2(b, HD_IR_FDIV, x, y), size[3], d, rest, is = 0, inside;
    const HdIrRef numbers[3] = {x, y, q};
    Parts p[3];

    for (unsigned i = 0; i < 3; i++) {
        size[i] = hd_build_op1(b, HD_IR_FABS, HD_IR_F64, numbers[i]);
        p[i] = parts_of(b, size[i]);
    }
    for (unsigned i = 0; i < 2; i++) {
        inside = both(b, hd_build_fcmp(b, HD_IR_OLT, size[i], real(b, INFINITE)),
                      hd_build_fcmp(b, HD_IR_OGT, size[i], real(b, 0)));
        is = i == 0 ? inside : both(b, is, inside);
    }
    d = int2(b, HD_IR_SUB, p[0].exponent, int2(b, HD_IR_ADD, p[1].exponent, p[2].exponent));
    d = int2(b, HD_IR_ADD, d, whole(b, 2 * BIAS));
    rest = remainder_of(b, scaled(b, p[0].mantissa, d), p[2].mantissa, p[1].mantissa);
    /* 0 is less, and infinity more, than any quotient that became one of them. */
    rest = hd_build_select(b, HD_IR_F64, hd_build_fcmp(b, HD_IR_OEQ, q, real(b, 0)), real(b, ONE),
                           rest);
    rest = hd_build_select(b, HD_IR_F64, hd_build_fcmp(b, HD_IR_OEQ, size[2], real(b, INFINITE)),
                           real(b, ONE | UINT64_C(1) << 63), rest);
    return moved(b, round, q, rest, is);
}

static HdIrRef sqrt_of_double(HdBuild *b, unsigned round, HdIrRef x)
{
    HdIrRef root = hd_build_op1(b, HD_IR_FSQRT, HD_IR_F64, x), exponent, odd, half, scaled_root;
    HdIrRef is = both(b, hd_build_fcmp(b, HD_IR_OGT, x, real(b, 0)),
                      hd_build_fcmp(b, HD_IR_OLT, x, real(b, INFINITE)));
    Parts p = parts_of(b, x), r = parts_of(b, root);

    /* x = m * 2^(2 * half), 1 <= m < 4; exponents from here on without the bias */
    exponent = int2(b, HD_IR_SUB, p.exponent, whole(b, BIAS));
    odd = int2(b, HD_IR_AND, exponent, whole(b, 1));
    half = int2(b, HD_IR_ASHR, exponent, whole(b, 1));
    scaled_root = scaled(b, r.mantissa, int2(b, HD_IR_SUB, r.exponent, half));
    return moved(b, round, root,
                 remainder_of(b, scaled(b, p.mantissa, int2(b, HD_IR_ADD, odd, whole(b, BIAS))),
                              scaled_root, scaled_root),
                 is);
}

static HdIrRef narrowed(HdBuild *b, unsigned round, HdIrRef x, HdIrType to)
{
    HdNumKind from_kind = to == HD_IR_F16 ? HD_NUM_F32 : HD_NUM_F64;
    HdNumKind to_kind = to == HD_IR_F16 ? HD_NUM_F16 : HD_NUM_F32;

    return hd_ir_emit_sub(b->fn, b->block, HD_IR_CONVERT, to,
                          HD_IR_CONVERT(from_kind, to_kind, round), 0, &x, 1);
}

HdStatus hd_build_rounding(HdBuild *b, const HdInst *in, unsigned *round)
{
    static const unsigned modes[] = {[SpvFPRoundingModeRTE] = HD_ROUND_RTE,
                                     [SpvFPRoundingModeRTZ] = HD_ROUND_RTZ,
                                     [SpvFPRoundingModeRTP] = HD_ROUND_RTP,
                                     [SpvFPRoundingModeRTN] = HD_ROUND_RTN};
    const HdDecoration *d = hd_module_decoration(b->m, in->w[2], SpvDecorationFPRoundingMode);

    if (d == NULL)
        return HD_OK;
    if (d->operand_count < 1 || hd_decoration_value(b->m, d) >= sizeof modes / sizeof *modes)
        return hd_build_bad(b, in, "unknown rounding mode");
    *round = modes[hd_decoration_value(b->m, d)];
    return HD_OK;
}

bool hd_build_is_rounded(const HdBuild *b, const HdInst *in)
{
    return hd_module_decoration(b->m, in->w[2], SpvDecorationFPRoundingMode) != NULL;
}

HdIrRef hd_build_rounded_divide(HdBuild *b, unsigned round, HdIrRef x, HdIrRef y)
{
    HdIrType t = hd_build_type_at(b, x), wide = t == HD_IR_F16 ? HD_IR_F32 : HD_IR_F64;

    if (round == HD_ROUND_RTE)
        return hd_build_op2(b, HD_IR_FDIV, t, x, y);
    if (t == HD_IR_F64)
        return divide_doubles(b, round, x, y);
    x = hd_build_op1(b, HD_IR_FPEXT, wide, x);
    y = hd_build_op1(b, HD_IR_FPEXT, wide, y);
    return narrowed(b, round, hd_build_op2(b, HD_IR_FDIV, wide, x, y), t);
}

HdIrRef hd_build_rounded_sqrt(HdBuild *b, unsigned round, HdIrRef x)
{
    HdIrType t = hd_build_type_at(b, x), wide = t == HD_IR_F16 ? HD_IR_F32 : HD_IR_F64;

    if (round == HD_ROUND_RTE)
        return hd_build_op1(b, HD_IR_FSQRT, t, x);
    if (t == HD_IR_F64)
        return sqrt_of_double(b, round, x);
    x = hd_build_op1(b, HD_IR_FPEXT, wide, x);
    return narrowed(b, round, hd_build_op1(b, HD_IR_FSQRT, wide, x), t);
}
