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
#define W_LN10        0x1.26bb1bbb55516p+1
#define W_LN10_LO     -0x1.f48ad494ea3e9p-53
#define W_PIO2_LAST   -0x1.f1976b7ed8fbcp-110
#define W_TWO_3       0x1.5555555555555p-1
#define W_TWO_3_LO    0x1.5555555555555p-55

/* ---- exponentials ---- */

/* 2^n in two factors, for results that only the second takes out of the normal range. */
KERNEL double w_pow2(double n, double *second)
{
    double rounded = FMA(n, 0.5, V_ROUNDER);

    *second = v_pow2((n - (rounded - V_ROUNDER)) + V_ROUNDER);
    return v_pow2(rounded);
}

/* e^r - 1 for |r| <= ln(2) / 2. */
KERNEL double w_exp_core(double r)
{
    return FMA(r * r, POLY_EXP_D(r), r);
}

/* p 2^n, rounded once; n whole, |n| <= 2000, p between 1/4 and 4. */
static inline __attribute__((always_inline)) double w_scale(double p, double n)
{
    double f2, f1 = w_pow2(n, &f2);

    return p * f1 * f2;
}

KERNEL double w_reduce_exp(double x, double *n)
{
    *n = FMA(x, V_LOG2E, V_ROUNDER) - V_ROUNDER;
    return FMA(*n, -W_LN2_LO, FMA(*n, -V_LN2, x)); /* the inner one is exact */
}

KERNEL double w_exp(double x)
{
    double n, r = w_reduce_exp(v_clamp(x, 1200.0), &n);

    return w_scale(w_exp_core(r) + 1.0, n);
}

KERNEL double w_expm1(double x)
{
    double n, r = w_reduce_exp(v_clamp(x, 1200.0), &n);
    double p = w_exp_core(r);
    double f2, f1 = w_pow2(n, &f2);
    /* 2^n p + 2^n - 1, with the second factor taken out. */
    double v = FMA(f1, p, f1 - 1.0 / f2) * f2;

    v = x == 0.0 ? x : v;
    return x < -40.0 ? -1.0 : v;
}

KERNEL double w_exp2(double x)
{
    double c = v_clamp(x, 1200.0);
    double n = (c + V_ROUNDER) - V_ROUNDER;
    double d = c - n;

    return w_scale(w_exp_core(FMA(d, V_LN2, d * W_LN2_LO)) + 1.0, n);
}

KERNEL double w_exp10(double x)
{
    double c = v_clamp(x, 400.0);
    double n = FMA(c, D_LOG2_10, V_ROUNDER) - V_ROUNDER;
    double d = FMA(n, -W_LOG10_2_LO, FMA(n, -W_LOG10_2, c));

    return w_scale(w_exp_core(FMA(d, W_LN10, d * W_LN10_LO)) + 1.0, n);
}

/* ---- logarithms ---- */

/* v_split for denormals, too. */
KERNEL double w_split(double x, double *f)
{
    bool small = x < 0x1p-1022;
    double e = v_split(small ? x * 0x1p54 : x, f);

    return small ? e - 54.0 : e;
}

/* log(1 + f) - f, negated. */
KERNEL double w_log_rest(double f, double low)
{
    double s = f / (2.0 + f);
    double z = s * s;
    double half = 0.5 * f * f;

    return half - FMA(s, half + z * POLY_LOG_D(z), low);
}

KERNEL double w_log(double x)
{
    double f, e = w_split(x, &f);
    double rest = w_log_rest(f, e * W_LN2_REST);

    return v_log_ends(x, FMA(e, W_LN2_SHORT, f - rest));
}

/* log(1 + f) as a sum, the first part with no more than 32 bits, so that it can be multiplied. */
KERNEL double w_log_parts(double f, double *low)
{
    double rest = w_log_rest(f, 0.0);
    double v = f - rest;
    double high = f64_from(f64_bits(v) & 0xffffffffffe00000u);

    *low = (f - high) - rest;
    return high;
}

KERNEL double w_log2(double x)
{
    double f, e = w_split(x, &f);
    double low, high = w_log_parts(f, &low);
    double t = FMA(low, V_LOG2E, high * W_LOG2E_LO);
    double v = FMA(high, V_LOG2E, t);

    return v_log_ends(x, e == 0.0 ? v : e + v);
}

KERNEL double w_log10(double x)
{
    double f, e = w_split(x, &f);
    double low, high = w_log_parts(f, &low);
    double t = FMA(low, V_LOG10E, FMA(high, W_LOG10E_LO, e * W_LOG10_REST));
    double v = FMA(high, V_LOG10E, t);

    return v_log_ends(x, FMA(e, W_LOG10_SHORT, v));
}

