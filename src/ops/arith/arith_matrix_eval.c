/* ops/arith/arith_matrix_eval.c -- arithmetic on matrices in the interpreter: a matrix is its
 * columns, one after the other.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/loops.h"
#include "ops/arith/arith_eval.h"
#include "ops/evals.h"
#include "ops/float/rounded_eval.h"

HD_FLOAT_LOOPS(times, x *y)
HD_FLOAT_LOOPS(plus, x + y)

typedef struct Matrix {
    HdSlot s;
    uint32_t columns, rows;
    uint64_t bytes; /* of an element */
} Matrix;

static Matrix matrix_of(const HdSlot *s)
{
    const HdType *t = s->type, *column = t->kind == HD_T_MATRIX ? hd_type_element(t) : t;

    return (Matrix){.s = *s,
                    .columns = t->kind == HD_T_MATRIX ? t->count : 1,
                    .rows = hd_type_lanes(column),
                    .bytes = hd_type_size(hd_type_scalar(column))};
}

static unsigned char *element(const Matrix *x, unsigned lane, uint32_t column, uint32_t row)
{
    return hd_slot_at(&x->s, lane) + (column * x->rows + row) * x->bytes;
}

/* Words: 1 type, 2 result, 3 matrix. */
HdStatus hd_eval_transpose(HdEval *e, const HdInst *in)
{
    Matrix r, x;
    HdSlot s[2];

    HD_TRY(hd_eval_result(e, in, &s[0]));
    HD_TRY(hd_eval_use(e, in->w[3], &s[1]));
    r = matrix_of(&s[0]);
    x = matrix_of(&s[1]);
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < x.columns; i++)
            for (uint32_t k = 0; k < x.rows; k++)
                memcpy(element(&r, lane, k, i), element(&x, lane, i, k), (size_t)x.bytes);
    return HD_OK;
}

typedef struct Product {
    Matrix left, right;
    unsigned size; /* hd_float_size */
    HdLoop *fused; /* NULL: each product is rounded */
} Product;

/* The product of a row and a column. */
static void product(const Product *p, unsigned lane, uint32_t row, uint32_t column,
                    unsigned char *to)
{
    unsigned char one[8];
    unsigned size = p->size;

    for (uint32_t k = 0; k < p->left.columns; k++) {
        const void *factors[3] = {element(&p->left, lane, k, row),
                                  element(&p->right, lane, column, k), to};
        const void *terms[3] = {to, one, NULL};

        if (k > 0 && p->fused != NULL) {
            p->fused(to, factors, 1);
            continue;
        }
        times[size](k == 0 ? (void *)to : one, factors, 1);
        if (k > 0)
            plus[size](to, terms, 1);
    }
}

/* OpVectorTimesMatrix, OpMatrixTimesVector, OpMatrixTimesMatrix.
 * Words: 1 type, 2 result, 3 left, 4 right. */
HdStatus hd_eval_matrix_product(HdEval *e, const HdInst *in)
{
    HD_EVAL_ROUNDED_AS(e, in->w[1]);
    Product p;
    Matrix r;
    HdSlot s[3];

    HD_TRY(hd_eval_result(e, in, &s[0]));
    HD_TRY(hd_eval_operands(e, in, 3, 2, s + 1));
    r = matrix_of(&s[0]);
    p.left = matrix_of(&s[1]);
    p.right = matrix_of(&s[2]);
    if (in->opix == HD_OPIX_VectorTimesMatrix) {
        p.left.columns = p.left.rows;
        p.left.rows = 1;
        r.columns = r.rows;
        r.rows = 1;
    }
    p.size = hd_float_size(
        hd_type_scalar(r.s.type->kind == HD_T_MATRIX ? hd_type_element(r.s.type) : r.s.type));
    if (p.size == 3 || p.left.columns != p.right.rows)
        return hd_eval_unsupported(e, "operands of these types");
    p.fused = hd_arith_fused(e, in, p.size);
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t column = 0; column < p.right.columns; column++)
            for (uint32_t row = 0; row < p.left.rows; row++)
                product(&p, lane, row, column, element(&r, lane, column, row));
    return HD_OK;
}

/* Of a cooperative matrix of integers. */
static void scale_integers(HdEval *e, const HdSlot *r, const HdSlot x[2], uint64_t count)
{
    const uint64_t bytes = hd_type_size(x[1].type);

    for (HD_EACH_LANE(lane, e->mask))
        for (uint64_t i = 0; i < count; i++)
            hd_bits_put(hd_slot_at(r, lane) + i * bytes, bytes,
                        hd_bits_get(hd_slot_at(&x[0], lane) + i * bytes, bytes) *
                            hd_bits_get(hd_slot_at(&x[1], lane), bytes));
}

/* All elements by one number. Words: 1 type, 2 result, 3 matrix, 4 scalar. */
HdStatus hd_eval_matrix_times_scalar(HdEval *e, const HdInst *in)
{
    HD_EVAL_ROUNDED_AS(e, in->w[1]);
    HdSlot r, x[2];
    uint64_t count;
    unsigned size;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, 3, 2, x));
    count = hd_is_cooperative(r.type) ? hd_eval_components(e, r.type)
                                      : hd_type_size(r.type) / hd_type_size(x[1].type);
    if (x[1].type->kind == HD_T_INT) {
        scale_integers(e, &r, x, count);
        return HD_OK;
    }
    size = hd_float_size(x[1].type);
    if (size == 3)
        return hd_eval_unsupported(e, "operands of this type");
    for (HD_EACH_LANE(lane, e->mask))
        for (uint64_t i = 0; i < count; i++) {
            uint64_t at = i * hd_type_size(x[1].type);
            const void *args[3] = {hd_slot_at(&x[0], lane) + at, hd_slot_at(&x[1], lane), NULL};

            times[size](hd_slot_at(&r, lane) + at, args, 1);
        }
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 column, 4 row. */
HdStatus hd_eval_outer_product(HdEval *e, const HdInst *in)
{
    HD_EVAL_ROUNDED_AS(e, in->w[1]);
    Matrix r;
    HdSlot s, x[2];
    unsigned size;

    HD_TRY(hd_eval_result(e, in, &s));
    HD_TRY(hd_eval_operands(e, in, 3, 2, x));
    r = matrix_of(&s);
    size = hd_float_size(hd_type_scalar(x[0].type));
    if (size == 3)
        return hd_eval_unsupported(e, "operands of this type");
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < r.columns; i++)
            for (uint32_t k = 0; k < r.rows; k++) {
                const void *args[3] = {hd_slot_at(&x[0], lane) + k * r.bytes,
                                       hd_slot_at(&x[1], lane) + i * r.bytes, NULL};

                times[size](element(&r, lane, i, k), args, 1);
            }
    return HD_OK;
}
