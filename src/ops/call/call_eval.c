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
