/* launch/ndrange.c -- the groups of one NDRange over the threads.
 *
 * The caller works itself. Other threads are woken only if that pays: a launch whose groups are
 * known (from earlier launches of the same code) to be cheaper than waking a thread runs on the
 * caller alone, and offers the rest if it turns out to take longer.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/ndrange.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/round.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "base/float_env.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/trace.h"
#include "launch/args.h"
#include "launch/pool_state.h"
#include "launch/steal.h"
#include "launch/waiting.h"
#include "rt/private_atomics.h"

#define WAKE_PAYS_NS 15000u /* of work left; below, a woken thread comes too late */
#define COME_NS      4000u  /* that a thread which has enqueued a launch takes to wait for it */
/* Groups taken at a time at most, so that progress can be seen. */
#define MAX_CHUNK  4096u
#define BLOCK_ROOM 1024u /* argument blocks up to this are copied to the stack */
/* Stacks of all waiting groups of a launch at most, those of its threads apart: with the page
 * between them they are half of what Linux lets a process map by default. */
#define WAITING_STACKS 16384u
/* While groups wait and none ends for so long, as many again begin; interpreted ones at once, so
 * that the order of things does not depend on time. */
#define WAITING_NS 1000000u
/* Of a group that is interpreted. */
#define INTERPRETER_STACK (1u << 20)

typedef struct Run {
    HdWorkSlot offer; /* first: the pool hands it back */
    HdPool *pool;
    const HdNdrange *n;
    const HdNdrangePlan *plan;
    HdRtGroup base; /* the plan's, with this launch's arguments */
    uint64_t local_bytes;
    HdSteal shares;
    unsigned pieces; /* threads that take from one share */
    uint64_t rounds; /* of each group that are distributed one by one; 1: a group executes all of
                      * its own */
    uint64_t total;  /* groups, or their iterations */
    bool may_wait;   /* groups for each other. A single one waits for what the host stores, where it
                      * is */
    HdWaitingHow waiting;
    _Atomic bool is_stopped, is_printed, has_no_room;
    pthread_mutex_t lock; /* status and d */
    HdStatus status;
    HdDiags *d;
} Run;

uint64_t hd_ndrange_local_bytes(const HdKernelInfo *k, const HdArgs *a, unsigned char *block)
{
    uint64_t at = k->local_bytes;

    for (uint32_t i = 0; i < k->arg_count; i++) {
        const HdArgInfo *arg = &k->args[i];
        uint64_t align = arg->pointee_align > 0 ? arg->pointee_align : 1, offset;

        if (arg->kind != HD_ARG_LOCAL)
            continue;
        offset = hd_round_up(at, align);
        if (offset < at || a->local_sizes[i] > UINT64_MAX / 4 - offset)
            return UINT64_MAX;
        at = offset + a->local_sizes[i];
        if (block != NULL)
            memcpy(block + arg->offset, &offset, sizeof offset);
    }
    return at;
}

/* ---- what earlier launches took ------------------------------------------------------------ */

/* A slot: upper half of a hash of the code, nanoseconds per group (at most 2^32 - 1). A guess
 * that belongs to other code by accident costs time only.
 *
 * An iteration of a group takes less than all of them. */
static uint64_t cost_key_of(const Run *r)
{
    return r->rounds == 1 ? r->plan->cost_key : hd_hash_u64(r->plan->cost_key);
}

/* Nanoseconds for the whole launch, UINT64_MAX when unknown. */
static uint64_t guess_cost(const Run *r)
{
    uint64_t key = cost_key_of(r);
    uint64_t slot =
        atomic_load_explicit(&r->pool->costs[key % HD_POOL_COSTS], memory_order_relaxed);

    if (slot >> 32 != key >> 32 || r->total > UINT32_MAX)
        return UINT64_MAX;
    return (slot & UINT32_MAX) * r->total;
}

static void note_cost(const Run *r, uint64_t ns, uint64_t groups)
{
    uint64_t key = cost_key_of(r), each = ns / groups;

    atomic_store_explicit(&r->pool->costs[key % HD_POOL_COSTS],
                          key >> 32 << 32 | (each < UINT32_MAX ? each : UINT32_MAX),
                          memory_order_relaxed);
}

