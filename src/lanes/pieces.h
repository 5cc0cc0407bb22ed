/* lanes/pieces.h -- pieces of a kernel in which rows of work-items may diverge.
 *
 * A piece is the code between a branch that depends on the row and the block where its paths meet
 * again. It has no barrier, is entered only through that branch, and every way through it ends, so
 * that one row after another can execute it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_PIECES_H
#define HD_LANES_PIECES_H

#include "ir/graph.h"

typedef struct HdPiece {
    uint32_t branch; /* block that ends in the branch */
    uint32_t join;   /* where its ways have met again */
} HdPiece;

/* Those that are in no other one. */
typedef struct HdPieces {
    HdPiece *at;
    uint32_t count, blocks;
    uint32_t *of; /* [blocks] 1 + the piece that a block is inside of; 0: none */
} HdPieces;

/* Does a block end in a branch that rows may take differently (differs[] of its operand)? */
bool hd_lanes_parts_rows(const HdIrFunc *f, const bool *differs, uint32_t block);

/* Find the pieces after all such branches.
 *   found  false: some branch has none of the kind, and `out` is not complete
 * Errors: HD_NO_MEMORY. */
HdStatus hd_lanes_pieces(const HdIrFunc *f, const HdIrGraph *g, const bool *differs, HdArena *a,
                         HdPieces *out, bool *found);

/* Give each piece a separate final block, which has only phis and branches to where the piece ended
 * before.
 * Errors: HD_NO_MEMORY. */
HdStatus hd_lanes_join_pieces(HdIrFunc *f, const HdPieces *p, HdArena *a);

#endif
