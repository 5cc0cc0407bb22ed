/* lanes/flow.c -- linearisation: blocks and edges of a wide function.
 *
 * A divergent block has a slot with the mask of the lanes that wait for it. An edge adds its lanes
 * to the target's slot; nothing jumps. After a block the chain of its part continues with the next
 * block in execution order, each skipped if no lane waits; a back edge jumps back immediately if
 * lanes took it. That is "of the blocks at which lanes wait the first runs", with the search for
 * the first one done at compile time.
 *
 *     a: if (c) b else d        a: slot b |= mask & c, slot d |= mask & !c
 *     b: ... to d         to       if (any of slot b) b else d
 *     d: ...                    b: mask = slot b, ..., slot d |= mask
 *                               d: mask = slot d, ...
 *
 * The dispatcher (HdLaneTarget.dispatch) is the same with the search at run time: each lane keeps
 * the rank of its next block, and a switch on the smallest rank selects the block. It is the test
 * oracle for the chains.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/widen.h"

static HdIrRef emit_bool(HdWiden *x, HdIrOp op, HdIrShape shape, const HdIrRef *args, size_t nargs)
{
    return hd_widen_emit(x, op, HD_IR_BOOL, shape, 0, 0, args, nargs);
}

static HdIrRef constant(HdWiden *x, HdIrType type, uint64_t bits)
{
    return hd_widen_emit(x, HD_IR_CONST, type, HD_SHAPE_UNIFORM, 0, bits, NULL, 0);
}

HdIrRef hd_widen_and(HdWiden *x, HdIrRef a, HdIrRef b)
{
    HdIrRef args[3] = {a, b, 0};

    if (a == 0)
        return b;
    args[2] = constant(x, HD_IR_BOOL, 0);
    return emit_bool(x, HD_IR_SELECT, HD_SHAPE_VARYING, args, 3);
}

static HdIrRef negated(HdWiden *x, HdIrRef cond)
{
    HdIrRef args[2] = {cond, constant(x, HD_IR_BOOL, 1)};

    return emit_bool(x, HD_IR_XOR, (HdIrShape)hd_ir_inst(x->w, cond)->shape, args, 2);
}

/* All lanes that run now, as a mask that is never 0. */
static HdIrRef current_mask(HdWiden *x)
{
    return x->mask != 0 ? x->mask : constant(x, HD_IR_BOOL, 1);
}

static HdIrRef any(HdWiden *x, HdIrRef mask)
{
    return emit_bool(x, HD_IR_ANY, HD_SHAPE_UNIFORM, &mask, 1);
}

static HdIrRef get_mask(HdWiden *x, HdIrRef slot)
{
    return emit_bool(x, HD_IR_SLOT_GET, HD_SHAPE_VARYING, &slot, 1);
}

/* Emitted wherever it is known: a mask not known to be empty is kept across barriers and
 * iterations. */
static void nobody_waits(HdWiden *x, uint32_t b)
{
    hd_widen_set(x, x->waiting[b], constant(x, HD_IR_BOOL, 0), 0);
}

/* ---- edges ------------------------------------------------------------------------------- */

/* Lanes of `edge` (0: all active ones) go to a divergent block. */
static void send(HdWiden *x, uint32_t to, HdIrRef edge)
{
    HdIrRef mask = edge != 0 ? edge : current_mask(x), both[2];

    if (x->dispatch) {
        hd_widen_set(x, x->next, constant(x, HD_IR_I32, x->turn[to]), edge != 0 ? edge : x->mask);
        return;
    }
    both[0] = get_mask(x, x->waiting[to]);
    both[1] = mask;
    hd_widen_set(x, x->waiting[to], emit_bool(x, HD_IR_OR, HD_SHAPE_VARYING, both, 2), 0);
}

/* Mask of the edge that a SWITCH takes to successor i: any of its cases; for the default none of
 * those that lead elsewhere. */
static HdIrRef switch_mask(HdWiden *x, const HdIrBlock *b, HdIrRef selector, uint32_t to)
{
    HdIrType type = (HdIrType)hd_ir_inst(x->w, selector)->type;
    bool has_default = b->succ[0] == to;
    HdIrRef sum = 0;

    for (uint32_t i = 1; i < b->succ_count; i++) {
        HdIrRef args[2], both[2];

        if ((b->succ[i] == to) == has_default)
            continue;
        args[0] = selector;
        args[1] = constant(x, type, b->cases[i - 1]);
        both[0] = sum;
        both[1] = hd_widen_emit(x, HD_IR_ICMP, HD_IR_BOOL, HD_SHAPE_VARYING, HD_IR_EQ, 0, args, 2);
        sum = sum == 0 ? both[1] : emit_bool(x, HD_IR_OR, HD_SHAPE_VARYING, both, 2);
    }
    if (sum == 0)
        return x->mask;
    return hd_widen_and(x, x->mask, has_default ? negated(x, sum) : sum);
}