KERNEL double w_log1p(double x)
{
    double u = 1.0 + x;
    double part = u - 1.0;
    double error = ((1.0 - (u - part)) + (x - part)) / u;
    double f, e = w_split(u, &f);
    double rest, v;

    f = e == 0.0 ? x : f;
    rest = w_log_rest(f, FMA(e, W_LN2_REST, e == 0.0 ? 0.0 : error));
    v = v_log_ends(u, FMA(e, W_LN2_SHORT, f - rest));
    return x == 0.0 ? x : v;
}

/* log2(x) as high + low, good to about 2^-63; x > 0, finite. */
KERNEL double w_log2_parts(double x, double *low)
{
    double f, e = w_split(x, &f);
    double d = 2.0 + f, d_low = f - (d - 2.0);
    double sh = f / d, sl = (FMA(-sh, d, f) - sh * d_low) / d;
    double zh = sh * sh, zl = FMA(sh, sh, -zh) + 2.0 * sh * sl;
    /* log(1 + f) = s (2 + 2/3 z + z^2 q(z)) */
    double c = W_TWO_3 * zh, c_low = FMA(W_TWO_3, zh, -c) + FMA(W_TWO_3, zl, W_TWO_3_LO * zh);
    double th = 2.0 + c, tl = ((2.0 - th) + c) + FMA(zh * zh, POLY_LOG_REST_D(zh), c_low);
    double lh = sh * th, ll = FMA(sh, th, -lh) + FMA(sh, tl, sl * th);
    double gh = lh * V_LOG2E;
    double gl = FMA(lh, V_LOG2E, -gh) + FMA(lh, W_LOG2E_LO, ll * V_LOG2E);
    double v = e + gh;
    double rest = ((e - v) + gh) + gl; /* up to 2^-13 of v: the q term is in it */
    double high = v + rest;

    *low = (v - high) + rest;
    return high;
}

/* x^(y + y_low) for finite x > 0. */
KERNEL double w_pow_parts(double x, double y, double y_low)
{
    double low, high = w_log2_parts(x, &low);
    double ph = y * high, pl = FMA(y, high, -ph) + FMA(y, low, y_low * high);
    double n, d;

    /* Beyond the range the second part does not matter, and may be no number. */
    pl = fabs(ph) < 1200.0 ? pl : 0.0;
    ph = v_clamp(ph, 1200.0);
    n = (ph + V_ROUNDER) - V_ROUNDER;
    d = (ph - n) + pl;
    return w_scale(w_exp_core(FMA(d, V_LN2, d * W_LN2_LO)) + 1.0, n);
}

/* |x|^y, 0 and infinity among the x. */
KERNEL double w_pow_size(double x, double y, double y_low)
{
    double a = fabs(x), v = w_pow_parts(a, y, y_low);
    double end = (a == 0.0) != (y < 0.0) ? 0.0 : (double)INFINITY;

    v = (a == 0.0) | (a == (double)INFINITY) ? (y == 0.0 ? D_NAN : end) : v;
    return (x != x) | (y != y) ? D_NAN : v;
}

KERNEL double w_pow(double x, double y)
{
    double v = w_pow_size(x, y, 0.0);
    bool whole = rint(y) == y, odd = whole & (rint(y * 0.5) != y * 0.5);
    /* 1 to any power, -1 to an infinite one, anything to 0 */
    bool one = (x == 1.0) | (y == 0.0) | ((x == -1.0) & (fabs(y) == (double)INFINITY));

    v = odd ? v_flip(v, x) : v;
    v = (x < 0.0) & (x > -(double)INFINITY) & !whole ? D_NAN : v;
    return one ? 1.0 : v;
}

KERNEL double w_powr(double x, double y)
{
    double v = w_pow_size(x, y, 0.0);

    return x < 0.0 ? D_NAN : v;
}

KERNEL double w_pown(double x, int32_t n)
{
    double v = w_pow_size(x, (double)n, 0.0);

    v = (n & 1) != 0 ? v_flip(v, x) : v;
    return n == 0 ? 1.0 : v;
}

KERNEL double w_rootn(double x, int32_t n)
{
    double d = (double)n, y = 1.0 / d;
    double v = w_pow_size(x, y, FMA(-y, d, 1.0) / d);
    bool odd = (n & 1) != 0;

    v = odd ? v_flip(v, x) : v;
    return (n == 0) | (!odd & (x < 0.0)) ? D_NAN : v;
}

