/* base/pages.c -- hints to the system about large blocks of memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/pages.h"

#include <stdint.h>
#include <sys/mman.h>

#include "base/round.h"
#include "base/memory.h"

#define LARGE ((uintptr_t)1 << 21)

void hd_pages_use_all(void *block, size_t bytes)
{
    uintptr_t first = hd_round_up((uintptr_t)block, LARGE);
    uintptr_t end = ((uintptr_t)block + bytes) & ~(LARGE - 1);

#ifdef MADV_HUGEPAGE
    if (first < end)
        (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
#else
    (void)first;
    (void)end;
#endif
}

/* A last page is large when nearly all of it is expected to be used. */
size_t hd_pages_large(size_t expected)
{
    return (expected + LARGE / 8) & ~(size_t)(LARGE - 1);
}

void *hd_pages_alloc(size_t bytes, size_t expected)
{
    size_t large = hd_pages_large(expected < bytes ? expected : bytes);
    void *block;

    if (large == 0 || bytes > SIZE_MAX / 2)
        return hd_alloc(bytes);
    block = hd_alloc_aligned(LARGE, bytes > large ? bytes : large);
    if (block != NULL)
        hd_pages_use_all(block, large);
    return block;
}
