/* base/memory.c -- allocation with a failure point for tests.
 *
 * The three counters are process-wide on purpose (they are on lint's list of mutable globals): a
 * test that fails the Nth allocation must count those of every thread.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/round.h"

static atomic_llong fail_in; /* allocations until one fails; 0 = never */
static atomic_bool has_failed;
static atomic_llong live_blocks;

bool hd_test_alloc_fails(void)
{
    if (atomic_load_explicit(&fail_in, memory_order_relaxed) == 0)
        return false;
    if (atomic_fetch_sub(&fail_in, 1) != 1)
        return false;
    atomic_store(&has_failed, true);
    return true;
}

static void *counted(void *block)
{
    if (block != NULL)
        atomic_fetch_add_explicit(&live_blocks, 1, memory_order_relaxed);
    return block;
}

void *hd_alloc(size_t bytes)
{
    return hd_test_alloc_fails() ? NULL : counted(malloc(bytes ? bytes : 1));
}

void *hd_alloc_zero(size_t bytes)
{
    return hd_test_alloc_fails() ? NULL : counted(calloc(bytes ? bytes : 1, 1));
}

void *hd_alloc_aligned(size_t alignment, size_t bytes)
{
    bytes = hd_round_up(bytes, alignment);
    return hd_test_alloc_fails() ? NULL : counted(aligned_alloc(alignment, bytes));
}

void *hd_realloc(void *old, size_t bytes)
{
    if (old == NULL)
        return hd_alloc(bytes);
    return hd_test_alloc_fails() ? NULL : realloc(old, bytes ? bytes : 1);
}

void hd_free(void *block)
{
    if (block != NULL)
        atomic_fetch_sub_explicit(&live_blocks, 1, memory_order_relaxed);
    free(block);
}

void *hd_memdup(const void *from, size_t bytes)
{
    void *to = hd_alloc(bytes);

    return to != NULL ? memcpy(to, from, bytes) : NULL;
}

char *hd_strdup(const char *s)
{
    size_t bytes = strlen(s) + 1;
    char *copy = hd_alloc(bytes);

    if (copy != NULL)
        memcpy(copy, s, bytes);
    return copy;
}

void hd_test_fail_alloc(uint64_t nth)
{
    atomic_store(&has_failed, false);
    atomic_store(&fail_in, (long long)nth);
}

bool hd_test_alloc_failed(void)
{
    return atomic_load(&has_failed);
}

int64_t hd_test_live_blocks(void)
{
    return atomic_load(&live_blocks);
}
