/* launch/size.h -- the local size of a launch that does not specify one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_SIZE_H
#define HD_LAUNCH_SIZE_H

#include "launch/launch.h"

/* The local size that a launch without one gets (also for clGetKernelSuggestedLocalWorkSize). */
void hd_launch_local_size(const HdLaunch *l, uint64_t local[3]);

#endif
