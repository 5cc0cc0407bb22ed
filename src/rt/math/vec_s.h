/* rt/math/vec_s.h -- branch-free mathematics for float, computed in float.
 *
 * Twice the lanes of vec_f32.h, for machines that have a fused multiply-add; reduced operands are
 * exact or in two parts, results are off by one or two units in the last place at most. Powers,
 * which magnify the error of a logarithm by the exponent, go through double in the middle.
 *
 * Kernels are also translated for compiled code: see translate.py for what they may say.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_VEC_S_H
#define HD_RT_MATH_VEC_S_H

#include "rt/math/poly_s.h"
#include "rt/math/vec_f64.h"

/* Adding this leaves the nearest integer in the low bits. */
#define S_ROUNDER     0x1.8p23f
#define S_LOG2E       0x1.715476p+0f
#define S_LN2_HI      0x1.62e430p-1f
#define S_LN2_LO      -0x1.05c610p-29f
#define S_LN2_SHORT   0x1.62e42ep-1f /* with a positive rest, for infinite exponents */
#define S_LN2_REST    0x1.efa39ep-25f
#define S_LOG2E_LO    0x1.4ae0bep-26f
#define S_LOG10E      0x1.bcb7b2p-2f
#define S_LOG10E_LO   -0x1.5b235ep-27f
#define S_LOG10_2     0x1.344136p-2f
#define S_LOG10_2_LO  -0x1.ec10c0p-27f
#define S_LOG10_SHORT 0x1.344134p-2f
#define S_LOG10_REST  0x1.09f7a0p-26f
#define S_LOG2_10     0x1.a934f0p+1f
#define S_PI_1        0x1.921fb6p+1f
#define S_PI_2        -0x1.777a5cp-24f
/* The same with all parts positive, so that -0 stays what it is. */
#define S_PI_A 0x1.921fb4p+1f
#define S_PI_B 0x1.4442d0p-23f
#define S_PI_C 0x1.846988p-47f
#define S_1_PI 0x1.45f306p-2f
#define S_2_PI 0x1.45f306p-1f
#define S_NAN  (hd_f32_from(0x7fc00000u))

/* p 2^n, rounded once; n whole, |n| <= 250, p between 1/4 and 4. */
static inline __attribute__((always_inline)) float s_scale(float p, float n)
{
    int32_t i = (int32_t)(hd_f32_bits(n + S_ROUNDER) - 0x4b400000u), j = i >> 1;

    return p * hd_f32_from((uint32_t)(j + 127) << 23) * hd_f32_from((uint32_t)(i - j + 127) << 23);
}

/* c ? x : y without a branch for compilers to thread jumps through. */
static inline __attribute__((always_inline)) float s_pick(bool c, float x, float y)
{
    uint32_t m = 0u - (uint32_t)c;

    return hd_f32_from((hd_f32_bits(x) & m) | (hd_f32_bits(y) & ~m));
}

KERNEL float s_flip(float v, float x)
{
    return hd_f32_from(hd_f32_bits(v) ^ (hd_f32_bits(x) & 0x80000000u));
}

KERNEL bool s_negative(float x)
{
    return copysignf(1.0f, x) < 0.0f;
}

KERNEL float s_clamp(float x, float limit)
{
    x = x > limit ? limit : x;
    return x < -limit ? -limit : x; /* a NaN stays */
}

/* ---- exponentials ---- */

/* x = n ln(2) + r; returns r. */
KERNEL float s_reduce_exp(float x, float *n)
{
    float whole = MADF(x, S_LOG2E, S_ROUNDER) - S_ROUNDER;

    *n = whole;
    return FMAF(whole, -S_LN2_LO, FMAF(whole, -S_LN2_HI, x));
}

/* e^r - 1 for |r| <= ln(2) / 2. */
KERNEL float s_exp_core(float r)
{
    return MADF(r * r, POLY_EXP_S(r), r);
}

/* e^r for |r| <= ln(2) / 2. */
KERNEL float s_exp_rest(float r)
{
    return MADF(MADF(POLY_EXP_S(r), r, 1.0f), r, 1.0f);
}

