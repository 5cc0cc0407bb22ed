/* rt/math/convert_body.h -- one lane function per pair of types and rounding mode.
 *
 * The including file is compiled for one instruction set and defines CONVERT_FIND, the name of its
 * lookup.
 *
 * Each is a loop over a conversion of one lane whose mode is a constant, so the compiler drops
 * what the mode does not need and vectorises what is left.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/math/convert.h"

#include <math.h>
#include <stddef.h>

#if defined(__F16C__)
#include <immintrin.h>
#endif

#include "base/half.h"

/* ---- integer to float ---- */

/* The magnitude cut to 53 bits, rounded as the mode says or, with odd set, to odd: then a second
 * rounding to fewer bits gives what one rounding would. */
static inline double from_magnitude(uint64_t m, bool negative, HdRound mode, bool odd)
{
    int lead = m == 0 ? 0 : 63 - __builtin_clzll(m);
    int cut = lead > 52 ? lead - 52 : 0;
    uint64_t kept = m >> cut;
    uint64_t rest = m & ((1ull << cut) - 1u);
    uint64_t half_unit = cut > 0 ? 1ull << (cut - 1) : 1u;
    double d;

    if (odd)
        kept |= rest != 0;
    else
        kept += cut > 0 && hd_half_rounds_up(mode, negative, (kept & 1u) != 0, rest, half_unit);
    d = (double)kept * (double)(1ull << cut); /* both exact, the product too */
    return negative ? -d : d;
}

static inline uint64_t magnitude(int64_t v)
{
    return v < 0 ? 0u - (uint64_t)v : (uint64_t)v;
}

static inline double signed_to_double(int64_t v, HdRound mode, bool odd)
{
    return from_magnitude(magnitude(v), v < 0, mode, odd);
}

static inline double unsigned_to_double(uint64_t v, HdRound mode, bool odd)
{
    return from_magnitude(v, false, mode, odd);
}

/* Integers of up to 32 bits are exact in double. */
#define WIDEN_I8(v)  ((double)(v))
#define WIDEN_U8(v)  ((double)(v))
#define WIDEN_I16(v) ((double)(v))
#define WIDEN_U16(v) ((double)(v))
#define WIDEN_I32(v) ((double)(v))
#define WIDEN_U32(v) ((double)(v))
#define WIDEN_I64(v) (signed_to_double((v), HD_ROUND_RTE, true))
#define WIDEN_U64(v) (unsigned_to_double((v), HD_ROUND_RTE, true))
#define WIDEN_F16(v) ((double)hd_half_widen(v))
#define WIDEN_F32(v) ((double)(v))
#define WIDEN_F64(v) (v)

#define ROUND_I8(v, mode)  ((double)(v))
#define ROUND_U8(v, mode)  ((double)(v))
#define ROUND_I16(v, mode) ((double)(v))
#define ROUND_U16(v, mode) ((double)(v))
#define ROUND_I32(v, mode) ((double)(v))
#define ROUND_U32(v, mode) ((double)(v))
#define ROUND_I64(v, mode) \
    ((mode) == HD_ROUND_RTE ? (double)(v) : signed_to_double((v), (mode), false))
#define ROUND_U64(v, mode) \
    ((mode) == HD_ROUND_RTE ? (double)(v) : unsigned_to_double((v), (mode), false))

/* ---- the functions ---- */

typedef int8_t TypeI8;
typedef uint8_t TypeU8;
typedef int16_t TypeI16;
typedef uint16_t TypeU16;
typedef int32_t TypeI32;
typedef uint32_t TypeU32;
typedef int64_t TypeI64;
typedef uint64_t TypeU64;
typedef uint16_t TypeF16;
typedef float TypeF32;
typedef double TypeF64;

