/* rt/group.h -- running one work-group on the calling thread.
 *
 * An HdRtWorker holds what a thread needs while it runs groups: stacks, local memory, the
 * destination of printf. It belongs to one thread at a time but is not tied to one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_GROUP_H
#define HD_RT_GROUP_H

#include <pthread.h>

#include "rt/abi.h"
#include "rt/arrays.h"
#include "rt/fiber.h"
#include "rt/named.h"

/* Bytes that a kernel's stack has beyond its own need: mathematics and printf run on it. */
#define HD_RT_STACK_MARGIN (64u << 10)

/* Rounds of a loop before a sub-group lets others run, once one of its group has waited. */
#define HD_RT_PATIENCE 16u

typedef void HdRtPrint(void *user, const char *text, size_t len);

/* The state of one sub-group of a group with barriers. */
typedef struct HdRtSubgroup {
    uint64_t waits_for; /* phase after which it continues; it waits while this is above `phase` */
    const HdRtNamed *stands_at; /* waits until this has another phase; NULL = no */
    uint32_t stands_in;         /* its current phase */
    uint32_t stack;             /* that it keeps, if it is_suspended */
    uint32_t free_stack;        /* HdRtWorker.free_stacks of these are nobody's */
    uint32_t state;             /* region where it goes on, if sub-groups take turns; then also: */
    bool is_here;               /* it has come to the next barrier */
    bool is_done, is_suspended;
} HdRtSubgroup;

typedef void HdRtWork(void *arg);

#define HD_RT_WHY 1024u /* characters that are told of it */

/* Why a group did not come to its end. */
typedef struct HdRtFailure {
    HdStatus status; /* HD_OK: it did */
    const char *rule;
    char why[HD_RT_WHY];
} HdRtFailure;

typedef struct HdRtWorker {
    HdStacks stacks;
    HdRtSubgroup *subgroups; /* [stacks.count] */
    unsigned char *local;    /* in local_block, aligned as the present launch asks */
    void *local_block;       /* what was allocated for it */
    uint64_t local_room;
    uint64_t local_bytes;   /* of the present launch */
    bool zeroes_local;      /* each of its groups begins with zeros there */
    unsigned char *context; /* 64-byte aligned records of sub-groups, for functions of regions */
    void *context_block;    /* what was allocated for it */
    uint64_t context_room;
    uint32_t *states; /* [sub-groups] next regions, after the records */
    HdRtArrays arrays;
    HdRtNamedTable named;
    HdRtPrivateAtomics sums;
    HdRtFailure failure; /* of the last group; cleared when read */
    HdRtPrint *print;
    void *print_user;
    pthread_mutex_t *print_lock; /* held around print; may be NULL */
    struct HdRtWorker *next;     /* for whoever keeps spare ones */
    /* the group that is running */
    HdFiber home; /* the thread's own stack */
    HdRtGroup *group;
    HdKernelFn *fn;
    HdRtWork *work; /* of hd_rt_worker_call */
    void *work_arg;
    uint64_t phase; /* barriers passed up to now */
    uint32_t alive, waiting;
    /* of a group whose sub-groups take turns */
    bool takes_turns, has_regions;
    bool are_apart; /* sub-groups, which have the states in `subgroups`; until then all run in one
                     * call */
    uint32_t stack; /* the one in use */
    uint32_t used_stacks, free_stacks;
    uint32_t first, end; /* sub-groups of the last call */
    uint32_t fresh;      /* those before this one have run since the last barrier, ... */
    bool has_cut;        /* ... maybe only to a cut, so that they go on after the others */
    /* of a group that may wait for another one */
    uint32_t most_turns; /* of its sub-groups, after which it does; 0: it goes on for ever */
    uint32_t turns;      /* up to now, since one of them last came to a barrier or its end */
    HdFiber *waits_at;   /* where hd_rt_group_continue goes on; NULL: it does not wait */
} HdRtWorker;

/* A zeroed worker is ready for hd_rt_worker_prepare. */
void hd_rt_worker_close(HdRtWorker *w);

/* Allocate memory for groups of one launch; existing memory that is large enough is kept.
 *   private_bytes  stack that a sub-group needs
 *   fibers         sub-groups that need a stack each; 1 without barriers
 *   local_align    of local memory; up to HD_RT_MOST_ALIGN
 * Errors: HD_NO_MEMORY. */
HdStatus hd_rt_worker_prepare(HdRtWorker *w, uint64_t private_bytes, uint32_t fibers,
                              uint64_t local_bytes, uint32_t local_align);
