/* ops/opencl_std/opencl_std_build.c -- OpExtInst: which builder an extended instruction has.
 *
 * Spec: OpenCL Extended Instruction Set.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "ops/build_fns.h"
#include "ops/debug/debug_printf.h"
#include "ops/glsl/glsl_build.h"
#include "ops/opencl_std/std_build.h"

typedef struct Row {
    HdStdBuildFn *build;
    unsigned what;
} Row;

#define STD(name, fn, value) [OpenCLstd_##name] = {fn, value}
#define MATH_ROW(name)       STD(name, hd_std_math, HD_MATH_##name)
#define AS(name, like)       STD(name, hd_std_math, HD_MATH_##like)
#define FAST(name, like)     STD(name, hd_std_fast_math, HD_MATH_##like)
#define INT(name)            STD(name, hd_std_int, OpenCLstd_##name)

static const Row rows[] = {
    MATH_ROW(acos),
    MATH_ROW(acosh),
    MATH_ROW(acospi),
    MATH_ROW(asin),
    MATH_ROW(asinh),
    MATH_ROW(asinpi),
    MATH_ROW(atan),
    MATH_ROW(atan2),
    MATH_ROW(atanh),
    MATH_ROW(atanpi),
    MATH_ROW(atan2pi),
    MATH_ROW(cbrt),
    STD(ceil, hd_std_native, HD_IR_FCEIL),
    STD(copysign, hd_std_native, HD_IR_FCOPYSIGN),
    MATH_ROW(cos),
    MATH_ROW(cosh),
    MATH_ROW(cospi),
    MATH_ROW(erfc),
    MATH_ROW(erf),
    MATH_ROW(exp),
    MATH_ROW(exp2),
    MATH_ROW(exp10),
    MATH_ROW(expm1),
    STD(fabs, hd_std_native, HD_IR_FABS),
    MATH_ROW(fdim),
    STD(floor, hd_std_native, HD_IR_FFLOOR),
    STD(fma, hd_std_exact_native, HD_IR_FMA),
    STD(fmax, hd_std_native, HD_IR_FMAX),
    STD(fmin, hd_std_native, HD_IR_FMIN),
    MATH_ROW(fmod),
    STD(fract, hd_std_math_second, OpenCLstd_fract),
    STD(frexp, hd_std_math_second, OpenCLstd_frexp),
    MATH_ROW(hypot),
    MATH_ROW(ilogb),
    MATH_ROW(ldexp),
    MATH_ROW(lgamma),
    STD(lgamma_r, hd_std_math_second, OpenCLstd_lgamma_r),
    MATH_ROW(log),
    MATH_ROW(log2),
    MATH_ROW(log10),
    MATH_ROW(log1p),
    MATH_ROW(logb),
    STD(mad, hd_std_fast_native, HD_IR_FMA),
    MATH_ROW(maxmag),
    MATH_ROW(minmag),
    STD(modf, hd_std_math_second, OpenCLstd_modf),
    MATH_ROW(nan),
    MATH_ROW(nextafter),
    STD(pow, hd_std_power, HD_MATH_pow),
    STD(pown, hd_std_power, HD_MATH_pown),
    MATH_ROW(powr),
    MATH_ROW(remainder),
    STD(remquo, hd_std_math_second, OpenCLstd_remquo),
    STD(rint, hd_std_native, HD_IR_FRINT),
    MATH_ROW(rootn),
    MATH_ROW(round),
    MATH_ROW(rsqrt),
    MATH_ROW(sin),
    STD(sincos, hd_std_math_second, OpenCLstd_sincos),
    MATH_ROW(sinh),
    MATH_ROW(sinpi),
    STD(sqrt, hd_std_sqrt, HD_IR_FSQRT),
    MATH_ROW(tan),
    MATH_ROW(tanh),
    MATH_ROW(tanpi),
    MATH_ROW(tgamma),
    STD(trunc, hd_std_native, HD_IR_FTRUNC),
    AS(half_cos, cos),
    STD(half_divide, hd_std_native, HD_IR_FDIV),
    AS(half_exp, exp),
    AS(half_exp2, exp2),
    AS(half_exp10, exp10),
    AS(half_log, log),
    AS(half_log2, log2),
    AS(half_log10, log10),
    AS(half_powr, powr),
    STD(half_recip, hd_std_reciprocal, 0),
    AS(half_rsqrt, rsqrt),
    AS(half_sin, sin),
    STD(half_sqrt, hd_std_native, HD_IR_FSQRT),
    AS(half_tan, tan),
    FAST(native_cos, cos),
    STD(native_divide, hd_std_fast_native, HD_IR_FDIV),
    FAST(native_exp, exp),
    FAST(native_exp2, exp2),
    FAST(native_exp10, exp10),
    FAST(native_log, log),
    FAST(native_log2, log2),
    FAST(native_log10, log10),
    FAST(native_powr, powr),
    STD(native_recip, hd_std_reciprocal, 0),
    FAST(native_rsqrt, rsqrt),
    FAST(native_sin, sin),
    STD(native_sqrt, hd_std_fast_native, HD_IR_FSQRT),
    FAST(native_tan, tan),
    STD(fclamp, hd_std_float_common, OpenCLstd_fclamp),
    MATH_ROW(degrees),
    STD(fmax_common, hd_std_float_common, OpenCLstd_fmax_common),
    STD(fmin_common, hd_std_float_common, OpenCLstd_fmin_common),
    STD(mix, hd_std_float_common, OpenCLstd_mix),
    MATH_ROW(radians),
    STD(step, hd_std_float_common, OpenCLstd_step),
    MATH_ROW(smoothstep),
    MATH_ROW(sign),
    STD(cross, hd_std_cross, 0),
    STD(distance, hd_std_length, OpenCLstd_distance),
    STD(length, hd_std_length, OpenCLstd_length),
    STD(normalize, hd_std_normalize, OpenCLstd_normalize),
    STD(fast_distance, hd_std_length, OpenCLstd_fast_distance),
    STD(fast_length, hd_std_length, OpenCLstd_fast_length),
    STD(fast_normalize, hd_std_normalize, OpenCLstd_fast_normalize),
    INT(s_abs),
    INT(s_abs_diff),
    STD(s_add_sat, hd_std_native, HD_IR_SADDSAT),
    STD(u_add_sat, hd_std_native, HD_IR_UADDSAT),
    INT(s_hadd),
    INT(u_hadd),
    INT(s_rhadd),
    INT(u_rhadd),
    INT(s_clamp),
    INT(u_clamp),
    STD(clz, hd_std_native, HD_IR_CLZ),
    STD(ctz, hd_std_native, HD_IR_CTZ),
    INT(s_mad_hi),
    INT(u_mad_sat),
    INT(s_mad_sat),
    STD(s_max, hd_std_native, HD_IR_SMAX),
    STD(u_max, hd_std_native, HD_IR_UMAX),
    STD(s_min, hd_std_native, HD_IR_SMIN),
    STD(u_min, hd_std_native, HD_IR_UMIN),
    STD(s_mul_hi, hd_std_native, HD_IR_SMULHI),
    STD(rotate, hd_std_native, HD_IR_ROTL),
    STD(s_sub_sat, hd_std_native, HD_IR_SSUBSAT),
    STD(u_sub_sat, hd_std_native, HD_IR_USUBSAT),
    STD(u_upsample, hd_std_upsample, OpenCLstd_u_upsample),
    STD(s_upsample, hd_std_upsample, OpenCLstd_s_upsample),
    STD(popcount, hd_std_native, HD_IR_POPCOUNT),
    INT(s_mad24),
    INT(u_mad24),
    STD(s_mul24, hd_std_native, HD_IR_MUL),
    STD(u_mul24, hd_std_native, HD_IR_MUL),
    STD(vloadn, hd_std_vload, 0),
    STD(vstoren, hd_std_vstore, 0),
    STD(vload_half, hd_std_vload_half, OpenCLstd_vload_half),
    STD(vload_halfn, hd_std_vload_half, OpenCLstd_vload_halfn),
    STD(vstore_half, hd_std_vstore_half, OpenCLstd_vstore_half),
    STD(vstore_half_r, hd_std_vstore_half, OpenCLstd_vstore_half_r),
    STD(vstore_halfn, hd_std_vstore_half, OpenCLstd_vstore_halfn),
    STD(vstore_halfn_r, hd_std_vstore_half, OpenCLstd_vstore_halfn_r),
    STD(vloada_halfn, hd_std_vload_half, OpenCLstd_vloada_halfn),
    STD(vstorea_halfn, hd_std_vstore_half, OpenCLstd_vstorea_halfn),
    STD(vstorea_halfn_r, hd_std_vstore_half, OpenCLstd_vstorea_halfn_r),
    STD(shuffle, hd_std_shuffle, 1),
    STD(shuffle2, hd_std_shuffle, 2),
    STD(printf, hd_std_printf, 0),
    STD(prefetch, hd_std_prefetch, 0),
    STD(bitselect, hd_std_bitselect, 0),
    STD(select, hd_std_select, 0),
    STD(u_abs, hd_std_int_same, 0),
    INT(u_abs_diff),
    STD(u_mul_hi, hd_std_native, HD_IR_UMULHI),
    INT(u_mad_hi),
};

/* Sets that only describe: debug information, and all whose names begin with "NonSemantic.". */
static bool is_ignored(const HdModule *m, HdId set)
{
    HdInst in;
    const char *name;

    if (!hd_module_def(m, set, &in) || in.opix != HD_OPIX_ExtInstImport)
        return false;
    name = hd_inst_string(&in, 2);
    return strncmp(name, "NonSemantic.", 12) == 0 || strcmp(name, "DebugInfo") == 0 ||
           strcmp(name, "OpenCL.DebugInfo.100") == 0;
}

/* Words: 1 type, 2 result, 3 set, 4 number, 5 … operands. */
HdStatus hd_build_ext_inst(HdBuild *b, const HdInst *in)
{
    unsigned set = hd_module_extset(b->m, in->w[3]);
    const HdExtInst *named;

    if (hd_is_debug_printf(b->m, in))
        return hd_std_debug_printf(b, in);
    if (is_ignored(b->m, in->w[3]))
        return HD_OK;
    if (set == HD_EXTSET_GLSL_std_450)
        return hd_glsl_build(b, in);
    if (set != HD_EXTSET_OpenCL_std)
        return hd_build_unsupported(b, in, "of a set other than OpenCL.std and GLSL.std.450");
    if (in->w[4] < sizeof rows / sizeof *rows && rows[in->w[4]].build)
        return rows[in->w[4]].build(b, in, rows[in->w[4]].what);
    named = hd_gram_extinst(set, in->w[4]);
    return hd_build_unsupported(b, in, named ? named->name : "of an unknown number");
}
