/* rt/math/gamma.h -- error functions and gamma for double, without branches.
 *
 * Below 8 gamma is moved: up by eight steps for tgamma, to between 2 and 3 for lgamma, whose zeros
 * at 1 and 2 are factors of the polynomial. From 8 on it is Stirling's series.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_GAMMA_H
#define HD_RT_MATH_GAMMA_H

#include "rt/math/flat.h"
#include "rt/math/poly_gamma.h"

#define W_HALF_LOG_2PI 0x1.d67f1c864beb5p-1
#define W_SQRT_2PI     0x1.40d931ff62706p+1

/* inverse: 1 / (2 + b) for the b of w_erfc_size */
KERNEL double w_erfc_size(double x)
{
    double a = fabs(x);

    return a > 28.0 ? 28.0 : a;
}

KERNEL double w_erfc_from(double x, double inverse)
{
    double b = w_erfc_size(x);
    double t = 2.0 * inverse, z = t - 0.5625;
    double s = b * b, low = FMA(b, b, -s); /* the square in two parts */
    double rounded = MAD(-s, V_LOG2E, W_SIXTEENTHS), n = rounded - W_SIXTEENTHS;
    double r = w_exp_rest(-s, n) - low;
    double w = z * z, q = MAD(z, POLY_ERFC_ODD_D(w), POLY_ERFC_EVEN_D(w)); /* a shorter chain */
    double p = t * q * w_lookup(w_exp_16, hd_f64_bits(rounded));
    double v = w_scale_whole(MAD(p, MAD(r * r, POLY_EXP_16(r), r), p), n);

    return x < 0.0 ? 2.0 - v : v;
}

KERNEL double w_erfc(double x)
{
    return w_erfc_from(x, w_inverse(2.0 + w_erfc_size(x)));
}

/* In sixteen pieces. */
KERNEL double w_erf(double x)
{
    double a = fabs(x);
    double near = MAD(a, 2.56, V_ROUNDER);
    double t = MAD(near - V_ROUNDER, -0.390625, a);
    uint64_t i = hd_f64_bits(near);
    double v = w_lookup(w_erf_12, i);

    v = MAD(v, t, w_lookup(w_erf_11, i));
    v = MAD(v, t, w_lookup(w_erf_10, i));
    v = MAD(v, t, w_lookup(w_erf_9, i));
    v = MAD(v, t, w_lookup(w_erf_8, i));
    v = MAD(v, t, w_lookup(w_erf_7, i));
    v = MAD(v, t, w_lookup(w_erf_6, i));
    v = MAD(v, t, w_lookup(w_erf_5, i));
    v = MAD(v, t, w_lookup(w_erf_4, i));
    v = MAD(v, t, w_lookup(w_erf_3, i));
    v = MAD(v, t, w_lookup(w_erf_2, i));
    v = MAD(v, t, w_lookup(w_erf_1, i));
    v = MAD(v, t, w_lookup(w_erf_0, i));
    return copysign(a > 5.93 ? 1.0 : v, x);
}

/* |sin(pi a)| for a >= 0. */
KERNEL double w_sinpi_size(double a)
{
    return fabs(w_sinpi(a));
}

/* lgamma(a) for a > 0. */
KERNEL double w_lgamma_size(double a)
{
    bool far = a >= 8.0;
    double t = far ? 2.5 : a, up = 1.0, down = 1.0;
    double near, inverse, series, v;
    bool more;

    up = t < 2.0 ? t : up;
    t = t < 2.0 ? t + 1.0 : t;
    up = t < 2.0 ? up * t : up;
    t = t < 2.0 ? t + 1.0 : t;
    more = t >= 3.0;
    t = more ? t - 1.0 : t;
    down = more ? t : down;
    more = t >= 3.0;
    t = more ? t - 1.0 : t;
    down = more ? down * t : down;
    more = t >= 3.0;
    t = more ? t - 1.0 : t;
    down = more ? down * t : down;
    more = t >= 3.0;
    t = more ? t - 1.0 : t;
    down = more ? down * t : down;
    more = t >= 3.0;
    t = more ? t - 1.0 : t;
    down = more ? down * t : down;

    near = t - 2.5;
    near = (t - 2.0) * POLY_LGAMMA_D(near);
    v = w_log(far ? a : (a < 2.0 ? up : down));
    inverse = 1.0 / a;
    series = inverse * inverse;
    series = inverse * POLY_GAMMA_D(series);
    near = a < 2.0 ? near - v : near + v;
    v = MAD(a - 0.5, v, (W_HALF_LOG_2PI - a) + series);
    v = far ? v : near;
    return a < (double)INFINITY ? v : a;
}

KERNEL double w_lgamma(double x)
{
    double a = fabs(x), v = w_lgamma_size(a);
    double s = w_sinpi_size(a) * a;
    double mirrored = w_log(D_PI_HI / s) - v;

    mirrored = s == 0.0 ? (double)INFINITY : mirrored;
    mirrored = a < 0x1p-60 ? v : mirrored;
    v = x < 0.0 ? mirrored : v;
    v = x == 0.0 ? (double)INFINITY : v;
    v = ((x == 1.0) | (x == 2.0)) ? 0.0 : v;
    return a < (double)INFINITY ? v : a;
}

KERNEL double w_tgamma(double x)
{
    double a = fabs(x);
    double b = a < 190.0 ? a : 190.0; /* the result is infinite or zero from there */
    bool low = b < 8.0;
    double steps = (b * (b + 1.0)) * ((b + 2.0) * (b + 3.0)) *
                   (((b + 4.0) * (b + 5.0)) * ((b + 6.0) * (b + 7.0)));
    double y = low ? b + 8.0 : b, lost = low ? b - (y - 8.0) : 0.0;
    double inverse = 1.0 / y, z = inverse * inverse, d = y - 12.0;
    /* y^(y - 1/2) in two equal factors, e^-y, and what y has lost */
    double root = w_pow_parts(y, 0.5 * y - 0.25);
    double rest = MAD(lost, POLY_PSI(d), inverse * POLY_GAMMA_D(z));
    double g = root * w_exp(-y) * MAD(w_exp_core(rest), W_SQRT_2PI, W_SQRT_2PI);
    double whole = floor(a), s = w_sinpi_size(a) * b, v;

    steps = low ? steps : 1.0;
    /* gamma(-a) = -pi / (a sin(pi a) gamma(a)) */
    v = D_PI_HI / (s * root) / g * steps;
    v = rint(whole * 0.5) == whole * 0.5 ? -v : v;
    v = s == 0.0 ? D_NAN : v;
    g = g * root / steps;
    v = x < 0.0 ? v : (x < 172.0 ? g : (double)INFINITY);
    v = a < 0x1p-60 ? 1.0 / x : v;
    return x != x ? x : (x == -(double)INFINITY ? D_NAN : v);
}

#endif
