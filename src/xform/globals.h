/* xform/globals.h -- types, constants and variables in an order in which each comes before its
 * uses.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_GLOBALS_H
#define HD_XFORM_GLOBALS_H

#include "module/module.h"

/* Definitions that need each other, so that no order is right: some that are on the way around. */
typedef struct HdCycle {
    HdId ids[8];
    uint32_t count; /* 0: there is none */
} HdCycle;

/* Put the instructions between two words of a module, its types, constants and variables, in order.
 * What is in order stays. Nothing changes if there is a cycle.
 * Errors: HD_NO_MEMORY, HD_BAD_INPUT for a module that cannot be read. */
HdStatus hd_xform_order_globals(uint32_t *words, size_t nwords, uint32_t from, uint32_t to,
                                HdDiags *d, HdCycle *cycle);

#endif
