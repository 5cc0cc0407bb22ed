/* lanes/callees.h -- functions that a kernel calls: the shapes of their arguments.
 *
 * Callers are widened first, and record the shapes of the operands of each call; a function's
 * parameters get the shapes on which all calls agree.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LANES_CALLEES_H
#define HD_LANES_CALLEES_H

#include "lanes/shape.h"

typedef struct HdCallee {
    HdShape *params; /* what calls have given up to now */
    bool is_called;  /* by some function that is widened */
    bool is_masked;  /* not by all lanes, at some place */
} HdCallee;

typedef struct HdCallees {
    HdCallee *of; /* [functions of the module]; only of those that stay */
} HdCallees;

/* Prepare the functions that stay (m->called): one exit each, and which results are the same in all
 * lanes if all parameters are (HdIrCallee.result_shapes). */
HdStatus hd_lanes_callees(HdIrModule *m, HdLaneTarget target, HdArena *a, HdCallees *out);
/* Note a call: one operand's shape; and whether some lanes may be missing. */
void hd_callee_operand(HdCallee *c, unsigned index, HdShape shape);
void hd_callee_lanes(HdCallee *c, bool is_masked);

#endif
