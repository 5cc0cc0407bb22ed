/* ops/float/rounded_build.c -- arithmetic in a rounding mode, to lane IR.
 *
 * Operations of lane IR round to nearest. Quotients, roots and products of halfs are computed as
 * floats, those of floats as doubles: these have more than twice as many bits, so no result that
 * needs more bits than the narrow type has becomes one that does not, and converting it in the mode
 * rounds as if it were exact. A double is replaced by its neighbour where it lies on the other side
 * of the exact result; the side follows from what remains when the product is taken away, which one
 * FMA gives exactly as numbers are scaled first. The error of a sum is a number of its type.
 *
 * Truncating twice is truncating once, so that a result towards zero may be cut to a narrow type.
 *
 * Spec: SPV_INTEL_rounded_divide_sqrt; SPV_KHR_float_controls, "RoundingModeRTZ".
 * Boldo, Muller, "Exact and Approximated Error of the FMA" (2011).
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

/* A product or quotient of x and y. */
typedef struct Ratio {
    Parts x, y, result; /* without signs */
    HdIrRef size;       /* of the result */
    HdIrRef is;         /* x and y are finite and not 0 */
} Ratio;

static HdIrRef size_of(HdBuild *b, HdIrRef x)
{
    return hd_build_op1(b, HD_IR_FABS, hd_build_type_at(b, x), x);
}

/* Is a size that of a number which is finite and not 0? */
static HdIrRef is_inside(HdBuild *b, HdIrRef size)
{
    return both(b, hd_build_fcmp(b, HD_IR_OLT, size, real(b, INFINITE)),
                hd_build_fcmp(b, HD_IR_OGT, size, real(b, 0)));
}

static Ratio ratio_of(HdBuild *b, HdIrRef x, HdIrRef y, HdIrRef result)
{
    HdIrRef sizes[2] = {size_of(b, x), size_of(b, y)};
    Ratio r = {.size = size_of(b, result)};

    r.x = parts_of(b, sizes[0]);
    r.y = parts_of(b, sizes[1]);
    r.result = parts_of(b, r.size);
    r.is = both(b, is_inside(b, sizes[0]), is_inside(b, sizes[1]));
    return r;
}

/* 0 is less, and infinity more, than any result that became one of them. */
static HdIrRef rest_of(HdBuild *b, const Ratio *r, HdIrRef rest)
{
    rest = hd_build_select(b, HD_IR_F64, hd_build_fcmp(b, HD_IR_OEQ, r->size, real(b, 0)),
                           real(b, ONE), rest);
    return hd_build_select(b, HD_IR_F64, hd_build_fcmp(b, HD_IR_OEQ, r->size, real(b, INFINITE)),
                           real(b, ONE | UINT64_C(1) << 63), rest);
}

/* The biased exponent x - y - z of numbers that have those. */
static HdIrRef difference(HdBuild *b, HdIrRef x, HdIrRef y, HdIrRef z)
{
    return int2(b, HD_IR_ADD, int2(b, HD_IR_SUB, x, int2(b, HD_IR_ADD, y, z)), whole(b, 2 * BIAS));
}

static HdIrRef divide_doubles(HdBuild *b, unsigned round, HdIrRef x, HdIrRef y)
{
    HdIrRef q = real2(b, HD_IR_FDIV, x, y), dividend;
    Ratio r = ratio_of(b, x, y, q);

    dividend =
        scaled(b, r.x.mantissa, difference(b, r.x.exponent, r.y.exponent, r.result.exponent));
    return moved(b, round, q,
                 rest_of(b, &r, remainder_of(b, dividend, r.result.mantissa, r.y.mantissa)), r.is);
}

