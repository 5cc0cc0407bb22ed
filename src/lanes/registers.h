/* lanes/registers.h -- slots of large wide functions become SSA values.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_REGISTERS_H
#define HD_LANES_REGISTERS_H

#include "ir/ir.h"

/* Does LLVM take long for this wide function's slots? Regions keep theirs. */
bool hd_lanes_has_many_slots(const HdIrFunc *f, HdArena *scratch);
/* Replace the slots of a wide function by values and phis, except those of addresses, which have
 * parts. Its blocks are renumbered, each after those that dominate it. Errors: no memory. */
HdStatus hd_lanes_registers(HdIrFunc *f, HdArena *scratch);

#endif
