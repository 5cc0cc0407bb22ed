/* ops/coop/coop_build.c -- cooperative matrices to lane IR.
 *
 * Element i of a matrix, counted along rows, is component i / W of lane i % W (module/type.h), so
 * components are the matrix in memory, row by row: a product is one operation of lane IR, and code
 * for it a loop (codegen/product.c). Rows of bytes are multiplied four elements at a time.
 *
 * Beyond the last element, lanes have a copy of it, and write that copy to its place: no access
 * needs a mask.
 *
 * Spec: SPV_KHR_cooperative_matrix.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "module/decoration.h"
#include "ops/build_fns.h"
#include "ops/coop/coop_build.h"
#include "ops/float/bfloat_build.h"
#include "ops/matrix/bytes_build.h"
#include "ops/subgroup/collective_build.h"

/* Components of the matrices that a product is made of. */
#define MOST_COMPONENTS 16384u

typedef struct Matrix {
    const HdType *type;
    uint32_t rows, columns;
    uint32_t count; /* components */
    HdIrType of;
    HdIrRef *at; /* [count] */
} Matrix;

static HdStatus open_type(HdBuild *b, const HdInst *in, const HdType *t, Matrix *m)
{
    const HdBuildFlat *flat;

    if (!hd_is_cooperative(t))
        return hd_build_bad(b, in, "not a cooperative matrix of a known shape");
    HD_TRY(hd_build_flatten(b, t, &flat));
    *m = (Matrix){.type = t, .count = flat->count, .of = flat->types[0]};
    hd_type_shape(b->m, t, &m->rows, &m->columns);
    return HD_OK;
}

static HdStatus open_result(HdBuild *b, const HdInst *in, Matrix *m)
{
    const HdType *t;

    HD_TRY(hd_build_type(b, in->w[1], &t));
    HD_TRY(open_type(b, in, t, m));
    return hd_build_room(b, m->count, &m->at);
}

static HdStatus open_operand(HdBuild *b, const HdInst *in, unsigned word, Matrix *m)
{
    const HdType *t;
    HdBuildValue v;

    HD_TRY(hd_build_type_of(b, in->w[word], &t));
    HD_TRY(open_type(b, in, t, m));
    HD_TRY(hd_build_use(b, in->w[word], &v));
    m->at = v.at;
    return v.count == m->count ? HD_OK : HD_BUG;
}

static HdIrRef number(HdBuild *b, uint32_t x)
{
    return hd_build_const(b, HD_IR_I32, x);
}

static HdIrRef lane_number(HdBuild *b)
{
    return hd_build_lanes(b) == 1 ? number(b, 0) : hd_build_id(b, HD_BUILTIN_SUBGROUP_LOCAL_ID, 0);
}

static HdIrRef binary(HdBuild *b, HdIrOp op, HdIrRef x, HdIrRef y)
{
    return hd_build_op2(b, op, HD_IR_I32, x, y);
}

/* Is component i part of one row in all lanes? */
static bool are_rows_whole(const HdBuild *b, const Matrix *m)
{
    return m->columns % hd_build_lanes(b) == 0;
}

/* The last lanes have no element of the last component. */
static bool is_short(const HdBuild *b, const Matrix *m, uint32_t i)
{
    return (uint64_t)(i + 1) * hd_build_lanes(b) > m->type->count;
}

/* Number of the lane's component i, at most that of the last element. */
static HdIrRef element_number(HdBuild *b, const Matrix *m, uint32_t i)
{
    HdIrRef at = binary(b, HD_IR_ADD, lane_number(b), number(b, i * hd_build_lanes(b)));

    return is_short(b, m, i) ? binary(b, HD_IR_UMIN, at, number(b, m->type->count - 1)) : at;
}

/* Row and column of the lane's component i. */
static void place_of(HdBuild *b, const Matrix *m, uint32_t i, HdIrRef *row, HdIrRef *column)
{
    HdIrRef at;

    if (are_rows_whole(b, m)) {
        at = number(b, i * hd_build_lanes(b) % m->columns);
        *row = number(b, i * hd_build_lanes(b) / m->columns);
        *column = binary(b, HD_IR_ADD, lane_number(b), at);
        return;
    }
    at = element_number(b, m, i);
    *row = binary(b, HD_IR_UDIV, at, number(b, m->columns));
    *column = binary(b, HD_IR_UREM, at, number(b, m->columns));
}

