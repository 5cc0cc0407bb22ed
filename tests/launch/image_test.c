/* tests/launch/image_test.c -- images in vectors give what the general way gives, bit for bit.
 *
 * All channel orders and types, samplers, and operations; layers, levels, halves and single
 * components; lanes in rows and anywhere; coordinates inside, around, far away and not a number;
 * sizes that are no powers of two; images that begin at odd addresses. Lookups of shaders likewise,
 * with each kind of operand.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "rt/math/math.h"
#include "rt/texel.h"

#define MOST_LANES 32u
#define ROUNDS     100u
#define ROOM       (2u * 37 * 7 * 5 * 16 + 64)
#define MOST_WIDTH 37u /* rows of 16 lanes fit */

static const uint8_t bits_of_type[HD_TEXEL_COUNT] = {
#define TYPE(name, api, spirv, kind, bits, is_packed) (bits),
#include "rt/image.def"
};

static const bool is_packed_type[HD_TEXEL_COUNT] = {
#define TYPE(name, api, spirv, kind, bits, is_packed) (is_packed),
#include "rt/image.def"
};

static const uint8_t kind_of_type[HD_TEXEL_COUNT] = {
#define TYPE(name, api, spirv, kind, bits, is_packed) HD_KIND_##kind,
#include "rt/image.def"
};

static const char *const stored[HD_ORDER_COUNT] = {
#define ORDER(name, api, spirv, stored, is_srgb) stored,
#include "rt/image.def"
};

static uint64_t seed = 0x853c49e6748fea9bu;

static uint32_t next_random(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33);
}

typedef struct Case {
    HdImage image;
    uint32_t how, lanes;
    uint64_t mask, sampler;
    unsigned char operands[HD_IMAGE_MOST_OPERANDS][MOST_LANES * 8];
} Case;

static float coordinate(bool is_normalised, uint32_t size)
{
    float f = (float)(next_random() % 4096) / 1024.0f - 1.5f;

    switch (next_random() % 16) {
    case 0: return NAN;
    case 1: return f * 1e9f;
    case 2: return 0.0f;
    case 3: return 1.0f;
    default: return is_normalised ? f : f * (float)size;
    }
}

static void set(Case *c, unsigned operand, unsigned lane, uint32_t word)
{
    memcpy(c->operands[0] + (size_t)operand * 8 * c->lanes + (size_t)lane * 4, &word, 4);
}

static void make_image(Case *c, unsigned char *room, uint32_t order, uint32_t type)
{
    unsigned dimensions = 1 + next_random() % 3;
    bool is_array = dimensions < 3 && next_random() % 4 == 0;
    HdImage *im = &c->image;
    uint64_t end = 0;

    *im = (HdImage){.order = order, .type = type, .dimensions = dimensions, .samples = 1};
    im->texel_bytes =
        (is_packed_type[type] ? 1 : (uint32_t)strlen(stored[order])) * bits_of_type[type] / 8;
    im->at = room + next_random() % 4 * bits_of_type[type] / 8;
    im->layers = is_array ? 1 + next_random() % 5 : 0;
    im->levels = next_random() % 4 == 0 ? 3 : 1;
    for (unsigned i = 0; i < im->levels; i++) {
        HdImageLevel *l = &im->level[i];

        l->offset = end;
        l->width = i == 0 ? 1 + next_random() % MOST_WIDTH : (l[-1].width + 1) / 2;
        l->height = dimensions < 2 ? 1 : i == 0 ? 1 + next_random() % 7 : (l[-1].height + 1) / 2;
        l->depth = dimensions < 3 ? 1 : i == 0 ? 1 + next_random() % 5 : (l[-1].depth + 1) / 2;
        l->row = (uint64_t)l->width * im->texel_bytes;
        l->slice = l->row * l->height;
        end += l->slice * l->depth * (is_array ? im->layers : 1);
    }
    im->bytes = end;
    hd_rt_image_form(im);
}

