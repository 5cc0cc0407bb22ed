/* codegen/emit.h -- code for one instruction, by the files that know it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_EMIT_H
#define HD_CODEGEN_EMIT_H

#include "codegen/gen.h"

/* Emit one instruction; each file knows its own operations and answers false for others'. */
bool hd_gen_arith(HdGen *g, HdIrRef r);   /* arith.c */
bool hd_gen_convert(HdGen *g, HdIrRef r); /* convert.c */
/* The same operations on vectors of all lanes, which their operands are given as; NULL: another
 * file's. */
LLVMValueRef hd_gen_arith_of_all(HdGen *g, HdIrRef r);
LLVMValueRef hd_gen_convert_of_all(HdGen *g, HdIrRef r);
bool hd_gen_table(HdGen *g, HdIrRef r);              /* table.c: likewise */
bool hd_gen_interleaved_access(HdGen *g, HdIrRef r); /* interleaved_access.c: before memory.c */
bool hd_gen_runs(HdGen *g, HdIrRef r);               /* runs.c: likewise */
bool hd_gen_memory(HdGen *g, HdIrRef r);             /* memory.c */
bool hd_gen_lanes(HdGen *g, HdIrRef r);              /* lanes.c: ids, masks, slots */
bool hd_gen_collective(HdGen *g, HdIrRef r);         /* collective.c */
bool hd_gen_atomic(HdGen *g, HdIrRef r);             /* atomic.c */
bool hd_gen_call(HdGen *g, HdIrRef r);               /* call.c: math, runtime functions, barriers */
bool hd_gen_product(HdGen *g, HdIrRef r);            /* product.c: of matrices; before image.c */
bool hd_gen_image(HdGen *g, HdIrRef r);              /* image.c */
bool hd_gen_context(HdGen *g, HdIrRef r);            /* regions.c: what is kept across barriers */
bool hd_gen_callee(HdGen *g, HdIrRef r);             /* callee.c: parameters, calls, results */

#endif
