/* launch/tune_other.h -- the other form of a kernel's code, compiled in the background.
 *
 * A thread that no launch waits for compiles it, or a worker; launches check now and then whether
 * it is ready.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_TUNE_OTHER_H
#define HD_LAUNCH_TUNE_OTHER_H

#include "launch/launch.h"
#include "launch/pool.h"

typedef struct HdTuneOther HdTuneOther;

typedef enum HdTuneOtherState {
    HD_TUNE_OTHER_PENDING,
    HD_TUNE_OTHER_MADE,
    HD_TUNE_OTHER_FAILED
} HdTuneOtherState;

/* What a launch needs (l->form.against selects the form), for a pool of so many threads. NULL:
 * nothing is compiled in the background (HEDDLE_AHEAD=0), or there is no memory. It holds the
 * launch's program. */
HdTuneOther *hd_tune_other_open(const HdLaunch *l, unsigned threads);
/* It is no longer needed; NULL is allowed. */
void hd_tune_other_close(HdTuneOther *o);

/* Request it, if that has not been done, and return its state. One thread at a time. */
HdTuneOtherState hd_tune_other_ask(HdTuneOther *o, HdPool *pool, HdPoolWhen when);

#endif
