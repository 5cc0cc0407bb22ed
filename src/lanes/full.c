/* lanes/full.c -- code of its own for when all lanes go the same way.
 *
 * `if (id < n) …` sends lanes apart in one sub-group of many, and still everything behind it would
 * run under a mask. So what such a branch guards is there twice: behind a test that all lanes go
 * there, where no mask is needed, and as it was. Which branches are worth it is guessed: those on
 * comparisons of ids with something that is the same for all lanes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lanes/full.h"

#include <string.h>

#define MOST_GUARDED 600u  /* instructions that one branch guards */
#define LEAST_GAIN   4u    /* one in so many of them must gain by a copy */
#define MOST_ADDED   1500u /* instructions that a function grows by */
#define MOST_DEPTH   8u    /* of a condition */

typedef struct Full {
    HdIrFunc *f;
    const HdShapes *s;
    HdArena *a;
    bool *guarded;    /* [blocks] of the branch that is looked at */
    uint32_t *copies; /* [blocks] copy of a guarded block */
    HdIrRef *values;  /* [insts] copy of a guarded value, 0 = none */
} Full;

/* ---- which branches ----------------------------------------------------------------------------
 */

/* Made of ids and of what is the same for all lanes. */
static bool is_of_ids(const Full *x, HdIrRef v, uint32_t use, unsigned depth)
{
    const HdIrInst *in = &x->f->insts.at[v];

    if (hd_shape_at(x->s, v, use).kind != HD_SHAPE_VARYING || in->op == HD_IR_BUILTIN)
        return true;
    if (depth == 0 || in->op == HD_IR_PHI || !hd_ir_op_is_pure(in->op))
        return false;
    for (unsigned i = 0; i < in->nargs; i++)
        if (!is_of_ids(x, hd_ir_arg(x->f, v, i), use, depth - 1))
            return false;
    return true;
}

static bool is_true(const HdIrFunc *f, HdIrRef v, bool value)
{
    return f->insts.at[v].op == HD_IR_CONST && (f->insts.at[v].imm & 1) == value;
}

/* Is a another number in each lane, and b one for all? */
static bool is_one_of_lanes(const Full *x, HdIrRef a, HdIrRef b, uint32_t use)
{
    return hd_shape_at(x->s, a, use).kind == HD_SHAPE_AFFINE &&
           hd_shape_at(x->s, b, use).kind == HD_SHAPE_UNIFORM;
}

/* Will all lanes mostly find that v is `value`? */
static bool is_likely(const Full *x, HdIrRef v, bool value, uint32_t use, unsigned depth)
{
    const HdIrFunc *f = x->f;
    const HdIrInst *in = &f->insts.at[v];
    const HdIrRef *args = hd_ir_args(f, v);

    if (hd_shape_at(x->s, v, use).kind == HD_SHAPE_UNIFORM)
        return true;
    if (depth == 0)
        return false;
    switch ((HdIrOp)in->op) {
    case HD_IR_ICMP:
        if (in->sub == HD_IR_EQ || in->sub == HD_IR_NE)
            return (in->sub == HD_IR_NE) == value && (is_one_of_lanes(x, args[0], args[1], use) ||
                                                      is_one_of_lanes(x, args[1], args[0], use));
        return is_of_ids(x, args[0], use, depth - 1) && is_of_ids(x, args[1], use, depth - 1);
    case HD_IR_SELECT: /* the way that decides otherwise is not taken */
        if (is_true(f, args[1], !value))
            return is_likely(x, args[0], false, use, depth - 1) &&
                   is_likely(x, args[2], value, use, depth - 1);
        return is_true(f, args[2], !value) && is_likely(x, args[0], true, use, depth - 1) &&
               is_likely(x, args[1], value, use, depth - 1);
    case HD_IR_AND:
    case HD_IR_OR:
        return (in->op == HD_IR_AND) == value && is_likely(x, args[0], value, use, depth - 1) &&
               is_likely(x, args[1], value, use, depth - 1);
    case HD_IR_XOR:
        return is_true(f, args[1], true) && is_likely(x, args[0], !value, use, depth - 1);
    default: return false;
    }
}

/* Is b in a loop that lanes leave at different times? There they need masks anyway. */
static bool is_apart_anyway(const Full *x, uint32_t b)
{
    for (uint32_t l = x->s->g->loop[b]; l != HD_IR_NOWHERE; l = x->s->g->loops[l].parent)
        if (x->s->loop_leaves[l])
            return true;
    return false;
}

/* Mark what lies between `start` and `stop`; how many instructions, 0 when it must not be there
 * twice: barriers, blocks that are reached from elsewhere too, or hardly any that gain by it. How
 * many of them gain is in *gain. */
