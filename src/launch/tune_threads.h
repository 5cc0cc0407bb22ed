/* launch/tune_threads.h -- does a launch run on all threads or on one?
 *
 * Atomic operations on the same cache lines from several processors take many times as long as from
 * one: counters, the end of a list, values of neighbours. Whether that outweighs what else threads
 * do at the same time depends on the data and on how far apart the processors are, so launches of
 * kernels with such operations alternate between both a few times.
 *
 * All but hd_tune_threads_alone_ns are for the launch that is being timed, alone.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_TUNE_THREADS_H
#define HD_LAUNCH_TUNE_THREADS_H

#include "launch/ndrange.h"
#include "launch/tune_turns.h"

typedef struct HdTuneThreads {
    HdTuneTurns turns;
    _Atomic uint64_t alone_ns; /* 0: all threads are faster */
} HdTuneThreads;

/* All threads at first; nothing is tried where that makes no difference.
 *   threads  of the pool */
void hd_tune_threads_init(HdTuneThreads *c, const HdNdrangePlan *plan, unsigned threads);

/* The code of the launches has changed: what was found is forgotten. */
void hd_tune_threads_reset(HdTuneThreads *c);

/* HdNdrange.alone_ns of the launch, which is to be timed. */
uint64_t hd_tune_threads_next_ns(const HdTuneThreads *c);
/* It took `ns`; 0 = it did not finish.
 *   every  of so many launches one was timed */
void hd_tune_threads_note(HdTuneThreads *c, uint64_t ns, uint32_t every);

/* HdNdrange.alone_ns of any other launch. */
static inline uint64_t hd_tune_threads_alone_ns(const HdTuneThreads *c)
{
    return atomic_load_explicit(&c->alone_ns, memory_order_relaxed);
}

#endif
