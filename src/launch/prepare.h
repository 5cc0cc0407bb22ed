/* launch/prepare.h -- what is asked of a launch before it runs; hd_launch_prepare is in
 * launch/launch.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_PREPARE_H
#define HD_LAUNCH_PREPARE_H

#include "launch/launch.h"

/* Errors of both: HD_BAD_INPUT with what does not fit. Sizes are those of hd_launch_resolve. */
HdStatus hd_launch_check_args(const HdLaunch *l, HdDiags *d);
HdStatus hd_launch_check_sizes(const HdLaunch *l, HdDiags *d);

#endif