static uint32_t mark_guarded(Full *x, uint32_t start, uint32_t stop, uint32_t *gain)
{
    const HdIrGraph *g = x->s->g;
    uint32_t size = 0;

    *gain = 0;
    memset(x->guarded, 0, g->count * sizeof *x->guarded);
    x->guarded[start] = true;
    for (uint32_t r = 0; r < g->reachable; r++) {
        uint32_t b = g->order[r];
        const HdIrBlock *block = &x->f->blocks.at[b];

        /* A loop's blocks come behind its head, but an irreducible one is entered elsewhere. */
        if (b != stop && b != start && hd_ir_dominates(g, start, b))
            x->guarded[b] = true;
        if (!x->guarded[b])
            continue;
        size += (uint32_t)block->insts.count;
        *gain += is_apart_anyway(x, b) ? 0 : (uint32_t)block->insts.count;
        for (size_t i = 0; i < block->insts.count; i++)
            if (x->f->insts.at[block->insts.at[i]].op == HD_IR_BARRIER)
                return 0;
        for (uint32_t i = 0; i < block->succ_count; i++)
            if (block->succ[i] != stop && !hd_ir_dominates(g, start, block->succ[i]))
                return 0;
    }
    return *gain * LEAST_GAIN >= size ? size : 0;
}

/* Is b what put_test left behind its test: the branch as it was, which has its copy already? */
static bool is_tested(const Full *x, uint32_t b)
{
    const HdIrGraph *g = x->s->g;
    const HdIrFunc *f = x->f;
    HdIrRef end;

    if (f->blocks.at[b].insts.count != 1 || g->pred_first[b + 1] - g->pred_first[b] != 1)
        return false;
    end = hd_ir_last(f, g->pred[g->pred_first[b]]);
    return f->insts.at[end].op == HD_IR_CONDBR && f->insts.at[hd_ir_arg(f, end, 0)].op == HD_IR_ALL;
}

/* Does b's branch guard something worth a copy? Then which way, as the number of the successor: of
 * two that lanes may go together the one where more gains by it. */
static bool find_guarded(Full *x, uint32_t b, uint32_t *way, uint32_t *size)
{
    const HdIrGraph *g = x->s->g;
    const HdIrBlock *block = &x->f->blocks.at[b];
    HdIrRef end = block->insts.at[block->insts.count - 1];
    uint32_t most = 0, gain;

    *way = *size = 0;
    if (x->f->insts.at[end].op != HD_IR_CONDBR || !x->s->varying[b] || x->s->divergent[b] ||
        block->succ[0] == block->succ[1] || is_tested(x, b))
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t start = block->succ[i], count;

        if (start == g->ipdom[b] || g->pred_first[start + 1] - g->pred_first[start] != 1 ||
            !is_likely(x, hd_ir_arg(x->f, end, 0), i == 0, b, MOST_DEPTH))
            continue;
        count = mark_guarded(x, start, g->ipdom[b], &gain);
        if (count <= 2 || count > MOST_GUARDED || gain <= most)
            continue;
        most = gain;
        *way = i;
        *size = count;
    }
    return most != 0 && mark_guarded(x, block->succ[*way], g->ipdom[b], &gain) != 0;
}

/* ---- copies ------------------------------------------------------------------------------------
 */

static HdStatus copy_block(Full *x, uint32_t b)
{
    HdIrFunc *f = x->f;
    uint32_t to = x->copies[b];

    for (size_t i = 0; i < f->blocks.at[b].insts.count; i++) {
        HdIrRef v = f->blocks.at[b].insts.at[i], r;
        HdIrInst in = f->insts.at[v];
        HdIrRef *args = NULL;

        if (in.nargs != 0) {
            HD_TAKE(args, HD_NEW(x->a, HdIrRef, in.nargs));
            memcpy(args, hd_ir_args(f, v), in.nargs * sizeof *args);
        }
        r = hd_ir_emit_sub(f, to, (HdIrOp)in.op, (HdIrType)in.type, in.sub, in.imm, args, in.nargs);
        if (r == 0)
            return HD_NO_MEMORY;
        hd_ir_inst(f, r)->flags = in.flags;
        hd_ir_inst(f, r)->place = in.place;
        x->values[v] = r;
    }
    return HD_OK;
}

static HdStatus copy_targets(Full *x, uint32_t b)
{
    const HdIrBlock *from = &x->f->blocks.at[b];
    HdIrBlock *to = &x->f->blocks.at[x->copies[b]];

    to->rank = from->rank;
    to->loop_merge = from->loop_merge;
    if (to->loop_merge != HD_IR_NOWHERE && x->guarded[to->loop_merge])
        to->loop_merge = x->copies[to->loop_merge];
    HD_TAKE(to->succ, HD_NEW(x->f->module->arena, uint32_t, from->succ_count + 1));
    to->succ_count = from->succ_count;
    for (uint32_t i = 0; i < from->succ_count; i++)
        to->succ[i] = x->guarded[from->succ[i]] ? x->copies[from->succ[i]] : from->succ[i];
    if (from->cases == NULL)
        return HD_OK;
    HD_TAKE(to->cases, HD_NEW(x->f->module->arena, uint64_t, from->succ_count));
    memcpy(to->cases, from->cases, (from->succ_count - 1) * sizeof *to->cases);
    return HD_OK;
}

