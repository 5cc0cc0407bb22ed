/* codegen/prefetch.h -- prefetches in grid-stride loops.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_PREFETCH_H
#define HD_CODEGEN_PREFETCH_H

#include "codegen/gen.h"

/* Code is about to read that many bytes: prefetch what a grid-stride loop will read there some
 * iterations later. */
void hd_gen_prefetch(HdGen *g, HdIrRef load, uint64_t bytes);

#endif
