/* launch/pool.c -- worker threads, jobs and offers.
 *
 * One lock guards the queues; it is taken per job and to sleep, not to help with an offer. Workers
 * block all signals but those that a fault raises, so that the host's handlers run on the host's
 * threads.
 *
 * A host that waits for a queue helps with its launches instead of sleeping (docs/adr/0044): rounds
 * of short launches take 0.9 of the time.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/pool_state.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/float_env.h"
#include "base/lock.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/option.h"
#include "launch/cpus.h"

/* Threads of a pool at most, whatever HEDDLE_THREADS says: each has a stack. */
#define MAX_THREADS 4096u
/* Bytes of variable-length arrays of a thread at most: 1 GiB, more than a group can use. */
#define MAX_ARRAYS (UINT64_C(1) << 30)
/* Bytes of the last-level cache that one process can count on, of a large one that many share. */
#define MOST_CACHE (UINT64_C(32) << 20)
/* Workers wake further ones, so the offering thread pays for these only. */
#define WAKE_AT_ONCE 8u
/* So long there was no offer when an idle job begins: a launch that finds one at work has a
 * processor less for as long as a kernel takes to compile. Those beyond MOST_WAITING go ahead. */
#define QUIET_NS 1000000u
/* Idle jobs that wait for such a pause at most; those beyond go ahead. */
#define MOST_WAITING 16u

/* At most half of the threads run idle jobs at a time, so that a launch finds the others; and at
 * most so many, since each may take tens of megabytes. */
#define MOST_IDLE 8u

/* So many of the workers that sleep count as awake from now on; called with the lock held. To be
 * signalled. */
static unsigned call(HdPool *p, unsigned count)
{
    unsigned idle = atomic_load_explicit(&p->idle, memory_order_relaxed);

    count = count < idle ? count : idle;
    atomic_fetch_sub(&p->idle, count);
    atomic_fetch_add(&p->looking, count);
    p->called += count;
    return count;
}

/* Wake so many workers, if so many sleep. The lock is taken so that one that is about to sleep has
 * either been counted and waits, or looks again. */
static void wake(HdPool *p, unsigned count)
{
    if (count == 0 || atomic_load(&p->idle) == 0)
        return;
    pthread_mutex_lock(&p->lock);
    count = call(p, count);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < count; i++)
        hd_cond_signal(&p->wake);
}

/* Something has been posted: those that spin see it. */
static void post(HdPool *p)
{
    hd_lock_note(&p->by);
    atomic_fetch_add(&p->posts, 1);
}

/* A job has been queued, and a worker should come; called with the lock held. Each that is awake
 * and has nothing to do comes for one. */
static void post_job(HdPool *p)
{
    post(p);
    if (atomic_load(&p->looking) <= p->expected && call(p, 1) != 0)
        hd_cond_signal(&p->wake);
    if (atomic_load(&p->looking) > p->expected)
        p->expected++;
}

static HdPoolQueued *take_at(HdPoolQueue *q, HdPoolQueued **at)
{
    HdPoolQueued *job = *at;

    if (job == NULL)
        return NULL;
    *at = job->next;
    if (*at == NULL)
        q->end = at;
    q->count--;
    return job;
}

static HdPoolQueued *take_job(HdPoolQueue *q)
{
    return take_at(q, &q->first);
}

/* The newest idle job whose time has come: hosts mostly need what they asked for first before the
 * rest, and do that themselves while it waits. */
static HdPoolQueued *take_idle_job(HdPool *p)
{
    uint64_t now = p->is_closing ? UINT64_MAX : hd_clock_ns();
    HdPoolQueued **newest = NULL;

    for (HdPoolQueued **at = &p->idle_jobs.first; *at != NULL; at = &(*at)->next)
        if ((*at)->from_ns <= now)
            newest = at;
    return newest != NULL ? take_at(&p->idle_jobs, newest) : NULL;
}

/* Run a job; called and left with the lock held. */
static void run_job(HdPool *p, HdPoolQueued *job)
{
    pthread_mutex_unlock(&p->lock);
    job->fn(job->user);
    hd_free(job);
    pthread_mutex_lock(&p->lock);
}

