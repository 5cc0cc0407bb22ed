/* cl/ndrange.c -- clEnqueueNDRangeKernel: checks, and the command.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/option.h"
#include "cl/capture.h"
#include "cl/checked.h"
#include "cl/device_queue.h"
#include "cl/kernel.h"
#include "cl/limits.h"
#include "cl/svm.h"
#include "launch/plan.h"
#include "launch/run.h"
#include "launch/size.h"

/* NDRanges with so many work-items start without waiting for a flush; those that take less than
 * CHEAP_NS are never a reason to wake a thread. */
#define HEAVY_ITEMS (1u << 20)
#define CHEAP_NS    3000u

struct HdNdrangeCommand {
    HdLaunch launch;
    HdArgs args;      /* a copy: the host may set others immediately */
    void *args_block; /* memory of the copy; NULL: after this */
    cl_kernel kernel; /* held by the event */
    atomic_bool has_printed;
    HdLaunchCheck check;
    HdLaunchSpan *spans;    /* [arg_count] sub-buffers */
    HdLaunchSpan *captured; /* [arg_count] buffers; NULL: the launch is not to be captured */
};

static void print(void *user, const char *text, size_t len)
{
    struct HdNdrangeCommand *n = user;

    n->has_printed = true;
    fwrite(text, 1, len, stdout);
}

static cl_int run(cl_event e)
{
    struct HdNdrangeCommand *n = e->payload.ndrange;
    HdDiags d;
    HdStatus st;

    hd_diags_init(&d);
    n->launch.is_ahead = e->is_ahead;
    if (n->captured != NULL)
        hd_capture_launch(n->kernel, &n->launch, n->captured);
    st = hd_launch_run(hd_device_pool(e->queue->device), &n->launch, &d);
    if (n->has_printed)
        fflush(stdout);
    hd_checked_tell();
    if (st != HD_OK)
        hd_context_notify_diags(
            e->context, st == HD_ABORTED ? "a kernel has ended itself" : "a kernel did not run",
            &d);
    hd_diags_drop(&d);
    switch (st) {
    case HD_OK: return CL_SUCCESS;
    case HD_NO_MEMORY: return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    case HD_BAD_INPUT: return CL_INVALID_WORK_GROUP_SIZE;
    case HD_UNSUPPORTED:
    case HD_IO:
    case HD_ABORTED:
    case HD_BUG: break;
    }
    return CL_OUT_OF_RESOURCES;
}

static void drop(cl_event e)
{
    struct HdNdrangeCommand *n = e->payload.ndrange;

    hd_free(n->args_block);
    hd_free(n->spans);
    hd_free(n->captured);
    e->payload.ndrange = NULL;
}

/* No global size is a size of 0: nothing runs. */
static size_t global_of(const HdRange *r, cl_uint i)
{
    return r->global != NULL ? r->global[i] : 0;
}

/* Work-items of a group whose size the kernel says; 1 where it leaves it open. */
static uint64_t required_items(const struct _cl_kernel *k)
{
    const uint32_t *required = k->info->required_local;

    if (required[0] != 0)
        return (uint64_t)required[0] * required[1] * required[2];
    return k->info->subgroups_per_group != 0
               ? (uint64_t)k->info->subgroups_per_group * hd_kernel_width(k)
               : 1;
}

/* Sizes and offsets; in the order of the specification. */
static cl_int check_sizes(const struct _cl_kernel *k, const HdRange *r, uint32_t most_items)
{
    const uint32_t *required = k->info->required_local;
    uint64_t items = 1;

    for (cl_uint i = 0; i < r->work_dim; i++) {
        size_t offset = r->offset != NULL ? r->offset[i] : 0;

        if (offset > SIZE_MAX - global_of(r, i) || !hd_kernel_allows_offset(k->info, offset))
            return CL_INVALID_GLOBAL_OFFSET;
        if (!hd_kernel_allows_global(k->info, i, global_of(r, i)))
            return CL_INVALID_WORK_DIMENSION;
    }
    for (cl_uint i = 0; i < r->work_dim && k->program->has_full_groups; i++) {
        size_t local = r->local != NULL ? r->local[i] : required[i];

        if (local != 0 && global_of(r, i) % local != 0)
            return CL_INVALID_WORK_GROUP_SIZE;
    }
    if (r->local == NULL) /* A required size applies automatically. */
        return required_items(k) <= most_items ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE;
    for (cl_uint i = 0; i < r->work_dim; i++) {
        if (r->local[i] == 0)
            return CL_INVALID_WORK_GROUP_SIZE;
        if (!hd_kernel_allows_local(k->info, i, r->local[i]))
            return CL_INVALID_WORK_GROUP_SIZE;
        if (r->local[i] > most_items)
            return CL_INVALID_WORK_ITEM_SIZE;
        items *= r->local[i];
    }
    for (cl_uint i = r->work_dim; i < 3; i++) {
        if (required[0] != 0 && required[i] > 1)
            return CL_INVALID_WORK_GROUP_SIZE;
    }
    if (items > most_items)
        return CL_INVALID_WORK_GROUP_SIZE;
    if (k->info->subgroups_per_group != 0) {
        uint32_t width = hd_kernel_width(k);

        if ((items + width - 1) / width != k->info->subgroups_per_group)
            return CL_INVALID_WORK_GROUP_SIZE;
    }
    return CL_SUCCESS;
}

