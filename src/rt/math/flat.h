/* rt/math/flat.h -- the functions that are a few instructions, of one lane.
 *
 * Kernels as in vec_s.h: compiled code has them, too.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_FLAT_H
#define HD_RT_MATH_FLAT_H

#include "rt/math/vec_s.h"

/* ---- one lane, in F ---- */

#define DEFINE_FLAT(p, F, fn_abs, fn_floor, fn_trunc, fn_copysign)                        \
    KERNEL F p##_round(F x)                                                               \
    {                                                                                     \
        F t = fn_trunc(x);                                                                \
        F v = fn_abs(x - t) >= (F)0.5 ? t + fn_copysign((F)1.0, x) : t;                   \
                                                                                          \
        return fn_copysign(v, x);                                                         \
    }                                                                                     \
    KERNEL F p##_modf_frac(F x)                                                           \
    {                                                                                     \
        F v = x - fn_trunc(x);                                                            \
                                                                                          \
        return fn_copysign(fn_abs(x) == (F)INFINITY ? (F)0.0 : v, x);                     \
    }                                                                                     \
    /* Not above largest, the largest number below one. */                                \
    KERNEL F p##_fract(F x, F largest)                                                    \
    {                                                                                     \
        F v = x - fn_floor(x);                                                            \
                                                                                          \
        v = v > largest ? largest : v;                                                    \
        return ((x == (F)0.0) | (fn_abs(x) == (F)INFINITY)) ? fn_copysign((F)0.0, x) : v; \
    }                                                                                     \
    KERNEL F p##_sign(F x)                                                                \
    {                                                                                     \
        F v = x == (F)0.0 ? x : (F)0.0; /* NaN, too */                                    \
                                                                                          \
        v = x > (F)0.0 ? (F)1.0 : v;                                                      \
        return x < (F)0.0 ? (F)-1.0 : v;                                                  \
    }                                                                                     \
    KERNEL F p##_fdim(F x, F y)                                                           \
    {                                                                                     \
        F v = x > y ? x - y : (F)0.0;                                                     \
                                                                                          \
        return ((x != x) | (y != y)) ? x + y : v;                                         \
    }                                                                                     \
    KERNEL F p##_fmax_common(F x, F y)                                                    \
    {                                                                                     \
        return x < y ? y : x;                                                             \
    }                                                                                     \
    KERNEL F p##_fmin_common(F x, F y)                                                    \
    {                                                                                     \
        return y < x ? y : x;                                                             \
    }                                                                                     \
    KERNEL F p##_fmax(F x, F y)                                                           \
    {                                                                                     \
        return p##_pick((x < y) | (x != x), y, x);                                        \
    }                                                                                     \
    KERNEL F p##_fmin(F x, F y)                                                           \
    {                                                                                     \
        return p##_pick((y < x) | (x != x), y, x);                                        \
    }                                                                                     \
    KERNEL F p##_maxmag(F x, F y)                                                         \
    {                                                                                     \
        F ax = fn_abs(x), ay = fn_abs(y);                                                 \
        F v = ay > ax ? y : p##_fmax(x, y);                                               \
                                                                                          \
        return ax > ay ? x : v;                                                           \
    }                                                                                     \
    KERNEL F p##_minmag(F x, F y)                                                         \
    {                                                                                     \
        F ax = fn_abs(x), ay = fn_abs(y);                                                 \
        F v = ay < ax ? y : p##_fmin(x, y);                                               \
                                                                                          \
        return ax < ay ? x : v;                                                           \
    }                                                                                     \
    KERNEL F p##_step(F edge, F x)                                                        \
    {                                                                                     \
        return x < edge ? (F)0.0 : (F)1.0;                                                \
    }                                                                                     \
    KERNEL F p##_div(F x, F y)                                                            \
    {                                                                                     \
        return x / y;                                                                     \
    }                                                                                     \
    KERNEL F p##_fclamp(F x, F low, F high)                                               \
    {                                                                                     \
        return p##_fmin(p##_fmax(x, low), high);                                          \
    }                                                                                     \
    KERNEL F p##_mix(F x, F y, F a)                                                       \
    {                                                                                     \
        return x + (y - x) * a;                                                           \
    }                                                                                     \
    KERNEL F p##_smoothstep(F edge0, F edge1, F x)                                        \
    {                                                                                     \
        F t = p##_fclamp((x - edge0) / (edge1 - edge0), (F)0.0, (F)1.0);                  \
                                                                                          \
        return t * t * ((F)3.0 - (F)2.0 * t);                                             \
    }

