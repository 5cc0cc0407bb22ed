/* launch/trial.c -- which of two forms of a kernel's code is faster, by trying both.
 *
 * Consecutive launches do about the same work, so the forms alternate, in turns of one launch or of
 * some short ones, and each turn is compared with its neighbour: the result is the median of the
 * pairs' ratios, which is robust against preemption and growing launches. The order within a pair
 * alternates, because launches may alternate, too.
 *
 * A trial is due when launches have taken about as long as it costs; longer, the less the other
 * form is expected to gain. The next one is due when they have taken many times as long.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/trial.h"

#include <math.h>

#include "base/option.h"

/* Of the time, at most, for the other form. */
#define GAIN 0.95
/* Clearly so, of a pair. */
#define SLOWER 1.25
#define FASTER 0.8
/* Of a form that is so much slower, and of launches that take so long, two pairs that agree will
 * do; what takes longer still is not made twice. Where a thread loses its processor that is for
 * less. */
#define FAR_SLOWER 4.0
#define DEAR_NS    10000000u
#define DEAREST_NS 100000000u
/* Consecutive launches of one form, to warm up the branch predictors; the first trial is to end
 * soon, and its outcome is looked at again. */
#define TURN_NS       500000u
#define FIRST_TURN_NS 250000u
#define FIRST_PAIRS   3u /* that it mostly takes */
/* Launches that take less are timed now and then: looking at the clock costs 0.05 us. */
#define SHORT_NS    20000u
#define TIME_EVERY  32u
#define RETRY       32u /* times as long until the next trial, */
#define MORE_BITS   2u  /* and four times that each time that they agree, */
#define MOST_MORE   4u  /* so often at most */
#define PATIENCE    2u  /* times as long until an idle thread is no longer waited for */
#define LEAST_DOUBT 2.0 /* of when a trial is due */
/* Kernels up to that much in doubt have the other form compiled from the first launch on, if there
 * are processors to spare: a third of bench/kinds, and five sixths of those which take a quarter
 * less time in it. */
#define SPARE_DOUBT 3.0

const HdKernelCode *hd_trial_code(const HdNdrangePlan *plan)
{
    if (hd_option_number(HD_OPTION_TRIAL) != 1)
        return NULL;
    for (unsigned shape = 0; shape < HD_NDRANGE_SHAPES; shape++)
        if (plan->code[shape] != NULL && plan->code[shape]->facts.doubt != 0)
            return plan->code[shape];
    return NULL;
}

static bool is_against(const HdTrial *t)
{
    return atomic_load_explicit(&t->best, memory_order_relaxed) == &t->forms[1];
}

bool hd_trial_needs_against(const HdTrial *t)
{
    return !is_against(t);
}

static uint64_t turn_of(const HdTrial *t)
{
    return t->times == 0 ? FIRST_TURN_NS : TURN_NS;
}

/* When the next trial is due, where a launch takes so long. */
static void set_due(HdTrial *t, uint64_t ns)
{
    double turn = fmax((double)ns, TURN_NS), cost = 2 * HD_TRIAL_PAIRS * turn;
    uint32_t agreed = t->times != 0 ? t->times - 1 : 0;
    uint32_t bits = MORE_BITS * (agreed < MOST_MORE ? agreed : MOST_MORE);

    if (!t->has[!is_against(t)])
        cost += t->compile_ns;
    t->due_ns = fmax(t->doubt, LEAST_DOUBT) * cost * (t->times == 0 ? 1 : RETRY << bits);
    t->soon_ns = t->doubt * 2 * FIRST_PAIRS * fmax((double)ns, FIRST_TURN_NS);
}

void hd_trial_init(HdTrial *t, const HdNdrangePlan *plan, const HdNdrangePlan *against,
                   uint32_t times)
{
    const HdKernelCode *code = hd_trial_code(plan);

    t->forms[0] = *plan;
    t->has[0] = true;
    if (against != NULL) {
        t->forms[1] = *against;
        t->has[1] = true;
    }
    atomic_init(&t->best, &t->forms[against != NULL]);
    t->is_on = code != NULL;
    t->times = times;
    t->doubt = t->is_on ? code->facts.doubt : LEAST_DOUBT;
    t->compile_ns = t->is_on ? code->facts.compile_ms * 1e6 : 0;
    atomic_init(&t->every, t->is_on ? 1 : TIME_EVERY);
}

bool hd_trial_is_worth_a_spare(const HdTrial *t)
{
    return t->is_on && t->times == 0 && t->doubt <= SPARE_DOUBT && !t->has[!is_against(t)];
}

bool hd_trial_enter(HdTrial *t)
{
    return !atomic_exchange_explicit(&t->is_taken, true, memory_order_acquire);
}

HdTrialNeed hd_trial_need(const HdTrial *t)
{
    if (!t->is_on || t->is_trying || t->due_ns == 0)
        return HD_TRIAL_NOTHING;
    if (t->spent_ns < t->due_ns)
        return t->times == 0 && t->spent_ns >= t->soon_ns ? HD_TRIAL_SOON : HD_TRIAL_NOTHING;
    return t->spent_ns < PATIENCE * t->due_ns ? HD_TRIAL_CODE : HD_TRIAL_CODE_NOW;
}

