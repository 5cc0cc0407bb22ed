/* base/crew.h -- work shared by several threads, including the caller.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_CREW_H
#define HD_BASE_CREW_H

/* Call work(arg) on up to `threads` threads in parallel and wait for all of them. The calling
 * thread is always one of them; if others cannot be created the work proceeds without them, so
 * `work` must take jobs (an atomic index of the next one) until none is left. */
void hd_crew_run(unsigned threads, void *(*work)(void *), void *arg);

#endif
