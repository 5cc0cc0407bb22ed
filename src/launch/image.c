/* launch/image.c -- creating image descriptors.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/image.h"

#include <string.h>

#include "rt/texel.h"

const HdImageOrder hd_image_orders[HD_ORDER_COUNT] = {
#define ORDER(name, api, spirv, stored, is_srgb) [spirv] = {#name, stored, api, is_srgb},
#include "rt/image.def"
};

const HdImageType hd_image_types[HD_TEXEL_COUNT] = {
#define TYPE(name, api, spirv, kind, bits, is_packed) \
    [spirv] = {#name, api, HD_KIND_##kind, bits, is_packed},
#include "rt/image.def"
};

const HdImageFormat hd_image_formats[HD_FORMAT_COUNT] = {
#define FORMAT(name, spirv, order, type) [spirv] = {#name, HD_ORDER_##order, HD_TEXEL_##type},
#include "rt/image.def"
};

#define BIT(type) (1u << HD_TEXEL_##type)
#define BYTES     (BIT(SNORM_INT8) | BIT(UNORM_INT8) | BIT(SIGNED_INT8) | BIT(UNSIGNED_INT8))
#define REALS                                                                                    \
    (BIT(SNORM_INT8) | BIT(SNORM_INT16) | BIT(UNORM_INT8) | BIT(UNORM_INT16) | BIT(HALF_FLOAT) | \
     BIT(FLOAT))
#define PLAIN                                                                                \
    (REALS | BIT(SIGNED_INT8) | BIT(SIGNED_INT16) | BIT(SIGNED_INT32) | BIT(UNSIGNED_INT8) | \
     BIT(UNSIGNED_INT16) | BIT(UNSIGNED_INT32))
#define PACKED (BIT(UNORM_SHORT_565) | BIT(UNORM_SHORT_555) | BIT(UNORM_INT_101010))

/* Types that the specification allows with an order; and whether Heddle has them. */
static const struct {
    uint32_t types;
    bool is_there;
} orders[HD_ORDER_COUNT] = {
    [HD_ORDER_R] = {PLAIN, true},
    [HD_ORDER_A] = {PLAIN, true},
    [HD_ORDER_RG] = {PLAIN, true},
    [HD_ORDER_RA] = {PLAIN, true},
    [HD_ORDER_RGB] = {PACKED, true},
    [HD_ORDER_RGBA] = {PLAIN | BIT(UNORM_INT_101010_2), true},
    [HD_ORDER_BGRA] = {BYTES, true},
    [HD_ORDER_ARGB] = {BYTES, true},
    [HD_ORDER_INTENSITY] = {REALS, true},
    [HD_ORDER_LUMINANCE] = {REALS, true},
    [HD_ORDER_Rx] = {PLAIN, false},
    [HD_ORDER_RGx] = {PLAIN, false},
    [HD_ORDER_RGBx] = {PACKED, true},
    [HD_ORDER_DEPTH] = {BIT(UNORM_INT16) | BIT(FLOAT), true},
    [HD_ORDER_DEPTH_STENCIL] = {BIT(UNORM_INT24) | BIT(FLOAT), true},
    [HD_ORDER_sRGB] = {BIT(UNORM_INT8), false},
    [HD_ORDER_sRGBx] = {BIT(UNORM_INT8), false},
    [HD_ORDER_sRGBA] = {BIT(UNORM_INT8), true},
    [HD_ORDER_sBGRA] = {BIT(UNORM_INT8), true},
    [HD_ORDER_ABGR] = {BYTES, true},
};

bool hd_image_format_exists(uint32_t order, uint32_t type)
{
    return (orders[order].types >> type & 1) != 0;
}

bool hd_image_format_runs(uint32_t order, uint32_t type)
{
    return orders[order].is_there && hd_image_format_exists(order, type);
}

bool hd_image_format_shades(uint32_t order, uint32_t type)
{
    for (uint32_t i = 1; i < HD_FORMAT_COUNT; i++)
        if (hd_image_formats[i].order == order && hd_image_formats[i].type == type)
            return true;
    return hd_image_format_runs(order, type);
}

bool hd_image_order_of(uint32_t api, uint32_t *order)
{
    for (*order = 0; *order < HD_ORDER_COUNT; ++*order)
        if (hd_image_orders[*order].api == api)
            return true;
    return false;
}

bool hd_image_type_of(uint32_t api, uint32_t *type)
{
    for (*type = 0; *type < HD_TEXEL_COUNT; ++*type)
        if (hd_image_types[*type].api == api)
            return true;
    return false;
}

uint32_t hd_image_texel_bytes(uint32_t order, uint32_t type)
{
    const HdImageType *t = &hd_image_types[type];

    return t->bits / 8 * (t->is_packed ? 1 : (uint32_t)strlen(hd_image_orders[order].stored));
}

static uint32_t halved(uint32_t size, uint32_t times)
{
    return size >> times > 0 ? size >> times : 1;
}

bool hd_image_lay_out(uint32_t order, uint32_t type, const HdImageSize *size, uint64_t row,
                      uint64_t slice, HdImage *out)
{
    uint64_t layers = size->layers > 0 ? size->layers : 1, end = 0;

    *out = (HdImage){.order = order,
                     .type = type,
                     .texel_bytes = hd_image_texel_bytes(order, type),
                     .dimensions = size->dimensions,
                     .layers = size->layers,
                     .levels = size->levels,
                     .samples = size->samples};
    for (uint32_t i = 0; i < size->levels && i < HD_IMAGE_LEVELS; i++) {
        HdImageLevel *l = &out->level[i];
        uint64_t bytes;

        l->offset = end;
        l->width = halved(size->width, i);
        l->height = halved(size->height, i);
        l->depth = halved(size->depth, i);
        l->row = i == 0 && row != 0 ? row : (uint64_t)l->width * out->texel_bytes;
        if (i == 0 && slice != 0)
            l->slice = slice;
        else if (__builtin_mul_overflow(l->row, l->height, &l->slice))
            return false;
        if (__builtin_mul_overflow(l->slice, l->depth * layers, &bytes) ||
            __builtin_add_overflow(end, bytes, &end))
            return false;
    }
    out->sample = end;
    if (__builtin_mul_overflow(end, size->samples, &out->bytes))
        return false;
    hd_rt_image_form(out);
    return true;
}

