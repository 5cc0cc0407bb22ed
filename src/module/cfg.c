/* module/cfg.c -- control-flow graphs: edges, dominators, and the order that engines follow.
 *
 * Every walk keeps its own stack, so that a chain of a million blocks needs no more of the host's
 * stack than one of two. The execution order is in order.c.
 *
 * Spec: SPIR-V, "Universal Validation Rules", "Structured Control Flow".
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/cfg.h"

#include <string.h>

#include "base/array.h"
#include "base/dominators.h"
#include "module/private.h"

typedef struct Builder {
    const HdModule *m;
    const HdFunction *f;
    HdArena *a, *brief;
    HdDiags *d;
    HdCfg *g;
    HdLastSwitch *last;
} Builder;

uint32_t hd_cfg_switch_words(const HdModule *m, const HdInst *in)
{
    HdInst type;

    if (hd_module_def(m, hd_module_type_id(m, in->w[1]), &type) && type.opix == HD_OPIX_TypeInt &&
        type.w[2] > 32)
        return type.w[2] / 32 + (type.w[2] % 32 != 0);
    return 1;
}

HdTargets hd_cfg_switch_targets(const HdModule *m, uint32_t word)
{
    HdInst in = hd_module_inst(m, word);

    return (HdTargets){
        .w = in.w, .at = 2, .end = in.nwords, .step = 1 + hd_cfg_switch_words(m, &in)};
}

static uint32_t terminator_of(const Builder *b, uint32_t block)
{
    return b->m->blocks[b->f->first_block + block].terminator;
}

static HdTargets targets_of(const Builder *b, uint32_t block)
{
    return hd_cfg_targets(b->m, terminator_of(b, block));
}

/* The k-th successor of a block, by its terminator, for base/dominators.h. */
static inline __attribute__((always_inline)) bool successor(const void *builder, uint32_t v,
                                                            uint32_t k, uint32_t *to)
{
    const Builder *b = builder;
    HdId label = hd_cfg_target(b->m, terminator_of(b, v), b->last, &k);

    *to = hd_module_block(b->m, label) - b->f->first_block;
    return label != 0;
}

/* ---- edges --------------------------------------------------------------------------------- */

/* Is each target a block of the function? What nothing defines is an undefined id. */
static bool check_target(const Builder *b, uint32_t from, HdId label, uint32_t *to)
{
    uint32_t at = hd_module_block(b->m, label);

    if (at != UINT32_MAX && at >= b->f->first_block && at - b->f->first_block < b->f->block_count) {
        *to = at - b->f->first_block;
        return true;
    }
    if (hd_module_opix(b->m, label) != HD_OPIX_NONE)
        (void)hd_fail(b->d, HD_BAD_INPUT, terminator_of(b, from), "cfg.target",
                      "id %u, which is branched to, is not a block of this function",
                      (unsigned)label);
    return false;
}

/* And count them. `mark` is room for a number for each block. */
static HdStatus check_targets(const Builder *b, uint32_t *mark)
{
    HdPredecessors *preds = &b->g->preds;
    bool bad = false;
    uint32_t to;

    if (!hd_predecessors_open(b->brief, b->g->count, mark, preds))
        return HD_NO_MEMORY;
    for (uint32_t from = 0; from < b->g->count; from++) {
        HdTargets t = targets_of(b, from);

        for (HdId label; hd_targets_next(&t, &label);) {
            if (check_target(b, from, label, &to))
                hd_predecessors_count(preds, mark, from, to);
            else
                bad = true;
        }
    }
    return bad ? HD_BAD_INPUT : HD_OK;
}

/* `mark` is room for a number for each block. */
static HdStatus find_predecessors(const Builder *b, HdArena *a, uint32_t *mark)
{
    return hd_predecessors_find(a, b->g->count, successor, b, mark, &b->g->preds) ? HD_OK
                                                                                  : HD_NO_MEMORY;
}

HdStatus hd_cfg_find_predecessors(const HdModule *m, const HdFunction *f, HdArena *brief, HdCfg *g)
{
    HdLastSwitch last = {0};
    Builder b = {.last = &last, .m = m, .f = f, .g = g};

    return find_predecessors(&b, brief, g->spare[0]);
}