static cl_int check_buffers(const struct _cl_kernel *k)
{
    for (uint32_t i = 0; i < k->info->arg_count; i++) {
        const struct _cl_mem *m = k->mems[i];

        if (m != NULL && !hd_mem_is_alive(m))
            return CL_INVALID_KERNEL_ARGS; /* the host has let it go */
        if (m != NULL && m->parent != NULL && m->origin % HD_MEM_ALIGN != 0)
            return CL_MISALIGNED_SUB_BUFFER_OFFSET;
    }
    return CL_SUCCESS;
}

/* No specification says what a launch answers whose constant buffer is too large: it may be of
 * CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE. */
static cl_int check_constants(const struct _cl_kernel *k, uint64_t most_bytes)
{
    for (uint32_t i = 0; i < k->info->arg_count; i++) {
        if (k->info->args[i].kind == HD_ARG_CONSTANT && k->mems[i] != NULL &&
            k->mems[i]->size > most_bytes)
            return CL_OUT_OF_RESOURCES;
    }
    return CL_SUCCESS;
}

static cl_int check(cl_command_queue q, cl_kernel k, const HdRange *r, bool is_set)
{
    cl_device_id d = q->device;
    cl_int code;

    if (k->program->context != q->context)
        return CL_INVALID_CONTEXT;
    if (!hd_program_is_for(k->program, d))
        return CL_INVALID_PROGRAM_EXECUTABLE;
    if (is_set && hd_args_missing(&k->args) != UINT32_MAX)
        return CL_INVALID_KERNEL_ARGS;
    if (r->work_dim < 1 || r->work_dim > 3)
        return CL_INVALID_WORK_DIMENSION;
    code = check_sizes(k, r, d->most_items);
    if (code == CL_SUCCESS && is_set)
        code = check_buffers(k);
    if (code == CL_SUCCESS && is_set)
        code = check_constants(k, d->constant_bytes);
    if (code == CL_SUCCESS && hd_args_local_bytes(k->info, k->args.local_sizes) > d->local_bytes)
        code = CL_OUT_OF_RESOURCES;
    return code;
}

cl_int hd_kernel_check_unset(cl_command_queue q, cl_kernel k, const HdRange *r)
{
    return check(q, k, r, false);
}

static uint8_t zeroes_of(const struct _cl_context *c)
{
    bool local = (c->zeroes & HD_CL_CONTEXT_MEMORY_INITIALIZE_LOCAL) != 0;
    bool private = (c->zeroes & HD_CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE) != 0;

    return (uint8_t)((local ? HD_ZEROES_LOCAL : 0) | (private ? HD_ZEROES_ARRAYS : 0));
}

/* device: the number of one of the program's */
static void fill(HdLaunch *l, cl_kernel k, cl_uint device, const HdRange *r)
{
    *l = (HdLaunch){.program = k->executable->program,
                    .kernel = k->info,
                    .memory = &k->executable->memories[device],
                    .engine = hd_limits_engine(),
                    .plans = k->plans,
                    .is_uniform = k->program->has_full_groups,
                    .zeroes = zeroes_of(k->program->context),
                    .work_dim = r->work_dim};
    l->of_args.apart = hd_kernel_args_are_apart(k, &l->large);
    for (cl_uint i = 0; i < r->work_dim; i++) {
        l->global_offset[i] = r->offset != NULL ? r->offset[i] : 0;
        l->global_size[i] = global_of(r, i);
        l->local_size[i] = r->local != NULL ? r->local[i] : 0;
    }
}

void hd_kernel_suggest(cl_kernel k, const HdRange *r, size_t local[3])
{
    uint64_t chosen[3];
    HdLaunch l;

    fill(&l, k, 0, r);
    l.args = &k->args;
    for (cl_uint i = r->work_dim; i < 3; i++)
        l.global_size[i] = 1;
    hd_launch_local_size(&l, chosen);
    for (int i = 0; i < 3; i++)
        local[i] = (size_t)chosen[i];
}

