/* lanes/version.h -- duplication of a kernel: for particular values that only the host knows, and
 * for all.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_VERSION_H
#define HD_LANES_VERSION_H

#include "ir/ir.h"

#define HD_TWICE_VALUES 6u

typedef struct HdLaneValue {
    HdIrRef of;     /* derived from constants and arguments only */
    uint64_t value; /* that it should have */
} HdLaneValue;

/* Moves the contents of the entry block, except its variables, to a separate block, whose number
 * this returns; 0 without memory. Nothing branches there yet. */
uint32_t hd_lanes_split_entry(HdIrFunc *f);
/* Copy a kernel: where all values are what they should be it begins with the copy, in which they
 * are constants. `f` has one exit. Errors: HD_NO_MEMORY. */
HdStatus hd_lanes_version(HdIrFunc *f, const HdLaneValue *values, unsigned count, HdArena *a);

#endif
