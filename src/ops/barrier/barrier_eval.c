/* ops/barrier/barrier_eval.c -- barriers in the interpreter.
 *
 * The lanes of a sub-group run together, so only the work-group has to be waited for.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/evals.h"

static HdStatus order(HdEval *e, uint64_t execution, HdId memory, HdId semantics)
{
    uint64_t scope, bits;

    HD_TRY(hd_eval_scope(e, memory, &scope));
    HD_TRY(hd_eval_semantics(e, semantics, &bits));
    hd_eval_order(e, execution, scope, bits);
    return HD_OK;
}

/* Work-items that wait together must order the same memory alike. */
static HdStatus agree(HdEval *e, HdId memory, HdId semantics)
{
    const HdId ids[] = {memory, semantics};
    uint64_t brought[HD_EVAL_BROUGHT] = {0}, odd = 0;
    bool is_known = true;

    for (unsigned i = 0; i < 2; i++) {
        HdSlot s;

        if (hd_module_constant_u64(e->m, ids[i], &brought[i]))
            continue;
        is_known = false;
        HD_TRY(hd_eval_use(e, ids[i], &s));
        brought[i] = hd_bits_get(hd_slot_at(&s, hd_lane_first(e->mask)), hd_type_size(s.type));
        odd |= hd_eval_odd(e, &s);
    }
    if (is_known)
        return HD_OK;
    if (odd == 0 && !hd_eval_agrees(e, brought))
        odd = e->mask;
    if (odd == 0)
        return HD_OK;
    return hd_eval_defect(e, odd, "check.non-uniform",
                          "give the barrier the same flags and scope for all work-items",
                          "a barrier whose work-items name different memory or scopes");
}

/* The scope that work-items wait in, which all of them must name alike. */
static HdStatus get_scope(HdEval *e, HdId id, uint64_t *scope)
{
    uint64_t odd;
    HdSlot s;

    if (hd_module_constant_u64(e->m, id, scope))
        return HD_OK;
    HD_TRY(hd_eval_use(e, id, &s));
    *scope = hd_bits_get(hd_slot_at(&s, hd_lane_first(e->mask)), hd_type_size(s.type));
    odd = hd_eval_odd(e, &s);
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
    if (e->phase == 0 && e->is_checked) {
        if (scope == SpvScopeWorkgroup)
            HD_TRY(agree(e, in->w[2], in->w[3]));
        HD_TRY(order(e, scope, in->w[2], in->w[3]));
    }
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
    if (e->is_checked)
        HD_TRY(order(e, UINT64_MAX, in->w[1], in->w[2]));
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
    HD_TRY(hd_eval_scope(e, in->w[2], &scope));
    HD_TRY(hd_eval_semantics(e, in->w[3], &bits));
    if (scope > SpvScopeWorkgroup || (bits & order_bits) == 0)
        bits = 0;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return hd_eval_named_wait(e, hd_bits_get(hd_slot_at(&barrier, hd_lane_first(e->mask)), 8), bits,
                              &met);
}