/* Words of an OpTypeImage. */
enum { TYPE_DIM = 3, TYPE_DEPTH, TYPE_ARRAYED, TYPE_SAMPLES, TYPE_SAMPLED, TYPE_FORMAT };

bool hd_image_fits(const HdImage *im, const HdType *type)
{
    static const uint32_t dimensions[] = {
        [SpvDim1D] = 1, [SpvDim2D] = 2, [SpvDim3D] = 3, [SpvDimBuffer] = 1};
    const uint32_t *words = hd_type_words(type);

    return words[TYPE_DIM] <= SpvDimBuffer && im->dimensions == dimensions[words[TYPE_DIM]] &&
           (im->layers > 0) == (words[TYPE_ARRAYED] != 0) &&
           (words[TYPE_DEPTH] != 1 || im->order == HD_ORDER_DEPTH ||
            im->order == HD_ORDER_DEPTH_STENCIL) &&
           (words[TYPE_SAMPLES] == 1) == (im->samples > 1);
}

/* What is given to a shader is what its type says; of samples and depth as in kernels. */
static const char *shape_misfit(const HdImage *im, const uint32_t *words)
{
    static const uint32_t dimensions[] = {
        [SpvDim1D] = 1, [SpvDim2D] = 2, [SpvDim3D] = 3, [SpvDimCube] = 2, [SpvDimBuffer] = 1};
    const uint32_t dim = words[TYPE_DIM];
    const bool is_arrayed = words[TYPE_ARRAYED] == 1;

    if (dim > SpvDimBuffer || dimensions[dim] == 0 || im->dimensions != dimensions[dim])
        return "its number of dimensions is another one";
    if (dim == SpvDimCube && (im->layers == 0 || im->layers % 6 != 0))
        return "a cube has six layers";
    if (dim == SpvDimCube && !is_arrayed && im->layers != 6)
        return "it is an array of cubes";
    if (dim != SpvDimCube && is_arrayed != (im->layers > 0))
        return is_arrayed ? "it is no array" : "it is an array";
    if ((words[TYPE_SAMPLES] == 1) != (im->samples > 1))
        return im->samples > 1 ? "it has several samples" : "it has one sample";
    return NULL;
}

const char *hd_image_misfit(const HdImage *im, const HdType *type)
{
    const uint32_t *words = hd_type_words(type), format = words[TYPE_FORMAT];
    const HdType *as = hd_type_element(type);
    const HdImageType *t = &hd_image_types[im->type];
    const bool is_int = t->kind == HD_KIND_SINT || t->kind == HD_KIND_UINT;

    if (shape_misfit(im, words) != NULL)
        return shape_misfit(im, words);
    if (format != SpvImageFormatUnknown &&
        (format >= HD_FORMAT_COUNT || hd_image_formats[format].order != im->order ||
         hd_image_formats[format].type != im->type))
        return "its format is not the one that the shader declares";
    if (as == NULL || as->kind == HD_T_VOID)
        return NULL;
    if ((as->kind == HD_T_INT) != is_int)
        return is_int ? "its texels are integers" : "its texels are no integers";
    if ((as->bits == 64) != (t->bits == 64 && !t->is_packed))
        return "its channels are of another width";
    return NULL;
}

void hd_image_none(HdImage *out)
{
    *out = (HdImage){.dimensions = 2, .levels = 1, .samples = 1};
    out->order = HD_ORDER_RGBA;
    out->type = HD_TEXEL_FLOAT;
    hd_rt_image_form(out);
    out->form.coding = HD_CODING_OTHER; /* nothing is to be computed in vectors */
    out->form.flat = 0;
    out->form.common = HD_COMMON_NONE;
    out->at = (unsigned char *)out->level; /* a texel that may be looked at: zeros */
}

#define ADDRESS_NONE  0x1130u /* CL_ADDRESS_NONE; the others follow as HD_ADDRESS_… do */
#define FILTER_LINEAR 0x1141u /* CL_FILTER_LINEAR */

bool hd_sampler_word(bool is_normalised, uint32_t addressing, uint32_t filter, uint32_t mip_filter,
                     uint64_t *word)
{
    *word = addressing - ADDRESS_NONE;
    if (*word > HD_ADDRESS_MIRROR)
        return false;
    *word |= is_normalised ? HD_SAMPLER_NORMALISED : 0;
    *word |= filter == FILTER_LINEAR ? HD_SAMPLER_LINEAR : 0;
    *word |= mip_filter == FILTER_LINEAR ? HD_SAMPLER_MIXED : 0;
    return true;
}

void hd_image_encode(const HdImage *im, const void *colour, unsigned char *texel)
{
    unsigned count = hd_image_orders[im->order].stored[0] == 'D' ? 1 : 4;
    const unsigned char *at = texel;
    HdTexels x = {0};

    for (unsigned c = 0; c < 4; c++) {
        if (c < count)
            memcpy(&x.at[c][0], (const unsigned char *)colour + c * 4, 4);
    }
    hd_rt_texels_store(im, &at, 1, &x);
}
