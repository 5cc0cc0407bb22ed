/* val/structural.h -- the structural graph of a function of a shader: its blocks and edges, with an
 * additional edge from each header to its merge block and continue target, so that both are reached
 * and dominated as the specification defines it ("structurally").
 *
 * Spec: SPIR-V, "Structured Control Flow".
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_VAL_STRUCTURAL_H
#define HD_VAL_STRUCTURAL_H

#include "val/rule.h"

typedef struct HdStructural {
    HdVal *v;
    const HdCfg *g;     /* without those edges */
    uint32_t *idom;     /* HD_NO_BLOCK: not reached, or the entry */
    uint32_t *in, *out; /* numbering of the dominator tree */
} HdStructural;

/* Find the dominators of the function that is validated. Those of the graph without the additional
 * edges may be lost: hd_cfg_number finds them again. Errors: HD_NO_MEMORY. */
HdStatus hd_structural_find(HdVal *v, HdStructural *out);

static inline uint32_t hd_structural_block(const HdVal *v, HdId label)
{
    uint32_t at = hd_module_block(v->m, label);

    return at != UINT32_MAX && at >= v->f->first_block && at - v->f->first_block < v->f->block_count
               ? at - v->f->first_block
               : HD_NO_BLOCK;
}

static inline __attribute__((always_inline)) HdTargets hd_structural_targets(const HdStructural *s,
                                                                             uint32_t block)
{
    return hd_cfg_targets(s->v->m, s->v->m->blocks[s->v->f->first_block + block].terminator);
}

/* The next target, which is a block of the function: the graph has been made. */
static inline __attribute__((always_inline)) bool hd_structural_next(const HdStructural *s,
                                                                     HdTargets *t, uint32_t *to)
{
    HdId label;

    if (!hd_targets_next(t, &label))
        return false;
    *to = hd_module_block(s->v->m, label) - s->v->f->first_block;
    return true;
}

/* What the merge instruction of a block names; false when those are no blocks. */
static inline bool hd_structural_names(const HdStructural *s, const HdBlock *block, uint32_t *merge,
                                       uint32_t *next)
{
    const uint32_t *w = s->v->m->words + hd_block_merge(s->v->m, block);
    bool loop = (w[0] & 0xffff) == SpvOpLoopMerge;

    *merge = hd_structural_block(s->v, w[1]);
    *next = loop ? hd_structural_block(s->v, w[2]) : HD_NO_BLOCK;
    return *merge != HD_NO_BLOCK && (!loop || *next != HD_NO_BLOCK);
}

/* The same; false, too, for a block without one, as most are. */
static inline bool hd_structural_header(const HdStructural *s, uint32_t block, uint32_t *merge,
                                        uint32_t *next)
{
    const HdBlock *b = &s->v->m->blocks[s->v->f->first_block + block];

    return b->merge != HD_MERGE_NONE && hd_structural_names(s, b, merge, next);
}

/* For walks through the structural graph. */
typedef struct HdStructuralWalk {
    const HdStructural *s;
    HdLastSwitch *last;
} HdStructuralWalk;

/* The k-th successor: each block's targets and what its merge instruction names. */
static inline __attribute__((always_inline)) bool
hd_structural_successor(const void *walk, uint32_t v, uint32_t k, uint32_t *to)
{
    const HdStructuralWalk *w = walk;
    const HdVal *val = w->s->v;
    uint32_t word = val->m->blocks[val->f->first_block + v].terminator, named[2];
    HdId label = hd_cfg_target(val->m, word, w->last, &k);

    if (label != 0) {
        *to = hd_module_block(val->m, label) - val->f->first_block;
        return true;
    }
    if (k > 1 || !hd_structural_header(w->s, v, &named[0], &named[1]))
        return false;
    *to = named[k];
    return *to != HD_NO_BLOCK;
}

static inline bool hd_structural_reached(const HdStructural *s, uint32_t b)
{
    return b == 0 || s->idom[b] != HD_NO_BLOCK;
}

/* Blocks that are not reached have the greatest numbers. */
static inline bool hd_structural_dominates(const HdStructural *s, uint32_t a, uint32_t b)
{
    return s->in[a] <= s->in[b] && s->in[b] < s->out[a];
}

#endif
