/* launch/run.h -- running a launch.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_RUN_H
#define HD_LAUNCH_RUN_H

#include "launch/launch.h"
#include "launch/pool.h"

/* Run to the end. Blocks; the calling thread works too.
 *   pool   NULL: on the calling thread alone
 * Errors: those of hd_program_code; HD_BAD_INPUT for sizes that do not fit the kernel;
 *         HD_NO_MEMORY (local or private memory). */
HdStatus hd_launch_run(HdPool *pool, const HdLaunch *l, HdDiags *d);

#endif
