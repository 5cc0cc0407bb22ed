/* launch/tune_turns.c -- when launches try another way to run that needs no other code.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/tune_turns.h"

#include <math.h>

#include "base/option.h"

/* Times as long as a trial takes that launches take before it. */
#define DUE 2.0

void hd_tune_turns_init(HdTuneTurns *t, bool is_on)
{
    t->is_on = is_on && (hd_option_number(HD_OPTION_TRIAL) & 1) != 0;
    atomic_init(&t->every, t->is_on ? 1 : HD_TUNE_PAIR_TIME_EVERY);
}

void hd_tune_turns_reset(HdTuneTurns *t)
{
    t->is_trying = false;
    t->times = 0;
    t->spent_ns = t->last_ns = 0;
}

static double due_ns(const HdTuneTurns *t)
{
    double turn = fmax(t->last_ns, (double)hd_tune_pair_turn_ns(t->times));

    return DUE * 2 * HD_TUNE_PAIR_FIRST * turn * hd_tune_pair_pause(t->times);
}

void hd_tune_turns_begin(HdTuneTurns *t)
{
    if (!t->is_on || t->is_trying || t->last_ns == 0 || t->spent_ns < due_ns(t))
        return;
    hd_tune_pair_open(&t->pairs);
    t->is_trying = true;
    atomic_store_explicit(&t->every, 1, memory_order_relaxed);
}

bool hd_tune_turns_is_others(const HdTuneTurns *t)
{
    return t->is_trying && hd_tune_pair_is_others(&t->pairs);
}

bool hd_tune_turns_note(HdTuneTurns *t, uint64_t ns, uint32_t every, bool *wins)
{
    if (!t->is_on || ns == 0)
        return false;
    t->last_ns = (double)ns;
    if (!t->is_trying) {
        t->spent_ns += (double)ns * every;
        atomic_store_explicit(&t->every, hd_tune_pair_every(ns), memory_order_relaxed);
        return false;
    }
    if (!hd_tune_pair_note(&t->pairs, ns, hd_tune_pair_turn_ns(t->times), wins))
        return false;
    t->times = hd_tune_pair_times(t->times, *wins);
    t->is_trying = false;
    t->spent_ns = 0;
    return true;
}
