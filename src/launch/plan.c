/* launch/plan.c -- plans that launches of one kernel share, and their trials.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/plan.h"

#include "base/cancel.h"
#include "base/clock.h"
#include "base/memory.h"
#include "launch/choose.h"
#include "launch/tune.h"
#include "launch/tune_far.h"
#include "launch/tune_other.h"
#include "launch/tune_threads.h"

struct HdLaunchPlan {
    uint32_t work_dim, width;
    HdTestSwitches tests;
    HdLaunchFacts of_args;
    uint8_t lane_dim;
    unsigned threads;
    uint64_t global_offset[3], global_size[3], local_size[3]; /* as requested; 0 = unspecified */
    _Atomic uint32_t runs;
    _Atomic uint64_t ns; /* that one took lately; UINT64_MAX = not known */
    HdTune trial;
    HdTuneThreads crowd; /* like the trial, of the launch that is timed alone */
    HdTuneFar far;       /* likewise */
    HdTuneOther *other;  /* being made for it; NULL: nothing is */
};

static bool same_sizes(const HdLaunchPlan *p, const HdLaunch *l)
{
    for (uint32_t i = 0; i < l->work_dim; i++) {
        if (p->global_size[i] != l->global_size[i] || p->local_size[i] != l->local_size[i] ||
            p->global_offset[i] != l->global_offset[i])
            return false;
    }
    return true;
}

HdLaunchPlan *hd_launch_plan_find(const HdLaunch *l, unsigned threads)
{
    HdLaunchPlan *p;

    for (unsigned i = 0; i < HD_LAUNCH_PLANS; i++) {
        /* acquire: what it holds was written before it was put there */
        p = atomic_load_explicit(&l->plans->at[i], memory_order_acquire);
        if (p == NULL)
            return NULL;
        if (p->work_dim == l->work_dim && p->threads == threads && p->width == l->width &&
            hd_tests_are_same(p->tests, l->tests) &&
            hd_launch_facts_are_same(p->of_args, l->of_args) && p->lane_dim == l->lane_dim &&
            same_sizes(p, l))
            return p;
    }
    return NULL;
}

/* Can the other form be had without loading the code generator for it? */
static bool is_near(const HdLaunch *l, const HdKernelCode *code)
{
    HdVariant v = code->variant;

    v.form.against = !v.form.against;
    return !code->from_cache || hd_program_is_ready(l->program, l->kernel, v);
}

/* Let the other form be made while no launch needs the processor, if it may well be better. A
 * process whose code was on disk stays small, unless it runs for long. */
static void begin_other(HdPool *pool, const HdLaunch *l, HdLaunchPlan *p)
{
    HdLaunch other = *l;

    if (pool == NULL || !hd_tune_is_worth_a_spare(&p->trial) ||
        !is_near(l, hd_tune_code(&p->trial.forms[0])))
        return;
    other.form.against = hd_tune_needs_against(&p->trial);
    p->other = hd_tune_other_open(&other, p->threads);
    if (p->other == NULL ||
        hd_tune_other_ask(p->other, pool, HD_POOL_SPARE) != HD_TUNE_OTHER_FAILED)
        return;
    hd_tune_other_close(p->other);
    p->other = NULL;
}

/* Keep a plan for later launches, if there is space; otherwise nothing is lost.
 *   against  of the other form, if that is the better one; NULL */
static void keep_plan(HdPool *pool, const HdLaunch *l, unsigned threads, const HdNdrangePlan *of,
                      const HdNdrangePlan *against, uint32_t times)
{
    unsigned i = 0;
    HdLaunchPlan *p, *none = NULL;

    while (i < HD_LAUNCH_PLANS && atomic_load(&l->plans->at[i]) != NULL)
        i++;
    p = i < HD_LAUNCH_PLANS ? hd_alloc_zero(sizeof *p) : NULL;
    if (p == NULL)
        return;
    p->work_dim = l->work_dim;
    p->width = l->width;
    p->tests = l->tests;
    p->of_args = l->of_args;
    p->lane_dim = l->lane_dim;
    p->threads = threads;
    for (uint32_t k = 0; k < l->work_dim; k++) {
        p->global_offset[k] = l->global_offset[k];
        p->global_size[k] = l->global_size[k];
        p->local_size[k] = l->local_size[k];
    }
    hd_tune_init(&p->trial, of, against, threads, times);
    hd_tune_threads_init(&p->crowd, of, threads);
    hd_tune_far_init(&p->far, of);
    atomic_init(&p->ns, UINT64_MAX);
    begin_other(pool, l, p);
    if (atomic_compare_exchange_strong(&l->plans->at[i], &none, p))
        return;
    hd_tune_other_close(p->other);
    hd_free(p);
}

void hd_launch_find_plan(HdLaunch *l, unsigned threads)
{
    if (l->plans != NULL && l->engine == HD_ENGINE_COMPILED)
        l->plan = hd_launch_plan_find(l, threads);
}

