/* cl/callback.h -- the thread that calls the host's callbacks.
 *
 * Hosts do slow things in callbacks, so they run neither on pool threads nor inside another call.
 * One thread runs them in the order in which they were posted.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_CALLBACK_H
#define HD_CL_CALLBACK_H

#include <stdbool.h>

typedef struct HdCallback HdCallback;
struct HdCallback {
    void (*call)(HdCallback *c); /* runs on the callback thread and frees c */
    HdCallback *next;
};

/* Queue a callback. When no thread can be started it runs here and now. */
void hd_callback_post(HdCallback *c);

#endif
