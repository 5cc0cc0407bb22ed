/* ops/arith/arith_matrix_build.c -- arithmetic on matrices to lane IR: a matrix is the list of its
 * columns' scalars.
 *
 * Products are added from the first one on, each rounded unless it may be fused with the sum.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/contract.h"
#include "ops/build_fns.h"
#include "ops/float/rounded_build.h"

/* A matrix, or a vector that is taken as its only column or row. */
typedef struct Matrix {
    const HdIrRef *at;
    uint32_t columns, rows;
} Matrix;

static HdIrRef element(const Matrix *x, uint32_t column, uint32_t row)
{
    return x->at[column * x->rows + row];
}

static HdStatus use_matrix(HdBuild *b, const HdInst *in, HdId id, Matrix *out)
{
    const HdType *t;
    HdBuildValue v;

    HD_TRY(hd_build_type_of(b, id, &t));
    HD_TRY(hd_build_use(b, id, &v));
    if (t->kind != HD_T_MATRIX && t->kind != HD_T_VECTOR)
        return hd_build_bad(b, in, "an operand is neither matrix nor vector");
    *out = (Matrix){.at = v.at,
                    .columns = t->kind == HD_T_MATRIX ? t->count : 1,
                    .rows = t->kind == HD_T_MATRIX ? hd_type_element(t)->count : t->count};
    return HD_OK;
}

/* x * y, plus a sum if it is not 0. */
static HdIrRef add_product(HdBuild *b, const HdInst *in, HdIrRef x, HdIrRef y, HdIrRef sum)
{
    if (sum != 0 && !hd_build_truncates(b, in) && hd_module_may_contract(b->m, in))
        return hd_build_fused(b, in, x, y, sum);
    x = hd_build_flagged2(b, in, HD_IR_FMUL, x, y);
    return sum == 0 ? x : hd_build_flagged2(b, in, HD_IR_FADD, sum, x);
}

/* Words: 1 type, 2 result, 3 matrix. */
HdStatus hd_build_transpose(HdBuild *b, const HdInst *in)
{
    HdIrRef *refs;
    Matrix x;

    HD_TRY(use_matrix(b, in, in->w[3], &x));
    HD_TRY(hd_build_room(b, x.columns * x.rows, &refs));
    for (uint32_t row = 0; row < x.rows; row++)
        for (uint32_t column = 0; column < x.columns; column++)
            refs[row * x.columns + column] = element(&x, column, row);
    return hd_build_bind(b, in->w[2], refs, x.columns * x.rows);
}

/* OpVectorTimesMatrix, OpMatrixTimesVector, OpMatrixTimesMatrix. A vector on the left is a row, on
 * the right a column. Words: 1 type, 2 result, 3 left, 4 right. */
HdStatus hd_build_matrix_product(HdBuild *b, const HdInst *in)
{
    Matrix left, right;
    HdIrRef *refs;

    HD_TRY(use_matrix(b, in, in->w[3], &left));
    HD_TRY(use_matrix(b, in, in->w[4], &right));
    if (in->opix == HD_OPIX_VectorTimesMatrix)
        left = (Matrix){.at = left.at, .columns = left.rows, .rows = 1};
    if (left.columns != right.rows || left.columns == 0)
        return hd_build_bad(b, in, "operands do not have as many columns and rows");
    HD_TRY(hd_build_room(b, left.rows * right.columns, &refs));
    for (uint32_t column = 0; column < right.columns; column++)
        for (uint32_t row = 0; row < left.rows; row++) {
            HdIrRef sum = 0;

            for (uint32_t k = 0; k < left.columns; k++)
                sum = add_product(b, in, element(&left, k, row), element(&right, column, k), sum);
            refs[column * left.rows + row] = sum;
        }
    return hd_build_bind(b, in->w[2], refs, left.rows * right.columns);
}

/* Words: 1 type, 2 result, 3 column, 4 row. */
HdStatus hd_build_outer_product(HdBuild *b, const HdInst *in)
{
    HdBuildValue column, row;
    HdIrRef *refs;

    HD_TRY(hd_build_use(b, in->w[3], &column));
    HD_TRY(hd_build_use(b, in->w[4], &row));
    HD_TRY(hd_build_room(b, column.count * row.count, &refs));
    for (uint32_t i = 0; i < row.count; i++)
        for (uint32_t k = 0; k < column.count; k++)
            refs[i * column.count + k] =
                hd_build_flagged2(b, in, HD_IR_FMUL, column.at[k], row.at[i]);
    return hd_build_bind(b, in->w[2], refs, column.count * row.count);
}
