/* base/pages.c -- hints to the system about large blocks of memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/pages.h"

#include <stdint.h>
#include <sys/mman.h>

#define LARGE ((uintptr_t)1 << 21)

void hd_pages_use_all(void *block, size_t bytes)
{
    uintptr_t first = ((uintptr_t)block + LARGE - 1) & ~(LARGE - 1);
    uintptr_t end = ((uintptr_t)block + bytes) & ~(LARGE - 1);

#ifdef MADV_HUGEPAGE
    if (first < end)
        (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
#else
    (void)first;
    (void)end;
#endif
}