static bool seen_before(const HdIrBlock *b, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (b->succ[k] == b->succ[i])
            return true;
    return false;
}

/* The mask of the edge to successor i; 0 = all that run. `first`: that of the first one, or 0. */
static HdIrRef edge_mask(HdWiden *x, const HdIrBlock *b, uint32_t i, HdIrRef cond, HdIrRef first)
{
    HdIrRef both[2] = {x->mask, first};

    if (b->succ_count == 1 || (b->succ_count == 2 && b->succ[0] == b->succ[1]))
        return 0;
    if (b->cases != NULL)
        return switch_mask(x, b, cond, b->succ[i]);
    /* Those that run and do not go the first way: dearer to compare for once more. */
    if (i == 1 && x->mask != 0 && first != 0)
        return emit_bool(x, HD_IR_XOR, HD_SHAPE_VARYING, both, 2);
    return hd_widen_and(x, current_mask(x), i == 0 ? cond : negated(x, cond));
}

/* ---- terminators --------------------------------------------------------------------------- */

static void branch(HdWiden *x, uint32_t target)
{
    hd_ir_br(x->w, x->at, target);
}

static uint32_t target_of(const HdWiden *x, uint32_t b)
{
    return b == HD_IR_NOWHERE ? x->head : x->first[b];
}

/* All lanes are together and stay so: the original branch, to wide blocks. */
static HdStatus uniform_branch(HdWiden *x, const HdIrBlock *b, HdIrRef cond, HdArena *a)
{
    HdIrBlock *wide;
    HdIrRef r;

    if (b->cases == NULL) {
        hd_ir_condbr(x->w, x->at, cond, x->first[b->succ[0]], x->first[b->succ[1]]);
        return HD_OK;
    }
    r = hd_widen_emit(x, HD_IR_SWITCH, HD_IR_VOID, HD_SHAPE_UNIFORM, 0, 0, &cond, 1);
    (void)r;
    wide = &x->w->blocks.at[x->at];
    HD_TAKE(wide->succ, HD_NEW(a, uint32_t, b->succ_count));
    HD_TAKE(wide->cases, HD_NEW(a, uint64_t, b->succ_count));
    wide->succ_count = b->succ_count;
    for (uint32_t i = 0; i < b->succ_count; i++) {
        wide->succ[i] = x->first[b->succ[i]];
        if (i + 1 < b->succ_count)
            wide->cases[i] = b->cases[i];
    }
    return HD_OK;
}

/* The next target of a back edge above rank `after`, in the order; HD_IR_NOWHERE at the end. */
static uint32_t next_back(const HdWiden *x, const HdIrBlock *b, uint32_t after)
{
    const uint32_t *rank = x->g->rank;
    uint32_t best = HD_IR_NOWHERE;

    for (uint32_t i = 0; i < b->succ_count; i++) {
        uint32_t to = b->succ[i];

        if (!x->s->divergent[to] || rank[to] > rank[x->block] ||
            (after != HD_IR_NOWHERE && rank[to] <= after))
            continue;
        if (best == HD_IR_NOWHERE || rank[to] < rank[best])
            best = to;
    }
    return best;
}

/* Jump back to the blocks that this one's back edges lead to, where lanes took them: to the first
 * in the order, because the chain from there comes by the others, but never goes further back. */
static void back_edges(HdWiden *x, const HdIrBlock *b)
{
    uint32_t to = next_back(x, b, HD_IR_NOWHERE);

    for (; to != HD_IR_NOWHERE; to = next_back(x, b, x->g->rank[to])) {
        uint32_t on = hd_ir_block(x->w);

        hd_ir_condbr(x->w, x->at, any(x, get_mask(x, x->waiting[to])), x->body[to], on);
        x->at = on;
        nobody_waits(x, to);
    }
}

/* Where the chain begins: the first divergent block in the order among the targets. The block where
 * lanes meet may be a target as well, and may even come first, as the header of a loop. */
static uint32_t first_target(const HdWiden *x, const HdIrBlock *b)
{
    uint32_t best = b->succ[0];

    for (uint32_t i = 1; i < b->succ_count; i++) {
        uint32_t t = b->succ[i];

        if (x->s->divergent[t] != x->s->divergent[best] ? x->s->divergent[t]
                                                        : x->g->rank[t] < x->g->rank[best])
            best = t;
    }
    return best;
}

