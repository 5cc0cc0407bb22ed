/* rt/math/vec_f64.h -- branch-free mathematics for double.
 *
 * Nothing wider to compute in, so what would lose too much is carried in two parts: the rest of a
 * reduced operand, the logarithm under a power. Errors stay near one ulp.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_VEC_F64_H
#define HD_RT_MATH_VEC_F64_H

#include "rt/math/vec_f32.h"

#define W_LN2_LO      0x1.abc9e3b39803fp-56
#define W_LN2_SHORT   0x1.62e42fefp-1 /* 32 bits: whole multiples of it are exact */
#define W_LN2_REST    0x1.473de6af278edp-34
#define W_LOG2E_LO    0x1.777d0ffda0d24p-56
#define W_LOG10E_LO   0x1.95355baaafad3p-57
#define W_LOG10_2     0x1.34413509f79ffp-2
#define W_LOG10_2_LO  -0x1.9dc1da994fd21p-59
#define W_LOG10_SHORT 0x1.34413509p-2
#define W_LOG10_REST  0x1.ef3fde623e256p-35
#define W_LOG2_10     0x1.a934f0979a371p+1
#define W_SIXTEENTHS  0x1.8p48 /* adding this leaves the nearest sixteenths in the low bits */
#define W_LN10        0x1.26bb1bbb55516p+1
#define W_LN10_LO     -0x1.f48ad494ea3e9p-53
/* pi with D_PI_HI and all parts positive, so that -0 stays what it is. */
#define W_PI_B     0x1.1a62633145c06p-53
#define W_PI_C     0x1.c1cd129024e09p-106
#define W_TWO_3    0x1.5555555555555p-1
#define W_TWO_3_LO 0x1.5555555555555p-55

/* ---- exponentials ---- */

/* 2^n in two factors, for results that only the second takes out of the normal range. */
KERNEL double w_pow2(double n, double *second)
{
    double rounded = MAD(n, 0.5, V_ROUNDER);

    *second = v_pow2((n - (rounded - V_ROUNDER)) + V_ROUNDER);
    return v_pow2(rounded);
}

/* 1 / f for a power of two. */
KERNEL double w_inverse_pow2(double f)
{
    return hd_f64_from(0x7fe0000000000000u - hd_f64_bits(f));
}

/* e^r - 1 for |r| <= ln(2) / 2. */
KERNEL double w_exp_core(double r)
{
    return MAD(r * r, POLY_EXP_D(r), r);
}

/* p 2^n, rounded once; n whole, |n| <= 2000, p between 1/4 and 4. */
static inline __attribute__((always_inline)) double w_scale(double p, double n)
{
    double f2, f1 = w_pow2(n, &f2);

    return p * f1 * f2;
}

KERNEL double w_reduce_exp(double x, double *n)
{
    *n = MAD(x, V_LOG2E, V_ROUNDER) - V_ROUNDER;
    return MAD(*n, -W_LN2_LO, FMA(*n, -V_LN2, x)); /* the inner one is exact */
}

/* p 2^n for the whole part n of q, likewise. */
static inline __attribute__((always_inline)) double w_scale_whole(double p, double q)
{
    return w_scale(p, floor(q));
}

KERNEL double w_expm1(double x)
{
    double n, r = w_reduce_exp(v_clamp(x, 1200.0), &n);
    double p = w_exp_core(r);
    double f2, f1 = w_pow2(n, &f2);
    /* 2^n p + 2^n - 1, with the second factor taken out. */
    double v = MAD(f1, p, f1 - w_inverse_pow2(f2)) * f2;

    v = x == 0.0 ? x : v;
    return x < -40.0 ? -1.0 : v;
}

/* By sixteenths: 2^(i / 16) from a table, by the last bits of a number rounded to sixteenths, times
 * e^r, times 2 to the whole part of n. */
