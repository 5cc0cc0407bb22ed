/* ir/promote.h -- from variables to SSA values.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_IR_PROMOTE_H
#define HD_IR_PROMOTE_H

#include "ir/graph.h"

#define HD_IR_NO_VAR UINT32_MAX

/* Replace loads and stores of variables by values.
 *   types   type of each variable
 *   var_of  [insts.count] which variable a LOAD or STORE is of, HD_IR_NO_VAR for all others
 * Loads and stores may have another type of the same size. What is read before anything was
 * stored is UNDEF. All blocks must be reachable. */
HdStatus hd_ir_promote(HdIrFunc *f, HdArena *scratch, const HdIrGraph *g, const HdIrType *types,
                       uint32_t var_count, const uint32_t *var_of);

#endif
