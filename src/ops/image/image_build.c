/* ops/image/image_build.c -- images and samplers to lane IR.
 *
 * An image is the address of its descriptor, a sampler a word, a sampled image both. What is asked
 * about an image is read from its descriptor; texels come from the runtime, all lanes' in one call
 * (rt/image.h).
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/image/image_ask.h"

#include "ops/build_fns.h"
#include "ops/image/image_shape.h"
#include "rt/image.h"

/* ---- types ---------------------------------------------------------------------------------- */

/* The image type of an image or sampled image; NULL when it is none. */
static const HdType *image_type(HdBuild *b, HdId id)
{
    return hd_type_image(hd_module_type_of(b->m, id));
}

/* ---- operands ------------------------------------------------------------------------------- */

static HdStatus coordinate(HdBuild *b, const HdInst *in, HdId id, const HdType *image,
                           HdImageAsk *a)
{
    unsigned need = hd_image_dimensions(image) + hd_image_is_layered(image);
    HdBuildValue v;

    HD_TRY(hd_build_use(b, id, &v));
    if (hd_image_dimensions(image) == 0 || v.count < need)
        return hd_build_unsupported(b, in, "images of this dimensionality");
    if (hd_ir_is_float(hd_build_type_at(b, v.at[0])))
        a->how |= HD_IMAGE_FLOATS;
    if (hd_image_is_layered(image))
        a->how |= HD_IMAGE_ARRAYED;
    a->how |= need << HD_IMAGE_COORDS_AT;
    for (unsigned i = 0; i < need; i++)
        hd_image_add(a, (a->how & HD_IMAGE_FLOATS) != 0 ? hd_image_to_f32(b, v.at[i])
                                                        : hd_image_to_i32(b, v.at[i]));
    return HD_OK;
}

static HdStatus gradients(HdBuild *b, const HdInst *in, unsigned at, const HdType *image,
                          HdImageAsk *a)
{
    a->how |= HD_IMAGE_GRAD;
    for (unsigned g = 0; g < 2; g++) {
        HdBuildValue v;

        HD_TRY(hd_build_use(b, in->w[at + g], &v));
        if (v.count < hd_image_dimensions(image))
            return hd_build_bad(b, in, "a gradient has too few components");
        for (unsigned i = 0; i < hd_image_dimensions(image); i++)
            hd_image_add(a, hd_image_to_f32(b, v.at[i]));
    }
    return HD_OK;
}

/* An offset is added to the coordinate, which follows the image. */
static HdStatus move_coordinate(HdBuild *b, const HdInst *in, HdId id, const HdType *image,
                                HdImageAsk *a)
{
    HdBuildValue v;

    HD_TRY(hd_build_use(b, id, &v));
    if (v.count < hd_image_dimensions(image))
        return hd_build_bad(b, in, "the offset has too few components");
    for (unsigned i = 0; i < hd_image_dimensions(image); i++)
        a->args[1 + i] =
            hd_build_op2(b, HD_IR_ADD, HD_IR_I32, a->args[1 + i], hd_image_to_i32(b, v.at[i]));
    return HD_OK;
}

/* The image operands' mask at word `at`, if there is one, and what follows it. Whether integers are
 * signed is the image's business, not the instruction's. */
static HdStatus image_operands(HdBuild *b, const HdInst *in, unsigned at, const HdType *image,
                               HdImageAsk *a)
{
    const uint32_t known = SpvImageOperandsLodMask | SpvImageOperandsGradMask |
                           SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask |
                           SpvImageOperandsSampleMask | SpvImageOperandsMakeTexelAvailableMask |
                           SpvImageOperandsMakeTexelVisibleMask |
                           SpvImageOperandsNonPrivateTexelMask | SpvImageOperandsVolatileTexelMask |
                           SpvImageOperandsSignExtendMask | SpvImageOperandsZeroExtendMask |
                           SpvImageOperandsNontemporalMask;
    uint32_t mask = at < in->nwords ? in->w[at] : 0;
    HdIrRef x;

    at++;
    if ((mask & ~known) != 0)
        return hd_build_unsupported(b, in, "these image operands");
    if ((mask & SpvImageOperandsLodMask) != 0) {
        HD_TRY(hd_build_use1(b, in->w[at++], &x));
        if (!hd_image_is_zero(b, x)) {
            a->how |= HD_IMAGE_LOD;
            hd_image_add(a, HD_IMAGE_OPERATION(a->how) == HD_IMAGE_SAMPLE ? hd_image_to_f32(b, x)
                                                                          : hd_image_to_i32(b, x));
        }
    }
    if ((mask & SpvImageOperandsGradMask) != 0) {
        HD_TRY(gradients(b, in, at, image, a));
        at += 2;
    }
    if ((mask & (SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask)) != 0)
        HD_TRY(move_coordinate(b, in, in->w[at++], image, a));
    if ((mask & SpvImageOperandsSampleMask) != 0) {
        HD_TRY(hd_build_use1(b, in->w[at], &x));
        a->how |= HD_IMAGE_SAMPLE_NUMBER;
        hd_image_add(a, hd_image_to_i32(b, x));
    }
    return HD_OK;
}

