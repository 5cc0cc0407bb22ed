/* rt/math/vec_lanes64.h -- lane functions of double, out of vec_f64.h; part of vec_body.h.
 *
 * SPDX-License-Identifier: MIT
 */

#define LANES64 (VEC_LANES / 2)

typedef struct Block64 {
    _Alignas(64) double x[LANES64], y[LANES64], r[LANES64];
} Block64;

typedef void Block64Fn(Block64 *b);

#if defined(__AVX512F__)
#define DOUBLES_LOAD  _mm512_loadu_pd
#define DOUBLES_STORE _mm512_storeu_pd
#elif defined(__AVX2__)
#define DOUBLES_LOAD  _mm256_loadu_pd
#define DOUBLES_STORE _mm256_storeu_pd
#else
#define DOUBLES_LOAD  _mm_loadu_pd
#define DOUBLES_STORE _mm_storeu_pd
#endif

static inline void doubles_in(double *r, const double *x)
{
    DOUBLES_STORE(r, DOUBLES_LOAD(x));
}

static inline void doubles_out(double *r, const double *x)
{
    DOUBLES_STORE(r, DOUBLES_LOAD(x));
}

/* k: whole second operands, instead of y. */
static inline __attribute__((always_inline)) void run_f64(Block64Fn *fn, void *dst, const void *a,
                                                          const void *c, const void *k, uint32_t n)
{
    const double *x = a, *y = c;
    const int32_t *ints = k;
    double *r = dst;
    Block64 b;

    for (uint32_t i = 0; i < n; i += LANES64) {
        size_t left = n - i < LANES64 ? n - i : LANES64;

        if (left == LANES64) {
            doubles_in(b.x, x + i);
            if (y != NULL)
                doubles_in(b.y, y + i);
        } else {
            for (size_t j = 0; j < LANES64; j++) {
                b.x[j] = j < left ? x[i + j] : (double)SPARE;
                b.y[j] = y != NULL && j < left ? y[i + j] : (double)SPARE;
            }
        }
        if (ints != NULL)
            for (size_t j = 0; j < LANES64; j++)
                b.y[j] = j < left ? (double)ints[i + j] : 1.0;
        fn(&b);
        if (left == LANES64)
            doubles_out(r + i, b.r);
        else
            memcpy(r + i, b.r, left * sizeof *r);
    }
}

#define EACH64_1(M)       \
    M(acos, w_acos)       \
    M(acospi, w_acospi)   \
    M(asin, w_asin)       \
    M(asinpi, w_asinpi)   \
    M(cbrt, w_cbrt)       \
    M(cosh, w_cosh)       \
    M(cospi, w_cospi)     \
    M(degrees, w_degrees) \
    M(erf, w_erf)         \
    M(exp, w_exp)         \
    M(exp10, w_exp10)     \
    M(exp2, w_exp2)       \
    M(expm1, w_expm1)     \
    M(lgamma, w_lgamma)   \
    M(log, w_log)         \
    M(log10, w_log10)     \
    M(log1p, w_log1p)     \
    M(log2, w_log2)       \
    M(radians, w_radians) \
    M(sinh, w_sinh)       \
    M(sinpi, w_sinpi)     \
    M(tanh, w_tanh)       \
    M(tanpi, w_tanpi)     \
    M(tgamma, w_tgamma)

#define EACH64_CIRCULAR(M) \
    M(cos, w_cos)          \
    M(sin, w_sin)

#define EACH64_2(M) \
    M(atan2)        \
    M(atan2pi)      \
    M(hypot)        \
    M(pow)          \
    M(powr)

#define EACH64_INT(M) \
    M(pown)           \
    M(rootn)

#define BLOCK64_1(name, kernel)                \
    static void block64_##name(Block64 *b)     \
    {                                          \
        for (unsigned i = 0; i < LANES64; i++) \
            b->r[i] = kernel(b->x[i]);         \
    }
EACH64_1(BLOCK64_1)

