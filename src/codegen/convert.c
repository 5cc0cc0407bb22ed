/* codegen/convert.c -- conversions that the processor has; the others go through rt (call.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/emit.h"
#include "codegen/half.h"
#include "codegen/values.h"

static bool is_wide(LLVMValueRef x)
{
    return LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind;
}

/* A float constant, in all lanes if there are such. */
static LLVMValueRef real(HdGen *g, LLVMValueRef like, double x)
{
    LLVMTypeRef type = LLVMTypeOf(like);

    return is_wide(like) ? hd_gen_splat(g, LLVMConstReal(LLVMGetElementType(type), x))
                         : LLVMConstReal(type, x);
}

static LLVMValueRef choose(HdGen *g, LLVMRealPredicate p, LLVMValueRef x, LLVMValueRef y)
{
    return LLVMBuildSelect(g->b, LLVMBuildFCmp(g->b, p, x, y, ""), x, y, "");
}

/* The narrowest integers that floats of a type become, and the widest whose limits it holds. */
static void integers_of(const HdGen *g, LLVMTypeRef element, unsigned *least, unsigned *exact)
{
    *least = element == g->scalar[HD_IR_F16] ? 16 : 32;
    *exact = element == g->scalar[HD_IR_F64] ? 32 : *least / 2;
}

/* To integers, saturating, NaN to 0, for lanes and for loops that LLVM vectorises: its own
 * intrinsics scalarise them. A NaN becomes the smallest number on the way. */
static LLVMValueRef saturating_lanes(HdGen *g, LLVMValueRef x, HdIrType to, bool is_signed)
{
    unsigned bits = hd_ir_type_bits(to), through, exact;
    double least = is_signed ? -0x1p-1 : 0, end = is_signed ? 0x1p-1 : 1;
    bool wide = is_wide(x);
    LLVMTypeRef over, type = wide ? g->vector[to] : g->scalar[to];
    LLVMValueRef r, big = NULL, most;

    integers_of(g, wide ? LLVMGetElementType(LLVMTypeOf(x)) : LLVMTypeOf(x), &through, &exact);
    over = bits < through ? LLVMIntTypeInContext(g->c, through) : g->scalar[to];
    over = wide ? LLVMVectorType(over, g->width) : over;
    for (unsigned i = 0; i < bits; i++)
        least *= 2, end *= 2;
    r = choose(g, LLVMRealOGT, x, real(g, x, least));
    if (bits <= exact) {
        r = choose(g, LLVMRealOLT, r, real(g, x, end - 1)); /* exact: nothing is left to do */
    } else {
        big = LLVMBuildFCmp(g->b, LLVMRealOGE, x, real(g, x, end), "");
        r = LLVMBuildSelect(g->b, big, real(g, x, least), r, "");
    }
    r = is_signed || bits < through ? LLVMBuildFPToSI(g->b, r, over, "")
                                    : LLVMBuildFPToUI(g->b, r, over, "");
    r = LLVMBuildTruncOrBitCast(g->b, r, type, "");
    if (big != NULL) {
        most = LLVMConstInt(g->scalar[to], UINT64_MAX >> (64 - bits + is_signed), 0);
        r = LLVMBuildSelect(g->b, big, wide ? hd_gen_splat(g, most) : most, r, "");
    }
    if (is_signed)
        r = LLVMBuildSelect(g->b, LLVMBuildFCmp(g->b, LLVMRealUNO, x, x, ""),
                            LLVMConstNull(LLVMTypeOf(r)), r, "");
    return r;
}

/* Of halves as floats, but where they hold the integers' lower limit and the processor has
 * instructions for them: LLVM 22's own sequence with AVX512-FP16 gives -32768 for a NaN. */
static LLVMValueRef saturating(HdGen *g, bool is_signed, LLVMValueRef x, HdIrType from, HdIrType to)
{
    bool wide = is_wide(x);
    LLVMTypeRef over[2] = {g->scalar[to], LLVMTypeOf(x)};

    if (from == HD_IR_F16 && !(wide && g->has_fp16 && hd_ir_type_bits(to) <= 16)) {
        over[1] = wide ? g->vector[HD_IR_F32] : g->scalar[HD_IR_F32];
        x = LLVMBuildFPExt(g->b, x, over[1], "");
    }
    if (wide || g->width == 1)
        return saturating_lanes(g, x, to, is_signed);
    return hd_gen_intrinsic(g, is_signed ? "llvm.fptosi.sat" : "llvm.fptoui.sat", over, 2, &x, 1);
}