/* Memory of the arguments, for a check that started after its creation. */
static void meet_memory(cl_kernel k)
{
    for (uint32_t i = 0; i < k->info->arg_count; i++) {
        const void *at;

        if (k->mems[i] != NULL) {
            hd_mem_note_used(k->mems[i]);
        } else if (k->info->args[i].kind == HD_ARG_GLOBAL ||
                   k->info->args[i].kind == HD_ARG_CONSTANT) {
            memcpy(&at, k->args.block + k->info->args[i].offset, sizeof at);
            hd_svm_note_used(k->program->context, at);
        }
    }
}

/* Notifies a checked run of the arguments. */
static bool prepare_check(struct HdNdrangeCommand *n, cl_kernel k)
{
    if (hd_checked() == NULL)
        return true;
    meet_memory(k);
    n->check = (HdLaunchCheck){.check = hd_checked(),
                               .seconds = hd_option_number(HD_OPTION_CHECK_SECONDS),
                               .seed = hd_option_number(HD_OPTION_CHECK_SEED),
                               .quick = hd_option_number(HD_OPTION_CHECK_QUICK) != 0};
    n->spans = hd_alloc_zero((k->info->arg_count + 1) * sizeof *n->spans);
    for (uint32_t i = 0; n->spans != NULL && i < k->info->arg_count; i++)
        if (k->mems[i] != NULL && k->mems[i]->parent != NULL)
            n->spans[i] = (HdLaunchSpan){.at = (uint64_t)(uintptr_t)k->mems[i]->at,
                                         .bytes = k->mems[i]->size};
    n->check.spans = n->spans;
    n->launch.check = &n->check;
    return n->spans != NULL;
}

/* Where the memory of the arguments lies. */
static bool prepare_capture(struct HdNdrangeCommand *n, cl_kernel k)
{
    if (!hd_capture_is_on())
        return true;
    n->captured = hd_alloc_zero((k->info->arg_count + 1) * sizeof *n->captured);
    for (uint32_t i = 0; n->captured != NULL && i < k->info->arg_count; i++)
        if (k->mems[i] != NULL && k->mems[i]->image == NULL)
            n->captured[i] = (HdLaunchSpan){.at = (uint64_t)(uintptr_t)k->mems[i]->at,
                                            .bytes = k->mems[i]->size};
    return n->captured != NULL;
}

_Static_assert(sizeof(struct HdNdrangeCommand) + 128 <= HD_EVENT_ROOM,
               "a launch and some arguments have room in an event");

/* The kernel's current arguments. */
static bool copy_args(struct HdNdrangeCommand *n, const HdArgs *from)
{
    size_t bytes = hd_args_snapshot_bytes(from);
    void *room = n + 1;

    n->args_block = NULL;
    if (bytes > HD_EVENT_ROOM - sizeof *n) {
        n->args_block = hd_alloc(bytes);
        if (n->args_block == NULL)
            return false;
        room = n->args_block;
    }
    hd_args_snapshot(from, room, &n->args);
    return true;
}

/* Is it worth starting immediately; is it not worth another thread's time? */
static void weigh(cl_event e, const HdLaunch *l)
{
    double items = 1;

    for (cl_uint i = 0; i < l->work_dim; i++)
        items *= (double)l->global_size[i];
    e->is_heavy = items >= HEAVY_ITEMS;
    e->is_cheap = !e->is_heavy && hd_launch_guess_ns(l) < CHEAP_NS;
}

/* The command holds a queue that was held for its caller. */
static bool hand_over(cl_event e, cl_command_queue q)
{
    bool done = q == NULL || hd_event_hold(e, &q->object);

    if (q != NULL)
        hd_object_drop(&q->object);
    return done;
}

/* The queues that its kernels may enqueue into: the default, and those that are arguments. */
static bool hold_device_queues(cl_event e, HdLaunch *l, cl_kernel k)
{
    cl_command_queue q = hd_device_queue_default(e->context, e->queue->device);

    l->side = hd_context_side(e->context);
    l->default_queue = q != NULL ? q->on_device : NULL;
    if (!hand_over(e, q) || l->side == NULL)
        return false;
    for (uint32_t i = 0; i < k->info->arg_count; i++) {
        uint64_t handle;

        if (k->info->args[i].kind != HD_ARG_QUEUE)
            continue;
        memcpy(&handle, k->args.block + k->info->args[i].offset, sizeof handle);
        if (!hand_over(e, hd_device_queue_of(e->context, handle)))
            return false;
    }
    return true;
}

static bool hold_all(cl_event e, HdLaunch *l, cl_kernel k)
{
    if (!hd_event_hold(e, &k->object))
        return false;
    if (hd_program_layout(l->program)->has_device_side && !hold_device_queues(e, l, k))
        return false;
    for (uint32_t i = 0; i < k->info->arg_count; i++) {
        if (k->mems[i] != NULL && !hd_event_hold(e, &k->mems[i]->object))
            return false;
    }
    return true;
}

