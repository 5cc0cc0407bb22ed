/* cl/block.c -- memory for what kernels are given.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/block.h"

#include <stdint.h>

#include "base/memory.h"
#include "base/pages.h"
#include "cl/limits.h"

#define LARGE_PAGE ((size_t)2 << 20)

/* Large blocks begin where a large page does, so that more of them lie in such; but each a bit
 * further behind it than the one before, lest what a kernel goes through side by side falls into
 * the same sets of the caches. */
static size_t stagger(size_t size)
{
    static _Atomic unsigned turn;

    return size < LARGE_PAGE ? 0 : (size_t)(turn++ % 8) * (4096 + 2 * HD_MEM_ALIGN);
}

void *hd_block_take(size_t size, void **block)
{
    size_t behind = stagger(size), align = size >= LARGE_PAGE ? LARGE_PAGE : HD_MEM_ALIGN;

    *block = NULL;
    if (size > SIZE_MAX - align - behind)
        return NULL;
    *block = hd_alloc(size + align + behind);
    if (*block == NULL)
        return NULL;
    hd_pages_use_all(*block, size + align + behind);
    return (void *)((((uintptr_t)*block + align - 1) & ~(uintptr_t)(align - 1)) + behind);
}
