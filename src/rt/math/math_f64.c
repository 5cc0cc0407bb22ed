/* rt/math/math_f64.c -- every function of math.def for double, lane by lane.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/math/lanes.h"
#include "rt/math/scalar.h"

#define VIA_F_F(name, fn)                     \
    static inline double f64_##name(double x) \
    {                                         \
        return fn(x);                         \
    }
#define VIA_F_FF(name, fn)                              \
    static inline double f64_##name(double x, double y) \
    {                                                   \
        return fn(x, y);                                \
    }
#define VIA_F_FFF(name, fn)                                       \
    static inline double f64_##name(double x, double y, double z) \
    {                                                             \
        return fn(x, y, z);                                       \
    }
#define VIA_F_FI(name, fn)                               \
    static inline double f64_##name(double x, int32_t k) \
    {                                                    \
        return fn(x, k);                                 \
    }
#define VIA_I_F(name, fn)                      \
    static inline int32_t f64_##name(double x) \
    {                                          \
        return fn(x);                          \
    }
#include "rt/math/via_double.def"

static inline double f64_fma(double x, double y, double z)
{
    return fma(x, y, z);
}

static inline double f64_mad(double x, double y, double z)
{
    return fma(x, y, z);
}

static inline double f64_fmod(double x, double y)
{
    return fmod(x, y);
}

static inline double f64_remainder(double x, double y)
{
    return remainder(x, y);
}

static inline double f64_remquo_rem(double x, double y)
{
    return d_remquo_rem(x, y);
}

static inline int32_t f64_remquo_quo(double x, double y)
{
    return d_remquo_quo(x, y);
}

static inline double f64_ldexp(double x, int32_t k)
{
    return d_ldexp(x, k);
}

static inline double f64_fdim(double x, double y)
{
    return x != x || y != y ? d_quiet(x != x ? x : y) : (x > y ? x - y : 0.0);
}

static inline double f64_div(double x, double y)
{
    return x / y;
}

static inline double f64_sqrt(double x)
{
    return sqrt(x);
}

static inline double f64_fract_value(double x)
{
    return d_fract(x, 0x1.fffffffffffffp-1);
}

static inline double f64_mix(double x, double y, double z)
{
    return d_mix(x, y, z);
}

static inline double f64_smoothstep(double x, double y, double z)
{
    return d_smoothstep(x, y, z);
}

static inline double f64_nan(uint64_t code)
{
    return hd_f64_from(0x7ff8000000000000u | (code & 0x7ffffffffffffu));
}

DEFINE_NEXTAFTER(f64, uint64_t, int64_t, 0x7ff0000000000000u, 0x8000000000000u)

static inline double f64_nextafter(double x, double y)
{
    return hd_f64_from(f64_bits_nextafter(hd_f64_bits(x), hd_f64_bits(y)));
}

#define MATH(name, operands, form, ulp16, ulp32, ulp64, inst) \
    LANES_##form(name, double, uint64_t, f64)
#include "rt/math/math.def"
#undef MATH
