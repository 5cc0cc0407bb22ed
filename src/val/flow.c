/* val/flow.c -- control flow of one function: block order, and for shaders its structure.
 *
 * Spec: SPIR-V, "Universal Validation Rules" (Control-Flow Graph), "Structured Control Flow".
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "val/rule.h"

#define SPEC       "Universal Validation Rules"
#define STRUCTURED "Structured Control Flow"

static HdInst label_of(const HdVal *v, uint32_t block)
{
    return hd_module_inst(v->m, v->m->blocks[v->f->first_block + block].word);
}

static uint32_t local_block(const HdVal *v, HdId label)
{
    uint32_t at = hd_module_block(v->m, label);

    return at != UINT32_MAX && at >= v->f->first_block && at - v->f->first_block < v->f->block_count
               ? at - v->f->first_block
               : HD_NO_BLOCK;
}

static void check_entry_and_order(HdVal *v)
{
    const HdCfg *g = v->cfg;

    if (g->pred_first[1] != g->pred_first[0]) {
        HdInst in = label_of(v, 0);

        (void)hd_val_fail_spec(v, &in, "cfg.entry", SPEC,
                               "a function's first block must not be a branch target");
    }
    for (uint32_t i = 1; i < g->count; i++)
        if (g->idom[i] != HD_NO_BLOCK && g->idom[i] > i) {
            HdInst in = label_of(v, i);

            (void)hd_val_fail_spec(v, &in, "cfg.order", SPEC,
                                   "the block stands before the block that dominates it");
        }
}

typedef struct Merge {
    uint32_t head, merge, next; /* blocks; next: continue target or HD_NO_BLOCK */
    HdInst in;
} Merge;

static bool merge_of(HdVal *v, uint32_t block, Merge *out)
{
    uint32_t word = v->m->blocks[v->f->first_block + block].merge;

    if (word == 0)
        return false;
    out->in = hd_module_inst(v->m, word);
    out->head = block;
    out->merge = local_block(v, out->in.w[1]);
    out->next = out->in.opix == HD_OPIX_LoopMerge ? local_block(v, out->in.w[2]) : HD_NO_BLOCK;
    return true;
}

/* A back edge goes to a block that dominates where it comes from. */
static bool has_back_edge(const HdCfg *g, uint32_t head)
{
    for (uint32_t e = g->pred_first[head]; e < g->pred_first[head + 1]; e++)
        if (g->rank[g->pred[e]] != HD_NO_BLOCK && hd_cfg_dominates(g, head, g->pred[e]))
            return true;
    return false;
}

static void check_merge_blocks(HdVal *v, const Merge *x, uint32_t *merged)
{
    const HdCfg *g = v->cfg;

    if (x->merge == HD_NO_BLOCK) {
        (void)hd_val_fail_spec(v, &x->in, "cfg.merge-block", STRUCTURED,
                               "merge block %u is no block of this function", (unsigned)x->in.w[1]);
        return;
    }
    if (merged[x->merge] != 0)
        (void)hd_val_fail_spec(v, &x->in, "cfg.merge-shared", STRUCTURED,
                               "block %u is the merge block of another header already",
                               (unsigned)x->in.w[1]);
    merged[x->merge] = x->head + 1;
    if (x->merge == x->head)
        (void)hd_val_fail_spec(v, &x->in, "cfg.merge-self", STRUCTURED,
                               "a header must not be its own merge block");
    else if (v->shader && g->rank[x->head] != HD_NO_BLOCK && g->rank[x->merge] != HD_NO_BLOCK &&
             !hd_cfg_dominates(g, x->head, x->merge))
        (void)hd_val_fail_spec(v, &x->in, "cfg.merge-dominance", STRUCTURED,
                               "the header does not dominate merge block %u", (unsigned)x->in.w[1]);
}

