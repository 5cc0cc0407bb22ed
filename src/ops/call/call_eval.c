/* ops/call/call_eval.c -- calls in the interpreter: the engine creates the frame.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/evals.h"

/* Words: 1 type, 2 result, 3 function, 4 … arguments. */
HdStatus hd_eval_function_call(HdEval *e, const HdInst *in)
{
    e->callee = in->w[3];
    e->next = HD_EVAL_CALL;
    return HD_OK;
}

/* What xform/indirect.c leaves of a call through a pointer leads to no function. If it stands in a
 * function of that file, that is told of the program's own call.
 * Words: 1 type, 2 result, 3 pointer, 4 … arguments. */
HdStatus hd_eval_pointer_call(HdEval *e, const HdInst *in)
{
    HdSlot p;
    uint64_t address;

    HD_TRY(hd_eval_use(e, in->w[3], &p));
    address = hd_bits_get(hd_slot_at(&p, hd_lane_first(e->mask)), 8);
    if (hd_module_opix(e->m, in->w[3]) == HD_OPIX_FunctionParameter)
        hd_eval_report_call(e);
    if (address == 0)
        HD_TRY(hd_eval_defect(e, e->mask, "check.function-pointer",
                              "compare the pointer with null before the call",
                              "a call through a null pointer"));
    else
        HD_TRY(hd_eval_defect(e, e->mask, "check.function-pointer",
                              "does the pointer have a value, the type of its function, and does "
                              "the call lead back to the function that it is in?",
                              "a call through a pointer that leads to no function of its type that "
                              "may be called here"));
    return HD_BAD_INPUT;
}
