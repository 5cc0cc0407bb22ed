/* lanes/shape.h -- how values differ between the lanes of a sub-group, and where lanes diverge.
 *
 * The analysis is optimistic: everything starts uniform and is raised until nothing changes, so
 * that loop counters of loops that lanes leave at different times stay uniform inside and only
 * their uses after the loop vary ("temporal" divergence, hd_shape_at).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_SHAPE_H
#define HD_LANES_SHAPE_H

#include "ir/graph.h"
#include "ir/ir.h"

typedef struct HdShape {
    uint8_t kind;  /* HdIrShape */
    bool nsw, nuw; /* AFFINE: no lane's value wraps, as a signed / unsigned number */
    bool small;    /* every lane's value is in [0, 2^31) */
    bool seen;     /* computed at least once */
    int64_t stride;
} HdShape;

/* What is known of the launch that code is made for; see HdLaunchFacts in jit/variant.h. */
typedef struct HdLaneTarget {
    uint32_t width;
    bool x_divisible, full, by_rows, dispatch;
    bool long_rows;        /* elements of 64 bits in rows are sooner loaded together */
    bool tiles;            /* rows of them make tiles: their strides are not of one element */
    uint8_t dims;          /* that lanes of a kernel may count along */
    const HdShape *params; /* of a function that is called, by some of the lanes; NULL: a kernel */
} HdLaneTarget;

/* Private arrays with interleaved elements; see lanes/private_arrays.c. */
typedef struct HdLaneArrays {
    uint32_t *element; /* [insts.count] ALLOCA: element bytes when interleaved, else 0 */
    HdIrRef *of; /* [insts.count] the interleaved ALLOCA that an address leads into; 0: none */
} HdLaneArrays;

typedef struct HdShapes {
    const HdIrFunc *f;
    const HdIrGraph *g;
    HdLaneTarget target;
    HdShape *of;        /* [insts.count] */
    bool *divergent;    /* [blocks] may run with fewer lanes than the sub-group has */
    bool *join;         /* [blocks] lanes may arrive over different edges */
    bool *varying;      /* [blocks] its branch sends lanes different ways */
    bool *loop_leaves;  /* [loops] lanes leave at different times */
    bool *loop_talks;   /* [loops] holds operations of all lanes */
    bool *loop_tangled; /* [loops] lanes may also re-enter while others wait inside */
    bool any_tangled;
    HdLaneArrays arrays;
    bool *array_varies; /* [insts.count] ALLOCA: lanes may have stored different things */
} HdShapes;

/* Analyse a function with a unique exit block (lanes/canon.h). All memory from `a`.
 *   arrays  from lanes/canon.h */
HdStatus hd_shapes(const HdIrFunc *f, const HdIrGraph *g, HdLaneTarget target,
                   const HdLaneArrays *arrays, HdArena *a, HdShapes **out);

/* The shape of value v where block `use` uses it. */
HdShape hd_shape_at(const HdShapes *s, HdIrRef v, uint32_t use);
/* Must v go through storage to be used in block `use`: can other lanes recompute it in between? */
bool hd_shape_is_temporal(const HdShapes *s, HdIrRef v, uint32_t use);

#endif
