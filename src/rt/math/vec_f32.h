/* rt/math/vec_f32.h -- branch-free mathematics for float and half, computed in double.
 *
 * A double has more than twice a float's digits and a far wider range. So denormals, overflow and
 * cancellation need no paths of their own: the one rounding to float at the end does them. What is
 * left is straight code that compilers turn into vectors. For all functions: operands are floats
 * widened, the result is good to about 2^-28.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_VEC_F32_H
#define HD_RT_MATH_VEC_F32_H

#include "rt/math/poly.h"
#include "rt/math/scalar.h"
#include "rt/math/tables.h"

/* A call in a loop would keep it from becoming vectors. */
#ifndef KERNEL
#define KERNEL static inline __attribute__((always_inline))
#endif

/* FMA rounds once. MAD may round twice: it is what the machine is quick at. */
#if defined(HD_TRANSLATE)
#define FMA(a, b, c)  __builtin_fma(a, b, c)
#define FMAF(a, b, c) __builtin_fmaf(a, b, c)
#define MAD(a, b, c)  mad(a, b, c)
#define MADF(a, b, c) madf(a, b, c)
#elif defined(HD_NO_FMA)
#define FMA(a, b, c)  w_fma_soft(a, b, c)
#define FMAF(a, b, c) s_fma_soft(a, b, c)
#define MAD(a, b, c)  ((a) * (b) + (c))
#define MADF(a, b, c) ((a) * (b) + (c))
#else
#define FMA(a, b, c)  __builtin_fma(a, b, c)
#define FMAF(a, b, c) __builtin_fmaf(a, b, c)
#define MAD(a, b, c)  __builtin_fma(a, b, c)
#define MADF(a, b, c) __builtin_fmaf(a, b, c)
#endif

/* Adding this leaves the nearest integer in the low bits. */
#define V_ROUNDER 0x1.8p52
#define V_LN2     0x1.62e42fefa39efp-1
#define V_LOG2E   0x1.71547652b82fep+0
#define V_LOG10E  0x1.bcb7b1526e50ep-2
#define V_PIO2_HI 0x1.921fb54442d18p+0
#define V_PIO2_LO 0x1.1a62633145c07p-54
#define V_2_PI    0x1.45f306dc9c883p-1

/* v, its sign turned if x has one. signbit() would keep loops from becoming vectors. */
KERNEL double v_flip(double v, double x)
{
    return hd_f64_from(hd_f64_bits(v) ^ (hd_f64_bits(x) & 0x8000000000000000u));
}

KERNEL bool v_negative(double x)
{
    return copysign(1.0, x) < 0.0;
}

/* ---- machines without a fused multiply-add ---- */

/* The product is exact in double. */
KERNEL float s_fma_soft(float a, float b, float c)
{
    return (float)((double)a * (double)b + (double)c);
}

/* The product in two parts, from halves of the factors; the sum in two parts. Exact where a fused
 * one would be, but for products beyond the range. */
KERNEL double w_fma_soft(double a, double b, double c)
{
    double ah = hd_f64_from(hd_f64_bits(a) & 0xfffffffff8000000u), al = a - ah;
    double bh = hd_f64_from(hd_f64_bits(b) & 0xfffffffff8000000u), bl = b - bh;
    double p = a * b, e = ((ah * bh - p) + ah * bl + al * bh) + al * bl;
    double s = p + c, t = s - p;
    double rest = ((p - (s - t)) + (c - t)) + e;

    return ((fabs(s) < (double)INFINITY) & (rest != 0.0)) ? s + rest : s; /* -0 stays -0 */
}

/* One of sixteen, by the last four bits of i. */
static inline __attribute__((always_inline)) float s_lookup(const float *table, uint32_t i)
{
    return table[i & 15u];
}

static inline __attribute__((always_inline)) double w_lookup(const double *table, uint64_t i)
{
    return table[i & 15u];
}

