/* rt/math/half_inline.h -- the bodies behind half.h, for loops over lanes.
 *
 * Free of branches once the mode is a constant, so compilers turn loops over them into vector
 * code. Only files of this folder include it; everyone else calls half.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_HALF_INLINE_H
#define HD_RT_MATH_HALF_INLINE_H

#include <stdbool.h>
#include <string.h>

#include "rt/math/half.h"

static inline uint32_t f32_bits(float f)
{
    uint32_t u;

    memcpy(&u, &f, sizeof u);
    return u;
}

static inline float f32_from(uint32_t u)
{
    float f;

    memcpy(&f, &u, sizeof f);
    return f;
}

static inline uint64_t f64_bits(double d)
{
    uint64_t u;

    memcpy(&u, &d, sizeof u);
    return u;
}

static inline double f64_from(uint64_t u)
{
    double d;

    memcpy(&d, &u, sizeof d);
    return d;
}

static inline float half_widen(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000u) << 16;
    uint32_t mant = h & 0x3ffu;
    uint32_t exp = (h >> 10) & 0x1fu;
    uint32_t normal = ((exp + 112u) << 23) | (mant << 13);
    uint32_t special = 0x7f800000u | (mant << 13) | (mant ? 0x400000u : 0u);
    /* From an integer, so that no denormal float is ever an operand. */
    uint32_t small = f32_bits((float)(int32_t)mant * 0x1p-24f);

    return f32_from(sign | (exp == 0 ? small : exp == 31 ? special : normal));
}

/* Say whether a truncated magnitude goes up by one unit. rest and half_unit: what was cut off and
 * half a unit, on one scale. */
static inline bool round_up(HdRound mode, bool negative, bool odd, uint64_t rest,
                            uint64_t half_unit)
{
    switch (mode) {
    case HD_ROUND_RTE: return (rest > half_unit) | ((rest == half_unit) & odd);
    case HD_ROUND_RTZ: return false;
    case HD_ROUND_RTP: return (rest != 0) & !negative;
    case HD_ROUND_RTN: return (rest != 0) & negative;
    }
    return false;
}

static inline uint16_t half_overflow(HdRound mode, bool negative)
{
    bool finite = mode == HD_ROUND_RTZ || (mode == HD_ROUND_RTP && negative) ||
                  (mode == HD_ROUND_RTN && !negative);

    return finite ? 0x7bff : 0x7c00;
}

static inline uint16_t half_from_double(double d, HdRound mode)
{
    uint64_t u = f64_bits(d);
    bool negative = u >> 63 != 0;
    uint64_t mag = u & 0x7fffffffffffffffu;
    int exp = (int)(mag >> 52) - 1023;
    uint64_t mant = (mag & 0xfffffffffffffu) | (exp > -1023 ? 1ull << 52 : 0u);
    /* Bits to cut: 42 for a normal half, more below; from 55 on, everything is below the guard. */
    int cut = exp >= -14 ? 42 : 28 - exp;
    int shift = cut > 55 ? 55 : cut;
    uint64_t kept = mant >> shift;
    uint64_t rest = mant & ((1ull << shift) - 1u);
    uint32_t h, special;

    h = (uint32_t)kept + (exp >= -14 ? (uint32_t)(exp + 14) << 10 : 0u);
    h += round_up(mode, negative, (kept & 1u) != 0, rest, 1ull << (shift - 1)) ? 1u : 0u;
    special = mag > 0x7ff0000000000000u ? 0x7e00u | (uint32_t)((mag >> 42) & 0x3ffu) : 0x7c00u;
    h = exp > 15 || h > 0x7bffu ? half_overflow(mode, negative) : h;
    h = exp == 1024 ? special : h;
    return (uint16_t)(h | (negative ? 0x8000u : 0u));
}

static inline uint16_t half_from_float(float f, HdRound mode)
{
    uint32_t u = f32_bits(f);
    bool negative = u >> 31 != 0;
    uint32_t mag = u & 0x7fffffffu;
    int exp = (int)(mag >> 23) - 127;
    uint32_t mant = (mag & 0x7fffffu) | (exp > -127 ? 1u << 23 : 0u);
    int cut = exp >= -14 ? 13 : -1 - exp;
    int shift = cut > 26 ? 26 : cut;
    uint32_t kept = mant >> shift;
    uint32_t rest = mant & ((1u << shift) - 1u);
    uint32_t h, special;

    h = kept + (exp >= -14 ? (uint32_t)(exp + 14) << 10 : 0u);
    h += round_up(mode, negative, (kept & 1u) != 0, rest, 1u << (shift - 1)) ? 1u : 0u;
    special = mag > 0x7f800000u ? 0x7e00u | ((mag >> 13) & 0x3ffu) : 0x7c00u;
    h = exp > 15 || h > 0x7bffu ? half_overflow(mode, negative) : h;
    h = exp == 128 ? special : h;
    return (uint16_t)(h | (negative ? 0x8000u : 0u));
}

/* The nearest float, moved one step back where it lies on the wrong side. */
static inline float float_from_double(double d, HdRound mode)
{
    float f = (float)d;
    uint32_t u = f32_bits(f);
    uint32_t sign = u & 0x80000000u;
    bool above = (double)f > d;
    bool below = (double)f < d;
    bool back = (mode == HD_ROUND_RTZ && (sign ? below : above)) ||
                (mode == HD_ROUND_RTP && below) || (mode == HD_ROUND_RTN && above);
    /* Too low: up, which shrinks a negative magnitude; a zero keeps the sign of d. */
    bool grow = below ? !sign : sign != 0;

    return f32_from(back ? (grow ? u + 1u : u - 1u) : u);
}

#endif
