/* jit/costs.h -- what operations cost on each family of processors.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_JIT_COSTS_H
#define HD_JIT_COSTS_H

#include "codegen/costs.h"

/* Of Xeons with AVX-512, and of all that nobody measured; of EPYCs of family 25 and of family 26.
 */
extern const HdCpuCosts hd_costs_xeon, hd_costs_avx2, hd_costs_zen4, hd_costs_zen5;

/* An operation's on one register of elements of so many bytes. */
HdOpCost hd_costs_of(const HdCycleCosts *c, HdIrOp op, unsigned bytes);

#endif