KERNEL float s_expm1(float x)
{
    float c = x > 89.0f ? 89.0f : x, n, r, p, half;

    c = c < -25.0f ? -25.0f : c;
    r = s_reduce_exp(c, &n);
    p = s_exp_core(r);
    half = hd_f32_from((hd_f32_bits(n + S_ROUNDER) + 126u) << 23); /* 2^n itself may be too large */
    r = MADF(half, p, half - 0.5f) * 2.0f;
    return x == 0.0f ? x : r;
}

KERNEL float s_e_to(float x)
{
    float n, r = s_reduce_exp(s_clamp(x, 110.0f), &n);

    return s_scale(s_exp_rest(r), n);
}

KERNEL float s_two_to(float x)
{
    float c = s_clamp(x, 200.0f);
    float n = (c + S_ROUNDER) - S_ROUNDER;
    float r = c - n;

    return s_scale(MADF(r, POLY_EXP2_S(r), 1.0f), n);
}

KERNEL float s_exp10_rest(float x, float n)
{
    return FMAF(n, -S_LOG10_2_LO, FMAF(n, -S_LOG10_2, x));
}

KERNEL float s_ten_to(float x)
{
    float c = s_clamp(x, 60.0f);
    float n = MADF(c, S_LOG2_10, S_ROUNDER) - S_ROUNDER, r = s_exp10_rest(c, n);

    return s_scale(MADF(r, POLY_EXP10_S(r), 1.0f), n);
}

/* AVX-512 scales by numbers of any size, so only the rest has to stay in its range. */
#ifdef HD_TRANSLATE
KERNEL float s_e_to_native(float x)
{
    float n, r = s_range(s_reduce_exp(x, &n), 0.4f);

    return s_scale(s_exp_rest(r), n);
}

KERNEL float s_two_to_native(float x)
{
    float r = s_reduce(x);

    return s_scale(MADF(r, POLY_EXP2_S(r), 1.0f), x - r);
}

KERNEL float s_ten_to_native(float x)
{
    float n = MADF(x, S_LOG2_10, S_ROUNDER) - S_ROUNDER, r = s_range(s_exp10_rest(x, n), 0.2f);

    return s_scale(MADF(r, POLY_EXP10_S(r), 1.0f), n);
}
#endif

KERNEL float s_exp(float x)
{
    return s_e_to(x);
}

KERNEL float s_exp2(float x)
{
    return s_two_to(x);
}

KERNEL float s_exp10(float x)
{
    return s_ten_to(x);
}

/* ---- logarithms ---- */

/* Zero, infinity and NaN have an exponent that makes the result. */

KERNEL float s_log(float x)
{
    float e = s_expo(x), f = s_mant(x) - 1.0f;
    float v = MADF(f * f, POLY_LOG_S(f), f);

    return x < 0.0f ? S_NAN : MADF(e, S_LN2_SHORT, MADF(e, S_LN2_REST, v));
}

KERNEL float s_log2(float x)
{
    float e = s_expo(x), f = s_mant(x) - 1.0f;
    float rest = MADF(f * f, POLY_LOG2_S(f), f * S_LOG2E_LO);

    return x < 0.0f ? S_NAN : MADF(f, S_LOG2E, rest) + e;
}

KERNEL float s_log10(float x)
{
    float e = s_expo(x), f = s_mant(x) - 1.0f;
    float rest = MADF(f * f, POLY_LOG10_S(f), MADF(e, S_LOG10_REST, f * S_LOG10E_LO));

    return x < 0.0f ? S_NAN : MADF(e, S_LOG10_SHORT, MADF(f, S_LOG10E, rest));
}

/* The ends of a logarithm's range. */
KERNEL float s_log_ends(float x, float v)
{
    v = x == 0.0f ? -INFINITY : v;
    v = x < 0.0f ? S_NAN : v;
    return x < INFINITY ? v : x; /* +infinity, NaN */
}

