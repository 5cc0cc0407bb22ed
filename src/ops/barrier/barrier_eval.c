/* ops/barrier/barrier_eval.c -- barriers in the interpreter.
 *
 * The lanes of a sub-group run together, so only the work-group has to be waited for.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/evals.h"

static void get_order(const HdEval *e, HdId memory, HdId semantics, uint64_t *scope, uint64_t *bits)
{
    if (!hd_module_constant_u64(e->m, memory, scope) ||
        !hd_module_constant_u64(e->m, semantics, bits)) {
        *scope = SpvScopeCrossDevice; /* not known here: anything may be ordered */
        *bits = ~UINT64_C(0);
    }
}

static void order(HdEval *e, uint64_t execution, HdId memory, HdId semantics)
{
    uint64_t scope, bits;

    get_order(e, memory, semantics, &scope, &bits);
    hd_eval_order(e, execution, scope, bits);
}

/* The scope that work-items wait in, which all of them must name alike. */
static HdStatus get_scope(HdEval *e, HdId id, uint64_t *scope)
{
    uint64_t first, odd = 0;
    HdSlot s;

    if (hd_module_constant_u64(e->m, id, scope))
        return HD_OK;
    HD_TRY(hd_eval_use(e, id, &s));
    first = hd_bits_get(hd_slot_at(&s, hd_lane_first(e->mask)), s.type->size);
    for (HD_EACH_LANE(lane, e->mask))
        odd |= (uint64_t)(hd_bits_get(hd_slot_at(&s, lane), s.type->size) != first) << lane;
    *scope = first;
    if (odd == 0)
        return HD_OK;
    return hd_eval_defect(e, odd, "check.non-uniform", "use one scope for all work-items",
                          "a barrier whose work-items name different scopes");
}

/* Words: 1 execution scope, 2 memory scope, 3 semantics. */
HdStatus hd_eval_control_barrier(HdEval *e, const HdInst *in)
{
    uint64_t scope;
    bool met;

    HD_TRY(get_scope(e, in->w[1], &scope));
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (e->phase == 0)
        order(e, scope, in->w[2], in->w[3]);
    if (scope == SpvScopeWorkgroup)
        return hd_eval_meet(e, NULL, &met);
    if (scope == SpvScopeSubgroup)
        return hd_eval_needs_all(e);
    if (scope < SpvScopeWorkgroup)
        return hd_eval_unsupported(e, "the execution scope is wider than a work-group");
    return HD_OK;
}

/* Words: 1 scope, 2 semantics. */
HdStatus hd_eval_memory_barrier(HdEval *e, const HdInst *in)
{
    order(e, UINT64_MAX, in->w[1], in->w[2]);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 sub-groups. */
HdStatus hd_eval_named_barrier(HdEval *e, const HdInst *in)
{
    HdSlot r, count;
    uint64_t handle;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, 3, 1, &count));
    HD_TRY(hd_eval_named_make(
        e, (uint32_t)hd_bits_get(hd_slot_at(&count, hd_lane_first(e->mask)), 4), &handle));
    for (HD_EACH_LANE(lane, e->mask))
        hd_bits_put(hd_slot_at(&r, lane), 8, handle);
    return HD_OK;
}

/* Words: 1 barrier, 2 memory scope, 3 semantics. */
HdStatus hd_eval_memory_named_barrier(HdEval *e, const HdInst *in)
{
    const uint64_t order_bits = SpvMemorySemanticsAcquireMask | SpvMemorySemanticsReleaseMask |
                                SpvMemorySemanticsAcquireReleaseMask |
                                SpvMemorySemanticsSequentiallyConsistentMask;
    uint64_t scope, bits;
    HdSlot barrier;
    bool met;

    HD_TRY(hd_eval_operands(e, in, 1, 1, &barrier));
    get_order(e, in->w[2], in->w[3], &scope, &bits);
    if (scope > SpvScopeWorkgroup || (bits & order_bits) == 0)
        bits = 0;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return hd_eval_named_wait(e, hd_bits_get(hd_slot_at(&barrier, hd_lane_first(e->mask)), 8), bits,
                              &met);
}