/* A sampler that chooses or mixes levels, with limits. */
static uint64_t make_sampler(void)
{
    uint64_t sampler = next_random() % 5;

    for (unsigned i = 0; i < 2; i++) {
        float limit = (float)(next_random() % 12) / 4.0f;
        uint32_t bits;

        memcpy(&bits, &limit, sizeof bits);
        if (next_random() % 4 == 0)
            sampler |= (uint64_t)(bits >> HD_SAMPLER_LOD_DROP)
                       << (i == 0 ? HD_SAMPLER_MIN : HD_SAMPLER_MAX);
    }
    return sampler | (next_random() % 2 != 0 ? HD_SAMPLER_NORMALISED : 0) |
           (next_random() % 2 != 0 ? HD_SAMPLER_LINEAR : 0) |
           (next_random() % 2 != 0 ? HD_SAMPLER_MIXED : 0);
}

static void set_float(Case *c, unsigned operand, unsigned lane, float f)
{
    uint32_t word;

    memcpy(&word, &f, sizeof word);
    set(c, operand, lane, word);
}

/* All lanes, some, or the first of eight alone. */
static void set_lanes(Case *c)
{
    bool is_one = next_random() % 8 == 0;
    uint64_t some =
        next_random() % 2 != 0 ? UINT64_MAX : (uint64_t)next_random() << 31 | next_random();

    c->lanes = is_one ? 8 : 8u << next_random() % 3;
    c->mask = is_one ? 1 : some & ((UINT64_C(1) << c->lanes) - 1);
}

/* Coordinates of each lane, or of lanes in a row. */
static void set_coordinates(Case *c, unsigned at, bool is_float)
{
    const HdImageLevel *l = &c->image.level[0];
    uint32_t sizes[4] = {l->width, l->height, l->depth, 0};
    bool is_normalised = (c->sampler & HD_SAMPLER_NORMALISED) != 0, is_row = next_random() % 2 != 0;

    sizes[c->image.dimensions] += (c->how & HD_IMAGE_ARRAYED) != 0 ? c->image.layers : 0;
    for (unsigned d = 0; d < HD_IMAGE_COORDS(c->how); d++) {
        bool is_layer = d == c->image.dimensions;
        float first = coordinate(is_normalised && !is_layer, sizes[d]);
        uint32_t start = next_random() % (sizes[d] + 4) - 2;
        float step = d > 0 ? 0.0f : is_normalised ? 1.0f / (float)sizes[d] : 1.0f;

        for (unsigned lane = 0; lane < c->lanes; lane++) {
            float f = is_row ? first + (float)lane * step
                             : coordinate(is_normalised && !is_layer, sizes[d]);

            if (is_float)
                set_float(c, at + d, lane, f);
            else
                set(c, at + d, lane,
                    is_row ? start + (d == 0 ? lane : 0) : next_random() % (sizes[d] + 4) - 2);
        }
    }
}

static void set_texel(Case *c, unsigned at, bool is_int)
{
    for (unsigned lane = 0; lane < c->lanes; lane++)
        for (unsigned k = 0; k < 4; k++) {
            uint16_t half = (uint16_t)next_random();

            if (HD_IMAGE_COMPONENT(c->how) == HD_IMAGE_F16)
                memcpy(c->operands[0] + (size_t)(at + k) * 8 * c->lanes + (size_t)lane * 2, &half,
                       2);
            else if (is_int)
                set(c, at + k, lane, next_random() << next_random() % 2);
            else
                set_float(c, at + k, lane, coordinate(true, 1));
        }
}