/* 1 + f is 2^-e (1 + x), rounded once; the exponent is that of 1 + x, rounded. */
KERNEL float s_log1p(float x)
{
    float u = 1.0f + x;
    uint32_t t = hd_f32_bits(u) - 0x3f400000u, field = t & 0xff800000u;
    float e = (float)((int32_t)t >> 23);
    float unit = hd_f32_from(0x40800000u - field); /* 2^(2-e), normal for all e */
    float f = MADF(x * 0.25f, unit, MADF(unit, 0.25f, -1.0f));
    float v = MADF(f * f, POLY_LOG_S(f), f);

    v = s_log_ends(u, MADF(e, S_LN2_HI, MADF(e, S_LN2_LO, v)));
    return fabsf(x) < 0x1p-60f ? x : v;
}

/* ---- powers ---- */

/* log2 of |x| as a sum, good to 2^-31 of it: by sixteenths, see tables.h. The second part of an
 * infinite one is no number. */
KERNEL float s_log2_parts(float x, float *low)
{
    float m = s_mant(x);
    uint32_t i = hd_f32_bits(m) >> 19;
    float r = FMAF(m, s_lookup(s_log_inverse, i), -1.0f); /* exact */
    float base = s_expo(x) + s_lookup(s_log2_high, i);
    float h = r * S_LOG2E;
    float rest = MADF(r, S_LOG2E_LO, FMAF(r, S_LOG2E, -h)) + s_lookup(s_log2_low, i);
    float v = base + h;

    *low = MADF(r * r, POLY_LOG2_T(r), rest) + ((base - v) + h);
    return v;
}

/* The exponent y log2(x) as a sum; the second part only where it matters. */
KERNEL float s_pow_exponent(float x, float y, float *rest)
{
    float low, high = s_log2_parts(x, &low);
    float p = y * high;
    float t = MADF(y, low, FMAF(y, high, -p));

    *rest = fabsf(p) < 200.0f ? t : 0.0f;
    return p;
}

/* The same for y + y_low. */
KERNEL float s_pow_exponent_long(float x, float y, float y_low, float *rest)
{
    float low, high = s_log2_parts(x, &low);
    float p = y * high;
    float t = MADF(y_low, high, MADF(y, low, FMAF(y, high, -p)));

    *rest = fabsf(p) < 200.0f ? t : 0.0f;
    return p;
}

/* 2^(p + rest); the rest is within a twentieth of p. */
KERNEL float s_exp2_sum(float p, float rest)
{
    float c = s_clamp(p, 200.0f);
    float n = (c + rest + S_ROUNDER) - S_ROUNDER;
    float d = (c - n) + rest;

    return s_scale(MADF(d, POLY_EXP2_S(d), 1.0f), n);
}

KERNEL float s_pow(float x, float y)
{
    float rest, p = s_pow_exponent(x, y, &rest), v;
    bool whole = rintf(y) == y, odd = whole & (rintf(y * 0.5f) != y * 0.5f);

    p = ((fabsf(x) == 1.0f) | (y == 0.0f)) ? 0.0f : p; /* 1 to any power, anything to 0 */
    v = s_exp2_sum(p, rest);
    v = odd ? s_flip(v, x) : v;
    return ((x < 0.0f) & (x > -INFINITY) & !whole) ? S_NAN : v;
}

KERNEL float s_powr(float x, float y)
{
    float rest, p = s_pow_exponent(x, y, &rest);
    float v = s_exp2_sum(p, rest);

    return x < 0.0f ? S_NAN : v;
}

/* n as a sum of two floats. */
KERNEL float s_whole_parts(int32_t n, float *low)
{
    float high = (float)(int32_t)((uint32_t)n & 0xfffff000u), v;

    *low = (float)(n & 0xfff);
    v = high + *low;
    *low = (high - v) + *low;
    return v;
}

KERNEL float s_pown(float x, int32_t n)
{
    float low, high = s_whole_parts(n, &low);
    float rest, p = s_pow_exponent_long(x, high, low, &rest);
    float v = s_exp2_sum(p, rest);

    v = (n & 1) != 0 ? s_flip(v, x) : v;
    return n == 0 ? 1.0f : v;
}

