/* ops/image/texel_pointer_eval.c -- pointers to texels in the interpreter.
 *
 * check.image-format: the image's texels are smaller than what a pointer to them leads to.
 *
 * Outside of the image a pointer leads to a word of the descriptor, in checked runs to nowhere:
 * what is wrong has been reported by then.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/evals.h"
#include "ops/image/image_eval.h"
#include "ops/image/image_shape.h"

static int64_t number(const HdSlot *s, unsigned lane, unsigned component)
{
    const uint64_t bytes = hd_type_size(hd_type_scalar(s->type));

    return hd_int_get(hd_slot_at(s, lane) + component * bytes, bytes);
}

static HdImagePlace place_of(const HdType *image, const HdSlot *coordinate, const HdSlot *sample,
                             unsigned lane)
{
    const unsigned n = hd_image_dimensions(image);
    HdImagePlace p = {0};

    for (unsigned d = 0; d < n; d++)
        p.at[d] = number(coordinate, lane, d);
    if (hd_image_is_layered(image))
        p.layer = number(coordinate, lane, n);
    if (hd_image_is_multisampled(image))
        p.sample = number(sample, lane, 0);
    return p;
}

static HdStatus tell_small(HdEval *e, uint64_t lanes)
{
    return lanes == 0 || !e->is_checked
               ? HD_OK
               : hd_eval_defect(e, lanes, "check.image-format",
                                "bind an image of the format that the shader takes",
                                "a pointer leads to more bytes than a texel of the image has");
}

/* OpImageTexelPointer: 1 type, 2 result, 3 pointer to an image, 4 coordinate, 5 sample.
 * OpUntypedImageTexelPointerEXT: the image's type comes before the pointer. */
HdStatus hd_eval_texel_pointer(HdEval *e, const HdInst *in)
{
    const unsigned at = in->opix == HD_OPIX_ImageTexelPointer ? 3 : 4;
    const HdType *image;
    HdImageWrong wrong = {0};
    uint64_t small = 0;
    HdSlot r, x[3];

    HD_TRY(hd_eval_needs(e, in->w[at], "which descriptor is meant depends on"));
    HD_TRY(hd_eval_needs(e, in->w[at + 1], "the place of a texel depends on"));
    e->pointer = in->w[at];
    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, at, 3, x));
    image = at == 3 ? hd_type_element(x[0].type) : hd_module_type(e->m, in->w[3]);
    if (image == NULL || image->kind != HD_T_IMAGE || !e->g->kernel->is_shader ||
        hd_type_lanes(x[1].type) < hd_image_dimensions(image) + hd_image_is_layered(image))
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.type", "no pointer to an image, and a place");
    for (HD_EACH_LANE(lane, e->mask)) {
        HdImagePlace p = place_of(image, &x[1], &x[2], lane);
        const HdImage *im;
        HdBinding bound;
        uint64_t there;
        bool fits;

        HD_TRY(hd_eval_opaque(e, lane, hd_bits_get(hd_slot_at(&x[0], lane), 8), &bound));
        HD_TRY(hd_image_look_up(e, lane, bound.at, &im));
        fits = im->texel_bytes == 0 || im->texel_bytes >= hd_image_pointee_bytes(r.type, image);
        small |= (uint64_t)!fits << lane;
        if (hd_image_has(im, &p) && fits)
            there = hd_image_address(im, &p);
        else
            there = e->is_checked ? HD_EVAL_NOWHERE : (uint64_t)(uintptr_t)&im->nowhere;
        if (!hd_image_has(im, &p))
            hd_image_note_outside(&wrong, lane, im, &p);
        hd_bits_put(hd_slot_at(&r, lane), 8, there);
    }
    HD_TRY(tell_small(e, small));
    return hd_image_tell_outside(e, in->w[at], image, &wrong, "pointer to a texel");
}