/* ---- what AVX-512 has instructions for: translate.py, NATIVE ---- */

/* |x| = m 2^e with m between 3/4 and 3/2: m. Of 0 and infinity, 1. */
KERNEL float s_mant(float x)
{
    float a = fabsf(x);
    uint32_t u = hd_f32_bits(a < 0x1p-126f ? a * 0x1p24f : a);

    return hd_f32_from(u - ((u - 0x3f400000u) & 0xff800000u));
}

KERNEL double w_mant(double x)
{
    double a = fabs(x);
    uint64_t u = hd_f64_bits(a < 0x1p-1022 ? a * 0x1p54 : a);

    return hd_f64_from(u - ((u - 0x3fe8000000000000u) & 0xfff0000000000000u));
}

/* And e; of 0 minus infinity, of infinity and NaN themselves. */
KERNEL float s_expo(float x)
{
    float a = fabsf(x);
    bool small = a < 0x1p-126f;
    uint32_t u = hd_f32_bits(small ? a * 0x1p24f : a);
    float e = (float)((int32_t)(u - 0x3f400000u) >> 23) - (small ? 24.0f : 0.0f);

    e = a == 0.0f ? -INFINITY : e;
    return a < INFINITY ? e : a;
}

KERNEL double w_expo(double x)
{
    double a = fabs(x);
    bool small = a < 0x1p-1022;
    uint64_t u = hd_f64_bits(small ? a * 0x1p54 : a) + (0x3ff0000000000000u - 0x3fe8000000000000u);
    double e =
        hd_f64_from((u >> 52) | 0x4330000000000000u) - (small ? 0x1p52 + 1077.0 : 0x1p52 + 1023.0);

    e = a == 0.0 ? -(double)INFINITY : e;
    return a < (double)INFINITY ? e : a;
}

/* The square root of x > 0, not huge or tiny, from a guess g of 1 / sqrt(x) good to 2^-14. */
KERNEL float s_root_from(float x, float g)
{
    float v = x * g;

    return MADF(MADF(-v, v, x), g * 0.5f, v);
}

KERNEL double w_root_from(double x, double g)
{
    double v = x * g;
    double e = MAD(-v, g, 1.0); /* to the fourth, nothing is left */

    return MAD(v * e, MAD(MAD(e, 0.3125, 0.375), e, 0.5), v);
}

KERNEL float s_root(float x)
{
    return sqrtf(x);
}

KERNEL double w_root(double x)
{
    return sqrt(x);
}

/* 1 / x likewise, from a guess of it. */
KERNEL float s_inverse_from(float x, float g)
{
    return MADF(MADF(-x, g, 1.0f), g, g);
}

KERNEL double w_inverse_from(double x, double g)
{
    double c = MAD(-x, g, 1.0), v = MAD(c, g, g);

    return MAD(MAD(-x, v, 1.0), v, v);
}

KERNEL float s_inverse(float x)
{
    return 1.0f / x;
}

KERNEL double w_inverse(double x)
{
    return 1.0 / x;
}

/* x less the nearest whole number; of infinities anything. */
KERNEL float s_part(float x)
{
    return x - rintf(x);
}

KERNEL double w_part(double x)
{
    return x - rint(x);
}

/* Between -1 and 1; of NaN anything. */
KERNEL float s_within_one(float x)
{
    x = x > 1.0f ? 1.0f : x;
    return x < -1.0f ? -1.0f : x;
}

KERNEL double w_within_one(double x)
{
    x = x > 1.0 ? 1.0 : x;
    return x < -1.0 ? -1.0 : x;
}

#ifdef HD_TRANSLATE
KERNEL float s_part_native(float x)
{
    return s_reduce(x);
}

KERNEL double w_part_native(double x)
{
    return w_reduce(x);
}

KERNEL float s_within_one_native(float x)
{
    return s_range(x, 1.0f);
}

