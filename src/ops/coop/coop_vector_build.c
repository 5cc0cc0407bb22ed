/* ops/coop/coop_vector_build.c -- cooperative vectors to lane IR: each work-item has its own.
 *
 * The vectors are long ones (OpTypeVectorIdEXT has the same number). A product adds one number of
 * the matrix after the other, fused, to the bias.
 *
 * Spec: SPV_NV_cooperative_vector.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/build_fns.h"
#include "ops/coop/coop_vector.h"

/* Operations that a product may become. */
#define MOST_OPERATIONS 65536u

static HdIrRef const64(HdBuild *b, uint64_t n)
{
    return hd_build_const(b, HD_IR_I64, n);
}

/* A pointer and an offset in bytes. */
static HdStatus open_memory(HdBuild *b, const HdInst *in, unsigned access, HdId pointer,
                            HdId offset, HdBuildAccess *how, HdIrRef *at)
{
    HdIrRef bytes;
    unsigned next;

    HD_TRY(hd_build_access(b, in, access, pointer, how, &next));
    how->align = 0; /* that of the pointer says nothing of the offset */
    HD_TRY(hd_build_use1(b, pointer, at));
    HD_TRY(hd_build_use1(b, offset, &bytes));
    *at =
        hd_build_op2(b, HD_IR_PTRADD, HD_IR_PTR, *at, hd_build_resize(b, bytes, HD_IR_I64, false));
    return HD_OK;
}

/* Bytes from one line of a matrix to the next: what the stride says, else `dense`. */
static HdStatus step_of(HdBuild *b, HdId stride, uint64_t dense, HdIrRef *step)
{
    if (stride == 0) {
        *step = const64(b, dense);
        return HD_OK;
    }
    HD_TRY(hd_build_use1(b, stride, step));
    *step = hd_build_resize(b, *step, HD_IR_I64, false);
    return HD_OK;
}

/* Where a line of the matrix begins. */
static HdIrRef line_at(HdBuild *b, HdIrRef matrix, HdIrRef step, uint64_t line)
{
    return hd_build_op2(b, HD_IR_PTRADD, HD_IR_PTR, matrix,
                        hd_build_op2(b, HD_IR_MUL, HD_IR_I64, step, const64(b, line)));
}

/* Words: 1 type, 2 result, 3 pointer, 4 offset, 5 … memory operands. */
HdStatus hd_build_coop_vector_load(HdBuild *b, const HdInst *in)
{
    const HdBuildFlat *flat;
    HdBuildAccess how;
    const HdType *t;
    HdIrRef at, *refs;

    HD_TRY(hd_build_type(b, in->w[1], &t));
    HD_TRY(hd_build_flatten(b, t, &flat));
    HD_TRY(open_memory(b, in, 5, in->w[3], in->w[4], &how, &at));
    HD_TRY(hd_build_room(b, flat->count, &refs));
    for (uint32_t i = 0; i < flat->count; i++)
        refs[i] = hd_build_load1(b, at, (uint64_t)i * hd_ir_type_bytes(flat->types[0]),
                                 flat->types[0], &how);
    return hd_build_bind(b, in->w[2], refs, flat->count);
}

/* Words: 1 pointer, 2 offset, 3 object, 4 … memory operands. */
HdStatus hd_build_coop_vector_store(HdBuild *b, const HdInst *in)
{
    HdBuildAccess how;
    HdBuildValue v;
    HdIrRef at;

    HD_TRY(hd_build_use(b, in->w[3], &v));
    HD_TRY(open_memory(b, in, 4, in->w[1], in->w[2], &how, &at));
    for (uint32_t i = 0; i < v.count; i++)
        hd_build_store1(b, at, (uint64_t)i * hd_ir_type_bytes(hd_build_type_at(b, v.at[i])),
                        v.at[i], &how);
    return b->ir->failed ? HD_NO_MEMORY : HD_OK;
}

/* ---- products ---------------------------------------------------------------------------- */

typedef struct Product {
    HdCoopProduct p;
    HdIrType sum; /* what is computed in */
    HdIrRef *x;   /* the vector in that type */
} Product;

