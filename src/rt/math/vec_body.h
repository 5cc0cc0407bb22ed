/* rt/math/vec_body.h -- lane functions out of vec_f32.h, for the instruction set that the including
 * file is compiled for.
 *
 * The including file defines VEC_FIND, the name of its lookup. Functions work on blocks of
 * VEC_LANES floats, so that the inner loops have a fixed length and become straight vector code;
 * halves are widened and narrowed around the same blocks. A block with an operand that the vector
 * code does not cover is finished lane by lane.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/math/vec.h"

#include <stddef.h>

#if (defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)) || \
    (defined(HD_NO_FMA) && defined(__SSE4_2__))

#include <immintrin.h>

#include "rt/math/lanes.h"
#include "rt/math/far.h"
#include "rt/math/flat.h"
#include "rt/math/gamma.h"
#include "rt/math/rest.h"

#if defined(__AVX512F__)
#define VEC_LANES 16u
#elif defined(__AVX2__)
#define VEC_LANES 8u
#else
#define VEC_LANES 4u
#endif

typedef struct Block {
    _Alignas(64) float x[VEC_LANES], y[VEC_LANES], r[VEC_LANES];
    _Alignas(64) int32_t k[VEC_LANES];
} Block;

typedef void BlockFn(Block *b);

/* ---- blocks ---- */

/* A memcpy may go in pieces, and loading the whole after that is slow. */
#if defined(__AVX512F__)
#define FLOATS_LOAD    _mm512_loadu_ps
#define FLOATS_STORE   _mm512_storeu_ps
#define HALVES_LOAD(h) _mm512_cvtph_ps(_mm256_loadu_si256((const void *)(h)))
#define HALVES_STORE(h, r) \
    _mm256_storeu_si256((void *)(h), _mm512_cvtps_ph(r, _MM_FROUND_TO_NEAREST_INT))
#elif defined(__AVX2__)
#define FLOATS_LOAD    _mm256_loadu_ps
#define FLOATS_STORE   _mm256_storeu_ps
#define HALVES_LOAD(h) _mm256_cvtph_ps(_mm_loadu_si128((const void *)(h)))
#define HALVES_STORE(h, r) \
    _mm_storeu_si128((void *)(h), _mm256_cvtps_ph(r, _MM_FROUND_TO_NEAREST_INT))
#else
#define FLOATS_LOAD  _mm_loadu_ps
#define FLOATS_STORE _mm_storeu_ps
#endif

static inline void floats_in(float *r, const float *x)
{
    FLOATS_STORE(r, FLOATS_LOAD(x));
}

static inline void floats_out(float *r, const float *x)
{
    FLOATS_STORE(r, FLOATS_LOAD(x));
}

#if defined(__F16C__)
static inline void halves_in(float *r, const uint16_t *h)
{
    FLOATS_STORE(r, HALVES_LOAD(h));
}

static inline void halves_out(uint16_t *h, const float *r)
{
    HALVES_STORE(h, FLOATS_LOAD(r));
}
#else
static inline void halves_in(float *r, const uint16_t *h)
{
    for (unsigned i = 0; i < VEC_LANES; i++)
        r[i] = hd_half_widen(h[i]);
}

static inline void halves_out(uint16_t *h, const float *r)
{
    for (unsigned i = 0; i < VEC_LANES; i++)
        h[i] = hd_half_round_float(r[i], HD_ROUND_RTE);
}
#endif

/* What a block's spare lanes hold: harmless to every function. */
#define SPARE 0.5f

static inline __attribute__((always_inline)) void run_f32(BlockFn *fn, void *dst, const void *a,
                                                          const void *c, const void *k, uint32_t n)
{
    const float *x = a, *y = c;
    const int32_t *ints = k;
    float *r = dst;
    Block b;

    for (uint32_t i = 0; i < n; i += VEC_LANES) {
        size_t left = n - i < VEC_LANES ? n - i : VEC_LANES;

        if (left == VEC_LANES) {
            floats_in(b.x, x + i);
            if (y != NULL)
                floats_in(b.y, y + i);
            if (ints != NULL)
                memcpy(b.k, ints + i, sizeof b.k);
            fn(&b);
            floats_out(r + i, b.r);
            continue;
        }
        for (size_t j = 0; j < VEC_LANES; j++) {
            b.x[j] = j < left ? x[i + j] : SPARE;
            b.y[j] = y != NULL && j < left ? y[i + j] : SPARE;
            b.k[j] = ints != NULL && j < left ? ints[i + j] : 1;
        }
        fn(&b);
        memcpy(r + i, b.r, left * sizeof *r);
    }
}