static void make_call(Case *c, unsigned operation)
{
    uint32_t kind = kind_of_type[c->image.type];
    bool samples = operation == HD_IMAGE_SAMPLE, is_float = samples && next_random() % 4 != 0;
    bool is_int = kind == HD_KIND_SINT || kind == HD_KIND_UINT, has_lod = next_random() % 4 == 0;
    bool is_array = c->image.layers > 0, is_same = next_random() % 4 != 0;
    unsigned at = samples ? 2 : 1, coords = c->image.dimensions + is_array;
    unsigned real = next_random() % 4 == 0 ? HD_IMAGE_F16 : HD_IMAGE_F32;
    uint64_t image = (uintptr_t)&c->image;

    set_lanes(c);
    c->sampler = make_sampler();
    c->how = operation | coords << HD_IMAGE_COORDS_AT | HD_IMAGE_SHARED |
             (is_float ? HD_IMAGE_FLOATS : 0) | (is_array ? HD_IMAGE_ARRAYED : 0) |
             (has_lod ? HD_IMAGE_LOD : 0) | (next_random() % 8 == 0 ? HD_IMAGE_SCALAR : 0) |
             (is_int ? HD_IMAGE_I32 : real) << HD_IMAGE_COMPONENT_AT;
    if (operation != HD_IMAGE_WRITE && next_random() % 2 != 0)
        c->how |= next_random() % 15 << HD_IMAGE_UNUSED_AT;
    c->how |= hd_image_way(c->how, c->lanes) << HD_IMAGE_WAY_AT;
    memcpy(c->operands[0], &image, 8);
    memcpy(c->operands[0] + (size_t)8 * c->lanes, &c->sampler, 8);
    set_coordinates(c, at, is_float);
    at += coords;
    for (unsigned lane = 0; has_lod && lane < c->lanes; lane++) {
        static uint32_t word;

        if (lane == 0 || !is_same)
            word = next_random() % 5 - 1;
        if (samples)
            set_float(c, at, lane, (float)(int32_t)word * 0.75f);
        else
            set(c, at, lane, word);
    }
    set_texel(c, at + has_lod, is_int);
}

/* The same call, the results of lanes that take part; writes change `room` alone. */
static void run(const Case *c, HdRtImageFn *fn, uint32_t *results)
{
    static unsigned char out[4 * 8 * MOST_LANES];
    size_t bytes = HD_IMAGE_COMPONENT(c->how) == HD_IMAGE_F16 ? 2 : 4;

    fn(c->how, c->lanes, c->mask, c->operands[0], out);
    memset(results, 0, 4 * MOST_LANES * sizeof *results);
    for (unsigned k = 0; k < ((c->how & HD_IMAGE_SCALAR) != 0 ? 1 : 4); k++)
        for (unsigned lane = 0; lane < c->lanes; lane++)
            if ((c->mask >> lane & 1) != 0 && (HD_IMAGE_UNUSED(c->how) >> k & 1) == 0)
                memcpy(&results[k * MOST_LANES + lane],
                       out + (size_t)k * 8 * c->lanes + lane * bytes, bytes);
}

/* The same bits, or floats that are not numbers both: which one is the compiler's choice. */
static bool same_results(const Case *c, const uint32_t *a, const uint32_t *b)
{
    bool is_float = HD_IMAGE_COMPONENT(c->how) == HD_IMAGE_F32;
    bool is_half = HD_IMAGE_COMPONENT(c->how) == HD_IMAGE_F16;

    for (unsigned i = 0; i < 4 * MOST_LANES; i++) {
        float x, y;

        if (is_half && (a[i] & 0x7fff) > 0x7c00 && (b[i] & 0x7fff) > 0x7c00)
            continue;

        memcpy(&x, &a[i], 4);
        memcpy(&y, &b[i], 4);
        if (a[i] != b[i] && !(is_float && isnan(x) && isnan(y)))
            return false;
    }
    return true;
}

/* Do both ways agree? */
static bool agrees(const Case *c, unsigned char *room, HdRtImageFn *fn)
{
    static unsigned char before[ROOM], general[ROOM];
    static uint32_t results[2][4 * MOST_LANES];
    bool writes = HD_IMAGE_OPERATION(c->how) == HD_IMAGE_WRITE;

    memcpy(before, room, ROOM);
    run(c, hd_rt_image, results[0]);
    memcpy(general, room, ROOM);
    memcpy(room, before, ROOM);
    run(c, fn, results[1]);
    return memcmp(room, general, ROOM) == 0 && (writes || same_results(c, results[0], results[1]));
}