KERNEL double w_exp_from(double rounded, double n, double r)
{
    double v = w_lookup(w_exp_16, hd_f64_bits(rounded));

    return w_scale_whole(MAD(v, MAD(r * r, POLY_EXP_16(r), r), v), n);
}

/* The rests of x after n sixteenths of ln(2), of log10(2). */

KERNEL double w_exp_rest(double x, double n)
{
    return MAD(n, -W_LN2_LO, FMA(n, -V_LN2, x));
}

KERNEL double w_exp10_rest(double x, double n)
{
    double d = MAD(n, -W_LOG10_2_LO, FMA(n, -W_LOG10_2, x));

    return MAD(d, W_LN10, d * W_LN10_LO);
}

KERNEL double w_e_to(double x)
{
    double c = v_clamp(x, 1200.0);
    double rounded = MAD(c, V_LOG2E, W_SIXTEENTHS), n = rounded - W_SIXTEENTHS;

    return w_exp_from(rounded, n, w_exp_rest(c, n));
}

KERNEL double w_two_to(double x)
{
    double c = v_clamp(x, 1200.0);
    double rounded = c + W_SIXTEENTHS, n = rounded - W_SIXTEENTHS;
    double d = c - n, v = w_lookup(w_exp_16, hd_f64_bits(rounded));

    return w_scale_whole(MAD(v, d * POLY_EXP2_16(d), v), n);
}

KERNEL double w_ten_to(double x)
{
    double c = v_clamp(x, 400.0);
    double rounded = MAD(c, W_LOG2_10, W_SIXTEENTHS), n = rounded - W_SIXTEENTHS;

    return w_exp_from(rounded, n, w_exp10_rest(c, n));
}

/* AVX-512 scales by numbers of any size, so only the rest has to stay in its range. */
#ifdef HD_TRANSLATE
KERNEL double w_e_to_native(double x)
{
    double rounded = MAD(x, V_LOG2E, W_SIXTEENTHS), n = rounded - W_SIXTEENTHS;

    return w_exp_from(rounded, n, w_range(w_exp_rest(x, n), 0.03));
}

KERNEL double w_two_to_native(double x)
{
    double rounded = x + W_SIXTEENTHS, n = rounded - W_SIXTEENTHS;
    double d = w_reduce_16(x), v = w_lookup(w_exp_16, hd_f64_bits(rounded));

    return w_scale_whole(MAD(v, d * POLY_EXP2_16(d), v), n);
}

KERNEL double w_ten_to_native(double x)
{
    double rounded = MAD(x, W_LOG2_10, W_SIXTEENTHS), n = rounded - W_SIXTEENTHS;

    return w_exp_from(rounded, n, w_range(w_exp10_rest(x, n), 0.03));
}
#endif

KERNEL double w_exp(double x)
{
    return w_e_to(x);
}

KERNEL double w_exp2(double x)
{
    return w_two_to(x);
}

KERNEL double w_exp10(double x)
{
    return w_ten_to(x);
}

/* ---- logarithms ---- */

/* By sixteenths, see tables.h. Zero, infinity and NaN have an exponent that makes the result. */

KERNEL double w_log(double x)
{
    double m = w_mant(x), e = w_expo(x);
    uint64_t i = hd_f64_bits(m) >> 48;
    double r = FMA(m, w_lookup(w_log_inverse, i), -1.0); /* exact */
    double base = MAD(e, W_LN2_SHORT, w_lookup(w_log_high, i));
    double low = MAD(e, W_LN2_REST, w_lookup(w_log_low, i));

    return x < 0.0 ? D_NAN : base + (r + MAD(r * r, POLY_LOG_DT(r), low));
}

KERNEL double w_log2(double x)
{
    double m = w_mant(x);
    uint64_t i = hd_f64_bits(m) >> 48;
    double r = FMA(m, w_lookup(w_log_inverse, i), -1.0);
    double low = MAD(r, W_LOG2E_LO, w_lookup(w_log2_low, i));
    double v = MAD(r, V_LOG2E, MAD(r * r, POLY_LOG2_DT(r), low));

    return x < 0.0 ? D_NAN : (w_expo(x) + w_lookup(w_log2_high, i)) + v;
}

