/* launch/steal.h -- distribution of the work-groups of one launch to threads.
 *
 * Each processor has a share of neighbouring groups, the same one in every launch of that size:
 * what it has read and written is in its own cache, and two of them write to the same cache lines
 * only where their shares meet. A thread that has finished its share steals from the far end of
 * another one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_STEAL_H
#define HD_LAUNCH_STEAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Shares of a launch at most, each in a line of the cache; further threads steal from them. */
#define HD_STEAL_MOST 64u

typedef struct HdShare {
    /* A cache line each. Units not taken yet: first in the lower half, end in the upper half. */
    _Alignas(64) _Atomic uint64_t left;
} HdShare;

typedef struct HdSteal {
    uint64_t total, unit; /* groups; groups of a unit, the last one may have fewer */
    unsigned count;
    _Atomic uint64_t claimed; /* bit i: a thread has begun with share i */
    HdShare at[HD_STEAL_MOST];
} HdSteal;

/* Divide `total` groups evenly; count is at least 1, at most HD_STEAL_MOST count. */
void hd_steal_open(HdSteal *s, uint64_t total, unsigned count);
/* The first share of a thread: that of its processor, or another that no thread has started with,
 * if there is one. */
unsigned hd_steal_claim(HdSteal *s, unsigned processor);
/* Take a piece, one of `pieces` of what is left: of `mine` from its front, of another share from
 * its end. Returns how many groups, at most `most` (roughly), 0 when none is left. Any thread. */
uint64_t hd_steal_take(HdSteal *s, unsigned mine, unsigned pieces, uint64_t most, uint64_t *first);
bool hd_steal_has_more(const HdSteal *s);

#endif