static HdIrRef multiply_doubles(HdBuild *b, unsigned round, HdIrRef x, HdIrRef y)
{
    HdIrRef product = real2(b, HD_IR_FMUL, x, y), near, rest;
    Ratio r = ratio_of(b, x, y, product);

    near =
        scaled(b, r.result.mantissa, difference(b, r.result.exponent, r.x.exponent, r.y.exponent));
    rest = hd_build_op3(b, HD_IR_FMA, HD_IR_F64, r.x.mantissa, r.y.mantissa,
                        hd_build_op1(b, HD_IR_FNEG, HD_IR_F64, near));
    return moved(b, round, product, rest_of(b, &r, rest), r.is);
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

/* ---- towards zero -------------------------------------------------------------------------- */

HdIrRef hd_build_toward_zero(HdBuild *b, HdIrRef x, HdIrRef is)
{
    HdIrType t = hd_build_type_at(b, x), bits = hd_build_int(hd_ir_type_bits(t));

    return hd_build_bitcast(b,
                            hd_build_op2(b, HD_IR_ADD, bits, hd_build_bitcast(b, x, bits),
                                         hd_build_from_bool(b, is, bits, UINT64_MAX)),
                            t);
}

/* A result rounded to nearest, cut: it is too large where the rest, the exact result minus this
 * one, has the other sign. Where an infinite one overflowed, that is an infinity of that sign. */
static HdIrRef cut(HdBuild *b, HdIrRef result, HdIrRef rest)
{
    HdIrType t = hd_build_type_at(b, result), bits = hd_build_int(hd_ir_type_bits(t));
    HdIrRef signs = hd_build_op2(b, HD_IR_XOR, bits, hd_build_bitcast(b, result, bits),
                                 hd_build_bitcast(b, rest, bits));
    HdIrRef differ = hd_build_icmp(b, HD_IR_SLT, signs, hd_build_const(b, bits, 0));
    HdIrRef some = hd_build_fcmp(b, HD_IR_OGT, size_of(b, rest), hd_build_const(b, t, 0));

    return hd_build_toward_zero(b, result, both(b, differ, some));
}

/* What is taken away from the larger summand first is exact, as is what remains (Fast2Sum). */
static HdIrRef truncated_sum(HdBuild *b, HdIrRef x, HdIrRef y)
{
    HdIrType t = hd_build_type_at(b, x);
    HdIrRef is_less = hd_build_fcmp(b, HD_IR_OLT, size_of(b, x), size_of(b, y));
    HdIrRef large = hd_build_select(b, t, is_less, y, x), small;
    HdIrRef sum = hd_build_op2(b, HD_IR_FADD, t, x, y), taken;

    small = hd_build_select(b, t, is_less, x, y);
    taken = hd_build_op2(b, HD_IR_FSUB, t, sum, large);
    return cut(b, sum, hd_build_op2(b, HD_IR_FSUB, t, small, taken));
}

static HdIrRef truncated_product(HdBuild *b, HdIrRef x, HdIrRef y)
{
    HdIrType t = hd_build_type_at(b, x), wide = t == HD_IR_F16 ? HD_IR_F32 : HD_IR_F64;

    if (t == HD_IR_F64)
        return multiply_doubles(b, HD_ROUND_RTZ, x, y);
    x = hd_build_op1(b, HD_IR_FPEXT, wide, x);
    y = hd_build_op1(b, HD_IR_FPEXT, wide, y);
    return narrowed(b, HD_ROUND_RTZ, hd_build_op2(b, HD_IR_FMUL, wide, x, y), t);
}

HdIrRef hd_build_truncated(HdBuild *b, HdIrOp op, HdIrRef x, HdIrRef y)
{
    switch (op) {
    case HD_IR_FADD: return truncated_sum(b, x, y);
    case HD_IR_FSUB:
        return truncated_sum(b, x, hd_build_op1(b, HD_IR_FNEG, hd_build_type_at(b, y), y));
    case HD_IR_FMUL: return truncated_product(b, x, y);
    default: return hd_build_rounded_divide(b, HD_ROUND_RTZ, x, y);
    }
}

/* x + y and, in *rest, what is missing (2Sum). */
static HdIrRef exact_sum(HdBuild *b, HdIrRef x, HdIrRef y, HdIrRef *rest)
{
    HdIrRef sum = real2(b, HD_IR_FADD, x, y), of_y = real2(b, HD_IR_FSUB, sum, x);
    HdIrRef of_x = real2(b, HD_IR_FSUB, sum, of_y);

    *rest = real2(b, HD_IR_FADD, real2(b, HD_IR_FSUB, x, of_x), real2(b, HD_IR_FSUB, y, of_y));
    return sum;
}

/* x * y + z, cut, of numbers whose products and sums neither overflow nor underflow. */
static HdIrRef fma_inside(HdBuild *b, HdIrRef x, HdIrRef y, HdIrRef z)
{
    HdIrRef near = hd_build_op3(b, HD_IR_FMA, HD_IR_F64, x, y, z);
    HdIrRef high = real2(b, HD_IR_FMUL, x, y), low, sum, rest[2], more;

    low = hd_build_op3(b, HD_IR_FMA, HD_IR_F64, x, y, hd_build_op1(b, HD_IR_FNEG, HD_IR_F64, high));
    sum = exact_sum(b, z, low, &rest[0]);
    sum = exact_sum(b, high, sum, &rest[1]);
    more = real2(b, HD_IR_FADD, real2(b, HD_IR_FSUB, sum, near), rest[1]);
    return cut(b, near, real2(b, HD_IR_FADD, more, rest[0]));
}

/* x * 2^exponent, cut; x is normal or 0. */
static HdIrRef truncated_scale(HdBuild *b, HdIrRef x, HdIrRef exponent)
{
    HdIrRef bits = hd_build_bitcast(b, size_of(b, x), HD_IR_I64);
    HdIrRef biased = int2(b, HD_IR_ADD, int2(b, HD_IR_LSHR, bits, whole(b, 52)), exponent);
    HdIrRef significand =
        int2(b, HD_IR_OR, int2(b, HD_IR_AND, bits, whole(b, FRACTION)), whole(b, FRACTION + 1));
    HdIrRef by = int2(b, HD_IR_SMIN, int2(b, HD_IR_SUB, whole(b, 1), biased), whole(b, 63));
    HdIrRef normal = int2(b, HD_IR_ADD, bits, int2(b, HD_IR_SHL, exponent, whole(b, 52)));
    HdIrRef r = hd_build_select(b, HD_IR_I64, hd_build_icmp(b, HD_IR_SLT, biased, whole(b, 1)),
                                int2(b, HD_IR_LSHR, significand, by), normal);

    r = hd_build_select(b, HD_IR_I64, hd_build_icmp(b, HD_IR_SGT, biased, whole(b, 2 * BIAS)),
                        whole(b, INFINITE - 1), r);
    r = hd_build_select(b, HD_IR_I64, hd_build_icmp(b, HD_IR_EQ, bits, whole(b, 0)), bits, r);
    return hd_build_op2(b, HD_IR_FCOPYSIGN, HD_IR_F64, hd_build_bitcast(b, r, HD_IR_F64), x);
}

/* The mantissa of x with its sign, times 2^exponent. */
static HdIrRef signed_part(HdBuild *b, const Parts *p, HdIrRef x, HdIrRef exponent)
{
    HdIrRef size = scaled(b, p->mantissa, int2(b, HD_IR_ADD, exponent, whole(b, BIAS)));

    return hd_build_op2(b, HD_IR_FCOPYSIGN, HD_IR_F64, size, x);
}

/* Below the other summand by more than that, only the sign of one counts. */
#define FAR 200u

/* How far an exponent is below the top one, at most so far. */
static HdIrRef below(HdBuild *b, HdIrRef exponent, HdIrRef top)
{
    return int2(b, HD_IR_SMAX, int2(b, HD_IR_SUB, exponent, top), whole(b, UINT64_MAX - FAR + 1));
}

/* Product and summand are brought to sizes of at most 4. */
static HdIrRef fma_doubles(HdBuild *b, HdIrRef x, HdIrRef y, HdIrRef z)
{
    HdIrRef sizes[3] = {size_of(b, x), size_of(b, y), size_of(b, z)}, has_z, is, top, product, r;
    Parts p[3];

    for (unsigned i = 0; i < 3; i++)
        p[i] = parts_of(b, sizes[i]);
    has_z = hd_build_fcmp(b, HD_IR_OGT, sizes[2], real(b, 0));
    is = both(b, both(b, is_inside(b, sizes[0]), is_inside(b, sizes[1])),
              hd_build_fcmp(b, HD_IR_OLT, sizes[2], real(b, INFINITE)));
    product = int2(b, HD_IR_SUB, int2(b, HD_IR_ADD, p[0].exponent, p[1].exponent), whole(b, BIAS));
    p[2].exponent = hd_build_select(b, HD_IR_I64, has_z, p[2].exponent, product);
    top = int2(b, HD_IR_SMAX, product, p[2].exponent);
    r = fma_inside(b, signed_part(b, &p[0], x, whole(b, 0)),
                   signed_part(b, &p[1], y, below(b, product, top)),
                   hd_build_select(b, HD_IR_F64, has_z,
                                   signed_part(b, &p[2], z, below(b, p[2].exponent, top)), z));
    r = truncated_scale(b, r, int2(b, HD_IR_SUB, top, whole(b, BIAS)));
    return hd_build_select(b, HD_IR_F64, is, r, hd_build_op3(b, HD_IR_FMA, HD_IR_F64, x, y, z));
}

HdIrRef hd_build_truncated_fma(HdBuild *b, HdIrRef x, HdIrRef y, HdIrRef z)
{
    HdIrType t = hd_build_type_at(b, x);

    if (t == HD_IR_F64)
        return fma_doubles(b, x, y, z);
    x = hd_build_op1(b, HD_IR_FPEXT, HD_IR_F64, x);
    y = hd_build_op1(b, HD_IR_FPEXT, HD_IR_F64, y);
    z = hd_build_op1(b, HD_IR_FPEXT, HD_IR_F64, z);
    z = truncated_sum(b, real2(b, HD_IR_FMUL, x, y), z);
    return hd_ir_emit_sub(
        b->fn, b->block, HD_IR_CONVERT, t,
        HD_IR_CONVERT(HD_NUM_F64, t == HD_IR_F16 ? HD_NUM_F16 : HD_NUM_F32, HD_ROUND_RTZ), 0, &z,
        1);
}

bool hd_build_truncates(const HdBuild *b, const HdInst *in)
{
    return hd_kernel_truncates(b->kernel, hd_module_type(b->m, in->w[1]));
}

HdIrRef hd_build_float2(HdBuild *b, const HdInst *in, HdIrOp op, HdIrRef x, HdIrRef y)
{
    return hd_build_truncates(b, in) ? hd_build_truncated(b, op, x, y)
                                     : hd_build_op2(b, op, hd_build_type_at(b, x), x, y);
}

HdIrRef hd_build_flagged2(HdBuild *b, const HdInst *in, HdIrOp op, HdIrRef x, HdIrRef y)
{
    return hd_build_truncates(b, in)
               ? hd_build_truncated(b, op, x, y)
               : hd_build_flag(b, hd_build_op2(b, op, hd_build_type_at(b, x), x, y),
                               hd_build_flags(b, in));
}
