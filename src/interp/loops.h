/* interp/loops.h -- defines loops over components of every width.
 *
 * HD_INT_LOOPS(name, expression) defines name[4], for 1, 2, 4 and 8 bytes. In the expression x, y
 * and z are the operands (unsigned U), S is the signed type, W an unsigned type that C does not
 * promote, BITS the width. HD_FLOAT_LOOPS likewise defines name[5], for half, float, double,
 * nothing and bfloat16; there x, y and z have type F, which is double for half and float for
 * bfloat16: +, -, * and / of halfs in double, rounded to half, are exactly rounded. They round as
 * the processor does (hd_number_mode).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_LOOPS_H
#define HD_INTERP_LOOPS_H

#include <string.h>

#include "interp/eval.h"
#include "interp/number.h"

/* Index in tables of loops; hd_float_size gives 3 for a type that is no float. */
static inline unsigned hd_int_size(const HdType *t)
{
    return hd_type_size(t) == 1 ? 0 : hd_type_size(t) == 2 ? 1 : hd_type_size(t) == 4 ? 2 : 3;
}

static inline unsigned hd_float_size(const HdType *t)
{
    if (t->kind != HD_T_FLOAT)
        return 3;
    return hd_is_bfloat16(t) ? 4 : t->bits == 16 ? 0 : t->bits == 32 ? 1 : 2;
}

#define HD_INT_LOOP(name, U_, S_, W_, expression)                           \
    static void name(void *result, const void *const *at, size_t n)         \
    {                                                                       \
        typedef U_ U;                                                       \
        typedef S_ S __attribute__((unused));                               \
        typedef W_ W __attribute__((unused));                               \
        enum { BITS = sizeof(U) * 8 };                                      \
        const U *a = at[0], *b = at[1] ? at[1] : a, *c = at[2] ? at[2] : a; \
        U *out = result;                                                    \
                                                                            \
        for (size_t i = 0; i < n; i++) {                                    \
            U x = a[i], y = b[i], z = c[i];                                 \
                                                                            \
            (void)x;                                                        \
            (void)y;                                                        \
            (void)z;                                                        \
            out[i] = (U)(expression);                                       \
        }                                                                   \
    }

#define HD_INT_LOOPS(name, expression)                        \
    HD_INT_LOOP(name##_1, HdU8, HdS8, uint32_t, expression)   \
    HD_INT_LOOP(name##_2, HdU16, HdS16, uint32_t, expression) \
    HD_INT_LOOP(name##_4, HdU32, HdS32, uint32_t, expression) \
    HD_INT_LOOP(name##_8, HdU64, HdS64, uint64_t, expression) \
    static HdLoop *const name[4] = {name##_1, name##_2, name##_4, name##_8};

#define HD_FLOAT_LOOP(name, T, F_, get, put, expression)                    \
    static void name(void *result, const void *const *at, size_t n)         \
    {                                                                       \
        typedef F_ F __attribute__((unused));                               \
        const T *a = at[0], *b = at[1] ? at[1] : a, *c = at[2] ? at[2] : a; \
        T *out = result;                                                    \
        const HdNumberMode mode __attribute__((unused)) = hd_number_mode(); \
                                                                            \
        for (size_t i = 0; i < n; i++) {                                    \
            F_ x = get(a[i]), y = get(b[i]), z = get(c[i]);                 \
                                                                            \
            (void)x;                                                        \
            (void)y;                                                        \
            (void)z;                                                        \
            out[i] = put(expression);                                       \
        }                                                                   \
    }

#define HD_SAME(x)    (x)
#define HD_TO_HALF(x) hd_half_from_double((x), mode)

static inline float hd_bfloat_to_float(uint16_t bits)
{
    uint32_t wide = (uint32_t)bits << 16;
    float x;

    memcpy(&x, &wide, sizeof x);
    return x;
}

#define HD_TO_BFLOAT(x) ((HdU16)hd_float_round((double)(x), 7, 8, HD_NUMBER_RTE))

#define HD_FLOAT_LOOPS(name, expression)                                                \
    HD_FLOAT_LOOP(name##_h, HdU16, double, hd_half_to_double, HD_TO_HALF, expression)   \
    HD_FLOAT_LOOP(name##_f, HdF32, float, HD_SAME, HD_SAME, expression)                 \
    HD_FLOAT_LOOP(name##_d, HdF64, double, HD_SAME, HD_SAME, expression)                \
    HD_FLOAT_LOOP(name##_b, HdU16, float, hd_bfloat_to_float, HD_TO_BFLOAT, expression) \
    static HdLoop *const name[5] = {name##_h, name##_f, name##_d, NULL, name##_b};

#endif
