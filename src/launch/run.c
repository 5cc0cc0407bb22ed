/* launch/run.c -- a launch after what has to run before it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/run.h"

#include "base/float_env.h"
#include "launch/child_launches.h"
#include "launch/hooks.h"

HdStatus hd_launch_run(HdPool *pool, const HdLaunch *l, HdDiags *d)
{
    HD_FLOAT_ENV;

    HD_TRY(hd_launch_initialize(l, d));
    return hd_launch_run_with_children(pool, l, d);
}
