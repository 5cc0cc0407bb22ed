/* opt/cfg.c -- simplifies the control-flow graph.
 *
 * Folds branches on constants, merges straight-line sequences, skips empty blocks and turns small
 * branches into selects. What must not change is which lanes meet at a convergent operation: a
 * block with one is merged with another only if nothing is between the two in the execution order,
 * and is never skipped, moved or duplicated. Loop headers, and blocks that OpLoopMerge names, stay
 * where they are.
 *
 * Cases of a switch that its number cannot have are dropped (`switch (x & 3)` with four cases has
 * no default), so that lanes meet behind the switch and not at the end of the function.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"
#include "ir/graph.h"
#include "opt/pass.h"

#include <string.h>

/* Rounds over the graph: a bound of compile time. */
#define MAX_ROUNDS     16
#define MAX_TRIED      64 /* branches of an iteration, one by one */
#define MAX_SPECULATED 6  /* operations of both arms of a branch that becomes selects */

enum { CHANGED = 1, MORE_PREDS = 2 };

typedef struct Cfg {
    HdIrFunc *f;
    HdArena *arena;
    const HdIrGraph *g;
    HdIrRef *with;
    size_t with_count;
    uint8_t *touched;  /* CHANGED: the graph is out of date; MORE_PREDS: only its predecessors
                        * are */
    uint8_t *is_merge; /* named by OpLoopMerge */
    uint8_t *is_head;
    bool changed;
} Cfg;

static HdIrBlock *block_at(const Cfg *s, uint32_t b)
{
    return &s->f->blocks.at[b];
}

static HdIrInst *last_of(const Cfg *s, uint32_t b)
{
    return hd_ir_inst(s->f, hd_ir_last(s->f, b));
}

static uint32_t pred_count(const Cfg *s, uint32_t b)
{
    return s->g->pred_first[b + 1] - s->g->pred_first[b];
}

static bool has_convergent(const Cfg *s, uint32_t b)
{
    for (size_t i = 0; i < block_at(s, b)->insts.count; i++)
        if (hd_ir_op_is_convergent(s->f->insts.at[block_at(s, b)->insts.at[i]].op))
            return true;
    return false;
}

/* ---- branches that are decided ----------------------------------------------------------------
 */

/* Leave one successor, `kept`. */
static void decide(Cfg *s, uint32_t b, uint32_t kept)
{
    const HdIrBlock *block = block_at(s, b);

    for (uint32_t i = 0; i < block->succ_count; i++)
        if (block->succ[i] != kept)
            hd_ir_phi_drop(s->f, block->succ[i], b);
    hd_ir_leave_one_way(s->f, b, kept);
    s->changed = true;
}

/* Does nothing get to a block, by the module's promise? */
static bool is_never(const Cfg *s, uint32_t b)
{
    return block_at(s, b)->insts.count == 1 && last_of(s, b)->op == HD_IR_UNREACHABLE;
}

/* Where a branch leads whatever happens; HD_IR_NOWHERE: that is not known. */
static uint32_t only_way(const Cfg *s, uint32_t b)
{
    const HdIrBlock *block = block_at(s, b);
    const HdIrInst *last = last_of(s, b);
    uint32_t to = block->succ_count > 0 ? block->succ[0] : HD_IR_NOWHERE;
    bool same = true;
    uint64_t bits;

    if (last->op != HD_IR_SWITCH && last->op != HD_IR_CONDBR)
        return HD_IR_NOWHERE;
    for (uint32_t i = 1; i < block->succ_count; i++)
        same = same && block->succ[i] == to;
    if (same)
        return to;
    for (uint32_t i = 0; last->op == HD_IR_CONDBR && i < 2; i++)
        if (is_never(s, block->succ[i]))
            return block->succ[1 - i];
    if (!hd_ir_is_const(s->f, hd_ir_arg(s->f, hd_ir_last(s->f, b), 0), &bits))
        return HD_IR_NOWHERE;
    if (last->op == HD_IR_CONDBR)
        return block->succ[bits != 0 ? 0 : 1];
    for (uint32_t i = block->succ_count - 1; i >= 1; i--)
        if (block->cases[i - 1] == bits)
            to = block->succ[i];
    return to;
}