/* Operands of a copy: copies, where there are. */
static void use_copies(Full *x, uint32_t b, uint32_t blocks)
{
    const HdIrBlock *block = &x->f->blocks.at[x->copies[b]];

    for (size_t i = 0; i < block->insts.count; i++) {
        const HdIrInst *in = &x->f->insts.at[block->insts.at[i]];
        HdIrRef *args = hd_ir_args(x->f, block->insts.at[i]);

        for (unsigned k = 0; k < in->nargs; k++) {
            if (!hd_ir_arg_is_value(in, k))
                args[k] = args[k] < blocks && x->guarded[args[k]] ? x->copies[args[k]] : args[k];
            else if (x->values[args[k]] != 0)
                args[k] = x->values[args[k]];
        }
    }
}

/* Where the ways meet, values come from the copies as well. */
static HdStatus join_copies(Full *x, uint32_t stop)
{
    const HdIrBlock *block = &x->f->blocks.at[stop];

    for (size_t i = 0; i < block->insts.count; i++) {
        HdIrRef v = block->insts.at[i], *args;
        unsigned n = x->f->insts.at[v].nargs, all = n;

        if (x->f->insts.at[v].op != HD_IR_PHI)
            break;
        HD_TAKE(args, HD_NEW(x->a, HdIrRef, 2 * n + 1));
        memcpy(args, hd_ir_args(x->f, v), n * sizeof *args);
        for (unsigned k = 0; k + 1 < n; k += 2) {
            if (!x->guarded[args[k]])
                continue;
            args[all] = x->copies[args[k]];
            args[all + 1] = x->values[args[k + 1]] != 0 ? x->values[args[k + 1]] : args[k + 1];
            all += 2;
        }
        hd_ir_set_args(x->f, v, args, all);
    }
    return HD_OK;
}

/* The test in front, and the branch as it was behind it. */
static HdStatus put_test(Full *x, uint32_t b, uint32_t way)
{
    HdIrFunc *f = x->f;
    uint32_t own = hd_ir_block(f), succ[2] = {f->blocks.at[b].succ[0], f->blocks.at[b].succ[1]};
    HdIrRef end = hd_ir_last(f, b), cond = hd_ir_arg(f, end, 0), all = cond;

    if (f->module->failed)
        return HD_NO_MEMORY;
    f->blocks.at[own].rank = f->blocks.at[b].rank;
    hd_ir_kill(f, end);
    f->blocks.at[b].insts.count--;
    if (way == 1) {
        HdIrRef args[2] = {cond, hd_ir_const(f, b, HD_IR_BOOL, 1)};

        all = hd_ir_emit(f, b, HD_IR_XOR, HD_IR_BOOL, args, 2);
    }
    all = hd_ir_emit(f, b, HD_IR_ALL, HD_IR_BOOL, &all, 1);
    hd_ir_condbr(f, b, all, x->copies[succ[way]], own);
    hd_ir_condbr(f, own, cond, succ[0], succ[1]);
    for (unsigned i = 0; i < 2; i++)
        hd_ir_phi_rename(f, succ[i], b, own);
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

static HdStatus copy_guarded(Full *x, uint32_t b, uint32_t way)
{
    const HdIrGraph *g = x->s->g;
    uint32_t blocks = g->count;

    for (uint32_t i = 0; i < blocks; i++)
        if (x->guarded[i])
            x->copies[i] = hd_ir_block(x->f);
    if (x->f->module->failed)
        return HD_NO_MEMORY;
    for (uint32_t i = 0; i < blocks; i++)
        if (x->guarded[i]) {
            HD_TRY(copy_block(x, i));
            HD_TRY(copy_targets(x, i));
        }
    for (uint32_t i = 0; i < blocks; i++)
        if (x->guarded[i])
            use_copies(x, i, blocks);
    HD_TRY(join_copies(x, g->ipdom[b]));
    return put_test(x, b, way);
}

HdStatus hd_lanes_full(HdIrFunc *f, const HdShapes *s, HdArena *a, uint32_t *added, bool *changed)
{
    Full x = {.f = f, .s = s, .a = a};
    uint32_t way, size;

    HD_TAKE(x.guarded, HD_NEW(a, bool, s->g->count));
    HD_TAKE(x.copies, HD_NEW(a, uint32_t, s->g->count));
    HD_TAKE(x.values, HD_NEW(a, HdIrRef, f->insts.count));
    *changed = false;
    for (uint32_t r = 0; r < s->g->reachable && !*changed; r++) {
        uint32_t b = s->g->order[r];

        if (!find_guarded(&x, b, &way, &size) || *added + size > MOST_ADDED)
            continue;
        *added += size;
        *changed = true;
        HD_TRY(copy_guarded(&x, b, way));
    }
    return HD_OK;
}
