/* opt/need.h -- of how many of its lower bits anybody takes notice, for each integer of a function.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPT_NEED_H
#define HD_OPT_NEED_H

#include "ir/ir.h"

/* need[ref] for all that have one now; 0 for what nobody looks at. Of what is no integer it says
 * nothing. */
HdStatus hd_opt_need(const HdIrFunc *f, HdArena *a, uint8_t **need);
/* How many lower bits of its operand k, an integer, make a difference to those of `user` that are
 * needed? */
unsigned hd_opt_needed(const HdIrFunc *f, const uint8_t *need, HdIrRef user, unsigned k);

#endif