KERNEL double w_log10(double x)
{
    double m = w_mant(x), e = w_expo(x);
    uint64_t i = hd_f64_bits(m) >> 48;
    double r = FMA(m, w_lookup(w_log_inverse, i), -1.0);
    double low = MAD(r, W_LOG10E_LO, MAD(e, W_LOG10_REST, w_lookup(w_log10_low, i)));
    double v = MAD(r, V_LOG10E, MAD(r * r, POLY_LOG10_DT(r), low));

    return x < 0.0 ? D_NAN : MAD(e, W_LOG10_SHORT, w_lookup(w_log10_high, i)) + v;
}

/* log(u + low), low within an ulp of u or so. */
KERNEL double w_log_sum(double u, double u_low)
{
    double m = w_mant(u), e = w_expo(u);
    uint64_t i = hd_f64_bits(m) >> 48;
    double c = w_lookup(w_log_inverse, i);
    double part = fabs(e) < 100.0 ? w_scale(u_low, -e) : 0.0;
    double r = MAD(part, c, FMA(m, c, -1.0));
    double base = MAD(e, W_LN2_SHORT, w_lookup(w_log_high, i));
    double low = MAD(e, W_LN2_REST, w_lookup(w_log_low, i));

    return u < 0.0 ? D_NAN : base + (r + MAD(r * r, POLY_LOG_DT(r), low));
}

KERNEL double w_log1p(double x)
{
    double u = 1.0 + x, part = u - 1.0;
    double v = w_log_sum(u, (1.0 - (u - part)) + (x - part));

    return x == 0.0 ? x : v;
}

/* log(|x|) as a sum, good to about 2^-65 of it; the second part is up to a thousandth of the first,
 * of infinite ones no number. */
KERNEL double w_log_parts(double x, double *low)
{
    double m = w_mant(x), e = w_expo(x);
    uint64_t i = hd_f64_bits(m) >> 48;
    double r = FMA(m, w_lookup(w_log_inverse, i), -1.0); /* exact */
    double base = MAD(e, W_LN2_SHORT, w_lookup(w_log_high, i));
    double rest = MAD(e, W_LN2_REST, w_lookup(w_log_low, i));
    double half = -0.5 * r, square = half * r;
    double t = base + r, v = t + square;

    rest = rest + ((base - t) + r) + FMA(half, r, -square);
    *low = MAD(r * r * r, POLY_LOG_POW_D(r), rest + ((t - v) + square));
    return v;
}

/* e^(p + rest), before it is rounded within a thirtieth of a unit in the last place, so that powers
 * that a double holds come out as they are. */
KERNEL double w_exp_sum(double p, double rest)
{
    double c = v_clamp(p, 1000.0);
    double rounded = MAD(c + rest, V_LOG2E, W_SIXTEENTHS), n = rounded - W_SIXTEENTHS;
    double r = FMA(n, -V_LN2, c) + MAD(n, -W_LN2_LO, rest);
    double v = w_lookup(w_exp_16, hd_f64_bits(rounded));
    double low = w_lookup(w_exp_16_low, hd_f64_bits(rounded));

    return w_scale_whole(v + MAD(v, MAD(r * r, POLY_EXP_16(r), r), low), n);
}

/* x^y for finite x > 0. */
KERNEL double w_pow_parts(double x, double y)
{
    double low, high = w_log_parts(x, &low), p = y * high;

    return w_exp_sum(p, MAD(y, low, FMA(y, high, -p)));
}

