/* launch/tune.c -- which of two forms of a kernel's code is faster, by trying both.
 *
 * A trial is due when launches have taken about as long as it costs; longer, the less the other
 * form is expected to gain. The next one is due when they have taken many times as long.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/tune.h"

#include <math.h>

#include "base/option.h"

/* A trial waits so many times its due time for an idle thread to compile the other form. */
#define PATIENCE 2u
/* The doubt that a due time is computed with at least. */
#define LEAST_DOUBT 2.0
/* At most, where slices are tried, whose cost does not depend on the other form. */
#define MOST_DOUBT 4.0
/* A form that is thought to be so many times as slow is tried in slices alone. */
#define FAR_DOUBT 5.0
/* Launches of that length are tried in slices. */
#define SLICED_NS 1000000u
/* Slices of such a launch. */
#define SLICES 32.0
/* A slice is long enough to wake threads for, */
#define LEAST_SLICE_NS 100000.0
/* and need not be longer than a turn. */
#define MOST_SLICE_NS HD_TUNE_PAIR_TURN_NS
/* Kernels up to that much in doubt have the other form compiled from the first launch on, if there
 * are processors to spare: a third of bench/kinds, and five sixths of those which take a quarter
 * less time in it. */
#define SPARE_DOUBT 3.0

const HdKernelCode *hd_tune_code(const HdNdrangePlan *plan)
{
    if ((hd_option_number(HD_OPTION_TRIAL) & 1) == 0)
        return NULL;
    for (unsigned shape = 0; shape < HD_NDRANGE_SHAPES; shape++)
        if (plan->code[shape] != NULL && plan->code[shape]->facts.doubt != 0)
            return plan->code[shape];
    return NULL;
}

static bool is_against(const HdTune *t)
{
    return atomic_load_explicit(&t->best, memory_order_relaxed) == &t->forms[1];
}

bool hd_tune_needs_against(const HdTune *t)
{
    return !is_against(t);
}

/* When the next trial is due, where a launch takes so long. */
static void set_due(HdTune *t, uint64_t ns)
{
    bool slices = t->may_slice && ns >= SLICED_NS;
    double doubt = slices ? fmin(t->doubt, MOST_DOUBT) : t->doubt;
    double least = slices ? 0 : (double)ns, cost = 2 * HD_PAIRS * fmax(least, HD_TUNE_PAIR_TURN_NS);

    if (!t->has[!is_against(t)])
        cost += t->compile_ns;
    t->due_ns = fmax(doubt, LEAST_DOUBT) * cost * hd_tune_pair_pause(t->times);
    t->soon_ns = doubt * 2 * HD_TUNE_PAIR_FIRST * fmax(least, HD_TUNE_PAIR_FIRST_TURN_NS);
}

void hd_tune_init(HdTune *t, const HdNdrangePlan *plan, const HdNdrangePlan *against,
                  unsigned threads, uint32_t times)
{
    const HdKernelCode *code = hd_tune_code(plan);
    bool may_slice =
        plan->total >= 2 * (uint64_t)threads && plan->stride.bytes == 0 && !plan->groups_wait;

    t->forms[0] = *plan;
    t->has[0] = true;
    if (against != NULL) {
        t->forms[1] = *against;
        t->has[1] = true;
    }
    atomic_init(&t->best, &t->forms[against != NULL]);
    t->may_slice = may_slice;
    t->is_on = code != NULL && (may_slice || code->facts.doubt < FAR_DOUBT);
    t->times = times;
    t->doubt = t->is_on ? code->facts.doubt : LEAST_DOUBT;
    t->compile_ns = t->is_on ? code->facts.compile_ms * 1e6 : 0;
    atomic_init(&t->every, t->is_on ? 1 : HD_TUNE_PAIR_TIME_EVERY);
}

bool hd_tune_is_worth_a_spare(const HdTune *t)
{
    return t->is_on && t->times == 0 && t->doubt <= SPARE_DOUBT && !t->has[!is_against(t)];
}

bool hd_tune_enter(HdTune *t)
{
    return !atomic_exchange_explicit(&t->is_taken, true, memory_order_acquire);
}

