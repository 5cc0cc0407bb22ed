/* codegen/debug.h -- debug information.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_DEBUG_H
#define HD_CODEGEN_DEBUG_H

#include "codegen/gen.h"

/* Once the function exists, the kernel first; for each instruction before its code; at the end.
 */
void hd_gen_debug_open(HdGen *g, const HdCodegenRequest *q);
void hd_gen_debug_at(HdGen *g, const HdIrInst *in);
void hd_gen_debug_close(HdGen *g);

#endif
