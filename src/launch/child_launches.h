/* launch/child_launches.h -- a launch with what its kernel enqueues.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_CHILD_LAUNCHES_H
#define HD_LAUNCH_CHILD_LAUNCHES_H

#include "launch/launch.h"
#include "launch/pool.h"

/* As hd_launch_run, without initializers; returns when no descendant is left. */
HdStatus hd_launch_run_with_children(HdPool *pool, const HdLaunch *l, HdDiags *d);

#endif
