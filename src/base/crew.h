/* base/crew.h -- one piece of work by several threads, of which the caller is one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_CREW_H
#define HD_BASE_CREW_H

/* Call work(arg) on up to `threads` threads at once and wait for all of them. The calling thread is
 * always one of them; others that cannot be had are done without, so `work` takes from what is left
 * (an atomic number of the next job) until nothing is. */
void hd_crew_run(unsigned threads, void *(*work)(void *), void *arg);

#endif
