/* ops/memory/length_eval.c -- how many elements the run-time array has that a shader's block ends
 * with, in the interpreter.
 *
 * Spec: SPIR-V, OpArrayLength; Vulkan, "Shader Interfaces": the elements that the range bound to
 * the block has room for.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/resource.h"
#include "ops/evals.h"

/* What the array at the end of a block has room for. */
static uint64_t room_for(uint64_t bytes, uint64_t offset, uint64_t stride)
{
    return bytes < offset ? 0 : (bytes - offset) / stride;
}

/* OpArrayLength, OpUntypedArrayLengthKHR.
 * Words: 1 type, 2 result, [3 structure,] pointer, member. */
HdStatus hd_eval_array_length(HdEval *e, const HdInst *in)
{
    bool untyped = in->opix == HD_OPIX_UntypedArrayLengthKHR;
    HdId pointer = in->w[untyped ? 4 : 3];
    uint32_t member = in->w[untyped ? 5 : 4];
    const HdType *block = hd_module_type_of(e->m, pointer), *array;
    uint64_t offset, stride;
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
        hd_bits_put(hd_slot_at(&r, lane), hd_type_size(r.type),
                    room_for(bound.bytes, offset, stride));
    }
    return HD_OK;
}