static inline __attribute__((always_inline)) void run_f16(BlockFn *fn, void *dst, const void *a,
                                                          const void *c, const void *k, uint32_t n)
{
    const uint16_t *x = a, *y = c;
    const int32_t *ints = k;
    uint16_t *r = dst;
    uint16_t hx[VEC_LANES] = {0}, hy[VEC_LANES] = {0}, hr[VEC_LANES];
    Block b;

    for (uint32_t i = 0; i < n; i += VEC_LANES) {
        size_t left = n - i < VEC_LANES ? n - i : VEC_LANES;

        if (left == VEC_LANES) {
            halves_in(b.x, x + i);
            if (y != NULL)
                halves_in(b.y, y + i);
            if (ints != NULL)
                memcpy(b.k, ints + i, sizeof b.k);
            fn(&b);
            halves_out(r + i, b.r);
            continue;
        }
        for (size_t j = 0; j < VEC_LANES; j++) {
            hx[j] = j < left ? x[i + j] : 0x3800;
            hy[j] = y != NULL && j < left ? y[i + j] : 0x3800;
            b.k[j] = ints != NULL && j < left ? ints[i + j] : 1;
        }
        halves_in(b.x, hx);
        halves_in(b.y, hy);
        fn(&b);
        halves_out(hr, b.r);
        memcpy(r + i, hr, left * sizeof *r);
    }
}

/* ---- functions of one operand ---- */

#define EACH_1(M)         \
    M(acos, s_acos)       \
    M(acosh, s_acosh)     \
    M(acospi, s_acospi)   \
    M(asin, s_asin)       \
    M(asinh, s_asinh)     \
    M(asinpi, s_asinpi)   \
    M(atan, s_atan)       \
    M(atanpi, s_atanpi)   \
    M(cbrt, s_cbrt)       \
    M(cosh, s_cosh)       \
    M(cospi, s_cospi)     \
    M(degrees, s_degrees) \
    M(erf, s_erf)         \
    M(erfc, s_erfc)       \
    M(exp, s_exp)         \
    M(exp10, s_exp10)     \
    M(exp2, s_exp2)       \
    M(expm1, s_expm1)     \
    M(log, s_log)         \
    M(log10, s_log10)     \
    M(log1p, s_log1p)     \
    M(log2, s_log2)       \
    M(radians, s_radians) \
    M(sinh, s_sinh)       \
    M(sinpi, s_sinpi)     \
    M(tanh, s_tanh)       \
    M(tanpi, s_tanpi)

#define BLOCK_1(name, kernel)                    \
    static void block_##name(Block *b)           \
    {                                            \
        for (unsigned i = 0; i < VEC_LANES; i++) \
            b->r[i] = kernel(b->x[i]);           \
    }
EACH_1(BLOCK_1)

/* What AVX-512 begins with a guess. */
#if defined(__AVX512F__)
#define GUESSED(name, native, from, plain)                 \
    static inline void name(float *r, const float *x)      \
    {                                                      \
        _Alignas(64) float guess[VEC_LANES];               \
                                                           \
        _mm512_store_ps(guess, native(_mm512_load_ps(x))); \
        for (unsigned i = 0; i < VEC_LANES; i++)           \
            r[i] = from(x[i], guess[i]);                   \
    }
#else
#define GUESSED(name, native, from, plain)            \
    static inline void name(float *r, const float *x) \
    {                                                 \
        for (unsigned i = 0; i < VEC_LANES; i++)      \
            r[i] = plain(x[i]);                       \
    }
#endif
GUESSED(roots, _mm512_rsqrt14_ps, s_root_from, s_root)
GUESSED(inverses, _mm512_rcp14_ps, s_inverse_from, s_inverse)
GUESSED(inverse_roots, _mm512_rsqrt14_ps, s_rsqrt_from, s_rsqrt)

static void block_rsqrt(Block *b)
{
    inverse_roots(b->r, b->x);
}

/* before: what the guess is for; after: of the operand and that. */
#define BLOCK_GUESSED(name, guessed, before, after)    \
    static void block_##name(Block *b)                 \
    {                                                  \
        _Alignas(64) float d[VEC_LANES], v[VEC_LANES]; \
                                                       \
        for (unsigned i = 0; i < VEC_LANES; i++)       \
            d[i] = before(b->x[i]);                    \
        guessed(v, d);                                 \
        for (unsigned i = 0; i < VEC_LANES; i++)       \
            b->r[i] = after(b->x[i], v[i]);            \
    }
