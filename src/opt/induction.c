/* opt/induction.c -- induction variables become a start value plus a multiple of one counter.
 *
 * Compilers strength-reduce a[i] in a loop to a pointer that steps from element to element, and i
 * == row to a counter from row down to 0. With base and index instead, unrolling (opt/unroll.c)
 * sees which array element each iteration accesses, lanes/ sees what all iterations and lanes have
 * in common, and there is one counter to keep. A loop that runs until a pointer reaches another one
 * becomes a counted loop. So does one over a work-item's own chunk of an array, from `begin` to
 * `begin + each`, whose trip count is the same for all.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/counted.h"
#include "ir/edit.h"
#include "opt/pass.h"

/* 0, by, 2 by … in the iterations of a loop. */
typedef struct Index {
    uint32_t loop;
    HdIrRef by, phi;
} Index;

typedef struct Indices {
    HdIrFunc *f;
    HdArena *arena;
    const HdIrGraph *g;
    size_t count;    /* insts at the start */
    HdIrRef *with;   /* [count] */
    uint8_t *tested; /* [count] is it compared with a constant that it may be equal to? */
    HdIrRef
        *compared; /* [count] of an address: the last comparison of it, as such or as a number */
    HD_ARRAY(Index) made;
} Indices;

static void find_tested(Indices *s)
{
    for (HdIrRef r = 1; r < s->count; r++) {
        const HdIrInst *in = &s->f->insts.at[r];

        if (in->block != HD_IR_NOWHERE && in->op == HD_IR_ICMP &&
            (in->sub == HD_IR_EQ || in->sub == HD_IR_NE) &&
            hd_ir_is_const(s->f, hd_ir_arg(s->f, r, 1), NULL))
            s->tested[hd_ir_arg(s->f, r, 0)] = 1;
    }
}

/* The address that a number was made from; itself where it is none. */
static HdIrRef address_of(const HdIrFunc *f, HdIrRef r)
{
    return f->insts.at[r].op == HD_IR_BITCAST ? hd_ir_arg(f, r, 0) : r;
}

static void find_compared(Indices *s)
{
    for (HdIrRef r = 1; r < s->count; r++) {
        const HdIrInst *in = &s->f->insts.at[r];

        for (unsigned k = 0; in->block != HD_IR_NOWHERE && in->op == HD_IR_ICMP && k < 2; k++)
            s->compared[address_of(s->f, hd_ir_arg(s->f, r, k))] = r;
    }
}

/* Is it a walk, whichever back edge is taken? */
static bool find_walk(const Indices *s, uint32_t loop, HdIrRef phi, HdCounter *w)
{
    HdLoop l = hd_loop_of(s->f, s->g, loop);

    return hd_counter_find(&l, phi, w) && w->start != 0;
}

/* What has to be added to `start` to get `end`, by the way that is made, and cannot wrap; 0: that
 * is not known. *is_narrow: to what both are extended from. */
static HdIrRef distance_between(const HdIrFunc *f, HdIrRef start, HdIrRef end, bool *is_narrow)
{
    *is_narrow = f->insts.at[start].op == HD_IR_SEXT && f->insts.at[end].op == HD_IR_SEXT;
    if (*is_narrow) {
        start = hd_ir_arg(f, start, 0);
        end = hd_ir_arg(f, end, 0);
    }
    if (f->insts.at[end].op != HD_IR_ADD || (f->insts.at[end].flags & HD_IR_NSW) == 0)
        return 0;
    for (unsigned k = 0; k < 2; k++)
        if (hd_ir_arg(f, end, k) == start)
            return hd_ir_arg(f, end, 1 - k);
    return 0;
}

/* A comparison of `value`, a walk or its next value, with a loop invariant; 0: there is none. *how:
 * the comparison with the value on the left. */
static HdIrRef end_of(const Indices *s, uint32_t loop, HdIrRef value, unsigned *how)
{
    const HdIrFunc *f = s->f;
    HdIrRef test = s->compared[value], end;
    bool is_left;

    if (test == 0 || !hd_ir_loop_holds(s->g, loop, f->insts.at[test].block))
        return 0;
    is_left = address_of(f, hd_ir_arg(f, test, 0)) == value;
    end = address_of(f, hd_ir_arg(f, test, is_left));
    *how = is_left ? f->insts.at[test].sub : hd_ir_icmp_swapped(f->insts.at[test].sub);
    return hd_ir_loop_holds(s->g, loop, f->insts.at[end].block) ? 0 : end;
}

/* Does a number go up from `start` to a known distance from there? */
static bool has_distance(const Indices *s, uint32_t loop, const HdCounter *w, HdIrRef value)
{
    unsigned how;
    HdIrRef end = end_of(s, loop, value, &how);
    bool is_narrow;

    return end != 0 && (how == HD_IR_SLT || how == HD_IR_SGE) &&
           distance_between(s->f, w->start, end, &is_narrow) != 0;
}

