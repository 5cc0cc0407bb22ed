/* ops/glsl/glsl_build.c -- GLSL.std.450: which builder an extended instruction has.
 *
 * What OpenCL.std has with the same meaning is built by its functions; where the two differ only in
 * what GLSL leaves undefined, too (NaN in FMin, powers of negative numbers, halves in Round).
 *
 * Spec: SPIR-V Extended Instructions for GLSL.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/glsl/glsl_build.h"

#include <string.h>

#include "base/half.h"
#include "ops/float/rounded_build.h"

static HdIrRef op2(HdBuild *b, HdIrOp op, HdIrRef x, HdIrRef y)
{
    return hd_build_op2(b, op, hd_build_type_at(b, x), x, y);
}

/* ---- by component -------------------------------------------------------------------------- */

static HdIrRef s_sign(HdBuild *b, HdIrRef x)
{
    HdIrType t = hd_build_type_at(b, x);
    HdIrRef one = hd_build_const(b, t, 1), least = hd_build_const(b, t, ~UINT64_C(0));

    return op2(b, HD_IR_SMAX, op2(b, HD_IR_SMIN, x, one), least);
}

/* The number of the highest bit that is set; all ones where there is none. */
static HdIrRef highest(HdBuild *b, HdIrRef x)
{
    HdIrType t = hd_build_type_at(b, x);

    return op2(b, HD_IR_SUB, hd_build_const(b, t, hd_ir_type_bits(t) - 1),
               hd_build_op1(b, HD_IR_CLZ, t, x));
}

static HdIrRef lowest(HdBuild *b, HdIrRef x)
{
    HdIrType t = hd_build_type_at(b, x);
    HdIrRef is_none = hd_build_icmp(b, HD_IR_EQ, x, hd_build_const(b, t, 0));

    return hd_build_select(b, t, is_none, hd_build_const(b, t, ~UINT64_C(0)),
                           hd_build_op1(b, HD_IR_CTZ, t, x));
}

static HdIrRef one1(HdBuild *b, const HdInst *in, unsigned what, HdIrRef x)
{
    HdIrType t = hd_build_type_at(b, x);

    switch (what) {
    case GLSLstd450SSign: return s_sign(b, x);
    case GLSLstd450Fract:
        return hd_build_float2(b, in, HD_IR_FSUB, x, hd_build_op1(b, HD_IR_FFLOOR, t, x));
    case GLSLstd450FindILsb: return lowest(b, x);
    case GLSLstd450FindUMsb: return highest(b, x);
    default: /* FindSMsb: of negative numbers the highest bit that is not set */
        return highest(b, op2(b, HD_IR_XOR, x,
                              op2(b, HD_IR_ASHR, x, hd_build_const(b, t, hd_ir_type_bits(t) - 1))));
    }
}

/* `what`: number of the instruction. */
static HdStatus unary(HdBuild *b, const HdInst *in, unsigned what)
{
    const HdType *type;
    HdIrRef *refs;
    HdBuildValue v;

    HD_TRY(hd_build_type(b, in->w[1], &type));
    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, 1, &v));
    HD_TRY(hd_build_room(b, v.count, &refs));
    for (uint32_t i = 0; i < v.count; i++) {
        refs[i] = one1(b, in, what, v.at[i]);
        if (what >= GLSLstd450FindILsb)
            refs[i] = hd_build_resize(b, refs[i], hd_build_scalar(hd_type_scalar(type)), true);
    }
    return hd_build_bind(b, in->w[2], refs, v.count);
}

/* Structures of two members: ModfStruct, FrexpStruct. */
static HdStatus pair(HdBuild *b, const HdInst *in, unsigned what)
{
    bool is_modf = what == GLSLstd450ModfStruct;
    HdIrRef *refs;
    HdBuildValue v;

    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, 1, &v));
    HD_TRY(hd_build_room(b, v.count * 2, &refs));
    for (uint32_t i = 0; i < v.count; i++) {
        HdIrType t = hd_build_type_at(b, v.at[i]);

        refs[i] = hd_std_call(b, is_modf ? HD_MATH_modf_frac : HD_MATH_frexp_mant, t, &v.at[i], 1);
        refs[v.count + i] = hd_std_call(b, is_modf ? HD_MATH_modf_int : HD_MATH_frexp_exp,
                                        is_modf ? t : HD_IR_I32, &v.at[i], 1);
    }
    return hd_build_bind(b, in->w[2], refs, v.count * 2);
}

