/* rt/math/lanes.h -- from a function of one lane to a function of n lanes.
 *
 * LANES_<form>(name, T, S) defines hd_rt_<name>_<S> as a loop over <S>_<name>, which takes and
 * gives T. errno is put back, since libm sets it and the thread may be the host program's own.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_LANES_H
#define HD_RT_MATH_LANES_H

#include <errno.h>

#include "rt/math/math.h"

#define LANES_HEAD(name, S) \
    void hd_rt_##name##_##S(void *dst, const void *a, const void *b, const void *c, uint32_t n)

#define LANES_LOOP(R, call)          \
    R *r = dst;                      \
    int saved = errno;               \
                                     \
    (void)y;                         \
    (void)z;                         \
    for (uint32_t i = 0; i < n; i++) \
        r[i] = call;                 \
    errno = saved;

#define LANES_BODY(R, X, Y, Z, call) \
    {                                \
        const X *x = a;              \
        const Y *y = b;              \
        const Z *z = c;              \
        LANES_LOOP(R, call)          \
    }

#define LANES_F_F(name, T, U, S) LANES_HEAD(name, S) LANES_BODY(T, T, void, void, S##_##name(x[i]))
#define LANES_F_FF(name, T, U, S) \
    LANES_HEAD(name, S) LANES_BODY(T, T, T, void, S##_##name(x[i], y[i]))
#define LANES_F_FFF(name, T, U, S) \
    LANES_HEAD(name, S) LANES_BODY(T, T, T, T, S##_##name(x[i], y[i], z[i]))
#define LANES_F_FI(name, T, U, S) \
    LANES_HEAD(name, S) LANES_BODY(T, T, int32_t, void, S##_##name(x[i], y[i]))
#define LANES_F_U(name, T, U, S) LANES_HEAD(name, S) LANES_BODY(T, U, void, void, S##_##name(x[i]))
#define LANES_I_F(name, T, U, S) \
    LANES_HEAD(name, S) LANES_BODY(int32_t, T, void, void, S##_##name(x[i]))
#define LANES_I_FF(name, T, U, S) \
    LANES_HEAD(name, S) LANES_BODY(int32_t, T, T, void, S##_##name(x[i], y[i]))

/* nextafter on bits: order all numbers as integers, step by one, map back. */
#define DEFINE_NEXTAFTER(S, U, I, INF, QUIET)                                            \
    static inline U S##_bits_nextafter(U x, U y)                                         \
    {                                                                                    \
        const U sign = (U)((U)1 << (sizeof(U) * 8 - 1));                                 \
        U ax = (U)(x & (U)~sign), ay = (U)(y & (U)~sign);                                \
        I ox = (I)((x & sign) != 0 ? (U)(sign - x) : x);                                 \
        I oy = (I)((y & sign) != 0 ? (U)(sign - y) : y);                                 \
                                                                                         \
        if (ax > (INF) || ay > (INF))                                                    \
            return (U)((ax > (INF) ? x : y) | (QUIET));                                  \
        if (ox == oy)                                                                    \
            return y;                                                                    \
        ox = (I)(ox < oy ? ox + 1 : ox - 1);                                             \
        return ox < 0 ? (U)(sign - (U)ox) : (ox == 0 && (x & sign) != 0 ? sign : (U)ox); \
    }

#endif
