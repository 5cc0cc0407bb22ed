/* ops/arith/arith_build.c -- arithmetic to lane IR, component by component.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/contract.h"
#include "ops/build_fns.h"
#include "ops/float/bfloat_build.h"
#include "ops/float/rounded_build.h"
#include "rt/math/math.h"

static HdIrRef fmod_of(HdBuild *b, HdIrType t, HdIrRef x, HdIrRef y)
{
    const HdIrRef args[2] = {x, y};

    return hd_ir_emit_sub(b->fn, b->block, HD_IR_MATH, t, HD_MATH_fmod, 0, args, 2);
}

/* Remainder whose sign is the divisor's. */
static HdIrRef smod(HdBuild *b, HdIrType t, HdIrRef x, HdIrRef y)
{
    HdIrRef zero = hd_build_const(b, t, 0);
    HdIrRef rem = hd_build_op2(b, HD_IR_SREM, t, x, y);
    HdIrRef differ = hd_build_icmp(b, HD_IR_SLT, hd_build_op2(b, HD_IR_XOR, t, rem, y), zero);
    HdIrRef some = hd_build_icmp(b, HD_IR_NE, rem, zero);
    HdIrRef fix = hd_build_op2(b, HD_IR_AND, HD_IR_BOOL, differ, some);

    return hd_build_select(b, t, fix, hd_build_op2(b, HD_IR_ADD, t, rem, y), rem);
}

static HdIrRef float_mod(HdBuild *b, const HdInst *in, HdIrRef x, HdIrRef y)
{
    HdIrType t = hd_build_type_at(b, x);
    HdIrRef zero = hd_build_const(b, t, 0);
    HdIrRef rem = fmod_of(b, t, x, y);
    HdIrRef rem_less = hd_build_fcmp(b, HD_IR_OLT, rem, zero);
    HdIrRef y_less = hd_build_fcmp(b, HD_IR_OLT, y, zero);
    HdIrRef differ = hd_build_op2(b, HD_IR_XOR, HD_IR_BOOL, rem_less, y_less);
    HdIrRef some = hd_build_fcmp(b, HD_IR_UNE, rem, zero);
    HdIrRef fix = hd_build_op2(b, HD_IR_AND, HD_IR_BOOL, differ, some);
    HdIrRef moved = hd_build_float2(b, in, HD_IR_FADD, rem, y);

    return hd_build_op2(b, HD_IR_FCOPYSIGN, t, hd_build_select(b, t, fix, moved, rem), y);
}

static HdIrOp op_of(const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_IAdd: return HD_IR_ADD;
    case HD_OPIX_ISub: return HD_IR_SUB;
    case HD_OPIX_IMul: return HD_IR_MUL;
    case HD_OPIX_SDiv: return HD_IR_SDIV;
    case HD_OPIX_SRem: return HD_IR_SREM;
    case HD_OPIX_UDiv: return HD_IR_UDIV;
    case HD_OPIX_UMod: return HD_IR_UREM;
    case HD_OPIX_FAdd: return HD_IR_FADD;
    case HD_OPIX_FSub: return HD_IR_FSUB;
    case HD_OPIX_FMul: return HD_IR_FMUL;
    case HD_OPIX_FDiv: return HD_IR_FDIV;
    default: return HD_IR_OP_COUNT;
    }
}

static HdIrRef binary(HdBuild *b, const HdInst *in, HdIrRef x, HdIrRef y)
{
    HdIrType t = hd_build_type_at(b, x);

    switch (in->opix) {
    case HD_OPIX_SMod: return smod(b, t, x, y);
    case HD_OPIX_FRem: return fmod_of(b, t, x, y);
    case HD_OPIX_FMod: return float_mod(b, in, x, y);
    default: return hd_build_flagged2(b, in, op_of(in), x, y);
    }
}

