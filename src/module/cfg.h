/* module/cfg.h -- a function's control-flow graph, its dominators and its block order.
 *
 * The order is the one both engines follow where lanes diverge (docs/execution-model.md):
 * topological, loops contiguous, their exits after them, successors in operand order. Blocks are
 * numbered 0..count-1 in module order inside the function; all arrays are indexed by that number.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_CFG_H
#define HD_MODULE_CFG_H

#include "base/dominators.h"
#include "base/gather.h"
#include "module/module.h"

#define HD_NO_BLOCK UINT32_MAX

typedef struct HdCfg {
    uint32_t count;
    uint32_t *succ_first; /* [count + 1] into succ */
    uint32_t *succ;       /* in operand order, duplicates kept once */
    HdPredecessors preds; /* `of` is NULL once somebody has given up its memory */
    uint32_t *idom;  /* immediate dominator; HD_NO_BLOCK for the entry and unreachable blocks */
    uint32_t *ipdom; /* immediate post-dominator; HD_NO_BLOCK when none (leaves the function) */
    uint32_t *order; /* reachable blocks in execution order */
    uint32_t *rank;  /* position in order; HD_NO_BLOCK when unreachable */
    bool *is_round;  /* of shaders: blocks that head loops (HdGatherGraph); else NULL */
    uint32_t reachable;
    uint32_t *loop_head; /* innermost loop's first block in the order; HD_NO_BLOCK outside loops.
                            For irreducible loops: the first block of the strongly connected part */
    /* Dominator tree numbering, for constant-time queries: in is a block's place in preorder,
     * HD_NO_BLOCK when unreachable; out that of the first block after those that it dominates. */
    uint32_t *dom_in, *dom_out;
    uint32_t *spare[2]; /* of hd_cfg_build_dominators: [count] each, for reuse by callers */
} HdCfg;

/* The labels that a terminator branches to, in operand order; one may come twice. */
typedef struct HdTargets {
    const uint32_t *w; /* of the terminator */
    uint32_t at, end,
        step; /* words of it: the next label, after the last one, from each to the next */
} HdTargets;

HdTargets hd_cfg_switch_targets(const HdModule *m, uint32_t word);
/* `word` is a block's terminator, or 0: it has none. */
static inline HdTargets hd_cfg_targets(const HdModule *m, uint32_t word)
{
    const uint32_t *w = m->words + word;

    switch (w[0] & 0xffff) { /* of no word: the magic number, which is none of them */
    case SpvOpBranch: return (HdTargets){.w = w, .at = 1, .end = 2, .step = 1};
    case SpvOpBranchConditional: return (HdTargets){.w = w, .at = 2, .end = 4, .step = 1};
    case SpvOpSwitch: return hd_cfg_switch_targets(m, word);
    default: return (HdTargets){.step = 1};
    }
}
static inline bool hd_targets_next(HdTargets *t, HdId *label)
{
    if (t->at >= t->end)
        return false;
    *label = t->w[t->at];
    t->at += t->step;
    return true;
}

/* Words of each literal of an OpSwitch: as many as the selector's type needs. */
uint32_t hd_cfg_switch_words(const HdModule *m, const HdInst *in);

/* The OpSwitch whose targets were queried last. */
typedef struct HdLastSwitch {
    uint32_t word, step, count; /* word 0: none */
} HdLastSwitch;
/* The same one by one: the label that a terminator branches to by its target *k. 0: it has not so
 * many; *k is then less by their number. */
static inline HdId hd_cfg_target(const HdModule *m, uint32_t word, HdLastSwitch *last, uint32_t *k)
{
    const uint32_t *w = m->words + word;
    uint32_t first = 2, step = 1, count;
    HdInst in;

    switch (w[0] & 0xffff) {
    case SpvOpBranch:
        first = 1;
        count = 1;
        break;
    case SpvOpBranchConditional: count = 2; break;
    case SpvOpSwitch:
        if (last->word != word) {
            in = hd_module_inst(m, word);
            last->word = word;
            last->step = 1 + hd_cfg_switch_words(m, &in);
            last->count = (in.nwords - 3) / last->step + 1;
        }
        step = last->step;
        count = last->count;
        break;
    default: return 0;
    }
    if (*k < count)
        return w[first + *k * step];
    *k -= count;
    return 0;
}

/* Build the graph of a function that has blocks. Branch targets that are no block of the function
 * are an error. Spec: SPIR-V, "Structured Control Flow", "Universal Validation Rules".
 * Errors: HD_BAD_INPUT, HD_NO_MEMORY. Linear time in practice; no recursion on the host stack. */
HdStatus hd_cfg_build(const HdModule *m, const HdFunction *f, HdArena *a, HdDiags *d, HdCfg **out);
/* The same without what engines need to run it: succ_first, succ, ipdom, order and loop_head are
 * NULL, rank is dom_in, which hd_cfg_number fills in. Linear in practice for loops nested by the
 * thousand too.
 *   brief  memory of the predecessors, which may be given up before the rest */
HdStatus hd_cfg_build_dominators(const HdModule *m, const HdFunction *f, HdArena *a, HdArena *brief,
                                 HdDiags *d, HdCfg **out);
/* Number its dominator tree. */
void hd_cfg_number(HdCfg *g);
/* Find its predecessors again. */
HdStatus hd_cfg_find_predecessors(const HdModule *m, const HdFunction *f, HdArena *brief, HdCfg *g);
/* Does block a dominate block b (every block dominates itself)? Unreachable ones dominate nothing
 * and are dominated by everything. */
bool hd_cfg_dominates(const HdCfg *g, uint32_t a, uint32_t b);
/* The order in which its blocks run at which lanes wait (base/gather.h).
 *   kind  [count] HdGather, kept by out */
HdStatus hd_cfg_gather_order(const HdCfg *g, const unsigned char *kind, HdArena *a,
                             HdGatherOrder *out);
/* Number the tree of immediate dominators of `count` blocks, as dom_in and dom_out are; each array,
 * and `scratch`, has room for a number for each block. */
void hd_cfg_number_tree(uint32_t count, const uint32_t *idom, uint32_t *in, uint32_t *out,
                        uint32_t *scratch);

/* The order alone, for any graph given as successor lists with entry 0.
 * Fills order (reachable ones), rank and loop_head as in HdCfg; returns false without memory.
 * Nearly linear; where parts that have several entries are in each other, times their depth. */
bool hd_cfg_order(uint32_t count, const uint32_t *succ_first, const uint32_t *succ, uint32_t *order,
                  uint32_t *rank, uint32_t *loop_head, uint32_t *reachable);

#endif
