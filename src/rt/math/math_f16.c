/* rt/math/math_f16.c -- every function of math.def for half, lane by lane.
 *
 * Computed in double and rounded once: see scalar.h. Sums, differences, products and quotients of
 * halves are exact in double or far enough from a tie for that to be correct rounding.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/math/lanes.h"
#include "rt/math/scalar.h"

static inline double widen(uint16_t h)
{
    return (double)hd_half_widen(h);
}

static inline uint16_t narrow(double d)
{
    return hd_half_round(d, HD_ROUND_RTE);
}

#define VIA_F_F(name, fn)                         \
    static inline uint16_t f16_##name(uint16_t x) \
    {                                             \
        return narrow(fn(widen(x)));              \
    }
#define VIA_F_FF(name, fn)                                    \
    static inline uint16_t f16_##name(uint16_t x, uint16_t y) \
    {                                                         \
        return narrow(fn(widen(x), widen(y)));                \
    }
#define VIA_F_FFF(name, fn)                                               \
    static inline uint16_t f16_##name(uint16_t x, uint16_t y, uint16_t z) \
    {                                                                     \
        return narrow(fn(widen(x), widen(y), widen(z)));                  \
    }
#define VIA_F_FI(name, fn)                                   \
    static inline uint16_t f16_##name(uint16_t x, int32_t k) \
    {                                                        \
        return narrow(fn(widen(x), k));                      \
    }
#define VIA_I_F(name, fn)                        \
    static inline int32_t f16_##name(uint16_t x) \
    {                                            \
        return fn(widen(x));                     \
    }
#include "rt/math/via_double.def"

/* The product is exact in double; the sum may be wider, so it is rounded to odd first. */
static inline uint16_t f16_fma(uint16_t x, uint16_t y, uint16_t z)
{
    return narrow(d_add_to_odd(widen(x) * widen(y), widen(z)));
}

static inline uint16_t f16_mad(uint16_t x, uint16_t y, uint16_t z)
{
    return f16_fma(x, y, z);
}

static inline uint16_t f16_fmod(uint16_t x, uint16_t y)
{
    return narrow((double)fmodf(hd_half_widen(x), hd_half_widen(y)));
}

static inline uint16_t f16_remainder(uint16_t x, uint16_t y)
{
    return narrow((double)remainderf(hd_half_widen(x), hd_half_widen(y)));
}

static inline uint16_t f16_remquo_rem(uint16_t x, uint16_t y)
{
    return narrow(d_remquo_rem(widen(x), widen(y)));
}

static inline int32_t f16_remquo_quo(uint16_t x, uint16_t y)
{
    return d_remquo_quo(widen(x), widen(y));
}

static inline uint16_t f16_ldexp(uint16_t x, int32_t k)
{
    return narrow(d_ldexp(widen(x), k < -100 ? -100 : (k > 100 ? 100 : k)));
}

static inline uint16_t f16_fdim(uint16_t hx, uint16_t hy)
{
    double x = widen(hx), y = widen(hy);

    return narrow(x != x ? x : (y != y ? y : (x > y ? x - y : 0.0)));
}

static inline uint16_t f16_div(uint16_t x, uint16_t y)
{
    return narrow(widen(x) / widen(y));
}

static inline uint16_t f16_sqrt(uint16_t x)
{
    return narrow(sqrt(widen(x)));
}

static inline uint16_t f16_fract_value(uint16_t x)
{
    return narrow(d_fract(widen(x), 0x1.ffcp-1));
}

static inline uint16_t f16_mix(uint16_t x, uint16_t y, uint16_t z)
{
    return narrow(d_mix(widen(x), widen(y), widen(z)));
}

static inline uint16_t f16_smoothstep(uint16_t x, uint16_t y, uint16_t z)
{
    return narrow(d_smoothstep(widen(x), widen(y), widen(z)));
}

static inline uint16_t f16_nan(uint16_t code)
{
    return (uint16_t)(0x7e00u | (code & 0x1ffu));
}

DEFINE_NEXTAFTER(f16, uint16_t, int16_t, 0x7c00u, 0x200u)

static inline uint16_t f16_nextafter(uint16_t x, uint16_t y)
{
    return f16_bits_nextafter(x, y);
}

#define MATH(name, operands, form, ulp16, ulp32, ulp64, inst) \
    LANES_##form(name, uint16_t, uint16_t, f16)
#include "rt/math/math.def"
#undef MATH
