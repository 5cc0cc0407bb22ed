/* launch/crowd.h -- does a launch run on all threads or on one?
 *
 * Atomic operations on the same cache lines from several processors take many times as long as from
 * one: counters, the end of a list, values of neighbours. Whether that outweighs what else threads
 * do at the same time depends on the data and on how far apart the processors are, so launches of
 * kernels with such operations alternate between both a few times.
 *
 * All but hd_crowd_alone_ns are for the launch that is being timed, alone.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_CROWD_H
#define HD_LAUNCH_CROWD_H

#include <stdatomic.h>

#include "launch/ndrange.h"
#include "launch/pairs.h"

typedef struct HdCrowd {
    bool is_on, is_trying;
    _Atomic uint64_t alone_ns; /* 0: all threads are faster */
    _Atomic uint32_t every;    /* of so many launches one is timed; a power of two */
    uint32_t times;            /* consecutive trials with the same outcome; 0: not tried */
    double spent_ns;           /* by launches since the last trial */
    double last_ns;            /* that one took; 0: not known */
    HdPairs pairs;
} HdCrowd;

/* All threads at first; nothing is tried where that makes no difference.
 *   threads  of the pool */
void hd_crowd_init(HdCrowd *c, const HdNdrangePlan *plan, unsigned threads);

/* The code of the launches has changed: what was found is forgotten. */
void hd_crowd_reset(HdCrowd *c);

/* Begin a trial if one is due. */
void hd_crowd_begin(HdCrowd *c);
/* HdNdrange.alone_ns of the launch, which is to be timed. */
uint64_t hd_crowd_next_ns(const HdCrowd *c);
/* It took `ns`; 0 = it did not finish.
 *   every  of so many launches one was timed */
void hd_crowd_note(HdCrowd *c, uint64_t ns, uint32_t every);

/* HdNdrange.alone_ns of any other launch. */
static inline uint64_t hd_crowd_alone_ns(const HdCrowd *c)
{
    return atomic_load_explicit(&c->alone_ns, memory_order_relaxed);
}

#endif
