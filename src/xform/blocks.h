/* xform/blocks.h -- blocks that are enqueued: from imported functions to instructions.
 *
 * Compiling OpenCL C leaves calls to "__heddle_enqueue.KERNEL" and similar functions
 * (clc/blocks.h). Here they get a body with OpEnqueueKernel or OpGetKernel… that has the kernel as
 * Invoke, which then is no longer an entry point.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_BLOCKS_H
#define HD_XFORM_BLOCKS_H

#include "module/edit.h"
#include "module/module.h"

/* out, done: as hd_xform_resolve. Errors: HD_NO_MEMORY. */
HdStatus hd_xform_blocks(const HdModule *m, HdWriter *out, bool *done);

#endif
