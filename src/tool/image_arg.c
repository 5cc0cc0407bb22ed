/* tool/image_arg.c -- images and samplers on the command line.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/image_arg.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define MOST_BYTES (UINT64_C(1) << 32)

static HdStatus bad(HdDiags *d, const char *spec, const char *why)
{
    return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.argument", "argument '%s': %s", spec, why);
}

/* Take a word up to ':' or '='. */
static size_t word(const char *p)
{
    return strcspn(p, ":=");
}

static bool is_word(const char *p, size_t len, const char *text)
{
    return strlen(text) == len && strncmp(p, text, len) == 0;
}

/* Behind "image": 1d, 1d_buffer, 1d_array, 2d, 2d_array, 3d, cube, cube_array. A cube's faces are
 * layers, whose number is not written. */
static bool take_dimensions(const char **p, HdImageSize *s, bool *is_array, bool *is_cube)
{
    static const struct {
        const char *name;
        uint32_t dimensions;
        bool is_array, is_cube;
    } rows[] = {{"1d", 1, false, false},      {"1d_buffer", 1, false, false},
                {"1d_array", 1, true, false}, {"2d", 2, false, false},
                {"2d_array", 2, true, false}, {"3d", 3, false, false},
                {"cube", 2, false, true},     {"cube_array", 2, true, true}};
    size_t len = word(*p);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (is_word(*p, len, rows[i].name)) {
            s->dimensions = rows[i].dimensions;
            *is_array = rows[i].is_array;
            *is_cube = rows[i].is_cube;
            *p += len;
            return true;
        }
    return false;
}

static bool take_number(const char **p, uint32_t *n)
{
    char *end;
    unsigned long x = strtoul(*p, &end, 10);

    if (end == *p || x == 0 || x > 1u << 27)
        return false;
    *n = (uint32_t)x;
    *p = end;
    return true;
}

/* ":4x3", layers, or cubes, last; then ":levelsN", ":samplesN". */
static bool take_sizes(const char **p, HdImageSize *s, bool is_array, bool is_cube)
{
    uint32_t *sizes[4] = {&s->width, &s->height, &s->depth, &s->layers};

    for (uint32_t i = 0; i < s->dimensions + is_array; i++) {
        if (*(*p)++ != (i == 0 ? ':' : 'x') ||
            !take_number(p, i < s->dimensions ? sizes[i] : sizes[3]))
            return false;
    }
    if (is_cube)
        s->layers = is_array ? s->layers * 6 : 6;
    while (strncmp(*p, ":levels", 7) == 0 || strncmp(*p, ":samples", 8) == 0) {
        bool is_level = (*p)[1] == 'l';

        *p += is_level ? 7 : 8;
        if (!take_number(p, is_level ? &s->levels : &s->samples))
            return false;
    }
    return s->levels <= HD_IMAGE_LEVELS;
}

/* Two words of OpenCL or one of SPIR-V: "RGBA:UNORM_INT8", "Rgba8". */
static bool take_format(const char **p, HdImageFormat *f)
{
    size_t len = word(*p);

    for (uint32_t i = 1; i < HD_FORMAT_COUNT; i++)
        if (is_word(*p, len, hd_image_formats[i].name)) {
            *f = hd_image_formats[i];
            *p += len;
            return true;
        }
    for (f->order = 0; f->order < HD_ORDER_COUNT; f->order++)
        if (is_word(*p, len, hd_image_orders[f->order].name))
            break;
    *p += len;
    if (f->order == HD_ORDER_COUNT || *(*p)++ != ':')
        return false;
    len = word(*p);
    for (f->type = 0; f->type < HD_TEXEL_COUNT; f->type++)
        if (is_word(*p, len, hd_image_types[f->type].name))
            break;
    *p += len;
    return f->type < HD_TEXEL_COUNT;
}

/* "u8[64]": channels, or packed texels, as numbers. */
static void add_numbers(const HdImage *im, HdStrbuf *out)
{
    const HdImageType *t = &hd_image_types[im->type];

    hd_strbuf_printf(out, "%c%u[%llu]",
                     t->is_packed                                          ? 'u'
                     : t->kind == HD_KIND_FLOAT                            ? 'f'
                     : t->kind == HD_KIND_SINT || t->kind == HD_KIND_SNORM ? 'i'
                                                                           : 'u',
                     t->bits, (unsigned long long)(im->bytes * 8 / t->bits));
}

/* Numbers for an image that is laid out; p is "=…" or "". */
static HdStatus parse_numbers(const HdImage *im, const char *p, HdDiags *d, HdData *out)
{
    HdStrbuf text = {0};
    HdStatus st;

    add_numbers(im, &text);
    hd_strbuf_add(&text, p);
    st = text.failed ? HD_NO_MEMORY : hd_data_parse(hd_strbuf_text(&text), d, out);
    hd_strbuf_free(&text);
    return st;
}

HdStatus hd_image_parse(const char *spec, const HdImageFormat *implied, HdDiags *d, HdImage *image,
                        HdData *out)
{
    HdImageSize size = {.width = 1, .height = 1, .depth = 1, .levels = 1, .samples = 1};
    const char *p = spec + strlen("image");
    HdImageFormat f = implied != NULL ? *implied : (HdImageFormat){0};
    bool is_array, is_cube;

    *out = (HdData){0};
    if (!take_dimensions(&p, &size, &is_array, &is_cube) ||
        !take_sizes(&p, &size, is_array, is_cube))
        return bad(d, spec, "an image is written imageDIM:SIZES:ORDER:TYPE=…");
    if (*p == ':')
        p++;
    else if (implied == NULL)
        return bad(d, spec, "an image is written imageDIM:SIZES:ORDER:TYPE=…");
    if ((p[-1] == ':' && !take_format(&p, &f)) || (*p != '=' && *p != '\0'))
        return bad(d, spec, "an image is written imageDIM:SIZES:ORDER:TYPE=…");
    if (!hd_image_format_shades(f.order, f.type))
        return bad(d, spec, "there are no images of this order and type");
    if (!hd_image_lay_out(f.order, f.type, &size, 0, 0, image) || image->bytes > MOST_BYTES)
        return bad(d, spec, "the image is too large");
    return parse_numbers(image, p, d, out);
}

bool hd_sampler_parse(const char *spec, uint64_t *sampler)
{
    static const struct {
        const char *name;
        uint64_t bits;
    } words[] = {{"normalised", HD_SAMPLER_NORMALISED},
                 {"none", HD_ADDRESS_NONE},
                 {"edge", HD_ADDRESS_EDGE},
                 {"border", HD_ADDRESS_BORDER},
                 {"repeat", HD_ADDRESS_REPEAT},
                 {"mirror", HD_ADDRESS_MIRROR},
                 {"nearest", 0},
                 {"linear", HD_SAMPLER_LINEAR},
                 {"mixed", HD_SAMPLER_MIXED}};

    *sampler = 0;
    if (strncmp(spec, "sampler=", 8) != 0)
        return false;
    for (const char *p = spec + 8; *p != '\0';) {
        size_t len = strcspn(p, ","), i = 0;

        while (i < sizeof words / sizeof words[0] && !is_word(p, len, words[i].name))
            i++;
        if (i == sizeof words / sizeof words[0])
            return false;
        *sampler |= words[i].bits;
        p += len;
        p += *p == ',';
    }
    return true;
}
