/* base/guarded.h -- blocks of memory between pages that nothing can access.
 *
 * What compiled code writes a little behind or before such a block ends in its last page or in a
 * fault, not in the data of another.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_GUARDED_H
#define HD_BASE_GUARDED_H

#include <stddef.h>

/* Zeroed, at the start of a page; NULL when there is no memory. bytes may be 0. */
void *hd_guarded_alloc(size_t bytes);
void hd_guarded_free(void *block, size_t bytes); /* as many as were asked for; block may be NULL */

#endif
