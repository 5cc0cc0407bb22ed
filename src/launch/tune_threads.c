/* launch/tune_threads.c -- does a launch run on all threads or on one?
 *
 * A trial needs no code, so it is due as soon as launches have taken as long as it does. A launch
 * that takes much longer alone than together is helped by the other threads after all.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/tune_threads.h"

#include <math.h>

#include "base/option.h"

/* Times as long as on all threads that a launch runs on one before others help. */
#define PATIENCE 2.0
/* Times as long as a trial takes that launches take before it. */
#define DUE 2.0

static bool contends(const HdNdrangePlan *plan)
{
    for (unsigned shape = 0; shape < HD_NDRANGE_SHAPES; shape++)
        if (plan->code[shape] != NULL && plan->code[shape]->facts.contends)
            return true;
    return false;
}

void hd_tune_threads_init(HdTuneThreads *c, const HdNdrangePlan *plan, unsigned threads)
{
    c->is_on = threads > 1 && plan->total > 1 && contends(plan) &&
               (hd_option_number(HD_OPTION_TRIAL) & 1) != 0;
    atomic_init(&c->every, c->is_on ? 1 : HD_TUNE_PAIR_TIME_EVERY);
}

void hd_tune_threads_reset(HdTuneThreads *c)
{
    c->is_trying = false;
    c->times = 0;
    c->spent_ns = c->last_ns = 0;
    atomic_store_explicit(&c->alone_ns, 0, memory_order_relaxed);
}

static double due_ns(const HdTuneThreads *c)
{
    double turn = fmax(c->last_ns, (double)hd_tune_pair_turn_ns(c->times));

    return DUE * 2 * HD_TUNE_PAIR_FIRST * turn * hd_tune_pair_pause(c->times);
}

void hd_tune_threads_begin(HdTuneThreads *c)
{
    if (!c->is_on || c->is_trying || c->last_ns == 0 || c->spent_ns < due_ns(c))
        return;
    hd_tune_pair_open(&c->pairs);
    c->is_trying = true;
    atomic_store_explicit(&c->every, 1, memory_order_relaxed);
}

static uint64_t patience(double together_ns)
{
    return 1 + (uint64_t)(PATIENCE * together_ns);
}

uint64_t hd_tune_threads_next_ns(const HdTuneThreads *c)
{
    uint64_t alone_ns = hd_tune_threads_alone_ns(c);

    if (!c->is_trying || !hd_tune_pair_is_others(&c->pairs))
        return alone_ns;
    return alone_ns != 0 ? 0 : patience(c->pairs.each_ns[0]);
}

/* The trial is over. */
static void end(HdTuneThreads *c, bool wins)
{
    bool was_alone = hd_tune_threads_alone_ns(c) != 0, alone = was_alone != wins;

    atomic_store_explicit(&c->alone_ns, alone ? patience(c->pairs.each_ns[was_alone]) : 0,
                          memory_order_relaxed);
    c->times = hd_tune_pair_times(c->times, wins);
    c->is_trying = false;
    c->spent_ns = 0;
}

void hd_tune_threads_note(HdTuneThreads *c, uint64_t ns, uint32_t every)
{
    bool wins;

    if (!c->is_on || ns == 0)
        return;
    c->last_ns = (double)ns;
    if (c->is_trying) {
        if (hd_tune_pair_note(&c->pairs, ns, hd_tune_pair_turn_ns(c->times), &wins))
            end(c, wins);
        return;
    }
    c->spent_ns += (double)ns * every;
    atomic_store_explicit(&c->every, hd_tune_pair_every(ns), memory_order_relaxed);
}
