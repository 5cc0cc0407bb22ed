/* codegen/divide.h -- divisions that do not trap.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_DIVIDE_H
#define HD_CODEGEN_DIVIDE_H

#include "codegen/gen.h"

/* UDIV, SDIV, UREM, SREM. No division traps: by zero gives 0 (a remainder too), MIN / -1 gives MIN.
 */
LLVMValueRef hd_gen_divide(HdGen *g, HdIrRef r, HdIrOp op, bool wide, LLVMValueRef x,
                           LLVMValueRef y);

#endif
