/* ops/opencl_std/opencl_std_int_build.c -- integer and relational functions of OpenCL.std.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/arith/functions_build.h"
#include "ops/opencl_std/std_build.h"

static HdIrRef op2(HdBuild *b, HdIrOp op, HdIrRef x, HdIrRef y)
{
    return hd_build_op2(b, op, hd_build_type_at(b, x), x, y);
}

static HdIrRef value(HdBuild *b, HdIrRef like, uint64_t bits)
{
    return hd_build_const(b, hd_build_type_at(b, like), bits);
}

static HdIrRef u_mad_sat(HdBuild *b, HdIrRef x, HdIrRef y, HdIrRef z)
{
    HdIrRef zero = value(b, x, 0), all = op2(b, HD_IR_SUB, zero, value(b, x, 1));
    HdIrRef over = hd_build_icmp(b, HD_IR_NE, op2(b, HD_IR_UMULHI, x, y), zero);
    HdIrRef sum = op2(b, HD_IR_UADDSAT, op2(b, HD_IR_MUL, x, y), z);

    return hd_build_select(b, hd_build_type_at(b, x), over, all, sum);
}

/* The product has twice the width; it and the sum are kept as two words. */
static HdIrRef s_mad_sat(HdBuild *b, HdIrRef x, HdIrRef y, HdIrRef z)
{
    HdIrType t = hd_build_type_at(b, x);
    unsigned bits = hd_ir_type_bits(t);
    HdIrRef top = value(b, x, bits - 1), min = value(b, x, UINT64_C(1) << (bits - 1));
    HdIrRef max = value(b, x, (UINT64_C(1) << (bits - 1)) - 1);
    HdIrRef low = op2(b, HD_IR_MUL, x, y), high = op2(b, HD_IR_SMULHI, x, y);
    HdIrRef sum = op2(b, HD_IR_ADD, low, z);
    HdIrRef carry = hd_build_from_bool(b, hd_build_icmp(b, HD_IR_ULT, sum, low), t, 1);
    HdIrRef up = op2(b, HD_IR_ADD, op2(b, HD_IR_ADD, high, op2(b, HD_IR_ASHR, z, top)), carry);
    HdIrRef fits = hd_build_icmp(b, HD_IR_EQ, up, op2(b, HD_IR_ASHR, sum, top));
    HdIrRef less = hd_build_icmp(b, HD_IR_SLT, up, value(b, x, 0));

    return hd_build_select(b, t, fits, sum, hd_build_select(b, t, less, min, max));
}

static HdIrRef int1(HdBuild *b, unsigned what, const HdIrRef *a)
{
    switch (what) {
    case OpenCLstd_s_abs:
        return op2(b, HD_IR_SMAX, a[0], op2(b, HD_IR_SUB, value(b, a[0], 0), a[0]));
    case OpenCLstd_s_abs_diff:
        return op2(b, HD_IR_SUB, op2(b, HD_IR_SMAX, a[0], a[1]), op2(b, HD_IR_SMIN, a[0], a[1]));
    case OpenCLstd_u_abs_diff:
        return op2(b, HD_IR_SUB, op2(b, HD_IR_UMAX, a[0], a[1]), op2(b, HD_IR_UMIN, a[0], a[1]));
    case OpenCLstd_s_hadd: return hd_build_half_sum(b, a[0], a[1], true, false);
    case OpenCLstd_u_hadd: return hd_build_half_sum(b, a[0], a[1], false, false);
    case OpenCLstd_s_rhadd: return hd_build_half_sum(b, a[0], a[1], true, true);
    case OpenCLstd_u_rhadd: return hd_build_half_sum(b, a[0], a[1], false, true);
    case OpenCLstd_s_clamp: return op2(b, HD_IR_SMIN, op2(b, HD_IR_SMAX, a[0], a[1]), a[2]);
    case OpenCLstd_u_clamp: return op2(b, HD_IR_UMIN, op2(b, HD_IR_UMAX, a[0], a[1]), a[2]);
    case OpenCLstd_s_mad_hi: return op2(b, HD_IR_ADD, op2(b, HD_IR_SMULHI, a[0], a[1]), a[2]);
    case OpenCLstd_u_mad_hi: return op2(b, HD_IR_ADD, op2(b, HD_IR_UMULHI, a[0], a[1]), a[2]);
    case OpenCLstd_u_mad_sat: return u_mad_sat(b, a[0], a[1], a[2]);
    case OpenCLstd_s_mad_sat: return s_mad_sat(b, a[0], a[1], a[2]);
    case OpenCLstd_s_mad24: /* operands out of 24 bits are undefined */
    case OpenCLstd_u_mad24: return op2(b, HD_IR_ADD, op2(b, HD_IR_MUL, a[0], a[1]), a[2]);
    default: return 0;
    }
}

