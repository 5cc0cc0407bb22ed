/* ops/image/image_ask.c -- texels that an image gives.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/image/image_ask.h"

bool hd_build_image_component(HdIrType t, HdImageAsk *a)
{
    switch (t) {
    case HD_IR_F32: a->how |= HD_IMAGE_F32 << HD_IMAGE_COMPONENT_AT; return true;
    case HD_IR_F16: a->how |= HD_IMAGE_F16 << HD_IMAGE_COMPONENT_AT; return true;
    case HD_IR_I32: a->how |= HD_IMAGE_I32 << HD_IMAGE_COMPONENT_AT; return true;
    case HD_IR_I64: a->how |= HD_IMAGE_I64 << HD_IMAGE_COMPONENT_AT; return true;
    default: return false;
    }
}

HdStatus hd_build_image_get(HdBuild *b, const HdInst *in, HdImageAsk *a)
{
    const HdType *t;
    HdIrType scalar;
    HdIrRef parts[4];
    uint32_t count;

    HD_TRY(hd_build_type(b, in->w[1], &t));
    count = hd_type_lanes(t);
    scalar = hd_build_scalar(hd_type_scalar(t));
    if (count > 4 || !hd_build_image_component(scalar, a))
        return hd_build_unsupported(b, in, "texels of this type");
    if (count == 1)
        a->how |= HD_IMAGE_SCALAR;
    parts[0] =
        hd_ir_emit_sub(b->fn, b->block, HD_IR_IMAGE_GET, scalar, 0, a->how, a->args, a->count);
    for (uint32_t i = 1; i < count; i++)
        parts[i] = hd_ir_emit_sub(b->fn, b->block, HD_IR_PART, scalar, 0, i, &parts[0], 1);
    return hd_build_bind(b, in->w[2], parts, count);
}
