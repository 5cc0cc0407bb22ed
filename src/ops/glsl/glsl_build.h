/* ops/glsl/glsl_build.h -- OpExtInst of GLSL.std.450, to lane IR.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_GLSL_GLSL_BUILD_H
#define HD_OPS_GLSL_GLSL_BUILD_H

#include "ops/opencl_std/std_build.h"

HdStatus hd_glsl_build(HdBuild *b, const HdInst *in);

/* glsl_build_pack.c, glsl_build_matrix.c */
HdStdBuildFn hd_glsl_pack, hd_glsl_unpack, hd_glsl_determinant, hd_glsl_inverse;

/* A number as a constant of a float type. */
HdIrRef hd_glsl_float(HdBuild *b, HdIrType t, double x);

#endif