/* ---- groups -------------------------------------------------------------------------------- */

void hd_ndrange_print(const HdRtGroup *g, const char *text, size_t len)
{
    HdRtWorker *w = g->worker;

    pthread_mutex_lock(w->print_lock);
    w->print(w->print_user, text, len);
    pthread_mutex_unlock(w->print_lock);
}

static void print_default(void *user, const char *text, size_t len)
{
    Run *r = user;

    atomic_store_explicit(&r->is_printed, true, memory_order_relaxed);
    if (r->n->launch->sink != NULL)
        r->n->launch->sink(r->n->launch->sink_user, text, len);
    else
        fwrite(text, 1, len, stdout);
}

static void fail(Run *r, HdStatus st, const HdDiags *from)
{
    pthread_mutex_lock(&r->lock);
    if (r->status == HD_OK) {
        r->status = st;
        if (from != NULL)
            hd_diags_append(r->d, from);
    }
    pthread_mutex_unlock(&r->lock);
    atomic_store_explicit(&r->is_stopped, true, memory_order_relaxed);
}

static inline bool is_over(const Run *r)
{
    return atomic_load_explicit(&r->is_stopped, memory_order_relaxed) ||
           hd_is_cancelled(r->n->launch->cancel);
}

/* The share that the calling thread starts with. Processors are numbered as they are first seen, so
 * that those which this process may use get different shares. */
static unsigned claim(Run *r)
{
    int cpu = r->shares.count > 1 ? sched_getcpu() : -1;
    _Atomic uint16_t *number;
    uint16_t none = 0;

    if (cpu < 0)
        return hd_steal_claim(&r->shares, 0);
    number = &r->pool->processors[(unsigned)cpu % HD_POOL_PROCESSORS];
    if (atomic_load_explicit(number, memory_order_relaxed) == 0)
        atomic_compare_exchange_strong(
            number, &none, (uint16_t)(atomic_fetch_add(&r->pool->processors_seen, 1) + 1));
    return hd_steal_claim(&r->shares, atomic_load_explicit(number, memory_order_relaxed) - 1u);
}

/* Take some of the groups that are left: fewer towards the end, so that threads end together, and
 * never so many that progress could not be seen. */
static uint64_t take(Run *r, unsigned mine, unsigned pieces, uint64_t most, uint64_t *first)
{
    uint64_t count =
        hd_steal_take(&r->shares, mine, pieces, most < MAX_CHUNK ? most : MAX_CHUNK, first);

    if (r->n->launch->progress != NULL)
        atomic_fetch_add_explicit(&r->n->launch->progress->taken, count, memory_order_relaxed);
    return count;
}

/* Fill in a group's sizes; returns its shape. */
static inline unsigned set_group(const Run *r, HdRtGroup *g)
{
    uint64_t items = 1;
    unsigned shape = 0;

    if (r->plan->is_even)
        return 0;
    for (int i = 0; i < 3; i++) {
        bool is_last = g->group_id[i] + 1 == g->num_groups[i];

        g->local_size[i] = is_last ? r->plan->last[i] : r->plan->whole[i];
        shape |= (unsigned)(g->local_size[i] != r->plan->whole[i]) << i;
        items *= g->local_size[i];
    }
    g->items = (uint32_t)items;
    g->subgroups = r->plan->subgroups[shape];
    return shape;
}

static void step_group(HdRtGroup *g)
{
    for (int i = 0; i < 3; i++) {
        if (++g->group_id[i] < g->num_groups[i])
            return;
        g->group_id[i] = 0;
    }
    g->round_start += g->global_size[0]; /* after the last group its next iteration, if there is
                                          * one */
}

/* What a thread of the launch has. */
typedef struct Member {
    HdRtWorker *worker;
    HdRtGroup group;   /* the one that runs */
    HdTraceSpan span;  /* that is open: ended where the thread takes no more */
    HdWaiting waiting; /* if groups may wait for others; else it is not filled in */
} Member;

/* Some neighbouring groups, for one thread. */
typedef struct Chunk {
    Run *run;
    Member *member;
    uint64_t first, count;
} Chunk;

