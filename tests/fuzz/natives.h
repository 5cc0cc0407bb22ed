/* natives.h -- what a text of random_natives.py is to clang for this machine: OpenCL C's vectors,
 * and its built-in functions of one correct result, written for one component and applied to each.
 *
 * Sums and products are in 128 bits; conversions go through x87's 80 bits, which hold every integer
 * of 64 bits and every double.
 *
 * SPDX-License-Identifier: MIT
 */
#define JUDGE_OWN_VECTORS
#include "judge.h"
#include <stdbool.h>

#pragma STDC FP_CONTRACT OFF

typedef _Float16 half;
typedef __int128 wide;
typedef unsigned __int128 uwide;
typedef long double exact;

#define FN static __attribute__((overloadable, unused))
/* A step for each size of vectors. */
#define SIZES(step, ...)                                                                \
    step(2, __VA_ARGS__) step(3, __VA_ARGS__) step(4, __VA_ARGS__) step(8, __VA_ARGS__) \
        step(16, __VA_ARGS__)

#define VECTOR(n, t) typedef t t##n __attribute__((ext_vector_type(n)));
#define VECTORS(t)   SIZES(VECTOR, t)
VECTORS(char)
VECTORS(uchar)
VECTORS(short)
VECTORS(ushort)
VECTORS(int)
VECTORS(uint)
VECTORS(long)
VECTORS(ulong)
VECTORS(half)
VECTORS(float)
VECTORS(double)

/* Functions of one, two, three operands, from those of one component. r: the result's type. */
#define EACH(n, r, f, call, ...)    \
    FN r##n f(__VA_ARGS__)          \
    {                               \
        r##n x;                     \
        for (int k = 0; k < n; k++) \
            x[k] = call;            \
        return x;                   \
    }
