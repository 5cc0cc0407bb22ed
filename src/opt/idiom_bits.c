/* opt/idiom_bits.c -- recognises bit reversals, byte swaps, rotations and population counts.
 *
 * For a value made of shifts, masks and ORs the pass tracks where each bit comes from: a bit of one
 * other value, or none. If that permutation is one of lane IR's operations (possibly followed by a
 * shift and a mask), the operation replaces it. A sum of ever wider fields is a population count.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/each.h"
#include "ir/edit.h"
#include "ir/graph.h"
#include "opt/pass.h"

/* A bit that comes from no operand: 0. */
#define NOWHERE (-1)
/* Where the count of operations that one would replace stops. */
#define MOST_STEPS 250u

/* Bit i is bit from[i] of the value `of`, or 0 (NOWHERE). */
typedef struct Bits {
    HdIrRef of;
    unsigned steps; /* operations that move them there */
    int8_t from[64];
} Bits;

typedef struct Moves {
    HdIrFunc *f;
    HdArena *arena;
    size_t count;
    Bits **bits;    /* [count] NULL: made otherwise */
    uint8_t *wants; /* [count] does anything other than a move use it? */
} Moves;

/* ---- where bits come from ---------------------------------------------------------------------
 */

static HdIrType type_of(const Moves *m, HdIrRef r)
{
    return (HdIrType)m->f->insts.at[r].type;
}

static Bits bits_of(const Moves *m, HdIrRef r)
{
    Bits x = {.of = r};
    unsigned width = hd_ir_type_bits(type_of(m, r));

    if (r < m->count && m->bits[r] != NULL)
        return *m->bits[r];
    for (unsigned i = 0; i < 64; i++)
        x.from[i] = i < width ? (int8_t)i : NOWHERE;
    return x;
}

/* Which bit of its operand an operation puts at place i; NOWHERE: none. */
static int moved_from(HdIrOp op, unsigned width, uint64_t by, unsigned i)
{
    switch (op) {
    case HD_IR_SHL: return i >= by ? (int)(i - by) : NOWHERE;
    case HD_IR_LSHR: return i + by < width ? (int)(i + by) : NOWHERE;
    case HD_IR_ROTL: return (int)((i + width - by) % width);
    case HD_IR_BSWAP: return (int)((width / 8 - 1 - i / 8) * 8 + i % 8);
    case HD_IR_BITREVERSE: return (int)(width - 1 - i);
    default: return (int)i; /* TRUNC, ZEXT */
    }
}

static bool join(unsigned op, Bits *x, const Bits *y)
{
    if (x->of != y->of)
        return false;
    for (unsigned i = 0; i < 64; i++) {
        if (x->from[i] == NOWHERE)
            x->from[i] = y->from[i];
        else if (y->from[i] != NOWHERE && (op != HD_IR_OR || x->from[i] != y->from[i]))
            return false;
    }
    x->steps += y->steps;
    return true;
}

/* Where the bits of r come from; false if it does anything but move them. */
static bool follow(const Moves *m, HdIrRef r, Bits *x)
{
    const HdIrInst *in = &m->f->insts.at[r];
    HdIrOp op = (HdIrOp)in->op;
    unsigned width = hd_ir_type_bits((HdIrType)in->type);
    Bits y;
    uint64_t by = 0;

    switch (op) {
    case HD_IR_SHL:
    case HD_IR_LSHR:
    case HD_IR_ROTL:
        if (!hd_ir_is_const(m->f, hd_ir_arg(m->f, r, 1), &by))
            return false;
        by %= width;
        break;
    case HD_IR_AND:
        if (!hd_ir_is_const(m->f, hd_ir_arg(m->f, r, 1), &by))
            return false;
        break;
    case HD_IR_TRUNC:
    case HD_IR_ZEXT:
    case HD_IR_BSWAP:
    case HD_IR_BITREVERSE:
    case HD_IR_OR:
    case HD_IR_XOR:
    case HD_IR_ADD: break;
    default: return false;
    }
    y = bits_of(m, hd_ir_arg(m->f, r, 0));
    *x = y;
    if (op == HD_IR_OR || op == HD_IR_XOR || op == HD_IR_ADD) {
        y = bits_of(m, hd_ir_arg(m->f, r, 1));
        if (!join(op, x, &y))
            return false;
    } else {
        for (unsigned i = 0; i < 64; i++) {
            int from = i < width ? moved_from(op, width, by, i) : NOWHERE;

            x->from[i] = from == NOWHERE || (op == HD_IR_AND && (by >> i & 1) == 0)
                             ? (int8_t)NOWHERE
                             : y.from[from];
        }
    }
    x->steps = x->steps < MOST_STEPS ? x->steps + 1 : MOST_STEPS;
    return true;
}

/* ---- which operation that is ------------------------------------------------------------------
 */

/* op of the value, shifted (left where `right` is negative), masked. */
typedef struct Form {
    HdIrOp op;
    uint64_t by; /* of a rotation */
    int right;
    uint64_t mask;
    bool has_mask;
} Form;