static void begin_chunk(const Chunk *c)
{
    uint64_t total = c->run->plan->total, first = c->first;
    HdRtGroup *g = &c->member->group;

    g->round_start = 0;
    if (c->run->rounds != 1) {
        g->round_start = first / total * g->global_size[0];
        first %= total;
    }
    g->group_id[0] = first % g->num_groups[0];
    g->group_id[1] = first / g->num_groups[0] % g->num_groups[1];
    g->group_id[2] = first / g->num_groups[0] / g->num_groups[1];
}

/* The kernel has ended itself. */
static void tell_failure(Run *r, HdRtWorker *w)
{
    HdDiags d;

    hd_diags_init(&d);
    hd_fail(&d, w->failure.status, HD_NO_PLACE, w->failure.rule, "%s '%s': %s",
            hd_kernel_kind(r->n->launch->kernel), r->n->launch->kernel->name, w->failure.why);
    fail(r, w->failure.status, &d);
    hd_diags_drop(&d);
    w->failure.status = HD_OK;
}

static void run_other(Run *r, const HdRtGroup *g)
{
    HdDiags d;
    HdStatus st;

    hd_diags_init(&d);
    st = r->n->group(r->n->user, g, &d);
    if (st != HD_OK)
        fail(r, st, &d);
    hd_diags_drop(&d);
}

static void run_others(const Chunk *c)
{
    HdRtGroup *g = &c->member->group;

    g->worker = c->member->worker;
    for (uint64_t i = 0; i < c->count && !is_over(c->run); i++, step_group(g)) {
        set_group(c->run, g);
        run_other(c->run, g);
    }
}

/* One group on stacks; false: it waits for another one. */
static bool run_on_stacks(const Run *r, HdRtWorker *w, HdRtGroup *g)
{
    const HdKernelCode *code = r->plan->code[set_group(r, g)];

    if (code->facts.takes_turns)
        return hd_rt_group_take_turns(w, g, code->fn, code->facts.context_bytes != 0);
    return hd_rt_group_run(w, g, code->fn, code->facts.needs_fibers);
}

static void run_with_fibers(const Chunk *c)
{
    Member *m = c->member;

    for (uint64_t i = 0; i < c->count && !is_over(c->run); i++, step_group(&m->group)) {
        run_on_stacks(c->run, m->worker, &m->group);
        if (m->worker->failure.status != HD_OK)
            return;
    }
}

/* An interpreted group on a stack of the worker's, which keeps what this one is told. */
typedef struct Other {
    Run *run;
    HdRtGroup *group;
} Other;

static void run_other_on_stack(void *arg)
{
    const Other o = *(const Other *)arg;

    run_other(o.run, o.group);
}

/* HdWaitingHow.run */
static bool run_waiting(void *user, HdRtWorker *w, HdRtGroup *g)
{
    Run *r = user;
    Other o = {.run = r, .group = g};

    if (r->n->group == NULL)
        return run_on_stacks(r, w, g);
    set_group(r, g);
    g->worker = w;
    return hd_rt_worker_call(w, run_other_on_stack, &o);
}

bool hd_ndrange_wait(const HdRtGroup *g)
{
    HdRtWorker *w = g->worker;
    const Run *r = w->print_user; /* make_ready */

    hd_rt_leave(w, &w->stacks.fibers[0]);
    return !is_over(r);
}

/* Groups that may wait: those that do take turns with those that begin. */
static void run_in_turns(const Chunk *c)
{
    HdWaiting *waiting = &c->member->waiting;
    uint64_t begun = 0;

    while (begun < c->count && !is_over(c->run)) {
        if (!hd_waiting_may_begin(waiting)) {
            hd_waiting_turns(waiting);
        } else {
            hd_waiting_begin(waiting, &c->member->group);
            step_group(&c->member->group);
            begun++;
        }
        if (waiting->failed != NULL)
            tell_failure(c->run, waiting->failed);
    }
}

/* All on one stack of ours: going there and back takes as long as a small group. */
static void run_plain(void *arg)
{
    const Chunk *c = arg;
    HdRtWorker *w = c->member->worker;
    HdRtGroup *g = &c->member->group;

    hd_rt_group_enter(w, g);
    for (uint64_t i = 0; i < c->count && !is_over(c->run); i++, step_group(g)) {
        const HdKernelCode *code = c->run->plan->code[set_group(c->run, g)];

        hd_rt_group_call(w, g, code->fn);
    }
}

