/* rt/math/math_f32.c -- every function of math.def for float, lane by lane.
 *
 * Most go through double: see scalar.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/math/lanes.h"
#include "rt/math/scalar.h"

#define VIA_F_F(name, fn)                   \
    static inline float f32_##name(float x) \
    {                                       \
        return (float)fn((double)x);        \
    }
#define VIA_F_FF(name, fn)                           \
    static inline float f32_##name(float x, float y) \
    {                                                \
        return (float)fn((double)x, (double)y);      \
    }
#define VIA_F_FFF(name, fn)                                   \
    static inline float f32_##name(float x, float y, float z) \
    {                                                         \
        return (float)fn((double)x, (double)y, (double)z);    \
    }
#define VIA_F_FI(name, fn)                             \
    static inline float f32_##name(float x, int32_t k) \
    {                                                  \
        return (float)fn((double)x, k);                \
    }
#define VIA_I_F(name, fn)                     \
    static inline int32_t f32_##name(float x) \
    {                                         \
        return fn((double)x);                 \
    }
#include "rt/math/via_double.def"

static inline float f32_fma(float x, float y, float z)
{
    return fmaf(x, y, z);
}

static inline float f32_mad(float x, float y, float z)
{
    return fmaf(x, y, z);
}

static inline float f32_fmod(float x, float y)
{
    return fmodf(x, y);
}

static inline float f32_remainder(float x, float y)
{
    return remainderf(x, y);
}

static inline float f32_remquo_rem(float x, float y)
{
    return (float)d_remquo_rem((double)x, (double)y);
}

static inline int32_t f32_remquo_quo(float x, float y)
{
    return d_remquo_quo((double)x, (double)y);
}

/* Exact in double for every k that matters, so rounded once. */
static inline float f32_ldexp(float x, int32_t k)
{
    return (float)d_ldexp((double)x, k < -400 ? -400 : (k > 400 ? 400 : k));
}

static inline float f32_fdim(float x, float y)
{
    return x != x || y != y ? (float)d_quiet((double)(x != x ? x : y)) : (x > y ? x - y : 0.0f);
}

static inline float f32_div(float x, float y)
{
    return x / y;
}

static inline float f32_sqrt(float x)
{
    return sqrtf(x);
}

/* x - floor(x) is exact in double, but where it is as good as one. */
static inline float f32_fract_value(float x)
{
    float f = (float)d_fract((double)x, 0x1.fffffffffffffp-1);

    return f == 1.0f ? 0x1.fffffep-1f : f;
}

static inline float f32_mix(float x, float y, float z)
{
    return x + (y - x) * z;
}

static inline float f32_smoothstep(float edge0, float edge1, float x)
{
    return (float)d_smoothstep((double)edge0, (double)edge1, (double)x);
}

static inline float f32_nan(uint32_t code)
{
    return hd_f32_from(0x7fc00000u | (code & 0x3fffffu));
}

DEFINE_NEXTAFTER(f32, uint32_t, int32_t, 0x7f800000u, 0x400000u)

static inline float f32_nextafter(float x, float y)
{
    return hd_f32_from(f32_bits_nextafter(hd_f32_bits(x), hd_f32_bits(y)));
}

#define MATH(name, operands, form, ulp16, ulp32, ulp64, inst) \
    LANES_##form(name, float, uint32_t, f32)
#include "rt/math/math.def"
#undef MATH
