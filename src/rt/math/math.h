/* rt/math/math.h -- mathematics that compiled kernels call by address, W lanes at a time.
 *
 * Every function has one signature, so codegen needs to know only name, width and operands.
 * Precision and edge cases are those of the full profile (see math.def).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_MATH_MATH_H
#define HD_RT_MATH_MATH_H

#include <stdbool.h>
#include <stdint.h>

/* Compute n results.
 *
 *   dst      n results; may be the same array as an operand, must not overlap one otherwise
 *   a, b, c  n elements each, those beyond the function's operands are ignored (may be NULL);
 *            aligned to their element; halves are uint16_t bits
 *   n        lanes, any number; 0 is allowed
 *   threads  pure: no state, no trap, errno untouched; expects the default rounding mode
 */
typedef void HdMathLanesFn(void *dst, const void *a, const void *b, const void *c, uint32_t n);

typedef enum HdMathFn {
#define MATH(name, operands, form, ulp16, ulp32, ulp64, inst) HD_MATH_##name,
#include "rt/math/math.def"
#undef MATH
    HD_MATH_COUNT
} HdMathFn;

/* Result, then operands: F the requested float type, I int32, U unsigned of the float's width. */
typedef enum HdMathForm {
    HD_MATH_FORM_F_F,
    HD_MATH_FORM_F_FF,
    HD_MATH_FORM_F_FFF,
    HD_MATH_FORM_F_FI,
    HD_MATH_FORM_F_U,
    HD_MATH_FORM_I_F,
    HD_MATH_FORM_I_FF
} HdMathForm;

/* Instruction sets that lane functions are built for. */
typedef enum HdMathIsa {
    HD_MATH_ISA_BASE, /* what the compiler targets by default */
    HD_MATH_ISA_V2,   /* x86-64-v2: SSE4.2 */
    HD_MATH_ISA_V3,   /* x86-64-v3: AVX2, FMA, F16C */
    HD_MATH_ISA_V4,   /* x86-64-v4: AVX-512 F, BW, CD, DQ, VL */
    HD_MATH_ISA_COUNT
} HdMathIsa;

/* Limits that are not a number of ulps. */
#define HD_MATH_ULP_EXACT   0.0
#define HD_MATH_ULP_ROUNDED 0.5
#define HD_MATH_ULP_FREE    -1.0

/* Find the best lane function for this machine.
 *   fn       an HdMathFn; bits 16, 32 or 64
 *   returns  NULL when there is no such function */
HdMathLanesFn *hd_rt_math_fn(unsigned fn, unsigned bits);

/* As hd_rt_math_fn, but the function made for one instruction set; NULL when that set has none of
 * its own or this machine lacks the set. For tests and measurements. */
HdMathLanesFn *hd_rt_math_fn_isa(unsigned fn, unsigned bits, HdMathIsa isa);

/* Say whether this machine has an instruction set; the base one always. */
bool hd_rt_math_has_isa(HdMathIsa isa);

/* Name a function as its row does ("sin"); NULL when fn is out of range. */
const char *hd_rt_math_name(unsigned fn);

/* Count the operands, 1 to 3; 0 when fn is out of range. */
unsigned hd_rt_math_arity(unsigned fn);

/* Tell operand and result types; F_F when fn is out of range. */
HdMathForm hd_rt_math_form(unsigned fn);

/* Tell the largest error allowed in ulps, or one of HD_MATH_ULP_…; bits 16, 32 or 64. */
double hd_rt_math_ulp(unsigned fn, unsigned bits);

/* The functions for the base instruction set, by name: hd_rt_sin_f32 … */
#define MATH(name, operands, form, ulp16, ulp32, ulp64, inst) \
    HdMathLanesFn hd_rt_##name##_f16, hd_rt_##name##_f32, hd_rt_##name##_f64;
#include "rt/math/math.def"
#undef MATH

#endif