/* An exponent of any width, as the 32 bits that the function takes: beyond ±2^30 all exponents mean
 * the same. */
static HdIrRef exponent(HdBuild *b, HdIrRef e)
{
    HdIrType t = hd_build_type_at(b, e);
    uint64_t most = UINT64_C(1) << 30;

    if (hd_ir_type_bits(t) > 32) {
        e = op2(b, HD_IR_SMIN, e, hd_build_const(b, t, most));
        e = op2(b, HD_IR_SMAX, e, hd_build_const(b, t, ~most + 1));
    }
    return hd_build_resize(b, e, HD_IR_I32, true);
}

/* A result of Ldexp, cut: the exponent taken back tells whether it is too large. */
static HdIrRef cut(HdBuild *b, unsigned what, HdIrRef result, const HdIrRef x[2])
{
    HdIrType t = hd_build_type_at(b, result);
    HdIrRef args[2] = {result, op2(b, HD_IR_SUB, hd_build_const(b, HD_IR_I32, 0), x[1])};
    HdIrRef back = hd_build_op1(b, HD_IR_FABS, t, hd_std_call(b, what, t, args, 2));

    return hd_build_toward_zero(
        b, result, hd_build_fcmp(b, HD_IR_OGT, back, hd_build_op1(b, HD_IR_FABS, t, x[0])));
}

/* Ldexp, whose exponent may have another width than OpenCL.std's. */
static HdStatus load_exponent(HdBuild *b, const HdInst *in, unsigned what)
{
    HdBuildValue v[2];
    HdIrRef *refs;

    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, 2, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++) {
        HdIrRef args[2] = {v[0].at[i], exponent(b, v[1].at[i])};

        refs[i] = hd_std_call(b, what, hd_build_type_at(b, args[0]), args, 2);
        if (hd_build_truncates(b, in))
            refs[i] = cut(b, what, refs[i], args);
    }
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}

/* ---- of whole vectors ---------------------------------------------------------------------- */

static HdIrRef dot(HdBuild *b, const HdInst *in, const HdBuildValue *x, const HdBuildValue *y)
{
    HdIrRef sum = hd_build_float2(b, in, HD_IR_FMUL, x->at[0], y->at[0]);

    for (uint32_t i = 1; i < x->count; i++)
        sum = hd_build_float2(b, in, HD_IR_FADD, sum,
                              hd_build_float2(b, in, HD_IR_FMUL, x->at[i], y->at[i]));
    return sum;
}

/* Fma is more accurate than product and sum, which would be allowed. */
static HdStatus fma3(HdBuild *b, const HdInst *in, unsigned what)
{
    HdBuildValue v[3];
    HdIrRef *refs;

    if (!hd_build_truncates(b, in))
        return hd_std_exact_native(b, in, what);
    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, 3, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++)
        refs[i] = hd_build_truncated_fma(b, v[0].at[i], v[1].at[i], v[2].at[i]);
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}

/* FaceForward (N, I, Nref). */
static HdStatus face_forward(HdBuild *b, const HdInst *in, unsigned what)
{
    HdBuildValue v[3];
    HdIrRef *refs, is;
    HdIrType t;

    (void)what;
    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, 3, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    t = hd_build_type_at(b, v[0].at[0]);
    is = hd_build_fcmp(b, HD_IR_OLT, dot(b, in, &v[2], &v[1]), hd_glsl_float(b, t, 0));
    for (uint32_t i = 0; i < v[0].count; i++)
        refs[i] = hd_build_select(b, t, is, v[0].at[i], hd_build_op1(b, HD_IR_FNEG, t, v[0].at[i]));
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}

/* Reflect (I, N): I - 2 dot(N, I) N. */
static HdStatus reflect(HdBuild *b, const HdInst *in, unsigned what)
{
    HdBuildValue v[2];
    HdIrRef *refs, twice;
    HdIrType t;

    (void)what;
    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, 2, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    t = hd_build_type_at(b, v[0].at[0]);
    twice = hd_build_float2(b, in, HD_IR_FMUL, dot(b, in, &v[1], &v[0]), hd_glsl_float(b, t, 2));
    for (uint32_t i = 0; i < v[0].count; i++)
        refs[i] = hd_build_float2(b, in, HD_IR_FSUB, v[0].at[i],
                                  hd_build_float2(b, in, HD_IR_FMUL, twice, v[1].at[i]));
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}

