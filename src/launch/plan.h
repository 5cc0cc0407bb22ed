/* launch/plan.h -- what the first of many launches of one size finds out, for those that follow.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_PLAN_H
#define HD_LAUNCH_PLAN_H

#include "launch/launch.h"
#include "launch/pool.h"

/* The plan of launches like this one; NULL: there is none yet.
 *   threads  of the pool that it will run on */
HdLaunchPlan *hd_launch_plan_find(const HdLaunch *l, unsigned threads);

/* Run a compiled launch that has a plan. Errors: hd_launch_run's. */
HdStatus hd_launch_plan_run(HdPool *pool, const HdLaunch *l, HdLaunchPlan *p, HdDiags *d);

/* Run a compiled launch that has none, and keep one where from->plans has room.
 *   from  as the caller gave it
 *   l     resolved, its sizes checked
 * Errors: hd_launch_run's. */
HdStatus hd_launch_plan_first(HdPool *pool, const HdLaunch *from, HdLaunch *l, HdDiags *d);

/* Look for what an earlier launch like this one found out; l->plan is NULL when there is nothing.
 *   threads  of the pool that it will run on */
void hd_launch_find_plan(HdLaunch *l, unsigned threads);
/* About how long such a launch takes, in nanoseconds; UINT64_MAX when that is not known. */
uint64_t hd_launch_guess_ns(const HdLaunch *l);

/* No launch of the kernel runs. */
void hd_launch_plans_close(HdLaunchPlans *p);

#endif
