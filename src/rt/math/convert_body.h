/* rt/math/convert_body.h -- one lane function per pair of types, rounding mode and saturation.
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

#include "rt/math/half_inline.h"

/* ---- float to integer ---- */

static inline double to_integral(double d, HdRound mode)
{
    switch (mode) {
    case HD_ROUND_RTE: return __builtin_rint(d);
    case HD_ROUND_RTZ: return __builtin_trunc(d);
    case HD_ROUND_RTP: return __builtin_ceil(d);
    case HD_ROUND_RTN: return __builtin_floor(d);
    }
    return d;
}

/* Clamp and convert a whole number; NaN gives 0. min and max are exact in double. */
static inline int32_t clamp_signed(double d, double min, double max)
{
    d = d != d ? 0.0 : d;
    d = d > max ? max : d;
    return (int32_t)(d < min ? min : d);
}

static inline uint32_t clamp_unsigned(double d, double max)
{
    d = d > 0.0 ? d : 0.0; /* NaN too */
    return (uint32_t)(d > max ? max : d);
}

static inline int8_t to_i8(double d)
{
    return (int8_t)clamp_signed(d, INT8_MIN, INT8_MAX);
}

static inline uint8_t to_u8(double d)
{
    return (uint8_t)clamp_signed(d, 0, UINT8_MAX);
}

static inline int16_t to_i16(double d)
{
    return (int16_t)clamp_signed(d, INT16_MIN, INT16_MAX);
}

static inline uint16_t to_u16(double d)
{
    return (uint16_t)clamp_signed(d, 0, UINT16_MAX);
}

static inline int32_t to_i32(double d)
{
    return clamp_signed(d, INT32_MIN, INT32_MAX);
}

static inline uint32_t to_u32(double d)
{
    return clamp_unsigned(d, UINT32_MAX);
}

/* The largest 64-bit integers are not doubles: compare with one more. */
static inline int64_t to_i64(double d)
{
    if (d != d)
        return 0;
    return d >= 0x1p63 ? INT64_MAX : (d < -0x1p63 ? INT64_MIN : (int64_t)d);
}

static inline uint64_t to_u64(double d)
{
    if (!(d > 0.0)) /* NaN too */
        return 0;
    return d >= 0x1p64 ? UINT64_MAX : (uint64_t)d;
}

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
        kept += cut > 0 && round_up(mode, negative, (kept & 1u) != 0, rest, half_unit);
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
#define WIDEN_F16(v) ((double)half_widen(v))
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

/* ---- integer to integer ---- */

typedef struct Wide {
    bool negative;
    uint64_t bits; /* two's complement */
} Wide;

static inline Wide wide_signed(int64_t v)
{
    return (Wide){v < 0, (uint64_t)v};
}

static inline Wide wide_unsigned(uint64_t v)
{
    return (Wide){false, v};
}

static inline int64_t saturate_signed(Wide w, int64_t min, int64_t max)
{
    if (w.negative)
        return (int64_t)w.bits < min ? min : (int64_t)w.bits;
    return w.bits > (uint64_t)max ? max : (int64_t)w.bits;
}

static inline uint64_t saturate_unsigned(Wide w, uint64_t max)
{
    return w.negative ? 0 : (w.bits > max ? max : w.bits);
}

#define WIDE_I8(v)  wide_signed(v)
#define WIDE_U8(v)  wide_unsigned(v)
#define WIDE_I16(v) wide_signed(v)
#define WIDE_U16(v) wide_unsigned(v)
#define WIDE_I32(v) wide_signed(v)
#define WIDE_U32(v) wide_unsigned(v)
#define WIDE_I64(v) wide_signed(v)
#define WIDE_U64(v) wide_unsigned(v)

#define SAT_I8(w)  saturate_signed(w, INT8_MIN, INT8_MAX)
#define SAT_U8(w)  saturate_unsigned(w, UINT8_MAX)
#define SAT_I16(w) saturate_signed(w, INT16_MIN, INT16_MAX)
#define SAT_U16(w) saturate_unsigned(w, UINT16_MAX)
#define SAT_I32(w) saturate_signed(w, INT32_MIN, INT32_MAX)
#define SAT_U32(w) saturate_unsigned(w, UINT32_MAX)
#define SAT_I64(w) saturate_signed(w, INT64_MIN, INT64_MAX)
#define SAT_U64(w) saturate_unsigned(w, UINT64_MAX)

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

