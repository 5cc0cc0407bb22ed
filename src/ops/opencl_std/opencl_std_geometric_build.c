/* ops/opencl_std/opencl_std_geometric_build.c -- geometric functions of OpenCL.std.
 *
 * Lengths must neither overflow nor lose small components: half and float are summed in the next
 * wider type, double is scaled by its largest component first.
 *
 * Spec: OpenCL Extended Instruction Set, "Geometric instructions"; OpenCL C, geometricFunctions.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/float/rounded_build.h"
#include "ops/opencl_std/std_build.h"

#define F64_ONE UINT64_C(0x3ff0000000000000)
#define F64_INF UINT64_C(0x7ff0000000000000)

/* Three components, or four of which the last result is 0. */
HdStatus hd_std_cross(HdBuild *b, const HdInst *in, unsigned what)
{
    HdBuildValue v[2];
    HdIrRef refs[4];

    (void)what;
    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, 2, v));
    if (v[0].count != 3 && v[0].count != 4)
        return hd_build_bad(b, in, "needs vectors of 3 or 4 components");
    for (unsigned i = 0; i < 3; i++) {
        unsigned j = (i + 1) % 3, k = (i + 2) % 3;

        refs[i] = hd_build_float2(b, in, HD_IR_FSUB,
                                  hd_build_float2(b, in, HD_IR_FMUL, v[0].at[j], v[1].at[k]),
                                  hd_build_float2(b, in, HD_IR_FMUL, v[0].at[k], v[1].at[j]));
    }
    refs[3] = hd_build_const(b, hd_build_type_at(b, v[0].at[0]), 0);
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}

static HdIrRef sum_of_squares(HdBuild *b, HdIrType t, const HdIrRef *x, uint32_t count)
{
    HdIrRef sum = hd_build_op2(b, HD_IR_FMUL, t, x[0], x[0]);

    for (uint32_t i = 1; i < count; i++)
        sum = hd_build_op2(b, HD_IR_FADD, t, sum, hd_build_op2(b, HD_IR_FMUL, t, x[i], x[i]));
    return sum;
}

/* The type that squares are summed in. */
static HdIrType wider(HdIrType t)
{
    return t == HD_IR_F16 ? HD_IR_F32 : HD_IR_F64;
}

/* Largest magnitude of doubles, 1 when that is 0 or infinite: what to divide by. */
static HdIrRef scale_of(HdBuild *b, const HdIrRef *x, uint32_t count)
{
    HdIrRef max = hd_build_op1(b, HD_IR_FABS, HD_IR_F64, x[0]), odd;

    for (uint32_t i = 1; i < count; i++)
        max = hd_build_op2(b, HD_IR_FMAX, HD_IR_F64, max,
                           hd_build_op1(b, HD_IR_FABS, HD_IR_F64, x[i]));
    odd = hd_build_op2(b, HD_IR_OR, HD_IR_BOOL,
                       hd_build_fcmp(b, HD_IR_UEQ, max, hd_build_const(b, HD_IR_F64, 0)),
                       hd_build_fcmp(b, HD_IR_UEQ, max, hd_build_const(b, HD_IR_F64, F64_INF)));
    return hd_build_select(b, HD_IR_F64, odd, hd_build_const(b, HD_IR_F64, F64_ONE), max);
}

/* Components ready to be squared without overflow: widened, or scaled. *scale is 0 when they are
 * only widened. */
static HdStatus prepare(HdBuild *b, const HdIrRef *x, uint32_t count, HdIrRef **out, HdIrRef *scale)
{
    HdIrType t = hd_build_type_at(b, x[0]), wide = wider(t);

    HD_TRY(hd_build_room(b, count, out));
    *scale = t == HD_IR_F64 ? scale_of(b, x, count) : 0;
    for (uint32_t i = 0; i < count; i++)
        (*out)[i] = *scale ? hd_build_op2(b, HD_IR_FDIV, t, x[i], *scale)
                           : hd_build_op1(b, HD_IR_FPEXT, wide, x[i]);
    return HD_OK;
}

static HdStatus length_of(HdBuild *b, const HdIrRef *x, uint32_t count, bool fast, HdIrRef *out)
{
    HdIrType t = hd_build_type_at(b, x[0]), wide = wider(t);
    HdIrRef *y, scale;

    if (count == 1) {
        *out = hd_build_op1(b, HD_IR_FABS, t, x[0]);
        return HD_OK;
    }
    if (fast) {
        *out = hd_build_op1(b, HD_IR_FSQRT, t, sum_of_squares(b, t, x, count));
        return HD_OK;
    }
    HD_TRY(prepare(b, x, count, &y, &scale));
    *out = hd_build_op1(b, HD_IR_FSQRT, wide, sum_of_squares(b, wide, y, count));
    *out = scale ? hd_build_op2(b, HD_IR_FMUL, t, *out, scale)
                 : hd_build_op1(b, HD_IR_FPTRUNC, t, *out);
    return HD_OK;
}

