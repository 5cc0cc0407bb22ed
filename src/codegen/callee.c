/* codegen/callee.c -- functions that a kernel calls, and the calls of them.
 *
 * Such a function is internal to the object. It takes the group's record, the sub-group, the local
 * id of lane 0 where any code needs it, and then its parameters: a scalar if it is uniform or
 * affine in all calls, else the vector of all lanes; the last may be the mask of the calling lanes.
 * Results are returned likewise, several as a struct. LLVM keeps what it can in registers.
 *
 * Halves are passed as integers: how LLVM passes them depends on the processor.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/callee.h"

#include <stdio.h>

#include "codegen/collective.h"
#include "codegen/emit.h"
#include "codegen/loop.h"
#include "codegen/values.h"

/* ---- signatures -------------------------------------------------------------------------------
 */

static bool is_vector(const HdGen *g, uint8_t shape)
{
    return g->width > 1 && shape == HD_SHAPE_VARYING;
}

static LLVMTypeRef passed_type(HdGen *g, uint8_t type, uint8_t shape)
{
    HdIrType t = type == HD_IR_F16 ? HD_IR_I16 : (HdIrType)type;

    return is_vector(g, shape) ? g->vector[t] : g->scalar[t];
}

/* A value on its way in or out; and back. */
static LLVMValueRef passed(HdGen *g, LLVMValueRef x, uint8_t type, uint8_t shape)
{
    return type == HD_IR_F16 ? LLVMBuildBitCast(g->b, x, passed_type(g, type, shape), "") : x;
}

static LLVMValueRef received(HdGen *g, LLVMValueRef x, uint8_t type, uint8_t shape)
{
    if (type != HD_IR_F16)
        return x;
    return LLVMBuildBitCast(g->b, x,
                            is_vector(g, shape) ? g->vector[HD_IR_F16] : g->scalar[HD_IR_F16], "");
}

/* Parameters before the function's own. */
static unsigned numbers(const HdGen *g)
{
    return g->callees_need_first ? 5 : 2;
}

static LLVMTypeRef result_type(HdGen *g, const HdIrFunc *f, HdArena *scratch)
{
    LLVMTypeRef *types = HD_NEW(scratch, LLVMTypeRef, f->result_count + 1);

    for (uint32_t i = 0; types != NULL && i < f->result_count; i++)
        types[i] = passed_type(g, f->result_types[i], f->callee.result_shapes[i]);
    if (types == NULL || f->result_count == 0)
        return g->scalar[HD_IR_VOID];
    return f->result_count == 1 ? types[0]
                                : LLVMStructTypeInContext(g->c, types, f->result_count, false);
}

static HdStatus declare(HdGen *g, const HdIrFunc *f, LLVMValueRef *fn, HdArena *scratch)
{
    unsigned front = numbers(g);
    LLVMTypeRef *types;
    char name[256];

    HD_TAKE(types, HD_NEW(scratch, LLVMTypeRef, front + f->param_count));
    types[0] = g->ptr;
    for (unsigned i = 1; i < front; i++)
        types[i] = g->i32;
    for (uint32_t i = 0; i < f->param_count; i++)
        types[front + i] = passed_type(g, f->param_types[i], f->callee.param_shapes[i]);
    snprintf(name, sizeof name, "%.240s.called", f->name);
    *fn = LLVMAddFunction(
        g->m, name,
        LLVMFunctionType(result_type(g, f, scratch), types, front + f->param_count, false));
    LLVMSetLinkage(*fn, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(*fn, LLVMFastCallConv);
    hd_gen_attributes(g, *fn);
    return HD_OK;
}

HdStatus hd_gen_callees_open(HdGen *g, HdArena *scratch)
{
    const HdIrFunc *kernel = g->kernel;

    HD_TAKE(g->callees, HD_NEW(scratch, LLVMValueRef, kernel->lanes.callee_count + 1));
    for (uint32_t i = 0; i < kernel->lanes.callee_count; i++)
        if (kernel->lanes.callees[i] != NULL)
            g->callees_need_first =
                g->callees_need_first || hd_gen_asks_first(kernel->lanes.callees[i], g->width);
    for (uint32_t i = 0; i < kernel->lanes.callee_count; i++)
        if (kernel->lanes.callees[i] != NULL)
            HD_TRY(declare(g, kernel->lanes.callees[i], &g->callees[i], scratch));
    return HD_OK;
}

LLVMBasicBlockRef hd_gen_callee_begin(HdGen *g, uint32_t number)
{
    g->f = g->kernel->lanes.callees[number];
    g->fn = g->callees[number];
    g->group = LLVMGetParam(g->fn, 0);
    g->subgroup = LLVMGetParam(g->fn, 1);
    for (unsigned dim = 0; dim < 3; dim++)
        g->first[dim] = g->callees_need_first ? LLVMGetParam(g->fn, 2 + dim) : NULL;
    return hd_gen_block(g, "entry");
}

/* ---- inside -----------------------------------------------------------------------------------
 */

static void parameter(HdGen *g, HdIrRef r)
{
    uint64_t i = g->f->insts.at[r].imm;
    uint8_t shape = g->f->callee.param_shapes[i];
    LLVMValueRef x =
        received(g, LLVMGetParam(g->fn, numbers(g) + (unsigned)i), g->f->param_types[i], shape);

    hd_gen_set(g, r, is_vector(g, shape) ? NULL : x, is_vector(g, shape) ? x : NULL);
}

void hd_gen_return(HdGen *g, HdIrRef r)
{
    const HdIrFunc *f = g->f;
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(g->fn));
    LLVMValueRef all = NULL;

    if (f->result_count == 0) {
        LLVMBuildRetVoid(g->b);
        return;
    }
    if (f->insts.at[r].op != HD_IR_RET) { /* unreachable */
        LLVMBuildRet(g->b, LLVMConstNull(type));
        return;
    }
    all = LLVMGetUndef(type);
    for (uint32_t i = 0; i < f->result_count; i++) {
        HdIrRef value = hd_ir_arg(f, r, i);
        LLVMValueRef x =
            is_vector(g, f->callee.result_shapes[i]) ? hd_gen_v(g, value) : hd_gen_s(g, value);

        x = passed(g, x, f->result_types[i], f->callee.result_shapes[i]);
        all = f->result_count == 1 ? x : LLVMBuildInsertValue(g->b, all, x, i, "");
    }
    LLVMBuildRet(g->b, all);
}

