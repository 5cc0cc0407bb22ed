/* cl/precompile.c -- work done ahead of time by idle workers: kernels compiled, LLVM loaded.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/precompile.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/option.h"
#include "base/thread.h"
#include "cl/limits.h"
#include "jit/generator.h"

/* The kernels of an executable; each job compiles one, and one at a time is the newest. */
typedef struct Ahead {
    HdExecutable *x;  /* a reference */
    atomic_uint jobs; /* that have not ended */
    uint32_t left;    /* kernels not examined yet: the first so many; for the newest job */
} Ahead;

#define ALL (1u << 30) /* more kernels than there are */

/* The pool, if it may be given such work. */
static HdPool *pool(void)
{
    HdPool *p;

    if (hd_option_number(HD_OPTION_AHEAD) == 0 || hd_limits_engine() != HD_ENGINE_COMPILED)
        return NULL;
    p = hd_platform_pool();
    return p != NULL && hd_pool_threads(p) > 1 ? p : NULL;
}

/* A job ends. */
static void leave(Ahead *a)
{
    if (atomic_fetch_sub(&a->jobs, 1) > 1)
        return;
    hd_executable_drop(a->x);
    hd_free(a);
}

/* The next kernel without code, or NULL. Hosts mostly start with the first one; starting from the
 * last one we meet in the middle, and neither waits for a kernel that the other is compiling. */
static const HdKernelInfo *next_kernel(Ahead *a)
{
    HdProgram *program = a->x->program;
    const HdBuildLayout *l = hd_program_layout(program);

    while (a->left > 0) {
        const HdKernelInfo *k = &l->kernels[--a->left];

        if (!hd_program_has_code(program, k, hd_variant_usual(hd_program_cpu(program), k)))
            return k;
    }
    return NULL;
}

static void compile_job(void *user);

/* Another job for what is left. */
static void go_on(Ahead *a, HdPool *p)
{
    atomic_fetch_add(&a->jobs, 1);
    if (hd_pool_submit(p, HD_POOL_IDLE, compile_job, a) != HD_OK)
        leave(a);
}

/* One kernel; the next one is a separate job, so that other work gets in between. It runs in
 * parallel with this one if the host has waited for more kernels than are being compiled: the more
 * it has, the more it will. */
static void compile_job(void *user)
{
    Ahead *a = user;
    HdPool *p = hd_platform_pool();
    HdProgram *program = a->x->program;
    const HdKernelInfo *k = next_kernel(a);
    const HdKernelCode *code;
    bool beside;
    HdDiags quiet;

    /* The last reference is ours: the host has no use for it any more. */
    if (p == NULL || k == NULL || atomic_load_explicit(&a->x->refs, memory_order_relaxed) == 1) {
        leave(a);
        return;
    }
    beside = atomic_load(&a->jobs) < atomic_load(&a->x->waited_for) - 1;
    if (beside)
        go_on(a, p);
    hd_jit_warm_up();      /* the process may end while this compiles */
    hd_diags_init(&quiet); /* errors are reported when the kernel is created */
    (void)hd_program_code(program, k, hd_variant_usual(hd_program_cpu(program), k), &quiet, &code);
    hd_diags_drop(&quiet);
    if (!beside)
        go_on(a, p);
    leave(a);
}

/* And what they enqueue. */
static uint32_t kernels_of(const HdExecutable *x)
{
    return hd_layout_count(hd_program_layout(x->program));
}

void hd_precompile_compile(HdExecutable *x)
{
    HdPool *p = pool();
    unsigned before = atomic_fetch_add(&x->waited_for, 1);
    Ahead *a;

    /* Many hosts need one kernel of a library, and launch it immediately: a second one is a better
     * sign. */
    if (p == NULL || (before != 1 && before != ALL) || kernels_of(x) < 3)
        return;
    a = hd_alloc(sizeof *a);
    if (a == NULL)
        return;
    atomic_fetch_add_explicit(&x->refs, 1, memory_order_relaxed);
    *a = (Ahead){.x = x, .jobs = 1, .left = kernels_of(x)};
    if (hd_pool_submit(p, HD_POOL_IDLE, compile_job, a) != HD_OK)
        leave(a);
}

void hd_precompile_expect(HdExecutable *x)
{
    unsigned none = 0;

    atomic_compare_exchange_strong(&x->waited_for, &none, ALL);
}

/* ---- one kernel --------------------------------------------------------------------------------
 */

typedef struct Finish {
    HdExecutable *x; /* a reference */
    const HdKernelInfo *kernel;
} Finish;

/* Most hosts launch a kernel as soon as they have it, and the launch may need other code. */
#define LAUNCH_SOON_NS 5000000u

static void drop_finish(Finish *f)
{
    hd_executable_drop(f->x);
    hd_free(f);
}

static void finish_job(void *user)
{
    Finish *f = user;
    HdProgram *program = f->x->program;

    if (atomic_load_explicit(&f->x->refs, memory_order_relaxed) != 1)
        hd_program_finish(program, f->kernel, hd_variant_usual(hd_program_cpu(program), f->kernel));
    drop_finish(f);
}

void hd_precompile_finish(HdExecutable *x, const HdKernelInfo *k)
{
    HdPool *p = pool();
    Finish *f = p != NULL ? hd_alloc(sizeof *f) : NULL;

    if (f == NULL)
        return;
    atomic_fetch_add_explicit(&x->refs, 1, memory_order_relaxed);
    *f = (Finish){.x = x, .kernel = k};
    if (hd_pool_submit_later(p, finish_job, f, hd_clock_ns() + LAUNCH_SOON_NS) != HD_OK)
        drop_finish(f);
}

/* ---- the code generator -----------------------------------------------------------------------
 */

static void *load(void *unused)
{
    (void)unused;
    hd_jit_warm_up();
    return NULL;
}

void hd_precompile_load(HdPrefetchLoad *l)
{
    if (l->is_running || hd_option_number(HD_OPTION_AHEAD) == 0 ||
        hd_limits_engine() != HD_ENGINE_COMPILED)
        return;
    l->is_running = hd_thread_start(&l->thread, NULL, load, NULL);
}

void hd_precompile_wait(HdPrefetchLoad *l)
{
    if (l->is_running)
        pthread_join(l->thread, NULL);
    l->is_running = false;
}
