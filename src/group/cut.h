/* group/cut.h -- where a wide function is cut into regions, and which blocks each has.
 *
 * A region begins after a barrier (the first one at the entry) and contains every block that can be
 * reached from there before the next barrier. A block that can be reached from several barriers is
 * in several regions. If that makes too many copies, a cut without a barrier is inserted: a point
 * at which sub-groups may be stopped but need not wait.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_GROUP_CUT_H
#define HD_GROUP_CUT_H

#include "group/uniform.h"

/* sub of a BARRIER that is only a cut. */
#define HD_GROUP_CUT 1u

typedef struct HdCut {
    HdIrFunc *f; /* the wide function: barriers are at the end of blocks, before a BR */
    HdIrGraph *g;
    HdGroupUniform uniform;
    uint32_t count;    /* regions */
    uint32_t *entry;   /* [count] block after the barrier; 0 for the first */
    uint32_t *from;    /* [count] block of the barrier; HD_IR_NOWHERE for the first */
    uint32_t *next;    /* [blocks] region after the barrier that a block ends with, else NOWHERE */
    uint64_t **blocks; /* [count] sets */
    bool agree;        /* all sub-groups certainly reach the same barriers */
} HdCut;

/* Cut `wide`, which is changed. HD_UNSUPPORTED (without a diagnostic): no cuts help, the regions
 * would be too many or too large. */
HdStatus hd_group_cut(HdIrFunc *wide, HdArena *a, HdCut *out);

/* The BARRIER that a block ends with, 0 for none. */
HdIrRef hd_group_barrier(const HdIrFunc *f, uint32_t block);

#endif
