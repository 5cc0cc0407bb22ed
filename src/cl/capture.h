/* cl/capture.h -- HEDDLE_CAPTURE: launches written to folders, for heddle run, check and debug.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_CAPTURE_H
#define HD_CL_CAPTURE_H

#include "cl/kernel.h"
#include "launch/launch.h"

/* As it was when first asked for. */
bool hd_capture_is_on(void);

/* Write a launch that is about to begin, if it is one of those that are asked for: a folder with
 * the module, the source where there is one, the memory of its arguments, and run.sh, which repeats
 * it. What cannot be written is named on standard error. Thread-safe. buffers  [arg_count] memory
 * of those that are buffers; bytes 0: of others */
void hd_capture_launch(cl_kernel k, const HdLaunch *l, const HdLaunchSpan *buffers);

#endif