KERNEL float s_rootn(float x, int32_t n)
{
    float low, high = s_whole_parts(n, &low);
    float y = 1.0f / high;
    float y_low = MADF(-y, low, FMAF(-y, high, 1.0f)) * y;
    float rest, p = s_pow_exponent_long(x, y, y_low, &rest);
    float v = s_exp2_sum(p, rest);
    bool odd = (n & 1) != 0;

    v = odd ? s_flip(v, x) : v;
    return (n == 0) | (!odd & (x < 0.0f)) ? S_NAN : v;
}

/* From a guess by the exponent, through the inverse root, which needs no division. */
KERNEL float s_cbrt(float x)
{
    float a = fabsf(x);
    bool small = a < 0x1p-126f;
    float b = small ? a * 0x1p24f : a;
    float y = hd_f32_from(0x54a21d2au - ((hd_f32_bits(b) >> 15) * 0x5556u >> 1));
    float c, v;

    c = MADF(-(b * y), y * y, 1.0f);
    y = MADF(y * c, MADF(c, MADF(c, 0x1.61f9aep-3f, 0x1.c71c72p-3f), 0x1.555556p-2f), y);
    c = MADF(-(b * y), y * y, 1.0f);
    y = MADF(y * c, 0x1.555556p-2f, y);
    v = b * y * y;
    v = MADF(FMAF(-(v * v), v, b) * (y * y), 0x1.555556p-2f, v);
    v = small ? v * 0x1p-8f : v;
    return a < INFINITY ? copysignf(v, x) : x;
}

/* ---- circular functions, |x| < 2^17; larger ones are the caller's ---- */

KERNEL bool s_is_near(float x)
{
    return fabsf(x) < 0x1p17f; /* of a NaN, what AVX-512 keeps within one is no NaN */
}

/* x - n pi. */
KERNEL float s_less_pi(float x, float n)
{
    return FMAF(n, -S_PI_C, FMAF(n, -S_PI_B, FMAF(n, -S_PI_A, x)));
}

/* The sine of |r| <= pi / 2. */
KERNEL float s_sine(float r)
{
    float z = r * r;

    return s_within_one(r * FMAF(z, POLY_SIN_S(z), 1.0f));
}

KERNEL float s_sin(float x)
{
    float t = MADF(x, S_1_PI, S_ROUNDER);
    float v = s_sine(s_less_pi(x, t - S_ROUNDER));

    return hd_f32_from(hd_f32_bits(v) ^ (hd_f32_bits(t) << 31));
}

KERNEL float s_cos(float x)
{
    float t = MADF(x, S_1_PI, -0.5f) + S_ROUNDER;
    float v = s_sine(s_less_pi(x, (t - S_ROUNDER) + 0.5f));

    return hd_f32_from(hd_f32_bits(v) ^ (~hd_f32_bits(t) << 31));
}

/* The tangent of the rest; past a quarter turn it is a divisor of -1. */
KERNEL float s_tan_rest(float x, bool *odd)
{
    float t = MADF(x, S_2_PI, S_ROUNDER);
    float r = s_less_pi(x, (t - S_ROUNDER) * 0.5f), z = r * r;

    *odd = (hd_f32_bits(t) & 1u) != 0;
    return r * MADF(z, POLY_TAN_S(z), 1.0f);
}

KERNEL float s_tan_divisor(float x)
{
    bool odd;
    float v = s_tan_rest(x, &odd);

    return s_pick(odd, v, 1.0f);
}

/* inverse: 1 / s_tan_divisor(x) */
KERNEL float s_tan_from(float x, float inverse)
{
    bool odd;
    float v = s_tan_rest(x, &odd);

    return s_pick(odd, -inverse, v);
}

KERNEL float s_tan(float x)
{
    bool odd;
    float v = s_tan_rest(x, &odd), inverse = s_inverse(v);

    return odd ? -inverse : v;
}

