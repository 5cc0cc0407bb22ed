/* rt/math/rest.h -- fmod, remainder, remquo: exact rests of a division, floats as doubles.
 *
 * A quotient below 2^44 is found by one division, which may be one too high; its product with the
 * divisor cancels exactly. Larger ones take several steps, see w_rest_far.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_REST_H
#define HD_RT_MATH_REST_H

#include "rt/math/flat.h"

/* One step does, and there is nothing special about the operands. */
KERNEL bool w_rest_is_near(double x, double y)
{
    double a = fabs(x), b = fabs(y);

    return (a < b * 0x1p44) & (b < (double)INFINITY) & (a < (double)INFINITY);
}

/* a - n b in [0, b) with its n; a, b >= 0 and near. */
KERNEL double w_rest_step(double a, double b, double *quotient)
{
    double n = trunc(a / b);
    double r = FMA(-n, b, a);
    bool below = r < 0.0;

    *quotient = below ? n - 1.0 : n;
    return below ? r + b : r;
}

/* The nearer of r and r - b, to an even quotient if none is; 1 in *up for the latter. */
KERNEL double w_rest_nearest(double r, double b, double n, double *up)
{
    double t = b - r; /* exact where it decides: for r >= b / 2 */
    bool odd = rint(n * 0.5) != n * 0.5;
    bool more = (r > t) | ((r == t) & odd);

    *up = more ? 1.0 : 0.0;
    return more ? r - b : r;
}

KERNEL double w_fmod(double x, double y)
{
    double n, r = w_rest_step(fabs(x), fabs(y), &n);

    return copysign(r, x);
}

KERNEL double w_remainder(double x, double y)
{
    double n, up, r = w_rest_step(fabs(x), fabs(y), &n);

    r = w_rest_nearest(r, fabs(y), n, &up);
    return r == 0.0 ? copysign(0.0, x) : v_flip(r, x);
}

/* Seven bits of the quotient, and its sign. */
KERNEL int32_t w_quotient(double x, double y, double n)
{
    double low = n - floor(n * 0x1p-7) * 0x1p7;
    int32_t q = (int32_t)(uint32_t)hd_f64_bits(low + 0x1p52);

    return v_negative(x) != v_negative(y) ? -q : q;
}

KERNEL int32_t w_remquo_quo(double x, double y)
{
    double n, up, r = w_rest_step(fabs(x), fabs(y), &n);

    r = w_rest_nearest(r, fabs(y), n, &up);
    return w_quotient(x, y, n + up);
}

/* a brought below 2^44 b by whole multiples of 128 b, so that seven bits of the quotient stay
 * right; a, b > 0, finite. Each step takes 2^37, a double's range 57 steps. */
static inline double w_rest_far(double a, double b)
{
    while (!(a < b * 0x1p44)) {
        int32_t d = e_ilogb(a) - e_ilogb(b);
        double step = w_ldexp(b, d - 37 < 7 ? 7 : d - 37), n;

        a = w_rest_step(a, step, &n);
    }
    return a;
}

/* By rule, for any operands. */
static inline double w_rest_all(double x, double y, double *a)
{
    *a = fabs(x);
    if ((x != x) | (y != y))
        return x + y;
    if ((*a == (double)INFINITY) | (y == 0.0))
        return D_NAN;
    if (fabs(y) < (double)INFINITY)
        *a = w_rest_far(*a, fabs(y));
    return 0.0;
}

static inline double w_fmod_all(double x, double y)
{
    double a, v = w_rest_all(x, y, &a);

    if (v != v || fabs(y) == (double)INFINITY)
        return v != v ? v : x;
    return w_fmod(copysign(a, x), y);
}

static inline double w_remainder_all(double x, double y)
{
    double a, v = w_rest_all(x, y, &a);

    if (v != v || fabs(y) == (double)INFINITY)
        return v != v ? v : x;
    return w_remainder(copysign(a, x), y);
}

static inline int32_t w_remquo_quo_all(double x, double y)
{
    double a, v = w_rest_all(x, y, &a);

    if (v != v || fabs(y) == (double)INFINITY)
        return 0;
    return w_remquo_quo(copysign(a, x), y);
}

/* The same in float, for quotients below 2^22. */

KERNEL bool s_rest_is_near(float x, float y)
{
    float a = fabsf(x), b = fabsf(y);

    return (a < b * 0x1p22f) & (b < INFINITY) & (a < INFINITY);
}

KERNEL float s_rest_step(float a, float b, float *quotient)
{
    float n = truncf(a / b);
    float r = FMAF(-n, b, a);
    bool below = r < 0.0f;

    *quotient = below ? n - 1.0f : n;
    return below ? r + b : r;
}

KERNEL float s_rest_nearest(float r, float b, float n, float *up)
{
    float t = b - r;
    bool more = (r > t) | ((r == t) & s_is_odd(n));

    *up = more ? 1.0f : 0.0f;
    return more ? r - b : r;
}

KERNEL float s_fmod(float x, float y)
{
    float n, r = s_rest_step(fabsf(x), fabsf(y), &n);

    return copysignf(r, x);
}

KERNEL float s_remainder(float x, float y)
{
    float n, up, r = s_rest_step(fabsf(x), fabsf(y), &n);

    r = s_rest_nearest(r, fabsf(y), n, &up);
    return r == 0.0f ? copysignf(0.0f, x) : s_flip(r, x);
}

KERNEL int32_t s_remquo_quo(float x, float y)
{
    float n, up, r = s_rest_step(fabsf(x), fabsf(y), &n);
    int32_t q;

    r = s_rest_nearest(r, fabsf(y), n, &up);
    q = (int32_t)(hd_f32_bits(n + up + 0x1p23f) & 0x7fu);
    return s_negative(x) != s_negative(y) ? -q : q;
}

#endif
