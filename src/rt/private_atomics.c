/* rt/private_atomics.c -- a thread's table of additions to global memory: emptying it, and making
 * room.
 *
 * The table has room for 64 Ki counters. What is beyond the first cache it still finds in a few
 * nanoseconds, in the second one; a lock takes longer, and ten times as long where another thread
 * has locked the line before.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/private_atomics.h"

#include <string.h>

/* A line that is not there costs as much as so many additions that lock theirs save: it is found
 * by a call, and has to be added to memory in the end. */
#define MISS 16
/* Additions' worth that a launch begins with: at most enough for all lines to be found first, if
 * places are random (50,000). Of fewer work-items than there are counters each line gets too few
 * additions; but work-items may make many, which takes time. */
#define LEAST       1024u
#define MOST        65536u
#define ITEMS_SHARE 16u
#define NS_SHARE    64u
/* A table is worth it where each of its lines gets so many additions. */
#define WORTH 48u
/* Additions take so long at least, or their work-items. */
#define ADDITION_NS 8u
/* Misses at which that is judged: at powers of two between these. */
#define FIRST_JUDGED 256u
#define LAST_JUDGED  1024u
/* A sub-group's additions are counted before they are looked for: half of them, on average. */
#define AHEAD 8u
/* So few lines are added to memory whenever some groups have run. */
#define FEW 64u

static void flush_line(HdRtPrivateAtomics *s, unsigned slot)
{
    uint32_t *sum = &s->sum[slot * HD_RT_SUM_WORDS];
    uint32_t *to = (uint32_t *)(uintptr_t)(s->line[slot] << HD_RT_SUM_LINE_SHIFT);

    for (unsigned i = 0; i < HD_RT_SUM_WORDS; i++)
        if (sum[i] != 0)
            __atomic_fetch_add(&to[i], sum[i], __ATOMIC_RELAXED);
    memset(sum, 0, HD_RT_SUM_WORDS * sizeof *sum);
    s->line[slot] = 0;
}

void hd_rt_private_atomics_open(HdRtPrivateAtomics *s, uint64_t items, uint64_t ns)
{
    uint64_t by_items = items / ITEMS_SHARE, by_ns = ns / NS_SHARE;
    uint64_t start = LEAST + (by_items > by_ns ? by_items : by_ns);

    s->spare = s->start = (int64_t)(start < MOST ? start : MOST);
    s->misses = 0;
    s->lines = 0;
    s->expected = items > ns / ADDITION_NS ? items : ns / ADDITION_NS;
}

void hd_rt_private_atomics_flush(HdRtPrivateAtomics *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        flush_line(s, s->used[i]);
    s->count = 0;
}

void hd_rt_private_atomics_flush_few(HdRtPrivateAtomics *s)
{
    if (s->count <= FEW)
        hd_rt_private_atomics_flush(s);
}

/* Of n additions at random places in so many lines n * n / (2 * lines), about, find theirs while
 * they are few. If that makes lines that get many additions, all of them may be found. */
static void judge(HdRtPrivateAtomics *s)
{
    uint64_t misses = s->misses, all = (uint64_t)(s->spare - s->start) + MISS * misses, lines;

    if (misses < FIRST_JUDGED || misses > LAST_JUDGED || (misses & (misses - 1)) != 0 ||
        all <= misses + AHEAD)
        return;
    all -= AHEAD;
    lines = all * all / (2 * (all - misses));
    if (lines > HD_RT_SUM_LINES || lines * WORTH > s->expected || lines <= s->lines)
        return;
    s->spare += (int64_t)(MISS * (lines - s->lines));
    s->start += (int64_t)(MISS * (lines - s->lines));
    s->lines = lines;
}

uint64_t hd_rt_sum(HdRtGroup *g, const uint64_t *operands)
{
    HdRtPrivateAtomics *s = g->sums;
    uint64_t line = operands[0] >> HD_RT_SUM_LINE_SHIFT;
    unsigned slot = (unsigned)(line % HD_RT_SUM_LINES);

    if (s->line[slot] != 0)
        flush_line(s, slot);
    else
        s->used[s->count++] = (uint16_t)slot;
    s->spare -= MISS;
    s->misses++;
    judge(s);
    s->line[slot] = line;
    s->sum[operands[0] % HD_RT_SUM_BYTES / 4] += (uint32_t)operands[1];
    return 0;
}
