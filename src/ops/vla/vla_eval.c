/* ops/vla/vla_eval.c -- variable-length arrays in the interpreter: a region for each work-item,
 * with a mark for the part in use.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/type.h"
#include "ops/evals.h"

/* Words: 1 type, 2 result, [element type,] length. */
HdStatus hd_eval_vla(HdEval *e, const HdInst *in)
{
    bool untyped = in->opix == HD_OPIX_UntypedVariableLengthArrayINTEL;
    const HdType *t;
    HdSlot r, length;
    uint64_t align;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, untyped ? 4 : 3, 1, &length));
    t = hd_module_vla_element(e->m, in);
    if (t == NULL || hd_type_size(t) == 0)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.vla", "the element type has no size");
    align = hd_module_alignment(e->m, in->w[2], t->align);
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t count = hd_bits_get(hd_slot_at(&length, lane), hd_type_size(length.type)), address;

        if (count > UINT64_MAX / hd_type_size(t))
            return hd_eval_bad(e, lane, "interp.vla", "a variable-length array of this length");
        HD_TRY(hd_eval_grow(e, lane, count * hd_type_size(t), align, &address));
        hd_bits_put(hd_slot_at(&r, lane), 8, address);
    }
    return HD_OK;
}

/* Words: 1 type, 2 result. */
HdStatus hd_eval_vla_save(HdEval *e, const HdInst *in)
{
    HdSlot r;

    HD_TRY(hd_eval_result(e, in, &r));
    for (HD_EACH_LANE(lane, e->mask))
        hd_bits_put(hd_slot_at(&r, lane), 8, hd_eval_mark(e, lane));
    return HD_OK;
}

/* Words: 1 pointer that OpSaveMemoryINTEL gave. */
HdStatus hd_eval_vla_restore(HdEval *e, const HdInst *in)
{
    HdSlot mark;

    HD_TRY(hd_eval_operands(e, in, 1, 1, &mark));
    for (HD_EACH_LANE(lane, e->mask))
        HD_TRY(hd_eval_release(e, lane, hd_bits_get(hd_slot_at(&mark, lane), 8)));
    return HD_OK;
}
