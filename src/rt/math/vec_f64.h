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
static inline double w_pow2(double n, double *second)
{
    double rounded = FMA(n, 0.5, V_ROUNDER);

    *second = v_pow2((n - (rounded - V_ROUNDER)) + V_ROUNDER);
    return v_pow2(rounded);
}

/* e^r - 1 for |r| <= ln(2) / 2. */
static inline double w_exp_core(double r)
{
    return FMA(r * r, POLY_EXP_D(r), r);
}

static inline double w_scale(double p, double n)
{
    double f2, f1 = w_pow2(n, &f2);

    return FMA(f1, p, f1) * f2;
}

static inline double w_reduce_exp(double x, double *n)
{
    *n = FMA(x, V_LOG2E, V_ROUNDER) - V_ROUNDER;
    return FMA(*n, -W_LN2_LO, FMA(*n, -V_LN2, x)); /* the inner one is exact */
}

static inline double w_exp(double x)
{
    double n, r = w_reduce_exp(v_clamp(x, 1200.0), &n);

    return w_scale(w_exp_core(r), n);
}

static inline double w_expm1(double x)
{
    double n, r = w_reduce_exp(v_clamp(x, 1200.0), &n);
    double p = w_exp_core(r);
    double f2, f1 = w_pow2(n, &f2);
    /* 2^n p + 2^n - 1, with the second factor taken out. */
    double v = FMA(f1, p, f1 - 1.0 / f2) * f2;

    v = x == 0.0 ? x : v;
    return x < -40.0 ? -1.0 : v;
}

static inline double w_exp2(double x)
{
    double c = v_clamp(x, 1200.0);
    double n = (c + V_ROUNDER) - V_ROUNDER;
    double d = c - n;

    return w_scale(w_exp_core(FMA(d, V_LN2, d * W_LN2_LO)), n);
}

static inline double w_exp10(double x)
{
    double c = v_clamp(x, 400.0);
    double n = FMA(c, D_LOG2_10, V_ROUNDER) - V_ROUNDER;
    double d = FMA(n, -W_LOG10_2_LO, FMA(n, -W_LOG10_2, c));

    return w_scale(w_exp_core(FMA(d, W_LN10, d * W_LN10_LO)), n);
}

/* ---- logarithms ---- */

/* v_split for denormals, too. */
static inline double w_split(double x, double *f)
{
    bool small = x < 0x1p-1022;
    double e = v_split(small ? x * 0x1p54 : x, f);

    return small ? e - 54.0 : e;
}

/* log(1 + f) - f, negated. */
static inline double w_log_rest(double f, double low)
{
    double s = f / (2.0 + f);
    double z = s * s;
    double half = 0.5 * f * f;

    return half - FMA(s, half + z * POLY_LOG_D(z), low);
}

static inline double w_log(double x)
{
    double f, e = w_split(x, &f);
    double rest = w_log_rest(f, e * W_LN2_REST);

    return v_log_ends(x, FMA(e, W_LN2_SHORT, f - rest));
}

/* log(1 + f) as a sum, the first part with no more than 32 bits, so that it can be multiplied. */
static inline double w_log_parts(double f, double *low)
{
    double rest = w_log_rest(f, 0.0);
    double v = f - rest;
    double high = f64_from(f64_bits(v) & 0xffffffffffe00000u);

    *low = (f - high) - rest;
    return high;
}

static inline double w_log2(double x)
{
    double f, e = w_split(x, &f);
    double low, high = w_log_parts(f, &low);
    double t = FMA(low, V_LOG2E, high * W_LOG2E_LO);
    double v = FMA(high, V_LOG2E, t);

    return v_log_ends(x, e == 0.0 ? v : e + v);
}

static inline double w_log10(double x)
{
    double f, e = w_split(x, &f);
    double low, high = w_log_parts(f, &low);
    double t = FMA(low, V_LOG10E, FMA(high, W_LOG10E_LO, e * W_LOG10_REST));
    double v = FMA(high, V_LOG10E, t);

    return v_log_ends(x, FMA(e, W_LOG10_SHORT, v));
}

