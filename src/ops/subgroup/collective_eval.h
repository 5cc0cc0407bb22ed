/* ops/subgroup/collective_eval.h -- reductions and scans over work-items, for sub-groups and
 * work-groups alike.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_SUBGROUP_COLLECTIVE_EVAL_H
#define HD_OPS_SUBGROUP_COLLECTIVE_EVAL_H

#include "interp/eval.h"

/* What work-items brought: given[i] is the i-th one's value, NULL when it does not take part. */
typedef struct HdGiven {
    const void **at;
    uint32_t count;
    uint32_t first; /* number of this sub-group's lane 0 in `at` */
} HdGiven;

/* Gather what is brought: the active lanes' values, or, for scope Workgroup, those of all work-
 * items; or bits without a value (is_shadow), of all work-items NULL where they bring none. *done
 * is false when the sub-group has to wait first: return HD_OK then. The list is on the heap
 * (hd_free). */
HdStatus hd_eval_gather(HdEval *e, HdId scope, const HdSlot *x, HdGiven *given, bool *done);

/* When a vote is decided before all have voted. */
typedef enum HdVoteEnd { HD_VOTE_LAST, HD_VOTE_FIRST_TRUE, HD_VOTE_FIRST_FALSE } HdVoteEnd;

/* Whether a vote among lanes has a value (is_shadow): all have brought one, or one has that decides
 * it. */
HdStatus hd_eval_shade_vote(HdEval *e, HdId id, HdVoteEnd end, uint64_t lanes, const HdSlot *r);

/* Reduce or scan component by component, in the order of the work-items; of bits without a value
 * (is_shadow), which results have some.
 *   operation  SpvGroupOperation
 *   cluster    work-items of a cluster; 0: all are one
 * Errors: HD_UNSUPPORTED for an operation that the row's opcode has not. */
HdStatus hd_eval_reduce(HdEval *e, const HdInst *in, uint32_t operation, uint32_t cluster,
                        const HdGiven *given, const HdSlot *r);

/* Reduce or scan the lanes that each one's ballot, word 6, names: from the lowest on. */
HdStatus hd_eval_reduce_parts(HdEval *e, const HdInst *in, const HdSlot *x, const HdSlot *r);

#endif
