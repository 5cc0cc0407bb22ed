/* ops/coop/coop_vector_eval.c -- cooperative vectors in the interpreter.
 *
 * Sums are taken in the order of k from the bias on, those of floats with one rounding each, in
 * float, or in double where a number has 64 bits.
 *
 * Spec: SPV_NV_cooperative_vector.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "ops/coop/coop_vector.h"
#include "ops/evals.h"

/* A pointer and an offset in bytes: per lane. */
typedef struct Memory {
    HdSlot pointer, offset;
    uint32_t storage;
    HdId id;
} Memory;

static HdStatus open_memory(HdEval *e, HdId pointer, HdId offset, Memory *to)
{
    HD_TRY(hd_eval_needs(e, offset, "an address depends on"));
    HD_TRY(hd_eval_storage(e, pointer, &to->storage));
    HD_TRY(hd_eval_use(e, pointer, &to->pointer));
    to->id = pointer;
    return hd_eval_use(e, offset, &to->offset);
}

static uint64_t address_of(HdEval *e, const Memory *m, unsigned lane)
{
    e->pointer = m->id;
    return hd_bits_get(hd_slot_at(&m->pointer, lane), 8) +
           hd_bits_get(hd_slot_at(&m->offset, lane), hd_type_size(m->offset.type));
}

/* Words: 1 type, 2 result, 3 pointer, 4 offset, 5 … memory operands. */
HdStatus hd_eval_coop_vector_load(HdEval *e, const HdInst *in)
{
    uint64_t size;
    Memory m;
    HdSlot r;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(open_memory(e, in->w[3], in->w[4], &m));
    size = hd_type_size(hd_type_element(r.type));
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < r.type->count; i++)
            HD_TRY(hd_eval_read(e, lane, m.storage, address_of(e, &m, lane) + i * size, size,
                                hd_slot_at(&r, lane) + i * size, size));
    return HD_OK;
}

/* Words: 1 pointer, 2 offset, 3 object, 4 … memory operands. */
HdStatus hd_eval_coop_vector_store(HdEval *e, const HdInst *in)
{
    uint64_t size;
    HdSlot x;
    Memory m;

    HD_TRY(open_memory(e, in->w[1], in->w[2], &m));
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    size = hd_type_size(hd_type_element(x.type));
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < x.type->count; i++)
            HD_TRY(hd_eval_write_value(e, lane, m.storage, address_of(e, &m, lane) + i * size, size,
                                       &x, i * size, size));
    return HD_OK;
}

/* ---- products ------------------------------------------------------------------------------ */

/* A number: of floats the value, of integers the bits, extended as their sign asks for. */
typedef struct Number {
    double real;
    uint64_t whole;
} Number;

typedef struct Product {
    HdCoopProduct p;
    HdSlot r, x, stride;
    Memory matrix, bias;
    bool is_float, is_double;
} Product;

static Number read_number(const void *at, const HdCoopNumber *n)
{
    Number x = {0};

    if (n->is_float) {
        x.real = hd_float_get(at, n->bits / 8);
        return x;
    }
    x.whole = n->is_signed ? (uint64_t)hd_int_get(at, n->bits / 8) : hd_bits_get(at, n->bits / 8);
    x.real = n->is_signed ? (double)(int64_t)x.whole : (double)x.whole;
    return x;
}

static HdStatus load(HdEval *e, unsigned lane, const Memory *m, uint64_t far, const HdCoopNumber *n,
                     Number *out)
{
    unsigned char bytes[8] = {0};

    HD_TRY(hd_eval_read(e, lane, m->storage, address_of(e, m, lane) + far, n->bits / 8, bytes,
                        n->bits / 8));
    *out = read_number(bytes, n);
    return HD_OK;
}

