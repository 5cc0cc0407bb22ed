/* opt/promote.h -- from variables to SSA values.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPT_PROMOTE_H
#define HD_OPT_PROMOTE_H

#include "ir/graph.h"

/* In var_of: an instruction that accesses no variable. */
#define HD_IR_NO_VAR UINT32_MAX

/* A variable. `shape` and `stride` are those of its phis, and of wide functions' only. */
typedef struct HdIrVar {
    HdIrType type;
    uint8_t shape; /* HdIrShape */
    int64_t stride;
} HdIrVar;

/* Replace loads and stores of variables by values.
 *   var_of  [insts.count] which variable a LOAD or STORE, SLOT_GET or SLOT_SET is of, HD_IR_NO_VAR
 *           for all others
 * Loads and stores may have another type of the same size. What is read before anything was
 * stored is UNDEF. All blocks must be reachable. */
HdStatus hd_opt_promote(HdIrFunc *f, HdArena *scratch, const HdIrGraph *g, const HdIrVar *vars,
                        uint32_t var_count, const uint32_t *var_of);

#endif
