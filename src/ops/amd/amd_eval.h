/* ops/amd/amd_eval.h -- AMD's extended instructions in the interpreter.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_AMD_AMD_EVAL_H
#define HD_OPS_AMD_AMD_EVAL_H

#include "ops/evals.h"

/* An OpExtInst of SPV_AMD_shader_trinary_minmax, of SPV_AMD_gcn_shader. */
HdEvalFn hd_amd_eval_trinary, hd_amd_eval_gcn;

#endif
