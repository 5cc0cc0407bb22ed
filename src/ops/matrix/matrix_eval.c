/* ops/matrix/matrix_eval.c -- sub-group matrix products in the interpreter.
 *
 * Each element of A, B and C is fetched from where the specification's mapping puts it. Sums of
 * floats are taken in the order of k, each product added with one rounding to a float; a result of
 * fewer bits is rounded after the last.
 *
 * check.matrix: the matrices are for a sub-group of another size.
 *
 * Spec: SPV_INTEL_subgroup_matrix_multiply_accumulate, "Mapping Matrix Data to Invocations".
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "interp/number.h"
#include "ops/evals.h"
#include "ops/float/bfloat_eval.h"

/* Of the mask; A's bits, to which B's are the next higher ones. */
#define SIGNED  SpvMatrixMultiplyAccumulateOperandsMatrixASignedComponentsINTELMask
#define INT8    SpvMatrixMultiplyAccumulateOperandsMatrixAPackedInt8INTELMask
#define INT4    SpvMatrixMultiplyAccumulateOperandsMatrixAPackedInt4INTELMask
#define TF32    SpvMatrixMultiplyAccumulateOperandsMatrixATF32INTELMask
#define FLOAT16 SpvMatrixMultiplyAccumulateOperandsMatrixAPackedFloat16INTELMask
#define BF16    SpvMatrixMultiplyAccumulateOperandsMatrixAPackedBFloat16INTELMask

typedef struct Matrix {
    HdSlot slot;
    uint32_t mask; /* as A's */
    uint32_t bits; /* of an element */
} Matrix;

static uint32_t bits_of(uint32_t mask)
{
    switch (mask & (INT8 | INT4 | TF32 | FLOAT16 | BF16)) {
    case INT4: return 4;
    case INT8: return 8;
    case FLOAT16:
    case BF16: return 16;
    case TF32: return 32;
    default: return 0;
    }
}

/* Elements that a component holds. */
static uint32_t packed(const Matrix *x)
{
    return hd_type_scalar(x->slot.type)->bits / x->bits;
}

/* Bits of element number i of a lane's. */
static uint32_t element(const Matrix *x, unsigned lane, uint32_t i)
{
    uint64_t bytes = hd_type_size(hd_type_scalar(x->slot.type));
    uint64_t component = hd_bits_get(hd_slot_at(&x->slot, lane) + i / packed(x) * bytes, bytes);

    return (uint32_t)(component >> (i % packed(x) * x->bits) & ((UINT64_C(1) << x->bits) - 1));
}

/* The element at row and column of A: rows go around the lanes, as many columns to each as a
 * component holds. */
static uint32_t element_of_a(const HdEval *e, const Matrix *a, uint32_t depth, uint32_t row,
                             uint32_t column)
{
    uint32_t place = row * (depth / packed(a)) + column / packed(a);

    return element(a, place % e->width, place / e->width * packed(a) + column % packed(a));
}

static float float_of(const Matrix *x, uint32_t bits)
{
    float f;

    if ((x->mask & FLOAT16) != 0)
        return (float)hd_half_to_double((uint16_t)bits);
    if ((x->mask & BF16) != 0)
        return hd_eval_bfloat16_get(bits);
    bits &= ~UINT32_C(0x1fff);
    memcpy(&f, &bits, sizeof f);
    return f;
}

static uint32_t int_of(const Matrix *x, uint32_t bits)
{
    uint32_t sign = UINT32_C(1) << (x->bits - 1);

    return (x->mask & SIGNED) != 0 ? (bits ^ sign) - sign : bits;
}

/* A number of C or the result. */
static float single_at(const HdSlot *s, unsigned lane, uint32_t i)
{
    const HdType *t = hd_type_scalar(s->type);
    const unsigned char *at = hd_slot_at(s, lane) + i * hd_type_size(t);

    return t->kind == HD_T_FLOAT ? (float)hd_float_get(at, hd_type_size(t))
                                 : hd_eval_bfloat16_get((uint32_t)hd_bits_get(at, 2));
}

static void put_single(const HdSlot *s, unsigned lane, uint32_t i, float f)
{
    const HdType *t = hd_type_scalar(s->type);
    unsigned char *at = hd_slot_at(s, lane) + i * hd_type_size(t);
    uint32_t bits;

    memcpy(&bits, &f, sizeof bits);
    if (t->kind == HD_T_FLOAT)
        hd_float_put(at, hd_type_size(t), f);
    else
        hd_bits_put(at, 2, hd_eval_bfloat16_of(bits));
}

static bool is_integral(const Matrix *x)
{
    return (x->mask & (INT8 | INT4)) != 0;
}

