/* codegen/convert.c -- conversions that the processor has; the others go through rt (call.c).
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/gen.h"

/* Of halves as floats: LLVM 22's own sequence with AVX512-FP16 gives -32768 for a NaN. */
static LLVMValueRef saturating(HdGen *g, const char *name, LLVMValueRef x, HdIrType from,
                               LLVMTypeRef to)
{
    bool wide = LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVectorTypeKind;
    LLVMTypeRef over[2] = {to, LLVMTypeOf(x)};

    if (from == HD_IR_F16) {
        over[1] = wide ? g->vector[HD_IR_F32] : g->scalar[HD_IR_F32];
        x = LLVMBuildFPExt(g->b, x, over[1], "");
    }
    return hd_gen_intrinsic(g, name, over, 2, &x, 1);
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
    case HD_IR_FPTOSI: return saturating(g, "llvm.fptosi.sat", x, from, to);
    case HD_IR_FPTOUI: return saturating(g, "llvm.fptoui.sat", x, from, to);
    case HD_IR_BITCAST: return bitcast(g, x, from, (HdIrType)in->type, to);
    default: return NULL;
    }
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
