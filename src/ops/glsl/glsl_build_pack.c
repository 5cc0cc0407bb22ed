/* ops/glsl/glsl_build_pack.c -- GLSL.std.450: numbers packed into the bits of an integer, or of a
 * double.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/glsl/glsl_build.h"

/* Bits of a number, and the largest integer that stands for 1. */
typedef struct Form {
    unsigned bits;
    double scale; /* 0: halves */
    bool is_signed;
} Form;

static Form form_of(unsigned what)
{
    switch (what) {
    case GLSLstd450PackSnorm4x8:
    case GLSLstd450UnpackSnorm4x8: return (Form){8, 127, true};
    case GLSLstd450PackUnorm4x8:
    case GLSLstd450UnpackUnorm4x8: return (Form){8, 255, false};
    case GLSLstd450PackSnorm2x16:
    case GLSLstd450UnpackSnorm2x16: return (Form){16, 32767, true};
    case GLSLstd450PackUnorm2x16:
    case GLSLstd450UnpackUnorm2x16: return (Form){16, 65535, false};
    default: return (Form){16, 0, false};
    }
}

static HdIrRef float2(HdBuild *b, HdIrOp op, HdIrRef x, double y)
{
    return hd_build_op2(b, op, HD_IR_F32, x, hd_glsl_float(b, HD_IR_F32, y));
}

/* A float as the low bits of an I32. */
static HdIrRef pack1(HdBuild *b, const Form *f, HdIrRef x)
{
    HdIrRef mask = hd_build_const(b, HD_IR_I32, (UINT64_C(1) << f->bits) - 1);

    if (f->scale == 0) {
        x = hd_build_op1(b, HD_IR_FPTRUNC, HD_IR_F16, x);
        return hd_build_op1(b, HD_IR_ZEXT, HD_IR_I32, hd_build_bitcast(b, x, HD_IR_I16));
    }
    x = float2(b, HD_IR_FMIN, float2(b, HD_IR_FMAX, x, f->is_signed ? -1 : 0), 1);
    x = hd_build_op1(b, HD_IR_FRINT, HD_IR_F32, float2(b, HD_IR_FMUL, x, f->scale));
    return hd_build_op2(b, HD_IR_AND, HD_IR_I32, hd_build_op1(b, HD_IR_FPTOSI, HD_IR_I32, x), mask);
}

static HdIrRef unpack1(HdBuild *b, const Form *f, HdIrRef x)
{
    x = hd_build_op1(b, HD_IR_TRUNC, hd_build_int(f->bits), x);
    if (f->scale == 0)
        return hd_build_op1(b, HD_IR_FPEXT, HD_IR_F32, hd_build_bitcast(b, x, HD_IR_F16));
    x = hd_build_op1(b, f->is_signed ? HD_IR_SITOFP : HD_IR_UITOFP, HD_IR_F32, x);
    x = float2(b, HD_IR_FDIV, x, f->scale);
    return f->is_signed ? float2(b, HD_IR_FMAX, x, -1) : x;
}

/* The first number goes to the lowest bits. */
static HdIrRef join(HdBuild *b, HdIrType t, const HdIrRef *parts, unsigned count, unsigned bits)
{
    HdIrRef all = hd_build_resize(b, parts[0], t, false);

    for (unsigned i = 1; i < count; i++)
        all = hd_build_op2(b, HD_IR_OR, t, all,
                           hd_build_op2(b, HD_IR_SHL, t, hd_build_resize(b, parts[i], t, false),
                                        hd_build_const(b, t, i * bits)));
    return all;
}

HdStatus hd_glsl_pack(HdBuild *b, const HdInst *in, unsigned what)
{
    Form f = form_of(what);
    HdIrRef parts[4], r;
    HdBuildValue v;

    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, 1, &v));
    if (v.count != (what == GLSLstd450PackDouble2x32 ? 2 : 32 / f.bits))
        return hd_build_bad(b, in, "wrong number of components");
    if (what == GLSLstd450PackDouble2x32) {
        r = hd_build_bitcast(b, join(b, HD_IR_I64, v.at, 2, 32), HD_IR_F64);
        return hd_build_bind(b, in->w[2], &r, 1);
    }
    for (uint32_t i = 0; i < v.count; i++)
        parts[i] = pack1(b, &f, v.at[i]);
    r = join(b, HD_IR_I32, parts, v.count, f.bits);
    return hd_build_bind(b, in->w[2], &r, 1);
}

HdStatus hd_glsl_unpack(HdBuild *b, const HdInst *in, unsigned what)
{
    bool is_double = what == GLSLstd450UnpackDouble2x32;
    Form f = is_double ? (Form){32, 0, false} : form_of(what);
    unsigned count = is_double ? 2 : 32 / f.bits;
    HdIrRef refs[4], x;
    HdIrType t;

    HD_TRY(hd_build_use1(b, in->w[HD_STD_OPERAND], &x));
    if (is_double)
        x = hd_build_bitcast(b, x, HD_IR_I64);
    t = hd_build_type_at(b, x);
    for (unsigned i = 0; i < count; i++) {
        HdIrRef part = hd_build_op2(b, HD_IR_LSHR, t, x, hd_build_const(b, t, i * f.bits));

        refs[i] = is_double ? hd_build_op1(b, HD_IR_TRUNC, HD_IR_I32, part) : unpack1(b, &f, part);
    }
    return hd_build_bind(b, in->w[2], refs, count);
}