BLOCK_GUESSED(atanh, inverses, s_atanh_divisor, s_atanh_from)
BLOCK_GUESSED(near_tan, inverses, s_tan_divisor, s_tan_from)
BLOCK_1(near_cos, s_cos)
BLOCK_1(near_sin, s_sin)

static void block_hypot(Block *b)
{
    _Alignas(64) float z[VEC_LANES], v[VEC_LANES];
    int32_t odd = 0;

    for (unsigned i = 0; i < VEC_LANES; i++)
        odd |= s_hypot_is_near(b->x[i], b->y[i]) ? 0 : 1;
    for (unsigned i = 0; i < VEC_LANES; i++)
        z[i] = s_hypot_square(b->x[i], b->y[i]);
    roots(v, z);
    for (unsigned i = 0; i < VEC_LANES; i++)
        b->r[i] = s_hypot_from(b->x[i], b->y[i], v[i]);
    if (odd != 0)
        for (unsigned i = 0; i < VEC_LANES; i++)
            b->r[i] = s_hypot_is_near(b->x[i], b->y[i]) ? b->r[i] : s_hypot_far(b->x[i], b->y[i]);
}

/* In double, rounded once. */
#define EACH_WIDE(M)    \
    M(lgamma, v_lgamma) \
    M(tgamma, v_tgamma)

#define BLOCK_WIDE(name, kernel)                      \
    static void block_##name(Block *b)                \
    {                                                 \
        for (unsigned i = 0; i < VEC_LANES; i++)      \
            b->r[i] = (float)kernel((double)b->x[i]); \
    }
EACH_WIDE(BLOCK_WIDE)

/* Circular functions: larger operands go through double, huge ones one by one. */
#define EACH_CIRCULAR(M) \
    M(cos, v_cos)        \
    M(sin, v_sin)        \
    M(tan, v_tan)

#define BLOCK_CIRCULAR(name, wide)                                   \
    static __attribute__((noinline)) void far_block_##name(Block *b) \
    {                                                                \
        for (unsigned i = 0; i < VEC_LANES; i++) {                   \
            float v = (float)wide((double)b->x[i]);                  \
                                                                     \
            b->r[i] = s_is_near(b->x[i]) ? b->r[i] : v;              \
        }                                                            \
        for (unsigned i = 0; i < VEC_LANES; i++)                     \
            if (fabsf(b->x[i]) >= 0x1p40f)                           \
                b->r[i] = (float)far_##name((double)b->x[i]);        \
    }                                                                \
    static void block_##name(Block *b)                               \
    {                                                                \
        float big = 0.0f;                                            \
                                                                     \
        for (unsigned i = 0; i < VEC_LANES; i++)                     \
            big = fabsf(b->x[i]) > big ? fabsf(b->x[i]) : big;       \
        block_near_##name(b);                                        \
        if (big >= 0x1p17f)                                          \
            far_block_##name(b);                                     \
    }
EACH_CIRCULAR(BLOCK_CIRCULAR)

/* ---- functions of two operands ---- */

#define EACH_2(M)         \
    M(atan2, s_atan2)     \
    M(atan2pi, s_atan2pi) \
    M(pow, s_pow)         \
    M(powr, s_powr)

#define BLOCK_2(name, kernel)                    \
    static void block_##name(Block *b)           \
    {                                            \
        for (unsigned i = 0; i < VEC_LANES; i++) \
            b->r[i] = kernel(b->x[i], b->y[i]);  \
    }
EACH_2(BLOCK_2)

#define EACH_INT(M) \
    M(pown, s_pown) \
    M(rootn, s_rootn)

#define BLOCK_INT(name, kernel)                  \
    static void block_##name(Block *b)           \
    {                                            \
        for (unsigned i = 0; i < VEC_LANES; i++) \
            b->r[i] = kernel(b->x[i], b->k[i]);  \
    }
EACH_INT(BLOCK_INT)

/* ---- lane functions and their table ---- */

