/* launch/waiting.h -- work-groups of a launch that wait for others of it.
 *
 * A group may wait until another one has stored something that has yet to begin: a neighbour's
 * flag, or a counter at which all groups of the launch meet. A thread whose group has waited for
 * long leaves it where it is, with its stacks and its local memory, and begins another one; the
 * groups that it has begun take turns from then on, as the sub-groups of a group do
 * (docs/adr/0056).
 *
 * Spec: OpenCL API, "Execution Model: Mapping Work-Items Onto an ND-Range" promises less: no group
 * may rely on another one's progress.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_WAITING_H
#define HD_LAUNCH_WAITING_H

#include "rt/group.h"

typedef struct HdWaitingGroup {
    HdRtGroup group;
    HdRtWorker *worker;
    uint64_t bytes; /* that it takes up while it waits */
    struct HdWaitingGroup *next;
} HdWaitingGroup;

/* What the groups of a launch are. */
typedef struct HdWaitingHow {
    uint64_t most_bytes;  /* that those of a thread may take up while they wait, about */
    uint32_t most_stacks; /* that they may have */
    uint64_t patience_ns; /* while none ends for so long, as many again begin */
    /* Another worker for the calling thread, ready for the launch, which hd_free takes after
     * hd_rt_worker_close; NULL: there is no memory. */
    HdRtWorker *(*make)(void *user);
    /* As hd_rt_group_run. */
    bool (*run)(void *user, HdRtWorker *w, HdRtGroup *g);
    void *user;
} HdWaitingHow;

/* The groups that one thread has begun in one launch. */
typedef struct HdWaiting {
    const HdWaitingHow *how;
    HdWaitingGroup own; /* on the thread's own worker */
    HdWaitingGroup *free, *first;
    uint32_t count;     /* of the groups that wait, in the list from `first` */
    uint32_t may_more;  /* so many groups may begin although others wait */
    uint64_t since_ns;  /* when the last group has ended, or that was decided */
    uint64_t bytes;     /* that they take up, */
    uint32_t stacks;    /* and have */
    bool is_full;       /* there is no memory for a further one */
    HdRtWorker *failed; /* of a group that did not come to its end */
} HdWaiting;

/* For the calling thread, until hd_waiting_close; all calls are on this thread.
 *   own  its worker, ready for the launch
 *   how  stays */
void hd_waiting_open(HdWaiting *t, HdRtWorker *own, const HdWaitingHow *how);
/* May another group begin? If not, those that wait have to be given turns first. */
bool hd_waiting_may_begin(HdWaiting *t);
/* Run a group, of which a copy is made, until it ends or waits. */
void hd_waiting_begin(HdWaiting *t, const HdRtGroup *g);
/* Give each group that waits a turn. */
void hd_waiting_turns(HdWaiting *t);
/* Drop the groups that still wait. */
void hd_waiting_close(HdWaiting *t);

#endif
