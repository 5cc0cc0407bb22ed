/* tool/binding_image.c -- images, texel buffers and samplers that --bind gives to a shader.
 *
 * A set and binding that holds an image and a sampler, of one variable or of two, is given both,
 * one
 * --bind each, in any order.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "tool/binding.h"
#include "tool/sampler_arg.h"

/* The next argument from `from` on with the set, binding and element of argument i; UINT32_MAX:
 * there is no further one. */
static uint32_t next_at(const HdKernelInfo *k, uint32_t i, uint32_t from)
{
    const HdResource *r = &k->args[i].resource;

    for (uint32_t n = from; n < k->arg_count; n++) {
        const HdResource *other = &k->args[n].resource;

        if (n == i || (!r->is_push && !other->is_push && r->set == other->set &&
                       r->binding == other->binding && r->element == other->element))
            return n;
    }
    return UINT32_MAX;
}

#define EACH_AT(n, k, i)           \
    uint32_t n = next_at(k, i, 0); \
    (n) != UINT32_MAX;             \
    (n) = (n) + 1 < (k)->arg_count ? next_at(k, i, (n) + 1) : UINT32_MAX

bool hd_binding_takes_image(const HdKernelInfo *k, uint32_t i)
{
    for (EACH_AT(n, k, i))
        if (hd_opaque_has_image(k->args[n].resource.opaque))
            return true;
    return false;
}

bool hd_binding_takes_sampler(const HdKernelInfo *k, uint32_t i)
{
    for (EACH_AT(n, k, i))
        if (hd_opaque_has_sampler(k->args[n].resource.opaque))
            return true;
    return false;
}

bool hd_binding_is_image(const HdKernelInfo *k, uint32_t i, const char *spec)
{
    return k->args[i].kind == HD_ARG_BINDING &&
           (hd_binding_takes_image(k, i) ||
            (k->args[i].resource.is_heap && strncmp(spec, "image", 5) == 0));
}

bool hd_binding_is_sampler(const char *spec)
{
    return strncmp(spec, "sampler", 7) == 0;
}

/* What a variable declares; NULL: no image, or a heap, which may hold any. */
static const HdType *image_of(const HdKernelInfo *k, uint32_t i)
{
    return k->args[i].type != NULL ? hd_type_image(k->args[i].type) : NULL;
}

/* The format that a variable at the place declares; false: none does. */
static bool declared(const HdKernelInfo *k, uint32_t i, HdImageFormat *out)
{
    for (EACH_AT(n, k, i)) {
        const HdType *image = image_of(k, n);
        uint32_t format = image != NULL ? hd_type_words(image)[8] : SpvImageFormatUnknown;

        if (format == SpvImageFormatUnknown || format >= HD_FORMAT_COUNT)
            continue;
        *out = hd_image_formats[format];
        return true;
    }
    return false;
}

/* The format of texels that numbers of a type are: f32x4 is Rgba32f, u8 R8ui. */
static bool format_of_numbers(const HdValueType *t, HdImageFormat *out)
{
    static const uint32_t types[HD_VALUE_KINDS] = {
        [HD_VALUE_I8] = HD_TEXEL_SIGNED_INT8,   [HD_VALUE_U8] = HD_TEXEL_UNSIGNED_INT8,
        [HD_VALUE_I16] = HD_TEXEL_SIGNED_INT16, [HD_VALUE_U16] = HD_TEXEL_UNSIGNED_INT16,
        [HD_VALUE_I32] = HD_TEXEL_SIGNED_INT32, [HD_VALUE_U32] = HD_TEXEL_UNSIGNED_INT32,
        [HD_VALUE_I64] = HD_TEXEL_SIGNED_INT64, [HD_VALUE_U64] = HD_TEXEL_UNSIGNED_INT64,
        [HD_VALUE_F16] = HD_TEXEL_HALF_FLOAT,   [HD_VALUE_F32] = HD_TEXEL_FLOAT,
        [HD_VALUE_F64] = HD_TEXEL_COUNT};

    *out = (HdImageFormat){.type = types[t->kind],
                           .order = t->lanes == 1   ? HD_ORDER_R
                                    : t->lanes == 2 ? HD_ORDER_RG
                                                    : HD_ORDER_RGBA};
    return !t->is_hex && (t->lanes == 1 || t->lanes == 2 || t->lanes == 4) &&
           out->type != HD_TEXEL_COUNT && hd_image_format_shades(out->order, out->type);
}

