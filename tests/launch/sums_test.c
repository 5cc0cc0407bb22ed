/* tests/launch/sums_test.c -- a thread's table of additions: nothing is lost, and it is given up
 * where it does not help.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "base/memory.h"
#include "check.h"
#include "rt/private_atomics.h"

#define MOST (1u << 22) /* counters: 64 times what the table has room for */

typedef struct Table {
    HdRtPrivateAtomics *sums;
    uint32_t *to;
    uint64_t seed;
} Table;

/* As compiled code does it. */
static void add(Table *t, uint32_t counter)
{
    HdRtGroup g = {.sums = t->sums};
    uint64_t at = (uint64_t)(uintptr_t)&t->to[counter], operands[2] = {at, 1};
    uint64_t line = at >> HD_RT_SUM_LINE_SHIFT;

    if (t->sums->spare <= 0) {
        t->to[counter]++;
        return;
    }
    t->sums->spare++;
    if (t->sums->line[line % HD_RT_SUM_LINES] == line)
        t->sums->sum[at % HD_RT_SUM_BYTES / 4]++;
    else
        hd_rt_sum(&g, operands);
}

static uint32_t next(Table *t)
{
    t->seed = t->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(t->seed >> 33);
}

/* Additions at random places of so many counters, in a launch of so many work-items that took so
 * long before; is the table still in use? All counters together say whether any was lost. */
static bool is_used_by(Checks *c, Table *t, uint32_t counters, uint32_t additions, uint64_t items,
                       uint64_t ns, bool few)
{
    uint64_t sum = 0;
    bool is;

    for (uint32_t i = 0; i < counters; i++)
        t->to[i] = 0;
    hd_rt_private_atomics_open(t->sums, items, ns);
    for (uint32_t i = 0; i < additions; i++) {
        add(t, next(t) % counters);
        if (few && i % 1000 == 0)
            hd_rt_private_atomics_flush_few(t->sums);
    }
    is = t->sums->spare > 0;
    hd_rt_private_atomics_flush(t->sums);
    CHECK(c, t->sums->count == 0);
    for (uint32_t i = 0; i < counters; i++)
        sum += t->to[i];
    CHECK(c, sum == additions);
    return is;
}

/* One of each work-item, in the first launch. */
static bool is_used(Checks *c, Table *t, uint32_t counters, uint32_t additions, bool few)
{
    return is_used_by(c, t, counters, additions, additions, 0, few);
}

int main(void)
{
    Checks c = {0};
    Table t = {.sums = hd_alloc_zero(sizeof *t.sums), .to = hd_alloc_aligned(64, MOST * 4)};

    CHECK(&c, t.sums != NULL && t.to != NULL);
    for (unsigned few = 0; few < 2; few++) {
        CHECK(&c, is_used(&c, &t, 1, 100000, few != 0));
        CHECK(&c, is_used(&c, &t, 256, 100000, few != 0));
        CHECK(&c, is_used(&c, &t, 4096, 100000, few != 0));
        CHECK(&c, is_used(&c, &t, 65536, 1000000, few != 0));
        CHECK(&c, !is_used(&c, &t, 262144, 1000000, few != 0));
        CHECK(&c, !is_used(&c, &t, MOST, 1000000, few != 0));
        CHECK(&c, !is_used(&c, &t, 65536, 8192, few != 0)); /* too few to be worth it */
        CHECK(&c, is_used(&c, &t, 64, 100, few != 0));
        CHECK(&c, is_used(&c, &t, 16384, 131072, few != 0)); /* lines get 128 each */
        CHECK(&c, !is_used(&c, &t, 131072, 131072, few != 0));
        CHECK(&c, is_used_by(&c, &t, 65536, 1000000, 64, 10000000, few != 0));
        CHECK(&c, !is_used_by(&c, &t, 65536, 1000000, 64, 100000, few != 0));
    }
    hd_free(t.sums);
    hd_free(t.to);
    return checks_end(&c, "sums");
}
