/* ops/coop/coop_build.h -- what builders of other families do with cooperative matrices.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_COOP_COOP_BUILD_H
#define HD_OPS_COOP_COOP_BUILD_H

#include "build/emit.h"

/* Make columns of rows: components of a matrix of one shape become those of a matrix of type t,
 * whose shape is the other one's. All lanes take part. refs  [count] components; replaced */
HdStatus hd_build_coop_turn(HdBuild *b, const HdType *from, const HdType *t, HdIrRef *refs,
                            uint32_t count);

#endif
