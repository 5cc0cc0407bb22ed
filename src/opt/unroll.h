/* opt/unroll.h -- a loop to unroll, between its choice and its copies.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPT_UNROLL_H
#define HD_OPT_UNROLL_H

#include "opt/loop_by_loop.h"

typedef struct HdUnrollLoop {
    uint32_t loop;    /* HD_IR_NOWHERE: none */
    uint32_t entries; /* times that the head is entered */
    uint32_t exit;    /* the block that leaves in the last of them */
    uint32_t open;    /* the last of them in which that block may leave, or not, as well; 0: none */
} HdUnrollLoop;

/* Choose a loop that is worth unrolling and contains none of `done`.
 * Errors: HD_NO_MEMORY. */
HdStatus hd_opt_unroll_choose(const HdIrFunc *f, const HdIrGraph *g, const HdLoopsDone *done,
                              HdArena *scratch, HdUnrollLoop *out);

#endif