/* A value of another lane. */
static HdIrRef from_lane(HdBuild *b, HdIrCollective how, HdIrRef x, HdIrRef lane)
{
    const HdIrRef args[2] = {x, lane};

    return hd_build_lanes(b) == 1 ? x
                                  : hd_build_collective(b, how, hd_build_type_at(b, x), 0, args, 2);
}

/* ---- loads and stores -------------------------------------------------------------------- */

/* Where a matrix is in memory. */
typedef struct Memory {
    HdBuildAccess how;
    HdIrRef base, step; /* bytes from a row, or column, to the next: I64 */
    bool by_columns;
} Memory;

/* Words: pointer; at `layout`: memory layout, stride, memory operands. */
static HdStatus open_memory(HdBuild *b, const HdInst *in, unsigned pointer, unsigned layout,
                            Memory *to)
{
    const HdType *p;
    uint64_t how;
    unsigned next;
    HdIrRef stride;

    HD_TRY(hd_build_type_of(b, in->w[pointer], &p));
    if (!hd_module_constant_u64(b->m, in->w[layout], &how) ||
        (how != SpvCooperativeMatrixLayoutRowMajorKHR &&
         how != SpvCooperativeMatrixLayoutColumnMajorKHR))
        return hd_build_unsupported(b, in, "a matrix of such a layout");
    if (in->nwords <= layout + 1)
        return hd_build_bad(b, in, "no stride");
    to->by_columns = how == SpvCooperativeMatrixLayoutColumnMajorKHR;
    HD_TRY(hd_build_access(b, in, layout + 2, in->w[pointer], &to->how, &next));
    to->how.align = 0; /* that of the pointer, which says nothing of its neighbours */
    HD_TRY(hd_build_use1(b, in->w[pointer], &to->base));
    HD_TRY(hd_build_use1(b, in->w[layout + 1], &stride));
    stride = hd_build_resize(b, stride, HD_IR_I64, false);
    to->step = p->is_untyped
                   ? stride
                   : hd_build_op2(b, HD_IR_MUL, HD_IR_I64, stride,
                                  hd_build_const(b, HD_IR_I64, hd_type_size(hd_type_element(p))));
    return HD_OK;
}

static HdIrRef advance(HdBuild *b, HdIrRef address, HdIrRef n, HdIrRef bytes)
{
    HdIrRef distance =
        hd_build_op2(b, HD_IR_MUL, HD_IR_I64, hd_build_resize(b, n, HD_IR_I64, false), bytes);

    return hd_build_op2(b, HD_IR_PTRADD, HD_IR_PTR, address, distance);
}

static HdIrRef address_of(HdBuild *b, const Matrix *m, const Memory *memory, uint32_t i)
{
    HdIrRef row, column, line;

    place_of(b, m, i, &row, &column);
    line = advance(b, memory->base, memory->by_columns ? column : row, memory->step);
    return advance(b, line, memory->by_columns ? row : column,
                   hd_build_const(b, HD_IR_I64, hd_ir_type_bytes(m->of)));
}

/* Words: 1 type, 2 result, 3 pointer, 4 layout, 5 stride, 6 … memory operands. */
HdStatus hd_build_coop_load(HdBuild *b, const HdInst *in)
{
    Memory memory;
    Matrix m;

    HD_TRY(open_result(b, in, &m));
    HD_TRY(open_memory(b, in, 3, 4, &memory));
    for (uint32_t i = 0; i < m.count; i++)
        m.at[i] = hd_build_load1(b, address_of(b, &m, &memory, i), 0, m.of, &memory.how);
    return hd_build_bind(b, in->w[2], m.at, m.count);
}

/* Words: 1 pointer, 2 matrix, 3 layout, 4 stride, 5 … memory operands. */
HdStatus hd_build_coop_store(HdBuild *b, const HdInst *in)
{
    Memory memory;
    Matrix m;

    HD_TRY(open_operand(b, in, 2, &m));
    HD_TRY(open_memory(b, in, 1, 3, &memory));
    for (uint32_t i = 0; i < m.count; i++) {
        HdIrRef x = m.at[i];

        if (is_short(b, &m, i)) {
            HdIrRef last = number(b, (m.type->count - 1) % hd_build_lanes(b));
            HdIrRef beyond = hd_build_icmp(b, HD_IR_UGT, lane_number(b), last);

            x = hd_build_select(b, m.of, beyond, from_lane(b, HD_COLL_BROADCAST, x, last), x);
        }
        hd_build_store1(b, address_of(b, &m, &memory, i), 0, x, &memory.how);
    }
    return b->ir->failed ? HD_NO_MEMORY : HD_OK;
}