/* The sine of pi r for |r| <= 1 / 2, perhaps an ulp past one. */
KERNEL float s_sinpi_core(float r)
{
    return r * POLY_SINPI_S(r * r);
}

KERNEL bool s_is_odd(float whole)
{
    return rintf(whole * 0.5f) != whole * 0.5f;
}

KERNEL float s_sinpi(float x)
{
    float a = fabsf(x), t = a + 0x1p23f; /* the last bit says which whole number is near */
    float v = s_within_one(s_sinpi_core(s_part(a)));

    v = hd_f32_from(hd_f32_bits(v) ^ (hd_f32_bits(t) << 31));
    return s_flip(MADF(a, 0.0f, v), x); /* no -0, of infinities NaN */
}

/* x less whole turns: half turns between -1 and 1. */
KERNEL float s_half_turns(float x)
{
    return MADF(rintf(x * 0.5f), -2.0f, x);
}

KERNEL float s_cospi(float x)
{
    float v = s_within_one(s_sinpi_core(0.5f - fabsf(s_half_turns(x))));

    return MADF(fabsf(x), 0.0f, v); /* no -0, of infinities NaN */
}

KERNEL float s_tanpi(float x)
{
    float n = rintf(x), r = x - n, a = fabsf(r);
    float s = s_sinpi_core(r), c = s_sinpi_core(0.5f - a);
    float v = s / c;

    /* The zeros of odd n are negative, and so are the poles after them. */
    v = r == 0.0f ? copysignf(0.0f, s_is_odd(n) ? -x : x) : v;
    return a == 0.5f ? s_flip(INFINITY, s_is_odd(floorf(x)) ? -1.0f : 1.0f) : v;
}

/* ---- inverse circular functions ---- */

KERNEL float s_atan_core(float t)
{
    float z = t * t;

    return MADF(t * z, POLY_ATAN_S(z), t);
}

KERNEL float s_atan(float x)
{
    float a = fabsf(x);
    bool far = a > 1.0f;
    float p = s_atan_core((far ? 1.0f : a) / (far ? a : 1.0f));

    return copysignf(far ? S_PI_1 * 0.5f - (p - S_PI_2 * 0.5f) : p, x);
}

KERNEL float s_atan2(float y, float x)
{
    float ax = fabsf(x), ay = fabsf(y);
    bool steep = ay > ax, back = s_negative(x);
    float big = steep ? ay : ax, less = steep ? ax : ay;
    /* Counted from the nearest of 0, pi / 2 and pi, so that quarters of a turn are exact. */
    float turns = steep ? 0.5f : back ? 1.0f : 0.0f;
    float t = less / big, p;

    t = big == 0.0f ? 0.0f : t;
    t = less == INFINITY ? 1.0f : t;
    p = s_flip(s_atan_core(t), s_flip(steep ? -1.0f : 1.0f, back ? -1.0f : 1.0f));
    p = turns * S_PI_1 + (p + turns * S_PI_2);
    return ((x != x) | (y != y)) ? S_NAN : copysignf(p, y);
}

KERNEL float s_asin_core(float t, float z)
{
    return MADF(t * z, POLY_ASIN_S(z), t);
}

KERNEL float s_asin(float x)
{
    float a = fabsf(x);
    bool far = a > 0.5f;
    float z = far ? (1.0f - a) * 0.5f : a * a;
    float p = s_asin_core(far ? sqrtf(z) : a, z);

    return copysignf(far ? S_PI_1 * 0.5f - MADF(p, 2.0f, S_PI_2 * -0.5f) : p, x);
}

KERNEL float s_acos(float x)
{
    float a = fabsf(x);
    bool far = a > 0.5f;
    float z = far ? (1.0f - a) * 0.5f : a * a;
    float p = s_asin_core(far ? sqrtf(z) : x, z);
    float v = s_negative(x) ? S_PI_1 - MADF(p, 2.0f, -S_PI_2) : p + p;

    return far ? v : S_PI_1 * 0.5f - (p - S_PI_2 * 0.5f);
}

KERNEL float s_atanpi(float x)
{
    return s_atan(x) * S_1_PI;
}