static HdStatus list_successors(const Builder *b)
{
    HdCfg *g = b->g;
    uint32_t n = g->count, edges = 0, *mark, to;

    HD_TAKE(mark, HD_NEW(b->a, uint32_t, n));
    HD_TAKE(g->succ_first, HD_NEW(b->a, uint32_t, (size_t)n + 1));
    HD_TAKE(g->succ, hd_arena_take(b->a, g->preds.edges * sizeof *g->succ));
    for (uint32_t from = 0; from < n; from++) {
        g->succ_first[from] = edges;
        for (uint32_t k = 0; successor(b, from, k, &to); k++) {
            if (mark[to] != from + 1)
                g->succ[edges++] = to;
            mark[to] = from + 1;
        }
    }
    g->succ_first[n] = edges;
    return HD_OK;
}

/* ---- post-dominators ----------------------------------------------------------------------- */

/* The graph backwards, with one more vertex `n` from which every leaving block is reached. */
static HdStatus find_post_dominators(HdArena *a, HdCfg *g)
{
    uint32_t n = g->count, edges = g->succ_first[n], leaving = 0;
    uint32_t *sf, *s, *pf, *p, *idom;
    HdDominators back = {.count = n + 1};

    for (uint32_t i = 0; i < n; i++)
        leaving += g->succ_first[i] == g->succ_first[i + 1];
    HD_TAKE(sf, HD_NEW(a, uint32_t, (size_t)n + 2));
    HD_TAKE(pf, HD_NEW(a, uint32_t, (size_t)n + 2));
    HD_TAKE(s, HD_NEW(a, uint32_t, (size_t)edges + leaving));
    HD_TAKE(p, HD_NEW(a, uint32_t, (size_t)edges + leaving));
    HD_TAKE(idom, HD_NEW(a, uint32_t, (size_t)n + 1));
    for (uint32_t i = 0; i < n; i++) {
        uint32_t count;
        const uint32_t *preds = hd_predecessors(&g->preds, i, &count);

        memcpy(s + sf[i], preds, count * sizeof *s);
        sf[i + 1] = sf[i] + count;
    }
    sf[n + 1] = edges + leaving;
    for (uint32_t i = 0, at = 0, exit = edges; i < n; i++) {
        pf[i] = at;
        if (g->succ_first[i] == g->succ_first[i + 1]) {
            s[exit++] = i;
            p[at++] = n;
        }
        for (uint32_t e = g->succ_first[i]; e < g->succ_first[i + 1]; e++)
            p[at++] = g->succ[e];
        pf[i + 1] = pf[n + 1] = at;
    }
    back.succ_first = sf;
    back.succ = s;
    back.pred_first = pf;
    back.pred = p;
    if (!hd_dominators_find(a, &back, n, idom))
        return HD_NO_MEMORY;
    for (uint32_t i = 0; i < n; i++)
        g->ipdom[i] = idom[i] == n ? HD_NO_BLOCK : idom[i];
    return HD_OK;
}

/* ---- numbering of the dominator tree ------------------------------------------------------- */

/* Those of a block's children that are still to be numbered hang on its `out`, which gets its
 * number when none is left; the next of them on `sibling`. */
void hd_cfg_number_tree(uint32_t count, const uint32_t *idom, uint32_t *in, uint32_t *out,
                        uint32_t *sibling)
{
    uint32_t clock = 0, v = 0;

    memset(in, 0xff, count * sizeof *in);
    memset(out, 0xff, count * sizeof *out);
    for (uint32_t i = count; i-- > 0;)
        if (idom[i] != HD_NO_BLOCK) {
            sibling[i] = out[idom[i]];
            out[idom[i]] = i;
        }
    in[0] = clock++;
    for (;;) {
        uint32_t child = out[v];

        if (child != HD_NO_BLOCK) {
            out[v] = sibling[child];
            in[child] = clock++;
            v = child;
            continue;
        }
        out[v] = clock;
        if (v == 0)
            return;
        v = idom[v];
    }
}

bool hd_cfg_dominates(const HdCfg *g, uint32_t a, uint32_t b)
{
    if (g->rank[b] == HD_NO_BLOCK)
        return true;
    if (g->rank[a] == HD_NO_BLOCK)
        return false;
    return g->dom_in[a] <= g->dom_in[b] && g->dom_in[b] < g->dom_out[a];
}