/* From a guess by the exponent, through the inverse root, which needs no division. */
KERNEL double w_cbrt(double x)
{
    double a = fabs(x);
    bool small = a < 0x1p-1022;
    double b = small ? a * 0x1p54 : a;
    double y = f64_from(0x553eee4feaaaac00u - ((f64_bits(b) >> 32) * 0x55555556u));
    double c, v;

    c = FMA(-(b * y), y * y, 1.0);
    y = FMA(y * c, FMA(c, FMA(c, 0x1.61f9add3c0ca4p-3, 0x1.c71c71c71c71cp-3), 0x1.5555555555555p-2),
            y);
    c = FMA(-(b * y), y * y, 1.0);
    y = FMA(y * c, FMA(c, FMA(c, 0x1.61f9add3c0ca4p-3, 0x1.c71c71c71c71cp-3), 0x1.5555555555555p-2),
            y);
    v = b * y * y;
    v = FMA(FMA(-(v * v), v, b) * (y * y), 0x1.5555555555555p-2, v);
    v = small ? v * 0x1p-18 : v;
    return (a > 0.0) & (a < (double)INFINITY) ? copysign(v, x) : x;
}

/* ---- circular functions, |x| < 2^30; larger ones are the caller's ---- */

KERNEL bool w_is_near(double x)
{
    return !(fabs(x) >= 0x1p30); /* a NaN gives a NaN */
}

/* x = q pi/2 + r + low. */
KERNEL uint64_t w_quarter(double x, double *r, double *low)
{
    double rounded = FMA(x, V_2_PI, V_ROUNDER);
    double n = rounded - V_ROUNDER;
    double first = FMA(n, -V_PIO2_HI, x); /* exact */
    double t = n * V_PIO2_LO, t_low = FMA(n, V_PIO2_LO, -t);
    double v = first - t, part = first - v;

    *r = v;
    *low = ((first - (v + part)) + (part - t)) - FMA(n, W_PIO2_LAST, t_low);
    return f64_bits(rounded);
}

KERNEL double w_sin_core(double r, double low)
{
    double z = r * r;

    return r + FMA(r * z, POLY_SIN_D(z), low * FMA(z, -0.5, 1.0));
}

KERNEL double w_cos_core(double r, double low)
{
    double z = r * r, half = 0.5 * z;
    double w = 1.0 - half;

    return w + FMA(z * z, POLY_COS_D(z), FMA(-r, low, (1.0 - w) - half));
}

KERNEL double w_turned(uint64_t q, double r, double low)
{
    double v = (q & 1u) != 0 ? w_cos_core(r, low) : w_sin_core(r, low);

    return f64_from(f64_bits(v) ^ ((q & 2u) << 62));
}

KERNEL double w_sin(double x)
{
    double r, low;
    uint64_t q = w_quarter(x, &r, &low);

    return x == 0.0 ? x : w_turned(q, r, low);
}

KERNEL double w_cos(double x)
{
    double r, low;
    uint64_t q = w_quarter(x, &r, &low);

    return w_turned(q + 1u, r, low);
}

KERNEL double w_tan(double x)
{
    double r, low;
    uint64_t q = w_quarter(x, &r, &low);
    double s = w_sin_core(r, low), c = w_cos_core(r, low);
    double v = (q & 1u) != 0 ? -c / s : s / c;

    return x == 0.0 ? x : v;
}

/* ---- hyperbolic functions ---- */

/* e^a / 2 in two steps, for a past where e^a itself overflows. */
KERNEL double w_half_exp(double a)
{
    double t = w_exp(0.5 * a);

    return 0.5 * t * t;
}

KERNEL double w_sinh(double x)
{
    double a = fabs(x), e = w_expm1(a);
    double v = (e + e / (e + 1.0)) * 0.5;

    return copysign(a > 700.0 ? w_half_exp(a) : v, x);
}

KERNEL double w_cosh(double x)
{
    double a = fabs(x), e = w_exp(a);
    double v = (e + 1.0 / e) * 0.5;

    return a > 700.0 ? w_half_exp(a) : v;
}

KERNEL double w_tanh(double x)
{
    double e = w_expm1(v_clamp(fabs(x), 30.0) * 2.0);

    return copysign(e / (e + 2.0), x);
}

/* From 2^100 on, log1p(a) is log(a), and the functions are log(2 a). */
KERNEL double w_asinh(double x)
{
    double a = fabs(x);
    bool far = a > 0x1p100;
    double s = far ? 0.0 : a * a;
    double v = w_log1p(a + s / (1.0 + sqrt(1.0 + s))) + (far ? V_LN2 : 0.0);

    return x == 0.0 ? x : copysign(v, x);
}

KERNEL double w_acosh(double x)
{
    bool far = x > 0x1p100;
    double t = x - 1.0, b = far ? 0.0 : t;
    double v = w_log1p(t + sqrt(b * (b + 2.0))) + (far ? V_LN2 : 0.0);

    return x < 1.0 ? D_NAN : v;
}

