/* codegen/arith.h -- arithmetic.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_ARITH_H
#define HD_CODEGEN_ARITH_H

#include "codegen/gen.h"

LLVMIntPredicate hd_gen_int_predicate(unsigned comparison); /* HdIrICmp */

#endif