KERNEL double w_within_one_native(double x)
{
    return w_range(x, 1.0);
}

KERNEL float s_mant_native(float x)
{
    return s_getmant(x);
}

KERNEL double w_mant_native(double x)
{
    return w_getmant(x);
}

KERNEL float s_expo_native(float x)
{
    return s_getexp(x) - s_getexp(s_getmant(x));
}

KERNEL double w_expo_native(double x)
{
    return w_getexp(x) - w_getexp(w_getmant(x));
}

KERNEL float s_root_native(float x)
{
    return s_root_from(x, s_guess_rsqrt(x));
}

KERNEL double w_root_native(double x)
{
    return w_root_from(x, w_guess_rsqrt(x));
}

KERNEL float s_inverse_native(float x)
{
    return s_inverse_from(x, s_guess_inverse(x));
}

KERNEL double w_inverse_native(double x)
{
    return w_inverse_from(x, w_guess_inverse(x));
}
#endif

/* 2^n as a factor; n is in the low bits of a rounded number, |n| < 1022. */
KERNEL double v_pow2(double rounded)
{
    return hd_f64_from((hd_f64_bits(rounded) + 1023u) << 52);
}

KERNEL double v_clamp(double x, double limit)
{
    x = x > limit ? limit : x;
    return x < -limit ? -limit : x; /* a NaN stays */
}

/* e^x = factor (1 + rest). */
KERNEL double v_exp_parts(double x, double *factor)
{
    double rounded = MAD(x, V_LOG2E, V_ROUNDER);
    double r = MAD(rounded - V_ROUNDER, -V_LN2, x);

    *factor = v_pow2(rounded);
    return MAD(r * r, POLY_EXP(r), r);
}

KERNEL double v_exp(double x)
{
    double f, p = v_exp_parts(v_clamp(x, 700.0), &f);

    return MAD(f, p, f);
}

KERNEL double v_expm1(double x)
{
    double f, p = v_exp_parts(v_clamp(x, 700.0), &f);
    double v = MAD(f, p, f - 1.0);

    return x == 0.0 ? x : v;
}

/* 2^x; whole x give exact powers. */
KERNEL double v_exp2(double x)
{
    double c = v_clamp(x, 1000.0);
    double rounded = c + V_ROUNDER;
    double r = (c - (rounded - V_ROUNDER)) * V_LN2;
    double f = v_pow2(rounded);

    return MAD(f, MAD(r * r, POLY_EXP(r), r), f);
}

KERNEL double v_exp10(double x)
{
    return v_exp2(v_clamp(x, 300.0) * D_LOG2_10);
}

/* x = 2^e (1 + f), 1 + f between sqrt(1/2) and sqrt(2). For x > 0, finite. */
KERNEL double v_split(double x, double *f)
{
    uint64_t u = hd_f64_bits(x);
    uint64_t t = u - 0x3fe6a09e667f3bcdu + 0x3ff0000000000000u;
    double e = hd_f64_from((t >> 52) | 0x4330000000000000u) - (0x1p52 + 1023.0);

    *f = hd_f64_from(u - (t & 0xfff0000000000000u) + 0x3ff0000000000000u) - 1.0;
    return e;
}

/* log(1 + f) for f of v_split. */
KERNEL double v_log_core(double f)
{
    double s = f / (2.0 + f);
    double z = s * s;

    return MAD(s * z, POLY_LOG(z), s + s);
}

KERNEL double v_log_core_long(double f)
{
    double s = f / (2.0 + f);
    double z = s * s;

    return MAD(s * z, POLY_LOG_D(z), s + s);
}

/* The ends of a logarithm's range. */
KERNEL double v_log_ends(double x, double v)
{
    v = x == 0.0 ? -(double)INFINITY : v;
    v = x < 0.0 ? D_NAN : v;
    return x < (double)INFINITY ? v : x; /* +infinity, NaN */
}