KERNEL double w_pow(double x, double y)
{
    double low, high = w_log_parts(x, &low), p = y * high;
    double t = MAD(y, low, FMA(y, high, -p)), rest = fabs(p) < 1000.0 ? t : 0.0, v;
    bool whole = rint(y) == y, odd = whole & (rint(y * 0.5) != y * 0.5);

    p = ((fabs(x) == 1.0) | (y == 0.0)) ? 0.0 : p; /* 1 to any power, anything to 0 */
    v = w_exp_sum(p, rest);
    v = odd ? v_flip(v, x) : v;
    return ((x < 0.0) & (x > -(double)INFINITY) & !whole) ? D_NAN : v;
}

KERNEL double w_powr(double x, double y)
{
    double low, high = w_log_parts(x, &low), p = y * high;
    double t = MAD(y, low, FMA(y, high, -p));
    double v = w_exp_sum(p, fabs(p) < 1000.0 ? t : 0.0);

    return x < 0.0 ? D_NAN : v;
}

KERNEL double w_pown(double x, int32_t n)
{
    double y = (double)n;
    double low, high = w_log_parts(x, &low), p = y * high;
    double t = MAD(y, low, FMA(y, high, -p));
    double v = w_exp_sum(p, fabs(p) < 1000.0 ? t : 0.0);

    v = (n & 1) != 0 ? v_flip(v, x) : v;
    return n == 0 ? 1.0 : v;
}

KERNEL double w_rootn(double x, int32_t n)
{
    double d = (double)n, y = 1.0 / d, y_low = FMA(-y, d, 1.0) * y;
    double low, high = w_log_parts(x, &low), p = y * high;
    double t = MAD(y_low, high, MAD(y, low, FMA(y, high, -p)));
    double v = w_exp_sum(p, fabs(p) < 1000.0 ? t : 0.0);
    bool odd = (n & 1) != 0;

    v = odd ? v_flip(v, x) : v;
    return (n == 0) | (!odd & (x < 0.0)) ? D_NAN : v;
}

/* From a guess by the exponent, through the inverse root, which needs no division. */
KERNEL double w_cbrt(double x)
{
    double a = fabs(x);
    bool small = a < 1.0;
    double b = a * (small ? 0x1p54 : 0x1p-54); /* no cube overflows */
    double y = hd_f64_from(0x553eee4feaaaac00u - ((hd_f64_bits(b) >> 32) * 0x55555556u));
    double c, v;

    c = MAD(-(b * y), y * y, 1.0);
    y = MAD(y * c, MAD(c, MAD(c, 0x1.61f9add3c0ca4p-3, 0x1.c71c71c71c71cp-3), 0x1.5555555555555p-2),
            y);
    c = MAD(-(b * y), y * y, 1.0);
    y = MAD(y * c, MAD(c, MAD(c, 0x1.61f9add3c0ca4p-3, 0x1.c71c71c71c71cp-3), 0x1.5555555555555p-2),
            y);
    v = b * y * y;
    v = MAD(MAD(-(v * v), v, b) * (y * y), 0x1.5555555555555p-2, v);
    v = v * (small ? 0x1p-18 : 0x1p18);
    return ((a > 0.0) & (a < (double)INFINITY)) ? copysign(v, x) : x;
}

/* ---- circular functions, |x| < 2^30; larger ones are the caller's ---- */

KERNEL bool w_is_near(double x)
{
    return fabs(x) < 0x1p30; /* of a NaN, what AVX-512 keeps within one is no NaN */
}

KERNEL double w_sin_core(double r, double low)
{
    double z = r * r;

    return r + MAD(r * z, POLY_SIN_D(z), low * MAD(z, -0.5, 1.0));
}

KERNEL double w_cos_core(double r, double low)
{
    double z = r * r, half = 0.5 * z;
    double w = 1.0 - half;

    return w + MAD(z * z, POLY_COS_D(z), MAD(-r, low, (1.0 - w) - half));
}

/* The sine of q quarter turns and r + low. */
KERNEL double w_turned(uint64_t q, double r, double low)
{
    double v = (q & 1u) != 0 ? w_cos_core(r, low) : w_sin_core(r, low);

    return hd_f64_from(hd_f64_bits(v) ^ ((q & 2u) << 62));
}