/* As s_pick. */
static inline __attribute__((always_inline)) double w_pick(bool c, double x, double y)
{
    uint64_t m = 0u - (uint64_t)c;

    return hd_f64_from((hd_f64_bits(x) & m) | (hd_f64_bits(y) & ~m));
}

DEFINE_FLAT(s, float, fabsf, floorf, truncf, copysignf)
DEFINE_FLAT(w, double, fabs, floor, trunc, copysign)

/* fma of halves: the product is exact in float, the sum is rounded to odd; then rounding to half is
 * correct. */
KERNEL float h_fma(float x, float y, float z)
{
    float p = x * y, s = p + z, part = s - p;
    float error = (p - (s - part)) + (z - part);
    uint32_t u = hd_f32_bits(s);
    uint32_t odd = (error > 0.0f) == (s > 0.0f) ? u + 1u : u - 1u;
    bool exact = error == 0.0f || !(fabsf(s) < INFINITY) || (u & 1u) != 0;

    return hd_f32_from(exact ? u : odd);
}

/* ---- exponents: as doubles, where floats and halves have no denormals ---- */

/* |x| with its exponent field in order, and what that is off by. */
KERNEL double lifted(double x, int32_t *off)
{
    double a = fabs(x);
    bool small = a < 0x1p-1022;

    *off = small ? 1023 + 54 : 1023;
    return small ? a * 0x1p54 : a;
}

KERNEL int32_t exponent(double x)
{
    int32_t off;
    double a = lifted(x, &off);

    return (int32_t)(hd_f64_bits(a) >> 52) - off;
}

KERNEL int32_t e_ilogb(double x)
{
    int32_t e = exponent(x);

    e = x == 0.0 ? INT32_MIN : e;
    return fabs(x) < (double)INFINITY ? e : INT32_MAX;
}

KERNEL double e_logb(double x)
{
    double e = (double)exponent(x);

    e = x == 0.0 ? -(double)INFINITY : e;
    return fabs(x) < (double)INFINITY ? e : fabs(x);
}

KERNEL int32_t e_frexp_exp(double x)
{
    int32_t e = exponent(x) + 1;

    return ((x != 0.0) & (fabs(x) < (double)INFINITY)) ? e : 0;
}

KERNEL double e_frexp_mant(double x)
{
    int32_t off;
    double a = lifted(x, &off);
    double m = hd_f64_from((hd_f64_bits(a) & 0xfffffffffffffu) | 0x3fe0000000000000u);

    return ((x != 0.0) & (fabs(x) < (double)INFINITY)) ? copysign(m, x) : x;
}

/* x 2^k for a float x: one exact factor in double, then the rounding to float. */
KERNEL double e_ldexp(double x, int32_t k)
{
    int32_t c = k > 400 ? 400 : k;
    uint64_t field = (uint64_t)(int64_t)((c < -400 ? -400 : c) + 1023);

    return x * hd_f64_from(field << 52);
}

/* x 2^k rounded once: the factor goes to a number near one. */
KERNEL double w_ldexp(double x, int32_t k)
{
    double m = e_frexp_mant(x);
    int32_t c = k > 4400 ? 4400 : k;
    int32_t n = (c < -4400 ? -4400 : c) + e_frexp_exp(x);
    int32_t top = n > 1100 ? 1100 : n;
    int32_t t = top < -1200 ? -1200 : top;
    int32_t half = t >> 1;
    double first = hd_f64_from((uint64_t)(int64_t)(half + 1023) << 52);

    return m * first * hd_f64_from((uint64_t)(int64_t)(t - half + 1023) << 52);
}

/* The same in float, where floats are all that there is. */

KERNEL int32_t s_exponent(float x)
{
    float a = fabsf(x);
    bool small = a < 0x1p-126f;

    return (int32_t)(hd_f32_bits(small ? a * 0x1p24f : a) >> 23) - (small ? 127 + 24 : 127);
}

KERNEL int32_t s_ilogb(float x)
{
    int32_t e = s_exponent(x);

    e = x == 0.0f ? INT32_MIN : e;
    return fabsf(x) < INFINITY ? e : INT32_MAX;
}

