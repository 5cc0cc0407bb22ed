/* ops/memory/masked_build.c -- gathers and scatters of one work-item's vector of pointers to lane
 * IR: each component is accessed where its mask holds.
 *
 * Spec: SPV_INTEL_masked_gather_scatter.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/build_fns.h"

static HdStatus access_of(HdBuild *b, const HdInst *in, HdId pointers, uint32_t alignment,
                          HdBuildAccess *out)
{
    const HdType *t;

    *out = (HdBuildAccess){.align = alignment};
    HD_TRY(hd_build_type_of(b, pointers, &t));
    if (t->kind != HD_T_VECTOR || hd_type_element(t)->kind != HD_T_POINTER)
        return hd_build_bad(b, in, "there is no vector of pointers");
    out->space = hd_build_space(hd_type_element(t)->storage);
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 pointers, 4 alignment, 5 mask, 6 what other components become: one
 * value for all or one for each. */
HdStatus hd_build_masked_gather(HdBuild *b, const HdInst *in)
{
    HdBuildValue pointers, mask, other;
    HdBuildAccess how;
    const HdType *t;
    HdIrRef *refs;

    HD_TRY(hd_build_type(b, in->w[1], &t));
    HD_TRY(access_of(b, in, in->w[3], in->w[4], &how));
    HD_TRY(hd_build_use(b, in->w[3], &pointers));
    HD_TRY(hd_build_use(b, in->w[5], &mask));
    HD_TRY(hd_build_use(b, in->w[6], &other));
    HD_TRY(hd_build_room(b, pointers.count, &refs));
    for (uint32_t i = 0; i < pointers.count; i++) {
        uint32_t before = b->block, after = hd_build_where(b, mask.at[i]), part = b->block;
        HdIrRef loaded;

        HD_TRY(hd_build_load(b, pointers.at[i], hd_type_element(t), &how, &loaded));
        hd_build_end_where(b, after);
        refs[i] =
            hd_ir_emit(b->fn, after, HD_IR_PHI, hd_build_scalar(hd_type_element(t)),
                       (HdIrRef[4]){before, other.at[other.count > 1 ? i : 0], part, loaded}, 4);
    }
    return hd_build_bind(b, in->w[2], refs, pointers.count);
}

/* Words: 1 values, 2 pointers, 3 alignment, 4 mask. */
HdStatus hd_build_masked_scatter(HdBuild *b, const HdInst *in)
{
    HdBuildValue values, pointers, mask;
    HdBuildAccess how;
    const HdType *t;

    HD_TRY(hd_build_type_of(b, in->w[1], &t));
    HD_TRY(access_of(b, in, in->w[2], in->w[3], &how));
    HD_TRY(hd_build_use(b, in->w[1], &values));
    HD_TRY(hd_build_use(b, in->w[2], &pointers));
    HD_TRY(hd_build_use(b, in->w[4], &mask));
    for (uint32_t i = 0; i < pointers.count; i++) {
        uint32_t after = hd_build_where(b, mask.at[i]);

        HD_TRY(hd_build_store(b, pointers.at[i], hd_type_element(t), &values.at[i], &how));
        hd_build_end_where(b, after);
    }
    return HD_OK;
}