/* Is there such a format? Packed types have orders of their own. */
static bool is_format(uint32_t order, uint32_t type)
{
    switch (type) {
    case HD_TEXEL_UNORM_SHORT_565:
    case HD_TEXEL_UNORM_SHORT_555:
    case HD_TEXEL_UNORM_INT_101010: return order == HD_ORDER_RGB || order == HD_ORDER_RGBx;
    case HD_TEXEL_FLOAT_10_11_11: return order == HD_ORDER_RGB;
    case HD_TEXEL_UNORM_INT_2_101010:
    case HD_TEXEL_UNSIGNED_INT_2_101010:
    case HD_TEXEL_UNORM_INT_101010_2: return order == HD_ORDER_RGBA;
    case HD_TEXEL_SIGNED_INT64: /* which no vectors are made for */
    case HD_TEXEL_UNSIGNED_INT64: return order == HD_ORDER_R;
    case HD_TEXEL_UNORM_INT24: return order == HD_ORDER_DEPTH || order == HD_ORDER_DEPTH_STENCIL;
    default: return strlen(stored[order]) != 3;
    }
}

static void test_set(Checks *checks, HdRtImageFn *fn)
{
    static unsigned char room[ROOM] __attribute__((aligned(64)));
    static Case c;

    for (unsigned b = 0; b < ROOM; b++)
        room[b] = (unsigned char)(next_random() % 5 == 0 ? 255 : next_random());
    for (uint32_t order = 0; order < HD_ORDER_COUNT; order++)
        for (uint32_t type = 0; type < HD_TEXEL_COUNT; type++) {
            bool same = true;

            if (!is_format(order, type))
                continue;
            for (unsigned i = 0; i < 3 * ROUNDS; i++) {
                for (unsigned b = 0; b < 512; b++)
                    room[next_random() % ROOM] =
                        (unsigned char)(next_random() % 5 == 0 ? 255 : next_random());
                make_image(&c, room, order, type);
                make_call(&c, i % 3);
                same = same && agrees(&c, room, fn);
            }
            CHECK(checks, same);
        }
}

/* ---- lookups of shaders ---------------------------------------------------------------------- */

static HdSampler make_record(void)
{
    HdSampler s = {.compare = (uint8_t)(next_random() % 8),
                   .border = (uint8_t)(next_random() % 6),
                   .reduction = next_random() % 8 == 0 ? HD_REDUCE_MIN : HD_REDUCE_AVERAGE,
                   .mixes_levels = next_random() % 2 != 0,
                   .is_unnormalised = next_random() % 8 == 0,
                   .bias = (float)(next_random() % 8) * 0.125f - 0.5f,
                   .lod_max = (float)(next_random() % 8) * 0.5f};
    uint8_t mode = (uint8_t)(next_random() % 5);

    for (unsigned d = 0; d < 3; d++)
        s.wrap[d] = next_random() % 8 == 0 ? (uint8_t)(next_random() % 5) : mode;
    s.is_linear[0] = next_random() % 4 != 0;
    s.is_linear[1] = next_random() % 4 != 0 ? s.is_linear[0] : !s.is_linear[0];
    return s;
}

/* One number for all lanes, or one for each. */
static void set_floats(Case *c, unsigned operand, float scale, float first)
{
    bool is_one = next_random() % 2 != 0;
    float f = 0;

    for (unsigned lane = 0; lane < c->lanes; lane++) {
        if (lane == 0 || !is_one)
            f = first + scale * (float)(next_random() % 64);
        set_float(c, operand, lane, f);
    }
}

static void set_ints(Case *c, unsigned operand, int32_t first, uint32_t count)
{
    bool is_one = next_random() % 4 != 0;
    uint32_t word = 0;

    for (unsigned lane = 0; lane < c->lanes; lane++) {
        if (lane == 0 || !is_one)
            word = (uint32_t)first + next_random() % count;
        set(c, operand, lane, word);
    }
}

static uint32_t some(uint32_t bits)
{
    return next_random() % 4 == 0 ? bits : 0;
}

static void lookup_operands(Case *c, unsigned at)
{
    unsigned d = c->image.dimensions;

    if ((c->how & HD_LOOKUP_REFERENCE) != 0)
        set_floats(c, at++, 0.03125f, -0.5f);
    else if ((c->how & HD_LOOKUP_GATHER) != 0)
        set_ints(c, at++, 0, 4);
    if ((c->how & HD_LOOKUP_BIAS) != 0)
        set_floats(c, at++, 0.03125f, -1.0f);
    if ((c->how & HD_IMAGE_LOD) != 0)
        set_floats(c, at++, 0.0625f, -1.0f);
    for (unsigned i = 0; i < 2 * d && (c->how & HD_IMAGE_GRAD) != 0; i++)
        set_floats(c, at++, 0.015625f, -0.25f);
    for (unsigned i = 0; i < d && (c->how & HD_LOOKUP_OFFSET) != 0; i++)
        set_ints(c, at++, -8, 16);
    if ((c->how & HD_LOOKUP_LEAST) != 0)
        set_floats(c, at, 0.0625f, -1.0f);
}

