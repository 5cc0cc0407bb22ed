/* rt/private_atomics.c -- a thread's table of additions to global memory: emptying it, and making
 * room.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/private_atomics.h"

#include <string.h>

/* A line that is not there costs as much as several additions that lock theirs. */
#define MISS  8
#define START 1024 /* additions' worth, for a table that is still empty */

static void flush_line(HdRtPrivateAtomics *s, unsigned slot)
{
    uint32_t *sum = &s->sum[slot * HD_RT_SUM_WORDS];
    uint32_t *to = (uint32_t *)(uintptr_t)(s->line[slot] << HD_RT_SUM_LINE_SHIFT);

    if (s->line[slot] == 0)
        return;
    for (unsigned i = 0; i < HD_RT_SUM_WORDS; i++)
        if (sum[i] != 0)
            __atomic_fetch_add(&to[i], sum[i], __ATOMIC_RELAXED);
    memset(sum, 0, HD_RT_SUM_WORDS * sizeof *sum);
    s->line[slot] = 0;
}

void hd_rt_private_atomics_open(HdRtPrivateAtomics *s)
{
    s->spare = START;
}

void hd_rt_private_atomics_flush(HdRtPrivateAtomics *s)
{
    if (!s->is_used)
        return;
    for (unsigned i = 0; i < HD_RT_SUM_LINES; i++)
        flush_line(s, i);
    s->is_used = false;
}

uint64_t hd_rt_sum(HdRtGroup *g, const uint64_t *operands)
{
    HdRtPrivateAtomics *s = g->sums;
    uint64_t line = operands[0] >> HD_RT_SUM_LINE_SHIFT;
    unsigned slot = (unsigned)(line % HD_RT_SUM_LINES);

    flush_line(s, slot);
    s->spare -= MISS;
    s->is_used = true;
    s->line[slot] = line;
    s->sum[operands[0] % HD_RT_SUM_BYTES / 4] += (uint32_t)operands[1];
    return 0;
}
