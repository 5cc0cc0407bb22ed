/* codegen/dot.h -- dot products of bytes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_DOT_H
#define HD_CODEGEN_DOT_H

#include "codegen/gen.h"

LLVMValueRef hd_gen_dot4(HdGen *g, HdIrRef r, bool wide);

#endif