KERNEL float s_logb(float x)
{
    float e = (float)s_exponent(x);

    e = x == 0.0f ? -INFINITY : e;
    return fabsf(x) < INFINITY ? e : fabsf(x);
}

KERNEL int32_t s_frexp_exp(float x)
{
    int32_t e = s_exponent(x) + 1;

    return ((x != 0.0f) & (fabsf(x) < INFINITY)) ? e : 0;
}

KERNEL float s_frexp_mant(float x)
{
    float a = fabsf(x);
    float b = a < 0x1p-126f ? a * 0x1p24f : a;
    float m = hd_f32_from((hd_f32_bits(b) & 0x7fffffu) | 0x3f000000u);

    return ((x != 0.0f) & (a < INFINITY)) ? copysignf(m, x) : x;
}

KERNEL float s_ldexp(float x, int32_t k)
{
    return (float)e_ldexp((double)x, k);
}

/* ---- what is left ---- */

KERNEL float s_fract_value(float x)
{
    return s_fract(x, 0x1.fffffep-1f);
}

KERNEL float h_fract_value(float x)
{
    return s_fract(x, 0x1.ffcp-1f);
}

KERNEL double w_fract_value(double x)
{
    return w_fract(x, 0x1.fffffffffffffp-1);
}

KERNEL float s_modf_int(float x)
{
    return truncf(x);
}

KERNEL double w_modf_int(double x)
{
    return trunc(x);
}

KERNEL float s_fract_int(float x)
{
    return floorf(x);
}

KERNEL double w_fract_int(double x)
{
    return floor(x);
}

KERNEL double w_degrees(double x)
{
    return x * D_TO_DEG;
}

KERNEL double w_radians(double x)
{
    return x * D_TO_RAD;
}

KERNEL float s_nan(uint32_t code)
{
    return hd_f32_from(0x7fc00000u | (code & 0x3fffffu));
}

KERNEL double w_nan(uint64_t code)
{
    return hd_f64_from(0x7ff8000000000000u | (code & 0x7ffffffffffffu));
}

/* Numbers in order as integers, one step, and back. */
KERNEL float s_nextafter(float x, float y)
{
    uint32_t u = hd_f32_bits(x), w = hd_f32_bits(y);
    int32_t a = (int32_t)((u & 0x80000000u) != 0 ? 0x80000000u - u : u);
    int32_t b = (int32_t)((w & 0x80000000u) != 0 ? 0x80000000u - w : w);
    int32_t c = a < b ? a + 1 : a - 1;
    uint32_t v = c < 0 ? 0x80000000u - (uint32_t)c : (uint32_t)c;

    v = ((c == 0) & ((u & 0x80000000u) != 0)) ? 0x80000000u : v;
    v = a == b ? w : v;
    v = y != y ? w | 0x400000u : v;
    return hd_f32_from(x != x ? u | 0x400000u : v);
}

KERNEL double w_nextafter(double x, double y)
{
    uint64_t u = hd_f64_bits(x), w = hd_f64_bits(y), sign = 0x8000000000000000u;
    int64_t a = (int64_t)((u & sign) != 0 ? sign - u : u);
    int64_t b = (int64_t)((w & sign) != 0 ? sign - w : w);
    int64_t c = a < b ? a + 1 : a - 1;
    uint64_t v = c < 0 ? sign - (uint64_t)c : (uint64_t)c;

    v = ((c == 0) & ((u & sign) != 0)) ? sign : v;
    v = a == b ? w : v;
    v = y != y ? w | 0x8000000000000u : v;
    return hd_f64_from(x != x ? u | 0x8000000000000u : v);
}

/* The sign of gamma: 0 at its poles; negative in every second interval, (-1, 0), (-3, -2) … */
KERNEL int32_t w_lgamma_sign(double x)
{
    double whole = floor(x);
    int32_t v = rint(whole * 0.5) != whole * 0.5 ? -1 : 1;

    v = whole == x ? 0 : v;
    v = x < 0.0 ? v : 1;
    return (x == 0.0) ? 0 : (x > -(double)INFINITY ? v : 1);
}

KERNEL int32_t s_lgamma_sign(float x)
{
    return w_lgamma_sign((double)x);
}

#endif
