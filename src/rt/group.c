/* rt/group.c -- sub-groups of a work-group: one after another, or one fiber each.
 *
 * With barriers every sub-group is a fiber; they run in order, each from one barrier to the next. A
 * barrier opens when all sub-groups that have not ended wait at it, so one that some sub-groups
 * never reach does not hang. If sub-groups stop at YIELDs alone, they take turns on as few stacks
 * as possible.
 *
 * Sub-groups that may wait for each other in loops (locks, hash tables in local memory) run in one
 * call like others, until one has waited for long (docs/adr/0042).
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/group.h"

#include <string.h>

#include "base/memory.h"
#include "rt/texel.h"

/* Sanitizers make frames several times larger. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MARGIN (4u * HD_RT_STACK_MARGIN)
#else
#define MARGIN HD_RT_STACK_MARGIN
#endif

/* Stack tops differ by this, modulo COLOUR_BYTES, so that the same frame of neighbouring
 * sub-groups does not fall into the same cache sets. */
#define COLOUR_STEP  320u
#define COLOUR_BYTES 4096u

/* A sub-group goes round loops so many times before it lets others run, until one of its group has
 * done so; from then on HD_RT_PATIENCE. */
#define FIRST_PATIENCE 1024u

/* Of a page, where kernels ask for no larger alignment: buffers begin pages as well, and a load
 * waits for a store before it whose address has the same lower twelve bits. */
#define LOCAL_START  128u
#define KEEP_STACKS  (64u << 20) /* more than this goes back after a launch */
#define KEEP_LOCAL   (1u << 20)
#define MAX_PRIVATE  ((uint64_t)1 << 36)
#define COLOUR_OF(i) ((size_t)(i)*COLOUR_STEP % COLOUR_BYTES & ~(size_t)63)

static void close_stacks(HdRtWorker *w)
{
    hd_rt_stacks_close(&w->stacks);
    hd_free(w->subgroups);
    w->subgroups = NULL;
}

static void close_local(HdRtWorker *w)
{
    hd_free(w->local_block);
    w->local_block = NULL;
    w->local = NULL;
    w->local_room = 0;
}

static void close_context(HdRtWorker *w)
{
    hd_free(w->context_block);
    w->context_block = NULL;
    w->context = NULL;
    w->context_room = 0;
}

void hd_rt_worker_close(HdRtWorker *w)
{
    close_stacks(w);
    close_context(w);
    close_local(w);
    hd_rt_arrays_close(&w->arrays);
    hd_rt_named_close(&w->named);
}

void hd_rt_worker_trim(HdRtWorker *w)
{
    if (w->stacks.bytes > KEEP_STACKS)
        close_stacks(w);
    if (w->local_room > KEEP_LOCAL)
        close_local(w);
    if (w->context_room > KEEP_STACKS)
        close_context(w);
    hd_rt_arrays_trim(&w->arrays);
}

static HdStatus grow_stacks(HdRtWorker *w, size_t bytes, uint32_t fibers)
{
    uint32_t count = fibers > w->stacks.count ? fibers : w->stacks.count;
    size_t each = bytes > w->stacks.stack_bytes ? bytes : w->stacks.stack_bytes;

    /* Serve the last launch as well, but never the product of two launches' maxima. */
    if (each > KEEP_STACKS / count) {
        count = fibers;
        each = bytes;
    }
    close_stacks(w);
    HD_TAKE(w->subgroups, hd_alloc_zero(count * sizeof *w->subgroups));
    return hd_rt_stacks_open(&w->stacks, count, each);
}

HdStatus hd_rt_worker_prepare(HdRtWorker *w, uint64_t private_bytes, uint32_t fibers,
                              uint64_t local_bytes, uint32_t local_align)
{
    size_t bytes;

    if (private_bytes > MAX_PRIVATE || local_bytes > MAX_PRIVATE)
        return HD_NO_MEMORY;
    bytes = (size_t)private_bytes + MARGIN + COLOUR_BYTES;
    if (fibers == 0)
        fibers = 1;
    if (bytes > w->stacks.stack_bytes || fibers > w->stacks.count)
        HD_TRY(grow_stacks(w, bytes, fibers));
    if (local_bytes > w->local_room || w->local == NULL) {
        uint64_t room = local_bytes < 4096 ? 4096 : local_bytes;

        close_local(w);
        HD_TAKE(w->local_block, hd_alloc((size_t)room + HD_RT_MOST_ALIGN + LOCAL_START));
        w->local_room = room;
    }
    w->local = (unsigned char *)(((uintptr_t)w->local_block + HD_RT_MOST_ALIGN - 1) &
                                 ~(uintptr_t)(HD_RT_MOST_ALIGN - 1)) +
               (local_align <= LOCAL_START ? LOCAL_START : 0);
    w->local_bytes = local_bytes;
    return HD_OK;
}