/* The graph that is left when branches lead where way[block] says. */
static HdStatus graph_of_ways(Cfg *s, uint32_t *way, HdIrGraph **out)
{
    uint32_t n = (uint32_t)s->f->blocks.count;
    HdIrBlock *kept;
    HdStatus st;

    HD_TAKE(kept, HD_NEW(s->arena, HdIrBlock, n));
    memcpy(kept, s->f->blocks.at, n * sizeof *kept);
    for (uint32_t b = 0; b < n; b++)
        if (way[b] != HD_IR_NOWHERE) {
            block_at(s, b)->succ = &way[b];
            block_at(s, b)->succ_count = 1;
        }
    st = hd_ir_graph(s->f, s->arena, out);
    memcpy(s->f->blocks.at, kept, n * sizeof *kept);
    return st;
}

/* Convergent operations, except barriers: all lanes reach those whatever the order. */
static bool has_meeting(const Cfg *s, uint32_t b)
{
    for (size_t i = 0; i < block_at(s, b)->insts.count; i++) {
        unsigned op = s->f->insts.at[block_at(s, b)->insts.at[i]].op;

        if (hd_ir_op_is_convergent(op) && op != HD_IR_BARRIER && op != HD_IR_YIELD)
            return true;
    }
    return false;
}

/* Blocks before which the same others must run for the same lanes to meet: those where lanes meet,
 * and in loops around them all blocks, since what runs first there is back first. */
static HdStatus find_meetings(const Cfg *s, const HdIrGraph *g, bool **out)
{
    bool *meets;

    HD_TAKE(meets, HD_NEW(s->arena, bool, s->f->blocks.count));
    for (uint32_t i = 0; i < g->reachable; i++) {
        uint32_t b = g->order[i], l = g->loop[b];

        if (!has_meeting(s, b))
            continue;
        meets[b] = true;
        while (l != HD_IR_NOWHERE && g->loops[l].parent != HD_IR_NOWHERE)
            l = g->loops[l].parent;
        if (l == HD_IR_NOWHERE)
            continue;
        for (uint32_t k = g->loops[l].first; k <= g->loops[l].last; k++)
            meets[g->order[k]] = true;
        i = g->loops[l].last;
    }
    *out = meets;
    return HD_OK;
}

/* Do the same blocks as before run before each one of `meets`? Then the same lanes meet. */
static bool meets_same(const HdIrGraph *before, const HdIrGraph *after, const bool *meets)
{
    uint32_t at = 0, highest = 0;

    for (uint32_t i = 0; i < before->reachable; i++) {
        uint32_t b = before->order[i], rank = after->rank[b];

        if (rank == HD_IR_NOWHERE)
            continue;
        if ((rank != at || highest > at) && meets[b])
            return false;
        highest = rank > highest ? rank : highest;
        at++;
    }
    return true;
}

/* A never-taken edge may be what keeps a block inside a loop, or determines which of its entries is
 * the header. Such edges stay: without them other lanes would meet. */
static HdStatus keep_order(Cfg *s, uint32_t *way)
{
    uint32_t n = (uint32_t)s->f->blocks.count, tried = 0, *all;
    HdIrGraph *before, *after;
    bool any = false, decides = false, *meets;

    for (uint32_t b = 0; b < n; b++) {
        any = any || has_meeting(s, b);
        decides = decides || way[b] != HD_IR_NOWHERE;
    }
    if (!any || !decides)
        return HD_OK;
    HD_TRY(hd_ir_graph(s->f, s->arena, &before));
    HD_TRY(find_meetings(s, before, &meets));
    HD_TRY(graph_of_ways(s, way, &after));
    if (meets_same(before, after, meets))
        return HD_OK;
    HD_TAKE(all, HD_NEW(s->arena, uint32_t, n));
    memcpy(all, way, n * sizeof *all);
    memset(way, 0xff, n * sizeof *way);
    for (uint32_t b = 0; b < n && tried < MAX_TRIED; b++) {
        if (all[b] == HD_IR_NOWHERE)
            continue;
        tried++;
        way[b] = all[b];
        HD_TRY(graph_of_ways(s, way, &after));
        if (!meets_same(before, after, meets))
            way[b] = HD_IR_NOWHERE;
    }
    return HD_OK;
}

