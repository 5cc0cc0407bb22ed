/* launch/work_slots.c -- work that one thread does and others help with.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/work_slots.h"

#include <stddef.h>

#include "base/lock.h"

/* A state: helpers at work, how many there may be, and flags. */
#define HELPERS ((unsigned)HD_WORK_SLOTS_MOST_HELPERS)
/* Where the number of helpers that there may be begins: after the 12 bits of HELPERS. */
#define MOST_SHIFT 12
/* The thread that made the slot sleeps until the last helper has left. */
#define OWNER_WAITS (1u << 30)
/* Helpers may enter. */
#define OPEN (1u << 31)

static unsigned most_of(unsigned state)
{
    return state >> MOST_SHIFT & HELPERS;
}

static HdPlace *take_place(HdWorkSlots *s)
{
    uint32_t taken = atomic_load_explicit(&s->taken, memory_order_relaxed);

    while (~taken != 0) {
        unsigned i = (unsigned)__builtin_ctz(~taken);

        if (atomic_compare_exchange_weak_explicit(&s->taken, &taken, taken | UINT32_C(1) << i,
                                                  memory_order_acquire, memory_order_relaxed))
            return &s->at[i];
    }
    return NULL;
}

unsigned hd_work_slots_helpers(const HdPlace *at)
{
    return atomic_load_explicit(&at->state, memory_order_relaxed) & HELPERS;
}

HdPlace *hd_work_slots_open(HdWorkSlots *s, HdWorkSlot *o)
{
    HdPlace *at = take_place(s);

    if (at == NULL)
        return NULL;
    at->offer = o;
    atomic_store_explicit(&at->whose, o->whose, memory_order_relaxed);
    atomic_store_explicit(&at->to_wake, 0, memory_order_relaxed);
    atomic_fetch_or_explicit(&s->open, hd_work_slots_bit(s, at), memory_order_relaxed);
    atomic_store_explicit(&at->state, OPEN | o->max_helpers << MOST_SHIFT, memory_order_release);
    return at;
}

bool hd_work_slots_is_for(const HdPlace *at, const void *whose)
{
    return whose == NULL || atomic_load_explicit(&at->whose, memory_order_relaxed) == whose;
}

/* The open offer with the fewest helpers, and its state. */
static HdPlace *find(HdWorkSlots *s, uint32_t among, const void *whose, unsigned *state)
{
    HdPlace *best = NULL;

    for (; among != 0; among &= among - 1) {
        HdPlace *at = &s->at[__builtin_ctz(among)];
        unsigned now = atomic_load_explicit(&at->state, memory_order_relaxed);

        if ((now & OPEN) == 0 || (now & HELPERS) >= most_of(now) ||
            !hd_work_slots_is_for(at, whose) ||
            (best != NULL && (now & HELPERS) >= (*state & HELPERS)))
            continue;
        best = at;
        *state = now;
    }
    return best;
}

HdPlace *hd_work_slots_join(HdWorkSlots *s, uint32_t tried, const void *whose)
{
    for (;;) {
        unsigned state = 0;
        HdPlace *at =
            find(s, atomic_load_explicit(&s->open, memory_order_relaxed) & ~tried, whose, &state);

        /* It may be another offer by now: then that one is joined. */
        if (at == NULL ||
            atomic_compare_exchange_weak_explicit(&at->state, &state, state + 1,
                                                  memory_order_acquire, memory_order_relaxed))
            return at;
    }
}

void hd_work_slots_close(HdWorkSlots *s, HdPlace *at)
{
    if ((atomic_fetch_and_explicit(&at->state, ~OPEN, memory_order_relaxed) & OPEN) != 0)
        atomic_fetch_and_explicit(&s->open, ~hd_work_slots_bit(s, at), memory_order_relaxed);
}

bool hd_work_slots_leave(HdPlace *at)
{
    unsigned was = atomic_fetch_sub_explicit(&at->state, 1, memory_order_acq_rel);

    return (was & HELPERS) == 1 && (was & OWNER_WAITS) != 0;
}

bool hd_work_slots_look(HdPlace *at)
{
    unsigned state;

    do {
        state = atomic_load_explicit(&at->state, memory_order_acquire);
        if ((state & HELPERS) == 0)
            return true;
    } while (hd_lock_look(&at->state, state, &at->by));
    return false;
}

bool hd_work_slots_must_wait(HdPlace *at)
{
    return (atomic_fetch_or_explicit(&at->state, OWNER_WAITS, memory_order_acquire) & HELPERS) != 0;
}

void hd_work_slots_free(HdWorkSlots *s, HdPlace *at)
{
    atomic_store_explicit(&at->state, 0, memory_order_relaxed);
    atomic_fetch_and_explicit(&s->taken, ~hd_work_slots_bit(s, at), memory_order_release);
}