static HdIrRef root(HdBuild *b, const HdInst *in, HdIrRef x)
{
    return hd_build_rounded_sqrt(b, hd_build_truncates(b, in) ? HD_ROUND_RTZ : HD_ROUND_RTE, x);
}

/* Refract (I, N, eta): with k = 1 - eta² (1 - dot(N, I)²), zero where that is negative, else
 * eta I - (eta dot(N, I) + √k) N. */
static HdStatus refract(HdBuild *b, const HdInst *in, unsigned what)
{
    HdIrRef *refs, eta, d, k, one, by, is, zero;
    HdBuildValue v[2];
    HdIrType t;

    (void)what;
    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, 2, v));
    HD_TRY(hd_build_use1(b, in->w[HD_STD_OPERAND + 2], &eta));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    t = hd_build_type_at(b, v[0].at[0]);
    one = hd_glsl_float(b, t, 1);
    zero = hd_glsl_float(b, t, 0);
    d = dot(b, in, &v[1], &v[0]);
    k = hd_build_float2(b, in, HD_IR_FSUB, one, hd_build_float2(b, in, HD_IR_FMUL, d, d));
    k = hd_build_float2(
        b, in, HD_IR_FSUB, one,
        hd_build_float2(b, in, HD_IR_FMUL, hd_build_float2(b, in, HD_IR_FMUL, eta, eta), k));
    is = hd_build_fcmp(b, HD_IR_OLT, k, zero);
    by = hd_build_float2(b, in, HD_IR_FADD, hd_build_float2(b, in, HD_IR_FMUL, eta, d),
                         root(b, in, k));
    for (uint32_t i = 0; i < v[0].count; i++)
        refs[i] = hd_build_select(
            b, t, is, zero,
            hd_build_float2(b, in, HD_IR_FSUB, hd_build_float2(b, in, HD_IR_FMUL, eta, v[0].at[i]),
                            hd_build_float2(b, in, HD_IR_FMUL, by, v[1].at[i])));
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}

/* ---- minimum and maximum ------------------------------------------------------------------- */

/* Of two equal numbers the first one, whatever the signs of zeros; the number where one is NaN. */
static HdIrRef ordered(HdBuild *b, HdIrOp op, HdIrRef x, HdIrRef y)
{
    HdIrType t = hd_build_type_at(b, x);
    HdIrRef is_y =
        op == HD_IR_FMIN ? hd_build_fcmp(b, HD_IR_OLT, y, x) : hd_build_fcmp(b, HD_IR_OLT, x, y);

    return hd_build_select(b, t, hd_build_fcmp(b, HD_IR_UNO, x, x), y,
                           hd_build_select(b, t, is_y, y, x));
}

/* The operation of lane IR may give either zero. `what`: FMIN, FMAX, or OpenCLstd_fclamp. */
static HdStatus minmax(HdBuild *b, const HdInst *in, unsigned what)
{
    bool is_clamp = what == OpenCLstd_fclamp;
    HdBuildValue v[3];
    HdIrRef *refs;

    if (!hd_module_has_capability(b->m, SpvCapabilitySignedZeroInfNanPreserve) &&
        !hd_module_has_capability(b->m, SpvCapabilityFloatControls2))
        return is_clamp ? hd_std_float_common(b, in, what) : hd_std_native(b, in, what);
    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, is_clamp ? 3 : 2, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++)
        refs[i] = is_clamp ? ordered(b, HD_IR_FMIN, ordered(b, HD_IR_FMAX, v[0].at[i], v[1].at[i]),
                                     v[2].at[i])
                           : ordered(b, (HdIrOp)what, v[0].at[i], v[1].at[i]);
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}

/* ---- all ----------------------------------------------------------------------------------- */

typedef struct Row {
    HdStdBuildFn *build;
    unsigned what;
} Row;

#define GLSL(name, fn, value) [GLSLstd450##name] = {fn, value}
#define NATIVE(name, op)      GLSL(name, hd_std_native, HD_IR_##op)
#define MATH_ROW(name, fn)    GLSL(name, hd_std_math, HD_MATH_##fn)
#define OWN(name, fn)         GLSL(name, fn, GLSLstd450##name)

