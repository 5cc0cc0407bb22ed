/* ops/barrier/barrier_rule.c -- rules of barriers.
 *
 * Spec: SPIR-V, "Barrier Instructions"; cl_intel_split_work_group_barrier, "Modifications to the
 * OpenCL SPIR-V Environment Specification".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/rules.h"

/* OpControlBarrier: 1 execution, 2 memory, 3 semantics. */
HdStatus hd_rule_control_barrier(HdVal *v, const HdInst *in)
{
    HD_TRY(hd_val_scope_execution(v, in, 1));
    HD_TRY(hd_val_scope_memory(v, in, 2));
    return hd_val_semantics(v, in, 3, 2);
}

/* The halves of a split barrier: in OpenCL the whole work-group arrives with what it releases, and
 * acquires when it has waited. */
HdStatus hd_rule_split_barrier(HdVal *v, const HdInst *in)
{
    static const uint64_t orders = SpvMemorySemanticsAcquireMask | SpvMemorySemanticsReleaseMask |
                                   SpvMemorySemanticsAcquireReleaseMask |
                                   SpvMemorySemanticsSequentiallyConsistentMask;
    bool arrives = in->opix == HD_OPIX_ControlBarrierArriveEXT;
    uint64_t order = arrives ? SpvMemorySemanticsReleaseMask : SpvMemorySemanticsAcquireMask;
    uint64_t scope, semantics;

    HD_TRY(hd_rule_control_barrier(v, in));
    if (!hd_val_opencl(v))
        return HD_OK;
    HD_RULE(!hd_module_constant_u64(v->m, in->w[1], &scope) || scope == SpvScopeWorkgroup,
            "barrier.split-scope", "the scope of execution is not Workgroup");
    HD_RULE(!hd_module_constant_u64(v->m, in->w[3], &semantics) || (semantics & orders) == order,
            "barrier.split-order", "the memory order is not %s", arrives ? "Release" : "Acquire");
    return HD_OK;
}

/* OpMemoryBarrier: 1 memory, 2 semantics. */
HdStatus hd_rule_memory_barrier(HdVal *v, const HdInst *in)
{
    HD_TRY(hd_val_scope_memory(v, in, 1));
    return hd_val_semantics(v, in, 2, 1);
}

HdStatus hd_rule_named_barrier(HdVal *v, const HdInst *in)
{
    const HdType *count = hd_val_operand(v, in, 3);

    HD_RULE(hd_val_result(v, in)->kind == HD_T_NAMED_BARRIER, "barrier.result",
            "the result is not a named barrier");
    HD_RULE(hd_is_int_scalar(count) && count->bits == 32, "barrier.count",
            "the number of sub-groups is not a 32-bit integer");
    return HD_OK;
}

/* OpMemoryNamedBarrier: 1 barrier, 2 memory, 3 semantics. */
HdStatus hd_rule_memory_named_barrier(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_operand(v, in, 1);

    HD_RULE(t != NULL && t->kind == HD_T_NAMED_BARRIER, "barrier.operand",
            "the operand is not a named barrier");
    HD_TRY(hd_val_scope_memory(v, in, 2));
    return hd_val_semantics(v, in, 3, 2);
}