KERNEL double v_log(double x)
{
    double f, e = v_split(x, &f);

    return v_log_ends(x, MAD(e, V_LN2, v_log_core(f)));
}

KERNEL double v_log2(double x)
{
    double f, e = v_split(x, &f);

    return v_log_ends(x, MAD(v_log_core(f), V_LOG2E, e));
}

KERNEL double v_log10(double x)
{
    double f, e = v_split(x, &f);

    return v_log_ends(x, MAD(v_log_core(f), V_LOG10E, e * (V_LN2 * V_LOG10E)));
}

KERNEL double v_log1p(double x)
{
    double f, e = v_split(1.0 + x, &f);
    double v;

    f = e == 0.0 ? x : f; /* 1 + x may have dropped bits that matter then */
    v = v_log_ends(1.0 + x, MAD(e, V_LN2, v_log_core(f)));
    return x == 0.0 ? x : v;
}

/* log2 good to 2^-50, for powers. */
KERNEL double v_log2_long(double x)
{
    double f, e = v_split(x, &f);

    return MAD(v_log_core_long(f), V_LOG2E, e);
}

/* x^y for finite x > 0; the other x are the caller's. */
KERNEL double v_pow(double x, double y)
{
    return v_exp2(y * v_log2_long(x));
}

KERNEL double v_cbrt(double x)
{
    double v = copysign(v_exp2(v_log2_long(fabs(x)) * (1.0 / 3.0)), x);

    return x == 0.0 || !(fabs(x) < (double)INFINITY) ? x : v;
}

/* Circular functions, for |x| < 2^40; larger ones are the caller's. */

KERNEL double v_sin_core(double r)
{
    double z = r * r;

    return MAD(r * z, POLY_SIN(z), r);
}

KERNEL double v_cos_core(double r)
{
    double z = r * r;

    return MAD(z * z, POLY_COS(z), MAD(z, -0.5, 1.0));
}

/* x = q pi/2 + r. Returns the number whose low bits hold q. */
KERNEL uint64_t v_quarter(double x, double *r)
{
    double rounded = MAD(x, V_2_PI, V_ROUNDER);
    double n = rounded - V_ROUNDER;

    *r = FMA(n, -V_PIO2_LO, FMA(n, -V_PIO2_HI, x));
    return hd_f64_bits(rounded);
}

/* The sine of q quarter turns and r. */
KERNEL double v_turned(uint64_t q, double r)
{
    double v = (q & 1u) != 0 ? v_cos_core(r) : v_sin_core(r);

    return hd_f64_from(hd_f64_bits(v) ^ ((q & 2u) << 62));
}

KERNEL double v_sin(double x)
{
    double r;
    uint64_t q = v_quarter(x, &r);

    return x == 0.0 ? x : v_turned(q, r);
}

KERNEL double v_cos(double x)
{
    double r;
    uint64_t q = v_quarter(x, &r);

    return v_turned(q + 1u, r);
}

KERNEL double v_tan(double x)
{
    double r;
    uint64_t q = v_quarter(x, &r);
    double s = v_sin_core(r), c = v_cos_core(r);
    double v = (q & 1u) != 0 ? -c / s : s / c;

    return x == 0.0 ? x : v;
}

/* |x| in half turns: q quarter turns and r, exact. Floats from 2^24 on are even. */
KERNEL uint64_t v_half_turns(double x, double *r)
{
    double a = fabs(x);
    double b = a >= 0x1p24 ? a - a : a; /* an infinity becomes a NaN */
    double rounded = b * 2.0 + V_ROUNDER;

    *r = (b - (rounded - V_ROUNDER) * 0.5) * D_PI_HI;
    return hd_f64_bits(rounded);
}

KERNEL double v_sinpi(double x)
{
    double r;
    uint64_t q = v_half_turns(x, &r);
    double v = v_turned(q, r);

    return v_flip(v == 0.0 ? 0.0 : v, x);
}