/* x - n pi share, to an ulp of the rest; share is 1 or 1/2, n a whole number or a half. */
KERNEL double w_less_pi(double x, double n, double share)
{
    return FMA(n, -W_PI_C * share, FMA(n, -W_PI_B * share, FMA(n, -D_PI_HI * share, x)));
}

/* The sine of |r| <= pi / 2. */
KERNEL double w_sine(double r)
{
    double z = r * r;

    return w_within_one(r * MAD(z, POLY_SINE_D(z), 1.0));
}

KERNEL double w_sin(double x)
{
    double t = MAD(x, D_1_PI_HI, V_ROUNDER);
    double v = w_sine(w_less_pi(x, t - V_ROUNDER, 1.0));

    return hd_f64_from(hd_f64_bits(v) ^ (hd_f64_bits(t) << 63));
}

KERNEL double w_cos(double x)
{
    double t = MAD(x, D_1_PI_HI, -0.5) + V_ROUNDER;
    double v = w_sine(w_less_pi(x, (t - V_ROUNDER) + 0.5, 1.0));

    return hd_f64_from(hd_f64_bits(v) ^ (~hd_f64_bits(t) << 63));
}

/* The tangent as a quotient of polynomials; past a quarter turn minus the other way round. */
KERNEL double w_tan_parts(double x, double *below)
{
    double t = MAD(x, V_2_PI, V_ROUNDER);
    double r = w_less_pi(x, t - V_ROUNDER, 0.5), z = r * r;
    double num = r * MAD(z, POLY_TAN_NUM_D(z), 1.0), den = MAD(z, POLY_TAN_DEN_D(z), 1.0);
    bool odd = (hd_f64_bits(t) & 1u) != 0;

    *below = odd ? num : den;
    return odd ? -den : num;
}

KERNEL double w_tan_divisor(double x)
{
    double d, v = w_tan_parts(x, &d);

    (void)v;
    return d;
}

/* inverse: 1 / w_tan_divisor(x) */
KERNEL double w_tan_from(double x, double inverse)
{
    double d;

    return w_tan_parts(x, &d) * inverse;
}

KERNEL double w_tan(double x)
{
    double d, v = w_tan_parts(x, &d);

    return v * w_inverse(d);
}

/* ---- roots ---- */

/* 1 / sqrt(x) from a guess good to 2^-14 or better. */
KERNEL double w_rsqrt_from(double x, double guess)
{
    double e = MAD(-(x * guess), guess, 1.0);
    double v = MAD(guess * e, MAD(MAD(e, 0.3125, 0.375), e, 0.5), guess);

    return v == v ? v : guess; /* of zeros and infinities */
}

static inline __attribute__((always_inline)) double w_guess_rsqrt(double x)
{
    return 1.0 / sqrt(x);
}

KERNEL double w_rsqrt(double x)
{
    return w_rsqrt_from(x, w_guess_rsqrt(x));
}

/* ---- hyperbolic functions ---- */

/* From the even and odd parts of e^r, one less of the even. */

KERNEL double w_sinh(double x)
{
    double n, r = w_reduce_exp(v_clamp(x, 710.5), &n), z = r * r;
    double odd = MAD(r * z, POLY_SINH_D(z), r), even = z * POLY_COSH_D(z);
    double up = w_scale(0.25, n), down = w_scale(0.25, -n), d = up - down;
    double v = MAD(odd, up + down, MAD(even, d, d));

    return copysign(v + v, x);
}

KERNEL double w_cosh(double x)
{
    double n, r = w_reduce_exp(v_clamp(x, 710.5), &n), z = r * r;
    double odd = MAD(r * z, POLY_SINH_D(z), r), even = z * POLY_COSH_D(z);
    double up = w_scale(0.25, n), down = w_scale(0.25, -n), s = up + down;
    double v = MAD(odd, up - down, MAD(even, s, s));

    return v + v;
}

