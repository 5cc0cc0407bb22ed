/* ops/opencl_std/std_build.h -- what the builders of OpenCL.std share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_OPENCL_STD_STD_BUILD_H
#define HD_OPS_OPENCL_STD_STD_BUILD_H

#include "build/emit.h"
#include "gen/extinst.h"
#include "rt/math/math.h"

/* First operand of an extended instruction: 1 type, 2 result, 3 set, 4 number, 5 … operands. */
#define HD_STD_OPERAND 5u

/* Build one extended instruction; `what` is the row's second column. */
typedef HdStatus HdStdBuildFn(HdBuild *b, const HdInst *in, unsigned what);

/* An OpExtInst of OpenCL.std. */
HdStatus hd_std_build(HdBuild *b, const HdInst *in);

/* opencl_std_math_build.c */
HdStdBuildFn hd_std_math, hd_std_math_second, hd_std_native, hd_std_sqrt, hd_std_float_common,
    hd_std_reciprocal, hd_std_fast_math, hd_std_fast_native, hd_std_exact_native;
/* opencl_std_power_build.c */
HdStdBuildFn hd_std_power;
/* opencl_std_int_build.c */
HdStdBuildFn hd_std_int, hd_std_int_same, hd_std_upsample, hd_std_bitselect, hd_std_select;
/* opencl_std_geometric_build.c */
HdStdBuildFn hd_std_cross, hd_std_length, hd_std_normalize;
/* opencl_std_memory_build.c */
HdStdBuildFn hd_std_vload, hd_std_vstore, hd_std_vload_half, hd_std_vstore_half, hd_std_shuffle,
    hd_std_prefetch;
/* opencl_std_printf_build.c */
HdStdBuildFn hd_std_printf;
HdStatus hd_std_debug_printf(HdBuild *b, const HdInst *in);

/* MATH with up to three operands. */
HdIrRef hd_std_call(HdBuild *b, unsigned fn, HdIrType result, const HdIrRef *args, unsigned count);

#endif
