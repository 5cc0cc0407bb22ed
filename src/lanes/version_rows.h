/* lanes/version_rows.h -- code of its own for when all rows of work-items go the same way.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_VERSION_ROWS_H
#define HD_LANES_VERSION_ROWS_H

#include "lanes/pieces.h"

/* In front of pieces that a branch on ids alone skips (`if (row < rows && column < columns) …`) put
 * a test, an ALL of the branch's condition, and after it a copy that is entered where that is true
 * in all lanes, and in all rows as well: hd_lanes_versioned_rows says so once there are rows.
 * Launches have global ids below 2^31. Each piece ends in a block of its own
 * (hd_lanes_join_pieces). p         as found in `f`, which is changed: blocks and pieces have to be
 * found anew differs   [insts.count] each row has one of its own varies    [insts.count] so has
 * each lane is_whole  for an estimate: all of them go there Errors: HD_NO_MEMORY. */
HdStatus hd_lanes_version_rows(HdIrFunc *f, const HdPieces *p, const bool *differs,
                               const bool *varies, bool is_whole, HdArena *a);

/* Rows of an instruction: itself, then those of the others, where it differs. */
typedef struct HdRows {
    unsigned count;
    size_t insts;                 /* there were so many before there were rows */
    const bool *differs, *varies; /* [insts] from row to row; from lane to lane */
    HdIrRef *const *of_row;       /* [count][insts] the others' */
} HdRows;

/* If block b ends in such a test, let it be one of all rows. Errors: HD_NO_MEMORY. */
HdStatus hd_lanes_versioned_rows(HdIrFunc *f, uint32_t b, const HdRows *rows);

#endif
