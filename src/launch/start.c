/* launch/start.c -- from the caller's description of a launch to running groups.
 *
 * Spec: OpenCL API, "Executing Kernels".
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/start.h"

#include "launch/choose.h"
#include "launch/interpreted.h"
#include "launch/plan.h"
#include "launch/prepare.h"
#include "launch/unbound.h"

static HdStatus start(HdPool *pool, const HdLaunch *from, HdDiags *d)
{
    HdLaunchPlan *plan = from->plan;
    HdLaunch l;
    bool is_empty;

    if (plan == NULL && from->plans != NULL && from->engine == HD_ENGINE_COMPILED)
        plan = hd_launch_plan_find(from, pool != NULL ? hd_pool_threads(pool) : 1);
    if (plan != NULL) {
        HD_TRY(hd_launch_check_args(from, d));
        return hd_launch_plan_run(pool, from, plan, d);
    }
    HD_TRY(hd_launch_resolve(from, &l, &is_empty, d));
    HD_TRY(hd_launch_check_args(&l, d));
    if (is_empty)
        return HD_OK;
    HD_TRY(hd_launch_check_sizes(&l, d));
    HD_TRY(hd_launch_check_local(&l, d));
    return l.engine == HD_ENGINE_INTERPRETED ? hd_launch_interpret(pool, &l, d)
                                             : hd_launch_plan_first(pool, from, &l, d);
}

HdStatus hd_launch_start(HdPool *pool, const HdLaunch *from, HdDiags *d)
{
    HdLaunch l = *from;
    HdUnboundRun u;
    HdStatus st;

    hd_unbound_look(&l);
    if (!hd_unbound_is_needed(&l))
        return start(pool, &l, d);
    HD_TRY(hd_launch_check_args(&l, d));
    HD_TRY(hd_unbound_open(&l, &u));
    st = start(pool, &l, d);
    if (st == HD_OK)
        st = hd_unbound_tell(&u, d);
    hd_unbound_close(&u);
    return st;
}