HdStatus hd_rt_worker_context(HdRtWorker *w, uint64_t context_bytes, uint32_t align,
                              uint32_t subgroups)
{
    uint64_t bytes = context_bytes * subgroups, room = bytes + (uint64_t)subgroups * 4;

    if (context_bytes > MAX_PRIVATE)
        return HD_NO_MEMORY;
    if (room > w->context_room || w->context == NULL) {
        close_context(w);
        HD_TAKE(w->context_block, hd_alloc((size_t)room + HD_RT_MOST_ALIGN));
        w->context_room = room;
    }
    w->context =
        (unsigned char *)(((uintptr_t)w->context_block + align - 1) & ~(uintptr_t)(align - 1));
    w->states = (uint32_t *)(void *)(w->context + bytes);
    return HD_OK;
}

HdStatus hd_rt_worker_prepare_more(HdRtWorker *w, uint32_t items, uint64_t array_bytes,
                                   uint32_t named, uint32_t fibers)
{
    if (items > 0)
        HD_TRY(hd_rt_arrays_share(&w->arrays, array_bytes, items));
    return named > 0 ? hd_rt_named_open(&w->named, named, fibers) : HD_OK;
}

HD_NO_RETURN_TRACE static void run_work(void *arg)
{
    HdRtWorker *w = arg;

    w->work(w->work_arg);
    hd_rt_fiber_finish(&w->stacks.fibers[0], &w->home);
}

HD_NO_RETURN_TRACE static void run_one(void *arg)
{
    HdRtWorker *w = arg;
    uint32_t self = w->group->current, to;

    w->fn(w->group, self, 1);
    w->subgroups[self].is_done = true;
    w->alive--;
    if (w->alive == 0)
        hd_rt_fiber_finish(&w->stacks.fibers[self], &w->home);
    to = hd_rt_next(w, self);
    w->group->current = to;
    hd_rt_fiber_finish(&w->stacks.fibers[self], &w->stacks.fibers[to]);
}

bool hd_rt_worker_call(HdRtWorker *w, HdRtWork *fn, void *arg)
{
    w->waits_at = NULL;
    w->work = fn;
    w->work_arg = arg;
    memset(&w->home, 0, sizeof w->home);
    hd_rt_fiber_begin_at(&w->stacks.fibers[0], 0, run_work, w);
    hd_rt_fiber_switch(&w->home, &w->stacks.fibers[0]);
    return w->waits_at == NULL;
}

static void enter_group(HdRtWorker *w, HdRtGroup *g, uint32_t alive)
{
    g->local = w->local;
    g->context = w->context;
    g->barrier = hd_rt_barrier;
    g->yield = hd_rt_yield;
    g->patience = FIRST_PATIENCE;
    g->alone = 0;
    g->named_make = hd_rt_named_make;
    g->named_wait = hd_rt_named_wait;
    g->image = hd_rt_image_fn();
    g->sums = &w->sums;
    g->arrays = w->arrays.at;
    g->array_room = w->arrays.room;
    g->array_soft = w->arrays.soft;
    g->worker = w;
    g->current = 0;
    w->takes_turns = false;
    w->turns = 0;
    w->waits_at = NULL;
    w->group = g;
    w->alive = alive;
}

static void clear_local(HdRtWorker *w)
{
    if (w->zeroes_local)
        memset(w->local, 0, (size_t)w->local_bytes);
}

/* ---- regions --------------------------------------------------------------------------------- */

/* One sub-group alone: to its next barrier or its end. */
static void step(HdRtWorker *w, HdRtGroup *g, HdKernelFn *fn, uint32_t i)
{
    do {
        g->state = w->states[i] & ~HD_RT_CUT;
        fn(g, i, 1);
        w->states[i] = g->state;
    } while (g->state != HD_RT_END && (g->state & HD_RT_CUT) != 0);
}

