/* cl/block.h -- memory for kernel arguments: buffers, images, pipes, allocations.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_BLOCK_H
#define HD_CL_BLOCK_H

#include <stddef.h>

/* Memory with the alignment of buffers; NULL when there is none.
 *   block  what is to be given to hd_free */
void *hd_block_take(size_t size, void **block);

#endif
