/* opt/idiom_move.c -- loops that move private memory byte by byte do it by elements.
 *
 *     for (k = n; k-- > 0;) to[k] = from[k];      either way
 *
 * SPIR-V has no memmove: what clang makes of a loop that shifts an array by a place, its back end
 * writes as a loop over bytes for each direction, behind a comparison of the two addresses. Both
 * addresses and the number of bytes are multiples of an element here, so each byte is still loaded
 * after the same stores. The comparison folds where the addresses are in one array.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/each.h"
#include "ir/edit.h"
#include "ir/linear.h"
#include "opt/pass.h"

/* A loop of one block. */
typedef struct Move {
    uint32_t block, from; /* where it is entered from */
    HdIrRef counter, next, load, store, test;
    HdIrRef start, bound;
    int64_t step;
    unsigned bytes; /* of an element */
    HdIrType type;
    bool is_of_next; /* the test looks at `next` */
} Move;

static const HdIrInst *at(const HdIrFunc *f, HdIrRef r)
{
    return &f->insts.at[r];
}

static bool take(HdIrRef *one, HdIrRef r)
{
    bool is_first = *one == 0;

    *one = r;
    return is_first;
}

/* A counter, its step, a load, a store, a test, and addresses, each once. */
static bool find_parts(const HdIrFunc *f, uint32_t b, Move *x)
{
    const HdIrBlock *block = &f->blocks.at[b];
    bool fits = true;

    *x = (Move){.block = b};
    for (size_t i = 0; fits && i + 1 < block->insts.count; i++) {
        HdIrRef r = block->insts.at[i];

        switch ((HdIrOp)at(f, r)->op) {
        case HD_IR_CONST:
        case HD_IR_PTRADD: break;
        case HD_IR_PHI: fits = take(&x->counter, r); break;
        case HD_IR_ADD: fits = take(&x->next, r); break;
        case HD_IR_LOAD: fits = take(&x->load, r); break;
        case HD_IR_STORE: fits = take(&x->store, r); break;
        case HD_IR_ICMP: fits = take(&x->test, r); break;
        default: fits = false;
        }
    }
    return fits && x->counter != 0 && x->next != 0 && x->load != 0 && x->store != 0 && x->test != 0;
}

static bool is_invariant(const HdIrFunc *f, uint32_t b, HdIrRef r)
{
    return at(f, r)->block != b || at(f, r)->op == HD_IR_CONST;
}

/* Does the counter go up or down by one, in 64 bits, until it or the next one is the bound? */
static bool counts(const HdIrFunc *f, Move *x)
{
    const HdIrBlock *b = &f->blocks.at[x->block];
    unsigned own = hd_ir_arg(f, x->counter, 0) == x->block ? 0 : 2;
    unsigned how = at(f, x->test)->sub;
    HdIrRef tested = hd_ir_arg(f, x->test, 0);

    if (at(f, x->counter)->type != HD_IR_I64 || at(f, x->counter)->nargs != 4 ||
        hd_ir_arg(f, x->counter, own) != x->block || hd_ir_arg(f, x->counter, own + 1) != x->next ||
        hd_ir_arg(f, x->next, 0) != x->counter ||
        !hd_ir_is_number(f, hd_ir_arg(f, x->next, 1), &x->step) || (x->step != 1 && x->step != -1))
        return false;
    x->from = hd_ir_arg(f, x->counter, 2 - own);
    x->start = hd_ir_arg(f, x->counter, 3 - own);
    x->bound = hd_ir_arg(f, x->test, 1);
    x->is_of_next = tested == x->next;
    return (x->is_of_next || tested == x->counter) && is_invariant(f, x->block, x->bound) &&
           hd_ir_arg(f, hd_ir_last(f, x->block), 0) == x->test &&
           ((how == HD_IR_EQ && b->succ[1] == x->block) ||
            (how == HD_IR_NE && b->succ[0] == x->block));
}