/* May an idle job begin? */
static bool is_quiet(HdPool *p)
{
    if (p->is_closing || p->idle_jobs.count > MOST_WAITING)
        return true;
    return atomic_load_explicit(&p->offers.taken, memory_order_relaxed) == 0 &&
           hd_clock_ns() - atomic_load_explicit(&p->withdrawn_ns, memory_order_relaxed) >= QUIET_NS;
}

/* Is there an idle job, and one less at work than may be? */
static bool has_idle_job(const HdPool *p)
{
    unsigned most = p->parallel / 2 < MOST_IDLE ? p->parallel / 2 : MOST_IDLE;

    return p->idle_jobs.count != 0 && p->at_idle_jobs < (most != 0 ? most : 1);
}

void hd_pool_end_job(HdPool *p)
{
    atomic_fetch_add(&p->looking, 1);
    atomic_fetch_add(&p->ended, 1);
}

/* A job has returned. Is one counted that has ended, maybe another? */
static bool take_ended(HdPool *p)
{
    unsigned ended = atomic_load(&p->ended);

    while (ended != 0 && !atomic_compare_exchange_weak(&p->ended, &ended, ended - 1))
        continue;
    return ended != 0;
}

/* The same by a worker. */
static void work_on_job(HdPool *p, HdPoolQueued *job)
{
    atomic_fetch_sub(&p->looking, 1);
    run_job(p, job);
    if (!take_ended(p))
        atomic_fetch_add(&p->looking, 1);
}

/* The next job; called and left with the lock held. False when there was none. */
static bool do_job(HdPool *p)
{
    HdPoolQueued *job = take_job(&p->jobs);

    if (job == NULL) {
        p->expected = 0;
        return false;
    }
    atomic_store_explicit(&p->has_jobs, p->jobs.count, memory_order_relaxed);
    if (p->expected > 0)
        p->expected--;
    work_on_job(p, job);
    return true;
}

/* The same of an idle job. */
static bool do_idle_job(HdPool *p)
{
    HdPoolQueued *job = has_idle_job(p) && is_quiet(p) ? take_idle_job(p) : NULL;

    if (job == NULL)
        return false;
    p->at_idle_jobs++;
    if (has_idle_job(p))
        post_job(p);
    work_on_job(p, job);
    p->at_idle_jobs--;
    return true;
}

/* Those that a helper wakes before it begins. */
static void wake_more(HdPool *p, HdPlace *at)
{
    unsigned left = atomic_load_explicit(&at->to_wake, memory_order_relaxed), count;

    do {
        count = left < WAKE_AT_ONCE ? left : WAKE_AT_ONCE;
        if (count == 0)
            return;
    } while (!atomic_compare_exchange_weak_explicit(&at->to_wake, &left, left - count,
                                                    memory_order_relaxed, memory_order_relaxed));
    wake(p, count);
}

static void leave(HdPool *p, HdPlace *at)
{
    if (!hd_work_slots_leave(at))
        return;
    pthread_mutex_lock(&p->lock); /* the owner waits by now */
    hd_cond_broadcast(&p->left);
    pthread_mutex_unlock(&p->lock);
}

/* Help with an offer. False when there was nothing to do.
 *   whose    not NULL: only with its offers
 *   looking  where the calling thread is counted but while it works. It is again before it leaves,
 *            so that the owner's next offer wakes nobody in its place */
static bool help(HdPool *p, const void *whose, _Atomic unsigned *looking, HdRtWorker **own)
{
    uint32_t tried = 0;
    HdPlace *at;

    while ((at = hd_work_slots_join(&p->offers, tried, whose)) != NULL) {
        HdWorkSlot *o = at->offer;
        bool is_right = hd_work_slots_is_for(at, whose);
        bool has_more = is_right && o->has_more(o);

        tried |= hd_work_slots_bit(&p->offers, at);
        if (has_more) {
            atomic_fetch_sub(looking, 1);
            hd_lock_note(&at->by);
            wake_more(p, at);
            o->help(o, own);
            atomic_fetch_add(looking, 1);
        }
        if (is_right && !o->may_refill)
            hd_work_slots_close(&p->offers, at);
        leave(p, at);
        if (has_more)
            return true;
    }
    return false;
}

