/* cl/backing.h -- memory for kernel arguments: buffers, images, pipes, allocations.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_BACKING_H
#define HD_CL_BACKING_H

#include <stddef.h>

/* Memory with the alignment of buffers at least; NULL when there is none.
 *   alignment  in bytes: a power of two, or 0
 *   block      what is to be given to hd_free */
void *hd_backing_take(size_t size, size_t alignment, void **block);

#endif