static const Row rows[] = {
    NATIVE(Round, FRINT),
    NATIVE(RoundEven, FRINT),
    NATIVE(Trunc, FTRUNC),
    NATIVE(FAbs, FABS),
    GLSL(SAbs, hd_std_int, OpenCLstd_s_abs),
    MATH_ROW(FSign, sign),
    OWN(SSign, unary),
    NATIVE(Floor, FFLOOR),
    NATIVE(Ceil, FCEIL),
    OWN(Fract, unary),
    MATH_ROW(Radians, radians),
    MATH_ROW(Degrees, degrees),
    MATH_ROW(Sin, sin),
    MATH_ROW(Cos, cos),
    MATH_ROW(Tan, tan),
    MATH_ROW(Asin, asin),
    MATH_ROW(Acos, acos),
    MATH_ROW(Atan, atan),
    MATH_ROW(Sinh, sinh),
    MATH_ROW(Cosh, cosh),
    MATH_ROW(Tanh, tanh),
    MATH_ROW(Asinh, asinh),
    MATH_ROW(Acosh, acosh),
    MATH_ROW(Atanh, atanh),
    MATH_ROW(Atan2, atan2),
    GLSL(Pow, hd_std_power, HD_MATH_pow),
    MATH_ROW(Exp, exp),
    MATH_ROW(Log, log),
    MATH_ROW(Exp2, exp2),
    MATH_ROW(Log2, log2),
    NATIVE(Sqrt, FSQRT),
    MATH_ROW(InverseSqrt, rsqrt),
    OWN(Determinant, hd_glsl_determinant),
    OWN(MatrixInverse, hd_glsl_inverse),
    GLSL(Modf, hd_std_math_second, OpenCLstd_modf),
    OWN(ModfStruct, pair),
    GLSL(FMin, minmax, HD_IR_FMIN),
    NATIVE(UMin, UMIN),
    NATIVE(SMin, SMIN),
    GLSL(FMax, minmax, HD_IR_FMAX),
    NATIVE(UMax, UMAX),
    NATIVE(SMax, SMAX),
    GLSL(FClamp, minmax, OpenCLstd_fclamp),
    GLSL(UClamp, hd_std_int, OpenCLstd_u_clamp),
    GLSL(SClamp, hd_std_int, OpenCLstd_s_clamp),
    GLSL(FMix, hd_std_float_common, OpenCLstd_mix),
    GLSL(Step, hd_std_float_common, OpenCLstd_step),
    MATH_ROW(SmoothStep, smoothstep),
    GLSL(Fma, fma3, HD_IR_FMA),
    GLSL(Frexp, hd_std_math_second, OpenCLstd_frexp),
    OWN(FrexpStruct, pair),
    GLSL(Ldexp, load_exponent, HD_MATH_ldexp),
    OWN(PackSnorm4x8, hd_glsl_pack),
    OWN(PackUnorm4x8, hd_glsl_pack),
    OWN(PackSnorm2x16, hd_glsl_pack),
    OWN(PackUnorm2x16, hd_glsl_pack),
    OWN(PackHalf2x16, hd_glsl_pack),
    OWN(PackDouble2x32, hd_glsl_pack),
    OWN(UnpackSnorm2x16, hd_glsl_unpack),
    OWN(UnpackUnorm2x16, hd_glsl_unpack),
    OWN(UnpackHalf2x16, hd_glsl_unpack),
    OWN(UnpackSnorm4x8, hd_glsl_unpack),
    OWN(UnpackUnorm4x8, hd_glsl_unpack),
    OWN(UnpackDouble2x32, hd_glsl_unpack),
    GLSL(Length, hd_std_length, OpenCLstd_length),
    GLSL(Distance, hd_std_length, OpenCLstd_distance),
    GLSL(Cross, hd_std_cross, 0),
    GLSL(Normalize, hd_std_normalize, OpenCLstd_normalize),
    OWN(FaceForward, face_forward),
    OWN(Reflect, reflect),
    OWN(Refract, refract),
    OWN(FindILsb, unary),
    OWN(FindSMsb, unary),
    OWN(FindUMsb, unary),
    GLSL(NMin, minmax, HD_IR_FMIN),
    GLSL(NMax, minmax, HD_IR_FMAX),
    GLSL(NClamp, minmax, OpenCLstd_fclamp),
};

HdStatus hd_glsl_build(HdBuild *b, const HdInst *in)
{
    const HdExtInst *named = hd_gram_extinst(HD_EXTSET_GLSL_std_450, in->w[4]);

    if (in->w[4] < sizeof rows / sizeof *rows && rows[in->w[4]].build)
        return rows[in->w[4]].build(b, in, rows[in->w[4]].what);
    return hd_build_unsupported(b, in, named ? named->name : "of an unknown number");
}