/* The nearest that the type has, of integers saturating. */
static Number as_integer(double x, const HdCoopNumber *to)
{
    double limit = ldexp(1, (int)to->bits - (to->is_signed ? 1 : 0));
    double least = to->is_signed ? -limit : 0;
    uint64_t most = UINT64_MAX >> (64 - to->bits) >> (to->is_signed ? 1 : 0);
    Number r = {0};

    x = isnan(x) ? 0 : rint(x);
    if (x >= limit)
        r.whole = most;
    else if (x <= least)
        r.whole = to->is_signed ? ~most : 0;
    else
        r.whole = to->is_signed ? (uint64_t)(int64_t)x : (uint64_t)x;
    r.real = to->is_signed ? (double)(int64_t)r.whole : (double)r.whole;
    return r;
}

static Number saturated(uint64_t x, bool is_signed, const HdCoopNumber *to)
{
    uint64_t most = UINT64_MAX >> (64 - to->bits) >> (to->is_signed ? 1 : 0);
    Number r = {.whole = x};

    if (is_signed && (int64_t)x < 0)
        r.whole = !to->is_signed ? 0 : (int64_t)x < (int64_t)~most ? ~most : x;
    else if (x > most)
        r.whole = most;
    r.real = to->is_signed ? (double)(int64_t)r.whole : (double)r.whole;
    return r;
}

static double rounded(double x, unsigned bits)
{
    unsigned char room[8];

    hd_float_put(room, bits / 8, x);
    return hd_float_get(room, bits / 8);
}

/* Component k of the vector, as it is to be read. */
static Number component(const Product *p, unsigned lane, uint64_t k)
{
    const HdType *of = hd_type_element(p->x.type);
    const bool is_signed =
        (p->p.mask & SpvCooperativeMatrixOperandsMatrixBSignedComponentsKHRMask) != 0;
    const HdCoopNumber *to = &p->p.input,
                       from = {of->kind == HD_T_FLOAT, is_signed, false, of->bits};
    const unsigned char *at = hd_slot_at(&p->x, lane);
    Number n;

    if (to->is_packed)
        return read_number(at + k, to);
    n = read_number(at + k * hd_type_size(of), &from);
    if (to->is_float) {
        n.real = rounded(n.real, to->bits);
        return n;
    }
    return from.is_float ? as_integer(n.real, to) : saturated(n.whole, is_signed, to);
}

static void add_product(const Product *p, Number x, Number y, Number *sum)
{
    sum->whole += x.whole * y.whole;
    sum->real = p->is_double ? fma(x.real, y.real, sum->real)
                             : (double)fmaf((float)x.real, (float)y.real, (float)sum->real);
}

/* Bytes from one line of the matrix to the next. */
static uint64_t step_of(const Product *p, unsigned lane)
{
    if (p->p.stride != 0)
        return hd_bits_get(hd_slot_at(&p->stride, lane), hd_type_size(p->stride.type));
    return p->p.by_columns ? p->p.along : p->p.across;
}

static HdStatus row(HdEval *e, const Product *p, unsigned lane, uint64_t step, uint64_t r)
{
    const HdType *of = hd_type_element(p->r.type);
    unsigned char *to = hd_slot_at(&p->r, lane) + r * hd_type_size(of);
    Number sum = {0}, x;

    if (p->p.bias_pointer != 0)
        HD_TRY(load(e, lane, &p->bias, r * p->p.bias.bits / 8, &p->p.bias, &sum));
    sum.real = p->is_double ? sum.real : (double)(float)sum.real;
    for (uint64_t k = 0; k < p->p.depth; k++) {
        uint64_t line = p->p.by_columns ? k : r, i = p->p.by_columns ? r : k;

        HD_TRY(load(e, lane, &p->matrix, line * step + i * p->p.matrix.bits / 8, &p->p.matrix, &x));
        add_product(p, x, component(p, lane, k), &sum);
    }
    if (p->is_float)
        hd_float_put(to, hd_type_size(of), sum.real);
    else
        hd_bits_put(to, hd_type_size(of), sum.whole);
    return HD_OK;
}

