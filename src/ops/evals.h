/* ops/evals.h -- prototypes of all interpreter functions that rows name.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_EVALS_H
#define HD_OPS_EVALS_H

#include "interp/eval.h"

#define OP(opcode, rule, build, eval, effects, spec) HdEvalFn hd_eval_##eval;
#include "ops/all.def"
#undef OP

#endif
