/* codegen/call.c -- what compiled code leaves to the runtime: mathematics, conversions, barriers,
 * and functions with effects that run lane by lane.
 *
 * Lane functions take arrays: vectors are spilled, one call serves all W lanes. They are called by
 * address through tables in HdRtGroup, so that objects have no symbols to resolve.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/call.h"

#include "codegen/emit.h"
#include "codegen/mathcode.h"
#include "codegen/values.h"
#include "rt/abi.h"

static LLVMTypeRef lanes_fn_type(HdGen *g)
{
    LLVMTypeRef params[5] = {g->ptr, g->ptr, g->ptr, g->ptr, g->i32};

    return LLVMFunctionType(LLVMVoidTypeInContext(g->c), params, 5, 0);
}

/* Entry `index` of a table of addresses in HdRtGroup. */
static LLVMValueRef table_entry(HdGen *g, size_t field, uint64_t index)
{
    LLVMValueRef table = hd_gen_field(g, field, g->ptr);
    LLVMValueRef at = hd_gen_offset(g, table, hd_gen_u64(g, index * sizeof(void *)));

    return LLVMBuildLoad2(g->b, g->ptr, at, "");
}

/* Call a lane function on the value operands of r; the result has the shape of r. */
static LLVMValueRef call_lanes(HdGen *g, HdIrRef r, LLVMValueRef fn, bool wide)
{
    const HdIrInst *in = &g->f->insts.at[r];
    LLVMTypeRef type = wide ? g->vector[in->type] : g->scalar[in->type];
    uint64_t bytes = (uint64_t)g->width * 8;
    LLVMValueRef args[5];
    unsigned n = hd_ir_value_args(in);

    args[0] = hd_gen_stack(g, bytes);
    for (unsigned i = 0; i < 3; i++) {
        HdIrRef a;

        args[i + 1] = LLVMConstNull(g->ptr);
        if (i >= n)
            continue;
        a = hd_ir_arg(g->f, r, i);
        args[i + 1] = hd_gen_stack(g, bytes);
        LLVMBuildStore(g->b, wide ? hd_gen_v(g, a) : hd_gen_s(g, a), args[i + 1]);
    }
    args[4] = hd_gen_u32(g, wide ? g->width : 1);
    LLVMBuildCall2(g->b, lanes_fn_type(g), fn, args, 5, "");
    return LLVMBuildLoad2(g->b, type, args[0], "");
}

static bool is_wide(const HdGen *g, HdIrRef r)
{
    return g->width > 1 && hd_gen_is_varying(&g->f->insts.at[r]);
}

static void set(HdGen *g, HdIrRef r, LLVMValueRef x)
{
    bool wide = is_wide(g, r);

    hd_gen_set(g, r, wide ? NULL : x, wide ? x : NULL);
}

static LLVMValueRef call_math(HdGen *g, HdIrRef r, HdIrType t, bool wide)
{
    uint64_t entry = (uint64_t)g->f->insts.at[r].sub * 3 + (unsigned)(t - HD_IR_F16);

    return call_lanes(g, r, table_entry(g, offsetof(HdRtGroup, math), entry), wide);
}

/* Some active lane is not covered, i1. The operands of the others may be anything, even undefined.
 */
static LLVMValueRef is_odd(HdGen *g, HdIrRef r, LLVMValueRef covered, bool wide)
{
    LLVMValueRef odd = LLVMBuildNot(g->b, covered, "");

    if (wide) {
        LLVMTypeRef bits = LLVMIntTypeInContext(g->c, g->width);
        LLVMValueRef mask = hd_gen_mask(g, &g->f->insts.at[r], r);

        odd = mask != NULL ? LLVMBuildAnd(g->b, odd, mask, "") : odd;
        odd = LLVMBuildFreeze(g->b, odd, "");
        odd = LLVMBuildICmp(g->b, LLVMIntNE, LLVMBuildBitCast(g->b, odd, bits, ""),
                            LLVMConstNull(bits), "");
        return odd;
    }
    return LLVMBuildFreeze(g->b, odd, "");
}

