/* codegen/minmax.c -- minimum and maximum of floats, depending on what is known about NaNs.
 *
 * fmin and fmax return the other operand if one is NaN, also a signalling one. A processor's
 * minimum instruction returns its second operand if one is NaN: it suffices if the second one is a
 * number. AVX-512's `range` suffices if no NaN is signalling, which results of arithmetic never
 * are. Otherwise it takes an additional comparison and select.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/minmax.h"

#include <math.h>

#include "codegen/mathcode.h"
#include "codegen/values.h"
#include "ir/edit.h"
#include "ir/eval.h"

/* What a float may be besides a number; each includes those before it. */
typedef enum Nan { NUMBER, QUIET, ANY } Nan;

static bool is_minmax(const HdIrInst *in)
{
    return in->op == HD_IR_FMIN || in->op == HD_IR_FMAX;
}

static Nan more(Nan a, Nan b)
{
    return a > b ? a : b;
}

static Nan of_operand(const HdGen *g, HdIrRef r, unsigned i)
{
    return (Nan)g->nan[hd_ir_arg(g->f, r, i)];
}

static Nan of_phi(const HdGen *g, HdIrRef r)
{
    Nan all = NUMBER;

    for (unsigned i = 1; i < g->f->insts.at[r].nargs; i += 2)
        all = more(all, of_operand(g, r, i));
    return all;
}

/* Of a value by its operands'. */
static Nan nan_of(const HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];

    switch ((HdIrOp)in->op) {
    case HD_IR_CONST: return isnan(hd_ir_to_double((HdIrType)in->type, in->imm)) ? ANY : NUMBER;
    case HD_IR_SITOFP:
    case HD_IR_UITOFP: return NUMBER;
    case HD_IR_FADD:
    case HD_IR_FSUB:
    case HD_IR_FMUL:
    case HD_IR_FDIV:
    case HD_IR_FMA:
    case HD_IR_FSQRT: return QUIET;
    case HD_IR_FFLOOR:
    case HD_IR_FCEIL:
    case HD_IR_FTRUNC:
    case HD_IR_FRINT:
    case HD_IR_FPTRUNC:
    case HD_IR_FPEXT: return of_operand(g, r, 0) == NUMBER ? NUMBER : QUIET;
    case HD_IR_FMIN:
    case HD_IR_FMAX:
        return of_operand(g, r, 0) == NUMBER || of_operand(g, r, 1) == NUMBER ? NUMBER : QUIET;
    case HD_IR_FNEG:
    case HD_IR_FABS:
    case HD_IR_FCOPYSIGN:
    case HD_IR_SLOT_GET: return of_operand(g, r, 0);
    case HD_IR_SELECT: return more(of_operand(g, r, 1), of_operand(g, r, 2));
    case HD_IR_PHI: return of_phi(g, r);
    default: return ANY;
    }
}

/* Slots are what is stored there, other values what they are derived from: iterated from the least
 * element to a fixpoint. */
static bool look(HdGen *g)
{
    bool changed = false;

    for (HdIrRef r = 1; r < g->f->insts.count; r++) {
        const HdIrInst *in = &g->f->insts.at[r];
        HdIrRef to = in->op == HD_IR_SLOT_SET ? hd_ir_arg(g->f, r, 0) : r;
        Nan is;

        if (in->op != HD_IR_SLOT_SET &&
            (in->op == HD_IR_SLOT || !hd_ir_is_float((HdIrType)in->type)))
            continue;
        is = to != r ? of_operand(g, r, 1) : nan_of(g, r);
        changed = changed || is > g->nan[to];
        g->nan[to] = (uint8_t)more(is, (Nan)g->nan[to]);
    }
    return changed;
}

HdStatus hd_gen_minmax_open(HdGen *g)
{
    bool any = false;

    for (HdIrRef r = 1; r < g->f->insts.count && !any; r++)
        any = is_minmax(&g->f->insts.at[r]);
    if (!any)
        return HD_OK;
    HD_TAKE(g->nan, HD_NEW(g->scratch, uint8_t, g->f->insts.count));
    while (look(g)) {
    }
    return HD_OK;
}

bool hd_gen_has_same_nan(const HdGen *g, HdIrRef a, HdIrRef b)
{
    return !is_minmax(&g->f->insts.at[a]) || (of_operand(g, a, 0) == of_operand(g, b, 0) &&
                                              of_operand(g, a, 1) == of_operand(g, b, 1));
}

LLVMValueRef hd_gen_minmax(HdGen *g, bool is_max, LLVMValueRef x, LLVMValueRef y)
{
    const char *name = is_max ? "llvm.maxnum" : "llvm.minnum";
    LLVMTypeRef type = LLVMTypeOf(x), wide;
    bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;

    if (g->has_fp16 ||
        LLVMGetTypeKind(is_vector ? LLVMGetElementType(type) : type) != LLVMHalfTypeKind)
        return hd_gen_two(g, name, x, y);
    wide = g->scalar[HD_IR_F32];
    if (is_vector)
        wide = LLVMVectorType(wide, LLVMGetVectorSize(type));
    x = hd_gen_two(g, name, LLVMBuildFPExt(g->b, x, wide, ""), LLVMBuildFPExt(g->b, y, wide, ""));
    return LLVMBuildFPTrunc(g->b, x, type, "");
}

/* The processor's own: y where x is NaN. */
static LLVMValueRef or_second(HdGen *g, bool is_max, LLVMValueRef x, LLVMValueRef y)
{
    LLVMValueRef is_x = LLVMBuildFCmp(g->b, is_max ? LLVMRealOGT : LLVMRealOLT, x, y, "");

    return LLVMBuildSelect(g->b, is_x, x, y, "");
}

/* The same number, or a quiet NaN. */
static LLVMValueRef quiet(HdGen *g, LLVMValueRef x, Nan is)
{
    return is == ANY ? hd_gen_range(g, false, x, x) : x;
}

LLVMValueRef hd_gen_fminmax(HdGen *g, HdIrRef r, LLVMValueRef x, LLVMValueRef y)
{
    const HdIrInst *in = &g->f->insts.at[r];
    Nan of_x = of_operand(g, r, 0), of_y = of_operand(g, r, 1);
    bool is_max = in->op == HD_IR_FMAX, is_half = in->type == HD_IR_F16;

    /* LLVM itself sees what constants are, and knows more about these. */
    if (is_half || !g->is_x86 || hd_ir_is_const(g->f, hd_ir_arg(g->f, r, 0), NULL) ||
        hd_ir_is_const(g->f, hd_ir_arg(g->f, r, 1), NULL))
        return hd_gen_minmax(g, is_max, x, y);
    if (of_x == NUMBER)
        return or_second(g, is_max, y, x);
    if (of_y == NUMBER)
        return or_second(g, is_max, x, y);
    if (!g->has_avx512)
        return hd_gen_minmax(g, is_max, x, y);
    return hd_gen_range(g, is_max, quiet(g, x, of_x), quiet(g, y, of_y));
}