/* Non-temporal stores are visible to other threads when these learn that the launch has ended. */
static void drain(void)
{
#if defined(__x86_64__)
    __builtin_ia32_sfence();
#endif
}

/* What a thread takes is a span of a trace. What it takes in less time than this goes on with the
 * last one: a span for each would take as long as small groups do. */
#define SPAN_US 100u

static void begin_span(HdTraceSpan *s, const Run *r, uint64_t first, uint64_t count)
{
    if (s->start != 0) {
        s->number[1] += count;
        return;
    }
    *s = hd_trace_begin("groups", "work-groups");
    hd_trace_text(s, "kernel", r->n->launch->kernel->name);
    hd_trace_number(s, 0, "first", first);
    hd_trace_number(s, 1, "count", count);
}

static void close_span(HdTraceSpan *s)
{
    hd_trace_end(s);
    s->start = 0;
}

static void end_span(HdTraceSpan *s)
{
    if (hd_trace_has_lasted(s, SPAN_US))
        close_span(s);
}

static HdFloatEnv env_of(const Run *r)
{
    return r->n->launch->kernel->flushes ? HD_FLOAT_FLUSH : HD_FLOAT_DEFAULT;
}

static void run_groups(Run *r, Member *m, uint64_t first, uint64_t count)
{
    Chunk c = {.run = r, .member = m, .first = r->n->first + first, .count = count};
    const HdFloatEnv env = env_of(r), before = hd_float_env_enter(env);

    if (hd_trace_is_on())
        begin_span(&m->span, r, c.first, count);
    begin_chunk(&c);
    if (r->may_wait)
        run_in_turns(&c);
    else if (r->n->group != NULL)
        run_others(&c);
    else if (r->plan->needs_fibers)
        run_with_fibers(&c);
    else
        hd_rt_worker_call(m->worker, run_plain, &c);
    hd_float_env_leave(env, before);
    hd_rt_private_atomics_flush_few(&m->worker->sums);
    if (m->group.streams != 0)
        drain();
    if (m->worker->failure.status != HD_OK)
        tell_failure(r, m->worker);
    end_span(&m->span);
}

static HdStatus prepare(const Run *r, HdRtWorker *w)
{
    const HdNdrangePlan *p = r->plan;

    if (r->n->group != NULL)
        return r->may_wait ? hd_rt_worker_prepare(w, INTERPRETER_STACK, 1, 0, 1) : HD_OK;
    HD_TRY(hd_rt_worker_prepare(w, p->private_bytes, p->fibers, r->local_bytes,
                                r->n->launch->kernel->local_align));
    if (p->context_bytes != 0)
        HD_TRY(hd_rt_worker_context(w, p->context_bytes, p->context_align,
                                    r->base.enqueued_subgroups));
    w->zeroes_local =
        (r->n->launch->zeroes & HD_ZEROES_LOCAL) != 0 || r->n->launch->kernel->zeroes_local;
    if (p->has_arrays && (r->n->launch->zeroes & HD_ZEROES_ARRAYS) != 0)
        hd_rt_arrays_clear(&w->arrays);
    return hd_rt_worker_prepare_more(w, p->has_arrays ? r->base.items : 0,
                                     p->has_arrays ? hd_pool_array_bytes(r->pool) : 0, p->named,
                                     p->fibers);
}

/* Work-items that each thread runs, about; of large launches fewer. */
static uint64_t items_of_thread(const Run *r)
{
    uint64_t groups = r->total < UINT32_MAX ? r->total : UINT32_MAX;

    return groups * r->base.items / hd_pool_threads(r->pool);
}

/* False: there is no memory. */
static bool make_ready(Run *r, HdRtWorker *w)
{
    if (prepare(r, w) != HD_OK)
        return false;
    hd_rt_private_atomics_open(&w->sums, items_of_thread(r), r->n->guess_ns);
    w->most_turns = 0;
    w->print = print_default;
    w->print_user = r;
    w->print_lock = &r->pool->print_lock;
    return true;
}

