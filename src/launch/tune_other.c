/* launch/tune_other.c -- the other form of a kernel's code, compiled in the background.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/tune_other.h"

#include <stdatomic.h>

#include "base/memory.h"
#include "base/option.h"
#include "jit/generator.h"
#include "launch/prepare.h"

struct HdTuneOther {
    atomic_uint refs; /* the requester, and each job */
    atomic_bool is_wanted;
    atomic_bool is_begun; /* by a worker */
    _Atomic HdTuneOtherState state;
    bool is_asked[HD_POOL_NOW + 1];
    unsigned threads;
    HdLaunch launch; /* sizes and code; its program is held */
};

HdTuneOther *hd_tune_other_open(const HdLaunch *l, unsigned threads)
{
    HdTuneOther *o = hd_option_number(HD_OPTION_AHEAD) != 0 ? hd_alloc_zero(sizeof *o) : NULL;

    if (o == NULL)
        return NULL;
    o->launch = (HdLaunch){.program = l->program,
                           .kernel = l->kernel,
                           .engine = l->engine,
                           .work_dim = l->work_dim,
                           .is_uniform = l->is_uniform,
                           .width = l->width,
                           .tests = l->tests,
                           .of_args = l->of_args,
                           .form.against = l->form.against,
                           .lane_dim = l->lane_dim};
    for (unsigned i = 0; i < 3; i++) {
        o->launch.global_offset[i] = l->global_offset[i];
        o->launch.global_size[i] = l->global_size[i];
        o->launch.local_size[i] = l->local_size[i];
    }
    o->threads = threads;
    hd_program_hold(l->program);
    atomic_init(&o->refs, 1);
    atomic_init(&o->is_wanted, true);
    return o;
}

static void drop(HdTuneOther *o)
{
    if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_acq_rel) != 1)
        return;
    hd_program_close(o->launch.program);
    hd_free(o);
}

void hd_tune_other_close(HdTuneOther *o)
{
    if (o == NULL)
        return;
    atomic_store_explicit(&o->is_wanted, false, memory_order_relaxed);
    drop(o);
}

/* From the disk cache without the code generator, if it is there. */
static HdStatus make(const HdTuneOther *o, bool spare)
{
    HdLaunch l = o->launch;
    HdDiags quiet; /* the launch does well without it */
    HdStatus st;

    hd_diags_init(&quiet);
    l.spare = spare;
    l.is_made = true;
    st = hd_launch_prepare(&l, o->threads, &quiet);
    if (st != HD_OK) {
        hd_jit_warm_up(); /* the process may end while this compiles */
        l.is_made = false;
        st = hd_launch_prepare(&l, o->threads, &quiet);
    }
    hd_diags_drop(&quiet);
    return st;
}

static void make_job(void *user)
{
    HdTuneOther *o = user;

    if (atomic_load_explicit(&o->is_wanted, memory_order_relaxed) &&
        !atomic_exchange_explicit(&o->is_begun, true, memory_order_relaxed))
        atomic_store_explicit(&o->state,
                              make(o, false) == HD_OK ? HD_TUNE_OTHER_MADE : HD_TUNE_OTHER_FAILED,
                              memory_order_release);
    drop(o);
}

/* A worker may be at it, too: it does not wait for this thread. */
static void spare_job(void *user)
{
    HdTuneOther *o = user;

    if (atomic_load_explicit(&o->is_wanted, memory_order_relaxed) &&
        !atomic_load_explicit(&o->is_begun, memory_order_relaxed) && make(o, true) == HD_OK)
        atomic_store_explicit(&o->state, HD_TUNE_OTHER_MADE, memory_order_release);
    drop(o);
}

HdTuneOtherState hd_tune_other_ask(HdTuneOther *o, HdPool *pool, HdPoolWhen when)
{
    /* What is idle helps the thread that is at it already. */
    bool is_same = when == HD_POOL_IDLE && o->is_asked[HD_POOL_SPARE];

    if (!o->is_asked[when] && !is_same &&
        !atomic_load_explicit(&o->is_begun, memory_order_relaxed)) {
        o->is_asked[when] = true;
        atomic_fetch_add_explicit(&o->refs, 1, memory_order_relaxed);
        if (pool == NULL ||
            hd_pool_submit(pool, when, when == HD_POOL_SPARE ? spare_job : make_job, o) != HD_OK) {
            drop(o);
            return HD_TUNE_OTHER_FAILED;
        }
    }
    return atomic_load_explicit(&o->state, memory_order_acquire);
}
