/* cl/precompile.h -- work done ahead of time, by idle workers.
 *
 * HEDDLE_AHEAD=0 turns it off. A pool of one thread does none: a launch would have to wait.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_PRECOMPILE_H
#define HD_CL_PRECOMPILE_H

#include "cl/program.h"

/* The host begins to wait for a kernel of an executable, which is being compiled. From the second
 * one on the others are compiled too, more in parallel the more kernels it has waited for, by at
 * most half of the threads, until the executable is dropped, while no launch needs the workers. */
void hd_precompile_compile(HdExecutable *x);
/* A draft of a kernel's usual code is there. A worker goes on with it, unless a launch soon shows
 * which code it needs, or does so itself. */
void hd_precompile_finish(HdExecutable *x, const HdKernelInfo *k);
/* The host will need all of its kernels: the others start with the first one that it waits for. */
void hd_precompile_expect(HdExecutable *x);

/* The code generator being loaded while the OpenCL C compiler runs. */
typedef struct HdPrefetchLoad {
    pthread_t thread;
    bool is_running;
} HdPrefetchLoad;
/* Begins it, unless it is begun. */
void hd_precompile_load(HdPrefetchLoad *l);
/* Wait for it, if it was begun. */
void hd_precompile_wait(HdPrefetchLoad *l);

#endif