/* Words: 1 type, 2 result, 3 matrix type. */
HdStatus hd_build_coop_length(HdBuild *b, const HdInst *in)
{
    HdIrRef length;
    const HdType *t;
    Matrix m;

    HD_TRY(hd_build_type(b, in->w[3], &t));
    HD_TRY(open_type(b, in, t, &m));
    length = number(b, m.count);
    return hd_build_bind(b, in->w[2], &length, 1);
}

/* ---- products ---------------------------------------------------------------------------- */

typedef struct Product {
    Matrix a, b, c, result;
    HdIrType sum; /* what is computed in */
    uint32_t mask;
    unsigned how; /* HdIrInst.sub */
} Product;

static bool is_bfloat(const Matrix *m)
{
    return hd_is_bfloat16(hd_type_element(m->type));
}

static bool is_signed_as(const Product *p, uint32_t sign_bit)
{
    return (p->mask & sign_bit) != 0;
}

/* A component in the type that is computed in. */
static HdIrRef widen(HdBuild *b, const Product *p, const Matrix *m, uint32_t sign_bit, HdIrRef x)
{
    if (!hd_ir_is_float(p->sum))
        return hd_build_resize(b, x, p->sum, is_signed_as(p, sign_bit));
    if (is_bfloat(m))
        x = hd_build_from_bfloat16(b, x);
    return hd_build_type_at(b, x) == p->sum ? x : hd_build_op1(b, HD_IR_FPEXT, p->sum, x);
}

static HdStatus widen_all(HdBuild *b, const Product *p, Matrix *m, uint32_t sign_bit)
{
    HdIrRef *at;

    HD_TRY(hd_build_room(b, m->count, &at));
    for (uint32_t i = 0; i < m->count; i++)
        at[i] = widen(b, p, m, sign_bit, m->at[i]);
    m->at = at;
    return HD_OK;
}

/* Are the bytes of four rows of B the lane's, to be summed up as integers? */
static bool can_be_words(const HdBuild *b, const Product *p)
{
    return p->sum == HD_IR_I32 && p->a.of == HD_IR_I8 && p->b.of == HD_IR_I8 &&
           p->a.columns % 4 == 0 && are_rows_whole(b, &p->result);
}

/* Word j of the lane's column in part c of B's rows. */
static HdIrRef word_of(HdBuild *b, const Product *p, uint32_t j, uint32_t c)
{
    uint32_t parts = p->b.columns / hd_build_lanes(b);
    HdIrRef word = 0;

    for (uint32_t i = 0; i < 4; i++) {
        HdIrRef x = hd_build_resize(b, p->b.at[(4 * j + i) * parts + c], HD_IR_I32, false);

        if (i != 0)
            x = binary(b, HD_IR_SHL, x, number(b, 8 * i));
        word = i == 0 ? x : binary(b, HD_IR_OR, word, x);
    }
    return word;
}

/* B as words of four rows' bytes, A as such words' bytes, and what makes up for that in C. */
static HdStatus make_words(HdBuild *b, Product *p)
{
    const uint32_t parts = p->b.columns / hd_build_lanes(b), words = p->a.columns / 4;
    const HdByteProduct how = hd_build_byte_product(
        is_signed_as(p, SpvCooperativeMatrixOperandsMatrixASignedComponentsKHRMask),
        is_signed_as(p, SpvCooperativeMatrixOperandsMatrixBSignedComponentsKHRMask), false);
    HdIrRef *left, *right, *column;

    HD_TRY(hd_build_room(b, p->a.count, &left));
    HD_TRY(hd_build_room(b, words * parts, &right));
    HD_TRY(hd_build_room(b, words, &column));
    for (uint32_t i = 0; i < p->a.count; i++)
        left[i] = hd_build_byte_left(b, &how, p->a.at[i]);
    for (uint32_t c = 0; c < parts; c++) {
        HdIrRef start;

        for (uint32_t j = 0; j < words; j++)
            right[j * parts + c] = column[j] = word_of(b, p, j, c);
        start = hd_build_byte_start(b, &how, column, words);
        for (uint32_t r = 0; r < p->a.rows; r++)
            p->result.at[r * parts + c] = binary(b, HD_IR_ADD, p->result.at[r * parts + c], start);
    }
    p->how = HD_IR_PRODUCT_BYTES | how.dot;
    p->a.at = left;
    p->b.at = right;
    p->b.count = words * parts;
    return HD_OK;
}

