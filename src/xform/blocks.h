/* xform/blocks.h -- blocks that are enqueued: from imported functions to instructions.
 *
 * Compiling OpenCL C leaves calls of "__heddle_enqueue.KERNEL" and its like (clc/blocks.h). Here
 * these functions get a body of OpEnqueueKernel or OpGetKernel… with that kernel as Invoke, which
 * then is an entry point no more.
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