/* ---- texels --------------------------------------------------------------------------------- */

/* Words: 3 sampled image, 4 coordinate, 5 operands. Shaders sample by Vulkan's rules. */
HdStatus hd_build_image_sample(HdBuild *b, const HdInst *in)
{
    const HdType *image = image_type(b, in->w[3]);
    HdImageAsk a = {.how = HD_IMAGE_SAMPLE};
    HdBuildValue v;

    if (b->kernel->is_shader)
        return hd_build_image_lookup(b, in);
    HD_TRY(hd_build_use(b, in->w[3], &v));
    if (image == NULL || v.count != 2)
        return hd_build_bad(b, in, "the operand is not a sampled image");
    hd_image_add(&a, v.at[0]);
    hd_image_add(&a, v.at[1]);
    HD_TRY(coordinate(b, in, in->w[4], image, &a));
    HD_TRY(image_operands(b, in, 5, image, &a));
    return hd_build_image_get(b, in, &a);
}

/* Words: 3 image, 4 coordinate, 5 operands. */
HdStatus hd_build_image_read(HdBuild *b, const HdInst *in)
{
    const HdType *image = image_type(b, in->w[3]);
    HdImageAsk a = {.how = HD_IMAGE_READ};
    HdIrRef x;

    HD_TRY(hd_build_use1(b, in->w[3], &x));
    if (image == NULL)
        return hd_build_bad(b, in, "the operand is not an image");
    hd_image_add(&a, x);
    HD_TRY(coordinate(b, in, in->w[4], image, &a));
    HD_TRY(image_operands(b, in, 5, image, &a));
    return hd_build_image_get(b, in, &a);
}

/* Words: 1 image, 2 coordinate, 3 texel, 4 operands. */
HdStatus hd_build_image_write(HdBuild *b, const HdInst *in)
{
    const HdType *image = image_type(b, in->w[1]);
    HdImageAsk a = {.how = HD_IMAGE_WRITE};
    HdBuildValue texel;
    HdIrRef x;

    HD_TRY(hd_build_use1(b, in->w[1], &x));
    if (image == NULL)
        return hd_build_bad(b, in, "the operand is not an image");
    hd_image_add(&a, x);
    HD_TRY(coordinate(b, in, in->w[2], image, &a));
    HD_TRY(image_operands(b, in, 4, image, &a));
    HD_TRY(hd_build_use(b, in->w[3], &texel));
    if (texel.count > 4 || !hd_build_image_component(hd_build_type_at(b, texel.at[0]), &a))
        return hd_build_unsupported(b, in, "texels of this type");
    if (texel.count == 1)
        a.how |= HD_IMAGE_SCALAR;
    for (uint32_t i = 0; i < (texel.count == 1 ? 1 : 4); i++) /* the format needs no more */
        hd_image_add(&a, i < texel.count ? texel.at[i]
                                         : hd_build_const(b, hd_build_type_at(b, texel.at[0]), 0));
    hd_ir_emit_sub(b->fn, b->block, HD_IR_IMAGE_PUT, HD_IR_VOID, 0, a.how, a.args, a.count);
    return HD_OK;
}

/* ---- sampled images ------------------------------------------------------------------------- */

HdStatus hd_build_sampled_image(HdBuild *b, const HdInst *in)
{
    HdIrRef both[2];

    HD_TRY(hd_build_use1(b, in->w[3], &both[0]));
    HD_TRY(hd_build_use1(b, in->w[4], &both[1]));
    return hd_build_bind(b, in->w[2], both, 2);
}

HdStatus hd_build_image_of(HdBuild *b, const HdInst *in)
{
    HdBuildValue v;

    HD_TRY(hd_build_use(b, in->w[3], &v));
    if (v.count != 2)
        return hd_build_bad(b, in, "the operand is not a sampled image");
    return hd_build_bind(b, in->w[2], &v.at[0], 1);
}