/* Diverged sub-groups continue independently, from barrier to barrier; a barrier opens when all
 * that have not ended wait at one. True when they are at the same one again: at g->state. */
static bool run_apart(HdRtWorker *w, HdRtGroup *g, HdKernelFn *fn)
{
    uint32_t n = g->subgroups, parted = g->parted;
    bool same;

    for (uint32_t i = 0; i < n; i++)
        w->states[i] = i < parted ? g->state : i == parted ? g->parted_to : g->parted_from;
    for (uint32_t i = 0; i < n; i++)
        if (w->states[i] != HD_RT_END && (i > parted || (w->states[i] & HD_RT_CUT) != 0))
            step(w, g, fn, i);
    do {
        same = true;
        for (uint32_t i = 0; i < n; i++)
            same = same && w->states[i] == w->states[0];
        if (same)
            break;
        for (uint32_t i = 0; i < n; i++)
            if (w->states[i] != HD_RT_END)
                step(w, g, fn, i);
    } while (true);
    g->state = w->states[0];
    return g->state != HD_RT_END;
}

/* Run all sub-groups; functions of regions stop where these part. */
static void run_together(HdRtWorker *w, HdRtGroup *g, HdKernelFn *fn)
{
    g->state = 0;
    do {
        g->parted = 0;
        fn(g, 0, g->subgroups);
    } while (g->parted != 0 && run_apart(w, g, fn));
}

/* ---- turns -----------------------------------------------------------------------------------
 *
 * One call runs all sub-groups of the group, as without YIELDs. When one of them has waited for
 * long, or they part at a barrier, each has a state from then on, and calls run neighbours that are
 * at the same one. */

enum { NONE = UINT32_MAX };

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* They are where the group begins. */
static void tell_apart(HdRtWorker *w)
{
    for (uint32_t i = 0; i < w->group->subgroups; i++)
        w->subgroups[i] = (HdRtSubgroup){0};
    w->are_apart = true;
    w->has_cut = false;
    w->fresh = 0;
}

/* Sub-groups from `first` on, before `end`, have run, and go on at a state. */
static void arrive(HdRtWorker *w, uint32_t first, uint32_t end, uint32_t state)
{
    bool is_done = !w->has_regions || state == HD_RT_END, waits = (state & HD_RT_CUT) == 0;

    for (uint32_t i = first; i < end; i++) {
        HdRtSubgroup *s = &w->subgroups[i];

        s->state = state & ~HD_RT_CUT;
        s->is_done = is_done;
        s->is_here = waits;
    }
    if (is_done)
        w->alive -= end - first;
    else if (!waits)
        w->has_cut = true;
}

/* They have yet to run. */
static void leave(HdRtWorker *w, uint32_t first, uint32_t end, uint32_t state)
{
    for (uint32_t i = first; i < end; i++)
        w->subgroups[i].state = state;
    w->fresh = least(w->fresh, first);
}

static bool may_run(const HdRtSubgroup *s)
{
    return !s->is_done && !s->is_here && !s->is_suspended;
}

/* Those at cuts have a turn again. */
static bool restart(HdRtWorker *w)
{
    bool had_cut = w->has_cut;

    if (had_cut)
        w->fresh = 0;
    w->has_cut = false;
    return had_cut;
}

/* The first sub-group that has not run since the last barrier, nor in this round of turns. */
static uint32_t find_fresh(HdRtWorker *w)
{
    while (w->fresh < w->group->subgroups && !may_run(&w->subgroups[w->fresh]))
        w->fresh++;
    return w->fresh < w->group->subgroups ? w->fresh : NONE;
}

/* The next one after `from`, in turn, that keeps a stack. */
static uint32_t next_suspended(const HdRtWorker *w, uint32_t from)
{
    uint32_t n = w->group->subgroups;

    for (uint32_t k = 1; k <= n; k++)
        if (w->subgroups[(from + k) % n].is_suspended)
            return (from + k) % n;
    return NONE;
}

/* A stack that no sub-group keeps. */
static uint32_t take_stack(HdRtWorker *w)
{
    return w->free_stacks > 0 ? w->subgroups[--w->free_stacks].free_stack : w->used_stacks++;
}

/* Call the function for sub-groups at one state; `suspend` sees to those that it does not get to.
 * True if all of the group have come to its end together. */