/* A branch that is hardly ever taken. */
static void rarely(HdGen *g, LLVMValueRef branch)
{
    LLVMMetadataRef node[3] = {
        LLVMMDStringInContext2(g->c, "branch_weights", 14),
        LLVMValueAsMetadata(hd_gen_u32(g, 1)),
        LLVMValueAsMetadata(hd_gen_u32(g, 1u << 20)),
    };

    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(g->c, "prof", 4),
                    LLVMMetadataAsValue(g->c, LLVMMDNodeInContext2(g->c, node, 3)));
}

static void math(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    HdIrType t = hd_gen_math_type(g, r);
    LLVMValueRef covered = NULL, x[2], phi;
    LLVMBasicBlockRef from[2], done;
    bool wide = is_wide(g, r);

    if (!hd_ir_is_float(t)) {
        hd_gen_fail(g, HD_BUG, "MATH %u has no float operand", in->sub);
        t = HD_IR_F32;
    }
    x[0] = hd_gen_math(g, r, t, wide, &covered);
    if (x[0] == NULL || covered == NULL) {
        set(g, r, x[0] != NULL ? x[0] : call_math(g, r, t, wide));
        return;
    }
    from[0] = LLVMGetInsertBlock(g->b);
    from[1] = hd_gen_block(g, "odd");
    done = hd_gen_block(g, "math");
    rarely(g, LLVMBuildCondBr(g->b, is_odd(g, r, covered, wide), from[1], done));
    LLVMPositionBuilderAtEnd(g->b, from[1]);
    /* Whatever neighbours have, a lane's result is the same. */
    x[1] = LLVMBuildSelect(g->b, covered, x[0], call_math(g, r, t, wide), "");
    from[1] = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, done);
    LLVMPositionBuilderAtEnd(g->b, done);
    phi = LLVMBuildPhi(g->b, LLVMTypeOf(x[0]), "");
    LLVMAddIncoming(phi, x, from, 2);
    set(g, r, phi);
}

static void convert(HdGen *g, HdIrRef r)
{
    unsigned sub = g->f->insts.at[r].sub;
    unsigned index = HD_RT_CONVERT_INDEX(sub & 15, sub >> 4 & 15, sub >> 8 & 15);

    set(g, r, call_lanes(g, r, table_entry(g, offsetof(HdRtGroup, convert), index), is_wide(g, r)));
}

/* ---- one lane at a time ---------------------------------------------------------------------- */

/* Any scalar as 64 bits. */
static LLVMValueRef to_u64(HdGen *g, LLVMValueRef x, HdIrType t)
{
    if (t == HD_IR_PTR)
        return LLVMBuildPtrToInt(g->b, x, g->i64, "");
    if (hd_ir_is_float(t))
        x = LLVMBuildBitCast(g->b, x, LLVMIntTypeInContext(g->c, hd_ir_type_bits(t)), "");
    return LLVMBuildZExtOrBitCast(g->b, x, g->i64, "");
}

static LLVMValueRef from_u64(HdGen *g, LLVMValueRef x, HdIrType t)
{
    LLVMValueRef narrow;

    if (t == HD_IR_PTR)
        return LLVMBuildIntToPtr(g->b, x, g->ptr, "");
    narrow = LLVMBuildTruncOrBitCast(g->b, x, LLVMIntTypeInContext(g->c, hd_ir_type_bits(t)), "");
    return hd_ir_is_float(t) ? LLVMBuildBitCast(g->b, narrow, g->scalar[t], "") : narrow;
}

LLVMValueRef hd_gen_call_runtime(HdGen *g, unsigned fn, LLVMValueRef operands)
{
    LLVMTypeRef params[2] = {g->ptr, g->ptr};
    LLVMTypeRef type = LLVMFunctionType(g->i64, params, 2, 0);
    LLVMValueRef args[2] = {g->group, operands};

    return LLVMBuildCall2(g->b, type, table_entry(g, offsetof(HdRtGroup, calls), fn), args, 2, "");
}

/* Operand i of every lane where the loop can pick one: an array on the stack, or NULL. */
static LLVMValueRef spilled(HdGen *g, HdIrRef a)
{
    LLVMValueRef at;

    if (g->width == 1 || g->f->insts.at[a].shape == HD_SHAPE_UNIFORM)
        return NULL;
    at = hd_gen_stack(g, (uint64_t)g->width * 8);
    LLVMBuildStore(g->b, hd_gen_v(g, a), at);
    return at;
}

