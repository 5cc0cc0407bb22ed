/* interp/flush.c -- results that must not be denormal.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/flush.h"

#include "interp/number.h"
#include "interp/state.h"
#include "module/flush.h"

/* A denormal keeps its sign alone. */
static void flush(unsigned char *at, uint64_t bytes)
{
    const uint64_t sign = UINT64_C(1) << (bytes * 8 - 1);
    const uint64_t exponent = bytes == 4 ? 0x7f800000 : UINT64_C(0x7ff) << 52;
    const uint64_t bits = hd_bits_get(at, bytes);

    if ((bits & exponent) == 0)
        hd_bits_put(at, bytes, bits & sign);
}

HdStatus hd_flush_after(HdEval *e, const HdInst *in)
{
    const HdType *scalar;
    uint64_t bytes;
    HdSlot r;

    if (!hd_module_flushes(e->m, in))
        return HD_OK;
    HD_TRY(hd_eval_result(e, in, &r));
    /* Of ModfStruct and FrexpStruct the first member alone can be denormal. */
    if (r.type->kind == HD_T_STRUCT)
        r.type = hd_type_member(e->m, r.type, 0);
    scalar = hd_type_scalar(r.type->kind == HD_T_MATRIX ? hd_type_element(r.type) : r.type);
    if (scalar->kind != HD_T_FLOAT || scalar->encoding != 0 || scalar->bits < 32)
        return HD_OK;
    bytes = hd_is_cooperative(r.type) ? hd_type_components(r.type, e->width) * hd_type_size(scalar)
                                      : hd_type_size(r.type);
    for (HD_EACH_LANE(lane, e->mask))
        for (uint64_t at = 0; at < bytes; at += hd_type_size(scalar))
            flush(hd_slot_at(&r, lane) + at, hd_type_size(scalar));
    return HD_OK;
}
