/* lanes/swap.c -- of two consecutive branches, the uniform one goes first.
 *
 * In `if (i < n) …; for (k = 0; k < n; …) …` compilers see that the loop runs where i < n, and let
 * only the other work-items test whether n is 0:
 *
 *     first:  if (i < n) go to load else go to second      first:  if (n == 0) go to end else go
 *     second: if (n == 0) go to end else go to loop    to          to second
 *     load:   … go to loop                                 second: if (i < n) go to load else go
 *                                                                  to loop
 *
 * Lanes that diverge at the first branch then do not provably meet before the end, and all of the
 * loop runs under masks, barriers too. Where the second branch leads to the end, the first one is
 * known to lead to the second. So they may be swapped, and once the uniform branch comes first,
 * lanes that diverge after it meet at the loop.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/swap.h"

#include "ir/edit.h"

#define MOST_DEPTH 4u /* of a condition */
#define MOST_MOVED 8u /* instructions besides the second branch */

typedef struct Pair {
    HdIrFunc *f;
    const HdShapes *s;
    uint32_t first, second, load, end, loop; /* blocks, as above */
    HdIrRef parts, shared;                   /* the first and the second condition */
} Pair;

/* If x is k, is `x how y` equal to `value` for every y? */
static bool is_decided(const HdIrFunc *f, unsigned how, uint64_t k, HdIrRef y, bool value)
{
    HdIrType t = (HdIrType)f->insts.at[y].type;
    uint64_t most = hd_ir_most(f, y, MOST_DEPTH);
    __int128 x = how >= HD_IR_SLT ? (__int128)hd_ir_sign_extend(t, k) : (__int128)k;

    if (how >= HD_IR_SLT && most > hd_ir_ones(t) >> 1)
        return false; /* y may be negative */
    switch (how) {
    case HD_IR_ULT:
    case HD_IR_SLT: return value ? x < 0 : x >= (__int128)most;
    case HD_IR_ULE:
    case HD_IR_SLE: return value ? x <= 0 : x > (__int128)most;
    case HD_IR_UGT:
    case HD_IR_SGT: return value ? x > (__int128)most : x <= 0;
    case HD_IR_UGE:
    case HD_IR_SGE: return value ? x >= (__int128)most : x < 0;
    default: return false;
    }
}

/* If x is k, is condition c equal to `value`? */
static bool follows(const HdIrFunc *f, HdIrRef c, bool value, HdIrRef x, uint64_t k, unsigned depth)
{
    const HdIrInst *in = &f->insts.at[c];
    const HdIrRef *args = hd_ir_args(f, c);

    if (depth == 0)
        return false;
    if (in->op == HD_IR_ICMP && args[0] == x)
        return is_decided(f, in->sub, k, args[1], value);
    if (in->op == HD_IR_ICMP && args[1] == x)
        return is_decided(f, hd_ir_icmp_swapped(in->sub), k, args[0], value);
    if (in->op != HD_IR_SELECT)
        return false;
    /* a and b: false if one of them is; a or b likewise */
    if (!value && hd_ir_is_truth(f, args[2], false))
        return follows(f, args[0], false, x, k, depth - 1) ||
               follows(f, args[1], false, x, k, depth - 1);
    return value && hd_ir_is_truth(f, args[1], true) &&
           (follows(f, args[0], true, x, k, depth - 1) ||
            follows(f, args[2], true, x, k, depth - 1));
}

/* The way that a block's branch takes where its condition is true (0), or not (1). */
static uint32_t way(const Pair *p, uint32_t block, unsigned number)
{
    return p->f->blocks.at[block].succ[number];
}

/* Does it contain only code that may also run before the block, and little of it? */
static bool may_move(const HdIrFunc *f, const HdIrBlock *b)
{
    if (b->insts.count > MOST_MOVED)
        return false;
    for (size_t i = 0; i + 1 < b->insts.count; i++) {
        unsigned op = f->insts.at[b->insts.at[i]].op;

        if (!hd_ir_op_is_pure(op) || hd_ir_op_is_costly(op) || op == HD_IR_PHI ||
            op == HD_IR_ALLOCA)
            return false;
    }
    return true;
}