KERNEL double v_cospi(double x)
{
    double r;
    uint64_t q = v_half_turns(x, &r);

    return v_turned(q + 1u, r) + 0.0; /* no -0 */
}

KERNEL double v_tanpi(double x)
{
    double r;
    uint64_t q = v_half_turns(x, &r);
    double s = v_sin_core(r), c = v_cos_core(r);
    double v = (q & 1u) != 0 ? -c / s : s / c;
    double zero = (q & 2u) != 0 ? -0.0 : 0.0, pole = (q & 2u) != 0 ? -INFINITY : INFINITY;

    v = r == 0.0 ? ((q & 1u) != 0 ? pole : zero) : v;
    return v_flip(v, x);
}

/* Inverse circular functions. */

KERNEL double v_atan_core(double t)
{
    double z = t * t;

    return MAD(t * z, POLY_ATAN(z), t);
}

KERNEL double v_atan(double x)
{
    double a = fabs(x);
    double p = v_atan_core(a > 1.0 ? 1.0 / a : a);

    return copysign(a > 1.0 ? V_PIO2_HI - p : p, x);
}

KERNEL double v_atan2(double y, double x)
{
    double ax = fabs(x), ay = fabs(y);
    double big = ax > ay ? ax : ay, less = ax > ay ? ay : ax;
    double t = less / big, p;

    t = big == 0.0 ? 0.0 : t;
    t = less == (double)INFINITY ? 1.0 : t;
    p = v_atan_core(t);
    p = ay > ax ? V_PIO2_HI - p : p;
    p = v_negative(x) ? D_PI_HI - p : p;
    p = copysign(p, y);
    return x != x || y != y ? D_NAN : p;
}

KERNEL double v_asin_core(double t, double z)
{
    return MAD(t * z, POLY_ASIN(z), t);
}

KERNEL double v_asin(double x)
{
    double a = fabs(x);
    double z = a > 0.5 ? (1.0 - a) * 0.5 : a * a;
    double p = v_asin_core(a > 0.5 ? sqrt(z) : a, z);

    return copysign(a > 0.5 ? MAD(p, -2.0, V_PIO2_HI) : p, x);
}

KERNEL double v_acos(double x)
{
    double a = fabs(x);
    double z = a > 0.5 ? (1.0 - a) * 0.5 : a * a;
    double p = v_asin_core(a > 0.5 ? sqrt(z) : x, z);
    double far = v_negative(x) ? MAD(p, -2.0, D_PI_HI) : p + p;

    return a > 0.5 ? far : V_PIO2_HI - p;
}

KERNEL double v_atanpi(double x)
{
    return v_atan(x) * D_1_PI_HI;
}

KERNEL double v_atan2pi(double y, double x)
{
    return v_atan2(y, x) * D_1_PI_HI;
}

KERNEL double v_asinpi(double x)
{
    return v_asin(x) * D_1_PI_HI;
}

KERNEL double v_acospi(double x)
{
    return v_acos(x) * D_1_PI_HI;
}

/* Hyperbolic functions and their inverses. */

KERNEL double v_sinh(double x)
{
    double e = v_expm1(fabs(x));

    return copysign((e + e / (e + 1.0)) * 0.5, x);
}

KERNEL double v_cosh(double x)
{
    double e = v_exp(fabs(x));

    return (e + 1.0 / e) * 0.5;
}

KERNEL double v_tanh(double x)
{
    double e = v_expm1(v_clamp(fabs(x), 20.0) * 2.0);

    return copysign(e / (e + 2.0), x);
}

KERNEL double v_asinh(double x)
{
    double a = fabs(x);
    double s = a * a;

    s = v_log1p(a + s / (1.0 + sqrt(1.0 + s)));
    return a < (double)INFINITY ? copysign(s, x) : x;
}

