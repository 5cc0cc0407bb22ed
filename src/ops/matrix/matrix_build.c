/* ops/matrix/matrix_build.c -- sub-group matrix products to lane IR.
 *
 * A has M rows and K columns, B has K rows and N columns, C and the result M rows and N columns; N
 * is the size of the sub-group. Each lane has a column of B, C and the result; the columns of A are
 * distributed over the lanes. So a row of A is broadcast lane by lane, one word or number after
 * another, and each lane multiplies it by its own column: bytes four at a time (DOT4), floats as a
 * chain of FMAs in the order of k, which the interpreter follows.
 *
 * N is not known here: it follows from the shape of A. In a sub-group of another size the
 * instruction is undefined.
 *
 * Spec: SPV_INTEL_subgroup_matrix_multiply_accumulate, "Mapping Matrix Data to Invocations".
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "ops/build_fns.h"
#include "ops/float/bfloat_build.h"
#include "ops/matrix/bytes_build.h"
#include "ops/subgroup/collective_build.h"

enum { RESULT_BFLOAT = 8, C_BFLOAT = 4 }; /* of the instruction's mask */

/* What the mask says of A; of B it is the same, one bit higher. */
enum {
    IS_SIGNED = 1 << 0,
    BYTES = 1 << 4,
    NIBBLES = 1 << 6,
    TENSORS = 1 << 8,
    HALVES = 1 << 10,
    BFLOATS = 1 << 12,
    ELEMENTS = BYTES | NIBBLES | TENSORS | HALVES | BFLOATS
};

typedef struct Side {
    HdBuildValue v;
    uint32_t elements; /* one of BYTES … */
    bool is_signed;
    uint32_t bits; /* of a component */
    uint32_t pack; /* elements of a component */
} Side;

typedef struct Product {
    uint32_t rows, depth; /* M, K */
    Side a, b;
    HdIrRef *sums; /* [rows] C, then the result */
} Product;

static uint32_t element_bits(uint32_t elements)
{
    switch (elements) {
    case NIBBLES: return 4;
    case BYTES: return 8;
    case HALVES:
    case BFLOATS: return 16;
    case TENSORS: return 32;
    default: return 0;
    }
}

static HdStatus open_side(HdBuild *b, const HdInst *in, unsigned at, uint32_t mask, Side *out)
{
    HdIrType t;

    HD_TRY(hd_build_use(b, in->w[at], &out->v));
    t = hd_build_type_at(b, out->v.at[0]);
    out->elements = mask & ELEMENTS;
    out->is_signed = (mask & IS_SIGNED) != 0;
    out->bits = hd_ir_type_bits(t);
    if (element_bits(out->elements) == 0 || out->bits < element_bits(out->elements) ||
        out->bits > 32 || hd_ir_is_float(t) != (out->elements == TENSORS))
        return hd_build_unsupported(b, in, "a matrix of such elements");
    out->pack = out->bits / element_bits(out->elements);
    return HD_OK;
}

static HdStatus open_product(HdBuild *b, const HdInst *in, uint32_t mask, Product *p)
{
    HdBuildValue c;
    uint64_t depth;

    HD_TRY(hd_build_use(b, in->w[6], &c));
    HD_TRY(open_side(b, in, 4, mask, &p->a));
    HD_TRY(open_side(b, in, 5, mask >> 1, &p->b));
    HD_TRY(hd_build_room(b, c.count, &p->sums));
    memcpy(p->sums, c.at, c.count * sizeof *c.at);
    p->rows = c.count;
    if (!hd_module_constant_u64(b->m, in->w[3], &depth) || p->a.elements != p->b.elements ||
        depth != (uint64_t)p->b.v.count * p->b.pack || depth % p->a.pack != 0)
        return hd_build_unsupported(b, in, "matrices of such dimensions");
    p->depth = (uint32_t)depth;
    return HD_OK;
}

static HdIrRef from_lane(HdBuild *b, HdIrRef x, uint32_t lane)
{
    const HdIrRef args[2] = {x, hd_build_const(b, HD_IR_I32, lane)};

    return hd_build_collective(b, HD_COLL_BROADCAST, hd_build_type_at(b, x), 0, args, 2);
}

/* ---- integers ---------------------------------------------------------------------------- */

#define LOW 0x0f0f0f0fu