static HdRtWorker *take_worker(Run *r, HdRtWorker **own)
{
    HdRtWorker *w = hd_pool_take_worker(r->pool, own);

    if (w == NULL || make_ready(r, w))
        return w;
    hd_pool_return_worker(r->pool, w, own);
    return NULL;
}

/* One more for a thread. */
static HdRtWorker *make_worker(void *user)
{
    HdRtWorker *w = hd_alloc_zero(sizeof *w);

    if (w == NULL || make_ready(user, w))
        return w;
    hd_rt_worker_close(w);
    hd_free(w);
    return NULL;
}

/* What it has kept of additions goes to memory. */
static void give_worker(Run *r, HdRtWorker *w, HdRtWorker **own)
{
    hd_rt_private_atomics_flush(&w->sums);
    hd_pool_return_worker(r->pool, w, own);
}

static void open_member(Run *r, Member *m, HdRtWorker *w)
{
    m->worker = w;
    m->group = r->base;
    m->span.start = 0;
    if (r->may_wait)
        hd_waiting_open(&m->waiting, w, &r->waiting);
}

/* The groups that wait go on until they end. */
static void end_waiting(Run *r, HdWaiting *waiting)
{
    const HdFloatEnv env = env_of(r), before = hd_float_env_enter(env);

    while (waiting->count != 0 && !is_over(r)) {
        hd_waiting_turns(waiting);
        if (waiting->failed != NULL)
            tell_failure(r, waiting->failed);
    }
    if (r->n->group != NULL) /* interpreted ones have memory of their own */
        hd_waiting_turns(waiting);
    hd_waiting_close(waiting);
    hd_float_env_leave(env, before);
}

/* No group is left for it to begin. */
static inline void close_member(Run *r, Member *m)
{
    if (r->may_wait)
        end_waiting(r, &m->waiting);
    close_span(&m->span);
}

/* Pieces that a share is taken in: what another thread may still take when its own is done. */
#define PIECES 4u
/* The same where one thread is to run the launch: it looks at the clock between them. */
#define ALONE_PIECES 8u

static void help(HdWorkSlot *o, HdRtWorker **own)
{
    Run *r = (Run *)o;
    HdRtWorker *w = take_worker(r, own);
    uint64_t first, count;
    unsigned mine;
    Member m;

    if (w == NULL) { /* the caller continues alone */
        atomic_store_explicit(&r->has_no_room, true, memory_order_relaxed);
        return;
    }
    open_member(r, &m, w);
    mine = claim(r);
    while (!is_over(r) && (count = take(r, mine, PIECES * r->pieces, MAX_CHUNK, &first)) > 0)
        run_groups(r, &m, first, count);
    close_member(r, &m);
    give_worker(r, w, own);
}

static bool has_more(const HdWorkSlot *o)
{
    const Run *r = (const Run *)o;

    return hd_steal_has_more(&r->shares) && !is_over(r) &&
           !atomic_load_explicit(&r->has_no_room, memory_order_relaxed);
}

/* Threads that there is a group for. */
static unsigned threads_for(const Run *r)
{
    unsigned threads = hd_pool_threads(r->pool);

    return r->total < threads ? (unsigned)r->total : threads;
}

