/* interp/meet.h -- what barriers order.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_MEET_H
#define HD_INTERP_MEET_H

#include "interp/eval.h"

struct HdInterpRun;

/* A barrier of the sub-group. */
void hd_meet_subgroup(HdEval *e, uint64_t semantics);
/* The sub-group opens a named barrier for those that wait there in that phase. */
void hd_meet_named(HdEval *e, uint64_t barrier, uint32_t phase, uint64_t semantics);
/* All sub-groups have met. */
void hd_meet_group(struct HdInterpRun *r);

#endif