HdTuneNeed hd_tune_need(const HdTune *t)
{
    if (!t->is_on || t->is_trying || t->due_ns == 0)
        return HD_TUNE_NOTHING;
    if (t->spent_ns < t->due_ns)
        return t->times == 0 && t->spent_ns >= t->soon_ns ? HD_TUNE_SOON : HD_TUNE_NOTHING;
    return t->spent_ns < PATIENCE * t->due_ns ? HD_TUNE_CODE : HD_TUNE_CODE_NOW;
}

static void end(HdTune *t)
{
    t->is_on = t->is_trying = false;
    atomic_store_explicit(&t->every, HD_TUNE_PAIR_TIME_EVERY, memory_order_relaxed);
}

/* Groups that wait for each other have to fit in memory together: not in more stacks than those of
 * the form that launches start with. */
static bool is_too_large(const HdNdrangePlan *other, const HdNdrangePlan *best)
{
    return other->groups_wait && other->fibers > best->fibers;
}

void hd_tune_open(HdTune *t, const HdNdrangePlan *other)
{
    bool against = !is_against(t);

    if (other != NULL && is_too_large(other, &t->forms[!against]))
        other = NULL;
    t->is_sliced = other != NULL && t->may_slice && other->stride.bytes == 0 &&
                   !other->groups_wait && hd_ndrange_has_same_groups(&t->forms[!against], other);
    if (other == NULL || (t->doubt >= FAR_DOUBT && !t->is_sliced)) {
        end(t);
        return;
    }
    if (!t->has[against]) /* else launches may be running it */
        t->forms[against] = *other;
    t->has[against] = true;
    t->is_trying = true;
    hd_tune_pair_open(&t->pairs);
    atomic_store_explicit(&t->every, 1, memory_order_relaxed);
}

const HdNdrangePlan *hd_tune_plan(const HdTune *t)
{
    bool is_others = t->is_trying && hd_tune_pair_is_others(&t->pairs);

    return &t->forms[is_against(t) != is_others];
}

uint64_t hd_tune_slice(const HdTune *t, unsigned threads)
{
    uint64_t total = t->forms[0].total, groups;
    double ns = fmin(fmax(t->launch_ns / SLICES, LEAST_SLICE_NS), MOST_SLICE_NS);

    if (!t->is_trying || !t->is_sliced || t->launch_ns < SLICED_NS)
        return 0;
    groups = (uint64_t)((double)total * ns / t->launch_ns);
    groups = groups / threads * threads;
    groups = groups < threads ? threads : groups;
    return groups <= total / 2 ? groups : 0;
}

/* A launch, or a slice, of the form whose turn it is has taken so long. Is the trial over? */
static bool note_turn(HdTune *t, uint64_t ns, uint64_t turn_ns)
{
    bool wins;

    if (!hd_tune_pair_note(&t->pairs, ns, turn_ns, &wins))
        return false;
    if (wins)
        atomic_store_explicit(&t->best, &t->forms[!is_against(t)], memory_order_release);
    t->times = hd_tune_pair_times(t->times, wins);
    t->is_trying = false;
    t->spent_ns = 0;
    return true;
}

void hd_tune_note_slice(HdTune *t, uint64_t ns)
{
    t->is_over = note_turn(t, ns, 0);
}

/* The same while there is none. */
static void note_wait(HdTune *t, uint64_t ns)
{
    t->launch_ns = (double)ns;
    /* Those between that were not timed took as long. */
    t->spent_ns += (double)ns * atomic_load_explicit(&t->every, memory_order_relaxed);
    set_due(t, ns);
    atomic_store_explicit(&t->every, hd_tune_pair_every(ns), memory_order_relaxed);
}

void hd_tune_leave(HdTune *t, uint64_t ns, bool *is_over, HdOutcome *o)
{
    *is_over = t->is_over;
    t->is_over = false;
    if (t->is_trying && ns != 0)
        *is_over = note_turn(t, ns, hd_tune_pair_turn_ns(t->times));
    else if (t->is_on && ns != 0)
        note_wait(t, ns);
    *o = (HdOutcome){.against = is_against(t), .times = t->times};
    atomic_store_explicit(&t->is_taken, false, memory_order_release);
}
