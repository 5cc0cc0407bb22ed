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

#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)

#include <immintrin.h>

#include "rt/math/lanes.h"
#include "rt/math/vec_f64.h"

#if defined(__AVX512F__)
#define VEC_LANES 16u
#else
#define VEC_LANES 8u
#endif

typedef struct Block {
    _Alignas(64) float x[VEC_LANES], y[VEC_LANES], r[VEC_LANES];
    _Alignas(64) int32_t k[VEC_LANES];
} Block;

typedef void BlockFn(Block *b);

/* ---- blocks ---- */

/* A memcpy may go in pieces, and loading the whole after that is slow. */
static inline void floats_in(float *r, const float *x)
{
#if defined(__AVX512F__)
    _mm512_store_ps(r, _mm512_loadu_ps(x));
#else
    _mm256_store_ps(r, _mm256_loadu_ps(x));
#endif
}

static inline void floats_out(float *r, const float *x)
{
#if defined(__AVX512F__)
    _mm512_storeu_ps(r, _mm512_load_ps(x));
#else
    _mm256_storeu_ps(r, _mm256_load_ps(x));
#endif
}

static inline void halves_in(float *r, const uint16_t *h)
{
#if defined(__AVX512F__)
    _mm512_store_ps(r, _mm512_cvtph_ps(_mm256_loadu_si256((const void *)h)));
#else
    _mm256_store_ps(r, _mm256_cvtph_ps(_mm_loadu_si128((const void *)h)));
#endif
}

static inline void halves_out(uint16_t *h, const float *r)
{
#if defined(__AVX512F__)
    _mm256_storeu_si256((void *)h, _mm512_cvtps_ph(_mm512_load_ps(r), _MM_FROUND_TO_NEAREST_INT));
#else
    _mm_storeu_si128((void *)h, _mm256_cvtps_ph(_mm256_load_ps(r), _MM_FROUND_TO_NEAREST_INT));
#endif
}

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
    M(acos, v_acos)       \
    M(acosh, v_acosh)     \
    M(acospi, v_acospi)   \
    M(asin, v_asin)       \
    M(asinh, v_asinh)     \
    M(asinpi, v_asinpi)   \
    M(atan, v_atan)       \
    M(atanh, v_atanh)     \
    M(atanpi, v_atanpi)   \
    M(cbrt, v_cbrt)       \
    M(cosh, v_cosh)       \
    M(cospi, v_cospi)     \
    M(degrees, d_degrees) \
    M(erf, v_erf)         \
    M(erfc, v_erfc)       \
    M(exp, v_exp)         \
    M(exp10, v_exp10)     \
    M(exp2, v_exp2)       \
    M(expm1, v_expm1)     \
    M(lgamma, v_lgamma)   \
    M(log, v_log)         \
    M(log10, v_log10)     \
    M(log1p, v_log1p)     \
    M(log2, v_log2)       \
    M(radians, d_radians) \
    M(rsqrt, d_rsqrt)     \
    M(sinh, v_sinh)       \
    M(sinpi, v_sinpi)     \
    M(tanh, v_tanh)       \
    M(tanpi, v_tanpi)     \
    M(tgamma, v_tgamma)

#define BLOCK_1(name, kernel)                         \
    static void block_##name(Block *b)                \
    {                                                 \
        for (unsigned i = 0; i < VEC_LANES; i++)      \
            b->r[i] = (float)kernel((double)b->x[i]); \
    }
EACH_1(BLOCK_1)

/* Circular functions: huge operands need all digits of pi, which libm has. */
#define EACH_CIRCULAR(M) \
    M(cos, v_cos)        \
    M(sin, v_sin)        \
    M(tan, v_tan)

#define BLOCK_CIRCULAR(name, kernel)                           \
    static __attribute__((noinline)) void far_##name(Block *b) \
    {                                                          \
        int saved = errno;                                     \
                                                               \
        for (unsigned i = 0; i < VEC_LANES; i++)               \
            if (fabsf(b->x[i]) >= 0x1p40f)                     \
                b->r[i] = (float)name((double)b->x[i]);        \
        errno = saved;                                         \
    }                                                          \
    static void block_##name(Block *b)                         \
    {                                                          \
        float big = 0.0f;                                      \
                                                               \
        for (unsigned i = 0; i < VEC_LANES; i++)               \
            big = fabsf(b->x[i]) > big ? fabsf(b->x[i]) : big; \
        for (unsigned i = 0; i < VEC_LANES; i++)               \
            b->r[i] = (float)kernel((double)b->x[i]);          \
        if (big >= 0x1p40f)                                    \
            far_##name(b);                                     \
    }
EACH_CIRCULAR(BLOCK_CIRCULAR)

/* ---- functions of two operands ---- */

static void block_atan2(Block *b)
{
    for (unsigned i = 0; i < VEC_LANES; i++)
        b->r[i] = (float)v_atan2((double)b->x[i], (double)b->y[i]);
}

static void block_atan2pi(Block *b)
{
    for (unsigned i = 0; i < VEC_LANES; i++)
        b->r[i] = (float)v_atan2pi((double)b->x[i], (double)b->y[i]);
}

