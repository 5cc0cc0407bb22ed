/* launch/prepare.h -- what is asked of a launch before it runs.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_PREPARE_H
#define HD_LAUNCH_PREPARE_H

#include "launch/launch.h"

/* Errors: HD_BAD_INPUT with what does not fit; HD_NO_MEMORY for more local memory than
 * HEDDLE_LOCAL_KB. Sizes are those of hd_launch_resolve. */
HdStatus hd_launch_check_args(const HdLaunch *l, HdDiags *d);
HdStatus hd_launch_check_sizes(const HdLaunch *l, HdDiags *d);
HdStatus hd_launch_check_local(const HdLaunch *l, HdDiags *d);

/* Compile what the launch needs, so that hd_launch_run does not wait for it. Arguments are not
 * read.
 *   threads  of the pool that it will run on
 * Errors: as hd_launch_run's for sizes and code. */
HdStatus hd_launch_prepare(const HdLaunch *l, unsigned threads, HdDiags *d);

#endif