/* Numbers as the accumulator and the result have them. */
static bool sums_as(const HdSlot *s, bool integers, bool is_bfloat)
{
    const HdType *t = hd_type_scalar(s->type);

    if (integers)
        return t->kind == HD_T_INT && t->bits == 32;
    if (is_bfloat)
        return t->kind == HD_T_INT && t->bits == 16;
    return t->kind == HD_T_FLOAT && t->bits <= 32 && t->encoding == 0;
}

static bool is_packed_as(const Matrix *x)
{
    const HdType *t = hd_type_scalar(x->slot.type);

    return x->bits != 0 && t->bits >= x->bits && t->bits <= 32 &&
           t->kind == ((x->mask & TF32) != 0 ? HD_T_FLOAT : HD_T_INT);
}

/* Are those matrices any that there are? */
static bool is_known(const Matrix m[2], const HdSlot *c, const HdSlot *r, uint32_t mask,
                     uint64_t depth)
{
    const uint32_t c_bfloat = SpvMatrixMultiplyAccumulateOperandsMatrixCBFloat16INTELMask,
                   result_bfloat = SpvMatrixMultiplyAccumulateOperandsMatrixResultBFloat16INTELMask;
    bool integers = is_integral(&m[0]);

    return is_packed_as(&m[0]) && is_packed_as(&m[1]) &&
           ((m[0].mask ^ m[1].mask) & (INT8 | INT4 | TF32 | FLOAT16 | BF16)) == 0 &&
           sums_as(c, integers, (mask & c_bfloat) != 0) &&
           sums_as(r, integers, (mask & result_bfloat) != 0) &&
           hd_type_lanes(c->type) == hd_type_lanes(r->type) && depth % packed(&m[0]) == 0 &&
           depth == (uint64_t)hd_type_lanes(m[1].slot.type) * packed(&m[1]);
}

/* A has room for M rows of K columns, and no more than it needs. */
static bool fits(const HdEval *e, const Matrix *a, uint32_t rows, uint32_t depth)
{
    uint64_t across = depth / packed(a), parts = hd_type_lanes(a->slot.type);

    if (across > e->width || e->width % across != 0 || (across < e->width && packed(a) > 1))
        return false;
    return parts == (rows * across + e->width - 1) / e->width;
}

/* Words: 1 type, 2 result, 3 K, 4 A, 5 B, 6 C [, 7 mask]. */
HdStatus hd_eval_matrix_accumulate(HdEval *e, const HdInst *in)
{
    uint32_t mask = in->nwords > 7 ? in->w[7] : 0, rows, k_count;
    uint64_t depth;
    Matrix m[2];
    HdSlot c, r;

    HD_TRY(hd_eval_needs_all(e));
    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[6], &c));
    for (unsigned i = 0; i < 2; i++) {
        HD_TRY(hd_eval_use(e, in->w[4 + i], &m[i].slot));
        m[i].mask = mask >> i;
        m[i].bits = bits_of(m[i].mask);
    }
    if (!hd_module_constant_u64(e->m, in->w[3], &depth) || !is_known(m, &c, &r, mask, depth))
        return hd_eval_unsupported(e, "matrices of such dimensions or types");
    rows = hd_type_lanes(r.type);
    k_count = (uint32_t)depth;
    if (!fits(e, &m[0], rows, k_count)) {
        for (HD_EACH_LANE(lane, e->mask))
            memset(hd_slot_at(&r, lane), 0, (size_t)hd_type_size(r.type));
        return hd_eval_defect(e, e->mask, "check.matrix",
                              "require the sub-group size that the shape of matrix A is for",
                              "matrices that are not for sub-groups of %u", (unsigned)e->width);
    }
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < rows; i++) {
            uint32_t whole = is_integral(&m[0])
                                 ? (uint32_t)hd_bits_get(hd_slot_at(&c, lane) + i * UINT64_C(4), 4)
                                 : 0;
            float sum = is_integral(&m[0]) ? 0 : single_at(&c, lane, i);

            for (uint32_t k = 0; k < k_count; k++) {
                uint32_t x = element_of_a(e, &m[0], k_count, i, k), y = element(&m[1], lane, k);

                if (is_integral(&m[0]))
                    whole += int_of(&m[0], x) * int_of(&m[1], y);
                else
                    sum = fmaf(float_of(&m[0], x), float_of(&m[1], y), sum);
            }
            if (is_integral(&m[0]))
                hd_bits_put(hd_slot_at(&r, lane) + i * UINT64_C(4), 4, whole);
            else
                put_single(&r, lane, i, sum);
        }
    return HD_OK;
}