KERNEL double w_tanh(double x)
{
    double e = w_expm1(v_clamp(fabs(x), 30.0) * 2.0);

    return copysign(e / (e + 2.0), x);
}

/* log(a + s) for s = sqrt(1 + a^2), both sums in two parts, so that nothing is lost near one; past
 * 2^30 the functions are log(2 a). inverse: 1 / s. */
KERNEL double w_asinh_square(double x)
{
    return MAD(x, x, 1.0);
}

KERNEL double w_asinh_from(double x, double inverse)
{
    double a = fabs(x), z = w_asinh_square(x), s = z * inverse;
    double s_low = (FMA(-s, s, z) + FMA(a, a, 1.0 - z)) * (0.5 * inverse);
    bool far = a > 0x1p30;
    double u = s + a, low = ((s - u) + a) + s_low;
    double v = w_log_sum(far ? a : u, far ? 0.0 : low) + (far ? V_LN2 : 0.0);

    return copysign(a < 0x1p-13 ? MAD(a * a * a, -0x1.5555555555555p-3, a) : v, x);
}

KERNEL double w_asinh(double x)
{
    return w_asinh_from(x, w_rsqrt(w_asinh_square(x)));
}

KERNEL double w_acosh_square(double x)
{
    double t = x - 1.0;

    return MAD(t, t, t + t);
}

/* root: of (x - 1)^2 + 2 (x - 1) */
KERNEL double w_acosh_from(double x, double root)
{
    double w = (x - 1.0) + root, u = 1.0 + w, part = u - 1.0;
    double low = (1.0 - (u - part)) + (w - part);
    bool far = x > 0x1p30;
    double v = w_log_sum(far ? x : u, far ? 0.0 : low) + (far ? V_LN2 : 0.0);

    v = x == 1.0 ? 0.0 : v;
    return x < 1.0 ? D_NAN : v;
}

KERNEL double w_acosh(double x)
{
    return w_acosh_from(x, w_root(w_acosh_square(x)));
}

/* inverse: 1 / (1 - |x|) */
KERNEL double w_atanh_from(double x, double inverse)
{
    double a = fabs(x), n = 1.0 + a, d = 1.0 - a;
    double n_low = a - (n - 1.0), d_low = (1.0 - d) - a;
    double q = n * inverse;
    double v = 0.5 * w_log_sum(q, (FMA(-q, d, n) + MAD(-q, d_low, n_low)) * inverse);

    v = a < 0x1p-20 ? MAD(a * a * a, 0x1.5555555555555p-2, a) : v;
    return copysign(a == 1.0 ? (double)INFINITY : v, x);
}

KERNEL double w_atanh(double x)
{
    return w_atanh_from(x, w_inverse(1.0 - fabs(x)));
}

/* ---- inverse circular functions ---- */

/* a / b, for a, b >= 0, not both 0 or infinite, with room for a + b, as the tangent of a sum: of an
 * angle `base` + `rest` and of one whose tangent is the result / *below, below tan(pi / 8). */
KERNEL double w_atan_parts(double a, double b, double *below, double *base, double *rest)
{
    bool low = a<b * 0x1.a827999fcef32p-2, high = a> b * 0x1.3504f333f9de6p+1;

    *below = low ? b : (high ? a : a + b);
    *base = low ? 0.0 : (high ? V_PIO2_HI : V_PIO2_HI * 0.5);
    *rest = low ? 0.0 : (high ? V_PIO2_LO : V_PIO2_LO * 0.5);
    return low ? a : (high ? -b : a - b);
}

KERNEL double w_atan_divisor_of(double a, double b)
{
    double below, base, rest, num = w_atan_parts(a, b, &below, &base, &rest);

    (void)num;
    return below;
}