/* Drop the cases of a switch, and its default, that nothing gets to: `switch (x & 3)` with four
 * cases. Lanes that part there meet after it, and not at the end of the function only. */
static void drop_never(Cfg *s, uint32_t b)
{
    HdIrBlock *block = block_at(s, b);
    uint32_t kept = 1;

    for (uint32_t i = 1; i < block->succ_count; i++) {
        if (is_never(s, block->succ[i]))
            continue;
        block->cases[kept - 1] = block->cases[i - 1];
        block->succ[kept++] = block->succ[i];
    }
    if (kept > 2 && is_never(s, block->succ[0]))
        block->succ[0] = block->succ[--kept];
    s->changed = s->changed || kept != block->succ_count;
    block->succ_count = kept;
}

/* Unless that may change which lanes meet at a convergent operation. */
static void drop_never_taken(Cfg *s)
{
    uint32_t n = (uint32_t)s->f->blocks.count;

    for (uint32_t b = 0; b < n; b++)
        if (has_meeting(s, b))
            return;
    for (uint32_t b = 0; b < n; b++)
        if (last_of(s, b)->op == HD_IR_SWITCH)
            drop_never(s, b);
}

/* A switch of one case is a comparison. */
static HdStatus compare_switch(Cfg *s, uint32_t b)
{
    HdIrBlock *block = block_at(s, b);
    HdIrRef r = hd_ir_last(s->f, b), value = hd_ir_arg(s->f, r, 0), args[2] = {value, 0};
    HdIrType t = (HdIrType)s->f->insts.at[value].type;
    size_t at = block->insts.count - 1;
    uint32_t to;

    HD_TAKE(args[1], hd_ir_insert(s->f, b, at, HD_IR_CONST, t, 0, block->cases[0], NULL, 0));
    HD_TAKE(args[0], hd_ir_insert(s->f, b, at + 1, HD_IR_ICMP, HD_IR_BOOL, HD_IR_EQ, 0, args, 2));
    block = block_at(s, b);
    to = block->succ[0];
    block->succ[0] = block->succ[1];
    block->succ[1] = to;
    block->cases = NULL;
    s->f->insts.at[r].op = HD_IR_CONDBR;
    hd_ir_set_args(s->f, r, args, 1);
    s->changed = true;
    return HD_OK;
}

static HdStatus decide_branches(Cfg *s)
{
    uint32_t n = (uint32_t)s->f->blocks.count, *way;

    drop_never_taken(s);
    HD_TAKE(way, HD_NEW(s->arena, uint32_t, n));
    for (uint32_t b = 0; b < n; b++)
        way[b] = only_way(s, b);
    HD_TRY(keep_order(s, way));
    for (uint32_t b = 0; b < n; b++) {
        if (way[b] != HD_IR_NOWHERE)
            decide(s, b, way[b]);
        else if (last_of(s, b)->op == HD_IR_SWITCH && block_at(s, b)->succ_count == 2)
            HD_TRY(compare_switch(s, b));
    }
    return HD_OK;
}

/* ---- straight lines ---------------------------------------------------------------------------
 */

/* Append the contents of block b to block a, whose only successor it is. */
static HdStatus append_block(Cfg *s, uint32_t a, uint32_t b)
{
    HdIrFunc *f = s->f;
    HdIrBlock *to = block_at(s, a), *from = block_at(s, b);

    hd_ir_kill(f, hd_ir_last(f, a));
    to->insts.count--;
    for (size_t i = 0; i < from->insts.count; i++) {
        HdIrRef r = from->insts.at[i];
        HdIrInst *in = hd_ir_inst(f, r);

        if (in->op == HD_IR_PHI) { /* one predecessor, one value */
            s->with[r] = hd_ir_resolve(s->with, s->with_count, hd_ir_arg(f, r, 1));
            hd_ir_kill(f, r);
            continue;
        }
        in->block = a;
        HD_TRY_PUSH(f->module->arena, &to->insts, r);
    }
    for (uint32_t i = 0; i < from->succ_count; i++)
        hd_ir_phi_rename(f, from->succ[i], b, a);
    to->succ = from->succ;
    to->succ_count = from->succ_count;
    to->cases = from->cases;
    from->insts.count = 0;
    from->succ_count = 0; /* unreachable: removed at the end of the iteration */
    s->changed = true;
    return HD_OK;
}

