/* ops/opencl_std/opencl_std_math_build.c -- mathematics of OpenCL.std.
 *
 * Functions that lane IR has are single operations; the rest is MATH, by the rows of
 * rt/math/math.def.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "module/decoration.h"
#include "ops/float/rounded_build.h"
#include "ops/opencl_std/std_build.h"

HdIrRef hd_std_call(HdBuild *b, unsigned fn, HdIrType result, const HdIrRef *args, unsigned count)
{
    HdIrRef r = hd_ir_emit_sub(b->fn, b->block, HD_IR_MATH, result, fn, 0, args, count);

    return hd_build_flag(b, r, b->fast_math ? HD_IR_FAST : 0);
}

#define EXACT   HD_MATH_ULP_EXACT
#define ROUNDED HD_MATH_ULP_ROUNDED
#define FREE    HD_MATH_ULP_FREE

/* Operands of a row, whether its result is an I32, and its largest error for each width. */
static const struct {
    uint8_t operands;
    bool to_int;
    float ulp[3];
} forms[] = {
#define F_F   false
#define F_FF  false
#define F_FFF false
#define F_FI  false
#define F_U   false
#define I_F   true
#define I_FF  true
#define MATH(name, count, form, ulp16, ulp32, ulp64, inst) \
    [HD_MATH_##name] = {count, form, {ulp16, ulp32, ulp64}},
#include "rt/math/math.def"
#undef MATH
#undef F_F
#undef F_FF
#undef F_FFF
#undef F_FI
#undef F_U
#undef I_F
#undef I_FF
};

/* Float type of a row's result, given that of its first operand. */
static HdIrType result_type(unsigned fn, HdIrType first)
{
    if (forms[fn].to_int)
        return HD_IR_I32;
    return first == HD_IR_I16   ? HD_IR_F16 /* nan */
           : first == HD_IR_I32 ? HD_IR_F32
           : first == HD_IR_I64 ? HD_IR_F64
                                : first;
}

/* As with -cl-fast-relaxed-math, or as without. */
static HdStatus build_as(HdBuild *b, bool fast, const HdInst *in, unsigned what,
                         HdStdBuildFn *build)
{
    bool before = b->fast_math;
    HdStatus st;

    b->fast_math = fast;
    st = build(b, in, what);
    b->fast_math = before;
    return st;
}

/* Does the function reach the accuracy that the module asks for? Spec: SPV_INTEL_fp_max_error. */
static HdStatus check_error(HdBuild *b, const HdInst *in, unsigned what, const HdDecoration *most)
{
    uint32_t word = hd_decoration_value(b->m, most);
    HdStrbuf why = {0};
    const HdType *t;
    float ulp, asked;
    unsigned bits;
    HdStatus st;

    HD_TRY(hd_build_type(b, in->w[1], &t));
    bits = hd_type_scalar(t)->bits;
    ulp = forms[what].ulp[bits == 16 ? 0 : bits == 32 ? 1 : 2];
    memcpy(&asked, &word, sizeof asked);
    if (ulp >= 0 && asked >= ulp)
        return HD_OK;
    hd_strbuf_printf(&why, "with an error of at most %g units in the last place", (double)asked);
    st = hd_build_unsupported(b, in, hd_strbuf_text(&why));
    hd_strbuf_free(&why);
    return st;
}

/* A function by component; `what`: HdMathFn. */
HdStatus hd_std_math(HdBuild *b, const HdInst *in, unsigned what)
{
    const HdDecoration *most =
        hd_module_decoration(b->m, in->w[2], SpvDecorationFPMaxErrorDecorationINTEL);
    unsigned n = forms[what].operands;
    HdBuildValue v[3];
    HdIrRef *refs;

    if (most != NULL && b->fast_math)
        return build_as(b, false, in, what, hd_std_math);
    if (most != NULL)
        HD_TRY(check_error(b, in, what, most));
    if (in->nwords < HD_STD_OPERAND + n)
        return hd_build_bad(b, in, "too few operands");
    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, n, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++) {
        HdIrRef args[3];

        for (unsigned o = 0; o < n; o++)
            args[o] = v[o].at[i];
        refs[i] = hd_std_call(b, what, result_type(what, hd_build_type_at(b, args[0])), args, n);
    }
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}

