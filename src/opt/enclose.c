/* opt/enclose.c -- what OpLoopMerge keeps inside a loop comes back to its header.
 *
 * A block that the header dominates and the merge block does not belongs to the loop's construct,
 * also when it only leaves (`if (c) { x = subgroupAdd(y); break; }`): lanes execute it with those
 * of their iteration. The graph's own loop does not have it, and would run it once, with all lanes
 * that ever came to it. So where such a block has an operation of a sub-group, it leads to a new
 * last block of the loop, as the ways back to the header do, and that block leaves for it.
 *
 *     head: ...                              head: ...
 *     a:    if (c) b else last               a:    if (c) b else last
 *     b:    subgroupAdd, to merge      to    b:    subgroupAdd, to end
 *     last: back to head                     last: to end
 *     merge                                  end:  if (came from b) merge else head
 *                                            merge
 *
 * This comes before the function is inlined, because a loop that returns leaves its function, not
 * what follows the call; and before private memory is promoted: values that no longer dominate
 * their users go through ALLOCAs. The interpreter has the same by the order of blocks
 * (module/cfg.c).
 *
 * Spec: SPIR-V, "Structured Control Flow"; SPV_KHR_maximal_reconvergence.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/gather.h"
#include "ir/edit.h"
#include "ir/graph.h"
#include "opt/pass.h"

typedef enum Part { OUTSIDE, LEAVES, COMES_BACK } Part;

typedef struct Enclose {
    HdIrFunc *f;
    HdArena *arena;
    const HdIrGraph *g;
    uint32_t head, count; /* blocks before the first was added */
    unsigned char *part;  /* [count] */
    uint32_t *work;
    HdIrRef way;   /* ALLOCA: 0 for back to the header, else target's number */
    uint32_t last; /* the block where all ways meet */
    HD_ARRAY(uint32_t) targets;
    HdIrRef *slot; /* [values] ALLOCA of a phi outside or of the header; 0: none */
} Enclose;

static HdIrRef alloca_of(Enclose *x, HdIrType t)
{
    unsigned align = (unsigned)__builtin_ctz(hd_ir_type_bytes(t));

    return hd_ir_insert(x->f, 0, 0, HD_IR_ALLOCA, HD_IR_PTR, align, hd_ir_type_bytes(t), NULL, 0);
}

static void store(Enclose *x, uint32_t b, HdIrRef slot, HdIrRef value)
{
    HdIrRef args[2] = {slot, value};

    (void)hd_ir_emit_sub(x->f, b, HD_IR_STORE, HD_IR_VOID, HD_SPACE_PRIVATE, 0, args, 2);
}

static HdIrRef load(Enclose *x, uint32_t b, HdIrRef slot, HdIrType t)
{
    return hd_ir_emit_sub(x->f, b, HD_IR_LOAD, t, HD_SPACE_PRIVATE, 0, &slot, 1);
}

/* ---- which blocks -------------------------------------------------------------------------- */

/* The construct of a loop: what its header dominates and its merge block does not. */
static void find_construct(Enclose *x, uint32_t merge)
{
    bool has_merge = x->g->rank[merge] != HD_IR_NOWHERE;
    uint32_t n = 0;

    for (uint32_t b = 0; b < x->count; b++) {
        bool in = x->g->rank[b] != HD_IR_NOWHERE && hd_ir_dominates(x->g, x->head, b) &&
                  !(has_merge && hd_ir_dominates(x->g, merge, b));

        x->part[b] = in ? LEAVES : OUTSIDE;
    }
    x->part[x->head] = COMES_BACK;
    x->work[n++] = x->head;
    while (n != 0) {
        uint32_t b = x->work[--n];

        for (uint32_t e = x->g->pred_first[b]; e < x->g->pred_first[b + 1]; e++)
            if (x->part[x->g->pred[e]] == LEAVES) {
                x->part[x->g->pred[e]] = COMES_BACK;
                x->work[n++] = x->g->pred[e];
            }
    }
}

static bool is_needed(const Enclose *x)
{
    bool is_loop = false, gathers = false;

    for (uint32_t e = x->g->pred_first[x->head]; e < x->g->pred_first[x->head + 1]; e++)
        is_loop = is_loop || x->part[x->g->pred[e]] == COMES_BACK;
    for (uint32_t b = 0; b < x->count; b++)
        gathers =
            gathers || (x->part[b] == LEAVES && hd_ir_block_gather(x->f, b) == HD_GATHER_ROUND);
    return is_loop && gathers;
}

/* ---- ways ---------------------------------------------------------------------------------- */