static HdIrType type_of(const HdCoopNumber *n)
{
    return !n->is_float    ? hd_build_int(n->bits)
           : n->bits == 16 ? HD_IR_F16
           : n->bits == 32 ? HD_IR_F32
                           : HD_IR_F64;
}

static HdIrRef resize_float(HdBuild *b, HdIrRef x, HdIrType to)
{
    unsigned from = hd_ir_type_bits(hd_build_type_at(b, x));

    if (from == hd_ir_type_bits(to))
        return x;
    return hd_build_op1(b, from < hd_ir_type_bits(to) ? HD_IR_FPEXT : HD_IR_FPTRUNC, to, x);
}

/* A number as one of the type that is computed in. */
static HdIrRef widen(HdBuild *b, const Product *p, const HdCoopNumber *n, HdIrRef x)
{
    if (n->is_float)
        return resize_float(b, x, p->sum);
    if (hd_ir_is_float(p->sum))
        return hd_build_op1(b, n->is_signed ? HD_IR_SITOFP : HD_IR_UITOFP, p->sum, x);
    return hd_build_resize(b, x, p->sum, n->is_signed);
}

/* An integer, kept in the range of a type of so many bits, which it then has. */
static HdIrRef saturated(HdBuild *b, HdIrRef x, bool is_signed, const HdCoopNumber *to)
{
    HdIrType t = HD_IR_I64;
    uint64_t most = UINT64_MAX >> (64 - to->bits) >> (to->is_signed ? 1 : 0);

    x = hd_build_resize(b, x, t, is_signed);
    if (is_signed)
        x = hd_build_op2(b, HD_IR_SMAX, t, x, const64(b, to->is_signed ? ~most : 0));
    if (to->bits < 64 || to->is_signed != is_signed)
        x = hd_build_op2(b, is_signed && to->bits < 64 ? HD_IR_SMIN : HD_IR_UMIN, t, x,
                         const64(b, most));
    return hd_build_resize(b, x, type_of(to), false);
}

/* A component of the vector, converted to what it is to be read as. */
static HdIrRef interpreted(HdBuild *b, const Product *p, HdIrRef x)
{
    const HdCoopNumber *to = &p->p.input;
    bool is_signed = (p->p.mask & SpvCooperativeMatrixOperandsMatrixBSignedComponentsKHRMask) != 0;
    HdIrType from = hd_build_type_at(b, x);

    if (hd_ir_is_float(from) && to->is_float)
        return resize_float(b, x, type_of(to));
    if (hd_ir_is_float(from))
        return hd_build_op1(b, to->is_signed ? HD_IR_FPTOSI : HD_IR_FPTOUI, type_of(to),
                            hd_build_op1(b, HD_IR_FRINT, from, x));
    if (to->is_float)
        return hd_build_op1(b, is_signed ? HD_IR_SITOFP : HD_IR_UITOFP, type_of(to), x);
    return saturated(b, x, is_signed, to);
}

/* Number k of those that lie four in a component. */
static HdIrRef packed(HdBuild *b, const HdBuildValue *v, uint64_t k)
{
    HdIrRef x = hd_build_op2(b, HD_IR_LSHR, HD_IR_I32, v->at[k / 4],
                             hd_build_const(b, HD_IR_I32, k % 4 * 8));

    return hd_build_resize(b, x, HD_IR_I8, false);
}

static HdStatus open_vector(HdBuild *b, const HdInst *in, Product *p)
{
    HdBuildValue v;

    HD_TRY(hd_build_use(b, in->w[3], &v));
    if (p->p.input.is_packed
            ? v.count * UINT64_C(4) < p->p.depth || hd_build_type_at(b, v.at[0]) != HD_IR_I32
            : v.count != p->p.depth)
        return hd_build_bad(b, in, "the vector does not have K numbers");
    HD_TRY(hd_build_room(b, (uint32_t)p->p.depth, &p->x));
    for (uint64_t k = 0; k < p->p.depth; k++)
        p->x[k] = widen(b, p, &p->p.input,
                        p->p.input.is_packed ? packed(b, &v, k) : interpreted(b, p, v.at[k]));
    return HD_OK;
}