/* Integers between each other: wrapped and saturated. */
#define INT_INT(FROM, TO)                  \
    DEFINE(FROM##_to_##TO, FROM, TO, x[i]) \
    DEFINE(FROM##_to_##TO##_sat, FROM, TO, SAT_##TO(WIDE_##FROM(x[i])))
#define INT_INTS(FROM, unused) \
    INT_INT(FROM, I8)          \
    INT_INT(FROM, U8)          \
    INT_INT(FROM, I16)         \
    INT_INT(FROM, U16)         \
    INT_INT(FROM, I32)         \
    INT_INT(FROM, U32)         \
    INT_INT(FROM, I64)         \
    INT_INT(FROM, U64)
INTEGERS(INT_INTS, )

#define FLOAT_INT(FROM, TO, MODE)             \
    DEFINE(FROM##_to_##TO##_##MODE, FROM, TO, \
           TO_##TO(to_integral(WIDEN_##FROM(x[i]), HD_ROUND_##MODE)))
#define TO_I8                to_i8
#define TO_U8                to_u8
#define TO_I16               to_i16
#define TO_U16               to_u16
#define TO_I32               to_i32
#define TO_U32               to_u32
#define TO_I64               to_i64
#define TO_U64               to_u64
#define FLOAT_INTS(TO, FROM) MODES(FLOAT_INT, FROM, TO)
INTEGERS(FLOAT_INTS, F16)
INTEGERS(FLOAT_INTS, F32)
INTEGERS(FLOAT_INTS, F64)

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
            r[i] = half_from_float(x[i], HD_ROUND_##MODE);                            \
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
    DEFINE(FROM##_to_##TO##_##MODE, FROM, TO, half_from_float(x[i], HD_ROUND_##MODE))
#define INT_HALF(FROM, TO, MODE) \
    DEFINE(FROM##_to_##TO##_##MODE, FROM, TO, half_from_float((float)x[i], HD_ROUND_##MODE))
#endif
#define DOUBLE_HALF(FROM, TO, MODE) \
    DEFINE(FROM##_to_##TO##_##MODE, FROM, TO, half_from_double(x[i], HD_ROUND_##MODE))
#define TO_FLOAT(FROM, TO, MODE)              \
    DEFINE(FROM##_to_##TO##_##MODE, FROM, TO, \
           HD_ROUND_##MODE == HD_ROUND_RTE    \
               ? (float)x[i]                  \
               : float_from_double(WIDEN_##FROM(x[i]), HD_ROUND_##MODE))
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

/* Exact ones. Halves are copied as bits. */
DEFINE(F16_to_F32, F16, F32, half_widen(x[i]))
DEFINE(F16_to_F64, F16, F64, half_widen(x[i]))
DEFINE(F32_to_F64, F32, F64, x[i])
DEFINE(F16_to_F16, U16, U16, x[i])
DEFINE(F32_to_F32, U32, U32, x[i])
DEFINE(F64_to_F64, U64, U64, x[i])

#define ROW_INT(FROM, TO)                                                 \
    [HD_NUM_##FROM][HD_NUM_##TO] = {                                      \
        {FROM##_to_##TO, FROM##_to_##TO, FROM##_to_##TO, FROM##_to_##TO}, \
        {FROM##_to_##TO##_sat, FROM##_to_##TO##_sat, FROM##_to_##TO##_sat, FROM##_to_##TO##_sat}},
#define BY_MODE(FROM, TO)                                                                      \
    {                                                                                          \
        FROM##_to_##TO##_RTE, FROM##_to_##TO##_RTZ, FROM##_to_##TO##_RTP, FROM##_to_##TO##_RTN \
    }
#define ROW_MODE(FROM, TO) [HD_NUM_##FROM][HD_NUM_##TO] = {BY_MODE(FROM, TO), BY_MODE(FROM, TO)},
#define SAME(f)    \
    {              \
        f, f, f, f \
    }
#define ROW_EXACT(FROM, TO) \
    [HD_NUM_##FROM][HD_NUM_##TO] = {SAME(FROM##_to_##TO), SAME(FROM##_to_##TO)},
#define ROWS_OF_INT(FROM, unused) \
    ROW_INT(FROM, I8)             \
    ROW_INT(FROM, U8)             \
    ROW_INT(FROM, I16)            \
    ROW_INT(FROM, U16)            \
    ROW_INT(FROM, I32)            \
    ROW_INT(FROM, U32)            \
    ROW_INT(FROM, I64)            \
    ROW_INT(FROM, U64)            \
    ROW_MODE(FROM, F16)           \
    ROW_MODE(FROM, F32)           \
    ROW_MODE(FROM, F64)
#define ROWS_TO_INT(TO, FROM) ROW_MODE(FROM, TO)

static HdMathLanesFn *const table[HD_NUM_COUNT][HD_NUM_COUNT][2][4] = {
    /* clang-format off */
    INTEGERS(ROWS_OF_INT, )
    INTEGERS(ROWS_TO_INT, F16)
    INTEGERS(ROWS_TO_INT, F32)
    INTEGERS(ROWS_TO_INT, F64)
    ROW_MODE(F32, F16)
    ROW_MODE(F64, F16)
    ROW_MODE(F64, F32)
    ROW_EXACT(F16, F16)
    ROW_EXACT(F16, F32)
    ROW_EXACT(F16, F64)
    ROW_EXACT(F32, F32)
    ROW_EXACT(F32, F64)
    ROW_EXACT(F64, F64)
    /* clang-format on */
};

HdMathLanesFn *CONVERT_FIND(HdNumKind from, HdNumKind to, HdRound mode, bool saturate)
{
    if ((unsigned)from >= HD_NUM_COUNT || (unsigned)to >= HD_NUM_COUNT || (unsigned)mode > 3u)
        return NULL;
    return table[from][to][saturate ? 1 : 0][mode];
}
