/* lanes/row_loop.h -- a piece that rows of work-items go through in a loop.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_ROW_LOOP_H
#define HD_LANES_ROW_LOOP_H

#include "lanes/version_rows.h"

/* Make a piece that rows seldom have to go through one by one (HD_IR_TESTED) a loop over them. What
 * comes out of it is kept in a private array for each phi of its end.
 *   p      with ends of their own (hd_lanes_join_pieces)
 *   first  global and local id of the first row, I32
 *   done   false: it is no such piece, or needs values that cannot be made of a row's ids alone;
 *          nothing was changed
 * Errors: HD_NO_MEMORY. */
HdStatus hd_lanes_row_loop(HdIrFunc *f, const HdPieces *p, uint32_t piece, const HdRows *rows,
                           const HdIrRef first[2], HdArena *a, bool *done);

#endif
