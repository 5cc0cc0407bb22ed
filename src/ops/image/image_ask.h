/* ops/image/image_ask.h -- what the builders of images share: an access's operands, in the order
 * of rt/image.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_IMAGE_ASK_H
#define HD_OPS_IMAGE_ASK_H

#include "build/emit.h"
#include "rt/image.h"

/* The parts of an access. */
typedef struct HdImageAsk {
    HdIrRef args[HD_IMAGE_MOST_OPERANDS];
    unsigned count;
    uint32_t how;
} HdImageAsk;

static inline void hd_image_add(HdImageAsk *a, HdIrRef x)
{
    if (a->count < HD_IMAGE_MOST_OPERANDS)
        a->args[a->count++] = x;
}

static inline HdIrRef hd_image_to_i32(HdBuild *b, HdIrRef x)
{
    return hd_build_resize(b, x, HD_IR_I32, true);
}

static inline HdIrRef hd_image_to_f32(HdBuild *b, HdIrRef x)
{
    switch (hd_build_type_at(b, x)) {
    case HD_IR_F32: return x;
    case HD_IR_F16: return hd_build_op1(b, HD_IR_FPEXT, HD_IR_F32, x);
    case HD_IR_F64: return hd_build_op1(b, HD_IR_FPTRUNC, HD_IR_F32, x);
    default: return hd_build_op1(b, HD_IR_SITOFP, HD_IR_F32, x);
    }
}

static inline bool hd_image_is_zero(HdBuild *b, HdIrRef x)
{
    const HdIrInst *in = &b->fn->insts.at[x];

    return in->op == HD_IR_CONST && in->imm == 0;
}

/* Note the component type of texels; false if images have no such type. */
bool hd_build_image_component(HdIrType t, HdImageAsk *a);
/* Ask for a texel: the result is a scalar or a vector of up to four. */
HdStatus hd_build_image_get(HdBuild *b, const HdInst *in, HdImageAsk *a);

#endif
