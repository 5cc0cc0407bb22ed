/* codegen/function.h -- the LLVM function of a wide function.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_FUNCTION_H
#define HD_CODEGEN_FUNCTION_H

#include "codegen/gen.h"

/* Fill g->m with the function: void (HdRtGroup *, i32 first, i32 count). `scratch` outlives the
 * call. g->f, width, c and m are set by the caller. Errors: in g->status. */
void hd_gen_function(HdGen *g, const HdCodegenRequest *q, HdArena *scratch);

#endif
