/* ops/atomic/order_build.h -- memory semantics as orders of lane IR.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_ATOMIC_ORDER_BUILD_H
#define HD_OPS_ATOMIC_ORDER_BUILD_H

#include "build/build.h"

/* The order that an id of memory semantics requests. */
HdStatus hd_build_order(HdBuild *b, const HdInst *in, HdId semantics, HdIrOrder *order);

#endif
