/* launch/tune_threads.c -- does a launch run on all threads or on one?
 *
 * A launch that takes much longer alone than together is helped by the other threads after all.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/tune_threads.h"

/* Times as long as on all threads that a launch runs on one before others help. */
#define PATIENCE 2.0

static bool contends(const HdNdrangePlan *plan)
{
    for (unsigned shape = 0; shape < HD_NDRANGE_SHAPES; shape++)
        if (plan->code[shape] != NULL && plan->code[shape]->facts.contends)
            return true;
    return false;
}

void hd_tune_threads_init(HdTuneThreads *c, const HdNdrangePlan *plan, unsigned threads)
{
    hd_tune_turns_init(&c->turns, threads > 1 && plan->total > 1 && contends(plan));
}

void hd_tune_threads_reset(HdTuneThreads *c)
{
    hd_tune_turns_reset(&c->turns);
    atomic_store_explicit(&c->alone_ns, 0, memory_order_relaxed);
}

static uint64_t patience(double together_ns)
{
    return 1 + (uint64_t)(PATIENCE * together_ns);
}

uint64_t hd_tune_threads_next_ns(const HdTuneThreads *c)
{
    uint64_t alone_ns = hd_tune_threads_alone_ns(c);

    if (!hd_tune_turns_is_others(&c->turns))
        return alone_ns;
    return alone_ns != 0 ? 0 : patience(c->turns.pairs.each_ns[0]);
}

void hd_tune_threads_note(HdTuneThreads *c, uint64_t ns, uint32_t every)
{
    bool was_alone = hd_tune_threads_alone_ns(c) != 0, wins;

    if (!hd_tune_turns_note(&c->turns, ns, every, &wins))
        return;
    atomic_store_explicit(&c->alone_ns,
                          was_alone != wins ? patience(c->turns.pairs.each_ns[was_alone]) : 0,
                          memory_order_relaxed);
}