/* The way of a target, from 1 on; the header's is 0. */
static HdStatus number_of(Enclose *x, uint32_t target, uint32_t *out)
{
    *out = 0;
    if (target == x->head)
        return HD_OK;
    for (uint32_t i = 0; i < x->targets.count; i++)
        if (x->targets.at[i] == target) {
            *out = i + 1;
            return HD_OK;
        }
    HD_TRY_PUSH(x->arena, &x->targets, target);
    *out = (uint32_t)x->targets.count;
    return HD_OK;
}

/* What the target's phis get on this way is kept. */
static HdStatus keep_phis(Enclose *x, uint32_t from, uint32_t way, uint32_t target)
{
    for (size_t i = 0; i < hd_ir_phi_count(x->f, target); i++) {
        HdIrRef phi = x->f->blocks.at[target].insts.at[i];
        HdIrRef value = hd_ir_phi_value(x->f, phi, from);

        if (value == 0)
            continue;
        if (x->slot[phi] == 0)
            HD_TAKE(x->slot[phi], alloca_of(x, (HdIrType)x->f->insts.at[phi].type));
        store(x, way, x->slot[phi], value);
    }
    return HD_OK;
}

/* Successor k of a block becomes a way to the last block. */
static HdStatus redirect(Enclose *x, uint32_t b, uint32_t k)
{
    uint32_t target = x->f->blocks.at[b].succ[k], number, way = hd_ir_block(x->f);

    if (way == HD_IR_NOWHERE)
        return HD_NO_MEMORY;
    HD_TRY(number_of(x, target, &number));
    x->f->blocks.at[way].rank = x->f->blocks.at[b].rank;
    HD_TRY(keep_phis(x, b, way, target));
    store(x, way, x->way, hd_ir_const(x->f, way, HD_IR_I32, number));
    hd_ir_br(x->f, way, x->last);
    x->f->blocks.at[b].succ[k] = way;
    return x->f->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* A block that ends the function goes to one that does. */
static HdStatus split_return(Enclose *x, uint32_t b)
{
    HdIrRef last = hd_ir_last(x->f, b);
    uint32_t out = hd_ir_block(x->f);

    if (out == HD_IR_NOWHERE)
        return HD_NO_MEMORY;
    x->f->blocks.at[out].rank = x->f->blocks.at[b].rank;
    x->f->blocks.at[b].insts.count--;
    x->f->insts.at[last].block = out;
    HD_TRY_PUSH(x->f->module->arena, &x->f->blocks.at[out].insts, last);
    hd_ir_br(x->f, b, out);
    return redirect(x, b, 0);
}

static HdStatus redirect_block(Enclose *x, uint32_t b)
{
    uint32_t count = x->f->blocks.at[b].succ_count;

    if (x->part[b] == LEAVES && x->f->insts.at[hd_ir_last(x->f, b)].op == HD_IR_RET)
        return split_return(x, b);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t to = x->f->blocks.at[b].succ[k];

        if (to < x->count && (x->part[b] == LEAVES ? x->part[to] == OUTSIDE : to == x->head))
            HD_TRY(redirect(x, b, k));
    }
    return HD_OK;
}

/* ---- the last block ------------------------------------------------------------------------ */

