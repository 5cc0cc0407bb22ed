/* base/half.h -- the bits of floats; conversions between half and the wider types, rounded once.
 *
 * In integer arithmetic, so that results do not depend on the processor's rounding mode or flushing
 * of denormals, and free of branches once the mode is a constant, so compilers turn loops over
 * lanes into vector code. Halves are uint16_t bits.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_HALF_H
#define HD_BASE_HALF_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef enum HdRound {
    HD_ROUND_RTE, /* to nearest, ties to even */
    HD_ROUND_RTZ, /* toward zero */
    HD_ROUND_RTP, /* toward +infinity */
    HD_ROUND_RTN  /* toward -infinity */
} HdRound;

static inline uint32_t hd_f32_bits(float f)
{
    uint32_t u;

    memcpy(&u, &f, sizeof u);
    return u;
}

static inline float hd_f32_from(uint32_t u)
{
    float f;

    memcpy(&f, &u, sizeof f);
    return f;
}

static inline uint64_t hd_f64_bits(double d)
{
    uint64_t u;

    memcpy(&u, &d, sizeof u);
    return u;
}

static inline double hd_f64_from(uint64_t u)
{
    double d;

    memcpy(&d, &u, sizeof d);
    return d;
}

/* Widen a half; exact. A signalling NaN becomes quiet, its payload stays. */
static inline float hd_half_widen(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000u) << 16;
    uint32_t mant = h & 0x3ffu;
    uint32_t exp = (h >> 10) & 0x1fu;
    uint32_t normal = ((exp + 112u) << 23) | (mant << 13);
    uint32_t special = 0x7f800000u | (mant << 13) | (mant ? 0x400000u : 0u);
    /* From an integer, so that no denormal float is ever an operand. */
    uint32_t small = hd_f32_bits((float)(int32_t)mant * 0x1p-24f);

    return hd_f32_from(sign | (exp == 0 ? small : exp == 31 ? special : normal));
}

/* Say whether a truncated magnitude goes up by one unit. rest and half_unit: what was cut off and
 * half a unit, on one scale. */
static inline bool hd_half_rounds_up(HdRound mode, bool negative, bool odd, uint64_t rest,
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

static inline uint16_t hd_half_overflow(HdRound mode, bool negative)
{
    bool finite = mode == HD_ROUND_RTZ || (mode == HD_ROUND_RTP && negative) ||
                  (mode == HD_ROUND_RTN && !negative);

    return finite ? 0x7bff : 0x7c00;
}

/* Round once to a half. Overflow gives infinity or the largest finite half, as the mode says;
 * a NaN stays a NaN, made quiet, with the upper bits of its payload. */
static inline uint16_t hd_half_round(double d, HdRound mode)
{
    uint64_t u = hd_f64_bits(d);
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
    h += hd_half_rounds_up(mode, negative, (kept & 1u) != 0, rest, 1ull << (shift - 1)) ? 1u : 0u;
    special = mag > 0x7ff0000000000000u ? 0x7e00u | (uint32_t)((mag >> 42) & 0x3ffu) : 0x7c00u;
    h = exp > 15 || h > 0x7bffu ? hd_half_overflow(mode, negative) : h;
    h = exp == 1024 ? special : h;
    return (uint16_t)(h | (negative ? 0x8000u : 0u));
}

static inline uint16_t hd_half_round_float(float f, HdRound mode)
{
    uint32_t u = hd_f32_bits(f);
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
    h += hd_half_rounds_up(mode, negative, (kept & 1u) != 0, rest, 1u << (shift - 1)) ? 1u : 0u;
    special = mag > 0x7f800000u ? 0x7e00u | ((mag >> 13) & 0x3ffu) : 0x7c00u;
    h = exp > 15 || h > 0x7bffu ? hd_half_overflow(mode, negative) : h;
    h = exp == 128 ? special : h;
    return (uint16_t)(h | (negative ? 0x8000u : 0u));
}

/* The nearest float, moved one step back where it lies on the wrong side. */
static inline float hd_float_round(double d, HdRound mode)
{
    float f = (float)d;
    uint32_t u = hd_f32_bits(f);
    uint32_t sign = u & 0x80000000u;
    bool above = (double)f > d;
    bool below = (double)f < d;
    bool back = (mode == HD_ROUND_RTZ && (sign ? below : above)) ||
                (mode == HD_ROUND_RTP && below) || (mode == HD_ROUND_RTN && above);
    /* Too low: up, which shrinks a negative magnitude; a zero keeps the sign of d. */
    bool grow = below ? !sign : sign != 0;

    return hd_f32_from(back ? (grow ? u + 1u : u - 1u) : u);
}

/* A float of 16, 32 or 64 bits as double (exact), and back, rounded once to nearest even. */
static inline double hd_float_value(uint64_t bits, unsigned width)
{
    return width == 16   ? (double)hd_half_widen((uint16_t)bits)
           : width == 32 ? (double)hd_f32_from((uint32_t)bits)
                         : hd_f64_from(bits);
}

static inline uint64_t hd_float_bits(double x, unsigned width)
{
    return width == 16   ? hd_half_round(x, HD_ROUND_RTE)
           : width == 32 ? hd_f32_bits((float)x)
                         : hd_f64_bits(x);
}

#endif
