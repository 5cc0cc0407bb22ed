/* codegen/costs.h -- what operations cost on a family of processors.
 *
 * The cost model: its numbers are in jit/costs.c, and all that estimates code (jit/throughput.c,
 * jit/cost.c) or chooses between two ways to emit it (codegen/) counts with them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_COSTS_H
#define HD_CODEGEN_COSTS_H

#include <stdbool.h>

#include "ir/ir.h"

/* Of an operation on one register of values that differ between lanes. */
typedef struct HdOpCost {
    double latency; /* cycles until its result is there */
    double busy;    /* cycles in which the processor's units do nothing else */
} HdOpCost;

/* Operations by the size of an element, of 1, 2, 4 and 8 bytes. */
typedef HdOpCost HdOpCosts[4];

/* What the estimate of a wide function's cycles counts with. Accesses are of one register. */
typedef struct HdCycleCosts {
    double register_bytes; /* of a register, and how many there are */
    unsigned registers;
    unsigned unmasked_bytes; /* smaller elements are not accessed under a mask but by branches */
    const HdOpCosts *op[HD_IR_OP_COUNT]; /* NULL: simple */
    HdOpCost simple;
    HdOpCost scaled; /* a product with a number of one or two bits: shifts and a sum */
    HdOpCost branch, any;
    HdOpCost uniform;     /* of one place */
    HdOpCost load, store; /* of neighbours in order, or in reverse */
    HdOpCost window;      /* a load of neighbours that repeat, and a shuffle */
    double window_once;   /* once for all of its registers */
    HdOpCost step;        /* elements at most 16 apart, and shuffles */
    HdOpCost scalar_test; /* a comparison or a choice of numbers that all lanes share */
    double gather_latency, gather, scatter, narrow; /* a lane's place of its own; below 32 bits */
    double serial;                                  /* a lane's atomic operation or copy */
    HdOpCost compare, compare_more;                 /* to a mask; of values in several registers */
    HdOpCost select, select_more;
    double other_mask;   /* more for each further register of a mask */
    HdOpCost select_all; /* by a mask that all lanes share, and once for all registers */
    double select_all_once;
} HdCycleCosts;

/* What the estimate of lanes against work-items alone (jit/cost.c) counts with, in units of a
 * vector instruction. */
typedef struct HdAloneCosts {
    double plain;  /* a work-item's instruction */
    double free;   /* the same in a loop of which no round waits for the one before */
    double busy;   /* of the lanes, in a loop that they leave at different times */
    double wait;   /* a work-item alone, for each cycle that all lanes wait for a result */
    bool foresees; /* a work-item's branches: what decides which lanes continue is not such a
                    * result */
    double gather; /* a lane of a gather, of 32 bits and of 64 */
    double gather_long;
    double near; /* share of that for what is accessed with its neighbours; 1: all */
    double scatter, scatter_long;
    double scatter_again; /* a lane's store, more than that, where the loop gathers from there */
    double narrow_load, narrow_store; /* of elements below 32 bits */
    double own;       /* a lane of a private array: what was scattered is not forwarded */
    double own_again; /* a lane's store, more than that, where the loop loads from there */
    double step;      /* an access of elements at most 16 apart, for each register */
    double math; /* a call of mathematics, for lanes and for a work-item alone; 0: never alone */
    double call; /* a lane of an atomic or a call, and to find it and its operands in memory */
    double find;
} HdAloneCosts;

/* What operations cost on a family of processors, as far as code is chosen by it. jit/costs.c has
 * the table. */
typedef struct HdCpuCosts {
    const char *name; /* of the family, in the cache's keys */
    const HdCycleCosts *cycles;
    HdAloneCosts alone;
    bool unrolled_clash; /* consecutive additions to memory at addresses in registers are often
                          * mispredicted as dependent and replayed */
    bool gathers_slowly; /* sixteen bytes of each lane are sooner loaded one lane after the other */
    bool half_is_half;   /* a vector of half the width takes half the time */
    bool rows_evict;     /* each other from the cache, sixteen that are a power of two apart */
    bool stores_evict;   /* the same, while they wait for their lines: codegen/access.c */
    bool streams_past;   /* what the caches cannot hold is sooner stored past them */
    bool looks_ahead;    /* lines asked for into the second cache arrive sooner than by loads */
    unsigned unordered_bytes; /* loads of more than that go up through memory; 0: in any order */
} HdCpuCosts;

#endif
