/* ops/coop/coop_eval.c -- cooperative matrices in the interpreter.
 *
 * Sums of floats are taken in the order of k, each product added with one rounding in the widest
 * type of the matrices, float at least; a result of fewer bits is rounded after the last.
 *
 * check.matrix: a sub-group that is not full has no complete matrices.
 *
 * Spec: SPV_KHR_cooperative_matrix; OpenCL SPIR-V Environment, "cl_khr_cooperative_matrix".
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "interp/shadow.h"
#include "module/decoration.h"
#include "ops/evals.h"
#include "ops/float/bfloat_eval.h"

typedef struct Matrix {
    HdSlot slot;
    const HdType *of;
    uint32_t rows, columns;
    HdSlot shadow; /* `at` is NULL where every bit has a value */
} Matrix;

static HdStatus open_matrix(HdEval *e, const HdSlot *slot, Matrix *m)
{
    if (!hd_is_cooperative(slot->type))
        return hd_eval_unsupported(e, "a cooperative matrix of unknown shape");
    *m = (Matrix){.slot = *slot, .of = hd_type_element(slot->type)};
    hd_type_shape(e->m, slot->type, &m->rows, &m->columns);
    if (e->watch == NULL || !hd_shadow_of(e, slot, &m->shadow))
        m->shadow.at = NULL;
    return HD_OK;
}

static HdStatus open_operand(HdEval *e, HdId id, Matrix *m)
{
    HdSlot slot;

    HD_TRY(hd_eval_use(e, id, &slot));
    return open_matrix(e, &slot, m);
}

/* Who has an element, and where. */
typedef struct Place {
    unsigned lane;
    uint64_t byte;
} Place;

static Place place_of(const HdEval *e, const Matrix *m, uint32_t row, uint32_t column)
{
    uint64_t i = (uint64_t)row * m->columns + column;

    return (Place){(unsigned)(i % e->width), i / e->width * hd_type_size(m->of)};
}

/* Which lanes take part: all of a full sub-group. */
static HdStatus all_take_part(HdEval *e)
{
    uint64_t full = e->width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << e->width) - 1;

    HD_TRY(hd_eval_needs_all(e));
    if (!e->is_checked || e->mask == full)
        return HD_OK;
    return hd_eval_defect(e, e->mask, "check.matrix",
                          "make the work-group's size a multiple of the sub-group's",
                          "a cooperative matrix in a sub-group of %u of %u work-items",
                          (unsigned)__builtin_popcountll(e->mask), (unsigned)e->width);
}

/* ---- loads and stores ---------------------------------------------------------------------- */

typedef struct Memory {
    uint32_t storage;
    uint64_t base, step;
    bool by_columns;
} Memory;

/* An operand that must be the same in all lanes. */
static HdStatus same(HdEval *e, HdId id, const char *what, uint64_t *value)
{
    HdSlot s;

    HD_TRY(hd_eval_needs(e, id, "where a matrix is depends on"));
    HD_TRY(hd_eval_use(e, id, &s));
    *value = hd_bits_get(hd_slot_at(&s, hd_lane_first(e->mask)), hd_type_size(s.type));
    return hd_eval_needs_uniform(e, &s, what);
}

static HdStatus open_memory(HdEval *e, const HdInst *in, unsigned pointer, unsigned layout,
                            Memory *to)
{
    const HdType *p = hd_module_type_of(e->m, in->w[pointer]);
    uint64_t how, stride;

    if (!hd_module_constant_u64(e->m, in->w[layout], &how) ||
        how > SpvCooperativeMatrixLayoutColumnMajorKHR || in->nwords <= layout + 1)
        return hd_eval_unsupported(e, "a cooperative matrix of such a layout");
    HD_TRY(hd_eval_storage(e, in->w[pointer], &to->storage));
    HD_TRY(same(e, in->w[pointer], "a pointer to a matrix", &to->base));
    HD_TRY(same(e, in->w[layout + 1], "a stride of a matrix", &stride));
    e->pointer = in->w[pointer];
    to->by_columns = how == SpvCooperativeMatrixLayoutColumnMajorKHR;
    to->step = stride * (p->is_untyped ? 1 : hd_type_size(hd_type_element(p)));
    return HD_OK;
}

static uint64_t address_of(const Matrix *m, const Memory *memory, uint32_t row, uint32_t column)
{
    uint32_t line = memory->by_columns ? column : row, at = memory->by_columns ? row : column;

    return memory->base + line * memory->step + at * hd_type_size(m->of);
}