KERNEL float s_atan2pi(float y, float x)
{
    return s_atan2(y, x) * S_1_PI;
}

KERNEL float s_asinpi(float x)
{
    return s_asin(x) * S_1_PI;
}

KERNEL float s_acospi(float x)
{
    return s_acos(x) * S_1_PI;
}

/* ---- hyperbolic functions ---- */

/* e^a / 2 for a >= 0. */
KERNEL float s_half_exp(float a)
{
    float n, r = s_reduce_exp(a > 110.0f ? 110.0f : a, &n);

    return s_scale(s_exp_core(r) + 1.0f, n - 1.0f);
}

/* From the even and odd parts of e^r, one less of the even. */
KERNEL float s_sinh(float x)
{
    float n, r = s_reduce_exp(s_clamp(x, 89.5f), &n), z = r * r;
    float odd = MADF(r * z, POLY_SINH_S(z), r), even = z * POLY_COSH_S(z);
    float up = s_scale(0.25f, n), down = s_scale(0.25f, -n), d = up - down;
    float v = MADF(odd, up + down, MADF(even, d, d));

    return copysignf(v + v, x);
}

KERNEL float s_cosh(float x)
{
    float e = s_half_exp(fabsf(x));

    return e + 0.25f / e;
}

KERNEL float s_tanh(float x)
{
    float a = fabsf(x);
    float near = MADF(a, 1.0f / 0.59375f, S_ROUNDER);
    float t = MADF(near - S_ROUNDER, -0.59375f, a);
    uint32_t i = hd_f32_bits(near);
    float v = s_lookup(s_tanh_7, i);

    v = MADF(v, t, s_lookup(s_tanh_6, i));
    v = MADF(v, t, s_lookup(s_tanh_5, i));
    v = MADF(v, t, s_lookup(s_tanh_4, i));
    v = MADF(v, t, s_lookup(s_tanh_3, i));
    v = MADF(v, t, s_lookup(s_tanh_2, i));
    v = MADF(v, t, s_lookup(s_tanh_1, i));
    v = MADF(v, t, s_lookup(s_tanh_0, i));
    return copysignf(a > 9.02f ? 1.0f : v, x);
}

KERNEL float s_asinh(float x)
{
    float a = fabsf(x);
    bool far = a > 0x1p30f;
    float z = far ? 0.0f : a * a;
    float v = s_log1p(a + z / (1.0f + sqrtf(1.0f + z)));

    v = far ? v + S_LN2_HI : v;
    return x == 0.0f ? x : copysignf(v, x);
}

KERNEL float s_acosh(float x)
{
    bool far = x > 0x1p30f;
    float t = x - 1.0f, b = far ? 0.0f : t;
    float v = s_log1p(t + sqrtf(MADF(b, b, b + b)));

    v = far ? v + S_LN2_HI : v;
    return x < 1.0f ? S_NAN : v;
}

/* With q = (1 + |x|) / (1 - |x|) about 2^k, atanh(x) = k ln(2) / 2 + atanh(s) for
 * s = (q - 2^k) / (q + 2^k): its numerator, *below and k, from the logarithm that bits are. */
KERNEL float s_atanh_parts(float x, float *below, float *k)
{
    float a = fabsf(x), n = 1.0f + a, d = 1.0f - a;
    uint32_t t = hd_f32_bits(n) - hd_f32_bits(d) + 0x00400000u;
    float power = hd_f32_from((t & 0xff800000u) + 0x3f800000u);

    *below = MADF(power, d, n);
    *k = (float)((int32_t)t >> 23);
    /* One of them is exact: the factors while powers are small, d while a is large. */
    return a < 0.5f ? MADF(a, power + 1.0f, 1.0f - power) : MADF(-power, d, n);
}

KERNEL float s_atanh_divisor(float x)
{
    float below, k, v = s_atanh_parts(x, &below, &k);

    (void)v;
    return below;
}

