/* launch/tune.h -- which of two forms of a kernel's code is faster, by trying both.
 *
 * If the compiler's estimate is uncertain (HdCodeFacts.doubt), similar launches that together have
 * taken some time alternate between both forms, a few times each; later launches run the faster
 * one. Much later the trial is repeated, since the outcome depends on the data.
 *
 * Launches that take long are tried in slices: both forms take turns at some groups of the same
 * launch, so that a form ten times as slow costs less than one launch, and one that is thought to
 * be far slower is tried as well.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_TUNE_H
#define HD_LAUNCH_TUNE_H

#include <stdatomic.h>

#include "launch/ndrange.h"
#include "launch/tune_pair.h"

/* Code of the form that is not the best. */
typedef enum HdTuneNeed {
    HD_TUNE_NOTHING, /* it exists, or is not worth compiling yet */
    HD_TUNE_SOON,    /* if it is being made (hd_tune_is_worth_a_spare), it is worth trying */
    HD_TUNE_CODE,    /* some thread with nothing else to do may make it */
    HD_TUNE_CODE_NOW /* no worker was idle for so long that a busy one has to */
} HdTuneNeed;

typedef struct HdTune {
    _Atomic(const HdNdrangePlan *) best; /* of `forms` */
    _Atomic uint32_t every;              /* of so many launches one is timed; a power of two */
    atomic_bool is_taken;                /* a launch is being timed, alone; its: */
    bool is_on, is_trying;
    bool may_slice;         /* there are groups enough; */
    bool is_sliced;         /* and both forms have the same */
    bool is_over;           /* the trial ended in a slice */
    HdNdrangePlan forms[2]; /* by HdFormRequest.against */
    bool has[2];
    double doubt, compile_ns; /* as HdCodeFacts has them */
    uint32_t times;           /* as HdOutcome has them */
    double launch_ns;         /* of the last one that was timed */
    double spent_ns;          /* by launches since the last trial */
    double due_ns;            /* that they take before the next one, */
    double soon_ns;           /* before the first one if the code is there */
    HdTunePair pairs;
} HdTune;

/* The code whose outcome determines which form launches of a plan start with; NULL: there is no
 * doubt, or trials are turned off. */
const HdKernelCode *hd_tune_code(const HdNdrangePlan *plan);

/* The form that launches start with: that of the estimate; `against`, if not NULL, is the other
 * one, which has been better.
 *   threads  of the pool
 *   times    as HdOutcome has them */
void hd_tune_init(HdTune *t, const HdNdrangePlan *plan, const HdNdrangePlan *against,
                  unsigned threads, uint32_t times);

/* Is the launch, one of those to be timed, alone at it? Then until hd_tune_leave it may ask: */
bool hd_tune_enter(HdTune *t);
HdTuneNeed hd_tune_need(const HdTune *t);
/* Is the other form worth the time of a processor that has nothing else to do, from the first
 * launch on? */
bool hd_tune_is_worth_a_spare(const HdTune *t);
/* Is the form that is needed HdFormRequest.against? */
bool hd_tune_needs_against(const HdTune *t);
/* It exists; NULL: it cannot be compiled. */
void hd_tune_open(HdTune *t, const HdNdrangePlan *other);
/* What to run and to time. */
const HdNdrangePlan *hd_tune_plan(const HdTune *t);
/* So many groups of the launch make a slice, to be run and timed by itself, and noted; two of them
 * are a pair. 0: the launch is run and timed as a whole. */
uint64_t hd_tune_slice(const HdTune *t, unsigned threads);
void hd_tune_note_slice(HdTune *t, uint64_t ns);
/* True in *is_over when a trial ended, whose outcome is *o.
 *   ns  the time of the launch; 0 = it did not finish, or its slices were noted */
void hd_tune_leave(HdTune *t, uint64_t ns, bool *is_over, HdOutcome *o);

static inline const HdNdrangePlan *hd_tune_best(const HdTune *t)
{
    /* acquire: the other form was written before it became the best */
    return atomic_load_explicit(&t->best, memory_order_acquire);
}

#endif