static bool run_some(HdRtWorker *w, uint32_t first, uint32_t end, uint32_t state)
{
    HdRtGroup *g = w->group;
    bool all = end - first == g->subgroups;

    g->state = state;
    g->parted = 0;
    g->alone = 0;
    w->first = first;
    w->end = end;
    w->fn(g, first, end - first);
    if ((g->state & HD_RT_CUT) == 0 || g->state == HD_RT_END)
        w->turns = 0; /* a loop that waits may go through a cut */
    if (g->alone != 0) {
        arrive(w, g->current, g->current + 1, g->state);
        return false;
    }
    if (g->parted == 0 && all)
        return true;
    if (!w->are_apart)
        tell_apart(w);
    if (g->parted == 0) {
        arrive(w, first, end, g->state);
        return false;
    }
    w->fresh = least(w->fresh, end);
    arrive(w, first, g->parted, g->state);
    arrive(w, g->parted, g->parted + 1, g->parted_to);
    leave(w, g->parted + 1, end, g->parted_from);
    return false;
}

/* Those at the same state from `first` on. */
static void run_fresh(HdRtWorker *w, uint32_t first)
{
    uint32_t end = first + 1, state = w->subgroups[first].state;

    while (end < w->group->subgroups && may_run(&w->subgroups[end]) &&
           w->subgroups[end].state == state)
        end++;
    w->fresh = end;
    if (run_some(w, first, end, state))
        w->alive = 0;
}

static void open_barrier(HdRtWorker *w)
{
    for (uint32_t i = 0; i < w->group->subgroups; i++)
        w->subgroups[i].is_here = false;
    w->fresh = 0;
}

/* What every stack does once sub-groups are apart: run those whose turn it is, then give way to
 * those that keep stacks. The last one opens the barrier. */
HD_NO_RETURN_TRACE static void run_turns(void *arg)
{
    HdRtWorker *w = arg;
    HdFiber *self = &w->stacks.fibers[w->stack];
    bool has_more;
    uint32_t i;

    while (w->alive > 0) {
        i = find_fresh(w);
        if (i != NONE) {
            run_fresh(w, i);
            continue;
        }
        i = next_suspended(w, w->group->current);
        has_more = restart(w);
        if (i != NONE) {
            w->subgroups[w->free_stacks++].free_stack = w->stack;
            hd_rt_fiber_finish(self, &w->stacks.fibers[w->subgroups[i].stack]);
        }
        if (has_more)
            hd_rt_turn(w, self);
        else
            open_barrier(w);
    }
    hd_rt_fiber_finish(self, &w->home);
}

HD_NO_RETURN_TRACE static void run_first(void *arg)
{
    HdRtWorker *w = arg;

    if (run_some(w, 0, w->group->subgroups, 0))
        w->alive = 0;
    run_turns(w);
}

/* HdRtGroup.yield */
static void suspend(HdRtGroup *g, uint32_t self)
{
    HdRtWorker *w = g->worker;
    uint32_t stack = w->stack, to;
    HdRtSubgroup *s = &w->subgroups[self];

    hd_rt_turn(w, &w->stacks.fibers[stack]);
    g->patience = HD_RT_PATIENCE;
    if (!w->are_apart)
        tell_apart(w);
    if (g->alone == 0) {
        arrive(w, w->first, self, g->way);
        leave(w, self + 1, w->end, w->has_regions ? g->region : 0);
    }
    s->stack = stack;
    s->is_suspended = true;
    g->current = self;
    if (find_fresh(w) != NONE) {
        w->stack = take_stack(w);
        hd_rt_fiber_begin_at(&w->stacks.fibers[w->stack], COLOUR_OF(w->stack), run_turns, w);
        hd_rt_fiber_switch(&w->stacks.fibers[stack], &w->stacks.fibers[w->stack]);
    } else {
        to = next_suspended(w, self);
        if (to != self)
            hd_rt_fiber_switch(&w->stacks.fibers[stack], &w->stacks.fibers[w->subgroups[to].stack]);
    }
    s->is_suspended = false;
    w->stack = stack;
    g->current = self;
    g->alone = 1;
}