static HdStatus open_product(HdEval *e, const HdInst *in, Product *p)
{
    const HdType *of;

    if (!hd_coop_product(e->m, in, &p->p))
        return hd_eval_unsupported(e, "a product of such numbers or of such a layout");
    HD_TRY(hd_eval_result(e, in, &p->r));
    HD_TRY(hd_eval_use(e, in->w[3], &p->x));
    of = hd_type_element(p->r.type);
    p->is_float = of->kind == HD_T_FLOAT;
    p->is_double = p->p.input.bits == 64 || p->p.matrix.bits == 64;
    if (p->p.rows != p->r.type->count ||
        (p->p.input.is_packed ? p->x.type->count * UINT64_C(4) < p->p.depth
                              : p->x.type->count != p->p.depth))
        return hd_eval_unsupported(e, "vectors that do not have K and M components");
    if (!p->is_float && (p->p.input.is_float || p->p.matrix.is_float || p->p.bias.is_float))
        return hd_eval_unsupported(e, "a product of floats whose result is an integer");
    if (p->p.stride != 0) {
        HD_TRY(hd_eval_needs(e, p->p.stride, "an address depends on"));
        HD_TRY(hd_eval_use(e, p->p.stride, &p->stride));
    }
    if (p->p.bias_pointer != 0)
        HD_TRY(open_memory(e, p->p.bias_pointer, p->p.bias_offset, &p->bias));
    return open_memory(e, in->w[5], in->w[6], &p->matrix);
}

/* OpCooperativeVectorMatrixMulNV, OpCooperativeVectorMatrixMulAddNV. */
HdStatus hd_eval_coop_vector_product(HdEval *e, const HdInst *in)
{
    Product p = {0};

    HD_TRY(open_product(e, in, &p));
    for (HD_EACH_LANE(lane, e->mask)) {
        const uint64_t step = step_of(&p, lane);

        for (uint64_t r = 0; r < p.p.rows; r++)
            HD_TRY(row(e, &p, lane, step, r));
    }
    return HD_OK;
}

/* ---- sums in memory ------------------------------------------------------------------------ */

/* What is added to a number in memory: in all lanes. */
typedef struct Addend {
    uint64_t at[HD_EVAL_LANES];
    uint64_t bits[HD_EVAL_LANES];
    uint64_t bytes;
    bool is_float;
} Addend;

static uint64_t sum_of(const Addend *a, uint64_t old, uint64_t more)
{
    uint64_t bits = 0;

    if (!a->is_float)
        return old + more;
    if (a->bytes == 4)
        hd_float_put(&bits, 4,
                     (double)((float)hd_float_get(&old, 4) + (float)hd_float_get(&more, 4)));
    else
        hd_float_put(&bits, a->bytes, hd_float_get(&old, a->bytes) + hd_float_get(&more, a->bytes));
    return bits;
}

#define ADD(name, T)                                                                             \
    static void name(const Addend *a, unsigned lane)                                             \
    {                                                                                            \
        T *cell = (T *)(uintptr_t)a->at[lane];                                                   \
        T old = __atomic_load_n(cell, __ATOMIC_SEQ_CST);                                         \
                                                                                                 \
        while (!__atomic_compare_exchange_n(cell, &old, (T)sum_of(a, old, a->bits[lane]), false, \
                                            __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))                 \
            ;                                                                                    \
    }

ADD(add_2, HdU16)
ADD(add_4, HdU32)
ADD(add_8, HdU64)

static HdStatus add(HdEval *e, const Memory *m, Addend *a)
{
    const HdSlot at = {.at = (unsigned char *)a->at, .stride = 8, .type = m->pointer.type};
    HdEvalAtomic all = {.pointer = &at,
                        .storage = m->storage,
                        .bytes = a->bytes,
                        .align = a->bytes,
                        .scope = SpvScopeDevice,
                        .how = HD_EVAL_ATOMIC,
                        .reads = true};
    uint64_t good;

    e->pointer = m->id;
    HD_TRY(hd_eval_atomics(e, &all, &good));
    for (HD_EACH_LANE(lane, good)) {
        if (a->bytes == 2)
            add_2(a, lane);
        else if (a->bytes == 4)
            add_4(a, lane);
        else
            add_8(a, lane);
    }
    return HD_OK;
}

