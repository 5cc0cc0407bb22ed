/* launch/other.h -- the other form of a kernel's code, compiled in the background.
 *
 * A thread that no launch waits for compiles it, or a worker; launches check now and then whether
 * it is ready.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_OTHER_H
#define HD_LAUNCH_OTHER_H

#include "launch/launch.h"

typedef struct HdOther HdOther;

typedef enum HdOtherState { HD_OTHER_PENDING, HD_OTHER_MADE, HD_OTHER_FAILED } HdOtherState;

/* Which way of the pool it is compiled. */
typedef enum HdOtherHaste {
    HD_OTHER_SPARE, /* hd_pool_submit_spare */
    HD_OTHER_IDLE,  /* hd_pool_submit_idle */
    HD_OTHER_NOW    /* hd_pool_submit */
} HdOtherHaste;

/* What a launch needs (l->against selects the form), for a pool of so many threads. NULL: nothing
 * is compiled in the background (HEDDLE_AHEAD=0), or there is no memory. It holds the launch's
 * program. */
HdOther *hd_other_open(const HdLaunch *l, unsigned threads);
/* It is no longer needed; NULL is allowed. */
void hd_other_close(HdOther *o);

/* Request it, if that has not been done, and return its state. One thread at a time. */
HdOtherState hd_other_ask(HdOther *o, HdPool *pool, HdOtherHaste haste);

#endif