/* ---- queries -------------------------------------------------------------------------------- */

/* A field of the descriptor, 32 bits; nothing changes it while a kernel runs. */
static HdIrRef field(HdBuild *b, HdIrRef address, size_t at)
{
    const HdBuildAccess how = {.space = HD_SPACE_CONSTANT, .flags = HD_IR_INVARIANT};

    return hd_build_load1(b, address, at, HD_IR_I32, &how);
}

static HdStatus descriptor(HdBuild *b, const HdInst *in, HdIrRef *address)
{
    HdIrRef x;

    HD_TRY(hd_build_use1(b, in->w[3], &x));
    *address = hd_build_op1(b, HD_IR_BITCAST, HD_IR_PTR, x);
    return HD_OK;
}

/* OpImageQueryFormat, Order, Levels, Samples. */
HdStatus hd_build_image_query_word(HdBuild *b, const HdInst *in)
{
    const HdType *t;
    HdIrRef x;
    size_t at;

    switch (in->opix) {
    case HD_OPIX_ImageQueryFormat: at = offsetof(HdImage, type); break;
    case HD_OPIX_ImageQueryOrder: at = offsetof(HdImage, order); break;
    case HD_OPIX_ImageQueryLevels: at = offsetof(HdImage, levels); break;
    case HD_OPIX_ImageQuerySamples: at = offsetof(HdImage, samples); break;
    default: return HD_BUG;
    }
    HD_TRY(hd_build_type(b, in->w[1], &t));
    HD_TRY(descriptor(b, in, &x));
    x = hd_build_resize(b, field(b, x, at), hd_build_scalar(t), false);
    return hd_build_bind(b, in->w[2], &x, 1);
}

/* Address of the level that word 4 names. */
static HdStatus level_of(HdBuild *b, const HdInst *in, HdIrRef *address)
{
    HdIrRef lod, most, bytes;

    if (in->opix != HD_OPIX_ImageQuerySizeLod)
        return HD_OK;
    HD_TRY(hd_build_use1(b, in->w[4], &lod));
    if (hd_image_is_zero(b, lod))
        return HD_OK;
    lod = hd_build_resize(b, lod, HD_IR_I32, false);
    most = hd_build_const(b, HD_IR_I32, HD_IMAGE_LEVELS - 1);
    lod = hd_build_op2(b, HD_IR_UMIN, HD_IR_I32, lod, most);
    bytes = hd_build_op2(b, HD_IR_MUL, HD_IR_I64, hd_build_resize(b, lod, HD_IR_I64, false),
                         hd_build_const(b, HD_IR_I64, sizeof(HdImageLevel)));
    *address = hd_build_op2(b, HD_IR_PTRADD, HD_IR_PTR, *address, bytes);
    return HD_OK;
}

/* Layers of an array; cubes have six each. */
static HdIrRef layers_of(HdBuild *b, const HdType *image, HdIrRef layers)
{
    return hd_image_is_cube(image)
               ? hd_build_op2(b, HD_IR_UDIV, HD_IR_I32, layers, hd_build_const(b, HD_IR_I32, 6))
               : layers;
}

/* OpImageQuerySize, OpImageQuerySizeLod. */
HdStatus hd_build_image_query_size(HdBuild *b, const HdInst *in)
{
    static const size_t sizes[3] = {offsetof(HdImage, level[0].width),
                                    offsetof(HdImage, level[0].height),
                                    offsetof(HdImage, level[0].depth)};
    const HdType *image = image_type(b, in->w[3]), *t;
    HdIrRef at, level, parts[4];
    unsigned count;

    HD_TRY(hd_build_type(b, in->w[1], &t));
    HD_TRY(descriptor(b, in, &at));
    if (image == NULL || hd_image_dimensions(image) == 0)
        return hd_build_unsupported(b, in, "images of this dimensionality");
    level = at;
    HD_TRY(level_of(b, in, &level));
    for (count = 0; count < hd_image_dimensions(image); count++)
        parts[count] = field(b, level, sizes[count]);
    if (hd_image_is_arrayed(image))
        parts[count++] = layers_of(b, image, field(b, at, offsetof(HdImage, layers)));
    if (count != hd_type_lanes(t))
        return hd_build_bad(b, in, "the result has another number of components");
    for (unsigned i = 0; i < count; i++)
        parts[i] = hd_build_resize(b, parts[i], hd_build_scalar(hd_type_scalar(t)), false);
    return hd_build_bind(b, in->w[2], parts, count);
}
