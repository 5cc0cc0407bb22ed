/* ops/untyped/untyped_eval.c -- instructions specific to untyped pointers, in the interpreter.
 *
 * check.prefetch: a prefetch is asked for memory that is not there, or of a size without a value.
 *
 * Spec: SPV_KHR_untyped_pointers, "OpUntypedPrefetchKHR".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/evals.h"

/* Nothing is fetched; a checked run checks whether it could be. RW, Locality and Cache Type are
 * constants, which the rules have checked. Words: 1 pointer, 2 bytes, [3 RW, …]. */
HdStatus hd_eval_untyped_prefetch(HdEval *e, const HdInst *in)
{
    uint32_t storage;
    uint64_t writes = 0;
    HdSlot p, bytes;

    if (!e->is_checked)
        return HD_OK;
    HD_TRY(hd_eval_needs(e, in->w[1], "an address depends on"));
    HD_TRY(hd_eval_needs(e, in->w[2], "the size of a prefetch depends on"));
    HD_TRY(hd_eval_use(e, in->w[1], &p));
    HD_TRY(hd_eval_use(e, in->w[2], &bytes));
    HD_TRY(hd_eval_storage(e, in->w[1], &storage));
    if (in->nwords > 3)
        (void)hd_module_constant_u64(e->m, in->w[3], &writes);
    for (HD_EACH_LANE(lane, e->mask))
        hd_eval_prefetch(e, lane, hd_bits_get(hd_slot_at(&p, lane), 8),
                         hd_bits_get(hd_slot_at(&bytes, lane), hd_type_size(bytes.type)),
                         writes != 0);
    return HD_OK;
}
