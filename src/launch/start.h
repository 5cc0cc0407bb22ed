/* launch/start.h -- one launch by itself: without the program's initializers, and without what its
 * kernel enqueues.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_START_H
#define HD_LAUNCH_START_H

#include "launch/launch.h"
#include "launch/pool.h"

/* As hd_launch_run. */
HdStatus hd_launch_start(HdPool *pool, const HdLaunch *l, HdDiags *d);

#endif
