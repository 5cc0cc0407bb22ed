/* rt/math/vec_flat.h -- the functions that are a few instructions, as lane functions of every type;
 * part of vec_body.h.
 *
 * For halves float arithmetic is right too: float has twice a half's digits and two more, so that
 * rounding to float and then to half gives what one rounding would (but for fma, see below).
 *
 * SPDX-License-Identifier: MIT
 */

/* ---- one lane, in F ---- */

#define DEFINE_FLAT(p, F, fn_abs, fn_floor, fn_trunc, fn_copysign)                        \
    static inline F p##_round(F x)                                                        \
    {                                                                                     \
        F t = fn_trunc(x);                                                                \
        F v = fn_abs(x - t) >= (F)0.5 ? t + fn_copysign((F)1.0, x) : t;                   \
                                                                                          \
        return fn_copysign(v, x);                                                         \
    }                                                                                     \
    static inline F p##_modf_frac(F x)                                                    \
    {                                                                                     \
        F v = x - fn_trunc(x);                                                            \
                                                                                          \
        return fn_copysign(fn_abs(x) == (F)INFINITY ? (F)0.0 : v, x);                     \
    }                                                                                     \
    /* Not above largest, the largest number below one. */                                \
    static inline F p##_fract(F x, F largest)                                             \
    {                                                                                     \
        F v = x - fn_floor(x);                                                            \
                                                                                          \
        v = v > largest ? largest : v;                                                    \
        return ((x == (F)0.0) | (fn_abs(x) == (F)INFINITY)) ? fn_copysign((F)0.0, x) : v; \
    }                                                                                     \
    static inline F p##_sign(F x)                                                         \
    {                                                                                     \
        F v = x == (F)0.0 ? x : (F)0.0; /* NaN, too */                                    \
                                                                                          \
        v = x > (F)0.0 ? (F)1.0 : v;                                                      \
        return x < (F)0.0 ? (F)-1.0 : v;                                                  \
    }                                                                                     \
    static inline F p##_fdim(F x, F y)                                                    \
    {                                                                                     \
        F v = x > y ? x - y : (F)0.0;                                                     \
                                                                                          \
        return ((x != x) | (y != y)) ? x + y : v;                                         \
    }                                                                                     \
    static inline F p##_fmax_common(F x, F y)                                             \
    {                                                                                     \
        return x < y ? y : x;                                                             \
    }                                                                                     \
    static inline F p##_fmin_common(F x, F y)                                             \
    {                                                                                     \
        return y < x ? y : x;                                                             \
    }                                                                                     \
    static inline F p##_fmax(F x, F y)                                                    \
    {                                                                                     \
        return p##_pick((x < y) | (x != x), y, x);                                        \
    }                                                                                     \
    static inline F p##_fmin(F x, F y)                                                    \
    {                                                                                     \
        return p##_pick((y < x) | (x != x), y, x);                                        \
    }                                                                                     \
    static inline F p##_maxmag(F x, F y)                                                  \
    {                                                                                     \
        F ax = fn_abs(x), ay = fn_abs(y);                                                 \
        F v = ay > ax ? y : p##_fmax(x, y);                                               \
                                                                                          \
        return ax > ay ? x : v;                                                           \
    }                                                                                     \
    static inline F p##_minmag(F x, F y)                                                  \
    {                                                                                     \
        F ax = fn_abs(x), ay = fn_abs(y);                                                 \
        F v = ay < ax ? y : p##_fmin(x, y);                                               \
                                                                                          \
        return ax < ay ? x : v;                                                           \
    }                                                                                     \
    static inline F p##_step(F edge, F x)                                                 \
    {                                                                                     \
        return x < edge ? (F)0.0 : (F)1.0;                                                \
    }                                                                                     \
    static inline F p##_div(F x, F y)                                                     \
    {                                                                                     \
        return x / y;                                                                     \
    }                                                                                     \
    static inline F p##_fclamp(F x, F low, F high)                                        \
    {                                                                                     \
        return p##_fmin(p##_fmax(x, low), high);                                          \
    }                                                                                     \
    static inline F p##_mix(F x, F y, F a)                                                \
    {                                                                                     \
        return x + (y - x) * a;                                                           \
    }                                                                                     \
    static inline F p##_smoothstep(F edge0, F edge1, F x)                                 \
    {                                                                                     \
        F t = p##_fclamp((x - edge0) / (edge1 - edge0), (F)0.0, (F)1.0);                  \
                                                                                          \
        return t * t * ((F)3.0 - (F)2.0 * t);                                             \
    }

/* c ? x : y without a branch for compilers to thread jumps through. */
static inline float s_pick(bool c, float x, float y)
{
    uint32_t m = 0u - (uint32_t)c;

    return f32_from((f32_bits(x) & m) | (f32_bits(y) & ~m));
}

static inline double w_pick(bool c, double x, double y)
{
    uint64_t m = 0u - (uint64_t)c;

    return f64_from((f64_bits(x) & m) | (f64_bits(y) & ~m));
}

DEFINE_FLAT(s, float, fabsf, floorf, truncf, copysignf)
DEFINE_FLAT(w, double, fabs, floor, trunc, copysign)