#define DEFINE(name, FROM, TO, value)                                                    \
    static void name(void *dst, const void *a, const void *b, const void *c, uint32_t n) \
    {                                                                                    \
        const Type##FROM *x = a;                                                         \
        Type##TO *r = dst;                                                               \
                                                                                         \
        (void)b;                                                                         \
        (void)c;                                                                         \
        for (uint32_t i = 0; i < n; i++)                                                 \
            r[i] = (Type##TO)(value);                                                    \
    }

#define INTEGERS(M, ...) \
    M(I8, __VA_ARGS__)   \
    M(U8, __VA_ARGS__)   \
    M(I16, __VA_ARGS__)  \
    M(U16, __VA_ARGS__)  \
    M(I32, __VA_ARGS__)  \
    M(U32, __VA_ARGS__)  \
    M(I64, __VA_ARGS__)  \
    M(U64, __VA_ARGS__)

#define MODES(M, FROM, TO) M(FROM, TO, RTE) M(FROM, TO, RTZ) M(FROM, TO, RTP) M(FROM, TO, RTN)

/* Floats are rounded by the processor where it can, whole vectors first. */
#if defined(__F16C__)
#define NARROW_RTE _MM_FROUND_TO_NEAREST_INT
#define NARROW_RTZ _MM_FROUND_TO_ZERO
#define NARROW_RTP _MM_FROUND_TO_POS_INF
#define NARROW_RTN _MM_FROUND_TO_NEG_INF
#define DEFINE_NARROW(MODE)                                                           \
    static inline void narrow_##MODE(uint16_t *r, const float *x, uint32_t n)         \
    {                                                                                 \
        uint32_t i = 0;                                                               \
                                                                                      \
        for (; i + 8 <= n; i += 8)                                                    \
            _mm_storeu_si128((__m128i *)(void *)(r + i),                              \
                             _mm256_cvtps_ph(_mm256_loadu_ps(x + i), NARROW_##MODE)); \
        for (; i < n; i++)                                                            \
            r[i] = hd_half_round_float(x[i], HD_ROUND_##MODE);                        \
    }
DEFINE_NARROW(RTE)
DEFINE_NARROW(RTZ)
DEFINE_NARROW(RTP)
DEFINE_NARROW(RTN)

#define NARROW_CHUNK 64
/* A whole number that float cannot hold is beyond half's range, however it was rounded. */
#define INT_HALF(FROM, TO, MODE)                                                                \
    static void FROM##_to_##TO##_##MODE(void *dst, const void *a, const void *b, const void *c, \
                                        uint32_t n)                                             \
    {                                                                                           \
        const Type##FROM *x = a;                                                                \
        uint16_t *r = dst;                                                                      \
        float f[NARROW_CHUNK];                                                                  \
                                                                                                \
        (void)b;                                                                                \
        (void)c;                                                                                \
        for (uint32_t at = 0; at < n; at += NARROW_CHUNK) {                                     \
            uint32_t left = n - at < NARROW_CHUNK ? n - at : NARROW_CHUNK;                      \
                                                                                                \
            for (uint32_t i = 0; i < left; i++)                                                 \
                f[i] = (float)x[at + i];                                                        \
            narrow_##MODE(r + at, f, left);                                                     \
        }                                                                                       \
    }
#define FLOAT_HALF(FROM, TO, MODE)                                                              \
    static void FROM##_to_##TO##_##MODE(void *dst, const void *a, const void *b, const void *c, \
                                        uint32_t n)                                             \
    {                                                                                           \
        (void)b;                                                                                \
        (void)c;                                                                                \
        narrow_##MODE(dst, a, n);                                                               \
    }
#else
#define FLOAT_HALF(FROM, TO, MODE) \
    DEFINE(FROM##_to_##TO##_##MODE, FROM, TO, hd_half_round_float(x[i], HD_ROUND_##MODE))
#define INT_HALF(FROM, TO, MODE) \
    DEFINE(FROM##_to_##TO##_##MODE, FROM, TO, hd_half_round_float((float)x[i], HD_ROUND_##MODE))
#endif
#define DOUBLE_HALF(FROM, TO, MODE) \
    DEFINE(FROM##_to_##TO##_##MODE, FROM, TO, hd_half_round(x[i], HD_ROUND_##MODE))
#define TO_FLOAT(FROM, TO, MODE)                         \
    DEFINE(FROM##_to_##TO##_##MODE, FROM, TO,            \
           HD_ROUND_##MODE == HD_ROUND_RTE ? (float)x[i] \
                                           : hd_float_round(WIDEN_##FROM(x[i]), HD_ROUND_##MODE))
#define TO_DOUBLE(FROM, TO, MODE) \
    DEFINE(FROM##_to_##TO##_##MODE, FROM, TO, ROUND_##FROM(x[i], HD_ROUND_##MODE))
#define INT_FLOATS(FROM, unused) \
    MODES(INT_HALF, FROM, F16)   \
    MODES(TO_FLOAT, FROM, F32)   \
    MODES(TO_DOUBLE, FROM, F64)
INTEGERS(INT_FLOATS, )

MODES(FLOAT_HALF, F32, F16)
MODES(DOUBLE_HALF, F64, F16)
MODES(TO_FLOAT, F64, F32)

#define BY_MODE(FROM, TO)                                                                      \
    {                                                                                          \
        FROM##_to_##TO##_RTE, FROM##_to_##TO##_RTZ, FROM##_to_##TO##_RTP, FROM##_to_##TO##_RTN \
    }
#define ROW(FROM, TO) [HD_NUM_##FROM][HD_NUM_##TO - HD_NUM_F16] = BY_MODE(FROM, TO),
#define ROWS_OF_INT(FROM, unused) \
    ROW(FROM, F16)                \
    ROW(FROM, F32)                \
    ROW(FROM, F64)

static HdMathLanesFn *const table[HD_NUM_COUNT][HD_NUM_COUNT - HD_NUM_F16][4] = {
    /* clang-format off */
    INTEGERS(ROWS_OF_INT, )
    ROW(F32, F16)
    ROW(F64, F16)
    ROW(F64, F32)
    /* clang-format on */
};

HdMathLanesFn *CONVERT_FIND(HdNumKind from, HdNumKind to, HdRound mode)
{
    if ((unsigned)from >= HD_NUM_COUNT || to < HD_NUM_F16 || (unsigned)to >= HD_NUM_COUNT ||
        (unsigned)mode > 3u)
        return NULL;
    return table[from][to - HD_NUM_F16][mode];
}