/* What AVX-512 begins with a guess. */
#if defined(__AVX512F__)
#define GUESSED64(name, native, from, plain)               \
    static inline void name(double *r, const double *x)    \
    {                                                      \
        _Alignas(64) double guess[LANES64];                \
                                                           \
        _mm512_store_pd(guess, native(_mm512_load_pd(x))); \
        for (unsigned i = 0; i < LANES64; i++)             \
            r[i] = from(x[i], guess[i]);                   \
    }
#else
#define GUESSED64(name, native, from, plain)            \
    static inline void name(double *r, const double *x) \
    {                                                   \
        for (unsigned i = 0; i < LANES64; i++)          \
            r[i] = plain(x[i]);                         \
    }
#endif
GUESSED64(roots64, _mm512_rsqrt14_pd, w_root_from, w_root)
GUESSED64(inverses64, _mm512_rcp14_pd, w_inverse_from, w_inverse)
GUESSED64(inverse_roots64, _mm512_rsqrt14_pd, w_rsqrt_from, w_rsqrt)

static void block64_rsqrt(Block64 *b)
{
    inverse_roots64(b->r, b->x);
}

/* before: what the guess is for; after: of the operand and that. */
#define BLOCK64_GUESSED(name, guessed, before, after) \
    static void block64_##name(Block64 *b)            \
    {                                                 \
        _Alignas(64) double d[LANES64], v[LANES64];   \
                                                      \
        for (unsigned i = 0; i < LANES64; i++)        \
            d[i] = before(b->x[i]);                   \
        guessed(v, d);                                \
        for (unsigned i = 0; i < LANES64; i++)        \
            b->r[i] = after(b->x[i], v[i]);           \
    }
#define LESS_FROM_ONE(x) (1.0 - fabs(x))
#define ERFC_AND_TWO(x)  (2.0 + w_erfc_size(x))
BLOCK64_GUESSED(asinh, inverse_roots64, w_asinh_square, w_asinh_from)
BLOCK64_GUESSED(acosh, roots64, w_acosh_square, w_acosh_from)
BLOCK64_GUESSED(atanh, inverses64, LESS_FROM_ONE, w_atanh_from)
BLOCK64_GUESSED(atan, inverses64, w_atan_divisor, w_atan_from)
BLOCK64_GUESSED(atanpi, inverses64, w_atan_divisor, w_atanpi_from)
BLOCK64_GUESSED(erfc, inverses64, ERFC_AND_TWO, w_erfc_from)

static void block64_hypot(Block64 *b)
{
    _Alignas(64) double z[LANES64], v[LANES64];
    int64_t odd = 0;

    for (unsigned i = 0; i < LANES64; i++)
        odd |= w_hypot_is_near(b->x[i], b->y[i]) ? 0 : 1;
    for (unsigned i = 0; i < LANES64; i++)
        z[i] = w_hypot_square(b->x[i], b->y[i]);
    roots64(v, z);
    for (unsigned i = 0; i < LANES64; i++)
        b->r[i] = w_hypot_from(b->x[i], b->y[i], v[i]);
    if (odd != 0)
        for (unsigned i = 0; i < LANES64; i++)
            b->r[i] = w_hypot_is_near(b->x[i], b->y[i]) ? b->r[i] : w_hypot_far(b->x[i], b->y[i]);
}

/* Lanes that the vector code does not cover are done again, one by one, by rule. */
#define FINISH64(name, covered, rule)                              \
    static __attribute__((noinline)) void odd64_##name(Block64 *b) \
    {                                                              \
        for (unsigned i = 0; i < LANES64; i++)                     \
            if (!(covered))                                        \
                b->r[i] = rule;                                    \
    }
