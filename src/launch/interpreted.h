/* launch/interpreted.h -- launches that the reference interpreter runs.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_INTERPRETED_H
#define HD_LAUNCH_INTERPRETED_H

#include "launch/launch.h"
#include "launch/pool.h"

/* Run a launch whose sizes are resolved and checked. Errors: those of hd_interp_group. */
HdStatus hd_launch_interpret(HdPool *pool, const HdLaunch *l, HdDiags *d);

#endif