/* What the phis of b's successors take from it, made before the ways part. */
static void use_in_phis(HdWiden *x, const HdIrBlock *b)
{
    for (uint32_t i = 0; i < b->succ_count; i++) {
        const HdIrBlock *to = &x->f->blocks.at[b->succ[i]];

        for (size_t k = 0; k < to->insts.count; k++) {
            const HdIrInst *in = &x->f->insts.at[to->insts.at[k]];
            const HdIrRef *args = hd_ir_args(x->f, to->insts.at[k]);

            if (in->op != HD_IR_PHI)
                break;
            for (unsigned n = 0; n + 1 < in->nargs; n += 2)
                if (args[n] == x->block)
                    hd_widen_use(x, args[n + 1]);
        }
    }
}

/* Lanes have diverged, but those here go the same way: the condition needs no masks. */
static HdStatus one_way(HdWiden *x, const HdIrBlock *b, HdIrRef cond, HdArena *a)
{
    uint32_t ways[2];

    use_in_phis(x, b);
    ways[0] = hd_ir_block(x->w);
    ways[1] = hd_ir_block(x->w);
    hd_ir_condbr(x->w, x->at, cond, ways[0], ways[1]);
    for (unsigned i = 0; i < 2; i++) {
        x->at = ways[i];
        HD_TRY(hd_widen_edge_phis(x, b->succ[i], x->mask, a));
        if (x->s->divergent[b->succ[i]])
            send(x, b->succ[i], 0);
        back_edges(x, b);
        branch(x, target_of(x, x->parts->next[x->block]));
    }
    return HD_OK;
}

/* All lanes that came in are at the end. */
static HdStatus give_back(HdWiden *x, HdIrRef end, HdArena *a)
{
    uint32_t count = x->f->insts.at[end].nargs;
    HdIrRef *results;

    HD_TAKE(results, HD_NEW(a, HdIrRef, count + 1));
    for (uint32_t i = 0; i < count; i++) {
        results[i] = hd_widen_use(x, hd_ir_arg(x->f, end, i));
        x->w->callee.result_shapes[i] = hd_ir_inst(x->w, results[i])->shape == HD_SHAPE_UNIFORM
                                            ? HD_SHAPE_UNIFORM
                                            : HD_SHAPE_VARYING;
    }
    hd_widen_emit(x, HD_IR_RET, HD_IR_VOID, HD_SHAPE_UNIFORM, 0, 0, results, count);
    return HD_OK;
}

HdStatus hd_widen_terminator(HdWiden *x, HdArena *a)
{
    const HdIrBlock *b = &x->f->blocks.at[x->block];
    HdIrRef end = b->insts.at[b->insts.count - 1];
    bool apart = x->parts->part[x->block] != HD_IR_NOWHERE;
    bool same = b->succ_count == 1 || (b->succ_count == 2 && b->succ[0] == b->succ[1]);
    HdIrRef cond = 0, first = 0;

    if (x->f->insts.at[end].op == HD_IR_RET)
        return give_back(x, end, a);
    if (!same)
        cond = hd_widen_use(x, hd_ir_arg(x->f, end, 0));
    if (apart && !same && b->cases == NULL && !x->s->varying[x->block] && !x->dispatch)
        return one_way(x, b, cond, a);
    for (uint32_t i = 0; i < b->succ_count; i++) {
        uint32_t to = b->succ[i];
        HdIrRef edge;

        if (seen_before(b, i))
            continue;
        if (!x->dispatch) {
            /* All active lanes may write the phis: the value for a lane that does not go there is
             * never read. */
            HD_TRY(hd_widen_edge_phis(x, to, x->mask, a));
            if (!x->s->divergent[to])
                continue;
            edge = edge_mask(x, b, i, cond, first);
            first = i == 0 ? edge : first;
            send(x, to, edge);
            continue;
        }
        if (!apart && !x->s->divergent[to]) {
            HD_TRY(hd_widen_edge_phis(x, to, x->mask, a));
            continue;
        }
        edge = edge_mask(x, b, i, cond, 0);
        HD_TRY(hd_widen_edge_phis(x, to, edge != 0 ? edge : x->mask, a));
        if (x->s->divergent[to])
            send(x, to, edge);
    }
    if (x->dispatch && (apart || x->s->divergent[b->succ[0]])) {
        branch(x, x->head);
        return HD_OK;
    }
    if (apart) {
        back_edges(x, b);
        branch(x, target_of(x, x->parts->next[x->block]));
        return HD_OK;
    }
    if (same || x->s->varying[x->block]) {
        branch(x, x->first[first_target(x, b)]);
        return HD_OK;
    }
    return uniform_branch(x, b, cond, a);
}

/* ---- entering ------------------------------------------------------------------------------ */