/* In the phis of a target: those from blocks that do not lead to it any more are replaced. */
static HdStatus turn_phis(Enclose *x, uint32_t target, uint32_t from)
{
    HdIrFunc *f = x->f;

    for (size_t i = 0; i < hd_ir_phi_count(f, target); i++) {
        HdIrRef phi = f->blocks.at[target].insts.at[i], *args;
        size_t n = 0, count = f->insts.at[phi].nargs;

        HD_TAKE(args, HD_NEW(x->arena, HdIrRef, count + 2));
        for (size_t k = 0; k + 1 < count; k += 2) {
            uint32_t p = hd_ir_arg(f, phi, (unsigned)k);
            bool stays = p >= x->count || x->part[p] == OUTSIDE ||
                         (target != x->head && x->part[p] == COMES_BACK);

            if (!stays)
                continue;
            args[n++] = p;
            args[n++] = hd_ir_arg(f, phi, (unsigned)k + 1);
        }
        args[n++] = from;
        args[n] = load(x, from, x->slot[phi], (HdIrType)f->insts.at[phi].type);
        hd_ir_set_args(f, phi, args, n + 1);
    }
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* One test for each target; the header is what is left. */
static HdStatus leave(Enclose *x, uint32_t rank)
{
    uint32_t b = x->last;

    for (uint32_t i = 0; i < x->targets.count; i++) {
        uint32_t next = i + 1 < x->targets.count ? hd_ir_block(x->f) : x->head;
        HdIrRef args[2], is;

        if (next == HD_IR_NOWHERE)
            return HD_NO_MEMORY;
        x->f->blocks.at[b].rank = rank;
        HD_TRY(turn_phis(x, x->targets.at[i], b));
        if (next == x->head)
            HD_TRY(turn_phis(x, x->head, b));
        args[0] = load(x, b, x->way, HD_IR_I32);
        args[1] = hd_ir_const(x->f, b, HD_IR_I32, i + 1);
        is = hd_ir_emit_sub(x->f, b, HD_IR_ICMP, HD_IR_BOOL, HD_IR_EQ, 0, args, 2);
        hd_ir_condbr(x->f, b, is, x->targets.at[i], next);
        b = next;
    }
    return x->f->module->failed ? HD_NO_MEMORY : HD_OK;
}

/* ---- values -------------------------------------------------------------------------------- */

static bool is_inside(const Enclose *x, uint32_t b)
{
    return b < x->count && x->part[b] != OUTSIDE;
}

/* Users outside fetch what the construct defines: paths by the last block lead around it. */
static HdStatus fetch_all(Enclose *x)
{
    size_t values = x->f->insts.count;
    HdIrRef *kept;

    HD_TAKE(kept, HD_NEW(x->arena, HdIrRef, values));
    for (uint32_t b = 0; b < x->f->blocks.count; b++) {
        if (is_inside(x, b))
            continue;
        for (size_t i = 0; i < x->f->blocks.at[b].insts.count; i++)
            for (unsigned k = 0; k < x->f->insts.at[x->f->blocks.at[b].insts.at[i]].nargs; k++) {
                HdIrRef user = x->f->blocks.at[b].insts.at[i], v = hd_ir_arg(x->f, user, k);
                const HdIrInst *in = &x->f->insts.at[user];

                if (!hd_ir_arg_is_value(in, k) || v >= values ||
                    !is_inside(x, x->f->insts.at[v].block) ||
                    (in->op == HD_IR_PHI && is_inside(x, hd_ir_arg(x->f, user, k - 1))) ||
                    (b >= x->count && in->op == HD_IR_STORE))
                    continue; /* the last: a way's own, which its block's only predecessor has */
                HD_TRY(hd_ir_fetch(x->f, kept, b, &i, k));
            }
    }
    return HD_OK;
}

/* ---- all ----------------------------------------------------------------------------------- */

static HdStatus enclose(Enclose *x)
{
    uint32_t rank = x->f->blocks.at[x->head].rank;

    HD_TAKE(x->slot, HD_NEW(x->arena, HdIrRef, x->f->insts.count));
    HD_TAKE(x->way, alloca_of(x, HD_IR_I32));
    x->last = hd_ir_block(x->f);
    if (x->last == HD_IR_NOWHERE)
        return HD_NO_MEMORY;
    x->targets.count = 0;
    for (uint32_t b = 0; b < x->count; b++) {
        if (x->part[b] == OUTSIDE)
            continue;
        if (x->f->blocks.at[b].rank != HD_IR_NOWHERE && x->f->blocks.at[b].rank > rank)
            rank = x->f->blocks.at[b].rank;
        HD_TRY(redirect_block(x, b));
    }
    HD_TRY(leave(x, rank));
    return fetch_all(x);
}

/* One loop; the graph is new after each. */
static HdStatus enclose_one(HdIrFunc *f, HdArena *a, uint32_t head, bool *did)
{
    Enclose x = {.f = f, .arena = a, .head = head, .count = (uint32_t)f->blocks.count};
    HdIrGraph *g;

    HD_TRY(hd_ir_graph(f, a, &g));
    x.g = g;
    if (g->rank[head] == HD_IR_NOWHERE)
        return HD_OK;
    HD_TAKE(x.part, HD_NEW(a, unsigned char, x.count));
    HD_TAKE(x.work, HD_NEW(a, uint32_t, x.count));
    find_construct(&x, f->blocks.at[head].loop_merge);
    if (!is_needed(&x))
        return HD_OK;
    *did = true;
    return enclose(&x);
}

HdStatus hd_opt_enclose(HdIrFunc *f, HdArena *scratch, bool *changed)
{
    uint32_t count = (uint32_t)f->blocks.count;
    bool gathers = false;

    (void)scratch;
    for (uint32_t b = 0; b < count && !gathers; b++)
        gathers = hd_ir_block_gather(f, b) == HD_GATHER_ROUND;
    for (uint32_t b = count; b-- > 0;) {
        HdArena *a;
        HdStatus st;

        if (f->blocks.at[b].loop_merge == HD_IR_NOWHERE || f->blocks.at[b].is_enclosed)
            continue;
        f->blocks.at[b].is_enclosed = true; /* also where nothing in the function gathers */
        if (!gathers)
            continue;
        HD_TAKE(a, hd_arena_open());
        st = enclose_one(f, a, b, changed);
        hd_arena_drop(a);
        HD_TRY(st);
    }
    return f->module->failed ? HD_NO_MEMORY : HD_OK;
}
