/* launch/tune_far.c -- does a launch ask ahead for what lanes access far apart?
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/tune_far.h"

void hd_tune_far_init(HdTuneFar *t, const HdNdrangePlan *plan)
{
    hd_tune_turns_init(&t->turns, plan->ahead != 0);
    atomic_init(&t->is_near, false);
}

void hd_tune_far_reset(HdTuneFar *t)
{
    hd_tune_turns_reset(&t->turns);
    atomic_store_explicit(&t->is_near, false, memory_order_relaxed);
}

bool hd_tune_far_next(const HdTuneFar *t)
{
    return hd_tune_far_is_near(t) != hd_tune_turns_is_others(&t->turns);
}

void hd_tune_far_note(HdTuneFar *t, uint64_t ns, uint32_t every)
{
    bool wins;

    if (hd_tune_turns_note(&t->turns, ns, every, &wins))
        atomic_store_explicit(&t->is_near, hd_tune_far_is_near(t) != wins, memory_order_relaxed);
}
