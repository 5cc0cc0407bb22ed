/* opt/loop_by_loop.h -- passes that copy loops: one at a time, each with a graph of its own.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPT_LOOP_BY_LOOP_H
#define HD_OPT_LOOP_BY_LOOP_H

#include "ir/graph.h"

/* What one run of a pass has done. */
typedef struct HdLoopsDone {
    uint32_t blocks; /* of the function at the start; those after them are copies */
    bool *is_in;     /* [blocks] in a loop that was done; set by the pass */
} HdLoopsDone;

/* Has nothing in the loop been done? */
bool hd_loop_is_untouched(const HdIrGraph *g, uint32_t loop, const HdLoopsDone *done);

/* Do a loop that contains none of `done`; *did, false before, says whether there was any. */
typedef HdStatus HdLoopPass(HdIrFunc *f, HdArena *a, const HdLoopsDone *done, bool *did);

/* One loop after the other, until there is none, so many are done, or the function has so many
 * instructions. *changed becomes true if any was. Errors: HD_NO_MEMORY, and those of the pass. */
HdStatus hd_opt_loop_by_loop(HdIrFunc *f, HdArena *scratch, HdLoopPass *pass, unsigned most_loops,
                             size_t most_insts, bool *changed);

#endif