/* Do one thing. Jobs first: each brings its own work, in which its worker takes part. */
static bool work_once(HdPool *p, HdRtWorker **own)
{
    if (atomic_load(&p->has_jobs) != 0) {
        bool done;

        pthread_mutex_lock(&p->lock);
        done = do_job(p);
        pthread_mutex_unlock(&p->lock);
        if (done)
            return true;
    }
    return help(p, NULL, &p->looking, own);
}

/* Launches follow each other: spin for the next one for a moment. Never so many threads that the
 * host's lack a processor. False when that time is over. */
static bool look_for_work(HdPool *p, unsigned seen, uint64_t until)
{
    bool found = false;

    if (atomic_fetch_add(&p->spinning, 1) + 1 < p->parallel)
        found = hd_lock_look_until(&p->posts, seen, &p->by, until);
    atomic_fetch_sub(&p->spinning, 1);
    return found;
}

/* Sleep until there may be something to do, or do what is left for idle workers; called and left
 * with the lock held. */
static void wait_for_work(HdPool *p, unsigned seen)
{
    bool watches;

    if (p->jobs.count != 0 || do_idle_job(p) || p->is_closing)
        return;
    watches = has_idle_job(p) && !p->is_watched;
    atomic_fetch_sub(&p->looking, 1);
    atomic_fetch_add(&p->idle, 1);
    if (atomic_load(&p->posts) == seen) {
        if (watches) {
            p->is_watched = true;
            hd_cond_wait_ns(&p->wake, &p->lock, QUIET_NS);
            p->is_watched = false;
        } else {
            hd_cond_wait(&p->wake, &p->lock);
        }
    }
    if (p->called != 0) { /* by whom it was told, or for another that has not woken up yet */
        p->called--;
        return;
    }
    atomic_fetch_sub(&p->idle, 1);
    atomic_fetch_add(&p->looking, 1);
}

static void close_worker(HdRtWorker *w)
{
    if (w == NULL)
        return;
    hd_rt_worker_close(w);
    hd_free(w);
}

static void *worker_main(void *user)
{
    HdRtWorker *own = NULL; /* what it keeps for itself */
    HdPool *p = user;
    uint64_t until = 0; /* when to sleep */
    bool is_closing = false;
    char name[24]; /* 15 characters are taken */

    /* A thread that names another one opens a file for it. */
    snprintf(name, sizeof name, "heddle-%u", atomic_fetch_add(&p->named, 1));
    pthread_setname_np(pthread_self(), name);

    atomic_fetch_add(&p->looking, 1);
    while (!is_closing) {
        unsigned seen = atomic_load(&p->posts);

        if (work_once(p, &own)) {
            until = hd_clock_ns() + p->look_ns;
            continue;
        }
        if (until != 0 && look_for_work(p, seen, until))
            continue;
        until = 0;
        pthread_mutex_lock(&p->lock);
        wait_for_work(p, seen);
        is_closing = p->is_closing && p->jobs.count == 0 && !has_idle_job(p);
        pthread_mutex_unlock(&p->lock);
    }
    atomic_fetch_sub(&p->looking, 1);
    close_worker(own);
    return NULL;
}

/* All processors do something else first, whatever runs there: a launch never waits for this. */
static void yield_always(void)
{
#ifdef SCHED_IDLE
    struct sched_param none = {0};

    pthread_setschedparam(pthread_self(), SCHED_IDLE, &none); /* without it, it is in the way */
#endif
}

