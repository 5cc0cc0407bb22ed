/* launch/tune_far.c -- does a launch ask ahead for what lanes access far apart?
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/tune_far.h"

#include <math.h>

#include "base/option.h"

/* Times as long as a trial takes that launches take before it. */
#define DUE 2.0

void hd_tune_far_init(HdTuneFar *t, const HdNdrangePlan *plan)
{
    t->is_on = plan->ahead != 0 && (hd_option_number(HD_OPTION_TRIAL) & 1) != 0;
    atomic_init(&t->is_near, false);
    atomic_init(&t->every, t->is_on ? 1 : HD_TUNE_PAIR_TIME_EVERY);
}

void hd_tune_far_reset(HdTuneFar *t)
{
    t->is_trying = false;
    t->times = 0;
    t->spent_ns = t->last_ns = 0;
    atomic_store_explicit(&t->is_near, false, memory_order_relaxed);
}

static double due_ns(const HdTuneFar *t)
{
    double turn = fmax(t->last_ns, (double)hd_tune_pair_turn_ns(t->times));

    return DUE * 2 * HD_TUNE_PAIR_FIRST * turn * hd_tune_pair_pause(t->times);
}

void hd_tune_far_begin(HdTuneFar *t)
{
    if (!t->is_on || t->is_trying || t->last_ns == 0 || t->spent_ns < due_ns(t))
        return;
    hd_tune_pair_open(&t->pairs);
    t->is_trying = true;
    atomic_store_explicit(&t->every, 1, memory_order_relaxed);
}

bool hd_tune_far_next(const HdTuneFar *t)
{
    return hd_tune_far_is_near(t) != (t->is_trying && hd_tune_pair_is_others(&t->pairs));
}

/* The trial is over. */
static void end(HdTuneFar *t, bool wins)
{
    bool is_near = hd_tune_far_is_near(t) != wins;

    atomic_store_explicit(&t->is_near, is_near, memory_order_relaxed);
    t->times = hd_tune_pair_times(t->times, wins);
    t->is_trying = false;
    t->spent_ns = 0;
}

void hd_tune_far_note(HdTuneFar *t, uint64_t ns, uint32_t every)
{
    bool wins;

    if (!t->is_on || ns == 0)
        return;
    t->last_ns = (double)ns;
    if (t->is_trying) {
        if (hd_tune_pair_note(&t->pairs, ns, hd_tune_pair_turn_ns(t->times), &wins))
            end(t, wins);
        return;
    }
    t->spent_ns += (double)ns * every;
    atomic_store_explicit(&t->every, hd_tune_pair_every(ns), memory_order_relaxed);
}
