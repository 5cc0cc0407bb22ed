/* interp/watch.h -- the additional state of a checked run, opened and closed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_WATCH_H
#define HD_INTERP_WATCH_H

#include "interp/watch_state.h"

struct HdInterpRun;

HdStatus hd_watch_open(struct HdInterpRun *r, HdInterpCheck *c);
void hd_watch_close(struct HdInterpRun *r);
bool hd_watch_is_late(const HdWatch *w);
/* Nanoseconds until it is late; UINT64_MAX: it never will be. From now on it has so many. */
uint64_t hd_watch_time_left(const HdWatch *w);
void hd_watch_give_time(HdWatch *w, uint64_t ns);

#endif