static void *spare_main(void *user)
{
    HdPool *p = user;
    HdPoolQueued *job;

    pthread_setname_np(pthread_self(), "heddle-spare");
    yield_always();
    pthread_mutex_lock(&p->lock);
    for (;;) {
        job = take_job(&p->spare_jobs);
        if (job != NULL)
            run_job(p, job);
        else if (p->is_closing)
            break;
        else
            hd_cond_wait(&p->spare_wake, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* The host's signals are not for our threads, but those that a fault raises; nor is its
 * floating-point environment. */
static bool start_thread(pthread_t *t, void *(*fn)(void *), HdPool *p)
{
    HD_FLOAT_ENV;
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGPROF};
    sigset_t blocked, before;
    bool done;

    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        sigdelset(&blocked, faults[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    done = pthread_create(t, NULL, fn, p) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return done;
}

static void start_threads(HdPool *p, unsigned count)
{
    while (p->started < count) {
        if (!start_thread(&p->threads[p->started], worker_main, p))
            break; /* a limit on threads: work with those there are */
        p->started++;
    }
}

/* A quarter of the memory for all threads together, and no more than one group can sensibly use. */
uint64_t hd_pool_array_bytes(HdPool *p)
{
    uint64_t share = atomic_load_explicit(&p->array_bytes, memory_order_relaxed);

    if (share != 0)
        return share;
    share = hd_machine_memory() / 4 / p->parallel;
    share = share < MAX_ARRAYS ? share : MAX_ARRAYS;
    atomic_store_explicit(&p->array_bytes, share, memory_order_relaxed);
    return share;
}

/* From where on stores go past the caches. What moves as much as the last one holds leaves little
 * of itself in it for the next time, what moves twice as much leaves nothing for anybody. */
static void set_past(HdPool *p)
{
    uint64_t asked = hd_option_number(HD_OPTION_STREAM_KB), cache = hd_machine_cache();
    uint64_t bytes = asked < UINT64_MAX >> 10 ? asked << 10 : UINT64_MAX;

    p->fill_bytes = cache < MOST_CACHE ? cache : MOST_CACHE;
    if (asked != 0)
        hd_reuse_open(&p->reuse, bytes, bytes);
    else
        hd_reuse_open(&p->reuse, cache, cache * 2);
}

/* So long workers spin for the next launch: about what it takes to wake all of them, each of whom
 * wakes WAKE_AT_ONCE further ones. */
static uint64_t look_ns(unsigned threads)
{
    unsigned steps = 1;

    for (unsigned awake = WAKE_AT_ONCE; awake + 1 < threads; awake += awake + WAKE_AT_ONCE)
        steps++;
    return HD_LOCK_LOOK_NS / 2 * (1 + steps);
}

/* The operating system clears a page in forked children, which costs nothing to check; getting the
 * process id is a system call. */
static void mark_owner(HdPool *p)
{
    size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *page =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED) {
        p->owner = getpid();
        return;
    }
    if (madvise(page, bytes, MADV_WIPEONFORK) != 0) { /* before Linux 4.14 */
        munmap(page, bytes);
        p->owner = getpid();
        return;
    }
    page[0] = 1;
    p->alive = page;
}

static HdStatus open_pool(unsigned threads, bool is_single, HdPool **out)
{
    HdPool *p;

    *out = NULL;
    HD_TAKE(p, hd_alloc_zero(sizeof *p));
    hd_lock_init_short(&p->lock);
    hd_lock_init_short(&p->spare_lock);
    pthread_mutex_init(&p->print_lock, NULL);
    p->jobs.end = &p->jobs.first;
    p->idle_jobs.end = &p->idle_jobs.first;
    p->spare_jobs.end = &p->spare_jobs.first;
    mark_owner(p);
    p->parallel = threads;
    hd_rt_tables_fill(&p->tables);
    p->look_ns = look_ns(threads);
    set_past(p);
    if (!is_single) {
        p->threads = hd_alloc_zero(threads * sizeof *p->threads);
        if (p->threads != NULL)
            start_threads(p, threads);
        if (p->started == 0) {
            hd_pool_close(p);
            return HD_NO_MEMORY;
        }
        if (p->started < threads)
            p->parallel = p->started;
    }
    *out = p;
    return HD_OK;
}

HdStatus hd_pool_open(unsigned threads, HdPool **out)
{
    if (threads == 0) {
        uint64_t asked = hd_option_number(HD_OPTION_THREADS);

        threads = asked == 0            ? hd_launch_cpus()
                  : asked < MAX_THREADS ? (unsigned)asked
                                        : MAX_THREADS;
    }
    return open_pool(threads < MAX_THREADS ? threads : MAX_THREADS, false, out);
}

HdStatus hd_pool_open_single(HdPool **out)
{
    return open_pool(1, true, out);
}

void hd_pool_close(HdPool *p)
{
    if (p == NULL)
        return;
    if (hd_pool_is_alive(p)) {
        pthread_mutex_lock(&p->lock);
        p->is_closing = true;
        hd_cond_broadcast(&p->wake);
        hd_cond_broadcast(&p->spare_wake);
        pthread_mutex_unlock(&p->lock);
        for (unsigned i = 0; i < p->started; i++)
            pthread_join(p->threads[i], NULL);
        if (p->has_spare_thread)
            pthread_join(p->spare_thread, NULL);
        pthread_mutex_destroy(&p->lock);
        pthread_mutex_destroy(&p->spare_lock);
        pthread_mutex_destroy(&p->print_lock);
        hd_reuse_close(&p->reuse);
    }
    for (unsigned i = 0; i < HD_POOL_HOT; i++)
        close_worker(atomic_exchange(&p->hot[i].worker, NULL));
    while (p->spare != NULL) {
        HdRtWorker *w = p->spare;

        p->spare = w->next;
        close_worker(w);
    }
    if (p->alive != NULL)
        munmap((void *)(uintptr_t)p->alive, (size_t)sysconf(_SC_PAGESIZE));
    hd_free(p->threads);
    hd_free(p);
}

unsigned hd_pool_threads(const HdPool *p)
{
    return p->parallel;
}

bool hd_pool_is_alive(const HdPool *p)
{
    return p->alive != NULL ? p->alive[0] != 0 : p->owner == getpid();
}

static void put_job(HdPoolQueue *to, HdPoolQueued *job)
{
    *to->end = job;
    to->end = &job->next;
    to->count++;
}

static HdStatus submit(HdPool *p, HdPoolQueue *to, HdPoolJob *fn, void *user, uint64_t from_ns)
{
    HdPoolQueued *job;

    if (!hd_pool_is_alive(p) || p->started == 0)
        return HD_UNSUPPORTED;
    HD_TAKE(job, hd_alloc(sizeof *job));
    *job = (HdPoolQueued){.fn = fn, .user = user, .from_ns = from_ns};
    pthread_mutex_lock(&p->lock);
    put_job(to, job);
    if (to == &p->jobs)
        atomic_store(&p->has_jobs, p->jobs.count);
    if (to == &p->spare_jobs)
        hd_cond_signal(&p->spare_wake);
    else
        post_job(p);
    pthread_mutex_unlock(&p->lock);
    return HD_OK;
}

/* Is there a thread for spare jobs? The first one starts it. */
static bool has_spare_thread(HdPool *p)
{
    bool has;

    if (!hd_pool_is_alive(p) || p->parallel < 2)
        return false;
    pthread_mutex_lock(&p->lock);
    if (!p->has_spare_thread)
        p->has_spare_thread = start_thread(&p->spare_thread, spare_main, p);
    has = p->has_spare_thread;
    pthread_mutex_unlock(&p->lock);
    return has;
}

HdStatus hd_pool_submit(HdPool *p, HdPoolWhen when, HdPoolJob *fn, void *user)
{
    switch (when) {
    case HD_POOL_NOW: return submit(p, &p->jobs, fn, user, 0);
    case HD_POOL_IDLE: return submit(p, &p->idle_jobs, fn, user, 0);
    case HD_POOL_SPARE:
        return has_spare_thread(p) ? submit(p, &p->spare_jobs, fn, user, 0) : HD_UNSUPPORTED;
    }
    return HD_BUG;
}

HdStatus hd_pool_submit_later(HdPool *p, HdPoolJob *fn, void *user, uint64_t from_ns)
{
    return submit(p, &p->idle_jobs, fn, user, from_ns);
}

void hd_pool_offer_awake(HdPool *p, HdWorkSlot *o)
{
    o->place = hd_work_slots_open(&p->offers, o);
    if (o->place != NULL)
        post(p);
}

void hd_pool_call(HdPool *p, HdWorkSlot *o)
{
    unsigned here;

    if (o->place == NULL)
        return;
    here = atomic_load(&p->looking) + atomic_load(&p->guests) + hd_work_slots_helpers(o->place);
    if (o->worth_waking <= here)
        return;
    atomic_store_explicit(&o->place->to_wake, o->worth_waking - here, memory_order_relaxed);
    wake_more(p, o->place);
}

void hd_pool_offer(HdPool *p, HdWorkSlot *o)
{
    hd_pool_offer_awake(p, o);
    hd_pool_call(p, o);
}

void hd_pool_withdraw(HdPool *p, HdWorkSlot *o)
{
    if (o->place == NULL)
        return;
    hd_work_slots_close(&p->offers, o->place);
    if (!hd_work_slots_look(o->place)) {
        pthread_mutex_lock(&p->lock);
        while (hd_work_slots_must_wait(o->place))
            hd_cond_wait(&p->left, &p->lock);
        pthread_mutex_unlock(&p->lock);
    }
    hd_work_slots_free(&p->offers, o->place);
    atomic_store_explicit(&p->withdrawn_ns, hd_clock_ns(), memory_order_relaxed);
}

/* Does every processor have a worker that works? A guest that spins would be in its way. */
static bool is_full(const HdPool *p)
{
    return p->started >= p->parallel + atomic_load(&p->idle) + atomic_load(&p->looking);
}

/* As hd_lock_look_until does, for two things. */
static bool look_as_guest(HdPool *p, unsigned seen, uint64_t until, HdPoolOver *is_over, void *user)
{
    while (!is_full(p) && hd_clock_ns() < until) {
        if (atomic_load_explicit(&p->by, memory_order_relaxed) == sched_getcpu())
            return false;
        for (unsigned i = 0; i < 16; i++) {
            if (atomic_load_explicit(&p->posts, memory_order_relaxed) != seen || is_over(user))
                return true;
            hd_lock_pause();
        }
    }
    return false;
}

void hd_pool_help(HdPool *p, const void *whose, HdPoolOver *is_over, void *user)
{
    uint64_t until = hd_clock_ns() + HD_LOCK_LOOK_NS;

    if (!hd_pool_is_alive(p))
        return;
    atomic_fetch_add(&p->guests, 1);
    while (!is_over(user)) {
        unsigned seen = atomic_load(&p->posts);

        if (help(p, whose, &p->guests, NULL))
            until = hd_clock_ns() + HD_LOCK_LOOK_NS;
        else if (!look_as_guest(p, seen, until, is_over, user))
            break;
    }
    atomic_fetch_sub(&p->guests, 1);
}

/* The place of the calling thread's processor. */
static unsigned hot_place(void)
{
    return (unsigned)sched_getcpu() % HD_POOL_HOT;
}

static HdRtWorker *take_hot(HdPool *p, unsigned place)
{
    if (atomic_load_explicit(&p->hot[place].worker, memory_order_relaxed) == NULL)
        return NULL;
    /* acquire: what the last user wrote into it */
    return atomic_exchange_explicit(&p->hot[place].worker, NULL, memory_order_acquire);
}

static HdRtWorker *take_spare_worker(HdPool *p)
{
    HdRtWorker *w;

    pthread_mutex_lock(&p->spare_lock);
    w = p->spare;
    if (w != NULL)
        p->spare = w->next;
    pthread_mutex_unlock(&p->spare_lock);
    return w;
}

HdRtWorker *hd_pool_take_worker(HdPool *p, HdRtWorker **own)
{
    HdRtWorker *w;

    if (own != NULL && *own != NULL) {
        w = *own;
        *own = NULL;
        return w;
    }
    w = take_hot(p, hot_place());
    if (w == NULL)
        w = take_spare_worker(p);
    for (unsigned i = 0; i < HD_POOL_HOT && w == NULL; i++)
        w = take_hot(p, i); /* its thread may have moved here */
    return w != NULL ? w : hd_alloc_zero(sizeof *w);
}

void hd_pool_return_worker(HdPool *p, HdRtWorker *w, HdRtWorker **own)
{
    hd_rt_worker_trim(w);
    if (own != NULL && *own == NULL) {
        *own = w;
        return;
    }
    w = atomic_exchange_explicit(&p->hot[hot_place()].worker, w, memory_order_acq_rel);
    if (w == NULL)
        return;
    pthread_mutex_lock(&p->spare_lock);
    w->next = p->spare;
    p->spare = w;
    pthread_mutex_unlock(&p->spare_lock);
}