/* inverse: 1 / the divisor of a and b */
KERNEL double w_atan_ratio(double a, double b, double inverse)
{
    double below, base, rest, t = w_atan_parts(a, b, &below, &base, &rest) * inverse, z = t * t;

    return base + (MAD(t * z, POLY_ATAN_D(z), rest) + t);
}

KERNEL double w_atan_size(double x)
{
    double a = fabs(x);

    return a < 0x1p100 ? a : 0x1p100;
}

KERNEL double w_atan_divisor(double x)
{
    return w_atan_divisor_of(w_atan_size(x), 1.0);
}

KERNEL double w_atan_from(double x, double inverse)
{
    double v = w_atan_ratio(w_atan_size(x), 1.0, inverse);

    return x == x ? copysign(v, x) : x;
}

KERNEL double w_atan(double x)
{
    return w_atan_from(x, w_inverse(w_atan_divisor(x)));
}

/* |y| and |x| such that their sum is finite and products with it are normal; returns the first. */
KERNEL double w_atan2_sizes(double y, double x, double *b)
{
    double ax = fabs(x), ay = fabs(y);
    double big = ax > ay ? ax : ay;
    double scale = big > 0x1p900 ? 0x1p-200 : (big < 0x1p-700 ? 0x1p200 : 1.0);
    double less = big == 0.0 ? 1.0 : ax * scale;
    bool ends = big == (double)INFINITY;

    *b = ends ? (ax == big ? 1.0 : 0.0) : less;
    return ends ? (ay == big ? 1.0 : 0.0) : ay * scale;
}

KERNEL double w_atan2_divisor(double y, double x)
{
    double b, a = w_atan2_sizes(y, x, &b);

    return w_atan_divisor_of(a, b);
}

KERNEL double w_atan2_from(double y, double x, double inverse)
{
    double b, a = w_atan2_sizes(y, x, &b);
    double v = w_atan_ratio(a, b, inverse);

    v = v_negative(x) ? D_PI_HI - (v - D_PI_LO) : v;
    return ((x != x) | (y != y)) ? D_NAN : copysign(v, y);
}

KERNEL double w_atan2(double y, double x)
{
    return w_atan2_from(y, x, w_inverse(w_atan2_divisor(y, x)));
}

KERNEL double w_asin_core(double t, double z)
{
    return MAD(t * z, POLY_ASIN_D(z), t);
}

KERNEL double w_asin(double x)
{
    double a = fabs(x);
    double z = a > 0.5 ? (1.0 - a) * 0.5 : a * a;
    double p = w_asin_core(a > 0.5 ? sqrt(z) : a, z);

    return copysign(a > 0.5 ? V_PIO2_HI - MAD(p, 2.0, -V_PIO2_LO) : p, x);
}

KERNEL double w_acos(double x)
{
    double a = fabs(x);
    double z = a > 0.5 ? (1.0 - a) * 0.5 : a * a;
    double p = w_asin_core(a > 0.5 ? sqrt(z) : x, z);
    double far = v_negative(x) ? D_PI_HI - MAD(p, 2.0, -D_PI_LO) : p + p;

    return a > 0.5 ? far : V_PIO2_HI - (p - V_PIO2_LO);
}

KERNEL double w_over_pi(double v)
{
    double q = FMA(v, D_1_PI_HI, v * D_1_PI_LO);

    return v == 0.0 ? v : q;
}

KERNEL double w_atanpi_from(double x, double inverse)
{
    return w_over_pi(w_atan_from(x, inverse));
}

KERNEL double w_atanpi(double x)
{
    return w_over_pi(w_atan(x));
}

KERNEL double w_atan2pi_from(double y, double x, double inverse)
{
    return w_over_pi(w_atan2_from(y, x, inverse));
}

KERNEL double w_atan2pi(double y, double x)
{
    return w_over_pi(w_atan2(y, x));
}

KERNEL double w_asinpi(double x)
{
    return w_over_pi(w_asin(x));
}

KERNEL double w_acospi(double x)
{
    return w_over_pi(w_acos(x));
}

