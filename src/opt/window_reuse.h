/* opt/window_reuse.h -- windows that slide along memory: what an iteration loads that the next one
 * loads again.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPT_WINDOW_REUSE_H
#define HD_OPT_WINDOW_REUSE_H

#include "ir/graph.h"

/* Operations of an iteration that repeat those of the one before, once all of them are
 * straight-line code: loads at a constant distance from others by which the loop proceeds, their
 * addresses and extensions. 0 unless at least half of the loads are such. */
uint32_t hd_opt_window_reuse(const HdIrFunc *f, const HdIrGraph *g, uint32_t loop);

#endif
