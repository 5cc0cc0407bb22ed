/* ir/copy.h -- duplication of blocks.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_IR_COPY_H
#define HD_IR_COPY_H

#include "ir/ir.h"

typedef struct HdIrCopy {
    HdIrFunc *f;
    HdArena *a;
    uint32_t blocks;  /* that the function had */
    bool *chosen;     /* [blocks] to be copied; set by the caller */
    uint32_t *copies; /* [blocks] copy of a chosen block */
    HdIrRef *values;  /* [insts] copy of a value of theirs, 0 = none */
} HdIrCopy;

/* Room for a copy of some blocks; none is chosen yet. */
HdStatus hd_ir_copy_open(HdIrFunc *f, HdArena *a, HdIrCopy *out);
/* Copy the selected blocks. `stop` is the block where control continues after them: its phis get
 * operands from the copies. Nothing branches to them yet. */
HdStatus hd_ir_copy_make(HdIrCopy *c, uint32_t stop);

#endif
