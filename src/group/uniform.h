/* group/uniform.h -- what is the same for all sub-groups of a work-group.
 *
 * Values of a wide function that are one scalar per sub-group may still differ between sub-groups.
 * This analysis finds those that cannot, and the blocks that every sub-group executes equally
 * often. The contents of memory are never relied on: sub-groups may read it at different times.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_GROUP_UNIFORM_H
#define HD_GROUP_UNIFORM_H

#include "ir/graph.h"
#include "ir/ir.h"

typedef struct HdGroupUniform {
    bool *varies; /* [insts] may differ between sub-groups, or between the lanes of one */
    bool *parted; /* [blocks] sub-groups may run it on different ways */
} HdGroupUniform;

/* Analyse a wide function. All memory from `a`. */
HdStatus hd_group_uniform(const HdIrFunc *f, const HdIrGraph *g, HdArena *a, HdGroupUniform *out);

#endif