/* Four bytes of a word: all there are, or every second nibble from the first or second on. */
static HdIrRef bytes_of(HdBuild *b, const Side *side, HdIrRef word, bool second)
{
    HdIrRef four = hd_build_const(b, HD_IR_I32, 4);

    if (side->elements == BYTES)
        return word;
    if (side->is_signed == second) /* it is in place */
        four = 0;
    if (four != 0)
        word = hd_build_op2(b, second ? HD_IR_LSHR : HD_IR_SHL, HD_IR_I32, word, four);
    return hd_build_op2(b, HD_IR_AND, HD_IR_I32, word,
                        hd_build_const(b, HD_IR_I32, side->is_signed ? LOW << 4 : LOW));
}

static HdStatus multiply_integers(HdBuild *b, const HdInst *in, Product *p)
{
    bool nibbles = p->a.elements == NIBBLES;
    uint32_t words = p->b.v.count, parts = nibbles ? 2 : 1;
    uint32_t shift = nibbles ? 4u * (p->a.is_signed + p->b.is_signed) : 0; /* they count 16 times */
    const HdByteProduct how = hd_build_byte_product(p->a.is_signed, p->b.is_signed, nibbles);
    HdIrRef *columns, start;

    if (p->a.v.count != p->rows || p->b.bits != 32 || hd_build_type_at(b, p->sums[0]) != HD_IR_I32)
        return hd_build_unsupported(b, in, "matrices of integers of such dimensions or types");
    HD_TRY(hd_build_room(b, words * parts, &columns));
    for (uint32_t i = 0; i < words * parts; i++)
        columns[i] = bytes_of(b, &p->b, p->b.v.at[i / parts], i % parts != 0);
    start = hd_build_byte_start(b, &how, columns, words * parts);
    for (uint32_t r = 0; r < p->rows; r++) {
        HdIrRef row = hd_build_joined(b, p->a.v.at[r], p->a.bits), bytes[2], sum = start;

        for (uint32_t i = 0; i < parts; i++)
            bytes[i] = hd_build_byte_left(b, &how, bytes_of(b, &p->a, row, i != 0));
        for (uint32_t i = 0; i < words * parts; i++)
            sum = hd_build_byte_dot(b, &how,
                                    from_lane(b, bytes[i % parts], i / parts * (32 / p->a.bits)),
                                    columns[i], sum);
        if (shift != 0)
            sum = hd_build_op2(b, HD_IR_ASHR, HD_IR_I32, sum, hd_build_const(b, HD_IR_I32, shift));
        p->sums[r] = hd_build_op2(b, HD_IR_ADD, HD_IR_I32, p->sums[r], sum);
    }
    return HD_OK;
}

/* ---- floats ------------------------------------------------------------------------------ */

/* Element i of a component, as a float. */
static HdIrRef number(HdBuild *b, const Side *side, HdIrRef x, uint32_t i)
{
    HdIrRef bits =
        hd_build_resize(b, hd_build_bitcast(b, x, hd_build_int(side->bits)), HD_IR_I32, false);

    if (side->elements == TENSORS) /* the upper ten bits of 23 count */
        return hd_build_bitcast(
            b,
            hd_build_op2(b, HD_IR_AND, HD_IR_I32, bits, hd_build_const(b, HD_IR_I32, 0xffffe000)),
            HD_IR_F32);
    if (i != 0)
        bits = hd_build_op2(b, HD_IR_LSHR, HD_IR_I32, bits, hd_build_const(b, HD_IR_I32, 16 * i));
    bits = hd_build_resize(b, bits, HD_IR_I16, false);
    return side->elements == BFLOATS
               ? hd_build_from_bfloat16(b, bits)
               : hd_build_op1(b, HD_IR_FPEXT, HD_IR_F32, hd_build_bitcast(b, bits, HD_IR_F16));
}

/* All elements of a side, component by component. */
static HdStatus numbers(HdBuild *b, const Side *side, HdIrRef **out)
{
    HD_TRY(hd_build_room(b, side->v.count * side->pack, out));
    for (uint32_t i = 0; i < side->v.count * side->pack; i++)
        (*out)[i] = number(b, side, side->v.at[i / side->pack], i % side->pack);
    return HD_OK;
}

