/* lanes/transfer.h -- the shape of one instruction's result from those of its operands.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_TRANSFER_H
#define HD_LANES_TRANSFER_H

#include "lanes/shape.h"

/* Shape of v by what is known now; `seen` false when no operand is known yet. */
HdShape hd_shape_transfer(const HdShapes *s, HdIrRef v);

/* Does v compare an id that lanes count from a multiple of the width with a number?
 *   limit    true where the id is below that number
 *   negated  the reverse */
bool hd_shape_below(const HdShapes *s, HdIrRef v, int64_t *limit, bool *negated);

#endif