/* One element, and which of its bits have no value. */
static HdStatus load(HdEval *e, const Matrix *m, const Memory *memory, uint32_t row,
                     uint32_t column)
{
    Place p = place_of(e, m, row, column);
    uint64_t before = e->spoiled, size = hd_type_size(m->of);

    if ((e->mask >> p.lane & 1) == 0)
        return HD_OK;
    e->spoiled = 0;
    HD_TRY(hd_eval_read(e, p.lane, memory->storage, address_of(m, memory, row, column), size,
                        hd_slot_at(&m->slot, p.lane) + p.byte, size));
    if (m->shadow.at != NULL)
        memset(hd_slot_at(&m->shadow, p.lane) + p.byte, e->spoiled != 0 ? 0xff : 0, (size_t)size);
    e->spoiled = before;
    return HD_OK;
}

static HdStatus store(HdEval *e, const Matrix *m, const Memory *memory, uint32_t row,
                      uint32_t column)
{
    Place p = place_of(e, m, row, column);
    uint64_t size = hd_type_size(m->of);

    if ((e->mask >> p.lane & 1) == 0)
        return HD_OK;
    return hd_eval_write_value(e, p.lane, memory->storage, address_of(m, memory, row, column), size,
                               &m->slot, p.byte, size);
}

/* The shadow of a result is written; whether there is anything in it becomes known. */
static void settle(HdEval *e, const Matrix *m)
{
    if (m->shadow.at != NULL && e->info->result != 0)
        hd_shadow_settle(e, &m->shadow, e->info->result - 1, hd_shadow_origin(e));
}

/* Words: 1 type, 2 result, 3 pointer, 4 layout, 5 stride, 6 … memory operands. */
HdStatus hd_eval_coop_load(HdEval *e, const HdInst *in)
{
    Memory memory;
    HdSlot r;
    Matrix m;

    HD_TRY(all_take_part(e));
    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(open_matrix(e, &r, &m));
    HD_TRY(open_memory(e, in, 3, 4, &memory));
    for (uint32_t row = 0; row < m.rows; row++)
        for (uint32_t column = 0; column < m.columns; column++)
            HD_TRY(load(e, &m, &memory, row, column));
    settle(e, &m);
    return HD_OK;
}

/* A matrix of a work-group: each sub-group has all of it. */
static bool is_of_group(const HdEval *e, const HdType *t)
{
    uint64_t scope;

    return hd_module_constant_u64(e->m, hd_type_words(t)[3], &scope) && scope == SpvScopeWorkgroup;
}

/* Words: 1 pointer, 2 matrix, 3 layout, 4 stride, 5 … memory operands.
 * A work-group stores its matrix once: the first sub-group does. */