/* Pointers, and values that step by a constant up to another one, or over a known distance. */
static bool is_for_index(const Indices *s, uint32_t loop, HdIrRef phi, HdCounter *w)
{
    const HdIrInst *in = &s->f->insts.at[phi];

    if (in->type == HD_IR_PTR)
        return find_walk(s, loop, phi, w);
    return in->type == HD_IR_I64 && find_walk(s, loop, phi, w) &&
           (s->tested[w->phi] || s->tested[w->next] || has_distance(s, loop, w, w->phi) ||
            has_distance(s, loop, w, w->next)) &&
           hd_ir_is_const(s->f, w->by, NULL) && !hd_ir_is_const(s->f, w->start, NULL);
}

/* Does a phi count iterations, from 0 on? */
static bool counts_rounds(const Indices *s, uint32_t loop, HdIrRef phi)
{
    uint64_t start;
    HdCounter w;

    return s->f->insts.at[phi].type == HD_IR_I64 && find_walk(s, loop, phi, &w) &&
           hd_ir_is_const(s->f, w.start, &start) && start == 0 && w.step == 1;
}

/* A constant at the start of the entry. */
static HdIrRef constant(Indices *s, uint64_t bits)
{
    return hd_ir_insert(s->f, 0, 0, HD_IR_CONST, HD_IR_I64, 0, bits, NULL, 0);
}

/* The existing index. `by` is 0 for one that counts iterations. */
static HdIrRef find_index(const Indices *s, uint32_t loop, HdIrRef by)
{
    const HdIrBlock *head = &s->f->blocks.at[s->g->loops[loop].head];

    for (size_t i = 0; i < s->made.count; i++)
        if (s->made.at[i].loop == loop && s->made.at[i].by == by)
            return s->made.at[i].phi;
    for (size_t i = 0; by == 0 && s->f->insts.at[head->insts.at[i]].op == HD_IR_PHI; i++)
        if (counts_rounds(s, loop, head->insts.at[i]))
            return head->insts.at[i];
    return 0;
}