/* ---- outside ----------------------------------------------------------------------------------
 */

static void call(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    const HdIrFunc *to = g->kernel->lanes.callees[in->imm];
    unsigned front = numbers(g), own = to->param_count - to->callee.is_masked;
    LLVMValueRef *args = HD_NEW(g->scratch, LLVMValueRef, front + to->param_count), x;

    if (args == NULL) {
        hd_gen_fail(g, HD_NO_MEMORY, "no memory");
        return;
    }
    args[0] = g->group;
    args[1] = g->subgroup;
    for (unsigned i = 2; i < front; i++)
        args[i] = g->first[i - 2];
    for (unsigned i = 0; i < own; i++) {
        HdIrRef value = hd_ir_arg(g->f, r, i);

        x = is_vector(g, to->callee.param_shapes[i]) ? hd_gen_v(g, value) : hd_gen_s(g, value);
        args[front + i] = passed(g, x, to->param_types[i], to->callee.param_shapes[i]);
    }
    if (to->callee.is_masked) {
        x = hd_gen_mask(g, in, r);
        args[front + own] = x != NULL ? x : LLVMConstAllOnes(g->vector[HD_IR_BOOL]);
    }
    x = LLVMBuildCall2(g->b, LLVMGlobalGetValueType(g->callees[in->imm]), g->callees[in->imm], args,
                       front + to->param_count, "");
    LLVMSetInstructionCallConv(x, LLVMFastCallConv);
    hd_gen_set(g, r, x, NULL);
}

static void result(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrRef from = hd_ir_arg(g->f, r, 0);
    const HdIrFunc *of = g->kernel->lanes.callees[g->f->insts.at[from].imm];
    uint8_t shape = of->callee.result_shapes[in->imm];
    bool wide = g->width > 1 && hd_gen_is_varying(in);
    LLVMValueRef x = hd_gen_s(g, from), mask;

    if (of->result_count > 1)
        x = LLVMBuildExtractValue(g->b, x, (unsigned)in->imm, "");
    x = received(g, x, in->type, shape);
    if (wide && !is_vector(g, shape))
        x = hd_gen_splat(g, x);
    if (!wide && is_vector(g, shape)) { /* what lanes that call have is the same here */
        mask = hd_gen_mask(g, &g->f->insts.at[from], from);
        x = LLVMBuildExtractElement(
            g->b, x, mask != NULL ? hd_gen_first_lane(g, mask) : hd_gen_u32(g, 0), "");
    }
    hd_gen_set(g, r, wide ? NULL : x, wide ? x : NULL);
}

bool hd_gen_callee(HdGen *g, HdIrRef r)
{
    switch ((HdIrOp)g->f->insts.at[r].op) {
    case HD_IR_PARAM: parameter(g, r); return true;
    case HD_IR_CALL: call(g, r); return true;
    case HD_IR_RESULT: result(g, r); return true;
    default: return false;
    }
}