static void make_lookup(Case *c, const HdSampler *s)
{
    uint32_t kind = kind_of_type[c->image.type];
    bool is_int = kind == HD_KIND_SINT || kind == HD_KIND_UINT, is_array = c->image.layers > 0;
    bool gathers = c->image.dimensions == 2 && next_random() % 4 == 0;
    unsigned coords = c->image.dimensions + is_array;
    unsigned real = next_random() % 4 == 0 ? HD_IMAGE_F16 : HD_IMAGE_F32;
    uint64_t image = (uintptr_t)&c->image, name = hd_sampler_name(s);

    set_lanes(c);
    c->sampler = s->is_unnormalised ? 0 : HD_SAMPLER_NORMALISED;
    c->how = HD_IMAGE_LOOKUP | coords << HD_IMAGE_COORDS_AT | HD_IMAGE_SHARED | HD_IMAGE_FLOATS |
             (is_array ? HD_IMAGE_ARRAYED : 0) | some(HD_LOOKUP_OFFSET) |
             (is_int ? HD_IMAGE_I32 : real) << HD_IMAGE_COMPONENT_AT;
    c->how |= is_int ? 0u : some(HD_LOOKUP_REFERENCE);
    if (gathers)
        c->how |= HD_LOOKUP_GATHER;
    else
        c->how |= some(HD_LOOKUP_BIAS) | some(HD_LOOKUP_LEAST) |
                  (next_random() % 2 != 0 ? HD_IMAGE_LOD : some(HD_IMAGE_GRAD));
    if ((c->how & HD_LOOKUP_REFERENCE) != 0 && !gathers)
        c->how |= HD_IMAGE_SCALAR;
    if (next_random() % 2 != 0)
        c->how |= next_random() % 15 << HD_IMAGE_UNUSED_AT;
    memcpy(c->operands[0], &image, 8);
    memcpy(c->operands[0] + (size_t)8 * c->lanes, &name, 8);
    set_coordinates(c, 2, true);
    lookup_operands(c, 2 + coords);
}

/* Finite texels: of those that are not, a NaN's bits are the compiler's choice. */
static void test_lookups(Checks *checks, HdRtImageFn *fn)
{
    static unsigned char room[ROOM] __attribute__((aligned(64)));
    static Case c;

    for (unsigned b = 0; b < ROOM; b++)
        room[b] = (unsigned char)(next_random() & 0x3b);
    for (uint32_t order = 0; order < HD_ORDER_COUNT; order++)
        for (uint32_t type = 0; type < HD_TEXEL_COUNT; type++) {
            bool same = true;

            if (!is_format(order, type) || type == HD_TEXEL_SIGNED_INT64 ||
                type == HD_TEXEL_UNSIGNED_INT64)
                continue;
            for (unsigned i = 0; i < 8 * ROUNDS; i++) {
                static _Alignas(8) HdSampler s; /* whose address is a name */

                s = make_record();

                make_image(&c, room, order, type);
                make_lookup(&c, &s);
                same = same && agrees(&c, room, fn);
            }
            CHECK(checks, same);
        }
}

/* A call for all lanes of a row of an image of one dimension, from its texel `first` on. */
static void make_row_call(Case *c, unsigned operation, unsigned first)
{
    uint64_t image = (uintptr_t)&c->image;

    c->lanes = MOST_LANES;
    c->mask = UINT32_MAX;
    c->how = operation | 1u << HD_IMAGE_COORDS_AT | HD_IMAGE_SHARED;
    memcpy(c->operands[0], &image, 8);
    for (unsigned lane = 0; lane < c->lanes; lane++)
        set(c, 1, lane, first + lane);
}