/* fn: of HdRtFn. Once where the result is uniform. */
static void runtime_call(HdGen *g, HdIrRef r, unsigned fn)
{
    const HdIrInst *in = &g->f->insts.at[r];
    unsigned n = hd_ir_value_args(in);
    LLVMValueRef operands = hd_gen_stack(g, n * 8u + 8), spill[16], results = NULL, x;
    bool loops = g->width > 1 && hd_gen_is_varying(in);
    HdGenLoop loop = {0};

    if (n > 16) {
        hd_gen_fail(g, HD_BUG, "runtime function %u has %u operands", fn, n);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        spill[i] = spilled(g, hd_ir_arg(g->f, r, i));
    if (loops) {
        results = hd_gen_stack(g, (uint64_t)g->width * 8);
        hd_gen_lanes_begin(g, hd_gen_mask(g, in, r), &loop);
    }
    for (unsigned i = 0; i < n; i++) {
        HdIrRef a = hd_ir_arg(g->f, r, i);
        HdIrType t = (HdIrType)g->f->insts.at[a].type;

        x = spill[i] == NULL
                ? hd_gen_s(g, a)
                : LLVMBuildLoad2(g->b, g->scalar[t],
                                 LLVMBuildGEP2(g->b, g->scalar[t], spill[i], &loop.lane, 1, ""),
                                 "");
        LLVMBuildStore(g->b, to_u64(g, x, t), hd_gen_offset(g, operands, hd_gen_u64(g, i * 8u)));
    }
    x = hd_gen_call_runtime(g, fn, operands);
    if (in->type != HD_IR_VOID)
        x = from_u64(g, x, (HdIrType)in->type);
    if (!loops) {
        hd_gen_set(g, r, x, NULL);
        return;
    }
    if (in->type != HD_IR_VOID)
        LLVMBuildStore(g->b, x,
                       LLVMBuildGEP2(g->b, g->scalar[in->type], results, &loop.lane, 1, ""));
    hd_gen_lanes_end(g, &loop);
    if (in->type != HD_IR_VOID)
        hd_gen_set(g, r, NULL, LLVMBuildLoad2(g->b, g->vector[in->type], results, ""));
}

/* Call a function of HdRtGroup that takes the group alone. */
static void call_group(HdGen *g, size_t field)
{
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->c), &g->ptr, 1, 0);

    LLVMBuildCall2(g->b, type, hd_gen_field(g, field, g->ptr), &g->group, 1, "");
}

/* A field of the group's record that the runtime sets during the call. */
static LLVMValueRef present(HdGen *g, size_t field)
{
    return LLVMBuildLoad2(g->b, g->i32, hd_gen_offset(g, g->group, hd_gen_u64(g, field)), "");
}

LLVMValueRef hd_gen_is_alone(HdGen *g)
{
    return LLVMBuildICmp(g->b, LLVMIntNE, present(g, offsetof(HdRtGroup, alone)), hd_gen_u32(g, 0),
                         "");
}

void hd_gen_begin_patience(HdGen *g)
{
    if (g->block == 0)
        g->patience = LLVMBuildAlloca(g->entry, g->i32, "patience");
    LLVMBuildStore(g->b, present(g, offsetof(HdRtGroup, patience)), g->patience);
}

void hd_gen_keep_patience(HdGen *g)
{
    if (g->patience != NULL)
        LLVMBuildStore(g->b, LLVMBuildLoad2(g->b, g->i32, g->patience, ""),
                       hd_gen_offset(g, g->group, hd_gen_u64(g, offsetof(HdRtGroup, patience))));
}

