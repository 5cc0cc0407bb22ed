/* ops/constant/constant_eval.c -- values that are made inside functions from nothing.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/evals.h"

/* Words: 1 type, 2 result, 3 pointer. */
HdStatus hd_eval_size_of(HdEval *e, const HdInst *in)
{
    const HdType *pointer = hd_module_type_of(e->m, in->w[3]);
    HdSlot r;

    HD_TRY(hd_eval_result(e, in, &r));
    if (pointer == NULL || pointer->element == NULL)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.pointer", "needs a typed pointer");
    for (HD_EACH_LANE(lane, e->mask))
        hd_bits_put(hd_slot_at(&r, lane), r.type->size, pointer->element->size);
    return HD_OK;
}