HdStatus hd_eval_coop_store(HdEval *e, const HdInst *in)
{
    Memory memory;
    Matrix m;

    HD_TRY(all_take_part(e));
    HD_TRY(open_operand(e, in->w[2], &m));
    HD_TRY(open_memory(e, in, 1, 3, &memory));
    if (e->first != 0 && is_of_group(e, m.slot.type))
        return HD_OK;
    for (uint32_t row = 0; row < m.rows; row++)
        for (uint32_t column = 0; column < m.columns; column++)
            HD_TRY(store(e, &m, &memory, row, column));
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 matrix type. */
HdStatus hd_eval_coop_length(HdEval *e, const HdInst *in)
{
    const HdType *t = hd_module_type(e->m, in->w[3]);
    HdSlot r;

    HD_TRY(hd_eval_result(e, in, &r));
    if (t == NULL || !hd_is_cooperative(t))
        return hd_eval_unsupported(e, "a cooperative matrix of unknown shape");
    for (HD_EACH_LANE(lane, e->mask))
        hd_bits_put(hd_slot_at(&r, lane), hd_type_size(r.type), hd_type_components(t, e->width));
    return HD_OK;
}

/* ---- products ------------------------------------------------------------------------------ */

static const void *element(const HdEval *e, const Matrix *m, uint32_t row, uint32_t column)
{
    Place p = place_of(e, m, row, column);

    return hd_slot_at(&m->slot, p.lane) + p.byte;
}

static double float_of(const HdEval *e, const Matrix *m, uint32_t row, uint32_t column)
{
    const void *at = element(e, m, row, column);

    return hd_is_bfloat16(m->of) ? (double)hd_eval_bfloat16_get((uint32_t)hd_bits_get(at, 2))
                                 : hd_float_get(at, hd_type_size(m->of));
}

static uint64_t integer_of(const HdEval *e, const Matrix *m, uint32_t row, uint32_t column,
                           bool is_signed)
{
    const void *at = element(e, m, row, column);

    return is_signed ? (uint64_t)hd_int_get(at, hd_type_size(m->of))
                     : hd_bits_get(at, hd_type_size(m->of));
}

typedef struct Product {
    Matrix a, b, c, r;
    uint32_t mask;
    bool is_double; /* of floats: what sums are taken in */
} Product;

static void put_float(const HdEval *e, const Matrix *m, uint32_t row, uint32_t column, double x)
{
    Place p = place_of(e, m, row, column);
    unsigned char *at = hd_slot_at(&m->slot, p.lane) + p.byte;
    float single = (float)x;
    uint32_t bits;

    memcpy(&bits, &single, sizeof bits);
    if (hd_is_bfloat16(m->of))
        hd_bits_put(at, 2, hd_eval_bfloat16_of(bits));
    else
        hd_float_put(at, hd_type_size(m->of), x);
}

static double sum_of_floats(const HdEval *e, const Product *p, uint32_t row, uint32_t column)
{
    double sum = float_of(e, &p->c, row, column);

    for (uint32_t k = 0; k < p->a.columns; k++) {
        double x = float_of(e, &p->a, row, k), y = float_of(e, &p->b, k, column);

        sum = p->is_double ? fma(x, y, sum) : (double)fmaf((float)x, (float)y, (float)sum);
    }
    return sum;
}

/* x + y as numbers of so many bits, at most the largest and at least the smallest. */
static uint64_t saturated(uint64_t x, uint64_t y, unsigned bits, bool is_signed)
{
    __extension__ typedef __int128 Exact;
    unsigned spare = 64 - bits;
    Exact a = is_signed ? (int64_t)(x << spare) >> spare : (Exact)(x << spare >> spare);
    Exact b = is_signed ? (int64_t)(y << spare) >> spare : (Exact)(y << spare >> spare);
    Exact one = 1, least = is_signed ? -(one << (bits - 1)) : 0;
    Exact most = (one << (is_signed ? bits - 1 : bits)) - 1;

    a += b;
    return (uint64_t)(a < least ? least : a > most ? most : a);
}

static uint64_t sum_of_integers(const HdEval *e, const Product *p, uint32_t row, uint32_t column)
{
    bool a = (p->mask & SpvCooperativeMatrixOperandsMatrixASignedComponentsKHRMask) != 0;
    bool b = (p->mask & SpvCooperativeMatrixOperandsMatrixBSignedComponentsKHRMask) != 0;
    bool c = (p->mask & SpvCooperativeMatrixOperandsMatrixCSignedComponentsKHRMask) != 0;
    bool r = (p->mask & SpvCooperativeMatrixOperandsMatrixResultSignedComponentsKHRMask) != 0;
    uint64_t sum = 0, more = integer_of(e, &p->c, row, column, c);

    for (uint32_t k = 0; k < p->a.columns; k++)
        sum += integer_of(e, &p->a, row, k, a) * integer_of(e, &p->b, k, column, b);
    if ((p->mask & SpvCooperativeMatrixOperandsSaturatingAccumulationKHRMask) != 0)
        return saturated(sum, more, p->r.of->bits, r);
    return sum + more;
}

static bool lacks_value(const HdEval *e, const Matrix *m, uint32_t row, uint32_t column)
{
    Place p = place_of(e, m, row, column);

    return m->shadow.at != NULL &&
           hd_bits_get(hd_slot_at(&m->shadow, p.lane) + p.byte, hd_type_size(m->of)) != 0;
}

/* An element has no value if one of those that it is made of has none. */
static void put_shadow(const HdEval *e, const Product *p, uint32_t row, uint32_t column)
{
    Place at = place_of(e, &p->r, row, column);
    bool lacks = lacks_value(e, &p->c, row, column);

    for (uint32_t k = 0; k < p->a.columns; k++)
        lacks = lacks || lacks_value(e, &p->a, row, k) || lacks_value(e, &p->b, k, column);
    memset(hd_slot_at(&p->r.shadow, at.lane) + at.byte, lacks ? 0xff : 0,
           (size_t)hd_type_size(p->r.of));
}

static HdStatus open_product(HdEval *e, const HdInst *in, Product *p)
{
    const Matrix *all[4] = {&p->a, &p->b, &p->c, &p->r};
    HdSlot r;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(open_matrix(e, &r, &p->r));
    HD_TRY(open_operand(e, in->w[3], &p->a));
    HD_TRY(open_operand(e, in->w[4], &p->b));
    HD_TRY(open_operand(e, in->w[5], &p->c));
    p->mask = in->nwords > 6 ? in->w[6] : 0;
    for (unsigned i = 0; i < 4; i++) {
        if (all[i]->of->kind != p->r.of->kind)
            return hd_eval_unsupported(e, "a product of floats and integers");
        p->is_double = p->is_double || all[i]->of->bits == 64;
    }
    if (p->a.columns != p->b.rows || p->a.rows != p->r.rows || p->b.columns != p->r.columns ||
        p->c.rows != p->r.rows || p->c.columns != p->r.columns)
        return hd_eval_unsupported(e, "matrices whose shapes do not go together");
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 A, 4 B, 5 C [, 6 operands]. */
HdStatus hd_eval_coop_mul_add(HdEval *e, const HdInst *in)
{
    Product p = {0};

    HD_TRY(all_take_part(e));
    HD_TRY(open_product(e, in, &p));
    for (uint32_t row = 0; row < p.r.rows; row++)
        for (uint32_t column = 0; column < p.r.columns; column++) {
            Place at = place_of(e, &p.r, row, column);

            if ((e->mask >> at.lane & 1) == 0)
                continue;
            if (p.r.of->kind == HD_T_FLOAT)
                put_float(e, &p.r, row, column, sum_of_floats(e, &p, row, column));
            else
                hd_bits_put(hd_slot_at(&p.r.slot, at.lane) + at.byte, hd_type_size(p.r.of),
                            sum_of_integers(e, &p, row, column));
            if (p.r.shadow.at != NULL)
                put_shadow(e, &p, row, column);
        }
    settle(e, &p.r);
    return HD_OK;
}

/* ---- uses and coordinates ------------------------------------------------------------------ */

/* OpCooperativeMatrixConvertUseEXT, OpCooperativeMatrixTransposeNV.
 * Words: 1 type, 2 result, 3 matrix. */
HdStatus hd_eval_coop_move(HdEval *e, const HdInst *in)
{
    const bool transposed =
        in->opix == HD_OPIX_CooperativeMatrixTransposeNV ||
        hd_module_decoration(e->m, in->w[2], SpvDecorationCooperativeMatrixTransposeEXT) != NULL;
    Matrix m, from;
    HdSlot r;

    HD_TRY(all_take_part(e));
    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(open_matrix(e, &r, &m));
    HD_TRY(open_operand(e, in->w[3], &from));
    if (m.rows * m.columns != from.rows * from.columns ||
        hd_type_size(m.of) != hd_type_size(from.of))
        return hd_eval_unsupported(e, "matrices of other shapes or components");
    for (uint32_t row = 0; row < m.rows; row++)
        for (uint32_t column = 0; column < m.columns; column++) {
            Place to = place_of(e, &m, row, column);
            const void *x =
                transposed ? element(e, &from, column, row) : element(e, &from, row, column);

            if ((e->mask >> to.lane & 1) == 0)
                continue;
            memcpy(hd_slot_at(&m.slot, to.lane) + to.byte, x, (size_t)hd_type_size(m.of));
            if (m.shadow.at != NULL)
                memset(hd_slot_at(&m.shadow, to.lane) + to.byte,
                       lacks_value(e, &from, transposed ? column : row, transposed ? row : column)
                           ? 0xff
                           : 0,
                       (size_t)hd_type_size(m.of));
        }
    settle(e, &m);
    return HD_OK;
}

/* Row and column of a component; behind the last one, that one's.
 * Words: 1 type, 2 result, 3 matrix, 4 index. */
HdStatus hd_eval_coop_coordinate(HdEval *e, const HdInst *in)
{
    HdSlot r, index;
    Matrix m;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(open_operand(e, in->w[3], &m));
    HD_TRY(hd_eval_use(e, in->w[4], &index));
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t at = hd_bits_get(hd_slot_at(&index, lane), 4) * e->width + lane;

        at = at < m.slot.type->count ? at : m.slot.type->count - 1;
        hd_bits_put(hd_slot_at(&r, lane), 4, at / m.columns);
        hd_bits_put(hd_slot_at(&r, lane) + 4, 4, at % m.columns);
    }
    return HD_OK;
}
