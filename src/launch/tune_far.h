/* launch/tune_far.h -- does a launch ask ahead for what lanes access far apart?
 *
 * Whether that pays depends on the places: of a large buffer a kernel may access little, or what
 * lies close together, and the caches hold it. So launches with large buffers, which ask at first,
 * alternate between both a few times (docs/adr/0053).
 *
 * All but hd_tune_far_is_near are for the launch that is being timed, alone.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_TUNE_FAR_H
#define HD_LAUNCH_TUNE_FAR_H

#include "launch/ndrange.h"
#include "launch/tune_turns.h"

typedef struct HdTuneFar {
    HdTuneTurns turns;
    atomic_bool is_near; /* it is faster not to ask */
} HdTuneFar;

/* Launches ask at first; nothing is tried where the code has nothing to ask for. */
void hd_tune_far_init(HdTuneFar *t, const HdNdrangePlan *plan);
/* The code of the launches has changed: what was found is forgotten. */
void hd_tune_far_reset(HdTuneFar *t);

/* HdNdrange.near of the launch, which is to be timed. */
bool hd_tune_far_next(const HdTuneFar *t);
/* It took `ns`; 0 = it did not finish.
 *   every  of so many launches one was timed */
void hd_tune_far_note(HdTuneFar *t, uint64_t ns, uint32_t every);

/* HdNdrange.near of any other launch. */
static inline bool hd_tune_far_is_near(const HdTuneFar *t)
{
    return atomic_load_explicit(&t->is_near, memory_order_relaxed);
}

#endif
