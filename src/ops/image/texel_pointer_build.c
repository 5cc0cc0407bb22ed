/* ops/image/texel_pointer_build.c -- pointers to texels to lane IR.
 *
 * The address is computed from the descriptor. Outside of the image, and where its texels are
 * smaller than the pointer says, it is that of a word which the descriptor has for that: what
 * atomics leave there nobody sees.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/build_fns.h"
#include "ops/image/image_shape.h"
#include "rt/image.h"

/* A place being found. */
typedef struct Place {
    HdBuild *b;
    HdIrRef image;  /* address of the descriptor */
    HdIrRef inside; /* 0: nothing is known to be outside yet */
    HdIrRef offset; /* in bytes */
} Place;

static HdIrRef field(const Place *p, size_t at, HdIrType t)
{
    const HdBuildAccess how = {.space = HD_SPACE_CONSTANT, .align = 4, .flags = HD_IR_INVARIANT};

    return hd_build_load1(p->b, p->image, at, t, &how);
}

/* Move by `index` steps of so many bytes, in an extent of so many. */
static void move(Place *p, HdIrRef index, HdIrRef extent, HdIrRef bytes)
{
    HdBuild *b = p->b;
    HdIrRef fits, step;

    index = hd_build_resize(b, index, HD_IR_I32, true);
    fits = hd_build_icmp(b, HD_IR_ULT, index, extent);
    p->inside = p->inside == 0 ? fits : hd_build_op2(b, HD_IR_AND, HD_IR_BOOL, p->inside, fits);
    step = hd_build_op2(b, HD_IR_MUL, HD_IR_I64, hd_build_resize(b, index, HD_IR_I64, false),
                        hd_build_resize(b, bytes, HD_IR_I64, false));
    p->offset = hd_build_op2(b, HD_IR_ADD, HD_IR_I64, p->offset, step);
}

/* An image of a heap, or without a format in the shader, may have texels of other sizes. */
static void look_at_size(Place *p, uint64_t bytes)
{
    HdIrRef fits =
        hd_build_icmp(p->b, HD_IR_UGE, field(p, offsetof(HdImage, texel_bytes), HD_IR_I32),
                      hd_build_const(p->b, HD_IR_I32, bytes));

    p->inside = hd_build_op2(p->b, HD_IR_AND, HD_IR_BOOL, p->inside, fits);
}

static HdStatus find(Place *p, const HdInst *in, const HdType *image, HdId coordinate, HdId sample)
{
    static const size_t sizes[3] = {offsetof(HdImage, level[0].width),
                                    offsetof(HdImage, level[0].height),
                                    offsetof(HdImage, level[0].depth)};
    static const size_t steps[3] = {offsetof(HdImage, texel_bytes), offsetof(HdImage, level[0].row),
                                    offsetof(HdImage, level[0].slice)};
    unsigned n = hd_image_dimensions(image);
    HdBuildValue v;
    HdIrRef s;

    HD_TRY(hd_build_use(p->b, coordinate, &v));
    if (n == 0 || v.count < n + hd_image_is_layered(image))
        return hd_build_unsupported(p->b, in, "images of this dimensionality");
    p->offset = field(p, offsetof(HdImage, level[0].offset), HD_IR_I64);
    for (unsigned d = 0; d < n; d++)
        move(p, v.at[d], field(p, sizes[d], HD_IR_I32),
             field(p, steps[d], d == 0 ? HD_IR_I32 : HD_IR_I64));
    if (hd_image_is_layered(image))
        move(p, v.at[n], field(p, offsetof(HdImage, layers), HD_IR_I32),
             field(p, offsetof(HdImage, level[0].slice), HD_IR_I64));
    if (hd_image_is_multisampled(image)) {
        HD_TRY(hd_build_use1(p->b, sample, &s));
        move(p, s, field(p, offsetof(HdImage, samples), HD_IR_I32),
             field(p, offsetof(HdImage, sample), HD_IR_I64));
    }
    return HD_OK;
}

/* OpImageTexelPointer: 1 type, 2 result, 3 pointer to an image, 4 coordinate, 5 sample.
 * OpUntypedImageTexelPointerEXT: the image's type comes before the pointer. */
HdStatus hd_build_texel_pointer(HdBuild *b, const HdInst *in)
{
    unsigned at = in->opix == HD_OPIX_ImageTexelPointer ? 3 : 4;
    const HdType *pointer = hd_module_type_of(b->m, in->w[at]), *image;
    HdIrRef descriptor, handle[2], texel;
    Place p = {.b = b};

    if (pointer == NULL || pointer->kind != HD_T_POINTER || !b->kernel->is_shader)
        return hd_build_unsupported(b, in, "pointers to texels in kernels");
    image = at == 3 ? hd_type_element(pointer) : hd_module_type(b->m, in->w[3]);
    if (image == NULL || image->kind != HD_T_IMAGE)
        return hd_build_bad(b, in, "the operand is no pointer to an image");
    HD_TRY(hd_build_use1(b, in->w[at], &descriptor));
    (void)hd_build_opaque(b, descriptor, image, handle);
    p.image = hd_build_op1(b, HD_IR_BITCAST, HD_IR_PTR, handle[0]);
    HD_TRY(find(&p, in, image, in->w[at + 1], in->w[at + 2]));
    look_at_size(&p, hd_image_pointee_bytes(hd_module_type(b->m, in->w[1]), image));
    texel = hd_build_op2(b, HD_IR_PTRADD, HD_IR_PTR, field(&p, offsetof(HdImage, at), HD_IR_PTR),
                         p.offset);
    texel = hd_build_select(b, HD_IR_PTR, p.inside, texel,
                            hd_build_offset(b, p.image, offsetof(HdImage, nowhere)));
    return hd_build_bind(b, in->w[2], &texel, 1);
}
