/* ops/opencl_std/std_eval.h -- what the parts of OpenCL.std's interpreter functions share.
 *
 * Every function gets the whole instruction. Words: 1 type, 2 result, 3 set, 4 number, 5 …
 * operands.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_OPENCL_STD_STD_EVAL_H
#define HD_OPS_OPENCL_STD_STD_EVAL_H

#include "gen/extinst.h"
#include "ops/evals.h"

#define HD_STD_AT 5u /* word of the first operand */

HdEvalFn hd_std_eval; /* an OpExtInst of OpenCL.std, by the others */

HdEvalFn hd_std_eval_math;      /* by component, mathematics */
HdEvalFn hd_std_eval_bits;      /* component-wise functions on bits: nan, nextafter, ilogb */
HdEvalFn hd_std_eval_second;    /* with a second result through a pointer */
HdEvalFn hd_std_eval_geometric; /* of whole vectors */
HdEvalFn hd_std_eval_int;
HdEvalFn hd_std_eval_upsample;
HdEvalFn hd_std_eval_vload;
HdEvalFn hd_std_eval_vstore;
HdEvalFn hd_std_eval_vload_half;
HdEvalFn hd_std_eval_vstore_half;
HdEvalFn hd_std_eval_shuffle;
HdEvalFn hd_std_eval_printf;
HdEvalFn hd_std_eval_debug_printf; /* NonSemantic.DebugPrintf */
HdEvalFn hd_std_eval_plain;        /* as hd_std_eval, whatever the arguments are */
/* In a checked run: have the arguments a result? */
HdEvalFn hd_std_eval_domain;

/* For which arguments a function has none. */
typedef struct HdStdDomain {
    bool (*outside)(const long double x[3]); /* the arguments of one component; NULL: for none */
    const char *note;                        /* NULL: the result has no value */
    unsigned count;                          /* arguments */
    bool is_unsigned;
} HdStdDomain;

HdStatus hd_std_look_at(HdEval *e, const HdInst *in, const HdStdDomain *d);
bool hd_std_reversed(const long double x[3]); /* of a clamp: its limits */

/* One component of mathematics; a double is computed in long double and rounded.
 *   number  of the instruction
 *   x       operands; integers as numbers
 * False when the instruction is none that hd_std_eval_math has. */
bool hd_std_math_value(uint32_t number, const HdType *t, const long double x[3], double *result);

#endif