static void end(HdTrial *t)
{
    t->is_on = t->is_trying = false;
    atomic_store_explicit(&t->every, TIME_EVERY, memory_order_relaxed);
}

void hd_trial_open(HdTrial *t, const HdNdrangePlan *other)
{
    bool against = !is_against(t);

    if (other == NULL) {
        end(t);
        return;
    }
    if (!t->has[against]) /* else launches may be running it */
        t->forms[against] = *other;
    t->has[against] = true;
    t->is_trying = true;
    t->turns = 0;
    t->turn_ns = t->launches = 0;
    t->least_ns[0] = t->least_ns[1] = INFINITY;
    atomic_store_explicit(&t->every, 1, memory_order_relaxed);
}

/* Is it the other form's turn? */
static bool is_others(const HdTrial *t)
{
    return t->is_trying && ((t->turns ^ t->turns / 2) & 1) != 0;
}

const HdNdrangePlan *hd_trial_plan(const HdTrial *t)
{
    return &t->forms[is_against(t) != is_others(t)];
}

static double median(double *of, unsigned count)
{
    for (unsigned i = 1; i < count; i++)
        for (unsigned k = i; k > 0 && of[k] < of[k - 1]; k--) {
            double more = of[k - 1];

            of[k - 1] = of[k];
            of[k] = more;
        }
    return of[count / 2];
}

/* Which form a pair says is slower: what differs by far counts twice, unless two pairs will do. */
static int verdict(double ratio, bool two_do)
{
    int slower = (ratio > SLOWER) + (!two_do && ratio > SLOWER * SLOWER);
    int faster = (ratio < FASTER) + (!two_do && ratio < FASTER * FASTER);

    return faster - slower;
}

/* Does the other form win? Before the last pair that is known where pairs agree, and the quickest
 * turn of each form with them; in the first pair of short launches the other form found nothing in
 * caches, so it says little. */
static bool is_known(HdTrial *t, bool *wins)
{
    unsigned pairs = t->turns / 2;
    bool is_dear = t->each_ns[0] > DEAR_NS && t->each_ns[1] > DEAR_NS;
    bool is_far = t->ratios[0] > FAR_SLOWER, two_do = is_dear || is_far;
    /* of the pairs in which it was clearly faster */
    int lead = two_do ? verdict(t->ratios[0], true) : -(t->ratios[0] > SLOWER * SLOWER);

    for (unsigned i = 1; i < pairs; i++)
        lead += verdict(t->ratios[i], two_do);
    *wins = lead >= (is_dear ? 2 : 3) && t->least_ns[1] < FASTER * t->least_ns[0];
    if (*wins || (lead <= (two_do ? -2 : -3) && t->least_ns[1] > SLOWER * t->least_ns[0]))
        return true;
    if (is_far && t->each_ns[1] > DEAREST_NS)
        return true;
    if (pairs == HD_TRIAL_PAIRS)
        *wins = median(t->ratios + 1, HD_TRIAL_PAIRS - 1) < GAIN;
    return pairs == HD_TRIAL_PAIRS;
}

/* A launch of the form whose turn it is has taken so long. Is the trial over? */
static bool note_turn(HdTrial *t, uint64_t ns)
{
    bool other = is_others(t), wins;

    t->turn_ns += ns;
    t->launches++;
    if (t->turn_ns < turn_of(t))
        return false;
    t->each_ns[other] = (double)t->turn_ns / (double)t->launches;
    t->least_ns[other] = fmin(t->least_ns[other], t->each_ns[other]);
    if (t->turns % 2 == 1)
        t->ratios[t->turns / 2] = t->each_ns[1] / t->each_ns[0];
    t->turns++;
    t->turn_ns = t->launches = 0;
    if (t->turns % 2 == 1 || !is_known(t, &wins))
        return false;
    if (wins)
        atomic_store_explicit(&t->best, &t->forms[!is_against(t)], memory_order_release);
    t->times = wins || t->times == UINT32_MAX >> 1 ? 1 : t->times + 1;
    t->is_trying = false;
    t->spent_ns = 0;
    return true;
}

/* The same while there is none. */
static void note_wait(HdTrial *t, uint64_t ns)
{
    /* Those between that were not timed took as long. */
    t->spent_ns += (double)ns * atomic_load_explicit(&t->every, memory_order_relaxed);
    set_due(t, ns);
    atomic_store_explicit(&t->every, ns < SHORT_NS ? TIME_EVERY : 1, memory_order_relaxed);
}

void hd_trial_leave(HdTrial *t, uint64_t ns, bool *is_over, HdOutcome *o)
{
    *is_over = false;
    if (t->is_trying && ns != 0)
        *is_over = note_turn(t, ns);
    else if (t->is_on && ns != 0)
        note_wait(t, ns);
    *o = (HdOutcome){.against = is_against(t), .times = t->times};
    atomic_store_explicit(&t->is_taken, false, memory_order_release);
}
