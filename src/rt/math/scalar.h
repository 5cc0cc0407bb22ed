/* rt/math/scalar.h -- the mathematics of one lane, in double.
 *
 * libm where it meets OpenCL's limits and edge cases, our own where it does not. Float and half
 * functions call these too and round once: a double carries more than twice their precision, so
 * the result is off by hardly more than half a unit.
 *
 * Spec: OpenCL C, "Built-in Math Functions", "Edge Case Behavior".
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_SCALAR_H
#define HD_RT_MATH_SCALAR_H

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/half.h"

#define D_NAN     (hd_f64_from(0x7ff8000000000000u))
#define D_PI_HI   0x1.921fb54442d18p+1
#define D_PI_LO   0x1.1a62633145c07p-53
#define D_1_PI_HI 0x1.45f306dc9c883p-2
#define D_1_PI_LO -0x1.6b01ec5417056p-56
#define D_TO_DEG  0x1.ca5dc1a63c1f8p+5
#define D_TO_RAD  0x1.1df46a2529d39p-6
#define D_LOG2_10 0x1.a934f0979a371p+1

/* Make a NaN quiet, whatever the compiler thinks of x + x. */
static inline double d_quiet(double x)
{
    return x != x ? hd_f64_from(hd_f64_bits(x) | 0x8000000000000u) : x;
}

/* Angles in half turns. */

/* sin(pi r) and cos(pi r) for |r| <= 1/4, pi in two parts. */
static inline double d_sin_of_pi(double r)
{
    double hi = r * D_PI_HI;
    double lo = fma(r, D_PI_HI, -hi) + r * D_PI_LO;

    return r == 0.0 ? r : sin(hi) + lo * cos(hi);
}

static inline double d_cos_of_pi(double r)
{
    double hi = r * D_PI_HI;
    double lo = fma(r, D_PI_HI, -hi) + r * D_PI_LO;

    return cos(hi) - lo * sin(hi);
}

/* Split |x| into quarter turns and a rest: |x| = q / 2 + r, |r| <= 1/4, exactly. Returns q mod 4.
 */
static inline int d_half_turns(double x, double *r)
{
    double a = fabs(x);
    double m = a >= 0x1p53 ? 0.0 : a - 2.0 * floor(a * 0.5);
    double q = rint(m * 2.0);

    *r = m - q * 0.5;
    return (int)q & 3;
}

static inline double d_sinpi(double x)
{
    double r, s;
    int q;

    if (!isfinite(x))
        return D_NAN;
    q = d_half_turns(x, &r);
    s = (q & 1) != 0 ? d_cos_of_pi(r) : d_sin_of_pi(r);
    if ((q & 2) != 0)
        s = -s;
    /* sinpi(n) is +0 for n > 0, whichever half turn n ends in. */
    return s == 0.0 ? copysign(0.0, x) : (signbit(x) != 0 ? -s : s);
}

static inline double d_cospi(double x)
{
    double r, s;
    int q;

    if (!isfinite(x))
        return D_NAN;
    q = d_half_turns(x, &r);
    s = (q & 1) != 0 ? d_sin_of_pi(r) : d_cos_of_pi(r);
    if (q == 1 || q == 2)
        s = -s;
    return s == 0.0 ? 0.0 : s;
}

static inline double d_tanpi(double x)
{
    double r, t;
    int q;

    if (!isfinite(x))
        return D_NAN;
    q = d_half_turns(x, &r);
    if (r == 0.0) {
        /* Zeros take the sign of n, turned for odd n; poles at n + 1/2 take the parity of n. */
        if ((q & 1) == 0)
            return copysign(0.0, q == 2 ? -x : x);
        return ((q == 1) != (signbit(x) != 0)) ? (double)INFINITY : -(double)INFINITY;
    }
    t = (q & 1) != 0 ? -d_cos_of_pi(r) / d_sin_of_pi(r) : d_sin_of_pi(r) / d_cos_of_pi(r);
    return signbit(x) != 0 ? -t : t;
}

/* v / pi, for a v that is already rounded. */
static inline double d_over_pi(double v)
{
    return fma(v, D_1_PI_HI, v * D_1_PI_LO);
}

