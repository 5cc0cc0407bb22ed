/* ir/ahead.h -- accesses whose addresses later work-items have in memory already.
 *
 * In a[x[i]] the numbers x of the work-items that come next lie behind those of this one, so that
 * what they will access can be asked for before it is their turn (codegen/ahead.c).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_IR_AHEAD_H
#define HD_IR_AHEAD_H

#include "ir/memory.h"

/* The load of a wide function that `access`, of each lane's own place in global memory, gets its
 * places from, those of neighbours side by side; 0: there is none. Not where only some lanes make
 * the access. */
HdIrRef hd_ir_ahead(const HdIrFunc *f, HdIrRef access);

/* The kinds of memory that a function accesses so, where arguments are told apart. */
unsigned hd_ir_ahead_kinds(const HdIrFunc *f);

#endif
