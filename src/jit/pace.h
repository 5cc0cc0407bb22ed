/* jit/pace.h -- how long a wide function takes, about.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_JIT_PACE_H
#define HD_JIT_PACE_H

#include "ir/graph.h"

typedef struct HdPace {
    double cycles;   /* of one sub-group, loops counted several times */
    double shared;   /* of these, in loops that go round while any lane wants to */
    double waits[2]; /* in innermost loops, for what each round needs of the one before: in those
                        that all lanes leave together, and in shared ones */
    bool has_loops, may_miss; /* may_miss: data decide which lanes go where */
} HdPace;

/* Estimate a wide function's time as if it were made for `width` lanes: its shapes hold for others
 * than its own. The latency of what a loop hands to its next round counts, and the units that its
 * instructions need.
 *   is_foreseen   as for a work-item alone whose branches are foreseen: nothing waits for masks
 * Errors: HD_NO_MEMORY. */
HdStatus hd_pace(const HdIrFunc *wide, unsigned width, bool is_foreseen, HdPace *out);

/* Has each lane a value of its own? Registers of 512 bits that lanes of a type take. How often a
 * block inside these loops runs, by a guess that knows no bounds. */
bool hd_pace_is_wide(const HdIrInst *in);
double hd_pace_registers(HdIrType t, unsigned width);
double hd_pace_times(const HdIrGraph *g, uint32_t loop);

/* What a round of a block's loop takes where a work-item alone goes along it with vectors of so
 * many lanes, to one of several rounds one after the other (HdIrBlock.along). */
double hd_pace_along(const HdIrBlock *b, unsigned width);

/* Has a loop none inside? Does one of a wide function go round while any lane wants to? */
bool hd_pace_is_innermost(const HdIrGraph *g, uint32_t loop);
bool hd_pace_is_shared(const HdIrFunc *wide, const HdIrGraph *g, uint32_t loop);

#endif