#define OF_1(n, r, f, a_t)      EACH(n, r, f, f(a[k]), a_t##n a)
#define OF_2(n, r, f, a_t, b_t) EACH(n, r, f, f(a[k], b[k]), a_t##n a, b_t##n b)
#define OF_3(n, r, f, a_t, b_t, c_t) \
    EACH(n, r, f, f(a[k], b[k], c[k]), a_t##n a, b_t##n b, c_t##n c)
#define WITH_SCALAR(n, f, t) EACH(n, t, f, f(a[k], b), t##n a, t b)

#define UNARY(r, f, t, value) \
    FN r f(t a)               \
    {                         \
        return (r)(value);    \
    }                         \
    SIZES(OF_1, r, f, t)
#define BINARY(r, f, t, u, value) \
    FN r f(t a, u b)              \
    {                             \
        return (r)(value);        \
    }                             \
    SIZES(OF_2, r, f, t, u)
#define TERNARY(r, f, t, u, v, value) \
    FN r f(t a, u b, v c)             \
    {                                 \
        return (r)(value);            \
    }                                 \
    SIZES(OF_3, r, f, t, u, v)

/* ---- integers -------------------------------------------------------------------------------- */
#define WITHIN(x, least, most) ((x) < (least) ? (least) : (x) > (most) ? (most) : (x))

/* t: the type, s, u: signed and unsigned ones of its size, w: one for its products. */
#define INTEGER(t, s, u, w, bits, least, most)                                    \
    UNARY(u, abs, t, a < 0 ? (u)0 - (u)a : (u)a)                                  \
    UNARY(t, clz, t, a == 0 ? bits : __builtin_clzl((u)a) - (64 - bits))          \
    UNARY(t, ctz, t, a == 0 ? bits : __builtin_ctzl((u)a))                        \
    UNARY(t, popcount, t, __builtin_popcountl((u)a))                              \
    BINARY(u, abs_diff, t, t, a < b ? (wide)b - a : (wide)a - b)                  \
    BINARY(t, add_sat, t, t, WITHIN((wide)a + b, least, most))                    \
    BINARY(t, sub_sat, t, t, WITHIN((wide)a - b, least, most))                    \
    BINARY(t, hadd, t, t, ((wide)a + b) >> 1)                                     \
    BINARY(t, rhadd, t, t, ((wide)a + b + 1) >> 1)                                \
    BINARY(t, min, t, t, a < b ? a : b)                                           \
    BINARY(t, max, t, t, a < b ? b : a)                                           \
    SIZES(WITH_SCALAR, min, t)                                                    \
    SIZES(WITH_SCALAR, max, t)                                                    \
    BINARY(t, mul_hi, t, t, (w)a *b >> bits)                                      \
    BINARY(t, rotate, t, t, (u)a << (b & (bits - 1)) | (u)a >> (-b & (bits - 1))) \
    TERNARY(t, mad_hi, t, t, t, ((w)a * b >> bits) + (w)c)                        \
    TERNARY(t, mad_sat, t, t, t, WITHIN((w)a *b + (w)c, (w)least, (w)most))       \
    TERNARY(t, clamp, t, t, t, a<b ? b : a> c ? c : a)                            \
    TERNARY(t, bitselect, t, t, t, (a & ~c) | (b & c))                            \
    SELECT(t, s)                                                                  \
    SELECT(t, u)

/* One component's condition is true unless it is 0, those of vectors are their highest bits. */
#define SELECT(t, c_t) \
    SELECT_1(t, c_t)   \
    SIZES(SELECT_N, t, c_t)
#define SELECT_1(t, c_t)         \
    FN t select(t a, t b, c_t c) \
    {                            \
        return c ? b : a;        \
    }
#define SELECT_N(n, t, c_t) \
    EACH(n, t, select, c[k] >> (8 * sizeof(t) - 1) & 1 ? b[k] : a[k], t##n a, t##n b, c_t##n c)

#define UPSAMPLE(r, hi, lo, bits) BINARY(r, upsample, hi, lo, (uwide)a << bits | b)
#define OF_24_BITS(t)                          \
    BINARY(t, mul24, t, t, (ulong)a *(ulong)b) \
    TERNARY(t, mad24, t, t, t, (ulong)a *(ulong)b + (ulong)c)

INTEGER(char, char, uchar, wide, 8, -128, 127)
INTEGER(uchar, char, uchar, uwide, 8, 0, 255)
INTEGER(short, short, ushort, wide, 16, -32768, 32767)
INTEGER(ushort, short, ushort, uwide, 16, 0, 65535)
INTEGER(int, int, uint, wide, 32, INT32_MIN, INT32_MAX)
INTEGER(uint, int, uint, uwide, 32, 0, UINT32_MAX)
INTEGER(long, long, ulong, wide, 64, INT64_MIN, INT64_MAX)
INTEGER(ulong, long, ulong, uwide, 64, 0, UINT64_MAX)
UPSAMPLE(short, char, uchar, 8)
UPSAMPLE(ushort, uchar, uchar, 8)
UPSAMPLE(int, short, ushort, 16)
UPSAMPLE(uint, ushort, ushort, 16)
UPSAMPLE(long, int, uint, 32)
UPSAMPLE(ulong, uint, uint, 32)
OF_24_BITS(int)
OF_24_BITS(uint)

/* The highest bits of components. */
#define HIGHEST(n, f, t, start, op) \
    FN int f(t##n a)                \
    {                               \
        int x = start;              \
        for (int k = 0; k < n; k++) \
            x = x op(a[k] < 0);     \
        return x;                   \
    }
#define ANY_ALL(t)               \
    SIZES(HIGHEST, any, t, 0, |) \
    SIZES(HIGHEST, all, t, 1, &)
ANY_ALL(char)
ANY_ALL(short)
ANY_ALL(int)
ANY_ALL(long)

/* ---- floats ---------------------------------------------------------------------------------- */
/* A test of one component is 1, those of vectors are -1 in each; i: a signed integer of the size.
 */
#define MINUS_1(n, f, t, i) EACH(n, i, f, -f(a[k]), t##n a)
#define MINUS_2(n, f, t, i) EACH(n, i, f, -f(a[k], b[k]), t##n a, t##n b)
#define TEST(f, t, i, value) \
    FN int f(t a)            \
    {                        \
        return value;        \
    }                        \
    SIZES(MINUS_1, f, t, i)
#define TESTS(f, t, i, value) \
    FN int f(t a, t b)        \
    {                         \
        return value;         \
    }                         \
    SIZES(MINUS_2, f, t, i)

/* i, u: integers of its size; s: the suffix of C's functions; least: its least normal number. */
#define FLOAT(t, i, u, s, least)                                                            \
    UNARY(t, fabs, t, __builtin_fabs##s(a))                                                 \
    UNARY(t, floor, t, __builtin_floor##s(a))                                               \
    UNARY(t, ceil, t, __builtin_ceil##s(a))                                                 \
    UNARY(t, trunc, t, __builtin_trunc##s(a))                                               \
    UNARY(t, rint, t, __builtin_rint##s(a))                                                 \
    UNARY(t, round, t, __builtin_round##s(a))                                               \
    UNARY(t, sqrt, t, __builtin_sqrt##s(a))                                                 \
    UNARY(t, logb, t, __builtin_logb##s(a))                                                 \
    UNARY(t, sign, t, a > 0 ? 1 : a < 0 ? -1 : a == 0 ? a : (t)0)                           \
    BINARY(t, copysign, t, t, __builtin_copysign##s(a, b))                                  \
    BINARY(t, fmod, t, t, __builtin_fmod##s(a, b))                                          \
    BINARY(t, fdim, t, t, a != a || b != b ? a + b : a > b ? a - b : (t)0)                  \
    BINARY(t, fmin, t, t, a != a || b < a ? b : a)                                          \
    BINARY(t, fmax, t, t, a != a || b > a ? b : a)                                          \
    BINARY(t, step, t, t, b < a ? 0 : 1)                                                    \
    BINARY(t, ldexp, t, int, __builtin_ldexp##s(a, b))                                      \
    BINARY(t, nextafter, t, t, a != a || b != b ? a + b : a == b ? b : neighbour(a, b > a)) \
    TEST(isnan, t, i, a != a)                                                               \
    TEST(isinf, t, i, a - a != 0 && a == a)                                                 \
    TEST(isfinite, t, i, a - a == 0)                                                        \
    TEST(isnormal, t, i, a - a == 0 && __builtin_fabs##s(a) >= (t)least)                    \
    TEST(signbit, t, i, __builtin_signbit(a) != 0)                                          \
    TESTS(isequal, t, i, a == b)                                                            \
    TESTS(isnotequal, t, i, a != b)                                                         \
    TESTS(isgreater, t, i, a > b)                                                           \
    TESTS(isgreaterequal, t, i, a >= b)                                                     \
    TESTS(isless, t, i, a < b)                                                              \
    TESTS(islessequal, t, i, a <= b)                                                        \
    TESTS(islessgreater, t, i, a<b || a> b)                                                 \
    TESTS(isordered, t, i, a == a && b == b)                                                \
    TESTS(isunordered, t, i, a != a || b != b)                                              \
    SELECT(t, i)                                                                            \
    SELECT(t, u)

/* The next number above or below; not of NaN, nor of an infinity outwards. */
#define NEIGHBOUR(t, i)                               \
    FN t neighbour(t a, bool above)                   \
    {                                                 \
        i bits;                                       \
        if (a == 0)                                   \
            bits = 1;                                 \
        else                                          \
            memcpy(&bits, &a, sizeof a);              \
        if (a != 0)                                   \
            bits += (a > 0) == above ? 1 : -1;        \
        memcpy(&a, &bits, sizeof a);                  \
        return bits == 1 && !above && a > 0 ? -a : a; \
    }
NEIGHBOUR(half, short)
NEIGHBOUR(float, int)
NEIGHBOUR(double, long)
FLOAT(half, short, ushort, f, 0x1p-14)
FLOAT(float, int, uint, f, 0x1p-126)
FLOAT(double, long, ulong, , 0x1p-1022)
TERNARY(half, fma, half, half, half, (__float128)a *b + c)
TERNARY(float, fma, float, float, float, __builtin_fmaf(a, b, c))
TERNARY(double, fma, double, double, double, __builtin_fma(a, b, c))

/* ---- conversions; mode: e, z, p, n as in _rte ------------------------------------------------ */
static exact whole(exact x, char mode)
{
    return mode == 'e'   ? __builtin_rintl(x)
           : mode == 'z' ? __builtin_truncl(x)
           : mode == 'p' ? __builtin_ceill(x)
                         : __builtin_floorl(x);
}

#define TO_INTEGER(t, least, most)                                        \
    FN t to_##t(exact x, char mode)                                       \
    {                                                                     \
        x = whole(x, mode);                                               \
        return x != x ? 0 : x <= least ? least : x >= most ? most : (t)x; \
    }
TO_INTEGER(char, -128, 127)
TO_INTEGER(uchar, 0, 255)
TO_INTEGER(short, -32768, 32767)
TO_INTEGER(ushort, 0, 65535)
TO_INTEGER(int, INT32_MIN, INT32_MAX)
TO_INTEGER(uint, 0, UINT32_MAX)
TO_INTEGER(long, INT64_MIN, INT64_MAX)
TO_INTEGER(ulong, 0, UINT64_MAX)

#define TO_FLOAT(t)                                                  \
    FN t to_##t(exact x, char mode)                                  \
    {                                                                \
        t r = (t)x;                                                  \
        if ((exact)r > x && (mode == 'n' || (mode == 'z' && x > 0))) \
            return neighbour(r, false);                              \
        if ((exact)r < x && (mode == 'p' || (mode == 'z' && x < 0))) \
            return neighbour(r, true);                               \
        return r;                                                    \
    }
TO_FLOAT(half)
TO_FLOAT(float)
TO_FLOAT(double)

/* Those that a text uses. */
#define CONVERT_1(name, to, from, mode) \
    FN to name(from a)                  \
    {                                   \
        return to_##to(a, mode);        \
    }
#define CONVERT_N(name, n, to, from, mode) EACH(n, to, name, to_##to(a[k], mode), from##n a)
#define WRAP_1(name, to, from) \
    FN to name(from a)         \
    {                          \
        return (to)a;          \
    }
#define WRAP_N(name, n, to, from) EACH(n, to, name, (to)a[k], from##n a)

/* ---- what a text writes otherwise for OpenCL C ----------------------------------------------- */
#define AS(t, x)                          \
    ({                                    \
        __typeof__(x) from_ = (x);        \
        t to_;                            \
        memcpy(&to_, &from_, sizeof to_); \
        to_;                              \
    })
#define SHIFT(x, op, y, most) ((x)op((y) & (most)))
/* m: components of what is shuffled */
#define SHUFFLE(n, m, t, u) EACH(n, t, shuffle, a[b[k] & (m - 1)], t##m a, u##n b)
#define SHUFFLE2(n, m, t, u) \
    EACH(n, t, shuffle2, b[k] & m ? c[b[k] & (m - 1)] : a[b[k] & (m - 1)], t##m a, t##m c, u##n b)
#define LOAD(n, t)                             \
    FN t##n vload##n(size_t at, const t *p)    \
    {                                          \
        t##n x;                                \
        for (int k = 0; k < n; k++)            \
            x[k] = p[n * at + k];              \
        return x;                              \
    }                                          \
    FN void vstore##n(t##n x, size_t at, t *p) \
    {                                          \
        for (int k = 0; k < n; k++)            \
            p[n * at + k] = x[k];              \
    }
SIZES(LOAD, uchar)
SIZES(LOAD, short)
SIZES(LOAD, uint)
SIZES(LOAD, float)
SIZES(LOAD, ulong)