/* The phi of an index that is incremented where walk w is. */
static HdStatus make_index(Indices *s, uint32_t loop, const HdCounter *w, HdIrRef by, HdIrRef *out)
{
    HdIrFunc *f = s->f;
    unsigned nargs = f->insts.at[w->phi].nargs;
    HdIrRef zero, *args, pair[2];

    *out = find_index(s, loop, by);
    if (*out != 0)
        return HD_OK;
    HD_TRY_PUSH(s->arena, &s->made, ((Index){.loop = loop, .by = by}));
    HD_TAKE(args, HD_NEW(s->arena, HdIrRef, nargs));
    zero = constant(s, 0);
    pair[1] = by != 0 ? by : constant(s, 1);
    HD_TAKE(*out, hd_ir_insert(f, s->g->loops[loop].head, 0, HD_IR_PHI, HD_IR_I64, 0, 0, NULL, 0));
    s->made.at[s->made.count - 1].phi = pair[0] = *out;
    for (unsigned k = 0; k + 1 < nargs; k += 2) {
        uint32_t from = hd_ir_arg(f, w->phi, k);
        HdIrRef next = zero;

        if (hd_ir_loop_holds(s->g, loop, from))
            next = hd_ir_insert(f, from, f->blocks.at[from].insts.count - 1, HD_IR_ADD, HD_IR_I64,
                                0, 0, pair, 2);
        args[k] = from;
        args[k + 1] = next;
    }
    hd_ir_set_args(f, *out, args, nargs);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

static HdIrRef put(Indices *s, uint32_t block, size_t *at, HdIrOp op, HdIrType type, HdIrRef a,
                   HdIrRef b)
{
    HdIrRef args[2] = {a, b};

    return hd_ir_insert(s->f, block, (*at)++, op, type, 0, 0, args, b != 0 ? 2 : 1);
}

/* How the iteration numbers compare, given how the walk and its end do; false: they do not decide
 * it. Addresses that loops reach do not wrap. */
static bool compared_rounds(HdIrType t, unsigned how, unsigned *rounds)
{
    static const uint8_t map[] = {
        [HD_IR_EQ] = HD_IR_EQ,   [HD_IR_NE] = HD_IR_NE,   [HD_IR_ULT] = HD_IR_SLT,
        [HD_IR_ULE] = HD_IR_SLE, [HD_IR_UGT] = HD_IR_SGT, [HD_IR_UGE] = HD_IR_SGE};

    *rounds = t == HD_IR_PTR && how <= HD_IR_UGE ? map[how] : how;
    return t == HD_IR_PTR ? how <= HD_IR_UGE : how == HD_IR_SLT || how == HD_IR_SGE;
}

/* end - start, inserted at *at before the loop's header; 0: unknown. */
static HdIrRef put_distance(Indices *s, uint32_t head, size_t *at, HdIrRef start, HdIrRef end)
{
    HdIrRef from, to;
    bool is_narrow;

    if (s->f->insts.at[start].type != HD_IR_PTR) {
        to = distance_between(s->f, start, end, &is_narrow);
        return is_narrow && to != 0 ? put(s, head, at, HD_IR_SEXT, HD_IR_I64, to, 0) : to;
    }
    to = put(s, head, at, HD_IR_BITCAST, HD_IR_I64, end, 0);
    from = put(s, head, at, HD_IR_BITCAST, HD_IR_I64, start, 0);
    return put(s, head, at, HD_IR_SUB, HD_IR_I64, to, from);
}

/* `start + by * index < end` becomes `index < (end - start + by - 1) >> shift`, in the header,
 * after its phis. `value` is the walk or its next value, whose index is one more. */
static HdStatus count_rounds(Indices *s, uint32_t loop, const HdCounter *w, HdIrRef value,
                             HdIrRef index, int64_t by)
{
    HdIrFunc *f = s->f;
    HdIrType type = (HdIrType)f->insts.at[w->start].type;
    uint32_t head = s->g->loops[loop].head;
    HdIrRef end, rounds, args[2];
    unsigned how, sub;
    size_t at;

    end = end_of(s, loop, value, &how);
    if (end == 0 || by <= 0 || (by & (by - 1)) != 0 || f->insts.at[end].type != type ||
        !compared_rounds(type, how, &sub))
        return HD_OK;
    at = hd_ir_phi_count(f, head);
    rounds = put_distance(s, head, &at, w->start, end);
    if (rounds == 0)
        return f->module->failed ? HD_NO_MEMORY : HD_OK;
    if (sub == HD_IR_SLT || sub == HD_IR_SGE)
        rounds = put(s, head, &at, HD_IR_ADD, HD_IR_I64, rounds, constant(s, (uint64_t)by - 1));
    rounds = put(s, head, &at, HD_IR_ASHR, HD_IR_I64, rounds,
                 constant(s, (uint64_t)__builtin_ctzll((uint64_t)by)));
    args[0] =
        value == w->phi ? index : put(s, head, &at, HD_IR_ADD, HD_IR_I64, index, constant(s, 1));
    args[1] = rounds;
    hd_ir_set_args(f, s->compared[value], args, 2);
    f->insts.at[s->compared[value]].sub = (uint8_t)sub;
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* The walk, computed from its start and the index. One with a constant step uses the iteration
 * count. */
static HdStatus rewrite(Indices *s, uint32_t loop, const HdCounter *w)
{
    HdIrFunc *f = s->f;
    uint32_t head = s->g->loops[loop].head;
    HdIrType t = (HdIrType)f->insts.at[w->phi].type;
    HdIrRef pair[2];
    bool goes_down = false;
    int64_t by;
    size_t at;

    if (!hd_ir_is_number(f, w->by, &by)) {
        by = 1;
        HD_TRY(make_index(s, loop, w, w->by, &pair[0]));
    } else {
        HD_TRY(make_index(s, loop, w, 0, &pair[0]));
        goes_down = t == HD_IR_I64 && by < 0;
        for (unsigned k = 0; k < 2; k++)
            HD_TRY(count_rounds(s, loop, w, k == 0 ? w->phi : w->next, pair[0], by));
    }
    at = hd_ir_phi_count(f, head);
    if (goes_down)
        by = -by;
    if (by != 1) {
        pair[1] = constant(s, (uint64_t)by);
        HD_TAKE(pair[0], hd_ir_insert(f, head, at++, HD_IR_MUL, HD_IR_I64, 0, 0, pair, 2));
    }
    pair[1] = pair[0];
    pair[0] = w->start;
    HD_TAKE(s->with[w->phi], hd_ir_insert(f, head, at,
                                          t == HD_IR_PTR ? HD_IR_PTRADD
                                          : goes_down    ? HD_IR_SUB
                                                         : HD_IR_ADD,
                                          t, 0, 0, pair, 2));
    hd_ir_kill(f, w->phi);
    return HD_OK;
}

HdStatus hd_opt_induction(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    Indices s = {.f = f, .arena = scratch, .count = f->insts.count};
    HdIrGraph *g;

    *changed = false;
    HD_TRY(hd_ir_graph(f, scratch, &g));
    s.g = g;
    HD_TAKE(s.with, HD_NEW(scratch, HdIrRef, s.count));
    HD_TAKE(s.tested, HD_NEW(scratch, uint8_t, s.count));
    HD_TAKE(s.compared, HD_NEW(scratch, HdIrRef, s.count));
    find_tested(&s);
    find_compared(&s);
    for (uint32_t l = 0; l < g->loop_count; l++) {
        uint32_t head = g->loops[l].head;

        for (size_t i = 0; !g->loops[l].irreducible && i < f->blocks.at[head].insts.count; i++) {
            HdIrRef phi = f->blocks.at[head].insts.at[i];
            HdCounter w;

            if (f->insts.at[phi].op != HD_IR_PHI)
                break;
            if (phi >= s.count || f->insts.at[phi].block == HD_IR_NOWHERE ||
                !is_for_index(&s, l, phi, &w))
                continue;
            HD_TRY(rewrite(&s, l, &w));
            *changed = true;
        }
    }
    if (*changed) {
        hd_ir_substitute(f, s.with, s.count);
        hd_ir_sweep(f);
    }
    return HD_OK;
}