uint64_t hd_launch_guess_ns(const HdLaunch *l)
{
    return l->plan != NULL ? atomic_load_explicit(&l->plan->ns, memory_order_relaxed) : UINT64_MAX;
}

/* A thread that lost its processor meanwhile says nothing about the kernel: grow slowly. */
static void note_time(HdLaunchPlan *p, uint64_t took)
{
    uint64_t most = atomic_load_explicit(&p->ns, memory_order_relaxed);

    if (most < UINT64_MAX / 2)
        took = took < most + most / 4 + 100 ? took : most + most / 4 + 100;
    atomic_store_explicit(&p->ns, took, memory_order_relaxed);
}

static HdStatus run_timed(HdPool *pool, const HdNdrange *n, const HdNdrangePlan *of, HdDiags *d,
                          uint64_t *took)
{
    uint64_t start = hd_clock_ns();
    HdStatus st = hd_ndrange_run_planned(pool, n, of, d);

    *took = hd_clock_ns() - start;
    return st;
}

static HdStatus plan_form(const HdLaunch *from, HdLaunch *l, unsigned threads, HdDiags *d,
                          HdNdrangePlan *plan)
{
    HdNdrange n;

    HD_TRY(hd_launch_choose(from, l, threads, d, &n));
    return hd_ndrange_plan(&n, d, plan);
}

/* One form (HdFormRequest.against) of a launch, unless something is left to compile for it. */
static bool plan_made(const HdLaunch *from, unsigned threads, bool against, HdNdrangePlan *plan)
{
    HdLaunch form = *from, l;
    bool done, is_empty;
    HdDiags d; /* the launch does well without it */

    form.form.against = against;
    form.is_made = true;
    hd_diags_init(&d);
    done = hd_launch_resolve(&form, &l, &is_empty, &d) == HD_OK &&
           plan_form(&form, &l, threads, &d, plan) == HD_OK;
    hd_diags_drop(&d);
    return done;
}

static HdPoolWhen when_for(HdTuneNeed need)
{
    return need == HD_TUNE_CODE_NOW ? HD_POOL_NOW
           : need == HD_TUNE_CODE   ? HD_POOL_IDLE
                                    : HD_POOL_SPARE;
}

/* The other form of a plan is requested when a trial is due, and tried when it is ready. The launch
 * has the trial to itself. */
static void see_to_other(HdPool *pool, const HdLaunch *l, HdLaunchPlan *p)
{
    HdTuneNeed need = hd_tune_need(&p->trial);
    HdLaunch other = *l;
    HdNdrangePlan plan;
    HdTuneOtherState state;

    if (need == HD_TUNE_NOTHING || (need == HD_TUNE_SOON && p->other == NULL))
        return;
    other.form.against = hd_tune_needs_against(&p->trial);
    if (p->other == NULL)
        p->other = hd_tune_other_open(&other, p->threads);
    state =
        p->other != NULL ? hd_tune_other_ask(p->other, pool, when_for(need)) : HD_TUNE_OTHER_FAILED;
    if (state == HD_TUNE_OTHER_PENDING)
        return;
    hd_tune_open(&p->trial,
                 state == HD_TUNE_OTHER_MADE && plan_made(l, p->threads, other.form.against, &plan)
                     ? &plan
                     : NULL);
    hd_tune_other_close(p->other);
    p->other = NULL;
}

/* Of so many launches of a plan one is timed. */
static uint32_t timed_of(const HdLaunchPlan *p)
{
    uint32_t a = atomic_load_explicit(&p->trial.every, memory_order_relaxed);
    uint32_t b = atomic_load_explicit(&p->crowd.turns.every, memory_order_relaxed);
    uint32_t c = atomic_load_explicit(&p->far.turns.every, memory_order_relaxed);

    return a < b && a < c ? a : b < c ? b : c;
}

/* What the next launch tries, if anything: another form of the code, another number of threads, or
 * whether it asks ahead. It is the one that is timed. */
static const HdNdrangePlan *choose_trial(HdPool *pool, const HdLaunch *l, HdLaunchPlan *p,
                                         HdNdrange *n)
{
    if (!p->trial.is_trying && !p->far.turns.is_trying)
        hd_tune_turns_begin(&p->crowd.turns);
    if (!p->crowd.turns.is_trying && !p->far.turns.is_trying)
        see_to_other(pool, l, p);
    if (!p->trial.is_trying && !p->crowd.turns.is_trying &&
        hd_ndrange_is_far(l, hd_tune_best(&p->trial)))
        hd_tune_turns_begin(&p->far.turns);
    n->near = hd_tune_far_next(&p->far);
    n->alone_ns = hd_tune_threads_next_ns(&p->crowd);
    return hd_tune_plan(&p->trial);
}

/* Both forms take turns at slices of the launch until the trial is over; the best one does what is
 * left. */