static void block_hypot(Block *b)
{
    for (unsigned i = 0; i < VEC_LANES; i++) {
        double x = (double)b->x[i], y = (double)b->y[i];
        double v = sqrt(x * x + y * y);

        v = fabs(x) == (double)INFINITY || fabs(y) == (double)INFINITY ? (double)INFINITY : v;
        b->r[i] = (float)v;
    }
}

/* Powers of an ordinary positive base in vectors; zeros, negative and infinite bases and special
 * exponents, which have their own rules, one by one. */
#define ORDINARY(x) ((x) > 0.0f && (x) < INFINITY)

static bool all_ordinary(const float *x)
{
    int odd = 0;

    for (unsigned i = 0; i < VEC_LANES; i++)
        odd |= !ORDINARY(x[i]);
    return odd == 0;
}

#define BLOCK_POWER(name, kernel, operand, rule, good)         \
    static __attribute__((noinline)) void odd_##name(Block *b) \
    {                                                          \
        int saved = errno;                                     \
                                                               \
        for (unsigned i = 0; i < VEC_LANES; i++)               \
            if (!ORDINARY(b->x[i]) || !(good))                 \
                b->r[i] = (float)rule;                         \
        errno = saved;                                         \
    }                                                          \
    static void block_##name(Block *b)                         \
    {                                                          \
        int odd = !all_ordinary(b->x);                         \
                                                               \
        for (unsigned i = 0; i < VEC_LANES; i++)               \
            odd |= !(good);                                    \
        for (unsigned i = 0; i < VEC_LANES; i++)               \
            b->r[i] = (float)kernel((double)b->x[i], operand); \
        if (odd != 0)                                          \
            odd_##name(b);                                     \
    }

BLOCK_POWER(pow, v_pow, (double)b->y[i], d_pow((double)b->x[i], (double)b->y[i]),
            fabsf(b->y[i]) < INFINITY)
BLOCK_POWER(powr, v_pow, (double)b->y[i], d_powr((double)b->x[i], (double)b->y[i]),
            fabsf(b->y[i]) < INFINITY)
BLOCK_POWER(rootn, v_pow, 1.0 / (double)b->k[i], d_rootn((double)b->x[i], b->k[i]), b->k[i] != 0)

/* Whole exponents: negative bases, too. */
static void block_pown(Block *b)
{
    int odd = 0;

    for (unsigned i = 0; i < VEC_LANES; i++)
        odd |= !ORDINARY(fabsf(b->x[i]));
    for (unsigned i = 0; i < VEC_LANES; i++) {
        double v = v_pow((double)fabsf(b->x[i]), (double)b->k[i]);

        b->r[i] = (float)(b->x[i] < 0.0f && (b->k[i] & 1) != 0 ? -v : v);
    }
    if (odd == 0)
        return;
    for (unsigned i = 0; i < VEC_LANES; i++)
        if (!ORDINARY(fabsf(b->x[i])))
            b->r[i] = (float)d_pown((double)b->x[i], b->k[i]);
}

#define EACH_2(M) \
    M(atan2)      \
    M(atan2pi)    \
    M(hypot)      \
    M(pow)        \
    M(powr)

#define EACH_INT(M) \
    M(pown)         \
    M(rootn)

/* ---- lane functions and their table ---- */

#define LANES_1(name, kernel)                                                                  \
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
EACH_CIRCULAR(LANES_1)

#define LANES_2(name)                                                                          \
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

#define LANES_INT(name)                                                                        \
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

/* clang-format off */
static HdMathLanesFn *const found[HD_MATH_COUNT][2] = {
#define ROW_1(name, kernel) [HD_MATH_##name] = {name##_f16, name##_f32},
#define ROW_2(name)         [HD_MATH_##name] = {name##_f16, name##_f32},
    EACH_1(ROW_1) EACH_CIRCULAR(ROW_1) EACH_2(ROW_2) EACH_INT(ROW_2)
    FLAT_1(ROW_1, f, s) FLAT_2(ROW_1, f, s) FLAT_3(ROW_1, s) ROW_2(fma) ROW_2(fract_value)
    ROW_2(ilogb) ROW_2(frexp_exp) ROW_2(logb) ROW_2(frexp_mant)
    [HD_MATH_mad] = {fma_f16, fma_f32},
    [HD_MATH_ldexp] = {NULL, ldexp_f32},
};

static HdMathLanesFn *const found64[HD_MATH_COUNT] = {
#define ROW64_1(name, kernel) [HD_MATH_##name] = name##_f64,
#define ROW64_2(name)         [HD_MATH_##name] = name##_f64,
    EACH64_1(ROW64_1) EACH64_CIRCULAR(ROW64_1) EACH64_2(ROW64_2) EACH64_INT(ROW64_2)
    FLAT_1(ROW64_1, , w) FLAT_2(ROW64_1, , w) FLAT_3(ROW64_1, w) ROW64_2(fma) ROW64_2(fract_value)
    ROW64_2(ilogb) ROW64_2(frexp_exp) ROW64_2(logb) ROW64_2(frexp_mant)
    [HD_MATH_mad] = fma_f64,
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