static HdStatus open_product(HdBuild *b, const HdInst *in, Product *p, HdIrType result,
                             uint32_t count)
{
    if (!hd_coop_product(b->m, in, &p->p))
        return hd_build_unsupported(b, in, "a product of such numbers or of such a layout");
    if (p->p.rows != count)
        return hd_build_bad(b, in, "the result does not have M components");
    if (p->p.rows * p->p.depth > MOST_OPERATIONS)
        return hd_build_unsupported(b, in, "a product of more than 65,536 numbers");
    p->sum = result;
    if (hd_ir_is_float(result))
        p->sum = p->p.input.bits == 64 || p->p.matrix.bits == 64 ? HD_IR_F64 : HD_IR_F32;
    else if (p->p.input.is_float || p->p.matrix.is_float || p->p.bias.is_float)
        return hd_build_unsupported(b, in, "a product of floats whose result is an integer");
    return open_vector(b, in, p);
}

static HdIrRef multiply_add(HdBuild *b, HdIrType t, HdIrRef x, HdIrRef y, HdIrRef sum)
{
    if (hd_ir_is_float(t))
        return hd_build_op3(b, HD_IR_FMA, t, x, y, sum);
    return hd_build_op2(b, HD_IR_ADD, t, hd_build_op2(b, HD_IR_MUL, t, x, y), sum);
}

/* The sums' first values. */
static HdStatus start_sums(HdBuild *b, const HdInst *in, const Product *p, HdIrRef *sums)
{
    const HdCoopNumber *n = &p->p.bias;
    HdBuildAccess how;
    HdIrRef at;

    if (p->p.bias_pointer == 0) {
        for (uint64_t r = 0; r < p->p.rows; r++)
            sums[r] = hd_build_const(b, p->sum, 0);
        return HD_OK;
    }
    HD_TRY(open_memory(b, in, in->nwords, p->p.bias_pointer, p->p.bias_offset, &how, &at));
    for (uint64_t r = 0; r < p->p.rows; r++)
        sums[r] = widen(b, p, n, hd_build_load1(b, at, r * n->bits / 8, type_of(n), &how));
    return HD_OK;
}

/* OpCooperativeVectorMatrixMulNV, OpCooperativeVectorMatrixMulAddNV. */
HdStatus hd_build_coop_vector_product(HdBuild *b, const HdInst *in)
{
    const HdBuildFlat *flat;
    HdIrRef at, step, *sums;
    HdBuildAccess how;
    const HdType *t;
    Product p;

    HD_TRY(hd_build_type(b, in->w[1], &t));
    HD_TRY(hd_build_flatten(b, t, &flat));
    HD_TRY(open_product(b, in, &p, flat->types[0], flat->count));
    HD_TRY(hd_build_room(b, flat->count, &sums));
    HD_TRY(start_sums(b, in, &p, sums));
    HD_TRY(open_memory(b, in, in->nwords, in->w[5], in->w[6], &how, &at));
    HD_TRY(step_of(b, p.p.stride, p.p.by_columns ? p.p.along : p.p.across, &step));
    for (uint64_t r = 0; r < p.p.rows; r++)
        for (uint64_t k = 0; k < p.p.depth; k++) {
            uint64_t line = p.p.by_columns ? k : r, i = p.p.by_columns ? r : k;
            HdIrRef x = hd_build_load1(b, line_at(b, at, step, line), i * p.p.matrix.bits / 8,
                                       type_of(&p.p.matrix), &how);

            sums[r] = multiply_add(b, p.sum, widen(b, &p, &p.p.matrix, x), p.x[k], sums[r]);
        }
    for (uint32_t r = 0; r < flat->count && p.sum != flat->types[0]; r++)
        sums[r] = resize_float(b, sums[r], flat->types[0]);
    return hd_build_bind(b, in->w[2], sums, flat->count);
}

/* ---- sums in memory ---------------------------------------------------------------------- */