static HdStatus multiply_floats(HdBuild *b, const HdInst *in, Product *p)
{
    /* Lanes that have a row between them; rows that a component has, for lanes may be more than
     * columns. */
    uint32_t across = p->depth / p->a.pack, together = p->rows / p->a.v.count;
    uint32_t lanes = across * together;
    HdIrRef *rows, *column;

    if (p->rows != p->a.v.count * together || (together > 1 && p->a.pack > 1))
        return hd_build_unsupported(b, in, "matrices of floats of such dimensions");
    HD_TRY(numbers(b, &p->a, &rows));
    HD_TRY(numbers(b, &p->b, &column));
    for (uint32_t r = 0; r < p->rows; r++)
        for (uint32_t k = 0; k < p->depth; k++) {
            uint32_t at = r * across + k / p->a.pack;
            HdIrRef x = rows[at / lanes * p->a.pack + k % p->a.pack];

            p->sums[r] = hd_build_op3(b, HD_IR_FMA, HD_IR_F32, from_lane(b, x, at % lanes),
                                      column[k], p->sums[r]);
        }
    return HD_OK;
}

/* C's numbers as floats. */
static HdStatus widen(HdBuild *b, const HdInst *in, Product *p, bool is_bfloat)
{
    HdIrType t = hd_build_type_at(b, p->sums[0]);

    if (t != (is_bfloat ? HD_IR_I16 : HD_IR_F16) && (t != HD_IR_F32 || is_bfloat))
        return hd_build_unsupported(b, in, "a matrix C of such numbers");
    for (uint32_t r = 0; r < p->rows && t != HD_IR_F32; r++)
        p->sums[r] = is_bfloat ? hd_build_from_bfloat16(b, p->sums[r])
                               : hd_build_op1(b, HD_IR_FPEXT, HD_IR_F32, p->sums[r]);
    return HD_OK;
}

static HdStatus narrow(HdBuild *b, const HdInst *in, Product *p, HdIrType t, bool is_bfloat)
{
    if (t != (is_bfloat ? HD_IR_I16 : HD_IR_F16) && (t != HD_IR_F32 || is_bfloat))
        return hd_build_unsupported(b, in, "a result of such numbers");
    for (uint32_t r = 0; r < p->rows && t != HD_IR_F32; r++)
        p->sums[r] = is_bfloat ? hd_build_to_bfloat16(b, p->sums[r])
                               : hd_build_op1(b, HD_IR_FPTRUNC, HD_IR_F16, p->sums[r]);
    return HD_OK;
}

#define LATER                                                                           \
    0x3fc000u /* elements of extensions of the extension: floats of eight and four bits \
               */

/* The name of the first operand that is not built; NULL: all are. */
static const char *unbuilt(uint32_t mask)
{
    const HdEnumerant *e;
    uint32_t first = mask & LATER;

    if (first == 0)
        return NULL;
    e = hd_gram_enumerant(HD_KIND_MatrixMultiplyAccumulateOperands, first & (0u - first));
    return e != NULL ? e->name : "a matrix of such elements";
}

/* Words: 1 type, 2 result, 3 K, 4 A, 5 B, 6 C [, 7 mask]. */
HdStatus hd_build_matrix_accumulate(HdBuild *b, const HdInst *in)
{
    const uint32_t mask = in->nwords > 7 ? in->w[7] : 0;
    const HdBuildFlat *flat;
    const HdType *t;
    Product p = {0};

    if (unbuilt(mask) != NULL)
        return hd_build_unsupported(b, in, unbuilt(mask));
    HD_TRY(hd_build_type(b, in->w[1], &t));
    HD_TRY(hd_build_flatten(b, t, &flat));
    HD_TRY(open_product(b, in, mask, &p));
    if (flat->count != p.rows)
        return hd_build_bad(b, in, "matrix C and the result have not as many rows");
    if (p.a.elements == BYTES || p.a.elements == NIBBLES) {
        if (flat->types[0] != HD_IR_I32)
            return hd_build_unsupported(b, in, "a result of such integers");
        HD_TRY(multiply_integers(b, in, &p));
    } else {
        HD_TRY(widen(b, in, &p, (mask & C_BFLOAT) != 0));
        HD_TRY(multiply_floats(b, in, &p));
        HD_TRY(narrow(b, in, &p, flat->types[0], (mask & RESULT_BFLOAT) != 0));
    }
    return hd_build_bind(b, in->w[2], p.sums, p.rows);
}
