/* codegen/runs.h -- runs: accesses of a lane to adjacent elements, made together.
 *
 * They are found in runs_find.c and emitted in runs.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_RUNS_H
#define HD_CODEGEN_RUNS_H

#include "codegen/gen.h"

#define HD_RUN_MOST   32u /* accesses that are examined together */
#define HD_RUN_WINDOW 16u /* bytes of a lane that are loaded or stored whole */
#define HD_RUN_WORD   4u

/* A decomposed address: base + (widen(index + also + narrow) << scale) + distance. Members of a run
 * differ in the two constants. */
typedef struct HdRunPath {
    HdIrRef base, index, also; /* also: the same for all lanes; 0: none */
    unsigned widen, scale;     /* operation, 0: none */
    bool is_safe;              /* the sum does not wrap, by the module's promise */
    int64_t narrow, distance;  /* distance: with narrow's share, if nothing wraps */
} HdRunPath;

typedef struct HdRun {
    HdIrRef member[HD_RUN_MOST]; /* by address */
    HdRunPath at[HD_RUN_MOST];
    HdIrRef first; /* of the members, in the block */
    unsigned count, bytes, span;
    bool stores;
    HdIrType type;
    LLVMValueRef mask; /* NULL: all lanes */
    LLVMValueRef all;  /* in memory layout, from interleaved.c or for it; NULL: with gaps */
} HdRun;

/* Find the members that are accessed together with r, or (stores) at r after all of them. False:
 * there are none, or that is not faster. Leaves `mask` to the caller. */
bool hd_run_find(const HdGen *g, HdIrRef r, HdRun *x);
/* Sixteen bytes of each lane, loaded or stored whole? */
bool hd_run_is_whole(const HdGen *g, const HdRun *x);
/* What is gathered or scattered together. */
unsigned hd_run_piece_bytes(const HdGen *g, const HdRun *x);
/* Where the piece begins that has a member in it. */
unsigned hd_run_piece(const HdGen *g, const HdRun *x, unsigned member);

#endif