#define BLOCK64(name, value, covered)          \
    static void block64_##name(Block64 *b)     \
    {                                          \
        int64_t odd = 0;                       \
                                               \
        for (unsigned i = 0; i < LANES64; i++) \
            odd |= (covered) ? 0 : 1;          \
        for (unsigned i = 0; i < LANES64; i++) \
            b->r[i] = value;                   \
        if (odd != 0)                          \
            odd64_##name(b);                   \
    }

#define NEAR64 (w_is_near(b->x[i]))
#define BLOCK64_CIRCULAR(name, kernel)          \
    FINISH64(name, NEAR64, far_##name(b->x[i])) \
    BLOCK64(name, kernel(b->x[i]), NEAR64)
EACH64_CIRCULAR(BLOCK64_CIRCULAR)

BLOCK64_GUESSED(near_tan, inverses64, w_tan_divisor, w_tan_from)
FINISH64(tan, NEAR64, far_tan(b->x[i]))
static void block64_tan(Block64 *b)
{
    int64_t odd = 0;

    for (unsigned i = 0; i < LANES64; i++)
        odd |= NEAR64 ? 0 : 1;
    block64_near_tan(b);
    if (odd != 0)
        odd64_tan(b);
}

#define BLOCK64_2(name, kernel)                 \
    static void block64_##name(Block64 *b)      \
    {                                           \
        for (unsigned i = 0; i < LANES64; i++)  \
            b->r[i] = kernel(b->x[i], b->y[i]); \
    }

/* As BLOCK64_GUESSED. */
#define BLOCK64_GUESSED_2(name, guessed, before, after) \
    static void block64_##name(Block64 *b)              \
    {                                                   \
        _Alignas(64) double d[LANES64], v[LANES64];     \
                                                        \
        for (unsigned i = 0; i < LANES64; i++)          \
            d[i] = before(b->x[i], b->y[i]);            \
        guessed(v, d);                                  \
        for (unsigned i = 0; i < LANES64; i++)          \
            b->r[i] = after(b->x[i], b->y[i], v[i]);    \
    }
BLOCK64_GUESSED_2(atan2, inverses64, w_atan2_divisor, w_atan2_from)
BLOCK64_GUESSED_2(atan2pi, inverses64, w_atan2_divisor, w_atan2pi_from)
BLOCK64_2(pow, w_pow)
BLOCK64_2(powr, w_powr)

/* y holds whole numbers of 32 bits here. */
#define BLOCK64_INT(name, kernel)                        \
    static void block64_##name(Block64 *b)               \
    {                                                    \
        for (unsigned i = 0; i < LANES64; i++)           \
            b->r[i] = kernel(b->x[i], (int32_t)b->y[i]); \
    }
BLOCK64_INT(pown, w_pown)
BLOCK64_INT(rootn, w_rootn)

#define LANES64_1(name, kernel)                                                                \
    static void name##_f64(void *dst, const void *a, const void *b, const void *c, uint32_t n) \
    {                                                                                          \
        (void)b;                                                                               \
        (void)c;                                                                               \
        run_f64(block64_##name, dst, a, NULL, NULL, n);                                        \
    }
EACH64_1(LANES64_1)
LANES64_1(rsqrt, )
LANES64_1(asinh, )
LANES64_1(acosh, )
LANES64_1(atanh, )
LANES64_1(atan, )
LANES64_1(atanpi, )
LANES64_1(erfc, )
EACH64_CIRCULAR(LANES64_1)
LANES64_1(tan, )

#define LANES64_2(name)                                                                        \
    static void name##_f64(void *dst, const void *a, const void *b, const void *c, uint32_t n) \
    {                                                                                          \
        (void)c;                                                                               \
        run_f64(block64_##name, dst, a, b, NULL, n);                                           \
    }
EACH64_2(LANES64_2)

#define LANES64_INT(name)                                                                      \
    static void name##_f64(void *dst, const void *a, const void *b, const void *c, uint32_t n) \
    {                                                                                          \
        (void)c;                                                                               \
        run_f64(block64_##name, dst, a, NULL, b, n);                                           \
    }
EACH64_INT(LANES64_INT)