/* Sums become those of the product. */
static HdStatus multiply(HdBuild *b, Product *p)
{
    const uint32_t count = p->a.count + p->b.count + p->result.count;
    HdIrRef *args, first;

    HD_TRY(hd_build_room(b, count, &args));
    memcpy(args, p->a.at, p->a.count * sizeof *args);
    memcpy(args + p->a.count, p->b.at, p->b.count * sizeof *args);
    memcpy(args + p->a.count + p->b.count, p->result.at, p->result.count * sizeof *args);
    first = hd_ir_emit_sub(b->fn, b->block, HD_IR_PRODUCT, p->sum, p->how,
                           HD_IR_SHAPES(p->a.rows, p->a.columns, p->result.columns), args, count);
    p->result.at[0] = first;
    for (uint32_t i = 1; i < p->result.count; i++)
        p->result.at[i] = hd_ir_emit_sub(b->fn, b->block, HD_IR_PART, p->sum, 0, i, &first, 1);
    return b->ir->failed ? HD_NO_MEMORY : HD_OK;
}

/* Element number `at`, which is first … last in all lanes. */
static HdIrRef fetch(HdBuild *b, const Matrix *m, HdIrRef at, uint32_t first, uint32_t last)
{
    const uint32_t lanes = hd_build_lanes(b);
    HdIrRef part = binary(b, HD_IR_UDIV, at, number(b, lanes)), x;

    at = binary(b, HD_IR_UREM, at, number(b, lanes));
    x = from_lane(b, HD_COLL_SHUFFLE, m->at[first / lanes], at);
    for (uint32_t i = first / lanes + 1; i <= last / lanes; i++) {
        HdIrRef y = from_lane(b, HD_COLL_SHUFFLE, m->at[i], at);

        x = hd_build_select(b, hd_build_type_at(b, x),
                            hd_build_icmp(b, HD_IR_EQ, part, number(b, i)), y, x);
    }
    return x;
}

/* Do rows become columns? */
static bool is_transposed(const HdBuild *b, const HdInst *in)
{
    return in->opix == HD_OPIX_CooperativeMatrixTransposeNV ||
           hd_module_decoration(b->m, in->w[2], SpvDecorationCooperativeMatrixTransposeEXT) != NULL;
}

/* Element (row, column) of m is (column, row) of the other. */
static void turn(HdBuild *b, const Matrix *from, Matrix *m)
{
    for (uint32_t i = 0; i < m->count; i++) {
        HdIrRef row, column;

        place_of(b, m, i, &row, &column);
        column = binary(b, HD_IR_MUL, column, number(b, from->columns));
        m->at[i] = fetch(b, from, binary(b, HD_IR_ADD, column, row), 0, from->type->count - 1);
    }
}

HdStatus hd_build_coop_turn(HdBuild *b, const HdType *from, const HdType *t, HdIrRef *refs,
                            uint32_t count)
{
    Matrix old = {.type = from, .count = count, .of = hd_build_type_at(b, refs[0]), .at = refs};
    Matrix m = {.type = t, .count = count, .of = old.of};

    hd_type_shape(b->m, from, &old.rows, &old.columns);
    hd_type_shape(b->m, t, &m.rows, &m.columns);
    HD_TRY(hd_build_room(b, count, &m.at));
    turn(b, &old, &m);
    memcpy(refs, m.at, count * sizeof *refs);
    return HD_OK;
}

/* To a matrix of another use, which lies in lanes as any other: OpCooperativeMatrixConvertUseEXT,
 * OpCooperativeMatrixTransposeNV. Words: 1 type, 2 result, 3 matrix. */
HdStatus hd_build_coop_move(HdBuild *b, const HdInst *in)
{
    bool transposed = is_transposed(b, in);
    Matrix m, from;

    HD_TRY(open_result(b, in, &m));
    HD_TRY(open_operand(b, in, 3, &from));
    if (m.type->count != from.type->count || m.of != from.of)
        return hd_build_bad(b, in, "the matrices have other shapes or components");
    if (transposed)
        turn(b, &from, &m);
    else
        memcpy(m.at, from.at, m.count * sizeof *m.at);
    return hd_build_bind(b, in->w[2], m.at, m.count);
}

/* Row and column of the lane's component of that number.
 * Words: 1 type, 2 result, 3 matrix, 4 index. */