/* Would running this instruction with no lane at all do harm or be dear? */
static unsigned cost_unguarded(const HdWiden *x, HdIrRef v)
{
    const HdIrInst *in = &x->f->insts.at[v];
    bool is_uniform = x->s->of[v].kind != HD_SHAPE_VARYING && x->s->of[v].kind != HD_SHAPE_ADDRESS;

    if (hd_ir_op_is_costly(in->op))
        return 100;
    switch ((HdIrOp)in->op) {
    case HD_IR_CONST:
    case HD_IR_UNDEF:
    case HD_IR_BR: return 0;
    case HD_IR_LOAD:
    case HD_IR_STORE:
        if (hd_shape_at(x->s, hd_ir_arg(x->f, v, 0), in->block).kind == HD_SHAPE_UNIFORM)
            return 100;
        return 3;
    case HD_IR_MEMCPY:
    case HD_IR_MEMSET:
    case HD_IR_ATOMIC_LOAD:
    case HD_IR_ATOMIC_STORE:
    case HD_IR_ATOMIC_RMW:
    case HD_IR_ATOMIC_CMPXCHG:
    case HD_IR_FENCE:
    case HD_IR_BARRIER:
    case HD_IR_YIELD:
    case HD_IR_NAMED_MAKE:
    case HD_IR_NAMED_WAIT:
    case HD_IR_COLLECTIVE:
    case HD_IR_PRODUCT:
    case HD_IR_IMAGE_GET:
    case HD_IR_IMAGE_PUT:
    case HD_IR_RTCALL:
    case HD_IR_CALL:
    case HD_IR_RET: return 100;
    default: return is_uniform && (x->plain[v] != 0 || x->phi[v] != 0) ? 100 : 1;
    }
}

bool hd_widen_needs_guard(const HdWiden *x, uint32_t block)
{
    const HdIrBlock *b = &x->f->blocks.at[block];
    uint32_t l = x->g->loop[block];
    unsigned cost = 0;

    if (l != HD_IR_NOWHERE && (x->g->loops[l].head == block || x->s->loop_tangled[l]))
        return true;
    for (size_t i = 0; i < b->insts.count; i++) {
        cost += cost_unguarded(x, b->insts.at[i]);
        if (cost > 8)
            return true;
    }
    /* Edges that write a scalar slot must not run with an empty mask. */
    for (uint32_t i = 0; i < b->succ_count; i++) {
        const HdIrBlock *to = &x->f->blocks.at[b->succ[i]];

        for (size_t k = 0; k < to->insts.count; k++) {
            HdIrRef v = to->insts.at[k];

            if (x->f->insts.at[v].op != HD_IR_PHI)
                break;
            if (x->phi[v] != 0 && hd_ir_inst(x->w, x->phi[v])->shape != HD_SHAPE_VARYING)
                return true;
        }
    }
    return false;
}

/* Do diverged lanes reach a block from further down? Then its body is not entered only through its
 * test. */
static bool has_back_edge(const HdWiden *x, uint32_t b)
{
    const HdIrGraph *g = x->g;

    for (uint32_t i = g->pred_first[b]; i < g->pred_first[b + 1]; i++)
        if (x->parts->part[g->pred[i]] == x->parts->part[b] && g->rank[g->pred[i]] >= g->rank[b])
            return true;
    return false;
}

void hd_widen_enter(HdWiden *x)
{
    uint32_t b = x->block;

    if (x->parts->part[b] == HD_IR_NOWHERE) {
        x->at = x->body[b];
        x->mask = x->mask_of_all;
        return;
    }
    if (x->dispatch) {
        HdIrRef args[2];

        x->at = x->body[b];
        args[0] = emit_bool(x, HD_IR_SLOT_GET, HD_SHAPE_VARYING, &x->next, 1);
        hd_ir_inst(x->w, args[0])->type = HD_IR_I32;
        args[1] = constant(x, HD_IR_I32, x->turn[b]);
        x->mask = hd_widen_emit(x, HD_IR_ICMP, HD_IR_BOOL, HD_SHAPE_VARYING, HD_IR_EQ, 0, args, 2);
        x->mask = hd_widen_and(x, x->mask_of_all, x->mask);
        return;
    }
    x->at = x->first[b];
    if (x->body[b] != x->first[b] && has_back_edge(x, b)) {
        uint32_t on = hd_ir_block(x->w);

        hd_ir_condbr(x->w, x->at, any(x, get_mask(x, x->waiting[b])), x->body[b], on);
        x->at = on;
        nobody_waits(x, b);
        branch(x, target_of(x, x->parts->skip[b]));
        x->at = x->body[b];
    }
    x->mask = get_mask(x, x->waiting[b]);
    nobody_waits(x, b);
    if (x->body[b] != x->at) {
        hd_ir_condbr(x->w, x->at, any(x, x->mask), x->body[b], target_of(x, x->parts->skip[b]));
        x->at = x->body[b];
    }
}
