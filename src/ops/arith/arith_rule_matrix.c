/* ops/arith/arith_rule_matrix.c -- rules of arithmetic on matrices, as shaders have it.
 *
 * Spec: SPIR-V, "Arithmetic Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/coop/coop_rule.h"
#include "ops/rules.h"
#include "ops/shader_rules.h"

static bool is_matrix(const HdType *t)
{
    return t != NULL && t->kind == HD_T_MATRIX;
}

static bool is_float_vector(const HdType *t)
{
    return t != NULL && t->kind == HD_T_VECTOR && hd_is_float(t);
}

/* OpTranspose. */
HdStatus hd_rule_transpose(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *x = hd_val_operand(v, in, 3);

    HD_RULE(is_matrix(t), "arith.result", "the result is not a matrix");
    HD_RULE(is_matrix(x) &&
                hd_type_element(hd_type_element(x)) == hd_type_element(hd_type_element(t)),
            "arith.operand", "the operand is not a matrix of the result's component type");
    HD_RULE(x->count == hd_type_element(t)->count && hd_type_element(x)->count == t->count,
            "arith.matrix-shape",
            "the operand does not have the result's shape with rows and columns exchanged");
    return HD_OK;
}

/* OpMatrixTimesScalar. */
HdStatus hd_rule_matrix_times_scalar(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(is_matrix(t) || hd_coop_component(v, t) != NULL, "arith.result",
            "the result is not a matrix");
    HD_RULE(hd_val_operand(v, in, 3) == t, "arith.operand",
            "the type of the matrix differs from the result type");
    HD_RULE(
        hd_val_operand(v, in, 4) ==
            (t->kind == HD_T_OTHER ? hd_coop_component(v, t) : hd_type_element(hd_type_element(t))),
        "arith.operand", "the type of the scalar is not the component type of the result");
    return HD_OK;
}

/* OpVectorTimesMatrix: a component of the result for each column. */
HdStatus hd_rule_vector_times_matrix(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);
    const HdType *x = hd_val_operand(v, in, 3), *m = hd_val_operand(v, in, 4);

    HD_RULE(is_float_vector(t), "arith.result", "the result is not a float vector");
    HD_RULE(is_float_vector(x) && hd_type_element(x) == hd_type_element(t), "arith.operand",
            "the left operand is not a vector of the result's component type");
    HD_RULE(is_matrix(m) && hd_type_element(hd_type_element(m)) == hd_type_element(t),
            "arith.operand", "the right operand is not a matrix of the result's component type");
    HD_RULE(m->count == t->count && hd_type_element(m)->count == x->count, "arith.matrix-shape",
            "the matrix needs a column for each component of the result and a row for each of the "
            "vector");
    return HD_OK;
}

/* OpMatrixTimesVector. */
HdStatus hd_rule_matrix_times_vector(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);
    const HdType *m = hd_val_operand(v, in, 3), *x = hd_val_operand(v, in, 4);

    HD_RULE(is_float_vector(t), "arith.result", "the result is not a float vector");
    HD_RULE(is_matrix(m) && hd_type_element(m) == t, "arith.operand",
            "the left operand is not a matrix whose columns are of the result type");
    HD_RULE(is_float_vector(x) && hd_type_element(x) == hd_type_element(t), "arith.operand",
            "the right operand is not a vector of the result's component type");
    HD_RULE(m->count == x->count, "arith.matrix-shape",
            "the matrix needs a column for each component of the vector");
    return HD_OK;
}

/* OpMatrixTimesMatrix. */
HdStatus hd_rule_matrix_times_matrix(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);
    const HdType *x = hd_val_operand(v, in, 3), *y = hd_val_operand(v, in, 4);

    HD_RULE(is_matrix(t), "arith.result", "the result is not a matrix");
    HD_RULE(is_matrix(x) && hd_type_element(x) == hd_type_element(t), "arith.operand",
            "the left operand is not a matrix with columns as the result's");
    HD_RULE(is_matrix(y) &&
                hd_type_element(hd_type_element(y)) == hd_type_element(hd_type_element(t)),
            "arith.operand", "the right operand is not a matrix of the result's component type");
    HD_RULE(y->count == t->count && x->count == hd_type_element(y)->count, "arith.matrix-shape",
            "the right matrix needs the result's columns, and a row for each column of the left");
    return HD_OK;
}

/* OpOuterProduct. */
HdStatus hd_rule_outer_product(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);
    const HdType *x = hd_val_operand(v, in, 3), *y = hd_val_operand(v, in, 4);

    HD_RULE(is_matrix(t), "arith.result", "the result is not a matrix");
    HD_RULE(x == hd_type_element(t), "arith.operand",
            "the left operand is not of the type of the result's columns");
    HD_RULE(is_float_vector(y) && hd_type_element(y) == hd_type_element(hd_type_element(t)),
            "arith.operand", "the right operand is not a vector of the result's component type");
    HD_RULE(y->count == t->count, "arith.matrix-shape",
            "the right vector needs a component for each column of the result");
    return HD_OK;
}
