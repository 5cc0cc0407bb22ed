/* base/pages.h -- hints to the system about large blocks of memory.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_PAGES_H
#define HD_BASE_PAGES_H

#include <stddef.h>

/* All of the block will be used, in no order: it may come in large pages, where it is large. */
void hd_pages_use_all(void *block, size_t bytes);

/* A block of the heap, for hd_free, of at least `bytes`, of which the first `expected` are likely
 * to be used: those come in large pages, if they nearly fill them. What comes after them takes
 * memory where it is used only. NULL when there is no memory. */
void *hd_pages_alloc(size_t bytes, size_t expected);
/* How many bytes of `expected` hd_pages_alloc has in large pages. */
size_t hd_pages_large(size_t expected);

#endif
