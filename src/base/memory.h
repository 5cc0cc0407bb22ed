/* base/memory.h -- the only interface to the allocator.
 *
 * Everything that Heddle allocates comes through here, so that tests can make the Nth allocation
 * fail and can count what is still held. Long-lived objects use these directly; everything whose
 * lifetime is a module, a pass, a build or a launch uses an arena (base/arena.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_MEMORY_H
#define HD_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Allocate `bytes` (uninitialised) or zeroed memory; NULL when there is none. bytes may be 0. */
void *hd_alloc(size_t bytes);
void *hd_alloc_zero(size_t bytes);
/* Uninitialised, at a multiple of a power of two. */
void *hd_alloc_aligned(size_t alignment, size_t bytes);
/* Resize; NULL leaves the old block as it was. */
void *hd_realloc(void *old, size_t bytes);
void hd_free(void *block);
/* Copy a string; NULL when there is no memory. */
char *hd_strdup(const char *s);
/* Copy bytes; NULL when there is no memory. */
void *hd_memdup(const void *from, size_t bytes);

/* Testing: make the nth allocation from now fail, once (0 = never). Process-wide. */
void hd_test_fail_alloc(uint64_t nth);
/* Testing: did the allocation named by hd_test_fail_alloc fail? */
bool hd_test_alloc_failed(void);
/* Testing: count one allocation that an allocator on top of this one (base/arena.h) makes from
 * memory that it holds already; true when it is the one that must fail. */
bool hd_test_alloc_fails(void);
/* Testing: blocks allocated and not freed, process-wide. */
int64_t hd_test_live_blocks(void);

#endif