static inline double d_acospi(double x)
{
    return d_over_pi(acos(x));
}

static inline double d_asinpi(double x)
{
    return x == 0.0 ? x : d_over_pi(asin(x));
}

static inline double d_atanpi(double x)
{
    return x == 0.0 ? x : d_over_pi(atan(x));
}

static inline double d_atan2pi(double y, double x)
{
    double v = atan2(y, x);

    return v == 0.0 ? v : d_over_pi(v);
}

/* Powers and roots. */

/* libm is up to 4 ulp off: one Newton step, with the cube in two parts. */
static inline double d_cbrt(double x)
{
    double m, y, sq, sq_lo, cube, cube_lo;
    int e;

    if (x == 0.0 || !isfinite(x))
        return d_quiet(x);
    m = frexp(x, &e);
    while (e % 3 != 0) {
        m *= 0.5;
        e++;
    }
    y = cbrt(m);
    sq = y * y;
    sq_lo = fma(y, y, -sq);
    cube = sq * y;
    cube_lo = fma(sq, y, -cube) + sq_lo * y;
    y -= ((cube - m) + cube_lo) / (3.0 * sq);
    return ldexp(y, e / 3);
}

static inline double d_exp10(double x)
{
    return exp10(x);
}

static inline double d_pow(double x, double y)
{
    /* Some libms let a signalling NaN win over these two rules. */
    if (y == 0.0 || x == 1.0)
        return 1.0;
    return pow(x, y);
}

static inline double d_pown(double x, int32_t n)
{
    return n == 0 ? 1.0 : pow(x, (double)n);
}

static inline double d_powr(double x, double y)
{
    if (x != x || y != y)
        return d_quiet(x != x ? x : y);
    if (x < 0.0)
        return D_NAN;
    if (y == 0.0 && (x == 0.0 || isinf(x)))
        return D_NAN;
    if (x == 1.0 && isinf(y))
        return D_NAN;
    return pow(fabs(x), y);
}

static inline double d_rootn(double x, int32_t n)
{
    double a = fabs(x);
    double y, v;

    if (n == 0 || (x < 0.0 && n % 2 == 0))
        return D_NAN;
    if (x != x)
        return d_quiet(x);
    if (n == 3)
        return d_cbrt(x);
    if (x == 0.0 || isinf(x)) {
        v = (x == 0.0) == (n > 0) ? 0.0 : (double)INFINITY;
    } else {
        /* 1/n in two parts, since the error of 1/n is multiplied by log(x). */
        y = 1.0 / n;
        v = pow(a, y);
        if (n > 1 || n < -1)
            v = fma(v, (fma(-y, (double)n, 1.0) / n) * log(a), v);
    }
    return n % 2 != 0 ? copysign(v, x) : v;
}

static inline double d_rsqrt(double x)
{
    return 1.0 / sqrt(x);
}

/* Rests. */

/* remquo by hand: OpenCL wants seven bits of the quotient, C only three. */
static inline double d_remquo(double x, double y, int32_t *quo)
{
    double ax = fabs(x), ay = fabs(y), r, t;
    int32_t q = 0;
    bool up;

    *quo = 0;
    if (x != x || y != y)
        return d_quiet(x != x ? x : y);
    if (isinf(x) || y == 0.0)
        return D_NAN;
    if (isinf(y))
        return x;
    r = ay < 0x1p1016 ? fmod(ax, ay * 256.0) : ax;
    for (int bit = 7; bit >= 0; bit--) {
        t = ldexp(ay, bit);
        if (t <= r) { /* r < 2t here, so the difference is exact */
            r -= t;
            q += (int32_t)1 << bit;
        }
    }
    t = ay - r; /* exact where it decides: for r >= ay / 2 */
    up = r > t || (r == t && (q & 1) != 0);
    r = up ? r - ay : r;
    q = (q + (up ? 1 : 0)) & 0x7f;
    *quo = (signbit(x) != 0) != (signbit(y) != 0) ? -q : q;
    r = signbit(x) != 0 ? -r : r;
    return r == 0.0 ? copysign(0.0, x) : r;
}

static inline double d_remquo_rem(double x, double y)
{
    int32_t q;

    return d_remquo(x, y, &q);
}