/* ---- angles in half turns ---- */

/* |x| = q / 2 + (r + low) / pi; the low bits of the result hold q. */
KERNEL uint64_t w_half_turns(double x, double *r, double *low)
{
    double a = fabs(x);
    double m = a - 2.0 * floor(a * 0.5); /* an infinity becomes a NaN */
    double rounded = MAD(m, 2.0, V_ROUNDER);
    double d = MAD(rounded - V_ROUNDER, -0.5, m);

    *r = d * D_PI_HI;
    *low = FMA(d, D_PI_HI, -*r) + d * D_PI_LO;
    return hd_f64_bits(rounded);
}

/* The sine of pi r for |r| <= 1 / 2, perhaps an ulp past one. */
KERNEL double w_sinpi_core(double r)
{
    return r * POLY_SINPI_D(r * r);
}

KERNEL double w_sinpi(double x)
{
    double a = fabs(x), t = a + 0x1p52; /* the last bit says which whole number is near */
    double v = w_within_one(w_sinpi_core(w_part(a)));

    v = hd_f64_from(hd_f64_bits(v) ^ (hd_f64_bits(t) << 63));
    return v_flip(MAD(a, 0.0, v), x); /* no -0, of infinities NaN */
}

/* x less whole turns: half turns between -1 and 1. */
KERNEL double w_turn(double x)
{
    return MAD(rint(x * 0.5), -2.0, x);
}

KERNEL double w_cospi(double x)
{
    double v = w_within_one(w_sinpi_core(0.5 - fabs(w_turn(x))));

    return MAD(fabs(x), 0.0, v); /* no -0, of infinities NaN */
}

KERNEL double w_tanpi(double x)
{
    double r, low;
    uint64_t q = w_half_turns(x, &r, &low);
    double s = w_sin_core(r, low), c = w_cos_core(r, low);
    double v = (q & 1u) != 0 ? -c / s : s / c;
    double zero = (q & 2u) != 0 ? -0.0 : 0.0;
    double pole = (q & 2u) != 0 ? -(double)INFINITY : (double)INFINITY;

    v = r == 0.0 ? ((q & 1u) != 0 ? pole : zero) : v;
    return v_flip(v, x);
}

/* sqrt(x^2 + y^2) with both brought near one first. */
KERNEL double w_hypot_far(double x, double y)
{
    double ax = fabs(x), ay = fabs(y);
    double big = ax > ay ? ax : ay, less = ax > ay ? ay : ax;
    double scale = big > 0x1p500 ? 0x1p-600 : (big < 0x1p-400 ? 0x1p600 : 1.0);
    double back = big > 0x1p500 ? 0x1p600 : (big < 0x1p-400 ? 0x1p-600 : 1.0);
    double u = big * scale, w = less * scale;
    double v = sqrt(MAD(u, u, w * w)) * back;

    v = x != x || y != y ? D_NAN : v;
    return ax == (double)INFINITY || ay == (double)INFINITY ? (double)INFINITY : v;
}

KERNEL double w_hypot_square(double x, double y)
{
    return MAD(x, x, y * y);
}

KERNEL bool w_both_zero(double x, double y)
{
    return ((hd_f64_bits(x) | hd_f64_bits(y)) << 1) == 0;
}

/* Without scaling, where the sum of squares is a normal number: what a square that is none lacks
 * does not count. */
KERNEL bool w_hypot_is_near(double x, double y)
{
    uint64_t above = hd_f64_bits(w_hypot_square(x, y)) - 0x0010000000000000u;

    return (above < 0x7fe0000000000000u) | w_both_zero(x, y);
}

/* root: of w_hypot_square(x, y) */
KERNEL double w_hypot_from(double x, double y, double root)
{
    return w_both_zero(x, y) ? 0.0 : root;
}

KERNEL double w_hypot(double x, double y)
{
    return w_hypot_from(x, y, w_root(w_hypot_square(x, y)));
}

#endif