/* fma of halves: the product is exact in float, the sum is rounded to odd; then rounding to half is
 * correct. */
static inline float h_fma(float x, float y, float z)
{
    float p = x * y, s = p + z, part = s - p;
    float error = (p - (s - part)) + (z - part);
    uint32_t u = f32_bits(s);
    uint32_t odd = (error > 0.0f) == (s > 0.0f) ? u + 1u : u - 1u;
    bool exact = error == 0.0f || !(fabsf(s) < INFINITY) || (u & 1u) != 0;

    return f32_from(exact ? u : odd);
}

/* ---- the lists ---- */

#define FLAT_1(M, suffix, s)    \
    M(ceil, ceil##suffix)       \
    M(fabs, fabs##suffix)       \
    M(floor, floor##suffix)     \
    M(fract_int, floor##suffix) \
    M(modf_frac, s##_modf_frac) \
    M(modf_int, trunc##suffix)  \
    M(rint, rint##suffix)       \
    M(round, s##_round)         \
    M(sign, s##_sign)           \
    M(sqrt, sqrt##suffix)       \
    M(trunc, trunc##suffix)

#define FLAT_2(M, suffix, s)        \
    M(copysign, copysign##suffix)   \
    M(div, s##_div)                 \
    M(fdim, s##_fdim)               \
    M(fmax, s##_fmax)               \
    M(fmax_common, s##_fmax_common) \
    M(fmin, s##_fmin)               \
    M(fmin_common, s##_fmin_common) \
    M(maxmag, s##_maxmag)           \
    M(minmag, s##_minmag)           \
    M(step, s##_step)

#define FLAT_3(M, s)      \
    M(fclamp, s##_fclamp) \
    M(mix, s##_mix)       \
    M(smoothstep, s##_smoothstep)

/* ---- lane functions ---- */

#define HALF_CHUNK 64

/* Widen n halves; the last block's spare lanes get zeros. */
static inline void many_halves_in(float *r, const uint16_t *h, uint32_t n)
{
    uint32_t i = 0;

    for (; i + VEC_LANES <= n; i += VEC_LANES)
        halves_in(r + i, h + i);
    if (i < n) {
        uint16_t rest[VEC_LANES] = {0};

        memcpy(rest, h + i, (n - i) * sizeof *h);
        halves_in(r + i, rest);
    }
}

static inline void many_halves_out(uint16_t *h, const float *r, uint32_t n)
{
    uint32_t i = 0;

    for (; i + VEC_LANES <= n; i += VEC_LANES)
        halves_out(h + i, r + i);
    if (i < n) {
        uint16_t rest[VEC_LANES];

        halves_out(rest, r + i);
        memcpy(h + i, rest, (n - i) * sizeof *h);
    }
}

/* Halves are widened, computed as floats over a length the compiler does not know (it unrolls short
 * known ones before it looks for vectors) and narrowed. */
#define HALVES(name, operands, value)                                                          \
    static void name##_f16(void *dst, const void *a, const void *b, const void *c, uint32_t n) \
    {                                                                                          \
        _Alignas(64) float x[HALF_CHUNK], y[HALF_CHUNK], z[HALF_CHUNK], r[HALF_CHUNK];         \
                                                                                               \
        (void)y;                                                                               \
        (void)z;                                                                               \
        (void)b;                                                                               \
        (void)c;                                                                               \
        for (uint32_t at = 0; at < n; at += HALF_CHUNK) {                                      \
            uint32_t left = n - at < HALF_CHUNK ? n - at : HALF_CHUNK;                         \
            uint32_t whole = (left + VEC_LANES - 1u) & ~(VEC_LANES - 1u);                      \
                                                                                               \
            many_halves_in(x, (const uint16_t *)a + at, left);                                 \
            if (operands > 1)                                                                  \
                many_halves_in(y, (const uint16_t *)b + at, left);                             \
            if (operands > 2)                                                                  \
                many_halves_in(z, (const uint16_t *)c + at, left);                             \
            for (uint32_t i = 0; i < whole; i++)                                               \
                r[i] = value;                                                                  \
            many_halves_out((uint16_t *)dst + at, r, left);                                    \
        }                                                                                      \
    }

#define WHOLE(name, type, F, value)                                                               \
    static void name##_##type(void *dst, const void *a, const void *b, const void *c, uint32_t n) \
    {                                                                                             \
        const F *x = a, *y = b, *z = c;                                                           \
        F *r = dst;                                                                               \
                                                                                                  \
        (void)y;                                                                                  \
        (void)z;                                                                                  \
        for (uint32_t i = 0; i < n; i++)                                                          \
            r[i] = value;                                                                         \
    }

#define CALL_1(kernel) kernel(x[i])
#define CALL_2(kernel) kernel(x[i], y[i])
#define CALL_3(kernel) kernel(x[i], y[i], z[i])

#define HALVES_1(name, kernel) HALVES(name, 1, CALL_1(kernel))
#define HALVES_2(name, kernel) HALVES(name, 2, CALL_2(kernel))
#define HALVES_3(name, kernel) HALVES(name, 3, CALL_3(kernel))
FLAT_1(HALVES_1, f, s)
FLAT_2(HALVES_2, f, s)
FLAT_3(HALVES_3, s)
HALVES_3(fma, h_fma)
HALVES(fract_value, 1, s_fract(x[i], 0x1.ffcp-1f))

#define FLOATS_1(name, kernel) WHOLE(name, f32, float, CALL_1(kernel))
#define FLOATS_2(name, kernel) WHOLE(name, f32, float, CALL_2(kernel))
#define FLOATS_3(name, kernel) WHOLE(name, f32, float, CALL_3(kernel))
FLAT_1(FLOATS_1, f, s)
FLAT_2(FLOATS_2, f, s)
FLAT_3(FLOATS_3, s)
FLOATS_3(fma, __builtin_fmaf)
WHOLE(fract_value, f32, float, s_fract(x[i], 0x1.fffffep-1f))

#define DOUBLES_1(name, kernel) WHOLE(name, f64, double, CALL_1(kernel))
#define DOUBLES_2(name, kernel) WHOLE(name, f64, double, CALL_2(kernel))
#define DOUBLES_3(name, kernel) WHOLE(name, f64, double, CALL_3(kernel))
FLAT_1(DOUBLES_1, , w)
FLAT_2(DOUBLES_2, , w)
FLAT_3(DOUBLES_3, w)
DOUBLES_3(fma, __builtin_fma)
WHOLE(fract_value, f64, double, w_fract(x[i], 0x1.fffffffffffffp-1))

/* ---- exponents: as doubles, where floats and halves have no denormals ---- */

/* |x| with its exponent field in order, and what that is off by. */
static inline double lifted(double x, int32_t *off)
{
    double a = fabs(x);
    bool small = a < 0x1p-1022;

    *off = small ? 1023 + 54 : 1023;
    return small ? a * 0x1p54 : a;
}

static inline int32_t exponent(double x)
{
    int32_t off;
    double a = lifted(x, &off);

    return (int32_t)(f64_bits(a) >> 52) - off;
}

static inline int32_t e_ilogb(double x)
{
    int32_t e = exponent(x);

    e = x == 0.0 ? INT32_MIN : e;
    return fabs(x) < (double)INFINITY ? e : INT32_MAX;
}

static inline double e_logb(double x)
{
    double e = (double)exponent(x);

    e = x == 0.0 ? -(double)INFINITY : e;
    return fabs(x) < (double)INFINITY ? e : fabs(x);
}

static inline int32_t e_frexp_exp(double x)
{
    int32_t e = exponent(x) + 1;

    return ((x != 0.0) & (fabs(x) < (double)INFINITY)) ? e : 0;
}

static inline double e_frexp_mant(double x)
{
    int32_t off;
    double a = lifted(x, &off);
    double m = f64_from((f64_bits(a) & 0xfffffffffffffu) | 0x3fe0000000000000u);

    return ((x != 0.0) & (fabs(x) < (double)INFINITY)) ? copysign(m, x) : x;
}

/* x 2^k for a float x: one exact factor in double, then the rounding to float. */
static inline double e_ldexp(double x, int32_t k)
{
    int32_t c = k > 400 ? 400 : k;
    uint64_t field = (uint64_t)(int64_t)((c < -400 ? -400 : c) + 1023);

    return x * f64_from(field << 52);
}

#define INTS(name, type, F, value)                                                                \
    static void name##_##type(void *dst, const void *a, const void *b, const void *c, uint32_t n) \
    {                                                                                             \
        const F *x = a;                                                                           \
        int32_t *r = dst;                                                                         \
                                                                                                  \
        (void)b;                                                                                  \
        (void)c;                                                                                  \
        for (uint32_t i = 0; i < n; i++)                                                          \
            r[i] = value;                                                                         \
    }
INTS(ilogb, f16, uint16_t, e_ilogb((double)half_widen(x[i])))
INTS(ilogb, f32, float, e_ilogb((double)x[i]))
INTS(ilogb, f64, double, e_ilogb(x[i]))
INTS(frexp_exp, f16, uint16_t, e_frexp_exp((double)half_widen(x[i])))
INTS(frexp_exp, f32, float, e_frexp_exp((double)x[i]))
INTS(frexp_exp, f64, double, e_frexp_exp(x[i]))

HALVES(logb, 1, (float)e_logb((double)x[i]))
WHOLE(logb, f32, float, (float)e_logb((double)x[i]))
WHOLE(logb, f64, double, e_logb(x[i]))
HALVES(frexp_mant, 1, (float)e_frexp_mant((double)x[i]))
WHOLE(frexp_mant, f32, float, (float)e_frexp_mant((double)x[i]))
WHOLE(frexp_mant, f64, double, e_frexp_mant(x[i]))

static void ldexp_f32(void *dst, const void *a, const void *b, const void *c, uint32_t n)
{
    const float *x = a;
    const int32_t *k = b;
    float *r = dst;

    (void)c;
    for (uint32_t i = 0; i < n; i++)
        r[i] = (float)e_ldexp((double)x[i], k[i]);
}
