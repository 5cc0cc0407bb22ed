/* xform/globals.h -- types, constants and variables in an order in which each comes before its
 * uses.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_GLOBALS_H
#define HD_XFORM_GLOBALS_H

#include "module/module.h"

/* Put the instructions between two words of a module, its types, constants and variables, in order.
 * What is in order stays.
 * Errors: HD_NO_MEMORY, HD_BAD_INPUT for a module that cannot be read. */
HdStatus hd_xform_order_globals(uint32_t *words, size_t nwords, uint32_t from, uint32_t to,
                                HdDiags *d);

#endif
