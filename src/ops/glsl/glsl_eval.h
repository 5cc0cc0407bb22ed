/* ops/glsl/glsl_eval.h -- OpExtInst of GLSL.std.450 in the interpreter.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_GLSL_GLSL_EVAL_H
#define HD_OPS_GLSL_GLSL_EVAL_H

#include "ops/opencl_std/std_eval.h"

/* An OpExtInst of that set: as the instruction of OpenCL.std that does the same, or its own. */
HdEvalFn hd_glsl_eval;

/* glsl_eval_own.c: by number, those that OpenCL.std has no equal of. */
HdEvalFn hd_glsl_eval_unary, hd_glsl_eval_pair, hd_glsl_eval_vectors, hd_glsl_eval_pack,
    hd_glsl_eval_unpack, hd_glsl_eval_matrix;

/* glsl_eval_domain.c: in a checked run, have the arguments a result? */
HdEvalFn hd_glsl_eval_domain;

/* The result of an operation on exact operands, rounded once to a float type. */
double hd_glsl_round(const HdType *t, double x);

#endif
