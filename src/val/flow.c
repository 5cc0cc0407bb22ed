/* val/flow.c -- control flow of one function: block order and merge instructions.
 *
 * Spec: SPIR-V, "Universal Validation Rules" (Control-Flow Graph), "Structured Control Flow".
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/bitset.h"
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

    if (g->preds.of[0] != HD_NO_VERTEX) {
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
    uint32_t word = hd_block_merge(v->m, &v->m->blocks[v->f->first_block + block]);

    if (word == 0)
        return false;
    out->in = hd_module_inst(v->m, word);
    out->head = block;
    out->merge = local_block(v, out->in.w[1]);
    out->next = out->in.opix == HD_OPIX_LoopMerge ? local_block(v, out->in.w[2]) : HD_NO_BLOCK;
    return true;
}

static void check_merge_blocks(HdVal *v, const Merge *x, uint64_t *merged)
{
    if (x->merge == HD_NO_BLOCK) {
        if (hd_module_opix(v->m, x->in.w[1]) != HD_OPIX_NONE)
            (void)hd_val_fail_spec(v, &x->in, "cfg.merge-block", STRUCTURED,
                                   "the merge block, id %u, is not a block of this function",
                                   (unsigned)x->in.w[1]);
        return;
    }
    if (hd_bit_has(merged, x->merge))
        (void)hd_val_fail_spec(v, &x->in, "cfg.merge-shared", STRUCTURED,
                               "id %u is the merge block of another header already",
                               (unsigned)x->in.w[1]);
    hd_bit_add(merged, x->merge);
    if (x->merge == x->head)
        (void)hd_val_fail_spec(v, &x->in, "cfg.merge-self", STRUCTURED,
                               "a header must not be its own merge block");
}

static void check_loop(HdVal *v, const Merge *x)
{
    if (x->next == HD_NO_BLOCK && hd_module_opix(v->m, x->in.w[2]) == HD_OPIX_NONE)
        return; /* said of the id */
    if (x->next == HD_NO_BLOCK)
        (void)hd_val_fail_spec(v, &x->in, "cfg.continue-block", STRUCTURED,
                               "the continue target, id %u, is not a block of this function",
                               (unsigned)x->in.w[2]);
    else if (x->next == x->merge)
        (void)hd_val_fail_spec(v, &x->in, "cfg.continue-merge", STRUCTURED,
                               "merge block and continue target must differ");
}

HdStatus hd_val_flow(HdVal *v)
{
    uint32_t n = v->cfg->count;
    uint64_t *merged = NULL; /* a set */
    size_t before = v->d->errors;

    check_entry_and_order(v);
    for (uint32_t i = 0; i < n; i++) {
        Merge x;

        if (merge_of(v, i, &x)) {
            if (merged == NULL)
                HD_TAKE(merged, HD_NEW(v->fa, uint64_t, HD_BITSET_WORDS(n)));
            check_merge_blocks(v, &x, merged);
            if (x.in.opix == HD_OPIX_LoopMerge)
                check_loop(v, &x);
        }
    }
    if (v->shader && v->d->errors == before)
        return hd_val_structure(v);
    if (!v->m->has_joins) /* which are all that asks for predecessors from here on */
        hd_val_empty_brief(v);
    hd_cfg_number(v->cfg);
    return HD_OK;
}