/* An operation of lane IR by component; `what`: HdIrOp. */
HdStatus hd_std_native(HdBuild *b, const HdInst *in, unsigned what)
{
    unsigned n = in->nwords - HD_STD_OPERAND;
    HdBuildValue v[3];
    HdIrRef *refs;

    if (n < 1 || n > 3)
        return hd_build_bad(b, in, "wrong number of operands");
    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, n, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++) {
        HdIrRef args[3];

        for (unsigned o = 0; o < n; o++)
            args[o] = v[o].at[i];
        refs[i] = hd_ir_emit(b->fn, b->block, (HdIrOp)what, hd_build_type_at(b, args[0]), args, n);
        hd_build_flag(b, refs[i], b->fast_math ? HD_IR_FAST : 0);
    }
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}

/* sqrt, maybe in a rounding mode (SPV_INTEL_rounded_divide_sqrt). */
HdStatus hd_std_sqrt(HdBuild *b, const HdInst *in, unsigned what)
{
    unsigned round = HD_ROUND_RTE;
    HdBuildValue v;
    HdIrRef *refs;

    if (!hd_build_is_rounded(b, in))
        return hd_std_native(b, in, what);
    HD_TRY(hd_build_rounding(b, in, &round));
    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, 1, &v));
    HD_TRY(hd_build_room(b, v.count, &refs));
    for (uint32_t i = 0; i < v.count; i++)
        refs[i] = hd_build_rounded_sqrt(b, round, v.at[i]);
    return hd_build_bind(b, in->w[2], refs, v.count);
}

HdStatus hd_std_fast_math(HdBuild *b, const HdInst *in, unsigned what)
{
    return build_as(b, true, in, what, hd_std_math);
}

HdStatus hd_std_fast_native(HdBuild *b, const HdInst *in, unsigned what)
{
    return build_as(b, true, in, what, hd_std_native);
}

HdStatus hd_std_exact_native(HdBuild *b, const HdInst *in, unsigned what)
{
    return build_as(b, false, in, what, hd_std_native);
}

/* Functions with two results: the second goes through the last operand. */
typedef struct Pair {
    unsigned first, second;
} Pair;

static HdStatus pair_of(unsigned what, Pair *p)
{
    switch (what) {
    case OpenCLstd_fract: *p = (Pair){HD_MATH_fract_value, HD_MATH_fract_int}; return HD_OK;
    case OpenCLstd_frexp: *p = (Pair){HD_MATH_frexp_mant, HD_MATH_frexp_exp}; return HD_OK;
    case OpenCLstd_lgamma_r: *p = (Pair){HD_MATH_lgamma, HD_MATH_lgamma_sign}; return HD_OK;
    case OpenCLstd_modf: *p = (Pair){HD_MATH_modf_frac, HD_MATH_modf_int}; return HD_OK;
    case OpenCLstd_remquo: *p = (Pair){HD_MATH_remquo_rem, HD_MATH_remquo_quo}; return HD_OK;
    case OpenCLstd_sincos: *p = (Pair){HD_MATH_sin, HD_MATH_cos}; return HD_OK;
    default: return HD_BUG;
    }
}

