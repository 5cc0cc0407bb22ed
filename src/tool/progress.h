/* tool/progress.h -- how far a launch is, on the terminal.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_PROGRESS_H
#define HD_TOOL_PROGRESS_H

#include <pthread.h>

#include "base/cond.h"
#include "launch/launch.h"

typedef struct HdProgress {
    HdLaunchProgress of; /* for HdLaunch.progress */
    pthread_t thread;
    pthread_mutex_t lock;
    HdCond changed;
    bool is_over, is_started;
} HdProgress;

/* A line on standard error, if that is a terminal, from the first second on; gone at the stop.
 * Begins as zeros. */
void hd_progress_start(HdProgress *p);
void hd_progress_stop(HdProgress *p);

#endif
