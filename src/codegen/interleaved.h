/* codegen/interleaved.h -- values of all lanes in memory layout.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_INTERLEAVED_H
#define HD_CODEGEN_INTERLEAVED_H

#include "codegen/gen.h"

/* The values m[0] … m[parts - 1] of all lanes in memory layout, if that is cheaper than emitting
 * each separately and combining them; else NULL. */
LLVMValueRef hd_gen_interleaved(HdGen *g, const HdIrRef *m, unsigned parts);

#endif
