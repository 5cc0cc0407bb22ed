/* ops/subgroup/collective_build.h -- what group/ and subgroup/ share: which collective an
 * instruction is.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_SUBGROUP_COLLECTIVE_BUILD_H
#define HD_OPS_SUBGROUP_COLLECTIVE_BUILD_H

#include "build/emit.h"

/* The operation of a reduction or scan, and the operation of two values that it repeats. */
typedef struct HdCollective {
    enum HdOpix opix;
    HdIrCollective collective;
    HdIrOp op;
} HdCollective;

/* NULL: not one that combines. */
const HdCollective *hd_build_collective_of(enum HdOpix opix);

/* One COLLECTIVE. */
HdIrRef hd_build_collective(HdBuild *b, HdIrCollective what, HdIrType result, uint64_t imm,
                            const HdIrRef *args, unsigned count);

/* intel_build.c: a part of the place of a sub-group's block, which is one: the first lane's. */
HdIrRef hd_build_of_block(HdBuild *b, HdIrRef x);

/* HD_COLL_REDUCE … of a GroupOperation literal; clustered ones reduce. */
HdStatus hd_build_group_operation(HdBuild *b, const HdInst *in, uint32_t operation, unsigned *how);

#endif