/* `what`: number of the instruction. Operands: values, then a pointer for the second result. */
HdStatus hd_std_math_second(HdBuild *b, const HdInst *in, unsigned what)
{
    HdBuildValue v[2];
    HdBuildAccess how;
    HdIrRef address, *refs;
    unsigned n, next;
    Pair p;

    HD_TRY(pair_of(what, &p));
    n = forms[p.first].operands;
    if (in->nwords < HD_STD_OPERAND + n + 1)
        return hd_build_bad(b, in, "too few operands");
    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, n, v));
    HD_TRY(hd_build_access(b, in, in->nwords, in->w[HD_STD_OPERAND + n], &how, &next));
    HD_TRY(hd_build_use1(b, in->w[HD_STD_OPERAND + n], &address));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++) {
        HdIrRef args[2] = {v[0].at[i], n > 1 ? v[1].at[i] : 0}, second;
        HdIrType t = hd_build_type_at(b, args[0]);

        refs[i] = hd_std_call(b, p.first, t, args, n);
        second = hd_std_call(b, p.second, result_type(p.second, t), args, n);
        hd_build_store1(b, address, i * hd_ir_type_bytes(hd_build_type_at(b, second)), second,
                        &how);
    }
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}

static uint64_t one(HdIrType t)
{
    return t == HD_IR_F16 ? 0x3c00 : t == HD_IR_F32 ? 0x3f800000 : UINT64_C(0x3ff0000000000000);
}

/* half_recip, native_recip. */
HdStatus hd_std_reciprocal(HdBuild *b, const HdInst *in, unsigned what)
{
    HdBuildValue v;
    HdIrRef *refs;

    (void)what;
    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, 1, &v));
    HD_TRY(hd_build_room(b, v.count, &refs));
    for (uint32_t i = 0; i < v.count; i++) {
        HdIrType t = hd_build_type_at(b, v.at[i]);

        refs[i] = hd_build_op2(b, HD_IR_FDIV, t, hd_build_const(b, t, one(t)), v.at[i]);
        hd_build_flag(b, refs[i], HD_IR_FAST);
    }
    return hd_build_bind(b, in->w[2], refs, v.count);
}

static HdIrRef common(HdBuild *b, unsigned what, HdIrType t, const HdIrRef *a)
{
    switch (what) {
    case OpenCLstd_fclamp:
        return hd_build_op2(b, HD_IR_FMIN, t, hd_build_op2(b, HD_IR_FMAX, t, a[0], a[1]), a[2]);
    case OpenCLstd_fmax_common: /* NaN is undefined: the comparison is the definition */
        return hd_build_select(b, t, hd_build_fcmp(b, HD_IR_OLT, a[0], a[1]), a[1], a[0]);
    case OpenCLstd_fmin_common:
        return hd_build_select(b, t, hd_build_fcmp(b, HD_IR_OLT, a[1], a[0]), a[1], a[0]);
    case OpenCLstd_mix: /* in one step where the processor has that */
        return hd_build_flag(
            b,
            hd_build_op3(b, HD_IR_FMA, t, hd_build_op2(b, HD_IR_FSUB, t, a[1], a[0]), a[2], a[0]),
            HD_IR_FAST);
    default: /* step: edge, x */
        return hd_build_select(b, t, hd_build_fcmp(b, HD_IR_OLT, a[1], a[0]),
                               hd_build_const(b, t, 0), hd_build_const(b, t, one(t)));
    }
}

/* `what`: number of the instruction. */
HdStatus hd_std_float_common(HdBuild *b, const HdInst *in, unsigned what)
{
    unsigned n = what == OpenCLstd_fclamp || what == OpenCLstd_mix ? 3 : 2;
    HdBuildValue v[3];
    HdIrRef *refs;

    if (in->nwords < HD_STD_OPERAND + n)
        return hd_build_bad(b, in, "too few operands");
    HD_TRY(hd_build_operands(b, in, HD_STD_OPERAND, n, v));
    HD_TRY(hd_build_room(b, v[0].count, &refs));
    for (uint32_t i = 0; i < v[0].count; i++) {
        HdIrRef args[3] = {v[0].at[i], v[1].at[i], n > 2 ? v[2].at[i] : 0};

        refs[i] = common(b, what, hd_build_type_at(b, args[0]), args);
    }
    return hd_build_bind(b, in->w[2], refs, v[0].count);
}