static void run_all(Run *r, HdRtWorker *w)
{
    unsigned threads = threads_for(r), mine;
    bool may_offer = threads > 1, is_offered, is_deferred;
    uint64_t guess = may_offer ? guess_cost(r) : 0, start = 0, done = 0, first, count;
    uint64_t alone_ns = r->n->alone_ns != 0 ? r->n->alone_ns : WAKE_PAYS_NS;
    /* Alone there is nothing to share, but half is left to offer if the guess was wrong. */
    unsigned pieces = !may_offer ? 1 : r->n->alone_ns != 0 ? ALONE_PIECES : 2;
    Member m;

    open_member(r, &m, w);
    is_offered = may_offer && r->n->alone_ns == 0 && guess > WAKE_PAYS_NS;
    /* Who waits for it may be here before a worker has woken up, and in one's way. */
    is_deferred = is_offered && guess != UINT64_MAX && r->n->launch->is_ahead;
    r->offer.max_helpers = threads - 1;
    r->offer.worth_waking =
        guess / WAKE_PAYS_NS < threads - 1 ? (unsigned)(guess / WAKE_PAYS_NS) : threads - 1;
    /* What one thread will do alone is not dealt out. */
    hd_steal_open(&r->shares, r->total, is_offered ? threads : 1);
    r->pieces = is_offered && threads <= HD_STEAL_MOST ? 1 : threads;
    if (r->total == 1) {
        if (!is_over(r) && take(r, 0, 1, 1, &first) == 1)
            run_groups(r, &m, first, 1);
        close_member(r, &m);
        return;
    }
    mine = claim(r);
    if (is_deferred)
        hd_pool_offer_awake(r->pool, &r->offer);
    else if (is_offered)
        hd_pool_offer(r->pool, &r->offer);
    if (may_offer)
        start = hd_clock_ns();
    while (!is_over(r) &&
           (count = take(r, mine, is_offered ? PIECES * r->pieces : pieces,
                         is_deferred ? COME_NS * r->total / guess + 1 : MAX_CHUNK, &first)) > 0) {
        run_groups(r, &m, first, count);
        done += count;
        if (is_deferred) {
            is_deferred = false;
            hd_pool_call(r->pool, &r->offer);
        }
        if (may_offer && !is_offered && has_more(&r->offer) && hd_clock_ns() - start > alone_ns) {
            is_offered = true;
            r->offer.worth_waking = threads - 1;
            hd_pool_offer(r->pool, &r->offer);
        }
    }
    hd_rt_private_atomics_flush(&w->sums); /* while others still run */
    close_member(r, &m);
    if (may_offer && done > 0)
        note_cost(r, hd_clock_ns() - start, done);
    if (is_offered)
        hd_pool_withdraw(r->pool, &r->offer);
}

/* ---- set-up -------------------------------------------------------------------------------- */

static HdWaitingHow how_to_wait(Run *r)
{
    return (HdWaitingHow){.most_bytes = hd_pool_array_bytes(r->pool),
                          .most_stacks = WAITING_STACKS / hd_pool_threads(r->pool),
                          .patience_ns = r->n->group == NULL ? WAITING_NS : 0,
                          .make = make_worker,
                          .run = run_waiting,
                          .user = r};
}

static HdStatus start(Run *r, HdDiags *d)
{
    HdRtWorker *w;

    if (r->may_wait)
        r->waiting = how_to_wait(r);
    w = take_worker(r, NULL);
    if (w == NULL)
        return hd_fail(d, HD_NO_MEMORY, HD_NO_PLACE, "launch.memory",
                       "no memory for a work-group: %llu bytes of local memory, %u stacks of %llu "
                       "bytes",
                       (unsigned long long)r->local_bytes, (unsigned)r->plan->fibers,
                       (unsigned long long)r->plan->private_bytes);
    run_all(r, w);
    give_worker(r, w, NULL);
    if (r->n->launch->sink == NULL && atomic_load(&r->is_printed))
        fflush(stdout);
    return r->status;
}

/* The bound of a loop whose iterations can be distributed; 0 if unknown. */
static uint64_t bound_of(const HdIrStride *s, const unsigned char *block)
{
    uint64_t n = s->bound;

    if (!s->is_constant) {
        n = 0;
        memcpy(&n, block + s->bound, s->bits / 8);
    }
    if (s->bits == 32)
        n &= UINT32_MAX;
    return s->is_signed && (n >> (s->bits - 1) & 1) != 0 ? 0 : n;
}

/* Rounds that are dealt out as if each were a launch: of what the caches do not hold, or where
 * there are not groups enough for all threads. */
static uint64_t rounds_of(const HdPool *pool, const HdLaunch *l, const HdNdrangePlan *p,
                          const unsigned char *block)
{
    uint64_t step = l->global_size[0], n;

    if (p->stride.bytes == 0 || l->work_dim != 1 || l->global_offset[0] != 0 || !p->is_even ||
        step > UINT32_MAX / 2)
        return 1;
    n = bound_of(&p->stride, block);
    if (n <= step || n > p->stride.most || p->stride.most - n < 2 * step ||
        (n < pool->reuse.least / p->stride.bytes && p->total >= hd_pool_threads(pool)))
        return 1;
    return (n - 1) / step + 1;
}