/* Is every bit where `op`, shifted by what the lowest of them says, puts it? */
static bool is_form(const Bits *x, unsigned width, HdIrOp op, Form *form)
{
    unsigned low = 0;

    while (low < width && x->from[low] == NOWHERE)
        low++;
    if (low == width)
        return false;
    *form = (Form){.op = op};
    if (op == HD_IR_ROTL)
        form->by = (low + width - (unsigned)x->from[low]) % width;
    else /* both are their own inverse */
        form->right = moved_from(op, width, 0, (unsigned)x->from[low]) - (int)low;
    for (unsigned i = 0; i < width; i++) {
        int at = (int)i + form->right;
        bool is_in = at >= 0 && at < (int)width;

        if (x->from[i] == NOWHERE) {
            form->has_mask = form->has_mask || is_in;
            continue;
        }
        if (!is_in || moved_from(op, width, form->by, (unsigned)at) != x->from[i])
            return false;
        form->mask |= UINT64_C(1) << i;
    }
    return true;
}

/* Is there such an operation that is cheaper than the existing code? A rotation only if it covers
 * all bits: otherwise it is two shifts. */
static bool find_form(const Bits *x, unsigned width, Form *form)
{
    unsigned more;

    if (is_form(x, width, HD_IR_ROTL, form) && !form->has_mask && form->by != 0)
        return x->steps > 1;
    if (width >= 16 && is_form(x, width, HD_IR_BSWAP, form)) {
        more = (form->right != 0 ? 1u : 0u) + (form->has_mask ? 1u : 0u);
        return x->steps > 3 + more;
    }
    if (!is_form(x, width, HD_IR_BITREVERSE, form))
        return false;
    more = (form->right != 0 ? 1u : 0u) + (form->has_mask ? 1u : 0u);
    return x->steps > 7 + more;
}

/* ---- counted bits -----------------------------------------------------------------------------
 */

static bool is_op(const HdIrFunc *f, HdIrRef r, HdIrOp op, uint64_t with, HdIrRef *x)
{
    uint64_t bits;

    if (f->insts.at[r].op != op || !hd_ir_is_const(f, hd_ir_arg(f, r, 1), &bits) || bits != with)
        return false;
    *x = hd_ir_arg(f, r, 0);
    return true;
}

/* (x >> by) & mask */
static bool is_field(const HdIrFunc *f, HdIrRef r, uint64_t by, uint64_t mask, HdIrRef *x)
{
    HdIrRef shifted;

    return is_op(f, r, HD_IR_AND, mask, &shifted) && is_op(f, shifted, HD_IR_LSHR, by, x);
}

/* x + (x >> by) */
static bool is_folded(const HdIrFunc *f, HdIrRef r, uint64_t by, HdIrRef *x)
{
    HdIrRef of;

    for (unsigned i = 0; i < 2 && f->insts.at[r].op == HD_IR_ADD; i++) {
        *x = hd_ir_arg(f, r, i);
        if (is_op(f, hd_ir_arg(f, r, 1 - i), HD_IR_LSHR, by, &of) && of == *x)
            return true;
    }
    return false;
}

/* Is r made of v by adding up neighbouring fields of `by` bits? */
static bool adds_fields(const HdIrFunc *f, HdIrRef r, unsigned by, HdIrRef *v)
{
    uint64_t mask = hd_ir_ones((HdIrType)f->insts.at[r].type) / ((UINT64_C(1) << by) + 1);
    HdIrRef low, sum;

    if (by == 1 && f->insts.at[r].op == HD_IR_SUB) {
        *v = hd_ir_arg(f, r, 0);
        return is_field(f, hd_ir_arg(f, r, 1), by, mask, &low) && low == *v;
    }
    /* Sums of no more than 8 fit into four bits before they are masked. */
    if (by >= 4 && is_op(f, r, HD_IR_AND, mask, &sum) && is_folded(f, sum, by, v))
        return true;
    for (unsigned i = 0; i < 2 && f->insts.at[r].op == HD_IR_ADD; i++)
        if (is_op(f, hd_ir_arg(f, r, i), HD_IR_AND, mask, v) &&
            is_field(f, hd_ir_arg(f, r, 1 - i), by, mask, &low) && low == *v)
            return true;
    return false;
}

/* The value whose bits are counted in each `size` bits of r; 0: it is not so. */
static HdIrRef counted_in(const HdIrFunc *f, HdIrRef r, unsigned size)
{
    for (unsigned by = size / 2; by != 0; by /= 2)
        if (!adds_fields(f, r, by, &r))
            return 0;
    return r;
}

