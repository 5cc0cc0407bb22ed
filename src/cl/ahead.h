/* cl/ahead.h -- work done before anybody asks for it, by workers that have nothing else to do.
 *
 * HEDDLE_AHEAD=0 turns it off. A pool of one thread does none of it: a launch would have to wait.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_AHEAD_H
#define HD_CL_AHEAD_H

#include "cl/program.h"

/* The host has waited for a kernel of an executable. From the second one on the others are
 * compiled, one after the other, until the executable is dropped, while no launch wants the
 * workers. The code generator must be loaded: a process that exits while its static objects are
 * being made does not survive. */
void hd_ahead_compile(HdExecutable *x);

/* The code generator being loaded while the OpenCL C compiler runs. */
typedef struct HdAheadLoad {
    pthread_t thread;
    bool is_running;
} HdAheadLoad;
void hd_ahead_load(HdAheadLoad *l);
/* Wait for it, if it was begun. */
void hd_ahead_wait(HdAheadLoad *l);

#endif
