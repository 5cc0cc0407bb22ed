/* opt/demanded_bits.h -- how many of the lower bits of each integer are used.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPT_DEMANDED_BITS_H
#define HD_OPT_DEMANDED_BITS_H

#include "ir/ir.h"

/* need[ref] for all instructions that exist now; 0 for unused values. Undefined for
 * non-integers. */
HdStatus hd_opt_demanded_bits(const HdIrFunc *f, HdArena *a, uint8_t **need);
/* How many lower bits of its operand k, an integer, make a difference to those of `user` that are
 * needed? */
unsigned hd_opt_demanded(const HdIrFunc *f, const uint8_t *need, HdIrRef user, unsigned k);

#endif