/* Nobody else asks for what the loop computes. */
static bool are_inside(const HdIrFunc *f, const uint32_t *uses, const Move *x)
{
    const HdIrBlock *b = &f->blocks.at[x->block];
    const HdIrRef of[4] = {x->counter, x->next, x->load, x->test};
    uint32_t inside[4] = {0};

    for (size_t i = 0; i < b->insts.count; i++)
        for (unsigned k = 0; k < at(f, b->insts.at[i])->nargs; k++)
            for (unsigned n = 0; n < 4; n++)
                inside[n] += hd_ir_arg_is_value(at(f, b->insts.at[i]), k) &&
                             hd_ir_arg(f, b->insts.at[i], k) == of[n];
    for (unsigned n = 0; n < 4; n++)
        if (uses[of[n]] != inside[n])
            return false;
    return true;
}

static bool is_counter(const void *user, HdIrRef r)
{
    return ((const Move *)user)->counter == r;
}

static HdLinear sum_of(const HdIrFunc *f, const Move *x, HdIrRef r)
{
    HdLinearRules rules = {.f = f, .extend = HD_LINEAR_PROVE, .user = x, .leaf = is_counter};

    return hd_linear_of(&rules, r);
}

static bool is_multiple(const HdLinear *s, unsigned of)
{
    for (unsigned i = 0; i < s->count; i++)
        if (s->terms[i].factor % of != 0)
            return false;
    return s->is_whole && s->is_exact && s->constant % of == 0;
}

/* Is the lowest byte of the first element at a multiple of elements in private memory? */
static bool is_aligned(const HdIrFunc *f, const Move *x, HdIrRef address)
{
    HdLinear s = sum_of(f, x, address);
    unsigned k = 0;

    while (k < s.count && s.terms[k].of != x->counter)
        k++;
    if (s.base == 0 || at(f, s.base)->op != HD_IR_ALLOCA || 1u << at(f, s.base)->sub < x->bytes ||
        k == s.count || s.terms[k].factor != 1 || s.terms[k].how != HD_IR_ADD)
        return false;
    hd_linear_drop(&s, k);
    s.base = 0;
    s.type = HD_IR_I64;
    hd_linear_add(&(HdLinearRules){.f = f, .extend = HD_LINEAR_PROVE}, &s, x->start, HD_IR_ADD, 1);
    s.constant -= x->step < 0 ? x->bytes - 1 : 0;
    return is_multiple(&s, x->bytes);
}

static bool moves_elements(const HdIrFunc *f, const Move *x)
{
    HdLinear start = sum_of(f, x, x->start), bound = sum_of(f, x, x->bound), count;

    count = x->step > 0 ? hd_linear_minus(&bound, &start) : hd_linear_minus(&start, &bound);
    count.constant += !x->is_of_next;
    return is_multiple(&count, x->bytes) && is_aligned(f, x, hd_ir_arg(f, x->load, 0)) &&
           is_aligned(f, x, hd_ir_arg(f, x->store, 0));
}

/* The smallest type, above a byte, that the array is accessed as elsewhere. */
static bool find_type(const HdIrFunc *f, Move *x)
{
    HdIrRef array = hd_linear_object(f, hd_ir_arg(f, x->store, 0));

    x->bytes = 0;
    for (HdIrEach e = hd_ir_each(f); hd_ir_next(&e);) {
        unsigned op = at(f, e.inst)->op, bytes;
        HdIrRef value = op == HD_IR_LOAD ? e.inst : 0;

        if (op == HD_IR_STORE)
            value = hd_ir_arg(f, e.inst, 1);
        if (value == 0 || hd_linear_object(f, hd_ir_arg(f, e.inst, 0)) != array)
            continue;
        bytes = hd_ir_type_bytes((HdIrType)at(f, value)->type);
        if (bytes < 2 || bytes > 8 || (x->bytes != 0 && bytes >= x->bytes))
            continue;
        x->bytes = bytes;
        x->type = (HdIrType)at(f, value)->type;
    }
    return x->bytes != 0 && x->type != HD_IR_PTR && x->type != HD_IR_BOOL;
}

static bool moves_bytes(const HdIrFunc *f, const Move *x)
{
    return at(f, x->load)->type == HD_IR_I8 && at(f, x->load)->flags == 0 &&
           at(f, x->store)->flags == 0 && hd_ir_arg(f, x->store, 1) == x->load;
}

