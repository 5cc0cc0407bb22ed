/* ops/constant/constant_eval.c -- values created inside functions without operands.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/evals.h"

/* Words: 1 type, 2 result, 3 pointer. */
HdStatus hd_eval_size_of(HdEval *e, const HdInst *in)
{
    const HdType *pointer = hd_module_type(e->m, in->w[3]); /* of a pointer, or a pointer */
    HdSlot r;

    HD_TRY(hd_eval_result(e, in, &r));
    if (pointer == NULL)
        pointer = hd_module_type_of(e->m, in->w[3]);
    if (pointer == NULL || hd_type_element(pointer) == NULL)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.pointer", "needs a typed pointer");
    for (HD_EACH_LANE(lane, e->mask))
        hd_bits_put(hd_slot_at(&r, lane), hd_type_size(r.type),
                    hd_type_size(hd_type_element(pointer)));
    return HD_OK;
}

/* Words: 1 type, 2 result. Inside functions; 0, as the compiler takes it, but not a value. */
HdStatus hd_eval_undef(HdEval *e, const HdInst *in)
{
    const HdType *t = hd_module_type(e->m, in->w[1]);
    HdSlot r;

    if (t == NULL || hd_type_size(t) == 0)
        return HD_OK;
    HD_TRY(hd_eval_result(e, in, &r));
    for (HD_EACH_LANE(lane, e->mask))
        memset(hd_slot_at(&r, lane), 0, (size_t)hd_type_size(r.type));
    if (e->is_checked)
        hd_eval_spoil(e, e->mask);
    return HD_OK;
}
