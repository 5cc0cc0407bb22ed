/* cl/ahead.h -- work done before anybody asks for it, by workers that have nothing else to do.
 *
 * HEDDLE_AHEAD=0 turns it off. A pool of one thread does none of it: a launch would have to wait.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_AHEAD_H
#define HD_CL_AHEAD_H

#include "cl/program.h"

/* Compile the kernels of an executable, one after the other, until it is dropped. To be called when
 * the code generator is loaded: a process that exits while its static objects are being made does
 * not survive. The second call for an executable does nothing. */
void hd_ahead_compile(HdExecutable *x);

/* The code generator being loaded while the OpenCL C compiler runs. */
typedef struct HdAheadLoad {
    pthread_t thread;
    bool is_running;
} HdAheadLoad;
void hd_ahead_load(HdAheadLoad *l);
/* Wait for it; false when it was not begun. */
bool hd_ahead_loaded(HdAheadLoad *l);

#endif
