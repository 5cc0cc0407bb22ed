/* ops/glsl/glsl_build_matrix.c -- GLSL.std.450: determinants and inverses of matrices of two to
 * four columns.
 *
 * A determinant is expanded along its first column; an inverse is the adjugate by the determinant.
 * Both cancel, so halves and floats are computed with the next wider type and rounded at the end.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/glsl/glsl_build.h"

#define MOST 4u

/* Rows and columns of a square matrix that are left. */
typedef struct Minor {
    const HdIrRef *at;
    uint32_t size; /* of the whole matrix */
    uint32_t count;
    uint8_t rows[MOST], columns[MOST];
} Minor;

static Minor whole(const HdIrRef *at, uint32_t size)
{
    Minor m = {.at = at, .size = size, .count = size};

    for (uint32_t i = 0; i < size; i++)
        m.rows[i] = m.columns[i] = (uint8_t)i;
    return m;
}

/* Without a row and a column, by their places in m. */
static Minor without(const Minor *m, uint32_t row, uint32_t column)
{
    Minor r = {.at = m->at, .size = m->size, .count = m->count - 1};

    for (uint32_t i = 0; i < r.count; i++) {
        r.rows[i] = m->rows[i + (i >= row)];
        r.columns[i] = m->columns[i + (i >= column)];
    }
    return r;
}

static HdIrRef op2(HdBuild *b, HdIrOp op, HdIrRef x, HdIrRef y)
{
    return hd_build_op2(b, op, hd_build_type_at(b, x), x, y);
}

static HdIrRef determinant(HdBuild *b, const Minor *m)
{
    HdIrRef sum = 0;

    if (m->count == 1)
        return m->at[m->columns[0] * m->size + m->rows[0]];
    for (uint32_t i = 0; i < m->count; i++) {
        Minor rest = without(m, i, 0);
        HdIrRef term =
            op2(b, HD_IR_FMUL, m->at[m->columns[0] * m->size + m->rows[i]], determinant(b, &rest));

        sum = i == 0 ? term : op2(b, i % 2 != 0 ? HD_IR_FSUB : HD_IR_FADD, sum, term);
    }
    return sum;
}

static HdIrType wider(HdIrType t)
{
    return t == HD_IR_F16 ? HD_IR_F32 : HD_IR_F64;
}

static HdIrRef narrow(HdBuild *b, HdIrRef x, HdIrType t)
{
    return t == HD_IR_F64 ? x : hd_build_op1(b, HD_IR_FPTRUNC, t, x);
}

/* The operand's components, widened; t: their type before. */
static HdStatus square(HdBuild *b, const HdInst *in, HdIrRef wide[MOST * MOST], uint32_t *size,
                       HdIrType *t)
{
    const HdType *type;
    HdBuildValue v;

    HD_TRY(hd_build_type_of(b, in->w[HD_STD_OPERAND], &type));
    HD_TRY(hd_build_use(b, in->w[HD_STD_OPERAND], &v));
    *size = type->count;
    if (type->kind != HD_T_MATRIX || type->count > MOST || v.count != type->count * type->count)
        return hd_build_bad(b, in, "not a square matrix of at most four columns");
    *t = hd_build_type_at(b, v.at[0]);
    for (uint32_t i = 0; i < v.count; i++)
        wide[i] = *t == HD_IR_F64 ? v.at[i] : hd_build_op1(b, HD_IR_FPEXT, wider(*t), v.at[i]);
    return HD_OK;
}

HdStatus hd_glsl_determinant(HdBuild *b, const HdInst *in, unsigned what)
{
    HdIrRef wide[MOST * MOST], r;
    uint32_t size;
    HdIrType t;
    Minor m;

    (void)what;
    HD_TRY(square(b, in, wide, &size, &t));
    m = whole(wide, size);
    r = narrow(b, determinant(b, &m), t);
    return hd_build_bind(b, in->w[2], &r, 1);
}

HdStatus hd_glsl_inverse(HdBuild *b, const HdInst *in, unsigned what)
{
    HdIrRef wide[MOST * MOST], refs[MOST * MOST], by;
    uint32_t size;
    HdIrType t;
    Minor m;

    (void)what;
    HD_TRY(square(b, in, wide, &size, &t));
    m = whole(wide, size);
    by = op2(b, HD_IR_FDIV, hd_glsl_float(b, wider(t), 1), determinant(b, &m));
    for (uint32_t column = 0; column < size; column++)
        for (uint32_t row = 0; row < size; row++) {
            Minor rest = without(&m, column, row); /* transposed */
            HdIrRef x = narrow(b, op2(b, HD_IR_FMUL, determinant(b, &rest), by), t);

            refs[column * size + row] =
                (column + row) % 2 != 0 ? hd_build_op1(b, HD_IR_FNEG, t, x) : x;
        }
    return hd_build_bind(b, in->w[2], refs, size * size);
}
