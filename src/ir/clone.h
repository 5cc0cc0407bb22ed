/* ir/clone.h -- copies of lane IR, so that several forms can be made of one kernel.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_IR_CLONE_H
#define HD_IR_CLONE_H

#include "ir/ir.h"

/* Copy a module of functions of one work-item. Instructions, blocks and functions keep their
 * numbers, so whatever is done to the copy comes out as if it were done to the original. Of both
 * everything can be changed without the other; what program-scope variables hold is shared, as is
 * the log. Functions that nothing calls any more, after inlining, have no body in the copy.
 *   a    owns all of the copy, names too: the original may go first
 * Errors: HD_NO_MEMORY; HD_BUG, for a wide function. */
HdStatus hd_ir_clone(const HdIrModule *from, HdArena *a, HdIrModule **out);

#endif
