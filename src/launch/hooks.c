/* launch/hooks.c -- initializers before the first launch, finalizers after the last.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/hooks.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/memory.h"
#include "launch/args.h"
#include "launch/child_launches.h"

struct HdProgramHooks {
    HdProgram *program; /* whose owner closes it after the memory */
    pthread_mutex_t lock;
    atomic_bool is_ready; /* all initializers have run */
    uint32_t next;        /* the first hook that has not been looked at; under the lock */
    bool has_ended;
    HdEngine engine; /* of the first launch */
};

HdStatus hd_launch_hooks_open(const HdProgram *p, HdProgramMemory *m)
{
    if (hd_program_layout(p)->hook_count == 0)
        return HD_OK;
    HD_TAKE(m->hooks, hd_alloc_zero(sizeof *m->hooks));
    m->hooks->program = (HdProgram *)(uintptr_t)p; /* its code is made on demand */
    pthread_mutex_init(&m->hooks->lock, NULL);
    return HD_OK;
}

void hd_launch_hooks_close(HdProgramMemory *m)
{
    if (m->hooks == NULL)
        return;
    pthread_mutex_destroy(&m->hooks->lock);
    hd_free(m->hooks);
    m->hooks = NULL;
}

static const HdKernelInfo *hook_at(const HdProgram *p, uint32_t i)
{
    const HdBuildLayout *l = hd_program_layout(p);

    return &l->kernels[l->kernel_count + l->child_count + i];
}

/* One work-item, on this thread. */
static HdStatus run_one(const HdLaunch *like, const HdKernelInfo *k, HdDiags *d)
{
    HdLaunch l = {.program = like->program,
                  .kernel = k,
                  .memory = like->memory,
                  .engine = like->engine,
                  .work_dim = 1,
                  .global_size = {1, 1, 1},
                  .local_size = {1, 1, 1},
                  .is_made = like->is_made,
                  .zeroes = like->zeroes,
                  .sink = like->sink,
                  .sink_user = like->sink_user,
                  .cancel = like->cancel};
    HdLaunchCheck check;
    HdArgs args;
    HdStatus st;

    if (like->check != NULL) {
        check = *like->check;
        check.spans = NULL;
        check.hook = NULL;
        l.check = &check;
    }
    HD_TRY(hd_args_open(k, &args));
    l.args = &args;
    st = hd_launch_run_with_children(NULL, &l, d);
    hd_args_close(&args);
    return st;
}

HdStatus hd_launch_initialize(const HdLaunch *l, HdDiags *d)
{
    struct HdProgramHooks *h = l->memory != NULL ? l->memory->hooks : NULL;
    HdStatus st = HD_OK;

    if (h == NULL || l->kernel->hook != HD_HOOK_NONE || atomic_load(&h->is_ready))
        return HD_OK;
    pthread_mutex_lock(&h->lock);
    h->engine = l->engine;
    while (h->next < hd_program_layout(h->program)->hook_count) {
        const HdKernelInfo *k = hook_at(h->program, h->next);

        st = k->hook == HD_HOOK_INITIALIZER ? run_one(l, k, d) : HD_OK;
        if (st != HD_OK)
            break;
        h->next++;
    }
    atomic_store(&h->is_ready, st == HD_OK);
    pthread_mutex_unlock(&h->lock);
    return st;
}

void hd_program_memory_finalize(HdProgramMemory *m, HdPrintfSink *sink, void *sink_user)
{
    struct HdProgramHooks *h = m->hooks;
    HdLaunch like = {.memory = m, .sink = sink, .sink_user = sink_user};
    HdDiags quiet;

    if (h == NULL || h->has_ended || !atomic_load(&h->is_ready))
        return;
    h->has_ended = true;
    like.program = h->program;
    like.engine = h->engine;
    hd_diags_init(&quiet); /* nobody is left to be told */
    for (uint32_t i = 0; i < hd_program_layout(h->program)->hook_count; i++)
        if (hook_at(h->program, i)->hook == HD_HOOK_FINALIZER)
            (void)run_one(&like, hook_at(h->program, i), &quiet);
    hd_diags_drop(&quiet);
}
