/* launch/work_slots.h -- work that one thread does and others help with.
 *
 * Joining and leaving take no lock: with many threads a lock that all of them take at the beginning
 * and at the end of each launch costs more than a short launch.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_WORK_SLOTS_H
#define HD_LAUNCH_WORK_SLOTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Slots at a time: a bit for each in a word of 32. Launches beyond run without helpers. */
#define HD_WORK_SLOTS_MOST 32u
/* Helpers of a slot: twelve bits of its state. */
#define HD_WORK_SLOTS_MOST_HELPERS 4095u

struct HdRtWorker;
typedef struct HdWorkSlot HdWorkSlot;
struct HdWorkSlot {
    /* Work along until nothing is left; on a worker, without any lock. `own` is where that thread
     * keeps its stacks and local memory, see hd_pool_take_worker. */
    void (*help)(HdWorkSlot *o, struct HdRtWorker **own);
    /* Is anything left? Asked by workers that are about to help. */
    bool (*has_more)(const HdWorkSlot *o);
    bool may_refill;       /* has_more may be true again after it has been false */
    unsigned max_helpers;  /* at most HD_WORK_SLOTS_MOST_HELPERS */
    unsigned worth_waking; /* workers to wake for it; those that do not sleep come anyway */
    const void *whose;     /* threads that wait for this may help, see hd_pool_help; NULL: none */
    struct HdPlace *place; /* set by the pool; NULL: none was free, so nobody helps */
};

/* A place for an open offer, on cache lines of its own. */
typedef struct HdPlace {
    _Atomic unsigned state;   /* see work_slots.c */
    _Atomic unsigned to_wake; /* workers that have not been woken yet, of those worth waking */
    _Atomic int by;           /* processor of the helper that came last */
    _Atomic(const void *) whose;
    HdWorkSlot *offer; /* while the place is taken */
    char apart[96];
} HdPlace;

typedef struct HdWorkSlots {
    _Atomic uint32_t open, taken; /* bit i: place i */
    char apart[120];
    HdPlace at[HD_WORK_SLOTS_MOST];
} HdWorkSlots;

/* All zero: no offers. Any thread may call these. */

/* Put an offer where workers find it. NULL if there is no place. */
HdPlace *hd_work_slots_open(HdWorkSlots *s, HdWorkSlot *o);
/* Is it an offer of `whose`? NULL: of any. */
bool hd_work_slots_is_for(const HdPlace *at, const void *whose);
/* How many help at the moment. */
unsigned hd_work_slots_helpers(const HdPlace *at);
/* Become a helper of the open offer that has the fewest; `tried` are places to leave out. NULL if
 * there is none.
 *   whose  not NULL: only of its offers. Rarely another's is joined: that must be left at once */
HdPlace *hd_work_slots_join(HdWorkSlots *s, uint32_t tried, const void *whose);
/* Let nobody join any more. Called by helpers and by the owner. */
void hd_work_slots_close(HdWorkSlots *s, HdPlace *at);
/* A helper's last access. True: the owner sleeps, and this was the last helper. */
bool hd_work_slots_leave(HdPlace *at);
/* For the owner, after hd_work_slots_close: look for a while whether all helpers have left. If they
 * have not, hd_work_slots_must_wait says whether to sleep until a helper is told to wake it. */
bool hd_work_slots_look(HdPlace *at);
bool hd_work_slots_must_wait(HdPlace *at);
/* When all have left: the place is for others. */
void hd_work_slots_free(HdWorkSlots *s, HdPlace *at);

/* A place as one of a set. */
static inline uint32_t hd_work_slots_bit(const HdWorkSlots *s, const HdPlace *at)
{
    return UINT32_C(1) << (at - s->at);
}

#endif
