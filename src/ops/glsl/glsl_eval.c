/* ops/glsl/glsl_eval.c -- GLSL.std.450 in the interpreter: which function an extended instruction
 * has.
 *
 * Spec: SPIR-V Extended Instructions for GLSL.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/float/rounded_eval.h"
#include "ops/glsl/glsl_eval.h"

/* + 1: 0 is a number of OpenCL.std, too. */
#define AS(name, like) [GLSLstd450##name] = OpenCLstd_##like + 1

static const uint16_t alike[] = {
    AS(Round, rint),
    AS(RoundEven, rint),
    AS(Trunc, trunc),
    AS(FAbs, fabs),
    AS(SAbs, s_abs),
    AS(FSign, sign),
    AS(Floor, floor),
    AS(Ceil, ceil),
    AS(Radians, radians),
    AS(Degrees, degrees),
    AS(Sin, sin),
    AS(Cos, cos),
    AS(Tan, tan),
    AS(Asin, asin),
    AS(Acos, acos),
    AS(Atan, atan),
    AS(Sinh, sinh),
    AS(Cosh, cosh),
    AS(Tanh, tanh),
    AS(Asinh, asinh),
    AS(Acosh, acosh),
    AS(Atanh, atanh),
    AS(Atan2, atan2),
    AS(Pow, pow),
    AS(Exp, exp),
    AS(Log, log),
    AS(Exp2, exp2),
    AS(Log2, log2),
    AS(Sqrt, sqrt),
    AS(InverseSqrt, rsqrt),
    AS(Modf, modf),
    AS(FMin, fmin),
    AS(UMin, u_min),
    AS(SMin, s_min),
    AS(FMax, fmax),
    AS(UMax, u_max),
    AS(SMax, s_max),
    AS(FClamp, fclamp),
    AS(UClamp, u_clamp),
    AS(SClamp, s_clamp),
    AS(FMix, mix),
    AS(Step, step),
    AS(SmoothStep, smoothstep),
    AS(Fma, fma),
    AS(Frexp, frexp),
    AS(Ldexp, ldexp),
    AS(Length, length),
    AS(Distance, distance),
    AS(Normalize, normalize),
    AS(NMin, fmin),
    AS(NMax, fmax),
    AS(NClamp, fclamp),
};

static uint32_t standard_of(uint32_t number)
{
    return number < sizeof alike / sizeof *alike && alike[number] != 0 ? alike[number] - 1u
                                                                       : UINT32_MAX;
}

static HdStatus own(HdEval *e, const HdInst *in)
{
    switch (in->w[4]) {
    case GLSLstd450SSign:
    case GLSLstd450Fract:
    case GLSLstd450FindILsb:
    case GLSLstd450FindSMsb:
    case GLSLstd450FindUMsb: return hd_glsl_eval_unary(e, in);
    case GLSLstd450ModfStruct:
    case GLSLstd450FrexpStruct: return hd_glsl_eval_pair(e, in);
    case GLSLstd450Cross:
    case GLSLstd450FaceForward:
    case GLSLstd450Reflect:
    case GLSLstd450Refract: return hd_glsl_eval_vectors(e, in);
    case GLSLstd450PackSnorm4x8:
    case GLSLstd450PackUnorm4x8:
    case GLSLstd450PackSnorm2x16:
    case GLSLstd450PackUnorm2x16:
    case GLSLstd450PackHalf2x16:
    case GLSLstd450PackDouble2x32: return hd_glsl_eval_pack(e, in);
    case GLSLstd450UnpackSnorm2x16:
    case GLSLstd450UnpackUnorm2x16:
    case GLSLstd450UnpackHalf2x16:
    case GLSLstd450UnpackSnorm4x8:
    case GLSLstd450UnpackUnorm4x8:
    case GLSLstd450UnpackDouble2x32: return hd_glsl_eval_unpack(e, in);
    case GLSLstd450Determinant:
    case GLSLstd450MatrixInverse: return hd_glsl_eval_matrix(e, in);
    default: return hd_eval_unsupported(e, "this instruction of GLSL.std.450");
    }
}

/* Is an instruction rounded as the shader asks? Vulkan says so of those that are correctly rounded,
 * or of arithmetic that is; others have a bound of their error. */
static bool follows_mode(uint32_t number)
{
    switch (number) {
    case GLSLstd450Fract:
    case GLSLstd450Fma:
    case GLSLstd450Ldexp:
    case GLSLstd450Cross:
    case GLSLstd450FaceForward:
    case GLSLstd450Reflect:
    case GLSLstd450Refract: return true;
    default: return false;
    }
}

#define MOST_WORDS 8u /* three operands */

HdStatus hd_glsl_eval(HdEval *e, const HdInst *in)
{
    uint32_t like = standard_of(in->w[4]), words[MOST_WORDS];
    HD_EVAL_ROUNDED_AS(e, follows_mode(in->w[4]) ? in->w[1] : 0);
    HdInst as = *in;

    if (like == UINT32_MAX) {
        HD_TRY(own(e, in));
        return e->is_checked ? hd_glsl_eval_domain(e, in) : HD_OK;
    }
    if (in->nwords > MOST_WORDS)
        return HD_BUG;
    memcpy(words, in->w, in->nwords * sizeof *words);
    words[4] = like;
    as.w = words;
    HD_TRY(hd_std_eval_plain(e, &as));
    return e->is_checked ? hd_glsl_eval_domain(e, in) : HD_OK;
}