static HdStatus join_lines(Cfg *s)
{
    for (uint32_t i = 0; i < s->g->reachable; i++) {
        uint32_t a = s->g->order[i], end = i;

        if (block_at(s, a)->insts.count == 0)
            continue; /* it was appended to another */
        while (last_of(s, a)->op == HD_IR_BR) {
            uint32_t b = block_at(s, a)->succ[0];

            if (b == a || pred_count(s, b) != 1 || s->is_merge[b] || s->is_head[b] ||
                block_at(s, b)->loop_merge != HD_IR_NOWHERE)
                break;
            if (s->g->rank[b] != end + 1 && (has_convergent(s, a) || has_convergent(s, b)))
                break;
            end = s->g->rank[b];
            s->touched[a] = s->touched[b] = CHANGED;
            HD_TRY(append_block(s, a, b));
        }
    }
    return HD_OK;
}

/* ---- empty blocks ------------------------------------------------------------------------------
 */

static bool goes_to(const Cfg *s, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < block_at(s, from)->succ_count; i++)
        if (block_at(s, from)->succ[i] == to)
            return true;
    return false;
}

/* Give the phis of c, for each predecessor of b, the value they have for b. */
static HdStatus widen_phis(Cfg *s, uint32_t b, uint32_t c)
{
    HdIrFunc *f = s->f;
    const uint32_t *preds = s->g->pred + s->g->pred_first[b];
    uint32_t count = pred_count(s, b);

    for (size_t i = 0; i < block_at(s, c)->insts.count; i++) {
        HdIrRef r = block_at(s, c)->insts.at[i], value, *args;
        unsigned old = f->insts.at[r].nargs, n = 0;

        if (f->insts.at[r].op != HD_IR_PHI)
            break;
        HD_TAKE(args, HD_NEW(s->arena, HdIrRef, old + (size_t)count * 2));
        value = hd_ir_phi_value(s->f, r, b);
        for (unsigned k = 0; k + 1 < old; k += 2) {
            if (hd_ir_arg(f, r, k) == b)
                continue;
            args[n++] = hd_ir_arg(f, r, k);
            args[n++] = hd_ir_arg(f, r, k + 1);
        }
        for (uint32_t p = 0; p < count; p++) {
            if (goes_to(s, preds[p], c))
                continue; /* checked: the same value */
            args[n++] = preds[p];
            args[n++] = value;
        }
        hd_ir_set_args(f, r, args, n);
    }
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* May the ways through the empty block b go straight to c? */
static bool may_skip(const Cfg *s, uint32_t b, uint32_t c)
{
    if (b == 0 || c == b || s->touched[b] != 0 || (s->touched[c] & CHANGED) != 0 ||
        s->is_merge[b] || s->is_head[b] || s->is_head[c] || s->is_merge[c] ||
        block_at(s, b)->loop_merge != HD_IR_NOWHERE)
        return false;
    /* leaving a loop and joining what comes after it stay two steps */
    if (s->g->loop[b] != s->g->loop[c])
        return false;
    for (uint32_t e = s->g->pred_first[b]; e < s->g->pred_first[b + 1]; e++) {
        uint32_t p = s->g->pred[e];

        if ((s->touched[p] & CHANGED) != 0 || s->g->loop[p] != s->g->loop[b])
            return false;
        if (!goes_to(s, p, c))
            continue;
        for (size_t i = 0; i < block_at(s, c)->insts.count; i++) {
            HdIrRef r = block_at(s, c)->insts.at[i];

            if (s->f->insts.at[r].op != HD_IR_PHI)
                break;
            if (hd_ir_phi_value(s->f, r, p) != hd_ir_phi_value(s->f, r, b))
                return false;
        }
    }
    return true;
}

static HdStatus skip_empty(Cfg *s)
{
    for (uint32_t i = 0; i < s->g->reachable; i++) {
        uint32_t b = s->g->order[i], c;

        if (block_at(s, b)->insts.count != 1 || last_of(s, b)->op != HD_IR_BR)
            continue;
        c = block_at(s, b)->succ[0];
        if (!may_skip(s, b, c))
            continue;
        HD_TRY(widen_phis(s, b, c));
        for (uint32_t e = s->g->pred_first[b]; e < s->g->pred_first[b + 1]; e++) {
            HdIrBlock *p = block_at(s, s->g->pred[e]);

            for (uint32_t k = 0; k < p->succ_count; k++)
                if (p->succ[k] == b)
                    p->succ[k] = c;
        }
        s->touched[b] = CHANGED;
        s->touched[c] |= MORE_PREDS;
        block_at(s, b)->succ_count = 0; /* unreachable now */
        block_at(s, b)->insts.count = 0;
        s->changed = true;
    }
    return HD_OK;
}

/* ---- selects -----------------------------------------------------------------------------------
 */

/* Operations of an arm, all of them cheap enough to be done by all lanes; UINT32_MAX: not so. */
static uint32_t arm_cost(const Cfg *s, uint32_t b)
{
    const HdIrBlock *block = block_at(s, b);
    uint32_t cost = 0;

    for (size_t i = 0; i + 1 < block->insts.count; i++) {
        const HdIrInst *in = hd_ir_inst(s->f, block->insts.at[i]);

        if (!hd_ir_op_is_pure(in->op) || hd_ir_op_is_costly(in->op))
            return UINT32_MAX;
        switch (in->op) {
        case HD_IR_PHI:
        case HD_IR_ALLOCA:
        case HD_IR_RESULT:
        case HD_IR_SLOT: return UINT32_MAX;
        case HD_IR_CONST:
        case HD_IR_UNDEF: break;
        default: cost++; break;
        }
        if (cost > MAX_SPECULATED)
            return UINT32_MAX;
    }
    return cost;
}

/* Is b an arm of the branch that ends a: entered from there only, going on to one block? */
static bool is_arm(const Cfg *s, uint32_t a, uint32_t b)
{
    return b != a && pred_count(s, b) == 1 && last_of(s, b)->op == HD_IR_BR && !s->touched[b] &&
           !s->is_merge[b] && !s->is_head[b] && block_at(s, b)->loop_merge == HD_IR_NOWHERE &&
           s->g->loop[b] == s->g->loop[a] && arm_cost(s, b) != UINT32_MAX;
}

/* Move what an arm computes to the end of a, before its branch. */
static HdStatus empty_arm(Cfg *s, uint32_t a, uint32_t b)
{
    HdIrBlock *to = block_at(s, a), *from = block_at(s, b);
    HdIrRef branch = to->insts.at[--to->insts.count];

    for (size_t i = 0; i + 1 < from->insts.count; i++) {
        s->f->insts.at[from->insts.at[i]].block = a;
        HD_TRY_PUSH(s->f->module->arena, &to->insts, from->insts.at[i]);
    }
    HD_TRY_PUSH(s->f->module->arena, &to->insts, branch);
    from->insts.count = 0;
    from->succ_count = 0;
    s->touched[b] = CHANGED;
    return HD_OK;
}

/* Replace the branch at the end of a, whose ways meet again in `join`, by selects.
 *   yes, no   the predecessors in `join`: an arm, or a itself */
static HdStatus make_selects(Cfg *s, uint32_t a, uint32_t yes, uint32_t no, uint32_t join)
{
    HdIrFunc *f = s->f;
    HdIrRef cond = hd_ir_arg(f, hd_ir_last(f, a), 0);

    if (yes != a)
        HD_TRY(empty_arm(s, a, yes));
    if (no != a)
        HD_TRY(empty_arm(s, a, no));
    for (size_t i = 0; i < block_at(s, join)->insts.count; i++) {
        HdIrRef r = block_at(s, join)->insts.at[i], args[3] = {cond, 0, 0}, value, *list;
        unsigned old = f->insts.at[r].nargs, n = 0;
        HdIrType t = (HdIrType)f->insts.at[r].type;

        if (f->insts.at[r].op != HD_IR_PHI)
            break;
        args[1] = hd_ir_phi_value(s->f, r, yes);
        args[2] = hd_ir_phi_value(s->f, r, no);
        value = args[1];
        if (args[1] != args[2])
            HD_TAKE(value, hd_ir_insert(f, a, block_at(s, a)->insts.count - 1, HD_IR_SELECT, t, 0,
                                        0, args, 3));
        HD_TAKE(list, HD_NEW(s->arena, HdIrRef, old));
        for (unsigned k = 0; k + 1 < old; k += 2) {
            if (hd_ir_arg(f, r, k) == yes || hd_ir_arg(f, r, k) == no)
                continue;
            list[n++] = hd_ir_arg(f, r, k);
            list[n++] = hd_ir_arg(f, r, k + 1);
        }
        list[n++] = a;
        list[n++] = value;
        hd_ir_set_args(f, r, list, n);
    }
    hd_ir_leave_one_way(s->f, a, join);
    s->touched[a] = s->touched[join] = CHANGED;
    s->changed = true;
    return HD_OK;
}

/* Are there more than a handful of phis to select? */
static bool many_phis(const Cfg *s, uint32_t join)
{
    const HdIrBlock *b = block_at(s, join);

    return b->insts.count > MAX_SPECULATED &&
           s->f->insts.at[b->insts.at[MAX_SPECULATED]].op == HD_IR_PHI;
}

static HdStatus find_selects(Cfg *s)
{
    for (uint32_t i = s->g->reachable; i-- > 0;) {
        uint32_t a = s->g->order[i], yes, no, join, cost = 0;

        if (s->touched[a] || block_at(s, a)->insts.count == 0 ||
            last_of(s, a)->op != HD_IR_CONDBR || block_at(s, a)->loop_merge != HD_IR_NOWHERE)
            continue;
        yes = block_at(s, a)->succ[0];
        no = block_at(s, a)->succ[1];
        if (is_arm(s, a, yes) && is_arm(s, a, no) &&
            block_at(s, yes)->succ[0] == block_at(s, no)->succ[0]) {
            join = block_at(s, yes)->succ[0];
            cost = arm_cost(s, yes) + arm_cost(s, no);
        } else if (is_arm(s, a, yes) && block_at(s, yes)->succ[0] == no) {
            join = no;
            cost = arm_cost(s, yes);
            no = a;
        } else if (is_arm(s, a, no) && block_at(s, no)->succ[0] == yes) {
            join = yes;
            cost = arm_cost(s, no);
            yes = a;
        } else {
            continue;
        }
        if (join == a || s->touched[join] || s->is_head[join] || cost > MAX_SPECULATED ||
            s->g->loop[join] != s->g->loop[a] || many_phis(s, join))
            continue;
        HD_TRY(make_selects(s, a, yes, no, join));
    }
    return HD_OK;
}

/* ---- conditions of two branches ----------------------------------------------------------------
 */

#define MOST_CHOSEN 2u /* phis that differ between two ways that become one */

/* Two branches with a common target, the second at the end of a block that does little else.
 */
typedef struct Chain {
    uint32_t a, b;         /* the block of the first and of the second */
    uint32_t shared, rest; /* where both may go, and where only the second does */
} Chain;

static bool is_chain(const Cfg *s, const Chain *c)
{
    unsigned differ = 0;

    if (c->b == c->a || c->shared == c->b || c->shared == c->rest || c->rest == c->b ||
        c->rest == c->a || c->shared == c->a || pred_count(s, c->b) != 1 || s->touched[c->b] ||
        s->touched[c->shared] || s->touched[c->rest] || s->is_merge[c->b] || s->is_head[c->b] ||
        s->is_head[c->shared] || block_at(s, c->b)->loop_merge != HD_IR_NOWHERE ||
        s->g->loop[c->b] != s->g->loop[c->a] || s->g->loop[c->shared] != s->g->loop[c->a] ||
        arm_cost(s, c->b) > MAX_SPECULATED)
        return false;
    /* Lanes of the first branch wait there for those of the second. */
    if (s->g->rank[c->shared] < s->g->rank[c->b])
        return false;
    for (size_t i = 0; i < block_at(s, c->shared)->insts.count; i++) {
        HdIrRef r = block_at(s, c->shared)->insts.at[i];

        if (s->f->insts.at[r].op != HD_IR_PHI)
            break;
        differ += hd_ir_phi_value(s->f, r, c->a) != hd_ir_phi_value(s->f, r, c->b);
    }
    return differ <= MOST_CHOSEN;
}

/* Find the structure of the branch of a. */
static bool find_chain(const Cfg *s, uint32_t a, Chain *c)
{
    const HdIrBlock *from = block_at(s, a);

    for (unsigned i = 0; i < 2; i++) {
        const HdIrBlock *b = block_at(s, from->succ[i]);

        *c = (Chain){.a = a, .b = from->succ[i], .shared = from->succ[1 - i]};
        if (b->insts.count == 0 || last_of(s, c->b)->op != HD_IR_CONDBR ||
            (b->succ[0] != c->shared && b->succ[1] != c->shared))
            continue;
        c->rest = b->succ[b->succ[0] == c->shared ? 1 : 0];
        if (is_chain(s, c))
            return true;
    }
    return false;
}

static HdStatus before_branch(Cfg *s, uint32_t b, HdIrOp op, HdIrType t, uint64_t imm,
                              const HdIrRef *args, size_t n, HdIrRef *out)
{
    HD_TAKE(*out, hd_ir_insert(s->f, b, block_at(s, b)->insts.count - 1, op, t, 0, imm, args, n));
    return HD_OK;
}

/* The phis of the common target, now that there is one path. `first`: does a branch there
 * directly? */
static HdStatus join_phis(Cfg *s, const Chain *c, HdIrRef first)
{
    HdIrFunc *f = s->f;

    for (size_t i = 0; i < block_at(s, c->shared)->insts.count; i++) {
        HdIrRef r = block_at(s, c->shared)->insts.at[i], args[3] = {first, 0, 0}, value, *list;
        unsigned old = f->insts.at[r].nargs, n = 0;

        if (f->insts.at[r].op != HD_IR_PHI)
            break;
        args[1] = value = hd_ir_phi_value(s->f, r, c->a);
        args[2] = hd_ir_phi_value(s->f, r, c->b);
        if (args[1] != args[2])
            HD_TRY(before_branch(s, c->a, HD_IR_SELECT, (HdIrType)f->insts.at[r].type, 0, args, 3,
                                 &value));
        HD_TAKE(list, HD_NEW(s->arena, HdIrRef, old));
        for (unsigned k = 0; k + 1 < old; k += 2) {
            if (hd_ir_arg(f, r, k) == c->b)
                continue;
            list[n++] = hd_ir_arg(f, r, k);
            list[n++] = hd_ir_arg(f, r, k) == c->a ? value : hd_ir_arg(f, r, k + 1);
        }
        hd_ir_set_args(f, r, list, n);
    }
    hd_ir_phi_rename(f, c->rest, c->b, c->a);
    return HD_OK;
}

/* One branch on both conditions. They are chosen, not combined: the second may be a number that no
 * lane has a right to where the first one has decided. */
static HdStatus join_branches(Cfg *s, const Chain *c)
{
    HdIrFunc *f = s->f;
    bool at_once = block_at(s, c->a)->succ[0] == c->shared; /* if the first condition is true */
    bool then = block_at(s, c->b)->succ[0] == c->shared;
    HdIrRef first = hd_ir_arg(f, hd_ir_last(f, c->a), 0), args[3] = {first, 0, 0}, cond;
    HdIrRef second = hd_ir_arg(f, hd_ir_last(f, c->b), 0), yes;

    HD_TRY(empty_arm(s, c->a, c->b));
    HD_TRY(before_branch(s, c->a, HD_IR_CONST, HD_IR_BOOL, 1, NULL, 0, &yes));
    if (at_once != then) {
        args[1] = yes;
        HD_TRY(before_branch(s, c->a, HD_IR_XOR, HD_IR_BOOL, 0, args, 2, &args[0]));
    }
    /* then: either leads to `shared`; else both lead to `rest` */
    args[1] = then ? yes : second;
    args[2] = second;
    if (!then)
        HD_TRY(before_branch(s, c->a, HD_IR_CONST, HD_IR_BOOL, 0, NULL, 0, &args[2]));
    HD_TRY(before_branch(s, c->a, HD_IR_SELECT, HD_IR_BOOL, 0, args, 3, &cond));
    args[0] = first;
    if (!at_once)
        HD_TRY(before_branch(s, c->a, HD_IR_XOR, HD_IR_BOOL, 0, (HdIrRef[2]){first, yes}, 2,
                             &args[0]));
    HD_TRY(join_phis(s, c, args[0]));
    hd_ir_args(f, hd_ir_last(f, c->a))[0] = cond;
    block_at(s, c->a)->succ[then ? 0 : 1] = c->shared;
    block_at(s, c->a)->succ[then ? 1 : 0] = c->rest;
    s->touched[c->a] = s->touched[c->shared] = s->touched[c->rest] = CHANGED;
    s->changed = true;
    return HD_OK;
}

static HdStatus find_chains(Cfg *s)
{
    for (uint32_t i = 0; i < s->g->reachable; i++) {
        uint32_t a = s->g->order[i];
        Chain c;

        if (!s->touched[a] && block_at(s, a)->insts.count != 0 &&
            last_of(s, a)->op == HD_IR_CONDBR && block_at(s, a)->loop_merge == HD_IR_NOWHERE &&
            block_at(s, a)->succ[0] != block_at(s, a)->succ[1] && find_chain(s, a, &c))
            HD_TRY(join_branches(s, &c));
    }
    return HD_OK;
}

/* ---- all of it --------------------------------------------------------------------------------
 */

static HdStatus look_around(Cfg *s)
{
    HdIrGraph *g;
    size_t n;

    HD_TRY(hd_ir_graph(s->f, s->arena, &g));
    s->g = g;
    n = g->count;
    s->with_count = s->f->insts.count;
    HD_TAKE(s->with, HD_NEW(s->arena, HdIrRef, s->with_count));
    HD_TAKE(s->touched, HD_NEW(s->arena, uint8_t, n));
    HD_TAKE(s->is_merge, HD_NEW(s->arena, uint8_t, n));
    HD_TAKE(s->is_head, HD_NEW(s->arena, uint8_t, n));
    for (uint32_t l = 0; l < g->loop_count; l++)
        s->is_head[g->loops[l].head] = 1;
    for (uint32_t b = 0; b < n; b++) {
        HdIrBlock *block = block_at(s, b);

        if (!s->is_head[b])
            block->loop_merge = HD_IR_NOWHERE; /* its loop is gone */
        if (block->loop_merge != HD_IR_NOWHERE)
            s->is_merge[block->loop_merge] = 1;
    }
    return HD_OK;
}

static HdStatus simplify_round(Cfg *s)
{
    HdIrFunc *f = s->f;

    HD_TRY(decide_branches(s));
    HD_TRY(hd_ir_drop_unreachable(f, s->arena, &s->changed));
    HD_TRY(look_around(s));
    HD_TRY(join_lines(s));
    hd_ir_substitute(f, s->with, s->with_count);
    HD_TRY(hd_ir_drop_unreachable(f, s->arena, &s->changed));
    HD_TRY(look_around(s));
    HD_TRY(find_selects(s));
    HD_TRY(find_chains(s));
    HD_TRY(skip_empty(s));
    return hd_ir_drop_unreachable(f, s->arena, &s->changed);
}

HdStatus hd_opt_simplify_cfg(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    *changed = false;
    HD_TRY(hd_ir_drop_unreachable(f, scratch, changed));
    for (unsigned round = 0; round < MAX_ROUNDS; round++) {
        Cfg s = {.f = f, .arena = scratch};

        HD_TRY(simplify_round(&s));
        if (!s.changed)
            break;
        *changed = true;
    }
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}