bool hd_ndrange_streams(HdPool *pool, const HdNdrange *n, const HdNdrangePlan *plan)
{
    const HdLaunch *l = n->launch;

    return pool != NULL && hd_reuse_launch(&pool->reuse, l->kernel, l->args->block, &plan->streams,
                                           plan->total, plan->base.items);
}

bool hd_ndrange_is_far(const HdLaunch *l, const HdNdrangePlan *plan)
{
    unsigned kinds = 0;

    for (uint32_t i = 0; plan->ahead != 0 && l->large >> i != 0; i++)
        if ((l->large >> i & 1) != 0)
            kinds |= hd_ir_memory_of_arg(l->kernel->args[i].offset);
    return (kinds & plan->ahead) != 0;
}

static HdStatus run_in(HdPool *pool, const HdNdrange *n, const HdNdrangePlan *plan,
                       unsigned char *block, HdDiags *d)
{
    const HdLaunch *l = n->launch;
    Run r;
    HdStatus st;

    r.pool = pool;
    r.n = n;
    r.plan = plan;
    r.d = d;
    r.status = HD_OK;
    atomic_init(&r.is_stopped, false);
    atomic_init(&r.is_printed, false);
    atomic_init(&r.has_no_room, false);
    r.offer = (HdWorkSlot){.help = help, .has_more = has_more, .whose = l->whose};
    memcpy(block, l->args->block, l->kernel->block_bytes);
    r.local_bytes = hd_ndrange_local_bytes(l->kernel, l->args, block);
    r.base = plan->base;
    r.base.streams = n->count != 0 ? n->streams : hd_ndrange_streams(pool, n, plan);
    r.base.far = !n->near && hd_ndrange_is_far(l, plan);
    r.rounds = n->count != 0 ? 1 : rounds_of(pool, l, plan, block);
    r.total = n->count != 0 ? n->count : plan->total * r.rounds;
    r.may_wait = r.total > 1 && (n->group != NULL ? n->groups_wait : plan->groups_wait);
    r.base.one_round = r.rounds != 1;
    r.base.args = block;
    r.base.program = l->memory != NULL ? l->memory->at : NULL;
    r.base.math = pool->tables.math;
    r.base.convert = pool->tables.convert;
    r.base.calls = pool->tables.calls;
    r.base.launch = l;
    r.base.device = l->device;
    if (l->progress != NULL)
        atomic_store_explicit(&l->progress->groups, plan->total * r.rounds, memory_order_relaxed);
    pthread_mutex_init(&r.lock, NULL);
    st = start(&r, d);
    pthread_mutex_destroy(&r.lock);
    return st;
}

HdStatus hd_ndrange_run_planned(HdPool *pool, const HdNdrange *n, const HdNdrangePlan *plan,
                                HdDiags *d)
{
    uint32_t bytes = n->launch->kernel->block_bytes;
    _Alignas(128) unsigned char small[BLOCK_ROOM];
    unsigned char *large;
    HdPool *single;
    HdStatus st;
    HD_TRACE("launch", "launch");

    hd_trace_text(&hd_span, "kernel", n->launch->kernel->name);
    hd_trace_number(&hd_span, 0, "groups", plan->total);
    if (pool == NULL) {
        HD_TRY(hd_pool_open_single(&single));
        st = hd_ndrange_run_planned(single, n, plan, d);
        hd_pool_close(single);
        return st;
    }
    if (!hd_pool_is_alive(pool))
        return hd_fail(d, HD_UNSUPPORTED, HD_NO_PLACE, "launch.fork",
                       "the threads of the parent process do not run in a forked child");
    if (bytes <= sizeof small)
        return run_in(pool, n, plan, small, d);
    HD_TAKE(large, hd_alloc(bytes));
    st = run_in(pool, n, plan, large, d);
    hd_free(large);
    return st;
}

HdStatus hd_ndrange_run(HdPool *pool, const HdNdrange *n, HdDiags *d)
{
    HdNdrangePlan plan;

    HD_TRY(hd_ndrange_plan(n, d, &plan));
    return hd_ndrange_run_planned(pool, n, &plan, d);
}
