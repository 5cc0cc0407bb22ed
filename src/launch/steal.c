/* launch/steal.c -- distribution of the work-groups of one launch to threads.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/steal.h"

static uint64_t range_of(uint64_t first, uint64_t end)
{
    return end << 32 | first;
}

static uint64_t length_of(uint64_t range)
{
    return (range >> 32) - (range & UINT32_MAX);
}

void hd_steal_open(HdSteal *s, uint64_t total, unsigned count)
{
    uint64_t units, each, more, at = 0;

    s->total = total;
    s->unit = (total >> 32) + 1;
    units = total / s->unit + (total % s->unit != 0);
    s->count = count < HD_STEAL_MOST ? count : HD_STEAL_MOST;
    atomic_init(&s->claimed, 0);
    each = units / s->count;
    more = units % s->count;
    for (unsigned i = 0; i < s->count; i++) {
        uint64_t end = at + each + (i < more);

        atomic_init(&s->at[i].left, range_of(at, end));
        at = end;
    }
}

unsigned hd_steal_claim(HdSteal *s, unsigned processor)
{
    unsigned mine = processor % s->count;

    for (unsigned i = 0; i < s->count; i++) {
        unsigned k = (mine + i) % s->count;
        uint64_t bit = UINT64_C(1) << k;

        if ((atomic_fetch_or_explicit(&s->claimed, bit, memory_order_relaxed) & bit) == 0)
            return k;
    }
    return mine;
}

/* Take from one share; 0 when it is empty. */
static uint64_t take_from(HdSteal *s, HdShare *share, bool front, unsigned pieces, uint64_t most,
                          uint64_t *first)
{
    uint64_t was = atomic_load_explicit(&share->left, memory_order_relaxed), now, count, at;

    most = most > s->unit ? most / s->unit : 1;
    do {
        uint64_t left = length_of(was);

        if (left == 0)
            return 0;
        count = (left + pieces - 1) / pieces;
        count = count < most ? count : most;
        at = front ? was & UINT32_MAX : (was >> 32) - count;
        now = front ? was + count : was - (count << 32);
    } while (!atomic_compare_exchange_weak_explicit(&share->left, &was, now, memory_order_relaxed,
                                                    memory_order_relaxed));
    *first = at * s->unit;
    count *= s->unit;
    return count < s->total - *first ? count : s->total - *first;
}

uint64_t hd_steal_take(HdSteal *s, unsigned mine, unsigned pieces, uint64_t most, uint64_t *first)
{
    uint64_t count = take_from(s, &s->at[mine], true, pieces, most, first);

    while (count == 0) {
        uint64_t longest = 0;
        unsigned from = mine;

        for (unsigned i = 0; i < s->count; i++) {
            uint64_t left = length_of(atomic_load_explicit(&s->at[i].left, memory_order_relaxed));

            if (left > longest) {
                longest = left;
                from = i;
            }
        }
        if (longest == 0)
            return 0;
        count = take_from(s, &s->at[from], false, pieces, most, first);
    }
    return count;
}

bool hd_steal_has_more(const HdSteal *s)
{
    for (unsigned i = 0; i < s->count; i++)
        if (length_of(atomic_load_explicit(&s->at[i].left, memory_order_relaxed)) != 0)
            return true;
    return false;
}
