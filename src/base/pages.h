/* base/pages.h -- hints to the system about large blocks of memory.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_PAGES_H
#define HD_BASE_PAGES_H

#include <stddef.h>

/* All of the block will be used, in no order: it may come in large pages, where it is large. */
void hd_pages_use_all(void *block, size_t bytes);

#endif