static cl_event make(cl_command_queue q, cl_command_type type, cl_kernel k, const HdRange *r)
{
    cl_event e = hd_event_new(q, type, run);
    struct HdNdrangeCommand *n;
    HdPool *pool = hd_device_pool(q->device);

    if (e == NULL)
        return NULL;
    n = hd_event_room(e);
    n->spans = n->captured = NULL;
    if (!copy_args(n, &k->args)) {
        hd_object_release(&e->object);
        return NULL;
    }
    fill(&n->launch, k, hd_program_device_index(k->program, q->device), r);
    n->launch.whose = q;
    hd_launch_find_plan(&n->launch, pool != NULL ? hd_pool_threads(pool) : 1);
    n->launch.args = &n->args;
    n->launch.sink = print;
    n->launch.sink_user = n;
    n->kernel = k;
    atomic_init(&n->has_printed, false);
    e->payload.ndrange = n;
    e->drop = drop;
    weigh(e, &n->launch);
    if (!prepare_check(n, k) || !prepare_capture(n, k) || !hold_all(e, &n->launch, k)) {
        hd_object_release(&e->object);
        return NULL;
    }
    return e;
}

cl_int hd_kernel_enqueue(cl_command_queue q, cl_command_type type, cl_kernel k, const HdRange *r,
                         HdEnqueue how)
{
    cl_int code = check(q, k, r, true);
    cl_event e;

    if (code == CL_SUCCESS)
        code = hd_queue_check_waits(q, how.waits);
    if (code != CL_SUCCESS)
        return code;
    e = make(q, type, k, r);
    return e != NULL ? hd_queue_enqueue(q, e, how) : CL_OUT_OF_HOST_MEMORY;
}

/* The default queue of the command's device, for kernels that enqueue; other queues are arguments,
 * and held already. */
static bool hold_default_queue(cl_event e, HdLaunch *l)
{
    cl_command_queue q = hd_device_queue_default(e->context, e->queue->device);

    l->default_queue = q != NULL ? q->on_device : NULL;
    return hand_over(e, q);
}

static bool hold_same(cl_event e, cl_event from)
{
    for (unsigned i = 0; i < from->held_count; i++)
        if (!hd_event_hold(e, from->held[i]))
            return false;
    for (size_t i = 0; i < from->more_count; i++)
        if (!hd_event_hold(e, from->more_held[i]))
            return false;
    return true;
}

/* The launch of another command, by this one's device. */
static bool fill_like(struct HdNdrangeCommand *n, cl_command_queue q,
                      const struct HdNdrangeCommand *from)
{
    HdPool *pool = hd_device_pool(q->device);
    cl_kernel k = from->kernel;
    cl_uint device = hd_program_device_index(k->program, q->device);

    n->spans = n->captured = NULL;
    if (!copy_args(n, &from->args))
        return false;
    if (from->captured != NULL) {
        n->captured = hd_memdup(from->captured, (k->info->arg_count + 1) * sizeof *n->captured);
        if (n->captured == NULL)
            return false;
    }
    n->launch = from->launch;
    n->launch.memory = &k->executable->memories[device];
    n->launch.args = &n->args;
    n->launch.sink_user = n;
    hd_launch_find_plan(&n->launch, pool != NULL ? hd_pool_threads(pool) : 1);
    n->kernel = k;
    atomic_init(&n->has_printed, false);
    if (from->launch.check == NULL)
        return true;
    n->check = from->check;
    n->spans = hd_memdup(from->spans, (k->info->arg_count + 1) * sizeof *n->spans);
    n->check.spans = n->spans;
    n->launch.check = &n->check;
    return n->spans != NULL;
}

bool hd_kernel_is_command(const struct _cl_event *e)
{
    return e->run == run;
}

cl_int hd_kernel_enqueue_like(cl_command_queue q, cl_event from, HdEnqueue how)
{
    cl_event e;
    bool done;

    if (!hd_program_is_for(from->payload.ndrange->kernel->program, q->device))
        return CL_INVALID_PROGRAM_EXECUTABLE;
    e = hd_event_new(q, from->type, run);
    if (e == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    e->payload.ndrange = hd_event_room(e);
    done = fill_like(e->payload.ndrange, q, from->payload.ndrange);
    e->drop = drop;
    weigh(e, &e->payload.ndrange->launch);
    done = done && hold_same(e, from);
    if (done && hd_program_layout(e->payload.ndrange->launch.program)->has_device_side)
        done = hold_default_queue(e, &e->payload.ndrange->launch);
    if (!done) {
        hd_object_release(&e->object);
        return CL_OUT_OF_HOST_MEMORY;
    }
    return hd_queue_enqueue(q, e, how);
}
