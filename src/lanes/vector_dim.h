/* lanes/vector_dim.h -- the dimension of the NDRange along which lanes are numbered.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_VECTOR_DIM_H
#define HD_LANES_VECTOR_DIM_H

#include "ir/ir.h"

/* Does nothing in a kernel depend on which work-items are together, or on their order?
 *   last  bound of the enumerators of built-ins; larger ones are something else */
bool hd_lanes_is_free(const HdIrFunc *f, HdIrBuiltin last);
/* What memory costs the lanes of one sub-group along a dimension, in units of an access to
 * neighbours.
 * Errors: HD_NO_MEMORY. */
HdStatus hd_lanes_memory_cost(HdIrFunc *f, unsigned dim, HdArena *a, double *cost);

/* Choose it by the kernel's accesses, and exchange it with x in the ids and sizes that the kernel
 * queries: a launch does the same with its own. Depends only on the kernel and `allowed`, so that
 * all code for one launch agrees.
 *   f        with one exit, before it is made wide
 *   allowed  bit i: dimension i may be taken; x is where the kernel can tell, and without any
 * Errors: HD_NO_MEMORY. */
HdStatus hd_lanes_vector_dim(HdIrFunc *f, unsigned allowed, HdArena *a, HdIrDims *out);

/* Rows of lanes that together access tiles of memory (a transposition). */
typedef struct HdTiles {
    HdIrDims lanes; /* that the lanes count along, as hd_lanes_vector_dim has it */
    uint8_t row;    /* the dimension of the rows */
    uint8_t count;  /* rows that a work-item does; 0: there are no tiles, or they do not pay */
} HdTiles;

/* Do tiles pay? Depends on the kernel and on what is allowed alone.
 *   f      optimised; gets one exit, and is the same otherwise
 *   lanes  bit i: lanes may be numbered along dimension i
 *   rows   bit i: work-items may do several rows in dimension i
 * Errors: HD_NO_MEMORY. */
HdStatus hd_lanes_tiles(HdIrFunc *f, unsigned lanes, unsigned rows, HdArena *a, HdTiles *out);
/* Give a kernel the lanes of tiles along x, and their rows along y. */
void hd_lanes_take_tiles(HdIrFunc *f, HdTiles t);

#endif
