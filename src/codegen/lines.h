/* codegen/lines.h -- small loops begin at lines of the cache.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_LINES_H
#define HD_CODEGEN_LINES_H

#include "codegen/gen.h"

/* Ask LLVM to align the loops of g->m that fit in one line. After all passes. Errors: in
 * g->status. */
void hd_gen_lines(HdGen *g, HdArena *scratch);

#endif
