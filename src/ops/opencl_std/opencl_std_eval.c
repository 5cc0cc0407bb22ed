/* ops/opencl_std/opencl_std_eval.c -- OpenCL.std in the interpreter: which function an
 * instruction has.
 *
 * Spec: OpenCL Extended Instruction Set.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/opencl_std/std_eval.h"

#define STD(name, fn) [OpenCLstd_##name] = hd_std_eval_##fn

static HdEvalFn *const functions[] = {
    STD(nan, bits),
    STD(nextafter, bits),
    STD(ilogb, bits),
    STD(fract, second),
    STD(frexp, second),
    STD(lgamma_r, second),
    STD(modf, second),
    STD(remquo, second),
    STD(sincos, second),
    STD(cross, geometric),
    STD(distance, geometric),
    STD(length, geometric),
    STD(normalize, geometric),
    STD(fast_distance, geometric),
    STD(fast_length, geometric),
    STD(fast_normalize, geometric),
    STD(s_abs, int),
    STD(s_abs_diff, int),
    STD(s_add_sat, int),
    STD(u_add_sat, int),
    STD(s_hadd, int),
    STD(u_hadd, int),
    STD(s_rhadd, int),
    STD(u_rhadd, int),
    STD(s_clamp, int),
    STD(u_clamp, int),
    STD(clz, int),
    STD(ctz, int),
    STD(s_mad_hi, int),
    STD(u_mad_hi, int),
    STD(u_mad_sat, int),
    STD(s_mad_sat, int),
    STD(s_max, int),
    STD(u_max, int),
    STD(s_min, int),
    STD(u_min, int),
    STD(s_mul_hi, int),
    STD(u_mul_hi, int),
    STD(rotate, int),
    STD(s_sub_sat, int),
    STD(u_sub_sat, int),
    STD(u_upsample, upsample),
    STD(s_upsample, upsample),
    STD(popcount, int),
    STD(s_mad24, int),
    STD(u_mad24, int),
    STD(s_mul24, int),
    STD(u_mul24, int),
    STD(u_abs, int),
    STD(u_abs_diff, int),
    STD(bitselect, int),
    STD(select, int),
    STD(vloadn, vload),
    STD(vstoren, vstore),
    STD(vload_half, vload_half),
    STD(vload_halfn, vload_half),
    STD(vloada_halfn, vload_half),
    STD(vstore_half, vstore_half),
    STD(vstore_half_r, vstore_half),
    STD(vstore_halfn, vstore_half),
    STD(vstore_halfn_r, vstore_half),
    STD(vstorea_halfn, vstore_half),
    STD(vstorea_halfn_r, vstore_half),
    STD(shuffle, shuffle),
    STD(shuffle2, shuffle),
    STD(printf, printf),
    [OpenCLstd_fma] = hd_eval_fma,
    [OpenCLstd_mad] = hd_eval_fma,
    [OpenCLstd_prefetch] = hd_eval_nothing,
};

HdStatus hd_std_eval_plain(HdEval *e, const HdInst *in)
{
    uint32_t number = in->w[4];
    HdEvalFn *fn = &hd_std_eval_math;

    if (number < sizeof functions / sizeof *functions && functions[number] != NULL)
        fn = functions[number];
    return fn(e, in);
}

HdStatus hd_std_eval(HdEval *e, const HdInst *in)
{
    HD_TRY(hd_std_eval_plain(e, in));
    return e->is_checked ? hd_std_eval_domain(e, in) : HD_OK;
}
