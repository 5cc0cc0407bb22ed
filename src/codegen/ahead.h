/* codegen/ahead.h -- asking for what later sub-groups access.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_AHEAD_H
#define HD_CODEGEN_AHEAD_H

#include "codegen/gen.h"

/* Before an access: ask for what later sub-groups access there, where the launch has it far away
 * and their places are known. */
void hd_gen_ask_ahead(HdGen *g, HdIrRef r);

#endif
