/* jit/throughput.h -- estimates the time of a wide function.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_JIT_THROUGHPUT_H
#define HD_JIT_THROUGHPUT_H

#include "codegen/costs.h"
#include "ir/graph.h"

typedef struct HdThroughput {
    double cycles;   /* of one sub-group, loops counted several times */
    double shared;   /* of these, in loops that iterate while any lane needs to */
    double waits[2]; /* in innermost loops, for loop-carried dependences: in those that all lanes
                      * leave together, and in shared ones */
    bool has_loops, may_miss; /* may_miss: data decide which lanes go where */
} HdThroughput;

/* Estimate a wide function's time as if it had `width` lanes: its shapes hold for other widths,
 * too. The latency of loop-carried dependences counts, and the occupancy of the execution units.
 *   is_foreseen   as for a work-item alone whose branches are foreseen: nothing waits for masks
 * Errors: HD_NO_MEMORY. */
HdStatus hd_throughput(const HdIrFunc *wide, unsigned width, const HdCycleCosts *costs,
                       bool is_foreseen, HdThroughput *out);

/* Is the value varying? Registers that lanes of a type occupy. Estimated frequency of a
 * block, without known trip counts. */
bool hd_throughput_is_wide(const HdIrInst *in);
double hd_throughput_registers(const HdCycleCosts *costs, HdIrType t, unsigned width);
double hd_throughput_times(const HdIrFunc *f, const HdIrGraph *g, uint32_t block);

/* The share of that in which any of so many work-items together comes to the block. */
double hd_throughput_reach(const HdIrBlock *b, unsigned items);

/* The time of an iteration of a block's loop, vectorised item by item with so many lanes, relative
 * to scalar iterations (HdIrBlock.along). */
double hd_throughput_along(const HdIrBlock *b, unsigned width);

/* Is a loop innermost? Does one of a wide function iterate while any lane needs to? */
bool hd_throughput_is_innermost(const HdIrGraph *g, uint32_t loop);
bool hd_throughput_is_shared(const HdIrFunc *wide, const HdIrGraph *g, const HdIrRef *sets,
                             uint32_t loop);

/* For hd_throughput_is_shared, the SLOT_SETs of each slot: of a slot the first one, of each the
 * next one, 0 after the last. NULL: no memory. */
HdIrRef *hd_throughput_sets(const HdIrFunc *wide, const HdIrGraph *g, HdArena *a);

#endif
