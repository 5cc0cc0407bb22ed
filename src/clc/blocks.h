/* clc/blocks.h -- blocks that are enqueued: past clang's SPIR-V back end.
 *
 * The back end ends in a crash on calls of __enqueue_kernel_basic and its like, and loses what
 * __get_kernel_… ask about. So these become calls of imported functions in LLVM's text, which are
 * named after the block's kernel, and xform/blocks.c gives them bodies in the module.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_BLOCKS_H
#define HD_CLC_BLOCKS_H

#include "clc/clc.h"

/* May a source enqueue anything, or what it includes? */
bool hd_clc_has_blocks(const char *source, const HdClcHeader *headers, size_t header_count);
/* LLVM's text with such calls replaced. Errors: HD_NO_MEMORY. */
HdStatus hd_clc_mark_blocks(const char *text, HdStrbuf *out);

#endif