/* Make room for the contexts of a launch's functions of regions.
 *   context_bytes  of one sub-group, a multiple of
 *   align          a power of two, up to HD_RT_MOST_ALIGN
 * Errors: HD_NO_MEMORY. */
HdStatus hd_rt_worker_context(HdRtWorker *w, uint64_t context_bytes, uint32_t align,
                              uint32_t subgroups);
/* The same for what few kernels need, after the above.
 *   items        work-items of a group that may have variable-length arrays; 0 without any
 *   array_bytes  that all of them may have together
 *   named        instructions that make named barriers */
HdStatus hd_rt_worker_prepare_more(HdRtWorker *w, uint32_t items, uint64_t array_bytes,
                                   uint32_t named, uint32_t fibers);
/* Give back what only an unusually greedy launch needed. */
void hd_rt_worker_trim(HdRtWorker *w);

/* Call fn(arg) on a stack of the worker's, with the default floating-point state; back on the
 * thread's own stack and state when it returns. In fn groups that need no fibers may run by
 * hd_rt_group_call; that saves the way to the stack and back for each. hd_rt_group_enter comes
 * before the first of them, and fills in the runtime's own fields of g, which stay as they are.
 * False: fn has left for hd_rt_group_continue. */
bool hd_rt_worker_call(HdRtWorker *w, HdRtWork *fn, void *arg);
void hd_rt_group_enter(HdRtWorker *w, HdRtGroup *g);
void hd_rt_group_call(HdRtWorker *w, HdRtGroup *g, HdKernelFn *fn);

/* Run a group to its end, from the thread's own stack.
 *   g  filled but for the runtime's own fields, `local`, `barrier` and `yield`; g->subgroups at
 *      most the prepared number when needs_fibers
 *
 * False: the group waits for another one, as w->most_turns permits; it keeps the worker, which
 * hd_rt_group_continue goes on with on the same thread, and g, which must not move. A group that is
 * not continued is dropped: the worker may be used for another one, or closed.
 *
 * Never allocates; takes no lock (printf in the kernel does). */
bool hd_rt_group_run(HdRtWorker *w, HdRtGroup *g, HdKernelFn *fn, bool needs_fibers);
/* The same for functions whose sub-groups stop at YIELDs alone: all run in one call, until one has
 * waited for long; it keeps that stack, and the others go on on the next. At the ends of regions
 * all of them wait for each other. */
bool hd_rt_group_take_turns(HdRtWorker *w, HdRtGroup *g, HdKernelFn *fn, bool has_regions);
/* Go on with a group that waits; false: it still does. */
bool hd_rt_group_continue(HdRtWorker *w);
/* Bytes that a group that waits takes up, about. */
uint64_t hd_rt_group_bytes(const HdRtWorker *w);

/* End the running group: hd_rt_group_run, or hd_rt_worker_call, returns immediately with the reason
 * in `failure`. Compiled code holds no resources that would be lost. */
_Noreturn void hd_rt_fail(HdRtGroup *g, HdStatus st, const char *rule, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* Let the others run until the named barrier opens. */
void hd_rt_stand(HdRtGroup *g, const HdRtNamed *at);

/* A sub-group with a fiber of its own has ended: the one that goes on. */
uint32_t hd_rt_next(HdRtWorker *w, uint32_t ended);

/* For HdRtGroup.barrier, .yield and .calls. */
HdRtBarrierFn hd_rt_barrier;
/* Let the other sub-groups run: for loops that wait for something another sub-group does. Returns
 * when it is this one's turn again. */
HdRtYieldFn hd_rt_yield;
/* What runs on this stack waits for another group: to the thread's own stack, until
 * hd_rt_group_continue. */
void hd_rt_leave(HdRtWorker *w, HdFiber *at);
/* A sub-group on this stack gives up its turn: its group may have had enough of them. */
void hd_rt_turn(HdRtWorker *w, HdFiber *at);
HdRtCallFn hd_rt_to_global, hd_rt_to_local, hd_rt_to_private, hd_rt_array_room;
/* clock.c */
HdRtCallFn hd_rt_clock;
/* pipe.c */
HdRtCallFn hd_rt_pipe_move, hd_rt_pipe_move_at, hd_rt_pipe_reserve, hd_rt_pipe_commit;
HdRtCallFn hd_rt_pipe_packets;
/* Device-side enqueue (rt/device.c). Without a device there are no queues and no events. */
HdRtCallFn hd_rt_enqueue, hd_rt_default_queue, hd_rt_group_items, hd_rt_new_user_event,
    hd_rt_is_event, hd_rt_retain_event, hd_rt_release_event, hd_rt_event_status,
    hd_rt_event_profile;

#endif
