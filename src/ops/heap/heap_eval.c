/* ops/heap/heap_eval.c -- buffers by the descriptors of a heap in the interpreter.
 *
 * Spec: SPV_EXT_descriptor_heap.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/evals.h"

/* OpBufferPointerEXT. Words: 1 type, 2 result, 3 buffer. */
HdStatus hd_eval_buffer_pointer(HdEval *e, const HdInst *in)
{
    HdSlot r, buffer;
    HdBinding bound;

    HD_TRY(hd_eval_needs(e, in->w[3], "which descriptor is meant depends on"));
    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[3], &buffer));
    for (HD_EACH_LANE(lane, e->mask)) {
        HD_TRY(hd_eval_heap(e, lane, hd_bits_get(hd_slot_at(&buffer, lane), 8), &bound));
        hd_bits_put(hd_slot_at(&r, lane), 8, bound.at);
    }
    return HD_OK;
}