HdStatus hd_build_coop_coordinate(HdBuild *b, const HdInst *in)
{
    HdIrRef at, place[2];
    Matrix m;

    HD_TRY(open_operand(b, in, 3, &m));
    HD_TRY(hd_build_use1(b, in->w[4], &at));
    at = binary(b, HD_IR_MUL, at, number(b, hd_build_lanes(b)));
    at = binary(b, HD_IR_ADD, at, lane_number(b));
    at = binary(b, HD_IR_UMIN, at, number(b, m.type->count - 1));
    place[0] = binary(b, HD_IR_UDIV, at, number(b, m.columns));
    place[1] = binary(b, HD_IR_UREM, at, number(b, m.columns));
    return hd_build_bind(b, in->w[2], place, 2);
}

static HdIrType wider(HdIrType x, HdIrType y)
{
    return hd_ir_type_bits(x) >= hd_ir_type_bits(y) ? x : y;
}

/* Integers are computed with in the result's type; floats in the widest, of 32 bits at least. */
static HdStatus choose_sum(HdBuild *b, const HdInst *in, Product *p)
{
    const Matrix *all[4] = {&p->result, &p->a, &p->b, &p->c};
    bool floats = hd_type_element(p->result.type)->kind == HD_T_FLOAT;

    p->sum = floats ? HD_IR_F32 : p->result.of;
    for (unsigned i = 0; i < 4; i++) {
        if ((hd_type_element(all[i]->type)->kind == HD_T_FLOAT) != floats)
            return hd_build_unsupported(b, in, "a product of floats and integers");
        if (floats && !is_bfloat(all[i]))
            p->sum = wider(p->sum, all[i]->of);
    }
    return HD_OK;
}

static HdStatus open_product(HdBuild *b, const HdInst *in, Product *p)
{
    p->mask = in->nwords > 6 ? in->w[6] : 0;
    HD_TRY(open_result(b, in, &p->result));
    HD_TRY(open_operand(b, in, 3, &p->a));
    HD_TRY(open_operand(b, in, 4, &p->b));
    HD_TRY(open_operand(b, in, 5, &p->c));
    if (p->a.columns != p->b.rows || p->a.rows != p->result.rows ||
        p->b.columns != p->result.columns || p->c.rows != p->result.rows ||
        p->c.columns != p->result.columns)
        return hd_build_bad(b, in, "shapes do not go together");
    if (p->a.count + p->b.count + p->result.count > MOST_COMPONENTS)
        return hd_build_unsupported(b, in, "a product of matrices of such a size");
    HD_TRY(choose_sum(b, in, p));
    HD_TRY(widen_all(b, p, &p->c, SpvCooperativeMatrixOperandsMatrixCSignedComponentsKHRMask));
    if (can_be_words(b, p))
        return HD_OK;
    HD_TRY(widen_all(b, p, &p->a, SpvCooperativeMatrixOperandsMatrixASignedComponentsKHRMask));
    return widen_all(b, p, &p->b, SpvCooperativeMatrixOperandsMatrixBSignedComponentsKHRMask);
}

/* Is C added at the end, the only addition that saturates? */
static bool saturates(const Product *p)
{
    return (p->mask & SpvCooperativeMatrixOperandsSaturatingAccumulationKHRMask) != 0 &&
           !hd_ir_is_float(p->sum);
}

static HdIrRef finish(HdBuild *b, const Product *p, HdIrRef x, HdIrRef c)
{
    bool is_signed =
        is_signed_as(p, SpvCooperativeMatrixOperandsMatrixResultSignedComponentsKHRMask);

    if (saturates(p))
        return hd_build_op2(b, is_signed ? HD_IR_SADDSAT : HD_IR_UADDSAT, p->sum, x, c);
    if (is_bfloat(&p->result)) {
        if (p->sum != HD_IR_F32)
            x = hd_build_op1(b, HD_IR_FPTRUNC, HD_IR_F32, x);
        return hd_build_to_bfloat16(b, x);
    }
    return p->sum == p->result.of ? x : hd_build_op1(b, HD_IR_FPTRUNC, p->result.of, x);
}

/* Words: 1 type, 2 result, 3 A, 4 B, 5 C [, 6 operands]. */
HdStatus hd_build_coop_mul_add(HdBuild *b, const HdInst *in)
{
    Product p = {0};

    HD_TRY(open_product(b, in, &p));
    for (uint32_t i = 0; i < p.result.count; i++)
        p.result.at[i] = saturates(&p) ? hd_build_const(b, p.sum, 0) : p.c.at[i];
    if (can_be_words(b, &p))
        HD_TRY(make_words(b, &p));
    HD_TRY(multiply(b, &p));
    for (uint32_t i = 0; i < p.result.count; i++)
        p.result.at[i] = finish(b, &p, p.result.at[i], p.c.at[i]);
    return hd_build_bind(b, in->w[2], p.result.at, p.result.count);
}
