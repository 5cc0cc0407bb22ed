/* ops/barrier/barrier_build.c -- barriers to lane IR.
 *
 * The lanes of a sub-group run together, so that a barrier of a sub-group only orders memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/atomic/order_build.h"
#include "ops/build_fns.h"

/* Is a memory scope no wider than a work-group, which one thread runs? */
static bool is_of_group(const HdBuild *b, HdId scope)
{
    uint64_t wide;

    return hd_module_constant_u64(b->m, scope, &wide) &&
           (wide == SpvScopeWorkgroup || wide == SpvScopeSubgroup || wide == SpvScopeInvocation);
}

/* The thread's own accesses are in one order for all that it runs: within a group no fence of the
 * processor's is needed. */
static HdStatus order_of(HdBuild *b, const HdInst *in, HdId scope, HdId semantics, uint64_t *imm)
{
    HdIrOrder order;

    HD_TRY(hd_build_order(b, in, semantics, &order));
    if (order == HD_IR_SEQ_CST && is_of_group(b, scope))
        order = HD_IR_ACQ_REL;
    *imm = HD_IR_ORDER(order, HD_SPACE_GENERIC);
    return HD_OK;
}

/* Words: 1 execution scope, 2 memory scope, 3 semantics. */
HdStatus hd_build_control_barrier(HdBuild *b, const HdInst *in)
{
    uint64_t scope, imm;
    HdIrRef fence;

    if (!hd_module_constant_u64(b->m, in->w[1], &scope))
        return hd_build_unsupported(b, in, "execution scope is not a constant");
    HD_TRY(order_of(b, in, in->w[2], in->w[3], &imm));
    switch (scope) {
    case SpvScopeWorkgroup:
        if (is_of_group(b, in->w[2]))
            imm = HD_IR_ORDER(imm & 0xff, HD_SPACE_LOCAL);
        hd_ir_emit_sub(b->fn, b->block, HD_IR_BARRIER, HD_IR_VOID, 0, imm, NULL, 0);
        return HD_OK;
    case SpvScopeSubgroup:
    case SpvScopeInvocation:
        fence = hd_ir_emit_sub(b->fn, b->block, HD_IR_FENCE, HD_IR_VOID, 0, imm, NULL, 0);
        if (fence != 0 && scope == SpvScopeSubgroup)
            hd_ir_inst(b->fn, fence)->flags |= HD_IR_UNIFORM;
        return HD_OK;
    default: return hd_build_unsupported(b, in, "execution scope wider than a work-group");
    }
}

/* Arriving only publishes what was written: only the wait, which is a whole barrier, waits for
 * others. Words: 1 execution scope, 2 memory scope, 3 semantics. */
HdStatus hd_build_barrier_arrive(HdBuild *b, const HdInst *in)
{
    uint64_t imm;

    HD_TRY(order_of(b, in, in->w[2], in->w[3], &imm));
    hd_ir_emit_sub(b->fn, b->block, HD_IR_FENCE, HD_IR_VOID, 0, imm, NULL, 0);
    return HD_OK;
}

/* Words: 1 scope, 2 semantics. */
HdStatus hd_build_memory_barrier(HdBuild *b, const HdInst *in)
{
    uint64_t imm;

    HD_TRY(order_of(b, in, in->w[1], in->w[2], &imm));
    if ((imm & 0xff) != HD_IR_RELAXED)
        hd_ir_emit_sub(b->fn, b->block, HD_IR_FENCE, HD_IR_VOID, 0, imm, NULL, 0);
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 sub-groups. */
HdStatus hd_build_named_barrier(HdBuild *b, const HdInst *in)
{
    HdIrRef count, made;

    HD_TRY(hd_build_use1(b, in->w[3], &count));
    made = hd_ir_emit_sub(b->fn, b->block, HD_IR_NAMED_MAKE, HD_IR_I64, 0, b->named++, &count, 1);
    return hd_build_bind(b, in->w[2], &made, 1);
}

/* Words: 1 barrier, 2 memory scope, 3 semantics. Memory is in order whatever they say: the call
 * is a fence to every pass. */
HdStatus hd_build_memory_named_barrier(HdBuild *b, const HdInst *in)
{
    HdIrRef barrier;

    HD_TRY(hd_build_use1(b, in->w[1], &barrier));
    hd_ir_emit(b->fn, b->block, HD_IR_NAMED_WAIT, HD_IR_VOID, &barrier, 1);
    return HD_OK;
}