KERNEL double w_atanh(double x)
{
    double a = fabs(x);

    return copysign(0.5 * w_log1p((a + a) / (1.0 - a)), x);
}

/* ---- inverse circular functions ---- */

/* The arc tangent of a / b for a, b >= 0, not both 0 or infinite, with room for a + b. */
KERNEL double w_atan_ratio(double a, double b)
{
    bool low = a<b * 0x1.a827999fcef32p-2, high = a> b * 0x1.3504f333f9de6p+1;
    double num = low ? a : (high ? -b : a - b);
    double den = low ? b : (high ? a : a + b);
    double base = low ? 0.0 : (high ? V_PIO2_HI : V_PIO2_HI * 0.5);
    double rest = low ? 0.0 : (high ? V_PIO2_LO : V_PIO2_LO * 0.5);
    double t = num / den, z = t * t;

    return base + (FMA(t * z, POLY_ATAN_D(z), rest) + t);
}

KERNEL double w_atan(double x)
{
    double a = fabs(x);
    double v = w_atan_ratio(a < 0x1p100 ? a : 0x1p100, 1.0);

    return x == x ? copysign(v, x) : x;
}

KERNEL double w_atan2(double y, double x)
{
    double ax = fabs(x), ay = fabs(y);
    double big = ax > ay ? ax : ay;
    /* Keep the sum finite and the products with it normal. */
    double scale = big > 0x1p900 ? 0x1p-200 : (big < 0x1p-700 ? 0x1p200 : 1.0);
    double a = ay * scale, b = ax * scale, v;
    bool ends = big == (double)INFINITY;

    a = ends ? (ay == big ? 1.0 : 0.0) : a;
    b = ends ? (ax == big ? 1.0 : 0.0) : b;
    b = big == 0.0 ? 1.0 : b;
    v = w_atan_ratio(a, b);
    v = v_negative(x) ? D_PI_HI - (v - D_PI_LO) : v;
    return ((x != x) | (y != y)) ? D_NAN : copysign(v, y);
}

KERNEL double w_asin_core(double t, double z)
{
    return FMA(t * z, POLY_ASIN_D(z), t);
}

KERNEL double w_asin(double x)
{
    double a = fabs(x);
    double z = a > 0.5 ? (1.0 - a) * 0.5 : a * a;
    double p = w_asin_core(a > 0.5 ? sqrt(z) : a, z);

    return copysign(a > 0.5 ? V_PIO2_HI - FMA(p, 2.0, -V_PIO2_LO) : p, x);
}

KERNEL double w_acos(double x)
{
    double a = fabs(x);
    double z = a > 0.5 ? (1.0 - a) * 0.5 : a * a;
    double p = w_asin_core(a > 0.5 ? sqrt(z) : x, z);
    double far = v_negative(x) ? D_PI_HI - FMA(p, 2.0, -D_PI_LO) : p + p;

    return a > 0.5 ? far : V_PIO2_HI - (p - V_PIO2_LO);
}

KERNEL double w_over_pi(double v)
{
    double q = FMA(v, D_1_PI_HI, v * D_1_PI_LO);

    return v == 0.0 ? v : q;
}

KERNEL double w_atanpi(double x)
{
    return w_over_pi(w_atan(x));
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
    double rounded = FMA(m, 2.0, V_ROUNDER);
    double d = FMA(rounded - V_ROUNDER, -0.5, m);

    *r = d * D_PI_HI;
    *low = FMA(d, D_PI_HI, -*r) + d * D_PI_LO;
    return f64_bits(rounded);
}

KERNEL double w_sinpi(double x)
{
    double r, low;
    uint64_t q = w_half_turns(x, &r, &low);
    double v = w_turned(q, r, low);

    return v_flip(v == 0.0 ? 0.0 : v, x);
}

KERNEL double w_cospi(double x)
{
    double r, low;
    uint64_t q = w_half_turns(x, &r, &low);

    return w_turned(q + 1u, r, low) + 0.0; /* no -0 */
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
KERNEL double w_hypot(double x, double y)
{
    double ax = fabs(x), ay = fabs(y);
    double big = ax > ay ? ax : ay, less = ax > ay ? ay : ax;
    double scale = big > 0x1p500 ? 0x1p-600 : (big < 0x1p-400 ? 0x1p600 : 1.0);
    double back = big > 0x1p500 ? 0x1p600 : (big < 0x1p-400 ? 0x1p-600 : 1.0);
    double u = big * scale, w = less * scale;
    double v = sqrt(FMA(u, u, w * w)) * back;

    v = x != x || y != y ? D_NAN : v;
    return ax == (double)INFINITY || ay == (double)INFINITY ? (double)INFINITY : v;
}

#endif