/* The value whose bits r counts; 0: it does not. */
static HdIrRef counted(const HdIrFunc *f, HdIrRef r)
{
    HdIrType t = (HdIrType)f->insts.at[r].type;
    unsigned width = hd_ir_is_int(t) ? hd_ir_type_bits(t) : 0;
    HdIrRef x, bytes;
    uint64_t mask;

    switch ((HdIrOp)f->insts.at[r].op) {
    case HD_IR_LSHR: /* all bytes of a product by 0x0101… add up in the highest */
        if (width > 8 && is_op(f, r, HD_IR_LSHR, width - 8, &x) &&
            is_op(f, x, HD_IR_MUL, hd_ir_ones(t) / 255, &bytes))
            return counted_in(f, bytes, 8);
        return 0;
    case HD_IR_AND: /* halves added to each other, the rest of which is masked in the end */
        if (width > 8 && hd_ir_is_const(f, hd_ir_arg(f, r, 1), &mask) && mask <= 255 &&
            (mask & (2 * width - 1)) == 2 * width - 1) {
            bytes = hd_ir_arg(f, r, 0);
            for (unsigned by = width / 2; by >= 8; by /= 2)
                if (!is_folded(f, bytes, by, &bytes))
                    return 0;
            return counted_in(f, bytes, 8);
        }
        return width == 8 ? counted_in(f, r, width) : 0;
    case HD_IR_ADD: return width != 0 ? counted_in(f, r, width) : 0;
    default: return 0;
    }
}

/* ---- replacing --------------------------------------------------------------------------------
 */

/* New instructions are inserted before instruction `at` of the block. */
typedef struct Place {
    HdIrFunc *f;
    uint32_t block;
    size_t at;
} Place;

static HdIrRef put(Place *p, HdIrOp op, HdIrType t, HdIrRef a, HdIrRef b)
{
    HdIrRef args[2] = {a, b};

    return hd_ir_insert(p->f, p->block, p->at++, op, t, 0, 0, args, b != 0 ? 2 : 1);
}

static HdIrRef put_const(Place *p, HdIrType t, uint64_t bits)
{
    return hd_ir_insert(p->f, p->block, p->at++, HD_IR_CONST, t, 0, bits, NULL, 0);
}

static HdIrRef put_form(Place *p, const Form *form, HdIrType t, HdIrRef of)
{
    HdIrRef v = put(p, form->op, t, of, form->by != 0 ? put_const(p, t, form->by) : 0);

    if (form->right != 0)
        v = put(p, form->right > 0 ? HD_IR_LSHR : HD_IR_SHL, t, v,
                put_const(p, t, (uint64_t)(form->right > 0 ? form->right : -form->right)));
    return form->has_mask ? put(p, HD_IR_AND, t, v, put_const(p, t, form->mask)) : v;
}

/* Replacement of r; 0 = keep r. */
static HdIrRef replace(Moves *m, Place *p, HdIrRef r)
{
    HdIrType t = type_of(m, r);
    const Bits *x = m->bits[r];
    HdIrRef of = counted(m->f, r);
    Form form;

    if (of != 0)
        return put(p, HD_IR_POPCOUNT, t, of, 0);
    if (m->wants[r] == 0 || x == NULL || type_of(m, x->of) != t ||
        !find_form(x, hd_ir_type_bits(t), &form))
        return 0;
    return put_form(p, &form, t, x->of);
}

static HdStatus look_at(Moves *m, HdIrRef r)
{
    const HdIrInst *in = &m->f->insts.at[r];
    Bits x;

    if (hd_ir_is_int((HdIrType)in->type) && in->nargs != 0 && in->op != HD_IR_PHI &&
        hd_ir_is_int(type_of(m, hd_ir_arg(m->f, r, 0))) && follow(m, r, &x)) {
        HD_TAKE(m->bits[r], HD_NEW(m->arena, Bits, 1));
        *m->bits[r] = x;
        return HD_OK;
    }
    for (unsigned k = 0; k < in->nargs; k++)
        if (hd_ir_arg_is_value(in, k))
            m->wants[hd_ir_arg(m->f, r, k)] = 1;
    return HD_OK;
}

HdStatus hd_opt_idiom_bits(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    Moves m = {.f = f, .arena = scratch, .count = f->insts.count};
    HdIrRef *with;
    HdIrGraph *g;

    HD_TRY(hd_ir_drop_unreachable(f, scratch, changed));
    HD_TRY(hd_ir_graph(f, scratch, &g));
    HD_TAKE(m.bits, HD_NEW(scratch, Bits *, m.count));
    HD_TAKE(m.wants, HD_NEW(scratch, uint8_t, m.count));
    HD_TAKE(with, HD_NEW(scratch, HdIrRef, m.count));
    /* In this order a value comes before its uses, except for phis. */
    for (HdIrEach e = hd_ir_each_reachable(f, g); hd_ir_next(&e);)
        HD_TRY(look_at(&m, e.inst));
    for (uint32_t b = 0; b < f->blocks.count; b++) {
        for (Place p = {f, b, 0}; p.at < f->blocks.at[b].insts.count; p.at++) {
            HdIrRef r = f->blocks.at[b].insts.at[p.at];

            if (r >= m.count)
                continue;
            with[r] = replace(&m, &p, r);
            if (with[r] == 0)
                continue;
            hd_ir_kill(f, r);
            *changed = true;
        }
    }
    if (f->module->failed)
        return HD_NO_MEMORY;
    hd_ir_substitute(f, with, m.count);
    hd_ir_sweep(f);
    return HD_OK;
}