/* ---- what OpLoopMerge keeps inside a loop -------------------------------------------------- */

typedef struct Loop {
    uint32_t head, merge, target; /* numbers of blocks */
} Loop;

/* Edges for the order alone, from each block that leaves a loop's construct to the loop's continue
 * target: a block that the header dominates and the merge block does not belongs to the loop, also
 * when it cannot come back. So it is placed, and runs, inside. */
static HdStatus order_graph(HdArena *a, const HdModule *m, const HdFunction *f, HdCfg *g,
                            const uint32_t **first, const uint32_t **succ)
{
    uint32_t n = g->count, *of, *count, *sf, *s, at = 0;
    HD_ARRAY(Loop) loops = {0};

    for (uint32_t i = 0; i < n; i++) {
        const HdBlock *block = &m->blocks[f->first_block + i];
        HdInst in;
        Loop l;

        if (block->merge == HD_MERGE_NONE || g->rank[i] == HD_NO_BLOCK)
            continue;
        in = hd_module_inst(m, hd_block_merge(m, block));
        if (in.opix != HD_OPIX_LoopMerge)
            continue;
        if (g->is_round != NULL)
            g->is_round[i] = true;
        l.head = i;
        l.merge = hd_module_block(m, in.w[1]) - f->first_block;
        l.target = hd_module_block(m, in.w[2]) - f->first_block;
        if (l.merge < n && l.target < n && g->rank[l.target] != HD_NO_BLOCK &&
            hd_cfg_dominates(g, i, l.target))
            HD_TRY_PUSH(a, &loops, l);
    }
    *first = g->succ_first;
    *succ = g->succ;
    if (loops.count == 0)
        return HD_OK;
    /* Innermost loop of each block: walk the dominator tree's preorder; a block has its own loop
     * when it heads one, else its dominator's, left at the merge block. */
    HD_TAKE(of, HD_NEW(a, uint32_t, n));
    HD_TAKE(count, HD_NEW(a, uint32_t, n));
    HD_TAKE(sf, HD_NEW(a, uint32_t, (size_t)n + 1));
    HD_TAKE(s, HD_NEW(a, uint32_t, (size_t)g->succ_first[n] + n));
    memset(of, 0xff, n * sizeof *of);
    for (uint32_t i = 0; i < loops.count; i++)
        count[loops.at[i].head] = i + 1;
    uint32_t *by_in;
    HD_TAKE(by_in, HD_NEW(a, uint32_t, n));
    memset(by_in, 0xff, n * sizeof *by_in);
    for (uint32_t i = 0; i < n; i++)
        if (g->rank[i] != HD_NO_BLOCK)
            by_in[g->dom_in[i]] = i;
    uint32_t *outer; /* loop around loop */
    HD_TAKE(outer, HD_NEW(a, uint32_t, loops.count));
    for (uint32_t k = 0; k < n; k++) {
        uint32_t v = by_in[k], l;

        if (v == HD_NO_BLOCK)
            continue;
        l = g->idom[v] == HD_NO_BLOCK ? HD_NO_BLOCK : of[g->idom[v]];
        while (l != HD_NO_BLOCK && hd_cfg_dominates(g, loops.at[l].merge, v))
            l = outer[l];
        if (count[v] != 0) {
            outer[count[v] - 1] = l;
            l = count[v] - 1;
        }
        of[v] = l;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t l = of[i];
        bool leaves = g->succ_first[i] == g->succ_first[i + 1];

        sf[i] = at;
        for (uint32_t e = g->succ_first[i]; e < g->succ_first[i + 1]; e++) {
            s[at++] = g->succ[e];
            leaves |= of[g->succ[e]] != l;
        }
        if (l != HD_NO_BLOCK && leaves && i != loops.at[l].head &&
            !hd_cfg_dominates(g, loops.at[l].target, i))
            s[at++] = loops.at[l].target;
    }
    sf[n] = at;
    *first = sf;
    *succ = s;
    return HD_OK;
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Edges and dominators. One array is used for one thing after the other. */
static HdStatus build_dominators(Builder *b)
{
    HdCfg *g = b->g;
    uint32_t n = g->count, *rooms[5];
    bool is_large = n >= 4096; /* apart, memory is taken only for what is used */
    HdDominators forward = {.count = n};

    HD_TAKE(rooms[0], hd_arena_take(b->a, (is_large ? 1 : 5) * (size_t)n * sizeof *rooms[0]));
    for (unsigned i = 1; i < 5; i++)
        HD_TAKE(rooms[i], is_large ? hd_arena_take(b->a, n * sizeof *rooms[i]) : rooms[i - 1] + n);
    g->rank = g->dom_in = forward.semi = rooms[0];
    g->dom_out = forward.label = rooms[1];
    g->idom = forward.ancestor = rooms[2];
    g->spare[0] = forward.number = rooms[3];
    g->spare[1] = forward.idom = rooms[4];
    /* Not room that is used for reachable blocks only, nor after predecessors are given up. */
    HD_TRY(check_targets(b, forward.number));
    if (!hd_predecessors_fill(b->brief, n, successor, b, forward.number, &g->preds))
        return HD_NO_MEMORY;
    forward.preds = &g->preds;
    memset(forward.number, 0xff, n * sizeof *forward.number);
    hd_dominators_number(&forward, successor, b, 0);
    if (!hd_dominators_find(b->a, &forward, 0, g->idom))
        return HD_NO_MEMORY;
    return HD_OK;
}

void hd_cfg_number(HdCfg *g)
{
    hd_cfg_number_tree(g->count, g->idom, g->dom_in, g->dom_out, g->spare[0]);
}

static HdStatus build_order(Builder *b)
{
    HdCfg *g = b->g;
    uint32_t n = g->count;
    const uint32_t *first, *succ;

    hd_cfg_number(g);
    HD_TAKE(g->ipdom, HD_NEW(b->a, uint32_t, n));
    HD_TAKE(g->order, HD_NEW(b->a, uint32_t, n));
    HD_TAKE(g->loop_head, HD_NEW(b->a, uint32_t, n));
    HD_TRY(list_successors(b));
    HD_TRY(find_post_dominators(b->a, g));
    if (!hd_module_is_opencl(b->m))
        HD_TAKE(g->is_round, HD_NEW(b->a, bool, n));
    HD_TRY(order_graph(b->a, b->m, b->f, g, &first, &succ));
    g->rank = g->spare[0];
    g->spare[0] = NULL; /* no longer used */
    if (!hd_cfg_order(n, first, succ, g->order, g->rank, g->loop_head, &g->reachable))
        return HD_NO_MEMORY;
    return HD_OK;
}

static HdStatus build(const HdModule *m, const HdFunction *f, HdArena *a, HdArena *brief,
                      HdDiags *d, bool order, HdCfg **out)
{
    HdLastSwitch last = {0};
    Builder b = {.last = &last, .m = m, .f = f, .a = a, .brief = brief, .d = d};

    *out = NULL;
    if (f->block_count == 0)
        return hd_fail(d, HD_BAD_INPUT, f->word, "cfg.empty", "the function has no blocks");
    HD_TAKE(b.g, HD_NEW(a, HdCfg, 1));
    b.g->count = f->block_count;
    HD_TRY(build_dominators(&b));
    if (order)
        HD_TRY(build_order(&b));
    *out = b.g;
    return HD_OK;
}

HdStatus hd_cfg_build(const HdModule *m, const HdFunction *f, HdArena *a, HdDiags *d, HdCfg **out)
{
    return build(m, f, a, a, d, true, out);
}

HdStatus hd_cfg_build_dominators(const HdModule *m, const HdFunction *f, HdArena *a, HdArena *brief,
                                 HdDiags *d, HdCfg **out)
{
    return build(m, f, a, brief, d, false, out);
}

HdStatus hd_cfg_gather_order(const HdCfg *g, const unsigned char *kind, HdArena *a,
                             HdGatherOrder *out)
{
    const HdGatherGraph graph = {.count = g->count,
                                 .reachable = g->reachable,
                                 .order = g->order,
                                 .rank = g->rank,
                                 .succ_first = g->succ_first,
                                 .succ = g->succ,
                                 .kind = kind,
                                 .is_round = g->is_round};

    return hd_gather_order(&graph, a, out) ? HD_OK : HD_NO_MEMORY;
}