static inline int32_t d_remquo_quo(double x, double y)
{
    int32_t q;

    (void)d_remquo(x, y, &q);
    return q;
}

/* Parts of a number. */

static inline double d_fract_int(double x)
{
    return floor(x);
}

/* largest: the largest number below one of the type. */
static inline double d_fract(double x, double largest)
{
    double f = x - floor(x);

    if (x != x)
        return d_quiet(x);
    if (x == 0.0 || isinf(x))
        return copysign(0.0, x);
    return f < largest ? f : largest;
}

static inline double d_frexp_mant(double x)
{
    int e;

    return isfinite(x) ? frexp(x, &e) : d_quiet(x);
}

static inline int32_t d_frexp_exp(double x)
{
    int e = 0;

    if (!isfinite(x))
        return 0;
    (void)frexp(x, &e);
    return e;
}

/* FP_ILOGB0 and FP_ILOGBNAN as OpenCL's compilers define them. */
static inline int32_t d_ilogb(double x)
{
    if (x == 0.0)
        return INT32_MIN;
    return isfinite(x) ? ilogb(x) : INT32_MAX;
}

static inline double d_modf_frac(double x)
{
    return isinf(x) ? copysign(0.0, x) : copysign(x - trunc(x), x);
}

static inline double d_modf_int(double x)
{
    return trunc(x);
}

static inline double d_ldexp(double x, int32_t k)
{
    return scalbn(x, k);
}

/* Gamma. lgamma itself writes a global. */

static inline double d_lgamma(double x)
{
    int sign;

    return lgamma_r(x, &sign);
}

static inline int32_t d_lgamma_sign(double x)
{
    if (x == 0.0 || (x < 0.0 && isfinite(x) && x == floor(x)))
        return 0;
    /* Negative in every second interval: (-1, 0), (-3, -2) … */
    return x < 0.0 && isfinite(x) && fmod(floor(x), 2.0) != 0.0 ? -1 : 1;
}

/* Choices; a NaN loses against a number. */

static inline double d_fmax(double x, double y)
{
    return x != x ? d_quiet(y) : (x < y ? y : x);
}

static inline double d_fmin(double x, double y)
{
    return x != x ? d_quiet(y) : (y < x ? y : x);
}

static inline double d_fmax_common(double x, double y)
{
    return x < y ? y : x;
}

static inline double d_fmin_common(double x, double y)
{
    return y < x ? y : x;
}

static inline double d_fclamp(double x, double low, double high)
{
    return d_fmin(d_fmax(x, low), high);
}

static inline double d_maxmag(double x, double y)
{
    double ax = fabs(x), ay = fabs(y);

    return ax > ay ? x : (ay > ax ? y : d_fmax(x, y));
}

static inline double d_minmag(double x, double y)
{
    double ax = fabs(x), ay = fabs(y);

    return ax < ay ? x : (ay < ax ? y : d_fmin(x, y));
}

static inline double d_sign(double x)
{
    return x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : (x == 0.0 ? x : 0.0));
}

static inline double d_step(double edge, double x)
{
    return x < edge ? 0.0 : 1.0;
}

/* Interpolation. */

static inline double d_mix(double x, double y, double a)
{
    return x + (y - x) * a;
}

static inline double d_smoothstep(double edge0, double edge1, double x)
{
    double t = d_fclamp((x - edge0) / (edge1 - edge0), 0.0, 1.0);

    return t * t * (3.0 - 2.0 * t);
}

static inline double d_degrees(double x)
{
    return x * D_TO_DEG;
}

static inline double d_radians(double x)
{
    return x * D_TO_RAD;
}

/* x + y rounded to odd: rounding that once more to 50 bits or fewer gives what one rounding of
 * the exact sum would. */
static inline double d_add_to_odd(double x, double y)
{
    double s = x + y;
    double part = s - x;
    double error = (x - (s - part)) + (y - part);
    uint64_t u = hd_f64_bits(s);

    if (error == 0.0 || !isfinite(s) || (u & 1u) != 0)
        return s;
    return hd_f64_from((error > 0.0) == (s > 0.0) ? u + 1u : u - 1u);
}

#endif