/* A value, less a number, where index *i of a block is. */
static HdStatus less(HdIrFunc *f, uint32_t b, size_t i, HdIrRef r, unsigned number, HdIrRef *out)
{
    HdIrRef args[2] = {r};

    HD_TAKE(args[1], hd_ir_insert(f, b, i, HD_IR_CONST, HD_IR_I64, 0, (uint64_t) - (int64_t)number,
                                  NULL, 0));
    HD_TAKE(*out, hd_ir_insert(f, b, i + 1, HD_IR_ADD, HD_IR_I64, 0, 0, args, 2));
    return HD_OK;
}

/* By elements, whose first bytes the counter is about. */
static HdStatus widen(HdIrFunc *f, const Move *x)
{
    unsigned own = hd_ir_arg(f, x->counter, 0) == x->block ? 0 : 2;
    size_t after = hd_ir_phi_count(f, x->block);
    HdIrRef r, args[2] = {x->counter};

    if (x->step < 0) {
        HD_TRY(less(f, x->from, f->blocks.at[x->from].insts.count - 1, x->start, x->bytes - 1, &r));
        hd_ir_args(f, x->counter)[3 - own] = r;
    }
    if (x->is_of_next == (x->step < 0)) {
        HD_TRY(less(f, x->block, after, x->bound, x->bytes - 1, &r));
        hd_ir_args(f, x->test)[1] = r;
    }
    HD_TAKE(args[1], hd_ir_insert(f, x->block, after, HD_IR_CONST, HD_IR_I64, 0,
                                  (uint64_t)(x->step * (int64_t)x->bytes), NULL, 0));
    hd_ir_set_args(f, x->next, args, 2);
    hd_ir_inst(f, x->next)->flags = 0;
    hd_ir_inst(f, x->load)->type = (uint8_t)x->type;
    hd_ir_inst(f, x->load)->imm = x->bytes;
    hd_ir_inst(f, x->store)->imm = x->bytes;
    return HD_OK;
}

static HdIrRef address_in(const HdIrFunc *f, HdIrRef r)
{
    return at(f, r)->op == HD_IR_BITCAST && at(f, hd_ir_arg(f, r, 0))->type == HD_IR_PTR
               ? hd_ir_arg(f, r, 0)
               : 0;
}

/* Which of two addresses in one array of private memory is the lower one, is known. */
static bool fold_order(HdIrFunc *f, HdIrRef r)
{
    unsigned how = at(f, r)->sub;
    HdIrRef a, b;
    int64_t p, q;

    if (at(f, r)->op != HD_IR_ICMP || how < HD_IR_ULT || how > HD_IR_UGE)
        return false;
    a = address_in(f, hd_ir_arg(f, r, 0));
    b = address_in(f, hd_ir_arg(f, r, 1));
    if (a == 0 || b == 0 || hd_linear_base(f, a, &p) != hd_linear_base(f, b, &q) ||
        at(f, hd_linear_object(f, a))->op != HD_IR_ALLOCA)
        return false;
    hd_ir_inst(f, r)->op = HD_IR_CONST;
    hd_ir_inst(f, r)->nargs = 0;
    hd_ir_inst(f, r)->sub = 0;
    hd_ir_inst(f, r)->imm = how == HD_IR_ULT   ? p < q
                            : how == HD_IR_ULE ? p <= q
                            : how == HD_IR_UGT ? p > q
                                               : p >= q;
    return true;
}

HdStatus hd_opt_idiom_move(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    uint32_t *uses;

    for (HdIrEach e = hd_ir_each(f); hd_ir_next(&e);)
        if (fold_order(f, e.inst))
            *changed = true;
    HD_TAKE(uses, hd_ir_count_uses(f, scratch));
    for (uint32_t b = 0; b < f->blocks.count; b++) {
        Move x;

        if (!hd_ir_is_own_loop(f, b) || !find_parts(f, b, &x) || !counts(f, &x) ||
            !moves_bytes(f, &x) || !are_inside(f, uses, &x) || !find_type(f, &x) ||
            !moves_elements(f, &x))
            continue;
        HD_TRY(widen(f, &x));
        *changed = true;
    }
    return HD_OK;
}