/* length(x), distance(x, y) = length(x - y) and their fast forms; `what`: number. */
HdStatus hd_std_length(HdBuild *b, const HdInst *in, unsigned what)
{
    bool fast = what == OpenCLstd_fast_length || what == OpenCLstd_fast_distance;
    bool distance = what == OpenCLstd_distance || what == OpenCLstd_fast_distance;
    HdBuildValue v[2];
    HdIrRef *x, r;

    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, distance ? 2 : 1, v));
    if (v[0].count == 0)
        return hd_build_bad(b, in, "operand has no components");
    HD_TRY(hd_build_room(b, v[0].count, &x));
    for (uint32_t i = 0; i < v[0].count; i++)
        x[i] = distance ? hd_build_op2(b, HD_IR_FSUB, hd_build_type_at(b, v[0].at[i]), v[0].at[i],
                                       v[1].at[i])
                        : v[0].at[i];
    HD_TRY(length_of(b, x, v[0].count, fast, &r));
    return hd_build_bind(b, in->w[2], &r, 1);
}

/* Infinite doubles become ±1 and the others ±0 when there is an infinite one. */
static void tame_infinities(HdBuild *b, HdIrRef *x, uint32_t count)
{
    HdIrType t = HD_IR_F64;
    HdIrRef inf = hd_build_const(b, t, F64_INF), zero = hd_build_const(b, t, 0);
    HdIrRef one = hd_build_const(b, t, F64_ONE), some = hd_build_const(b, HD_IR_BOOL, 0);
    HdIrRef is[16];

    for (uint32_t i = 0; i < count; i++) {
        is[i] = hd_build_fcmp(b, HD_IR_OEQ, hd_build_op1(b, HD_IR_FABS, t, x[i]), inf);
        some = hd_build_op2(b, HD_IR_OR, HD_IR_BOOL, some, is[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        HdIrRef size = hd_build_select(b, t, is[i], one, zero);
        HdIrRef is_nan = hd_build_fcmp(b, HD_IR_UNO, x[i], x[i]);
        HdIrRef tamed =
            hd_build_select(b, t, is_nan, x[i], hd_build_op2(b, HD_IR_FCOPYSIGN, t, size, x[i]));

        x[i] = hd_build_select(b, t, some, tamed, x[i]);
    }
}

/* Widened components: infinite ones become so large that all others are negligible in the narrow
 * type, but not so large that their squares overflow. NaN stays. */
static void limit(HdBuild *b, HdIrType t, HdIrRef *x, uint32_t count)
{
    uint64_t large = t == HD_IR_F32 ? UINT64_C(0x5d800000) : UINT64_C(0x5f30000000000000);
    HdIrRef most = hd_build_const(b, t, large); /* 2^60 for halves, 2^500 for floats */
    HdIrRef least = hd_build_op1(b, HD_IR_FNEG, t, most);

    for (uint32_t i = 0; i < count; i++) {
        x[i] = hd_build_select(b, t, hd_build_fcmp(b, HD_IR_OGT, x[i], most), most, x[i]);
        x[i] = hd_build_select(b, t, hd_build_fcmp(b, HD_IR_OLT, x[i], least), least, x[i]);
    }
}

/* Components by their length, rounded to t. Where doubles become floats, which have less than half
 * their digits, one division serves all. */
static void divide(HdBuild *b, HdIrType t, HdIrRef *x, uint32_t count, HdIrRef length)
{
    HdIrType wide = hd_build_type_at(b, length);
    bool once = t == HD_IR_F32 && wide == HD_IR_F64;
    HdIrRef by = length;

    if (once)
        by = hd_build_op2(b, HD_IR_FDIV, wide, hd_build_const(b, wide, F64_ONE), length);
    for (uint32_t i = 0; i < count; i++) {
        x[i] = hd_build_op2(b, once ? HD_IR_FMUL : HD_IR_FDIV, wide, x[i], by);
        if (wide != t)
            x[i] = hd_build_op1(b, HD_IR_FPTRUNC, t, x[i]);
    }
}

/* The same direction with length 1; zero stays zero. `what`: number. */
HdStatus hd_std_normalize(HdBuild *b, const HdInst *in, unsigned what)
{
    HdIrRef *y, scale = 0, length, is_zero;
    bool fast = what == OpenCLstd_fast_normalize;
    HdIrType t, wide;
    HdBuildValue v;

    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, 1, &v));
    if (v.count == 0 || v.count > 16)
        return hd_build_bad(b, in, "operand has a wrong number of components");
    t = hd_build_type_at(b, v.at[0]);
    wide = fast ? t : wider(t);
    if (fast) {
        HD_TRY(hd_build_room(b, v.count, &y));
        for (uint32_t i = 0; i < v.count; i++)
            y[i] = v.at[i];
    } else {
        HD_TRY(prepare(b, v.at, v.count, &y, &scale));
        if (t == HD_IR_F64)
            tame_infinities(b, y, v.count);
        else
            limit(b, wide, y, v.count);
    }
    length = hd_build_op1(b, HD_IR_FSQRT, wide, sum_of_squares(b, wide, y, v.count));
    is_zero = hd_build_fcmp(b, HD_IR_OEQ, length, hd_build_const(b, wide, 0));
    divide(b, t, y, v.count, length);
    for (uint32_t i = 0; i < v.count; i++)
        y[i] = hd_build_select(b, t, is_zero, v.at[i], y[i]);
    return hd_build_bind(b, in->w[2], y, v.count);
}