bool hd_rt_group_take_turns(HdRtWorker *w, HdRtGroup *g, HdKernelFn *fn, bool has_regions)
{
    enter_group(w, g, g->subgroups);
    clear_local(w);
    g->yield = suspend;
    w->fn = fn;
    w->takes_turns = true;
    w->has_regions = has_regions;
    w->are_apart = false;
    w->stack = w->free_stacks = 0;
    w->used_stacks = 1;
    memset(&w->home, 0, sizeof w->home);
    hd_rt_fiber_begin_at(&w->stacks.fibers[0], COLOUR_OF(0), run_first, w);
    hd_rt_fiber_switch(&w->home, &w->stacks.fibers[0]);
    return w->waits_at == NULL;
}

void hd_rt_group_enter(HdRtWorker *w, HdRtGroup *g)
{
    enter_group(w, g, 1);
}

void hd_rt_group_call(HdRtWorker *w, HdRtGroup *g, HdKernelFn *fn)
{
    clear_local(w);
    run_together(w, g, fn);
}

static void call_group(void *arg)
{
    HdRtWorker *w = arg;

    run_together(w, w->group, w->fn);
}

bool hd_rt_group_run(HdRtWorker *w, HdRtGroup *g, HdKernelFn *fn, bool needs_fibers)
{
    uint32_t fibers = needs_fibers ? g->subgroups : 1;

    enter_group(w, g, fibers);
    clear_local(w);
    w->fn = fn;
    hd_rt_named_clear(&w->named);
    if (fibers == 1)
        return hd_rt_worker_call(w, call_group, w);

    w->phase = 0;
    w->waiting = 0;
    memset(&w->home, 0, sizeof w->home);
    for (uint32_t i = 0; i < fibers; i++) {
        w->subgroups[i] = (HdRtSubgroup){0};
        hd_rt_fiber_begin_at(&w->stacks.fibers[i], COLOUR_OF(i), run_one, w);
    }
    hd_rt_fiber_switch(&w->home, &w->stacks.fibers[0]);
    return w->waits_at == NULL;
}

bool hd_rt_group_continue(HdRtWorker *w)
{
    HdFiber *to = w->waits_at;

    w->turns = 0;
    w->waits_at = NULL;
    hd_rt_fiber_switch(&w->home, to);
    return w->waits_at == NULL;
}

/* Of a stack that has been used: what the kernel keeps there, and a page of the runtime's. */
uint64_t hd_rt_group_bytes(const HdRtWorker *w)
{
    uint64_t page = 4096, stacks = w->takes_turns ? w->used_stacks : w->stacks.count;
    uint64_t kept = w->stacks.stack_bytes > MARGIN ? w->stacks.stack_bytes - MARGIN : 0;

    return sizeof *w + w->local_room + w->context_room + stacks * (kept + page);
}

static bool is_local(const HdRtWorker *w, uint64_t address)
{
    uint64_t start = (uint64_t)(uintptr_t)w->local;

    return address >= start && address - start < w->local_bytes;
}

static bool is_private(const HdRtWorker *w, uint64_t address)
{
    uint64_t start = (uint64_t)(uintptr_t)w->stacks.at;

    return (address >= start && address - start < w->stacks.bytes) ||
           address - (uint64_t)(uintptr_t)w->context < w->context_room ||
           hd_rt_arrays_hold(&w->arrays, address);
}

uint64_t hd_rt_to_global(HdRtGroup *g, const uint64_t *operands)
{
    return is_local(g->worker, operands[0]) || is_private(g->worker, operands[0]) ? 0 : operands[0];
}

uint64_t hd_rt_to_local(HdRtGroup *g, const uint64_t *operands)
{
    return is_local(g->worker, operands[0]) ? operands[0] : 0;
}

uint64_t hd_rt_to_private(HdRtGroup *g, const uint64_t *operands)
{
    return is_private(g->worker, operands[0]) ? operands[0] : 0;
}

uint64_t hd_rt_array_room(HdRtGroup *g, const uint64_t *operands)
{
    HdRtWorker *w = g->worker;
    uint64_t used = operands[1] - operands[0], count = operands[2], size = operands[3];
    uint64_t left = used < g->array_room ? g->array_room - used : 0;

    if (count > left / size)
        hd_rt_fail(g, HD_NO_MEMORY, "launch.array",
                   "a variable-length array of %llu elements of %llu bytes does not fit: a "
                   "work-item has %llu bytes for them, and %llu are left",
                   (unsigned long long)count, (unsigned long long)size,
                   (unsigned long long)g->array_room, (unsigned long long)left);
    w->arrays.is_large = true;
    return 0;
}
