/* jit/facts.h -- what launches must know about a kernel's code; kept with it in the disk cache.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_JIT_FACTS_H
#define HD_JIT_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/ir.h"
#include "ir/stream.h"
#include "jit/variant.h"

typedef struct HdCodeFacts {
    uint64_t private_bytes; /* stack that one call needs, all lanes */
    uint64_t context_bytes; /* of each sub-group, in HdRtGroup.context, */
    uint32_t context_align; /* and where that begins */
    uint32_t lanes;         /* work-items that run at the same time in one call */
    uint32_t named;         /* instructions that make named barriers */
    HdIrStreams streams;    /* what it writes and never reads */
    unsigned ahead;         /* kinds of memory whose places are known early (ir/ahead.h) */
    bool has_arrays;        /* variable-length ones */
    bool needs_fibers;      /* each sub-group of a group runs on its own stack */
    bool takes_turns;       /* the same, but only once it has waited for long */
    bool lanes_wait;        /* work-items of a sub-group might wait for each other */
    bool groups_wait;       /* so might work-groups */
    HdIrDims dims;          /* that lanes count along */
    bool contends;         /* it updates global memory by atomic operations, and waits for nobody */
    bool is_flat;          /* it cannot observe which work-items form a group */
    bool has_loops;        /* or what it calls has */
    bool may_fold;         /* x and y may be one dimension in launches a few work-items wide */
    uint8_t fold;          /* they are, and x is so long (HdFormRequest.fold); 0: no */
    uint8_t coarsen;       /* a work-item does so many rows of the NDRange; 0: its own */
    bool tiles;            /* which together access tiles of memory, */
    uint8_t row_dim;       /* in this dimension; 1, y, without tiles */
    uint8_t coarsen_group; /* with barriers: so many rows of a group are best done by one; 0: one */
    HdIrStride stride;     /* the loop whose iterations the launch can distribute */
    bool has_columns;      /* neighbours in x access addresses far apart, with a common stride */
    uint8_t planes; /* they do by a product of steps, and neighbours in y (1) or z (2) access what
                       lies side by side; 0: no */
    double doubt;   /* HdFormRequest.against may be faster, though this form is thought to be so
                       many times as fast; 0: it is not */
    bool is_narrow_against; /* in the other form sub-groups have one work-item (with barriers) */
    double compile_ms;      /* of a processor, that making it took */
    HdLaunchFacts needs;    /* what it assumes about a launch, among what was asked for */
} HdCodeFacts;

/* Can it matter to a kernel whether its pointer arguments alias? To be called on the kernel as
 * built: passes that assume they do not may leave no trace of it. */
bool hd_jit_may_mix(const HdIrFunc *f);

/* Read them off the wide function that code is made from; all but private_bytes, which the code
 * generator counts, and needs. */
void hd_jit_facts(const HdIrFunc *wide, HdCodeFacts *out);

#endif