/* Does the branch of `second` go to `end` only where that of `first` goes to `second`? */
static bool find_end(Pair *p, bool leads_to_second)
{
    const HdIrInst *in = &p->f->insts.at[p->shared];
    uint64_t k;
    bool is_equal = in->op == HD_IR_ICMP && in->sub == HD_IR_EQ;

    if (in->op != HD_IR_ICMP || (!is_equal && in->sub != HD_IR_NE) ||
        !hd_ir_is_const(p->f, hd_ir_arg(p->f, p->shared, 1), &k))
        return false;
    p->end = way(p, p->second, is_equal ? 0 : 1);
    p->loop = way(p, p->second, is_equal ? 1 : 0);
    return follows(p->f, p->parts, leads_to_second, hd_ir_arg(p->f, p->shared, 0), k, MOST_DEPTH);
}

static bool is_branch(const HdIrFunc *f, uint32_t block)
{
    HdIrRef end = hd_ir_last(f, block);
    const HdIrBlock *b = &f->blocks.at[block];

    return end != 0 && f->insts.at[end].op == HD_IR_CONDBR && b->succ[0] != b->succ[1];
}

static bool find_pair(Pair *p, uint32_t first)
{
    const HdIrGraph *g = p->s->g;

    p->first = first;
    if (!p->s->varying[first] || !is_branch(p->f, first))
        return false;
    p->parts = hd_ir_arg(p->f, hd_ir_last(p->f, first), 0);
    for (unsigned i = 0; i < 2; i++) {
        p->second = way(p, first, i);
        p->load = way(p, first, 1 - i);
        if (!is_branch(p->f, p->second) || g->loop[p->second] != g->loop[first] ||
            g->pred_first[p->second + 1] - g->pred_first[p->second] != 1 ||
            p->s->varying[p->second] || !may_move(p->f, &p->f->blocks.at[p->second]))
            continue;
        p->shared = hd_ir_arg(p->f, hd_ir_last(p->f, p->second), 0);
        if (find_end(p, i == 0) && p->end != p->load && p->loop != p->load && p->end != first &&
            p->loop != first)
            return true;
    }
    return false;
}

static HdStatus swap(Pair *p)
{
    HdIrFunc *f = p->f;
    HdIrBlock *a = &f->blocks.at[p->first], *b = &f->blocks.at[p->second];
    HdIrRef branch = a->insts.at[--a->insts.count], other = hd_ir_last(f, p->second);
    bool to_second_if = a->succ[0] == p->second, to_end_if = b->succ[0] == p->end;

    for (size_t i = 0; i + 1 < b->insts.count; i++) {
        hd_ir_inst(f, b->insts.at[i])->block = p->first;
        HD_TRY_PUSH(f->module->arena, &a->insts, b->insts.at[i]);
    }
    b->insts.at[0] = other;
    b->insts.count = 1;
    HD_TRY_PUSH(f->module->arena, &a->insts, branch);
    hd_ir_args(f, branch)[0] = p->shared;
    hd_ir_args(f, other)[0] = p->parts;
    a->succ[to_end_if ? 0 : 1] = p->end;
    a->succ[to_end_if ? 1 : 0] = p->second;
    b->succ[to_second_if ? 0 : 1] = p->loop;
    b->succ[to_second_if ? 1 : 0] = p->load;
    b->rank = a->rank;
    hd_ir_phi_rename(f, p->end, p->second, p->first);
    hd_ir_phi_rename(f, p->load, p->first, p->second);
    return HD_OK;
}

HdStatus hd_lanes_swap(HdIrFunc *f, const HdShapes *s, bool *changed)
{
    Pair p = {.f = f, .s = s};

    *changed = false;
    for (uint32_t i = 0; i < s->g->reachable && !*changed; i++)
        if (find_pair(&p, s->g->order[i])) {
            HD_TRY(swap(&p));
            *changed = true;
        }
    return HD_OK;
}
