/* ops/memory/length_eval.c -- how many elements the run-time array has that a shader's block ends
 * with, in the interpreter.
 *
 * Spec: SPIR-V, OpArrayLength; Vulkan, "Shader Interfaces": the elements that the range bound to
 * the block has room for.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/report.h"
#include "ops/evals.h"

/* What the array at the end of a block has room for. */
static uint64_t room_for(uint64_t bytes, uint64_t offset, uint64_t stride)
{
    return bytes < offset ? 0 : (bytes - offset) / stride;
}

/* In a checked run: what these lanes ask for the length of has no memory. */
static HdStatus tell_unbound(HdEval *e, HdId pointer, uint64_t lanes)
{
    HdDefect d = {.other_place.word = HD_NO_PLACE};
    char name[HD_REPORT_NAME];

    if (lanes == 0 || !e->is_checked)
        return HD_OK;
    d.variable = hd_report_path(e, pointer, hd_lane_first(lanes), name);
    return hd_report(e, HD_ERROR, lanes, "check.null",
                     "bind a buffer to each descriptor that is used",
                     "length of an array where nothing is bound", &d);
}

/* OpArrayLength, OpUntypedArrayLengthKHR.
 * Words: 1 type, 2 result, [3 structure,] pointer, member. */
HdStatus hd_eval_array_length(HdEval *e, const HdInst *in)
{
    bool untyped = in->opix == HD_OPIX_UntypedArrayLengthKHR;
    HdId pointer = in->w[untyped ? 4 : 3];
    uint32_t member = in->w[untyped ? 5 : 4];
    const HdType *block = hd_module_type_of(e->m, pointer), *array;
    uint64_t offset, stride, unbound = 0;
    HdBinding bound;
    HdSlot r;

    if (block == NULL)
        return HD_BUG;
    block = untyped ? hd_module_type(e->m, in->w[3]) : hd_type_element(block);
    array = block != NULL && block->kind == HD_T_STRUCT && member < block->count
                ? hd_type_member(e->m, block, member)
                : NULL;
    stride = array != NULL && array->kind == HD_T_RUNTIME_ARRAY ? hd_type_stride(e->m, array) : 0;
    if (stride == 0)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.length",
                           "the member is not a run-time array of elements with a size");
    HD_TRY(hd_eval_result(e, in, &r));
    offset = hd_type_offset(e->m, block, member);
    for (HD_EACH_LANE(lane, e->mask)) {
        HD_TRY(hd_eval_bound(e, lane, pointer, &bound));
        unbound |= (uint64_t)(bound.at == 0) << lane;
        hd_bits_put(hd_slot_at(&r, lane), hd_type_size(r.type),
                    room_for(bound.bytes, offset, stride));
    }
    return tell_unbound(e, pointer, unbound);
}
