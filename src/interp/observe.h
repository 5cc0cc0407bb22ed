/* interp/observe.h -- what the observer of a check is told (heddle_observer of the public header).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_OBSERVE_H
#define HD_INTERP_OBSERVE_H

#include "check/observer.h"
#include "interp/plan.h"

/* Of a launch that somebody looks on at. */
typedef struct HdObserving {
    const heddle_observer *to;
    heddle_observed_launch launch;
    const HdCountCode *code;
    const HdCountInst **insts; /* [inst_count] by number; NULL: it only names or declares */
} HdObserving;

/* observe_launch.c. A launch begins: tell it, and open what is needed to tell of its groups.
 * c->observing stays NULL if nobody looks on. */
HdStatus hd_observe_launch(const HdInterpProgram *p, const heddle_observed_launch *launch,
                           HdInterpCheck *c);
void hd_observe_launch_ends(HdInterpCheck *c);

/* observe.c, for runs that somebody looks on at (r->watch->c->observing is not NULL). */
void hd_observe_group(HdInterpRun *r);
void hd_observe_group_ends(HdInterpRun *r);
void hd_observe_barrier(HdInterpRun *r);
/* Instructions of a frame's code, `count` of them from number `at` on: the lanes of its mask
 * execute them. */
void hd_observe_instructions(const HdInterpSub *s, const HdInterpFrame *f, uint32_t at,
                             uint32_t count);
/* Lanes of a plan, at least one, have their accesses, all to this memory. */
void hd_observe_access(const HdEval *e, const HdPlan *x, HdMemory memory, uint64_t lanes);

#endif
