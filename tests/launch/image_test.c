/* tests/launch/image_test.c -- images in vectors give what the general way gives, bit for bit.
 *
 * All channel orders and types, samplers, and operations; coordinates inside, around, far away and
 * not a number; sizes that are no powers of two; images that begin at odd addresses.
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
#define ROUNDS     40u
#define ROOM       (13u * 7 * 5 * 16 + 64)

static const uint8_t bits_of_type[HD_TEXEL_COUNT] = {
#define TYPE(name, api, spirv, kind, bits, is_packed) (is_packed) ? 0 : (bits),
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
    HdImage *im = &c->image;
    HdImageLevel *l = &im->level[0];

    *im = (HdImage){
        .order = order, .type = type, .dimensions = dimensions, .levels = 1, .samples = 1};
    im->texel_bytes = (uint32_t)strlen(stored[order]) * bits_of_type[type] / 8;
    im->at = room + next_random() % 4 * bits_of_type[type] / 8;
    l->width = 1 + next_random() % 13;
    l->height = dimensions > 1 ? 1 + next_random() % 7 : 1;
    l->depth = dimensions > 2 ? 1 + next_random() % 5 : 1;
    l->row = (uint64_t)l->width * im->texel_bytes;
    l->slice = l->row * l->height;
    im->bytes = l->slice * l->depth;
}

static void make_call(Case *c, unsigned operation)
{
    const HdImageLevel *l = &c->image.level[0];
    uint32_t sizes[3] = {l->width, l->height, l->depth}, kind = kind_of_type[c->image.type];
    bool samples = operation == HD_IMAGE_SAMPLE, is_float = samples && next_random() % 4 != 0;
    bool is_int = kind == HD_KIND_SINT || kind == HD_KIND_UINT;
    unsigned at = samples ? 2 : 1, dimensions = c->image.dimensions;
    uint64_t image = (uintptr_t)&c->image;

    c->lanes = 8u << next_random() % 3;
    c->mask = ((uint64_t)next_random() << 31 | next_random()) & ((UINT64_C(1) << c->lanes) - 1);
    c->sampler = next_random() % 5 | (next_random() % 2 != 0 ? HD_SAMPLER_NORMALISED : 0) |
                 (next_random() % 2 != 0 ? HD_SAMPLER_LINEAR : 0);
    c->how = operation | dimensions << HD_IMAGE_COORDS_AT | HD_IMAGE_SHARED |
             (is_float ? HD_IMAGE_FLOATS : 0) |
             (uint32_t)(is_int ? HD_IMAGE_I32 : HD_IMAGE_F32) << HD_IMAGE_COMPONENT_AT;
    memcpy(c->operands[0], &image, 8);
    memcpy(c->operands[0] + (size_t)8 * c->lanes, &c->sampler, 8);
    for (unsigned lane = 0; lane < c->lanes; lane++) {
        for (unsigned d = 0; d < dimensions; d++) {
            float f = coordinate((c->sampler & HD_SAMPLER_NORMALISED) != 0, sizes[d]);
            uint32_t word = next_random() % (sizes[d] + 4) - 2;

            if (is_float)
                memcpy(&word, &f, 4);
            set(c, at + d, lane, word);
        }
        for (unsigned k = 0; k < 4 && operation == HD_IMAGE_WRITE; k++) {
            float f = coordinate(true, 1);
            uint32_t word = next_random();

            if (!is_int)
                memcpy(&word, &f, 4);
            set(c, at + dimensions + k, lane, word);
        }
    }
}

/* The same call, the results of lanes that take part; writes change `room` alone. */
static void run(const Case *c, HdRtImageFn *fn, uint32_t *results)
{
    static unsigned char out[4 * 8 * MOST_LANES];

    fn(c->how, c->lanes, c->mask, c->operands[0], out);
    for (unsigned k = 0; k < 4; k++)
        for (unsigned lane = 0; lane < c->lanes; lane++) {
            uint32_t *r = &results[k * MOST_LANES + lane];

            memcpy(r, out + (size_t)k * 8 * c->lanes + (size_t)lane * 4, 4);
            *r = (c->mask >> lane & 1) != 0 ? *r : 0;
        }
}

/* The same bits, or floats that are not numbers both: which one is the compiler's choice. */
static bool same_results(const Case *c, const uint32_t *a, const uint32_t *b)
{
    bool is_float = HD_IMAGE_COMPONENT(c->how) == HD_IMAGE_F32;

    for (unsigned i = 0; i < 4 * MOST_LANES; i++) {
        float x, y;

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

static void test_set(Checks *checks, HdRtImageFn *fn)
{
    static unsigned char room[ROOM] __attribute__((aligned(64)));
    static Case c;

    for (uint32_t order = 0; order < HD_ORDER_COUNT; order++)
        for (uint32_t type = 0; type < HD_TEXEL_COUNT; type++) {
            bool same = true;

            if (bits_of_type[type] == 0 || strlen(stored[order]) == 3)
                continue;
            for (unsigned i = 0; i < 3 * ROUNDS; i++) {
                for (unsigned b = 0; b < ROOM; b++)
                    room[b] = (unsigned char)(next_random() % 5 == 0 ? 255 : next_random());
                make_image(&c, room, order, type);
                make_call(&c, i % 3);
                same = same && agrees(&c, room, fn);
            }
            CHECK(checks, same);
        }
}

int main(void)
{
    Checks checks = {0};

    CHECK(&checks, hd_rt_image_fn() != NULL);
    if (hd_rt_math_has_isa(HD_MATH_ISA_V3))
        test_set(&checks, hd_rt_image_v3);
    if (hd_rt_math_has_isa(HD_MATH_ISA_V4))
        test_set(&checks, hd_rt_image_v4);
    return checks_end(&checks, "images in vectors");
}