/* `what`: number of the instruction. */
HdStatus hd_std_int(HdBuild *b, const HdInst *in, unsigned what)
{
    const HdExtInst *row = hd_gram_extinst(HD_EXTSET_OpenCL_std, what);
    HdBuildValue v[3];
    HdIrRef *refs;
    unsigned n;

    if (row == NULL || row->operand_count > 3)
        return HD_BUG;
    n = row->operand_count;
    if (in->nwords < HD_STD_OPERAND + n)
        return hd_build_bad(b, in, "too few operands");
    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, n, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++) {
        HdIrRef args[3] = {0};

        for (unsigned o = 0; o < n; o++)
            args[o] = v[o].at[i];
        refs[i] = int1(b, what, args);
        if (refs[i] == 0 && !b->ir->failed)
            return HD_BUG;
    }
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}

/* u_abs: an unsigned number is its own magnitude. */
HdStatus hd_std_int_same(HdBuild *b, const HdInst *in, unsigned what)
{
    HdBuildValue v;

    (void)what;
    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, 1, &v));
    return hd_build_bind(b, in->w[2], v.at, v.count);
}

/* Upper half, lower half into an integer of twice the width. */
HdStatus hd_std_upsample(HdBuild *b, const HdInst *in, unsigned what)
{
    HdBuildValue v[2];
    HdIrRef *refs;

    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, 2, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++) {
        unsigned bits = hd_ir_type_bits(hd_build_type_at(b, v[0].at[i]));
        HdIrType wide = hd_build_int(bits * 2);
        HdIrRef high, low;

        if (wide == HD_IR_VOID)
            return hd_build_bad(b, in, "operands are too wide");
        high = hd_build_resize(b, v[0].at[i], wide, what == OpenCLstd_s_upsample);
        low = hd_build_resize(b, v[1].at[i], wide, false);
        high = hd_build_op2(b, HD_IR_SHL, wide, high, hd_build_const(b, wide, bits));
        refs[i] = hd_build_op2(b, HD_IR_OR, wide, high, low);
    }
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}

static HdIrRef bits_of(HdBuild *b, HdIrRef x)
{
    HdIrType t = hd_build_type_at(b, x);

    return hd_ir_is_float(t) ? hd_build_bitcast(b, x, hd_build_int(hd_ir_type_bits(t))) : x;
}

/* Bits of the second operand where the third has ones, else of the first. */
HdStatus hd_std_bitselect(HdBuild *b, const HdInst *in, unsigned what)
{
    HdBuildValue v[3];
    HdIrRef *refs;

    (void)what;
    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, 3, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++) {
        HdIrRef x = bits_of(b, v[0].at[i]), y = bits_of(b, v[1].at[i]);
        HdIrRef differ = op2(b, HD_IR_XOR, x, y);
        HdIrRef taken = op2(b, HD_IR_AND, differ, bits_of(b, v[2].at[i]));

        refs[i] = hd_build_bitcast(b, op2(b, HD_IR_XOR, x, taken), hd_build_type_at(b, v[0].at[i]));
    }
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}

/* The second operand where the third is true, else the first. True is not 0 for scalars, and the
 * top bit for components of vectors. */
HdStatus hd_std_select(HdBuild *b, const HdInst *in, unsigned what)
{
    HdBuildValue v[3];
    HdIrRef *refs;

    (void)what;
    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, 3, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++) {
        HdIrRef cond = bits_of(b, v[2].at[i]), zero = value(b, cond, 0);

        cond = hd_build_icmp(b, v[0].count == 1 ? HD_IR_NE : HD_IR_SLT, cond, zero);
        refs[i] = hd_build_select(b, hd_build_type_at(b, v[0].at[i]), cond, v[1].at[i], v[0].at[i]);
    }
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}