KERNEL double v_acosh(double x)
{
    double t = x - 1.0;
    double v = v_log1p(t + sqrt(t * (t + 2.0)));

    return x < 1.0 ? D_NAN : v;
}

KERNEL double v_atanh(double x)
{
    double a = fabs(x);

    return copysign(0.5 * v_log1p((a + a) / (1.0 - a)), x);
}

/* Error functions. */

/* erfc(a) for a >= 0. */
KERNEL double v_erfc_core(double a)
{
    double x = a > 10.6 ? 10.6 : a; /* 0 in float and half from 10.06 on */
    double z = 2.0 / (2.0 + x) - 0.625;

    return v_exp(-x * x) * POLY_ERFC(z);
}

KERNEL double v_erf(double x)
{
    double a = fabs(x);
    double z = x * x;
    double v = copysign(1.0 - v_erfc_core(a), x);

    return a < 1.0 ? x * POLY_ERF(z) : v;
}

KERNEL double v_erfc(double x)
{
    double v = v_erfc_core(fabs(x));

    return x < 0.0 ? 2.0 - v : v;
}

/* Gamma. */

/* lgamma(a) for a > 0: Stirling's series, below 8 moved up by eight steps. */
KERNEL double v_lgamma_core(double a)
{
    double low = a < 8.0 ? a : 1.0;
    double steps = low * (low + 1.0) * (low + 2.0) * (low + 3.0) * ((low + 4.0) * (low + 5.0)) *
                   ((low + 6.0) * (low + 7.0));
    double x = a < 8.0 ? a + 8.0 : a;
    double inv = 1.0 / x, z = inv * inv;
    double f, e = v_split(x, &f);
    double g, d = v_split(steps, &g);
    double logx = MAD(e, V_LN2, v_log_core_long(f));
    double logs = MAD(d, V_LN2, v_log_core_long(g));
    double v = MAD(x - 0.5, logx, 0x1.d67f1c864beb5p-1 - x) + inv * POLY_GAMMA(z);

    return a < 8.0 ? v - logs : v;
}

/* sin(pi a) for a >= 0, without regard to the sign. */
KERNEL double v_sinpi_size(double a)
{
    double b = a >= 0x1p24 ? 0.0 : a;
    double r = fabs(b - ((b + V_ROUNDER) - V_ROUNDER));
    double far = (0.5 - r) * D_PI_HI, near = r * D_PI_HI;

    return r > 0.25 ? v_cos_core(far) : v_sin_core(near);
}

KERNEL double v_lgamma(double x)
{
    double a = fabs(x);
    double v = v_lgamma_core(a);
    double s = v_sinpi_size(a) * a; /* 0 at the poles */
    double f, e = v_split(D_PI_HI / s, &f);
    double mirrored = MAD(e, V_LN2, v_log_core_long(f)) - v;

    v = x < 0.0 ? (s == 0.0 ? (double)INFINITY : mirrored) : v;
    v = x == 0.0 ? (double)INFINITY : v;
    v = x == 1.0 || x == 2.0 ? 0.0 : v; /* C wants the zeros exact */
    return a < (double)INFINITY ? v : a;
}

KERNEL double v_tgamma(double x)
{
    double a = fabs(x);
    double c = a > 100.0 ? 100.0 : a; /* overflows or vanishes in float from there */
    double g = v_exp(v_lgamma_core(c));
    double s = v_sinpi_size(a) * c;
    double whole = floor(a);
    double v = D_PI_HI / (s * g);

    /* Negative where floor(x) is odd: -3 < x < -2 … */
    v = whole - 2.0 * floor(whole * 0.5) == 0.0 ? -v : v;
    v = s == 0.0 ? D_NAN : v;
    v = x < 0.0 ? v : g;
    v = x == 0.0 ? copysign((double)INFINITY, x) : v;
    v = x == (double)INFINITY ? x : v;
    return x == -(double)INFINITY ? D_NAN : v;
}

#endif
