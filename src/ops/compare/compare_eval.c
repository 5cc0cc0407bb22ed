/* ops/compare/compare_eval.c -- comparisons, logic and selection in the interpreter. Booleans are
 * one byte, 0 or 1.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "interp/loops.h"
#include "ops/evals.h"

/* Loops from operands of one type to booleans. */
#define COMPARE_LOOP(name, T, V, get, expression)                   \
    static void name(void *result, const void *const *at, size_t n) \
    {                                                               \
        const T *a = at[0], *b = at[1];                             \
        HdU8 *out = result;                                         \
                                                                    \
        for (size_t i = 0; i < n; i++) {                            \
            V x = get(a[i]), y = get(b[i]);                         \
                                                                    \
            out[i] = (HdU8)(expression);                            \
        }                                                           \
    }

#define INT_COMPARE(name, sign, expression)                                 \
    COMPARE_LOOP(name##_1, Hd##sign##8, Hd##sign##8, HD_SAME, expression)   \
    COMPARE_LOOP(name##_2, Hd##sign##16, Hd##sign##16, HD_SAME, expression) \
    COMPARE_LOOP(name##_4, Hd##sign##32, Hd##sign##32, HD_SAME, expression) \
    COMPARE_LOOP(name##_8, Hd##sign##64, Hd##sign##64, HD_SAME, expression) \
    static HdLoop *const name[4] = {name##_1, name##_2, name##_4, name##_8};

#define FLOAT_COMPARE(name, expression)                                  \
    COMPARE_LOOP(name##_h, HdU16, double, hd_half_to_double, expression) \
    COMPARE_LOOP(name##_f, HdF32, double, (double), expression)          \
    COMPARE_LOOP(name##_d, HdF64, double, HD_SAME, expression)           \
    COMPARE_LOOP(name##_b, HdU16, float, hd_bfloat_to_float, expression) \
    static HdLoop *const name[5] = {name##_h, name##_f, name##_d, NULL, name##_b};

INT_COMPARE(equal, U, x == y)
INT_COMPARE(not_equal, U, x != y)
INT_COMPARE(u_greater, U, x > y)
INT_COMPARE(u_greater_equal, U, x >= y)
INT_COMPARE(u_less, U, x < y)
INT_COMPARE(u_less_equal, U, x <= y)
INT_COMPARE(s_greater, S, x > y)
INT_COMPARE(s_greater_equal, S, x >= y)
INT_COMPARE(s_less, S, x < y)
INT_COMPARE(s_less_equal, S, x <= y)
FLOAT_COMPARE(ord_equal, x == y)
FLOAT_COMPARE(unord_equal, !(x < y || x > y))
FLOAT_COMPARE(ord_not_equal, x<y || x> y)
FLOAT_COMPARE(unord_not_equal, x != y)
FLOAT_COMPARE(ord_less, x < y)
FLOAT_COMPARE(unord_less, !(x >= y))
FLOAT_COMPARE(ord_greater, x > y)
FLOAT_COMPARE(unord_greater, !(x <= y))
FLOAT_COMPARE(ord_less_equal, x <= y)
FLOAT_COMPARE(unord_less_equal, !(x > y))
FLOAT_COMPARE(ord_greater_equal, x >= y)
FLOAT_COMPARE(unord_greater_equal, !(x < y))
FLOAT_COMPARE(ordered, !isnan(x) && !isnan(y))
FLOAT_COMPARE(unordered, isnan(x) || isnan(y))

typedef struct Compare {
    enum HdOpix opix;
    HdLoop *const *loops;
    bool is_float;
} Compare;

static const Compare compares[] = {
    {HD_OPIX_IEqual, equal, false},
    {HD_OPIX_INotEqual, not_equal, false},
    {HD_OPIX_UGreaterThan, u_greater, false},
    {HD_OPIX_SGreaterThan, s_greater, false},
    {HD_OPIX_UGreaterThanEqual, u_greater_equal, false},
    {HD_OPIX_SGreaterThanEqual, s_greater_equal, false},
    {HD_OPIX_ULessThan, u_less, false},
    {HD_OPIX_SLessThan, s_less, false},
    {HD_OPIX_ULessThanEqual, u_less_equal, false},
    {HD_OPIX_SLessThanEqual, s_less_equal, false},
    {HD_OPIX_LogicalEqual, equal, false},
    {HD_OPIX_LogicalNotEqual, not_equal, false},
    {HD_OPIX_FOrdEqual, ord_equal, true},
    {HD_OPIX_FUnordEqual, unord_equal, true},
    {HD_OPIX_FOrdNotEqual, ord_not_equal, true},
    {HD_OPIX_FUnordNotEqual, unord_not_equal, true},
    {HD_OPIX_FOrdLessThan, ord_less, true},
    {HD_OPIX_FUnordLessThan, unord_less, true},
    {HD_OPIX_FOrdGreaterThan, ord_greater, true},
    {HD_OPIX_FUnordGreaterThan, unord_greater, true},
    {HD_OPIX_FOrdLessThanEqual, ord_less_equal, true},
    {HD_OPIX_FUnordLessThanEqual, unord_less_equal, true},
    {HD_OPIX_FOrdGreaterThanEqual, ord_greater_equal, true},
    {HD_OPIX_FUnordGreaterThanEqual, unord_greater_equal, true},
    {HD_OPIX_LessOrGreater, ord_not_equal, true},
    {HD_OPIX_Ordered, ordered, true},
    {HD_OPIX_Unordered, unordered, true},
};

/* Words: 1 type, 2 result, 3 left, 4 right. */
HdStatus hd_eval_compare(HdEval *e, const HdInst *in)
{
    const HdType *t = hd_type_scalar(hd_module_type_of(e->m, in->w[3]));

    for (size_t i = 0; t && i < sizeof compares / sizeof *compares; i++)
        if (compares[i].opix == in->opix)
            return hd_eval_map(
                e, in, 3, 2,
                compares[i].loops[compares[i].is_float ? hd_float_size(t) : hd_int_size(t)]);
    return HD_BUG;
}

static bool test(const HdInst *in, const void *at, const HdType *t)
{
    bool is_short = hd_is_bfloat16(t);
    double x = is_short ? (double)hd_bfloat_to_float((uint16_t)hd_bits_get(at, 2))
                        : hd_float_get(at, hd_type_size(t));
    double smallest = t->bits == 16 && !is_short ? 0x1p-14 : t->bits <= 32 ? 0x1p-126 : 0x1p-1022;

    switch (in->opix) {
    case HD_OPIX_IsNan: return isnan(x);
    case HD_OPIX_IsInf: return isinf(x);
    case HD_OPIX_IsFinite: return isfinite(x);
    case HD_OPIX_SignBitSet: return (hd_bits_get(at, hd_type_size(t)) >> (t->bits - 1) & 1) != 0;
    default: return isfinite(x) && fabs(x) >= smallest;
    }
}

/* OpIsNan, OpIsInf, OpIsFinite, OpIsNormal, OpSignBitSet. Words: 1 type, 2 result, 3 operand. */
HdStatus hd_eval_float_test(HdEval *e, const HdInst *in)
{
    const HdType *t;
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    t = hd_type_scalar(x.type);
    if (t->kind != HD_T_FLOAT || hd_type_lanes(x.type) != hd_type_lanes(r.type))
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.type", "the operand has a wrong type");
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(x.type); i++)
            hd_slot_at(&r, lane)[i] = test(in, hd_slot_at(&x, lane) + i * hd_type_size(t), t);
    return HD_OK;
}

HD_INT_LOOP(bool_or, HdU8, HdS8, uint32_t, x | y)
HD_INT_LOOP(bool_and, HdU8, HdS8, uint32_t, x &y)
HD_INT_LOOP(bool_not, HdU8, HdS8, uint32_t, x == 0)

/* OpLogicalOr, OpLogicalAnd. Words: 1 type, 2 result, 3 left, 4 right. */
HdStatus hd_eval_logical(HdEval *e, const HdInst *in)
{
    return hd_eval_map(e, in, 3, 2, in->opix == HD_OPIX_LogicalOr ? bool_or : bool_and);
}

/* Words: 1 type, 2 result, 3 operand. */
HdStatus hd_eval_logical_not(HdEval *e, const HdInst *in)
{
    return hd_eval_map(e, in, 3, 1, bool_not);
}

/* Words: 1 type, 2 result, 3 vector. */
HdStatus hd_eval_any_all(HdEval *e, const HdInst *in)
{
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    for (HD_EACH_LANE(lane, e->mask)) {
        uint32_t set = 0, count = hd_type_lanes(x.type);

        for (uint32_t i = 0; i < count; i++)
            set += hd_slot_at(&x, lane)[i] != 0;
        *hd_slot_at(&r, lane) = in->opix == HD_OPIX_Any ? set != 0 : set == count;
    }
    return HD_OK;
}

/* One condition for the whole value or one per component.
 * Words: 1 type, 2 result, 3 condition, 4 true, 5 false. */
HdStatus hd_eval_select(HdEval *e, const HdInst *in)
{
    HdSlot r, condition, x[2];
    uint32_t count;
    uint64_t bytes;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use_control(e, in->w[3], &condition));
    HD_TRY(hd_eval_operands(e, in, 4, 2, x));
    count = hd_type_lanes(condition.type);
    bytes = count == 1 ? hd_type_size(r.type) : hd_type_size(hd_type_scalar(r.type));
    if (count != 1 && count != hd_type_lanes(r.type))
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.components",
                           "the condition does not fit the objects");
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < count; i++) {
            const HdSlot *from = &x[hd_slot_at(&condition, lane)[i] ? 0 : 1];

            memcpy(hd_slot_at(&r, lane) + i * bytes, hd_slot_at(from, lane) + i * bytes,
                   (size_t)bytes);
        }
    return HD_OK;
}