static HdStatus run_slices(HdPool *pool, const HdNdrange *n, HdLaunchPlan *p, uint64_t each,
                           HdDiags *d)
{
    const HdNdrangePlan *best = hd_tune_best(&p->trial);
    HdNdrange part = {.launch = n->launch, .guess_ns = n->guess_ns, .near = n->near};
    uint64_t total = best->total, took;

    part.count = each;
    part.streams = hd_ndrange_streams(pool, n, best);
    while (p->trial.is_trying && total - part.first >= 2 * each) {
        for (unsigned turn = 0; turn < 2; turn++) {
            HD_TRY(run_timed(pool, &part, hd_tune_plan(&p->trial), d, &took));
            if (hd_is_cancelled(n->launch->cancel))
                return HD_OK;
            hd_tune_note_slice(&p->trial, took);
            part.first += each;
        }
    }
    part.count = total - part.first;
    return part.count != 0 ? hd_ndrange_run_planned(pool, &part, hd_tune_best(&p->trial), d)
                           : HD_OK;
}

/* The launch took so long; 0 = it did not finish, or its slices have been noted. */
static void end_trial(const HdLaunch *l, HdLaunchPlan *p, const HdNdrangePlan *was, uint64_t took,
                      uint32_t every)
{
    bool is_over, one = p->crowd.turns.is_trying, other = p->far.turns.is_trying;
    HdOutcome outcome;

    if (!p->trial.is_trying && !other)
        hd_tune_threads_note(&p->crowd, took, every);
    if (!p->trial.is_trying && !one && hd_ndrange_is_far(l, was))
        hd_tune_far_note(&p->far, took, every);
    hd_tune_leave(&p->trial, p->crowd.turns.is_trying || p->far.turns.is_trying ? 0 : took,
                  &is_over, &outcome);
    if (!is_over)
        return;
    if (hd_tune_best(&p->trial) != was) {
        hd_tune_threads_reset(&p->crowd);
        hd_tune_far_reset(&p->far);
    }
    hd_program_keep_outcome(l->program, hd_tune_code(&p->trial.forms[0]), outcome);
}

HdStatus hd_launch_plan_run(HdPool *pool, const HdLaunch *l, HdLaunchPlan *p, HdDiags *d)
{
    uint64_t ns = hd_launch_guess_ns(l);
    HdNdrange n = {.launch = l,
                   .guess_ns = ns != UINT64_MAX ? ns : 0,
                   .alone_ns = hd_tune_threads_alone_ns(&p->crowd),
                   .near = hd_tune_far_is_near(&p->far)};
    const HdNdrangePlan *of = hd_tune_best(&p->trial), *best = of;
    uint32_t run = atomic_load_explicit(&p->runs, memory_order_relaxed), every = timed_of(p);
    uint64_t took, slice;
    bool is_alone;
    HdStatus st;

    /* Two threads may count one run: it is about how many. */
    atomic_store_explicit(&p->runs, run + 1, memory_order_relaxed);
    if ((run & (every - 1)) != 0)
        return hd_ndrange_run_planned(pool, &n, of, d);
    is_alone = hd_tune_enter(&p->trial);
    if (is_alone)
        of = choose_trial(pool, l, p, &n);
    slice = is_alone ? hd_tune_slice(&p->trial, p->threads) : 0;
    if (slice != 0) {
        st = run_slices(pool, &n, p, slice, d);
        end_trial(l, p, best, 0, every);
        return st;
    }
    st = run_timed(pool, &n, of, d, &took);
    note_time(p, took);
    if (is_alone)
        end_trial(l, p, best, st == HD_OK ? took : 0, every);
    return st;
}

void hd_launch_plans_close(HdLaunchPlans *plans)
{
    for (unsigned i = 0; i < HD_LAUNCH_PLANS; i++) {
        HdLaunchPlan *p = atomic_exchange(&plans->at[i], NULL);

        if (p != NULL)
            hd_tune_other_close(p->other);
        hd_free(p);
    }
}

HdStatus hd_launch_plan_first(HdPool *pool, const HdLaunch *from, HdLaunch *l, HdDiags *d)
{
    unsigned threads = pool != NULL ? hd_pool_threads(pool) : 1;
    HdNdrange n = {.launch = from};
    HdOutcome outcome = {0};
    HdNdrangePlan plan, against;
    const HdKernelCode *code;
    bool is_against;

    HD_TRY(plan_form(from, l, threads, d, &plan));
    code = from->plans != NULL ? hd_tune_code(&plan) : NULL;
    if (code != NULL)
        outcome = hd_program_outcome(code);
    is_against = outcome.against && plan_made(from, threads, true, &against);
    if (outcome.against && !is_against)
        outcome.times = 0; /* to be tried again */
    if (from->plans != NULL)
        keep_plan(pool, from, threads, &plan, is_against ? &against : NULL, outcome.times);
    return hd_ndrange_run_planned(pool, &n, is_against ? &against : &plan, d);
}