/* OpCooperativeVectorReduceSumAccumulateNV. Words: 1 pointer, 2 offset, 3 vector. */
HdStatus hd_eval_coop_vector_sum(HdEval *e, const HdInst *in)
{
    Addend a = {.bytes = 0};
    const HdType *of;
    HdSlot x;
    Memory m;

    HD_TRY(open_memory(e, in->w[1], in->w[2], &m));
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    of = hd_type_element(x.type);
    a.bytes = hd_type_size(of);
    a.is_float = of->kind == HD_T_FLOAT;
    if (!a.is_float && a.bytes < 4)
        return hd_eval_unsupported(e, "sums of integers of less than 32 bits in memory");
    for (uint32_t i = 0; i < x.type->count; i++) {
        for (HD_EACH_LANE(lane, e->mask)) {
            a.at[lane] = address_of(e, &m, lane) + i * a.bytes;
            a.bits[lane] = hd_bits_get(hd_slot_at(&x, lane) + i * a.bytes, a.bytes);
        }
        HD_TRY(add(e, &m, &a));
    }
    return HD_OK;
}

/* The product of two components, as what is added to. */
static uint64_t product(const HdSlot v[2], unsigned lane, uint32_t i, uint32_t k,
                        const HdCoopNumber *to)
{
    const uint64_t size = hd_type_size(hd_type_element(v[0].type));
    const unsigned char *x = hd_slot_at(&v[0], lane) + i * size,
                        *y = hd_slot_at(&v[1], lane) + k * size;
    uint64_t bits = 0;
    double r;

    if (!to->is_float) { /* wrapped to the components' width, then resized */
        bits = hd_bits_get(x, size) * hd_bits_get(y, size);
        return to->is_signed ? (uint64_t)hd_int_get(&bits, size) : hd_bits_get(&bits, size);
    }
    r = hd_float_get(x, size) * hd_float_get(y, size);
    if (size < 8 && to->bits < 64)
        r = (double)((float)hd_float_get(x, size) * (float)hd_float_get(y, size));
    hd_float_put(&bits, to->bits / 8, r);
    return bits;
}

/* OpCooperativeVectorOuterProductAccumulateNV.
 * Words: 1 pointer, 2 offset, 3 A, 4 B, 5 layout, 6 interpretation [, 7 stride]. */
HdStatus hd_eval_coop_vector_outer(HdEval *e, const HdInst *in)
{
    Addend a = {.bytes = 0};
    HdSlot v[2], stride;
    HdCoopOuter o;
    Memory m;

    HD_TRY(open_memory(e, in->w[1], in->w[2], &m));
    HD_TRY(hd_eval_use(e, in->w[3], &v[0]));
    HD_TRY(hd_eval_use(e, in->w[4], &v[1]));
    if (!hd_coop_outer(e->m, in, &o) ||
        o.matrix.is_float != (hd_type_element(v[0].type)->kind == HD_T_FLOAT) ||
        (!o.matrix.is_float && o.matrix.bits < 32))
        return hd_eval_unsupported(e, "a sum of such numbers or of such a layout");
    a.bytes = o.matrix.bits / 8;
    a.is_float = o.matrix.is_float;
    if (o.stride != 0)
        HD_TRY(hd_eval_use(e, o.stride, &stride));
    for (uint32_t i = 0; i < v[0].type->count; i++)
        for (uint32_t k = 0; k < v[1].type->count; k++) {
            for (HD_EACH_LANE(lane, e->mask)) {
                uint64_t step = v[1].type->count * a.bytes;

                if (o.stride != 0)
                    step = hd_bits_get(hd_slot_at(&stride, lane), hd_type_size(stride.type));
                a.at[lane] = address_of(e, &m, lane) + (o.by_columns ? k : i) * step +
                             (o.by_columns ? i : k) * a.bytes;
                a.bits[lane] = product(v, lane, i, k, &o.matrix);
            }
            HD_TRY(add(e, &m, &a));
        }
    return HD_OK;
}
