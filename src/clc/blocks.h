/* clc/blocks.h -- enqueued blocks, bypassing clang's SPIR-V back end.
 *
 * The back end crashes on calls to __enqueue_kernel_basic and similar functions, and loses what
 * __get_kernel_… query. So in textual LLVM IR these become calls to imported functions named after
 * the block's kernel, and xform/blocks.c gives them bodies in the module.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_BLOCKS_H
#define HD_CLC_BLOCKS_H

#include "clc/clc.h"

/* May a source enqueue anything, or what it includes? */
bool hd_clc_has_blocks(const HdClcSource *source, const HdClcOptions *o);
/* LLVM's text with such calls replaced. Errors: HD_NO_MEMORY. */
HdStatus hd_clc_mark_blocks(const char *text, HdStrbuf *out);

#endif
