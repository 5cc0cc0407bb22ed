/* ops/index_eval.c -- joins rows and the interpreter's functions.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/evals.h"

/* A row without a function: "unsupported instruction". */
#define hd_eval_none NULL

HdEvalFn *const hd_eval_fns[HD_OPIX_COUNT] = {
#define OP(opcode, rule, build, eval, effects, spec) [HD_OPIX_##opcode] = hd_eval_##eval,
#include "ops/all.def"
#undef OP
};

enum { NONE = 0, READS = 1, WRITES = 2, ORDERED = 4, CONVERGENT = 8 };

const bool hd_eval_convergent[HD_OPIX_COUNT] = {
#define OP(opcode, rule, build, eval, effects, spec) \
    [HD_OPIX_##opcode] = ((effects)&CONVERGENT) != 0,
#include "ops/all.def"
#undef OP
};
