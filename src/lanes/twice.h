/* lanes/twice.h -- a kernel that is there twice: for values that only the host knows, and for all.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_TWICE_H
#define HD_LANES_TWICE_H

#include "ir/ir.h"

#define HD_TWICE_VALUES 6u

typedef struct HdLaneValue {
    HdIrRef of;     /* made of constants and arguments alone */
    uint64_t value; /* that it should have */
} HdLaneValue;

/* What a kernel begins with, but its variables, goes to a block of its own, whose number this
 * returns; 0 without memory. Nothing leads there yet. */
uint32_t hd_lanes_split_entry(HdIrFunc *f);
/* Copy a kernel: where all values are what they should be it begins with the copy, in which they
 * are constants. `f` has one exit. Errors: HD_NO_MEMORY. */
HdStatus hd_lanes_twice(HdIrFunc *f, const HdLaneValue *values, unsigned count, HdArena *a);

#endif
