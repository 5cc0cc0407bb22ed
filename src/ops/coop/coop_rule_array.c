/* ops/coop/coop_rule_array.c -- rules of conversions between cooperative matrices and arrays.
 *
 * A row or column of a matrix is 256 bits; an array holds it as components or as 32-bit words.
 *
 * Spec: SPV_QCOM_cooperative_matrix_conversion.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/coop/coop_rule.h"
#include "ops/shader_rules.h"

/* Words of a matrix type. */
enum { COMPONENT = 2, SCOPE, ROWS, COLUMNS, USE };

static bool is_matrix(const HdType *t)
{
    return hd_type_is_other(t, SpvOpTypeCooperativeMatrixKHR);
}

static bool is_array(const HdType *t)
{
    return t != NULL && t->kind == HD_T_ARRAY;
}

/* An integer of that width, or a float of 16 or 32 bits. */
static bool is_number(const HdType *t, uint32_t bits)
{
    return (hd_is_int_scalar(t) && t->bits == bits) ||
           (hd_is_float_scalar(t) && t->encoding == 0 && (t->bits == 16 || t->bits == 32));
}

static bool is_word(const HdType *t)
{
    return hd_is_int_scalar(t) && t->bits == 32 && !t->is_signed;
}

/* An array's length; false when it may still be specialised. */
static bool known_length(const HdVal *v, const HdType *array, uint64_t *out)
{
    return hd_val_known_part(v, hd_type_length_id(v->m, array), 0, out);
}

HdStatus hd_rule_coop_cast_array(HdVal *v, const HdInst *in)
{
    const HdType *to = hd_val_result(v, in), *from = hd_val_operand(v, in, 3);
    uint64_t m, n;

    HD_RULE(is_array(to) && is_array(from), "coop.array", "operand and result are not arrays");
    HD_RULE(is_number(hd_type_element(to), 32) && is_number(hd_type_element(from), 32),
            "coop.array-element", "an element is not a 32-bit integer and no 16- or 32-bit float");
    HD_RULE(!known_length(v, to, &m) || !known_length(v, from, &n) ||
                m * hd_type_element(to)->bits == n * hd_type_element(from)->bits,
            "coop.array-length", "operand and result have different sizes");
    return HD_OK;
}

/* OpExtractSubArrayQCOM: 3 array, 4 index. */
HdStatus hd_rule_coop_sub_array(HdVal *v, const HdInst *in)
{
    const HdType *to = hd_val_result(v, in), *from = hd_val_operand(v, in, 3),
                 *index = hd_val_operand(v, in, 4);

    HD_RULE(is_array(to) && is_array(from), "coop.array", "operand and result are not arrays");
    HD_RULE(hd_type_element(to) == hd_type_element(from), "coop.array-element",
            "operand and result have different elements");
    HD_RULE(is_number(hd_type_element(to), 32), "coop.array-element",
            "an element is not a 32-bit integer and no 16- or 32-bit float");
    HD_RULE(hd_is_int_scalar(index) && index->bits == 32, "coop.array-index",
            "the index is not a 32-bit integer");
    return HD_OK;
}

/* How many elements the array must have: as many as a row (or column) has components, or words that
 * hold them. false: that may still be specialised. */
static bool needed_length(const HdVal *v, const HdType *matrix, uint64_t use, bool words,
                          uint64_t *out)
{
    const HdType *component = hd_coop_component(v, matrix);
    uint32_t at = use == SpvCooperativeMatrixUseMatrixBKHR ? ROWS : COLUMNS;

    if (words && use != SpvCooperativeMatrixUseMatrixAccumulatorKHR) {
        *out = 8;
        return true;
    }
    if (!hd_val_known_part(v, hd_type_words(matrix)[at], 0, out))
        return false;
    if (words && hd_is_float_scalar(component) && component->bits == 16)
        *out /= 2;
    return true;
}

/* What the two conversions share. */
static HdStatus conversion(HdVal *v, const HdInst *in, const HdType *matrix, const HdType *array)
{
    const HdType *component;
    uint64_t use, scope, n, has;
    bool accumulator;

    HD_RULE(is_matrix(matrix), "coop.operand", "there is no cooperative matrix");
    HD_RULE(is_array(array), "coop.array", "there is no array");
    component = hd_coop_component(v, matrix);
    HD_RULE(!hd_val_known_part(v, hd_type_words(matrix)[SCOPE], 0, &scope) ||
                scope == SpvScopeSubgroup,
            "coop.array-scope", "the matrix is not of scope Subgroup");
    HD_RULE(hd_type_element(array) == component || is_word(hd_type_element(array)),
            "coop.array-element",
            "an element is neither a component of the matrix nor a 32-bit unsigned integer");
    if (!hd_val_known_part(v, hd_type_words(matrix)[USE], 0, &use))
        return HD_OK;
    accumulator = use == SpvCooperativeMatrixUseMatrixAccumulatorKHR;
    HD_RULE(is_number(component, accumulator ? 32 : 8), "coop.array-component",
            "a matrix of this use has no components of this type");
    if (!accumulator)
        HD_RULE(!needed_length(v, matrix, use, false, &n) || n * component->bits == 256,
                "coop.array-size", "a row or column of the matrix has not 256 bits");
    HD_RULE(!known_length(v, array, &has) ||
                !needed_length(v, matrix, use, hd_type_element(array) != component, &n) || has == n,
            "coop.array-length", "the array does not hold a row or column of the matrix");
    return HD_OK;
}

HdStatus hd_rule_coop_of_array(HdVal *v, const HdInst *in)
{
    return conversion(v, in, hd_val_result(v, in), hd_val_operand(v, in, 3));
}

HdStatus hd_rule_coop_to_array(HdVal *v, const HdInst *in)
{
    return conversion(v, in, hd_val_operand(v, in, 3), hd_val_result(v, in));
}
