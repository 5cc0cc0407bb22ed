/* rt/math/far.h -- circular functions of angles past 2^30, one lane at a time.
 *
 * Of the product with 2 / pi only the bits below four count, so three words of 2 / pi are enough,
 * wherever the angle's exponent puts them; what is left is good to 2^-137 of a quarter turn.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_FAR_H
#define HD_RT_MATH_FAR_H

#include "rt/math/vec_f64.h"

__extension__ typedef unsigned __int128 HdMathWide;

/* 64 zeros and 2 / pi. */
static const uint64_t two_over_pi[20] = {
    0x0000000000000000u, 0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u, 0xdb6295993c439041u,
    0xfe5163abdebbc561u, 0xb7246e3a424dd2e0u, 0x06492eea09d1921cu, 0xfe1deb1cb129a73eu,
    0xe88235f52ebb4484u, 0xe99c7026b45f7e41u, 0x3991d639835339f4u, 0x9c845f8bbdf9283bu,
    0x1ff897ffde05980fu, 0xef2f118b5a0a6d1fu, 0x6d367ecf27cb09b7u, 0x4f463f669e5fea2du,
    0x7527bac7ebe5f17bu, 0x3d0739f78a5292eau, 0x6bfb5fb11f8d5d08u, 0x56033046fc7b6babu,
};

/* |x| = q pi / 2 + r + low for finite |x| >= 2^30; returns q. */
static inline uint64_t far_quarter(double x, double *r, double *low)
{
    uint64_t u = hd_f64_bits(fabs(x)), m = (u & 0xfffffffffffffu) | 0x10000000000000u;
    /* The first bit that counts weighs 2 in |x| = m 2^k. */
    unsigned at = (unsigned)(u >> 52) - 1075u + 62u, word = at / 64, bit = at % 64;
    const uint64_t *t = two_over_pi + word;
    uint64_t w[3], p2, p1, p0, q, high, rest, sign;
    HdMathWide a, b;
    double d, e, f;

    for (unsigned i = 0; i < 3; i++)
        w[i] = bit == 0 ? t[i] : t[i] << bit | t[i + 1] >> (64 - bit);
    a = (HdMathWide)w[2] * m;
    b = (HdMathWide)w[1] * m + (uint64_t)(a >> 64);
    p0 = (uint64_t)a;
    p1 = (uint64_t)b;
    p2 = (uint64_t)(b >> 64) + w[0] * m;
    /* Two bits of q, and a fraction that is negative past the middle. */
    high = p2 << 2 | p1 >> 62;
    rest = p1 << 2 | p0 >> 62;
    q = (p2 >> 62) + (high >> 63);
    sign = 0u - (high >> 63);
    high ^= sign;
    rest ^= sign; /* one too low, in its last bit */
    d = (double)(high >> 32) * 0x1p-32;
    e = (double)(high & 0xffffffffu) * 0x1p-64;
    f = (double)(rest >> 12) * 0x1p-116;
    e = e + f;
    *r = d + e;
    *low = (d - *r) + e;
    d = *r;
    e = d * V_PIO2_HI;
    f = FMA(d, V_PIO2_HI, -e) + MAD(d, V_PIO2_LO, *low * V_PIO2_HI);
    *r = sign != 0 ? -e : e;
    *low = sign != 0 ? -f : f;
    return q;
}

static inline double far_sin(double x)
{
    double r, low;
    uint64_t q;

    if (!(fabs(x) < (double)INFINITY))
        return x - x;
    q = far_quarter(x, &r, &low);
    return v_flip(w_turned(q, r, low), x);
}

static inline double far_cos(double x)
{
    double r, low;
    uint64_t q;

    if (!(fabs(x) < (double)INFINITY))
        return x - x;
    q = far_quarter(x, &r, &low);
    return w_turned(q + 1u, r, low);
}

static inline double far_tan(double x)
{
    double r, low, s, c;
    uint64_t q;

    if (!(fabs(x) < (double)INFINITY))
        return x - x;
    q = far_quarter(x, &r, &low);
    s = w_sin_core(r, low);
    c = w_cos_core(r, low);
    return v_flip((q & 1u) != 0 ? -c / s : s / c, x);
}

#endif