static inline double w_log1p(double x)
{
    double u = 1.0 + x;
    double part = u - 1.0;
    double error = (1.0 - (u - part)) + (x - part);
    double f, e = w_split(u, &f);
    double rest, v;

    f = e == 0.0 ? x : f;
    rest = w_log_rest(f, FMA(e, W_LN2_REST, e == 0.0 ? 0.0 : error / u));
    v = v_log_ends(u, FMA(e, W_LN2_SHORT, f - rest));
    return x == 0.0 ? x : v;
}

/* log2(x) as high + low, good to about 2^-63; x > 0, finite. */
static inline double w_log2_parts(double x, double *low)
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
static inline double w_pow_parts(double x, double y, double y_low)
{
    double low, high = w_log2_parts(x, &low);
    double ph = y * high, pl = FMA(y, high, -ph) + FMA(y, low, y_low * high);
    double n, d;

    /* Beyond the range the second part does not matter, and may be no number. */
    pl = fabs(ph) < 1200.0 ? pl : 0.0;
    ph = v_clamp(ph, 1200.0);
    n = (ph + V_ROUNDER) - V_ROUNDER;
    d = (ph - n) + pl;
    return w_scale(w_exp_core(FMA(d, V_LN2, d * W_LN2_LO)), n);
}

static inline double w_pow(double x, double y)
{
    return w_pow_parts(x, y, 0.0);
}

static inline double w_root(double x, double n)
{
    double y = 1.0 / n;

    return w_pow_parts(x, y, FMA(-y, n, 1.0) / n);
}

static inline double w_cbrt(double x)
{
    double v = copysign(w_pow_parts(fabs(x), 0x1.5555555555555p-2, 0x1.5555555555555p-56), x);

    return x == 0.0 || !(fabs(x) < (double)INFINITY) ? x : v;
}

/* ---- circular functions, |x| < 2^30 ---- */

/* x = q pi/2 + r + low. */
static inline uint64_t w_quarter(double x, double *r, double *low)
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

static inline double w_sin_core(double r, double low)
{
    double z = r * r;

    return r + FMA(r * z, POLY_SIN_D(z), low * FMA(z, -0.5, 1.0));
}

static inline double w_cos_core(double r, double low)
{
    double z = r * r, half = 0.5 * z;
    double w = 1.0 - half;

    return w + FMA(z * z, POLY_COS_D(z), FMA(-r, low, (1.0 - w) - half));
}

static inline double w_turned(uint64_t q, double r, double low)
{
    double v = (q & 1u) != 0 ? w_cos_core(r, low) : w_sin_core(r, low);

    return f64_from(f64_bits(v) ^ ((q & 2u) << 62));
}

static inline double w_sin(double x)
{
    double r, low;
    uint64_t q = w_quarter(x, &r, &low);

    return x == 0.0 ? x : w_turned(q, r, low);
}

static inline double w_cos(double x)
{
    double r, low;
    uint64_t q = w_quarter(x, &r, &low);

    return w_turned(q + 1u, r, low);
}

static inline double w_tan(double x)
{
    double r, low;
    uint64_t q = w_quarter(x, &r, &low);
    double s = w_sin_core(r, low), c = w_cos_core(r, low);
    double v = (q & 1u) != 0 ? -c / s : s / c;

    return x == 0.0 ? x : v;
}

/* ---- hyperbolic functions ---- */

/* e^a / 2 in two steps, for a past where e^a itself overflows. */
static inline double w_half_exp(double a)
{
    double t = w_exp(0.5 * a);

    return 0.5 * t * t;
}

static inline double w_sinh(double x)
{
    double a = fabs(x), e = w_expm1(a);
    double v = (e + e / (e + 1.0)) * 0.5;

    return copysign(a > 700.0 ? w_half_exp(a) : v, x);
}

static inline double w_cosh(double x)
{
    double a = fabs(x), e = w_exp(a);
    double v = (e + 1.0 / e) * 0.5;

    return a > 700.0 ? w_half_exp(a) : v;
}

static inline double w_tanh(double x)
{
    double e = w_expm1(v_clamp(fabs(x), 30.0) * 2.0);

    return copysign(e / (e + 2.0), x);
}

/* sqrt(x^2 + y^2) with both brought near one first. */
static inline double w_hypot(double x, double y)
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