/* inverse: 1 / s_atanh_divisor(x) */
KERNEL float s_atanh_from(float x, float inverse)
{
    float below, k, s = s_atanh_parts(x, &below, &k) * inverse, z = s * s, d = 1.0f - fabsf(x);
    float v = MADF(k, S_LN2_HI * 0.5f, MADF(s * z, POLY_ATANH_S(z), s));

    v = d > 0.0f ? v : (d == 0.0f ? INFINITY : S_NAN);
    return copysignf(v, x);
}

KERNEL float s_atanh(float x)
{
    return s_atanh_from(x, s_inverse(s_atanh_divisor(x)));
}

/* ---- error functions ---- */

KERNEL float s_erf(float x)
{
    float a = fabsf(x), z = x * x;
    float b = a > 4.0f ? 4.0f : a;
    float t = b - 2.5f;
    float v = copysignf(1.0f - s_exp(-(POLY_ERF_FAR_S(t))), x);

    return a < 1.0f ? x * POLY_ERF_S(z) : v;
}

KERNEL float s_erfc(float x)
{
    float a = fabsf(x);
    float b = a > 10.6f ? 10.6f : a;
    float t = 2.0f / (2.0f + b), z = t - 0.625f;
    /* The square in two parts. */
    float s = b * b, low = FMAF(b, b, -s);
    float n, r = s_reduce_exp(-s, &n) - low;
    float v = s_scale(s_exp_core(r) + 1.0f, n) * (t * POLY_ERFC_S(z));

    return x < 0.0f ? 2.0f - v : v;
}

KERNEL float s_lgamma(float x)
{
    return (float)v_lgamma((double)x);
}

KERNEL float s_tgamma(float x)
{
    return (float)v_tgamma((double)x);
}

/* ---- roots ---- */

/* 1 / sqrt(x) from a guess good to 2^-14 or better. */
KERNEL float s_rsqrt_from(float x, float guess)
{
    float v = MADF(guess * 0.5f, MADF(-(x * guess), guess, 1.0f), guess);

    return v == v ? v : guess; /* of zeros and infinities */
}

/* What code for AVX-512 has an instruction for. */
static inline __attribute__((always_inline)) float s_guess_rsqrt(float x)
{
    return 1.0f / sqrtf(x);
}

KERNEL float s_rsqrt(float x)
{
    return s_rsqrt_from(x, s_guess_rsqrt(x));
}

/* For any operands. */
KERNEL float s_hypot_far(float x, float y)
{
    float ax = fabsf(x), ay = fabsf(y);
    float big = ax > ay ? ax : ay;
    bool huge = big > 0x1p60f, tiny = big < 0x1p-40f;
    float scale = huge ? 0x1p-70f : (tiny ? 0x1p100f : 1.0f);
    float back = huge ? 0x1p70f : (tiny ? 0x1p-100f : 1.0f);
    float u = ax * scale, w = ay * scale;
    float v = sqrtf(MADF(u, u, w * w)) * back;

    return ((ax == INFINITY) | (ay == INFINITY)) ? INFINITY : v;
}

KERNEL float s_hypot_square(float x, float y)
{
    return MADF(x, x, y * y);
}

KERNEL bool s_both_zero(float x, float y)
{
    return ((hd_f32_bits(x) | hd_f32_bits(y)) << 1) == 0;
}

/* Without scaling, where the sum of squares is a normal number: what a square that is none lacks
 * does not count. */
KERNEL bool s_hypot_is_near(float x, float y)
{
    uint32_t above = hd_f32_bits(s_hypot_square(x, y)) - 0x00800000u;

    return (above < 0x7f000000u) | s_both_zero(x, y);
}

/* root: of s_hypot_square(x, y) */
KERNEL float s_hypot_from(float x, float y, float root)
{
    return s_both_zero(x, y) ? 0.0f : root;
}

KERNEL float s_hypot(float x, float y)
{
    return s_hypot_from(x, y, s_root(s_hypot_square(x, y)));
}

KERNEL float s_degrees(float x)
{
    return x * 0x1.ca5dc2p+5f;
}

KERNEL float s_radians(float x)
{
    return x * 0x1.1df46ap-6f;
}

#endif
