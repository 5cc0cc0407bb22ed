/* ops/enqueue/enqueue_eval.c -- what a kernel may ask about sub-groups of another, interpreted.
 *
 * SPDX-License-Identifier: MIT
 */
#include "build/layout.h"
#include "ops/evals.h"

HdStatus hd_eval_subgroup_query(HdEval *e, const HdInst *in)
{
    bool is_size = in->opix == HD_OPIX_GetKernelLocalSizeForSubgroupCount;
    HdSlot r, count;

    HD_TRY(hd_eval_result(e, in, &r));
    if (is_size)
        HD_TRY(hd_eval_operands(e, in, 3, 1, &count));
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t v = HD_MAX_GROUP_ITEMS / e->g->subgroup_width;

        if (is_size) {
            uint64_t asked = hd_bits_get(hd_slot_at(&count, lane), count.type->size);

            v = asked <= v ? asked * e->g->subgroup_width : 0;
        }
        hd_bits_put(hd_slot_at(&r, lane), r.type->size, v);
    }
    return HD_OK;
}