static void check_loop(HdVal *v, const Merge *x)
{
    const HdCfg *g = v->cfg;
    uint32_t back = 0;

    if (x->next == HD_NO_BLOCK) {
        (void)hd_val_fail_spec(v, &x->in, "cfg.continue-block", STRUCTURED,
                               "continue target %u is no block of this function",
                               (unsigned)x->in.w[2]);
        return;
    }
    if (x->next == x->merge)
        (void)hd_val_fail_spec(v, &x->in, "cfg.continue-merge", STRUCTURED,
                               "merge block and continue target must differ");
    if (!v->shader || g->rank[x->head] == HD_NO_BLOCK)
        return;
    if (g->rank[x->next] != HD_NO_BLOCK && !hd_cfg_dominates(g, x->head, x->next))
        (void)hd_val_fail_spec(v, &x->in, "cfg.continue-dominance", STRUCTURED,
                               "the loop's header does not dominate its continue target");
    for (uint32_t e = g->pred_first[x->head]; e < g->pred_first[x->head + 1]; e++) {
        uint32_t p = g->pred[e];

        if (!hd_cfg_dominates(g, x->head, p))
            continue;
        if (g->rank[p] != HD_NO_BLOCK)
            back++;
        if (g->rank[p] != HD_NO_BLOCK && g->rank[x->next] != HD_NO_BLOCK &&
            !hd_cfg_dominates(g, x->next, p))
            (void)hd_val_fail_spec(v, &x->in, "cfg.back-edge", STRUCTURED,
                                   "the continue target does not dominate the back edge's block");
    }
    if (back > 1 || (back == 0 && g->rank[x->next] != HD_NO_BLOCK))
        (void)hd_val_fail_spec(v, &x->in, "cfg.loop-back-edges", STRUCTURED,
                               "a loop's header needs exactly one back edge, it has %u",
                               (unsigned)back);
}

/* Shaders: back edges go to loop headers only, and branches that part are declared. */
static void check_unstructured(HdVal *v, uint32_t block)
{
    const HdCfg *g = v->cfg;
    const HdBlock *b = &v->m->blocks[v->f->first_block + block];
    HdInst in;

    if (g->rank[block] == HD_NO_BLOCK)
        return;
    if (has_back_edge(g, block) &&
        (b->merge == 0 || hd_module_inst(v->m, b->merge).opix != HD_OPIX_LoopMerge)) {
        in = label_of(v, block);
        (void)hd_val_fail_spec(v, &in, "cfg.back-edge-header", STRUCTURED,
                               "a back edge must go to a loop header");
    }
    if (b->merge == 0 && b->terminator != 0) {
        in = hd_module_inst(v->m, b->terminator);
        if (in.opix == HD_OPIX_Switch)
            (void)hd_val_fail_spec(v, &in, "cfg.switch-merge", STRUCTURED,
                                   "OpSwitch must follow OpSelectionMerge");
    }
}

/* A block of a construct is left only to its merge block, or to that of a loop or switch around
 * it, or to a loop's continue target. */
static void check_exits(HdVal *v, const uint32_t *merged, const uint32_t *target_of)
{
    const HdCfg *g = v->cfg;

    for (uint32_t h = 0; h < g->count; h++) {
        Merge x;

        if (!merge_of(v, h, &x) || x.in.opix != HD_OPIX_SelectionMerge ||
            g->rank[h] == HD_NO_BLOCK || x.merge == HD_NO_BLOCK)
            continue;
        /* Entered only through its header: what the header does not dominate and is not a merge
         * block or continue target of something is jumped to from inside. */
        for (uint32_t e = g->succ_first[h]; e < g->succ_first[h + 1]; e++) {
            uint32_t s = g->succ[e];

            if (s != x.merge && !hd_cfg_dominates(g, h, s) && merged[s] == 0 && target_of[s] == 0)
                (void)hd_val_fail_spec(v, &x.in, "cfg.selection-exit", STRUCTURED,
                                       "the selection is left to a block that is no merge block "
                                       "or continue target");
        }
    }
}

HdStatus hd_val_flow(HdVal *v)
{
    uint32_t *merged, *target_of, n = v->cfg->count;

    HD_TAKE(merged, HD_NEW(v->fa, uint32_t, n));
    HD_TAKE(target_of, HD_NEW(v->fa, uint32_t, n));
    check_entry_and_order(v);
    for (uint32_t i = 0; i < n; i++) {
        Merge x;

        if (merge_of(v, i, &x)) {
            check_merge_blocks(v, &x, merged);
            if (x.in.opix == HD_OPIX_LoopMerge)
                check_loop(v, &x);
            if (x.next != HD_NO_BLOCK)
                target_of[x.next] = i + 1;
        }
        if (v->shader)
            check_unstructured(v, i);
    }
    if (v->shader)
        check_exits(v, merged, target_of);
    return HD_OK;
}
