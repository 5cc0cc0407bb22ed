/* rt/math/fast.h -- float mathematics for -cl-fast-relaxed-math and the native_ and half_
 * functions.
 *
 * Within "Fast Relaxed Math" limits, with zeros and infinities where one expects them; denormals
 * and NaNs are the caller's risk. Only what is clearly cheaper than the exact kernel is here.
 *
 * Spec: OpenCL C, "Relative Error as ULPs", the table of -cl-fast-relaxed-math.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_FAST_H
#define HD_RT_MATH_FAST_H

#include "rt/math/flat.h"

KERNEL float s_fast_exp(float x)
{
    float c = s_clamp(x, 110.0f);
    float n = MADF(c, S_LOG2E, S_ROUNDER) - S_ROUNDER;
    float r = FMAF(n, -S_LN2_HI, c);

    return s_scale(MADF(r, POLY_EXP_FAST(r), 1.0f), n);
}

KERNEL float s_fast_exp2(float x)
{
    float c = s_clamp(x, 200.0f);
    float n = (c + S_ROUNDER) - S_ROUNDER;
    float r = c - n;

    return s_scale(MADF(r, POLY_EXP2_FAST(r), 1.0f), n);
}

KERNEL float s_fast_exp10(float x)
{
    return s_fast_exp2(x * S_LOG2_10);
}

KERNEL float s_fast_log2(float x)
{
    float e = s_expo(x), f = s_mant(x) - 1.0f;

    return x < 0.0f ? S_NAN : MADF(f, POLY_LOG2_FAST(f), e);
}

KERNEL float s_fast_log(float x)
{
    return s_fast_log2(x) * S_LN2_HI;
}

KERNEL float s_fast_log10(float x)
{
    return s_fast_log2(x) * S_LOG10_2;
}

KERNEL float s_fast_powr(float x, float y)
{
    return s_fast_exp2(y * s_fast_log2(x));
}

KERNEL float s_fast_pow(float x, float y)
{
    float v = s_fast_exp2(y * s_fast_log2(fabsf(x)));

    v = s_is_odd(y) & (rintf(y) == y) ? s_flip(v, x) : v;
    return y == 0.0f ? 1.0f : v;
}

KERNEL float s_fast_pown(float x, int32_t n)
{
    float v = s_fast_exp2((float)n * s_fast_log2(fabsf(x)));

    v = (n & 1) != 0 ? s_flip(v, x) : v;
    return n == 0 ? 1.0f : v;
}

/* The sine of n half turns and r, |r| <= pi / 2, good to a float's rounding: it is what transforms
 * take their factors from. What s_sine has beyond it are the last half unit, and no result above 1.
 */
KERNEL float s_fast_turned(float r, uint32_t n)
{
    float z = r * r;
    float v = MADF(r * z, POLY_SIN_S(z), r);

    return hd_f32_from(hd_f32_bits(v) ^ (n << 31));
}

KERNEL float s_fast_sin(float x)
{
    float t = MADF(x, S_1_PI, S_ROUNDER), n = t - S_ROUNDER;
    float r = FMAF(n, -S_PI_B, FMAF(n, -S_PI_A, x));

    return s_fast_turned(r, hd_f32_bits(t));
}

KERNEL float s_fast_cos(float x)
{
    float t = MADF(x, S_1_PI, -0.5f) + S_ROUNDER, n = (t - S_ROUNDER) + 0.5f;
    float r = FMAF(n, -S_PI_B, FMAF(n, -S_PI_A, x));

    return s_fast_turned(r, ~hd_f32_bits(t));
}

#endif