/* Most loops that might wait do not: only one that has gone round many times lets others run. */
static void yield(HdGen *g)
{
    LLVMBasicBlockRef now = hd_gen_block(g, "yield"), on = hd_gen_block(g, "patient");
    LLVMValueRef left = LLVMBuildLoad2(g->b, g->i32, g->patience, ""), is_over;
    LLVMTypeRef params[2] = {g->ptr, g->i32};
    LLVMValueRef args[2] = {g->group, g->subgroup};

    left = LLVMBuildSub(g->b, left, hd_gen_u32(g, 1), "");
    LLVMBuildStore(g->b, left, g->patience);
    is_over = LLVMBuildICmp(g->b, LLVMIntEQ, left, hd_gen_u32(g, 0), "");
    rarely(g, LLVMBuildCondBr(g->b, is_over, now, on));
    LLVMPositionBuilderAtEnd(g->b, now);
    LLVMBuildCall2(g->b, LLVMFunctionType(LLVMVoidTypeInContext(g->c), params, 2, 0),
                   hd_gen_field(g, offsetof(HdRtGroup, yield), g->ptr), args, 2, "");
    LLVMBuildStore(g->b, present(g, offsetof(HdRtGroup, patience)), g->patience);
    LLVMBuildBr(g->b, on);
    LLVMPositionBuilderAtEnd(g->b, on);
}

/* An operand that is the same in all lanes that are here. */
static LLVMValueRef agreed(HdGen *g, HdIrRef r)
{
    HdIrRef a = hd_ir_arg(g->f, r, 0);
    LLVMValueRef mask, lane;
    LLVMTypeRef bits;

    if (hd_gen_has_s(g, a) && !hd_gen_is_varying(&g->f->insts.at[a]))
        return hd_gen_s(g, a);
    mask = hd_gen_mask(g, &g->f->insts.at[r], r);
    if (mask == NULL)
        return LLVMBuildExtractElement(g->b, hd_gen_v(g, a), hd_gen_u32(g, 0), "");
    bits = LLVMIntTypeInContext(g->c, g->width);
    lane = LLVMBuildBitCast(g->b, mask, bits, "");
    {
        LLVMValueRef args[2] = {lane, LLVMConstNull(g->i1)};

        lane = hd_gen_intrinsic(g, "llvm.cttz", &bits, 1, args, 2);
    }
    return LLVMBuildExtractElement(g->b, hd_gen_v(g, a), lane, "");
}

static void named_make(HdGen *g, HdIrRef r)
{
    const HdIrInst *in = &g->f->insts.at[r];
    LLVMTypeRef params[3] = {g->ptr, g->i32, g->i32};
    LLVMValueRef args[3] = {g->group, hd_gen_u32(g, (uint32_t)in->imm), agreed(g, r)}, x;

    x = LLVMBuildCall2(g->b, LLVMFunctionType(g->i64, params, 3, 0),
                       hd_gen_field(g, offsetof(HdRtGroup, named_make), g->ptr), args, 3, "");
    if (g->width > 1 && hd_gen_is_varying(in))
        hd_gen_set(g, r, NULL, hd_gen_splat(g, x));
    else
        hd_gen_set(g, r, x, NULL);
}

static void named_wait(HdGen *g, HdIrRef r)
{
    LLVMTypeRef params[2] = {g->ptr, g->i64};
    LLVMValueRef args[2] = {g->group, agreed(g, r)};

    LLVMBuildCall2(g->b, LLVMFunctionType(LLVMVoidTypeInContext(g->c), params, 2, 0),
                   hd_gen_field(g, offsetof(HdRtGroup, named_wait), g->ptr), args, 2, "");
}

static unsigned function_of_space(unsigned space)
{
    switch (space) {
    case HD_SPACE_LOCAL: return HD_RTFN_to_local;
    case HD_SPACE_PRIVATE: return HD_RTFN_to_private;
    default: return HD_RTFN_to_global;
    }
}

bool hd_gen_call(HdGen *g, HdIrRef r)
{
    switch ((HdIrOp)g->f->insts.at[r].op) {
    case HD_IR_MATH: math(g, r); return true;
    case HD_IR_CONVERT: convert(g, r); return true;
    case HD_IR_RTCALL: runtime_call(g, r, g->f->insts.at[r].sub); return true;
    case HD_IR_IN_SPACE: runtime_call(g, r, function_of_space(g->f->insts.at[r].sub)); return true;
    case HD_IR_BARRIER: call_group(g, offsetof(HdRtGroup, barrier)); return true;
    case HD_IR_NAMED_MAKE: named_make(g, r); return true;
    case HD_IR_NAMED_WAIT: named_wait(g, r); return true;
    case HD_IR_YIELD: yield(g); return true;
    default: return false;
    }
}