/* To signed integers of 32 bits and more, the smallest number where x does not fit: what x86
 * has. */
static LLVMValueRef plain(HdGen *g, LLVMValueRef x, HdIrType from, LLVMTypeRef to)
{
    bool wide = LLVMGetTypeKind(to) == LLVMVectorTypeKind;
    unsigned bits = LLVMGetIntTypeWidth(wide ? LLVMGetElementType(to) : to);
    LLVMValueRef r, end, least;

    if (from == HD_IR_F16)
        x = LLVMBuildFPExt(g->b, x, wide ? g->vector[HD_IR_F32] : g->scalar[HD_IR_F32], "");
    r = LLVMBuildFPToSI(g->b, x, to, "");
    if (g->is_x86)
        return r;
    end = LLVMConstReal(LLVMTypeOf(x), bits == 32 ? 0x1p31 : 0x1p63);
    least =
        LLVMConstInt(g->scalar[bits == 32 ? HD_IR_I32 : HD_IR_I64], UINT64_C(1) << (bits - 1), 0);
    return LLVMBuildSelect(g->b, LLVMBuildFCmp(g->b, LLVMRealOLT, x, end, ""), r,
                           wide ? hd_gen_splat(g, least) : least, "");
}

/* PTR is a pointer to LLVM: between it and an integer bitcasts do not do. */
static LLVMValueRef bitcast(HdGen *g, LLVMValueRef x, HdIrType from, HdIrType to, LLVMTypeRef type)
{
    if (from == to)
        return x;
    if (from == HD_IR_PTR)
        x = LLVMBuildPtrToInt(
            g->b, x,
            LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind ? g->vector[HD_IR_I64] : g->i64,
            "");
    if (to == HD_IR_PTR) {
        bool is_vector = LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind;

        x = LLVMBuildBitCast(g->b, x, is_vector ? g->vector[HD_IR_I64] : g->i64, "");
        return LLVMBuildIntToPtr(g->b, x, type, "");
    }
    return LLVMBuildBitCast(g->b, x, type, "");
}

static LLVMValueRef convert(HdGen *g, HdIrRef r, bool wide)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrRef a = hd_ir_arg(g->f, r, 0);
    HdIrType from = (HdIrType)g->f->insts.at[a].type;
    LLVMTypeRef to = wide ? g->vector[in->type] : g->scalar[in->type];
    LLVMValueRef x = wide ? hd_gen_v(g, a) : hd_gen_s(g, a);

    switch ((HdIrOp)in->op) {
    case HD_IR_TRUNC: return LLVMBuildTrunc(g->b, x, to, "");
    case HD_IR_ZEXT: return LLVMBuildZExt(g->b, x, to, "");
    case HD_IR_SEXT: return LLVMBuildSExt(g->b, x, to, "");
    case HD_IR_FPTRUNC:
        if (from == HD_IR_F64 && in->type == HD_IR_F16)
            return hd_gen_half_from_double(g, x);
        return LLVMBuildFPTrunc(g->b, x, to, "");
    case HD_IR_FPEXT: return LLVMBuildFPExt(g->b, x, to, "");
    case HD_IR_SITOFP: return LLVMBuildSIToFP(g->b, x, to, "");
    case HD_IR_UITOFP: return LLVMBuildUIToFP(g->b, x, to, "");
    case HD_IR_FPTOSI:
        if (in->sub != 0)
            return plain(g, x, from, to);
        return saturating(g, true, x, from, (HdIrType)in->type);
    case HD_IR_FPTOUI: return saturating(g, false, x, from, (HdIrType)in->type);
    case HD_IR_BITCAST: return bitcast(g, x, from, (HdIrType)in->type, to);
    default: return NULL;
    }
}

LLVMValueRef hd_gen_convert_of_all(HdGen *g, HdIrRef r)
{
    return convert(g, r, true);
}

bool hd_gen_convert(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    LLVMValueRef s = NULL, v = NULL;

    if (in->op < HD_IR_TRUNC || in->op > HD_IR_BITCAST)
        return false;
    if (g->width > 1 && hd_gen_is_varying(in))
        v = convert(g, r, true);
    if (v == NULL || (in->shape == HD_SHAPE_ADDRESS && hd_gen_has_s(g, hd_ir_arg(g->f, r, 0))))
        s = convert(g, r, false);
    hd_gen_set(g, r, s, v);
    hd_gen_set_ok(g, r);
    return true;
}
