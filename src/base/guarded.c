/* base/guarded.c -- blocks of memory between pages that nothing can access.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/guarded.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/round.h"

#define GUARD ((size_t)1 << 20) /* bytes at either end; a multiple of every page size */

static size_t inner(size_t bytes)
{
    return (size_t)hd_round_up(bytes, (size_t)sysconf(_SC_PAGESIZE));
}

void *hd_guarded_alloc(size_t bytes)
{
    size_t all = inner(bytes) + 2 * GUARD;
    unsigned char *at;

    if (all < bytes || hd_test_alloc_fails())
        return NULL;
    at = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    if (mprotect(at + GUARD, inner(bytes), PROT_READ | PROT_WRITE) != 0) {
        munmap(at, all);
        return NULL;
    }
    return at + GUARD;
}

void hd_guarded_free(void *block, size_t bytes)
{
    if (block != NULL)
        munmap((unsigned char *)block - GUARD, inner(bytes) + 2 * GUARD);
}
