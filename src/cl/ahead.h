/* cl/ahead.h -- work done before anybody asks for it, by workers that have nothing else to do.
 *
 * HEDDLE_AHEAD=0 turns it off. A pool of one thread does none of it: a launch would have to wait.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_AHEAD_H
#define HD_CL_AHEAD_H

#include "cl/program.h"

/* The host begins to wait for a kernel of an executable, which is compiled. From the second one on
 * the others are too, the more at once the more it has waited for, by half of the threads at most,
 * until the executable is dropped, while no launch wants the workers. */
void hd_ahead_compile(HdExecutable *x);
/* The host will want all of its kernels: others are begun with the first one that it waits for. */
void hd_ahead_expect(HdExecutable *x);

/* The code generator being loaded while the OpenCL C compiler runs. */
typedef struct HdAheadLoad {
    pthread_t thread;
    bool is_running;
} HdAheadLoad;
void hd_ahead_load(HdAheadLoad *l);
/* Wait for it, if it was begun. */
void hd_ahead_wait(HdAheadLoad *l);

#endif
