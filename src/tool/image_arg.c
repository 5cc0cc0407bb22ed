/* tool/image_arg.c -- images and samplers on the command line.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/image_arg.h"

#include <stdio.h>
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

/* Behind "image": 1d, 1d_buffer, 1d_array, 2d, 2d_array, 3d. */
static bool take_dimensions(const char **p, HdImageSize *s)
{
    static const struct {
        const char *name;
        uint32_t dimensions, layers;
    } rows[] = {{"1d", 1, 0}, {"1d_buffer", 1, 0}, {"1d_array", 1, 1},
                {"2d", 2, 0}, {"2d_array", 2, 1},  {"3d", 3, 0}};
    size_t len = word(*p);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (is_word(*p, len, rows[i].name)) {
            s->dimensions = rows[i].dimensions;
            s->layers = rows[i].layers;
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

/* ":4x3", layers last; then ":levelsN", ":samplesN". */
static bool take_sizes(const char **p, HdImageSize *s)
{
    uint32_t *sizes[4] = {&s->width, &s->height, &s->depth, &s->layers};

    for (uint32_t i = 0; i < s->dimensions + (s->layers != 0); i++) {
        if (*(*p)++ != (i == 0 ? ':' : 'x') ||
            !take_number(p, i < s->dimensions ? sizes[i] : sizes[3]))
            return false;
    }
    while (strncmp(*p, ":levels", 7) == 0 || strncmp(*p, ":samples", 8) == 0) {
        bool is_level = (*p)[1] == 'l';

        *p += is_level ? 7 : 8;
        if (!take_number(p, is_level ? &s->levels : &s->samples))
            return false;
    }
    return s->levels <= HD_IMAGE_LEVELS;
}

static bool take_format(const char **p, uint32_t *order, uint32_t *type)
{
    size_t len;

    if (*(*p)++ != ':')
        return false;
    len = word(*p);
    for (*order = 0; *order < HD_ORDER_COUNT; ++*order)
        if (is_word(*p, len, hd_image_orders[*order].name))
            break;
    *p += len;
    if (*order == HD_ORDER_COUNT || *(*p)++ != ':')
        return false;
    len = word(*p);
    for (*type = 0; *type < HD_TEXEL_COUNT; ++*type)
        if (is_word(*p, len, hd_image_types[*type].name))
            break;
    *p += len;
    return *type < HD_TEXEL_COUNT;
}

HdStatus hd_image_parse(const char *spec, HdDiags *d, HdImage *image, HdData *out)
{
    HdImageSize size = {.width = 1, .height = 1, .depth = 1, .levels = 1, .samples = 1};
    const char *p = spec + strlen("image");
    uint32_t order, type;
    const HdImageType *t;
    char numbers[64], *text;
    size_t room;
    HdStatus st;

    *out = (HdData){0};
    if (!take_dimensions(&p, &size) || !take_sizes(&p, &size) || !take_format(&p, &order, &type) ||
        (*p != '=' && *p != '\0'))
        return bad(d, spec, "an image is written imageDIM:SIZES:ORDER:TYPE=…");
    if (!hd_image_format_runs(order, type))
        return bad(d, spec, "there are no images of this order and type");
    if (!hd_image_lay_out(order, type, &size, 0, 0, image) || image->bytes > MOST_BYTES)
        return bad(d, spec, "the image is too large");
    t = &hd_image_types[type];
    snprintf(numbers, sizeof numbers, "%c%u[%llu]",
             t->kind == HD_KIND_FLOAT                              ? 'f'
             : t->kind == HD_KIND_SINT || t->kind == HD_KIND_SNORM ? 'i'
                                                                   : 'u',
             t->bits, (unsigned long long)(image->bytes * 8 / t->bits));
    room = strlen(numbers) + strlen(p) + 1;
    HD_TAKE(text, hd_alloc(room));
    snprintf(text, room, "%s%s", numbers, p);
    st = hd_data_parse(text, d, out);
    hd_free(text);
    return st;
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