#define LANES_1(name, ...)                                                                     \
    static void name##_f32(void *dst, const void *a, const void *b, const void *c, uint32_t n) \
    {                                                                                          \
        (void)b;                                                                               \
        (void)c;                                                                               \
        run_f32(block_##name, dst, a, NULL, NULL, n);                                          \
    }                                                                                          \
    static void name##_f16(void *dst, const void *a, const void *b, const void *c, uint32_t n) \
    {                                                                                          \
        (void)b;                                                                               \
        (void)c;                                                                               \
        run_f16(block_##name, dst, a, NULL, NULL, n);                                          \
    }
EACH_1(LANES_1)
LANES_1(rsqrt)
LANES_1(atanh)
EACH_WIDE(LANES_1)
EACH_CIRCULAR(LANES_1)

#define LANES_2(name, kernel)                                                                  \
    static void name##_f32(void *dst, const void *a, const void *b, const void *c, uint32_t n) \
    {                                                                                          \
        (void)c;                                                                               \
        run_f32(block_##name, dst, a, b, NULL, n);                                             \
    }                                                                                          \
    static void name##_f16(void *dst, const void *a, const void *b, const void *c, uint32_t n) \
    {                                                                                          \
        (void)c;                                                                               \
        run_f16(block_##name, dst, a, b, NULL, n);                                             \
    }
EACH_2(LANES_2)
LANES_2(hypot, )

#define LANES_INT(name, kernel)                                                                \
    static void name##_f32(void *dst, const void *a, const void *b, const void *c, uint32_t n) \
    {                                                                                          \
        (void)c;                                                                               \
        run_f32(block_##name, dst, a, NULL, b, n);                                             \
    }                                                                                          \
    static void name##_f16(void *dst, const void *a, const void *b, const void *c, uint32_t n) \
    {                                                                                          \
        (void)c;                                                                               \
        run_f16(block_##name, dst, a, NULL, b, n);                                             \
    }
EACH_INT(LANES_INT)

#include "rt/math/vec_lanes64.h"
#include "rt/math/vec_flat.h"
#include "rt/math/vec_rest.h"

/* clang-format off */
static HdMathLanesFn *const found[HD_MATH_COUNT][2] = {
#define ROW_1(name, ...) [HD_MATH_##name] = {name##_f16, name##_f32},
#define ROW_2(name)         [HD_MATH_##name] = {name##_f16, name##_f32},
    EACH_1(ROW_1) ROW_1(rsqrt) ROW_1(atanh) ROW_1(hypot) EACH_WIDE(ROW_1) EACH_CIRCULAR(ROW_1) EACH_2(ROW_1) EACH_INT(ROW_1)
    FLAT_1(ROW_1, f, s) FLAT_2(ROW_1, f, s) FLAT_3(ROW_1, s) ROW_2(fma) ROW_2(fract_value)
    ROW_2(ilogb) ROW_2(frexp_exp) ROW_2(logb) ROW_2(frexp_mant)
    [HD_MATH_mad] = {fma_f16, fma_f32},
    ROW_2(fmod) ROW_2(remainder) [HD_MATH_remquo_rem] = {remainder_f16, remainder_f32},
    [HD_MATH_remquo_quo] = {NULL, remquo_quo_f32}, [HD_MATH_lgamma_sign] = {NULL, lgamma_sign_f32},
    [HD_MATH_nextafter] = {NULL, nextafter_f32}, [HD_MATH_nan] = {NULL, nan_f32},
    [HD_MATH_ldexp] = {NULL, ldexp_f32},
};

static HdMathLanesFn *const found64[HD_MATH_COUNT] = {
#define ROW64_1(name, kernel) [HD_MATH_##name] = name##_f64,
#define ROW64_2(name)         [HD_MATH_##name] = name##_f64,
    EACH64_1(ROW64_1) ROW64_2(rsqrt) ROW64_2(asinh) ROW64_2(acosh) ROW64_2(atanh) ROW64_2(atan) ROW64_2(atanpi) ROW64_2(erfc) ROW64_2(tan) EACH64_CIRCULAR(ROW64_1) EACH64_2(ROW64_2) EACH64_INT(ROW64_2)
    FLAT_1(ROW64_1, , w) FLAT_2(ROW64_1, , w) FLAT_3(ROW64_1, w) ROW64_2(fma) ROW64_2(fract_value)
    ROW64_2(ilogb) ROW64_2(frexp_exp) ROW64_2(logb) ROW64_2(frexp_mant)
    [HD_MATH_mad] = fma_f64,
    ROW64_2(fmod) ROW64_2(remainder) ROW64_2(remquo_quo) [HD_MATH_remquo_rem] = remainder_f64,
    ROW64_2(lgamma_sign) ROW64_2(nextafter) ROW64_2(ldexp) ROW64_2(nan)
};
/* clang-format on */

HdMathLanesFn *VEC_FIND(unsigned fn, unsigned bits)
{
    if (fn >= HD_MATH_COUNT)
        return NULL;
    return bits == 64 ? found64[fn] : found[fn][bits == 32];
}

#else

HdMathLanesFn *VEC_FIND(unsigned fn, unsigned bits)
{
    (void)fn;
    (void)bits;
    return NULL;
}

#endif
