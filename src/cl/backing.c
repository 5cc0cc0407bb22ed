/* cl/backing.c -- memory for kernel arguments.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/backing.h"

#include <stdint.h>

#include "base/round.h"
#include "base/memory.h"
#include "base/pages.h"
#include "cl/limits.h"

#define LARGE_PAGE ((size_t)2 << 20)

/* Large blocks are aligned to huge pages, so that more of them is in such pages; but each at a
 * slightly larger offset than the previous one, so that arrays that a kernel traverses in parallel
 * do not map to the same cache sets. */
static size_t stagger(size_t size)
{
    static _Atomic unsigned turn;

    return size < LARGE_PAGE ? 0 : (size_t)(turn++ % 8) * (4096 + 2 * HD_MEM_ALIGN);
}

void *hd_backing_take(size_t size, size_t alignment, void **block)
{
    size_t align = size >= LARGE_PAGE ? LARGE_PAGE : HD_MEM_ALIGN, offset = stagger(size);

    if (alignment > align)
        align = alignment;
    if (alignment != 0)
        offset = hd_round_up(offset, alignment);
    *block = NULL;
    if (size > SIZE_MAX - align - offset)
        return NULL;
    *block = hd_alloc(size + align + offset);
    if (*block == NULL)
        return NULL;
    hd_pages_use_all(*block, size + align + offset);
    return (unsigned char *)hd_align_pointer(*block, align) + offset;
}
