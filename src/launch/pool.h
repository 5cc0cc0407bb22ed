/* launch/pool.h -- worker threads, jobs that they run, and help for those who wait.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_POOL_H
#define HD_LAUNCH_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct HdPool HdPool; /* worker threads */

/* Threads to use: 0 = HEDDLE_THREADS, else what affinity and cgroup limits allow. */
HdStatus hd_pool_open(unsigned threads, HdPool **out);
/* Waits for running work, joins the threads. */
void hd_pool_close(HdPool *p);
unsigned hd_pool_threads(const HdPool *p);

/* For a thread that waits for launches which others run: help with them. Returns when is_over, or
 * when there has been nothing to help with for about as long as it takes to wake a thread, or when
 * all processors are busy without it.
 *   whose    HdLaunch.whose of these launches
 *   is_over  asked often; takes no lock */
typedef bool HdPoolOver(void *user);
void hd_pool_help(HdPool *p, const void *whose, HdPoolOver *is_over, void *user);

/* When a job of the pool runs.
 *
 *   when   where                                    in which order       how many together
 *   NOW    on a worker, which is woken              as they come         as many as workers
 *   IDLE   on a worker that has found no work for   newest first: hosts  half of the workers
 *          a while; should be short, and submit     mostly need what
 *          what is left of it                       they asked for last
 *   SPARE  on a thread that runs when a processor   as they come         one
 *          has nothing else to do (SCHED_IDLE);
 *          nobody may wait for it */
typedef enum HdPoolWhen { HD_POOL_SPARE, HD_POOL_IDLE, HD_POOL_NOW } HdPoolWhen;

/* Queue a job on the pool and return. It may run launches and submit jobs.
 * Errors: HD_UNSUPPORTED in a child made by fork, or SPARE and the pool has one thread;
 * HD_NO_MEMORY. */
typedef void HdPoolJob(void *user);
HdStatus hd_pool_submit(HdPool *p, HdPoolWhen when, HdPoolJob *fn, void *user);
/* IDLE, no earlier than at a time of hd_clock_ns. */
HdStatus hd_pool_submit_later(HdPool *p, HdPoolJob *fn, void *user, uint64_t from_ns);
/* Called by a job of NOW once, when it is about to return: its worker counts as free, so that what
 * is submitted from now on wakes no other. */
void hd_pool_end_job(HdPool *p);

#endif
