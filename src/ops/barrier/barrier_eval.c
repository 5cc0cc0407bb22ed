/* ops/barrier/barrier_eval.c -- barriers in the interpreter.
 *
 * The lanes of a sub-group run together, so only the work-group has to be waited for.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/evals.h"

/* Words: 1 execution scope, 2 memory scope, 3 semantics. */
HdStatus hd_eval_control_barrier(HdEval *e, const HdInst *in)
{
    uint64_t scope;
    bool met;

    if (!hd_module_constant_u64(e->m, in->w[1], &scope))
        return hd_eval_unsupported(e, "the execution scope is no constant");
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (scope == SpvScopeWorkgroup)
        return hd_eval_meet(e, NULL, &met);
    if (scope < SpvScopeWorkgroup)
        return hd_eval_unsupported(e, "the execution scope is wider than a work-group");
    return HD_OK;
}

/* Words: 1 scope, 2 semantics. */
HdStatus hd_eval_memory_barrier(HdEval *e, const HdInst *in)
{
    (void)e;
    (void)in;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return HD_OK;
}
