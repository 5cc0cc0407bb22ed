/* launch/pool_state.h -- the thread pool as launch/ sees it.
 *
 * Two kinds of work: jobs, which one worker runs to completion, and offers, on which the offering
 * thread works itself while idle workers help. A job may make offers.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_POOL_STATE_H
#define HD_LAUNCH_POOL_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "base/cond.h"
#include "launch/pool.h"
#include "launch/reuse.h"
#include "launch/work_slots.h"
#include "rt/group.h"
#include "rt/tables.h"

typedef struct HdPoolQueued {
    HdPoolJob *fn;
    void *user;
    uint64_t from_ns; /* an idle one begins no earlier */
    struct HdPoolQueued *next;
} HdPoolQueued;

typedef struct HdPoolQueue {
    HdPoolQueued *first, **end;
    unsigned count;
} HdPoolQueue;

/* Guesses of what a launch costs, by the hash of its kernel. Two kernels in one entry only spoil
 * a guess. */
#define HD_POOL_COSTS 256u
/* Processors that are told apart when groups are shared out; others share an entry. */
#define HD_POOL_PROCESSORS 1024u
/* Workers kept for the processor that used them last, by its number modulo this. */
#define HD_POOL_HOT 64u

struct HdPool {
    pthread_mutex_t lock; /* what follows up to `spare_lock`, where it is not atomic */
    HdCond wake;          /* workers: there is something to do */
    HdCond left;          /* some offer has lost its last helper */
    HdPoolQueue jobs, idle_jobs, spare_jobs;
    unsigned expected;     /* of the workers in `looking`, so many come for queued jobs */
    unsigned called;       /* of them, so many were told to and have not woken up yet */
    unsigned at_idle_jobs; /* workers */
    bool is_watched;       /* some worker looks again soon whether an idle job may begin */
    bool is_closing;
    char apart[128];           /* what spinning workers read is apart from what they write */
    _Atomic unsigned posts;    /* jobs and offers up to now */
    _Atomic int by;            /* processor of the thread that posted last */
    _Atomic unsigned has_jobs; /* how many: changed with the lock held */
    char apart_too[128];
    _Atomic unsigned looking;      /* workers that are awake and have nothing to do */
    _Atomic unsigned ended;        /* of those, so many are about to return from a job */
    _Atomic unsigned spinning;     /* those of them that look for work before they sleep */
    _Atomic unsigned guests;       /* threads in hd_pool_help that have nothing to do */
    _Atomic unsigned idle;         /* workers that sleep: changed with the lock held */
    _Atomic uint64_t withdrawn_ns; /* when the last offer was taken back */
    HdWorkSlots offers;
    HdCond spare_wake; /* the thread for spare jobs, if there is one: there are more */
    pthread_t spare_thread;
    bool has_spare_thread;

    /* Workers that nobody uses: the last one that each processor has used, taken and put back
     * without the lock, and further ones, the last used first. */
    struct {
        _Atomic(HdRtWorker *) worker;
        char apart[56];
    } hot[HD_POOL_HOT];
    pthread_mutex_t spare_lock;
    HdRtWorker *spare;

    pthread_mutex_t print_lock;            /* around sinks */
    _Atomic uint64_t costs[HD_POOL_COSTS]; /* guesses, see ndrange.c */
    /* 0 or, plus 1, the order in which they were seen: see ndrange.c */
    _Atomic uint16_t processors[HD_POOL_PROCESSORS];
    _Atomic uint16_t processors_seen;
    const volatile unsigned char *alive; /* a page that is all zeros in a forked child */
    pid_t owner;                         /* process that made the threads; 0: see `alive` */
    pthread_t *threads;
    unsigned started;  /* threads that run */
    unsigned parallel; /* threads that one launch may use, its caller included */
    uint64_t look_ns;  /* that workers spin for work before they sleep */
    HdRtTables tables;
    HdReuse reuse;
    uint64_t fill_bytes;          /* fills from here on go past the caches */
    _Atomic uint64_t array_bytes; /* hd_pool_array_bytes; 0: nobody has asked */
    atomic_uint named;            /* threads that have a name */
};

/* False in a child made by fork: it has no workers, and locks may be held by threads it lost. */
bool hd_pool_is_alive(const HdPool *p);
/* A pool without threads: everything runs on the caller. */
HdStatus hd_pool_open_single(HdPool **out);
/* Bytes that variable-length arrays of a work-group may take; the machine is asked once. */
uint64_t hd_pool_array_bytes(HdPool *p);

/* Let idle workers help from now on, and wake as many as are worth it. The offer must stay until
 * hd_pool_withdraw has returned. */
void hd_pool_offer(HdPool *p, HdWorkSlot *o);
/* The same in two steps: those that are awake help; as many more are woken. */
void hd_pool_offer_awake(HdPool *p, HdWorkSlot *o);
void hd_pool_call(HdPool *p, HdWorkSlot *o);
/* Withdraw an offer; returns when no worker is helping any more. */
void hd_pool_withdraw(HdPool *p, HdWorkSlot *o);

/* Take a worker's state for use by the calling thread; NULL if there is no memory. `own`: where the
 * thread keeps one for itself, NULL if it keeps none. */
HdRtWorker *hd_pool_take_worker(HdPool *p, HdRtWorker **own);
void hd_pool_return_worker(HdPool *p, HdRtWorker *w, HdRtWorker **own);

#endif