static void make_row(Case *c, unsigned char *room, uint32_t order, uint32_t type, uint32_t bytes)
{
    c->image = (HdImage){.at = room,
                         .bytes = ROOM / bytes * bytes,
                         .order = order,
                         .type = type,
                         .texel_bytes = bytes,
                         .dimensions = 1,
                         .levels = 1,
                         .samples = 1};
    c->image.level[0] = (HdImageLevel){.width = ROOM / bytes, .height = 1, .depth = 1};
    c->image.level[0].row = c->image.level[0].slice = c->image.bytes;
    hd_rt_image_form(&c->image);
}

/* Every number that a channel of up to 16 bits may hold, read. */
static void test_values(Checks *checks, HdRtImageFn *fn)
{
    static const struct {
        uint32_t order, type, bytes, step; /* between texels */
    } formats[] = {{HD_ORDER_R, HD_TEXEL_UNORM_INT8, 1, 1},
                   {HD_ORDER_R, HD_TEXEL_SNORM_INT8, 1, 1},
                   {HD_ORDER_R, HD_TEXEL_UNORM_INT16, 2, 1},
                   {HD_ORDER_R, HD_TEXEL_SNORM_INT16, 2, 1},
                   {HD_ORDER_R, HD_TEXEL_HALF_FLOAT, 2, 1},
                   {HD_ORDER_RGB, HD_TEXEL_UNORM_SHORT_565, 2, 1},
                   {HD_ORDER_RGB, HD_TEXEL_UNORM_SHORT_555, 2, 1},
                   {HD_ORDER_RGB, HD_TEXEL_UNORM_INT_101010, 4, 0x100401},
                   {HD_ORDER_RGBA, HD_TEXEL_UNORM_INT_101010_2, 4, 0x400c03},
                   {HD_ORDER_DEPTH, HD_TEXEL_UNORM_INT24, 4, 0x10100},
                   {HD_ORDER_sRGBA, HD_TEXEL_UNORM_INT8, 4, 0x1010101}};
    static unsigned char room[ROOM] __attribute__((aligned(64)));
    static Case c;

    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        uint32_t word = 0, left = 1u << 16;
        bool same = true;

        make_row(&c, room, formats[i].order, formats[i].type, formats[i].bytes);
        for (; left > 0; left -= MOST_LANES) {
            for (unsigned lane = 0; lane < MOST_LANES; lane++, word += formats[i].step)
                memcpy(room + (size_t)lane * formats[i].bytes, &word, 4);
            make_row_call(&c, HD_IMAGE_READ, 0);
            same = same && agrees(&c, room, fn);
        }
        CHECK(checks, same);
    }
}

/* Floats about where sRGB goes from one byte to the next, written. */
static void test_srgb_steps(Checks *checks, HdRtImageFn *fn)
{
    static unsigned char room[ROOM] __attribute__((aligned(64)));
    static Case c;
    bool same = true;

    make_row(&c, room, HD_ORDER_sRGBA, HD_TEXEL_UNORM_INT8, 4);
    for (unsigned byte = 0; byte < 256; byte++) {
        double s = (byte + 0.5) / 255;
        float f = (float)(s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4));
        uint32_t bits;

        memcpy(&bits, &f, sizeof bits);
        make_row_call(&c, HD_IMAGE_WRITE, 0);
        for (unsigned lane = 0; lane < MOST_LANES; lane++)
            for (unsigned k = 0; k < 4; k++)
                set(&c, 2 + k, lane, bits + lane + k * 7 - MOST_LANES / 2);
        same = same && agrees(&c, room, fn);
    }
    CHECK(checks, same);
}

static void test_isa(Checks *checks, HdRtImageFn *fn)
{
    test_set(checks, fn);
    test_lookups(checks, fn);
    test_values(checks, fn);
    test_srgb_steps(checks, fn);
}

int main(void)
{
    Checks checks = {0};

    CHECK(&checks, hd_rt_image_fn() != NULL);
    if (hd_rt_math_has_isa(HD_MATH_ISA_V3))
        test_isa(&checks, hd_rt_image_v3);
    if (hd_rt_math_has_isa(HD_MATH_ISA_V4))
        test_isa(&checks, hd_rt_image_v4);
    return checks_end(&checks, "images in vectors");
}