/* OpFDiv in a rounding mode (SPV_INTEL_rounded_divide_sqrt). */
static HdStatus rounded_divide(HdBuild *b, const HdInst *in)
{
    unsigned round = HD_ROUND_RTE;
    HdBuildValue v[2];
    HdIrRef *refs;

    HD_TRY(hd_build_rounding(b, in, &round));
    HD_TRY(hd_build_operands(b, in, 3, 2, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++)
        refs[i] = hd_build_rounded_divide(b, round, v[0].at[i], v[1].at[i]);
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}

/* x * y + z, x * y - z or z - x * y. */
static HdStatus contracted(HdBuild *b, const HdInst *in, const HdContraction *c)
{
    bool is_difference = in->opix == HD_OPIX_FSub;
    HdBuildValue x, y, z;
    HdIrRef *refs;

    HD_TRY(hd_build_use(b, c->product.w[3], &x));
    HD_TRY(hd_build_use(b, c->product.w[4], &y));
    HD_TRY(hd_build_use(b, in->w[c->at == 3 ? 4 : 3], &z));
    HD_TRY(hd_build_room(b, x.count, &refs));
    for (uint32_t i = 0; i < x.count; i++) {
        HdIrRef factor = x.at[i], summand = z.at[i];
        HdIrRef *turned = c->at == 3 ? &summand : &factor;

        if (is_difference)
            *turned = hd_build_op1(b, HD_IR_FNEG, hd_build_type_at(b, *turned), *turned);
        refs[i] = hd_build_fused(b, in, factor, y.at[y.count == 1 ? 0 : i], summand);
    }
    return hd_build_bind(b, in->w[2], refs, x.count);
}

/* Words: 1 type, 2 result, 3 left, 4 right. */
HdStatus hd_build_binary(HdBuild *b, const HdInst *in)
{
    HdContraction contraction;
    HdBuildValue v[2];
    HdIrRef *refs;

    if (op_of(in) == HD_IR_OP_COUNT && in->opix != HD_OPIX_SMod && in->opix != HD_OPIX_FRem &&
        in->opix != HD_OPIX_FMod)
        return HD_BUG;
    if (in->opix == HD_OPIX_FDiv && hd_build_is_rounded(b, in))
        return rounded_divide(b, in);
    if (!hd_build_truncates(b, in) && hd_module_contraction(b->m, in, &contraction))
        return contracted(b, in, &contraction);
    HD_TRY(hd_build_floats(b, in, 3, 2, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++)
        refs[i] = binary(b, in, v[0].at[i], v[1].at[i]);
    return hd_build_bind_floats(b, in, refs, v[0].count);
}

/* OpSNegate, OpFNegate. Words: 1 type, 2 result, 3 operand. */
HdStatus hd_build_negate(HdBuild *b, const HdInst *in)
{
    HdBuildValue v;
    HdIrRef *refs;

    HD_TRY(hd_build_operands(b, in, 3, 1, &v));
    HD_TRY(hd_build_room(b, v.count, &refs));
    for (uint32_t i = 0; i < v.count; i++) {
        HdIrType t = hd_build_type_at(b, v.at[i]);

        if (in->opix == HD_OPIX_FNegate && t == HD_IR_I16) /* a bfloat16 */
            refs[i] =
                hd_build_op2(b, HD_IR_XOR, t, v.at[i], hd_build_const(b, t, UINT64_C(0x8000)));
        else if (in->opix == HD_OPIX_FNegate)
            refs[i] = hd_build_op1(b, HD_IR_FNEG, t, v.at[i]);
        else
            refs[i] =
                hd_build_flag(b, hd_build_op2(b, HD_IR_SUB, t, hd_build_const(b, t, 0), v.at[i]),
                              hd_build_flags(b, in));
    }
    return hd_build_bind(b, in->w[2], refs, v.count);
}

/* Of a cooperative matrix of integers. */
static HdStatus integers_times_scalar(HdBuild *b, const HdInst *in)
{
    HdBuildValue v, scalar;
    HdIrRef *refs;

    HD_TRY(hd_build_operands(b, in, 3, 1, &v));
    HD_TRY(hd_build_operands(b, in, 4, 1, &scalar));
    HD_TRY(hd_build_room(b, v.count, &refs));
    for (uint32_t i = 0; i < v.count; i++)
        refs[i] =
            hd_build_op2(b, HD_IR_MUL, hd_build_type_at(b, scalar.at[0]), v.at[i], scalar.at[0]);
    return hd_build_bind(b, in->w[2], refs, v.count);
}

/* OpVectorTimesScalar, OpMatrixTimesScalar. Words: 1 type, 2 result, 3 vector, 4 scalar. */
HdStatus hd_build_vector_times_scalar(HdBuild *b, const HdInst *in)
{
    const HdType *t = hd_module_type_of(b->m, in->w[4]);
    HdBuildValue v, scalar;
    HdIrRef *refs;

    if (t != NULL && t->kind == HD_T_INT)
        return integers_times_scalar(b, in);
    HD_TRY(hd_build_floats(b, in, 3, 1, &v));
    HD_TRY(hd_build_floats(b, in, 4, 1, &scalar));
    HD_TRY(hd_build_room(b, v.count, &refs));
    for (uint32_t i = 0; i < v.count; i++)
        refs[i] = hd_build_flagged2(b, in, HD_IR_FMUL, v.at[i], scalar.at[0]);
    return hd_build_bind_floats(b, in, refs, v.count);
}

/* Products added from the first component on. Words: 1 type, 2 result, 3 left, 4 right. */
HdStatus hd_build_dot(HdBuild *b, const HdInst *in)
{
    HdBuildValue v[2];
    const HdType *type;
    HdIrRef sum = 0;
    bool may_fuse = !hd_build_truncates(b, in) && hd_module_may_contract(b->m, in);
    bool is_short; /* bfloat16: nothing is rounded to it before the end */

    HD_TRY(hd_build_type(b, in->w[1], &type));
    HD_TRY(hd_build_operands(b, in, 3, 2, v));
    is_short = hd_is_bfloat16(type);
    for (uint32_t i = 0; i < v[0].count; i++) {
        HdIrRef x = is_short ? hd_build_from_bfloat16(b, v[0].at[i]) : v[0].at[i];
        HdIrRef y = is_short ? hd_build_from_bfloat16(b, v[1].at[i]) : v[1].at[i];
        HdIrRef product;

        if (may_fuse && i > 0) {
            sum = hd_build_fused(b, in, x, y, sum);
            continue;
        }
        product = hd_build_float2(b, in, HD_IR_FMUL, x, y);
        sum = i == 0 ? product : hd_build_float2(b, in, HD_IR_FADD, sum, product);
    }
    if (is_short)
        sum = hd_build_to_bfloat16(b, sum);
    return hd_build_bind(b, in->w[2], &sum, 1);
}

/* The second member of the result of one component. */
static HdIrRef high_part(HdBuild *b, const HdInst *in, HdIrType t, HdIrRef low, HdIrRef x,
                         HdIrRef y)
{
    switch (in->opix) {
    case HD_OPIX_IAddCarry: return hd_build_from_bool(b, hd_build_icmp(b, HD_IR_ULT, low, x), t, 1);
    case HD_OPIX_ISubBorrow: return hd_build_from_bool(b, hd_build_icmp(b, HD_IR_ULT, x, y), t, 1);
    case HD_OPIX_UMulExtended: return hd_build_op2(b, HD_IR_UMULHI, t, x, y);
    default: return hd_build_op2(b, HD_IR_SMULHI, t, x, y);
    }
}

/* Results are structs of two: all low parts, then all high parts, carries or borrows.
 * Words: 1 type, 2 result, 3 left, 4 right. */
HdStatus hd_build_extended(HdBuild *b, const HdInst *in)
{
    HdIrOp op = in->opix == HD_OPIX_IAddCarry    ? HD_IR_ADD
                : in->opix == HD_OPIX_ISubBorrow ? HD_IR_SUB
                                                 : HD_IR_MUL;
    HdBuildValue v[2];
    HdIrRef *refs;
    uint32_t n;

    HD_TRY(hd_build_operands(b, in, 3, 2, v));
    n = v[0].count;
    HD_TRY(hd_build_room(b, n * 2, &refs));
    for (uint32_t i = 0; i < n; i++) {
        HdIrType t = hd_build_type_at(b, v[0].at[i]);

        refs[i] = hd_build_op2(b, op, t, v[0].at[i], v[1].at[i]);
        refs[n + i] = high_part(b, in, t, refs[i], v[0].at[i], v[1].at[i]);
    }
    return hd_build_bind(b, in->w[2], refs, n * 2);
}

/* Words: 1 type, 2 result, 3 … 5 operands. */
HdStatus hd_build_fma(HdBuild *b, const HdInst *in)
{
    HdBuildValue v[3];
    HdIrRef *refs;

    HD_TRY(hd_build_operands(b, in, 3, 3, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++)
        refs[i] = hd_build_truncates(b, in)
                      ? hd_build_truncated_fma(b, v[0].at[i], v[1].at[i], v[2].at[i])
                      : hd_build_op3(b, HD_IR_FMA, hd_build_type_at(b, v[0].at[i]), v[0].at[i],
                                     v[1].at[i], v[2].at[i]);
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}

/* The product is exact in a float, so that it is added as by fma.
 * Words: 1 type, 2 result, 3 and 4 factors, 5 summand. */
HdStatus hd_build_bfloat_muladd(HdBuild *b, const HdInst *in)
{
    HdBuildValue v[3];
    HdIrRef r;

    HD_TRY(hd_build_floats(b, in, 3, 3, v));
    r = hd_build_op3(b, HD_IR_FMA, HD_IR_F32, v[0].at[0], v[1].at[0], v[2].at[0]);
    return hd_build_bind(b, in->w[2], &r, 1);
}

/* 1 / (1 + e^-x), where x is negative e^x / (1 + e^x), so that nothing overflows. */
static HdIrRef sigmoid(HdBuild *b, HdIrRef x)
{
    HdIrType t = hd_build_type_at(b, x);
    HdIrRef one = hd_build_const(b, t, t == HD_IR_F64 ? UINT64_C(0x3ff) << 52 : 0x3f800000);
    HdIrRef is_less = hd_build_fcmp(b, HD_IR_OLT, x, hd_build_const(b, t, 0));
    HdIrRef e, magnitude = hd_build_op1(b, HD_IR_FNEG, t, hd_build_op1(b, HD_IR_FABS, t, x));

    e = hd_ir_emit_sub(b->fn, b->block, HD_IR_MATH, t, HD_MATH_exp, 0, &magnitude, 1);
    return hd_build_op2(b, HD_IR_FDIV, t, hd_build_select(b, t, is_less, e, one),
                        hd_build_op2(b, HD_IR_FADD, t, one, e));
}

/* In floats of 32 bits at least. Words: 1 type, 2 result, 3 operand. */
HdStatus hd_build_sigmoid(HdBuild *b, const HdInst *in)
{
    HdBuildValue v;
    HdIrRef *refs;

    HD_TRY(hd_build_floats(b, in, 3, 1, &v));
    HD_TRY(hd_build_room(b, v.count, &refs));
    for (uint32_t i = 0; i < v.count; i++) {
        bool is_half = hd_build_type_at(b, v.at[i]) == HD_IR_F16;

        refs[i] = sigmoid(b, is_half ? hd_build_op1(b, HD_IR_FPEXT, HD_IR_F32, v.at[i]) : v.at[i]);
        if (is_half)
            refs[i] = hd_build_op1(b, HD_IR_FPTRUNC, HD_IR_F16, refs[i]);
    }
    return hd_build_bind_floats(b, in, refs, v.count);
}

/* OpExpectKHR is its value. Words: 1 type, 2 result, 3 value, 4 expected. */
HdStatus hd_build_expect(HdBuild *b, const HdInst *in)
{
    HdBuildValue v;

    HD_TRY(hd_build_use(b, in->w[3], &v));
    return hd_build_bind(b, in->w[2], v.at, v.count);
}