/* A texel buffer of numbers: of the format that the shader declares, or that they look like. */
static const char *lay_out_texels(const HdKernelInfo *k, uint32_t i, const HdData *data,
                                  HdImage *im)
{
    HdImageSize size = {
        .dimensions = 1, .width = 1, .height = 1, .depth = 1, .levels = 1, .samples = 1};
    uint32_t bytes;
    HdImageFormat f;

    if (data->form != HD_DATA_ARRAY)
        return "what is given is no buffer: TYPE[COUNT]=… or null";
    if (!declared(k, i, &f) && !format_of_numbers(&data->type, &f))
        return "its format is not known: give image1d_buffer:COUNT:ORDER:TYPE=…";
    bytes = hd_image_texel_bytes(f.order, f.type);
    if (data->size % bytes != 0 || data->size / bytes > 1u << 27)
        return "what is given is no whole number of texels, or more than 2^27";
    size.width = (uint32_t)(data->size / bytes);
    return hd_image_lay_out(f.order, f.type, &size, 0, 0, im) ? NULL : "it is too large";
}

const char *hd_binding_misfit(const HdKernelInfo *k, uint32_t n, const HdImage *im)
{
    const HdType *image = image_of(k, n);

    return image != NULL && im->texel_bytes != 0 ? hd_image_misfit(im, image) : NULL;
}

/* Does what is given suit all variables there? Of several arrays of descriptors, each is for the
 * elements that suit it. */
static const char *misfit_at(const HdKernelInfo *k, uint32_t i, const HdImage *im)
{
    const char *found = NULL;
    bool suits_array = false;

    for (EACH_AT(n, k, i)) {
        const char *why = hd_binding_misfit(k, n, im);
        const HdResource *r = &k->args[n].resource;

        if (why != NULL && r->elements == 0)
            return why;
        suits_array |= why == NULL && r->elements != 0 && hd_opaque_has_image(r->opaque);
        found = why != NULL ? why : found;
    }
    return suits_array ? NULL : found;
}

HdStatus hd_binding_parse_image(const HdKernelInfo *k, uint32_t i, const char *spec, HdDiags *d,
                                HdImage *im, HdData *out)
{
    const char *why = NULL;
    HdStrbuf what = {0};
    HdImageFormat f;
    HdStatus st = HD_OK;

    *im = (HdImage){0};
    *out = (HdData){0};
    if (strncmp(spec, "image", 5) == 0)
        HD_TRY(hd_image_parse(spec, declared(k, i, &f) ? &f : NULL, d, im, out));
    else if (!hd_binding_is_sampler(spec))
        HD_TRY(hd_data_parse(spec, d, out));
    if (out->form == HD_DATA_NULL)
        return HD_OK;
    if (im->texel_bytes == 0)
        why = hd_opaque_is_texels(k->args[i].resource.opaque)
                  ? lay_out_texels(k, i, out, im)
                  : "what is given is no image: imageDIM:SIZES:ORDER:TYPE=… or null";
    if (why == NULL)
        why = misfit_at(k, i, im);
    if (why == NULL)
        return HD_OK;
    hd_binding_describe(k, i, &what);
    st = hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.binding", "%s, but not %.80s: %s",
                 hd_strbuf_text(&what), spec, why);
    hd_strbuf_free(&what);
    return st;
}

HdStatus hd_binding_parse_sampler(const HdKernelInfo *k, uint32_t i, const char *spec, HdDiags *d,
                                  HdSampler *out)
{
    HdStrbuf what = {0};
    const char *wrong;
    size_t length;
    HdStatus st;

    wrong = hd_shader_sampler_parse(spec, out, &length);
    if (wrong == NULL)
        return HD_OK;
    hd_binding_describe(k, i, &what);
    st = hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.binding",
                 "%s, but '%.*s' says nothing of a sampler: sampler=WORD,… (see --help)",
                 hd_strbuf_text(&what), (int)(length < 80 ? length : 80), wrong);
    hd_strbuf_free(&what);
    return st;
}