/* Add to a number in memory, in one step. */
static HdStatus add_to(HdBuild *b, const HdInst *in, HdIrRef at, HdIrRef x,
                       const HdBuildAccess *how)
{
    HdIrType t = hd_build_type_at(b, x);
    HdIrRef args[2] = {at, x};

    if (t == HD_IR_I8 || t == HD_IR_I16)
        return hd_build_unsupported(b, in, "sums of integers of less than 32 bits in memory");
    hd_ir_emit_sub(b->fn, b->block, HD_IR_ATOMIC_RMW, t,
                   hd_ir_is_float(t) ? HD_IR_RMW_FADD : HD_IR_RMW_ADD,
                   HD_IR_ORDER(HD_IR_RELAXED, how->space), args, 2);
    return HD_OK;
}

/* OpCooperativeVectorReduceSumAccumulateNV. Words: 1 pointer, 2 offset, 3 vector. */
HdStatus hd_build_coop_vector_sum(HdBuild *b, const HdInst *in)
{
    HdBuildAccess how;
    HdBuildValue v;
    HdIrRef at;

    HD_TRY(hd_build_use(b, in->w[3], &v));
    HD_TRY(open_memory(b, in, in->nwords, in->w[1], in->w[2], &how, &at));
    for (uint32_t i = 0; i < v.count; i++)
        HD_TRY(add_to(
            b, in,
            hd_build_offset(b, at, (uint64_t)i * hd_ir_type_bytes(hd_build_type_at(b, v.at[i]))),
            v.at[i], &how));
    return b->ir->failed ? HD_NO_MEMORY : HD_OK;
}

/* OpCooperativeVectorOuterProductAccumulateNV.
 * Words: 1 pointer, 2 offset, 3 A, 4 B, 5 layout, 6 interpretation [, 7 stride]. */
HdStatus hd_build_coop_vector_outer(HdBuild *b, const HdInst *in)
{
    HdBuildAccess how;
    HdBuildValue v[2];
    HdIrRef at, step;
    HdCoopOuter o;
    HdIrType t;

    HD_TRY(hd_build_use(b, in->w[3], &v[0]));
    HD_TRY(hd_build_use(b, in->w[4], &v[1]));
    t = hd_build_type_at(b, v[0].at[0]);
    if (!hd_coop_outer(b->m, in, &o) || o.matrix.is_float != hd_ir_is_float(t))
        return hd_build_unsupported(b, in, "a sum of such numbers or of such a layout");
    if ((uint64_t)v[0].count * v[1].count > MOST_OPERATIONS)
        return hd_build_unsupported(b, in, "a product of more than 65,536 numbers");
    HD_TRY(open_memory(b, in, in->nwords, in->w[1], in->w[2], &how, &at));
    HD_TRY(step_of(b, o.stride, (uint64_t)v[1].count * o.matrix.bits / 8, &step));
    if (hd_ir_is_float(t))
        t = o.matrix.bits == 64 || hd_ir_type_bits(t) == 64 ? HD_IR_F64 : HD_IR_F32;
    for (uint32_t i = 0; i < v[0].count; i++)
        for (uint32_t k = 0; k < v[1].count; k++) {
            uint32_t line = o.by_columns ? k : i, place = o.by_columns ? i : k;
            HdIrRef far = line_at(b, at, step, line), x;

            if (o.matrix.is_float)
                x = resize_float(b,
                                 hd_build_op2(b, HD_IR_FMUL, t, resize_float(b, v[0].at[i], t),
                                              resize_float(b, v[1].at[k], t)),
                                 type_of(&o.matrix));
            else
                x = hd_build_resize(b, hd_build_op2(b, HD_IR_MUL, t, v[0].at[i], v[1].at[k]),
                                    type_of(&o.matrix), o.matrix.is_signed);
            HD_TRY(add_to(b, in, hd_build_offset(b, far, (uint64_t)place * o.matrix.bits / 8), x,
                          &how));
        }
    return b->ir->failed ? HD_NO_MEMORY : HD_OK;
}
