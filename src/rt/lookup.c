/* rt/lookup.c -- looking images up for the lanes of a shader's sub-group: samples, gathers, levels
 * of detail.
 *
 * Each lane finds its texels (lookup_level.c, lookup_place.c); those of all lanes are loaded
 * together, one corner after the other, and compared, weighted and summed up.
 *
 * Spec: Vulkan, "Texel Input Operations", "Image Sample Operations".
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/lookup.h"

#include <math.h>
#include <string.h>

#include "base/half.h"

/* One call: where its operands are. */
typedef struct Ask {
    uint32_t how, lanes;
    const unsigned char *operands;
    HdLookupOperands at;
    unsigned char *results;
} Ask;

/* Lanes of one image. */
typedef struct Batch {
    const Ask *ask;
    const HdImage *im;
    uint64_t mask;
    HdLookup lane[HD_MAX_WIDTH];
    HdCorners corners[HD_MAX_WIDTH];
} Batch;

static float float_at(const Ask *a, unsigned operand, unsigned lane)
{
    float f;

    memcpy(&f, a->operands + (size_t)operand * 8 * a->lanes + (size_t)lane * 4, 4);
    return f;
}

static int32_t int_at(const Ask *a, unsigned operand, unsigned lane)
{
    int32_t i;

    memcpy(&i, a->operands + (size_t)operand * 8 * a->lanes + (size_t)lane * 4, 4);
    return i;
}

/* An image or sampler; that of the first lane stands for those of all. */
static uint64_t word_at(const Ask *a, unsigned operand, unsigned lane)
{
    uint64_t w;

    lane = (a->how & HD_IMAGE_SHARED) != 0 ? 0 : lane;
    memcpy(&w, a->operands + (size_t)operand * 8 * a->lanes + (size_t)lane * 8, 8);
    return w;
}

static bool wants_int(const Ask *a)
{
    return HD_IMAGE_COMPONENT(a->how) == HD_IMAGE_I32;
}

/* ---- one lane -------------------------------------------------------------------------------- */

/* The nearest layer that there is. */
static uint32_t layer_at(const Ask *a, const HdImage *im, unsigned lane)
{
    uint32_t each = (a->how & HD_LOOKUP_CUBE) != 0 ? 6 : 1, count = im->layers / each;
    float x;

    if ((a->how & HD_IMAGE_ARRAYED) == 0 || count == 0)
        return 0;
    x = rintf(float_at(a, a->at.coordinate + a->at.dimensions, lane));
    return each * (!(x > 0.0f) ? 0 : x < (float)count ? (uint32_t)x : count - 1);
}

/* Offsets of gathers are taken one by one. */
static void read_lane(const Ask *a, unsigned lane, HdLookup *u)
{
    bool has_slope = (a->how & HD_IMAGE_GRAD) != 0;

    u->dimensions = a->at.dimensions;
    u->is_cube = (a->how & HD_LOOKUP_CUBE) != 0;
    for (unsigned d = 0; d < a->at.dimensions; d++) {
        u->at[d] = float_at(a, a->at.coordinate + d, lane);
        for (unsigned g = 0; g < 2 && has_slope; g++)
            u->slope[g][d] = float_at(a, a->at.lod + g * a->at.dimensions + d, lane);
        if ((a->how & HD_LOOKUP_OFFSET) != 0)
            u->offset[d] = (float)int_at(a, a->at.offset + d, lane);
    }
    u->layer = layer_at(a, u->im, lane);
    if (u->is_cube) {
        hd_lookup_face(u);
        u->dimensions = 2;
    }
}

static void choose_levels(const Ask *a, unsigned lane, HdLookup *u)
{
    float lod = (a->how & HD_IMAGE_LOD) != 0 ? float_at(a, a->at.lod, lane) : 0.0f;
    float bias = (a->how & HD_LOOKUP_BIAS) != 0 ? float_at(a, a->at.bias, lane) : 0.0f;
    float least = (a->how & HD_LOOKUP_LEAST) != 0 ? float_at(a, a->at.least, lane) : 0.0f;

    hd_lookup_levels(u, (a->how & HD_IMAGE_GRAD) != 0, lod, bias, least);
}

/* ---- texels ---------------------------------------------------------------------------------- */

uint32_t hd_lookup_border(const HdSampler *s, const HdImage *im, unsigned component)
{
    bool is_int = s->border & 1;
    bool is_one = s->border >= HD_BORDER_WHITE || (s->border >= HD_BORDER_BLACK && component == 3);

    if (im->form.source[component] == HD_TEXEL_ZERO)
        return 0;
    if (im->form.source[component] == HD_TEXEL_ONE)
        return im->form.is_int ? 1 : hd_f32_bits(1.0f);
    return !is_one ? 0 : is_int ? 1 : hd_f32_bits(1.0f);
}

static bool compares(unsigned how, float reference, float texel)
{
    switch (how) {
    case HD_COMPARE_NEVER: return false;
    case HD_COMPARE_LESS: return reference < texel;
    case HD_COMPARE_EQUAL: return reference == texel;
    case HD_COMPARE_LESS_OR_EQUAL: return reference <= texel;
    case HD_COMPARE_GREATER: return reference > texel;
    case HD_COMPARE_NOT_EQUAL: return reference != texel;
    case HD_COMPARE_GREATER_OR_EQUAL: return reference >= texel;
    default: return true;
    }
}

/* Texels of depth become 1 or 0. */
static void compare(const Batch *b, uint64_t mask, HdTexels *x)
{
    for (HD_EACH(l, mask)) {
        float reference = float_at(b->ask, b->ask->at.fifth, l);

        if (b->im->form.is_unorm)
            reference = reference > 1.0f ? 1.0f : reference > 0.0f ? reference : 0.0f;
        x->at[0][l] = hd_f32_bits(
            compares(b->lane[l].sampler->compare, reference, hd_f32_from(x->at[0][l])) ? 1.0f
                                                                                       : 0.0f);
    }
}

/* Corner number k of the lanes of a mask. */
static void load_corner(const Batch *b, unsigned k, uint64_t mask, HdTexels *x)
{
    const unsigned char *at[HD_MAX_WIDTH] = {NULL};

    for (HD_EACH(l, mask))
        at[l] = b->corners[l].at[k];
    hd_rt_texels_load(b->im, at, mask, wants_int(b->ask), x);
    for (HD_EACH(l, mask))
        for (unsigned c = 0; c < 4 && at[l] == NULL; c++)
            x->at[c][l] = hd_lookup_border(b->lane[l].sampler, b->im, c);
    if ((b->ask->how & HD_LOOKUP_REFERENCE) != 0)
        compare(b, mask, x);
}

/* Add a part to a sum that may have none yet. */
static uint32_t joined(unsigned reduction, bool is_first, uint32_t sum, float weight, uint32_t x)
{
    float s = hd_f32_from(sum), f = hd_f32_from(x);

    if (reduction == HD_REDUCE_AVERAGE)
        return hd_f32_bits(is_first ? weight * f : s + weight * f);
    if (is_first)
        return x;
    return reduction == HD_REDUCE_MIN ? (f < s ? x : sum) : (f > s ? x : sum);
}

/* ---- samples --------------------------------------------------------------------------------- */

static bool is_linear(const HdLookup *u)
{
    return u->sampler->is_linear[u->lod > 0.0f] && !u->im->form.is_int;
}

/* What lanes see of the level that each has chosen. */
static void sample_levels(Batch *b, uint64_t mask, HdTexels *out)
{
    uint64_t begun = 0;
    HdTexels x;

    for (HD_EACH(l, mask)) {
        const HdLookup *u = &b->lane[l];
        const HdImageLevel *level = &u->im->level[u->level];

        if (is_linear(u))
            hd_lookup_linear(u, level, &b->corners[l]);
        else
            hd_lookup_nearest(u, level, &b->corners[l]);
    }
    for (unsigned k = 0; k < HD_MOST_CORNERS; k++) {
        uint64_t some = 0;

        for (HD_EACH(l, mask))
            if (k < b->corners[l].count && b->corners[l].weight[k] != 0.0f)
                some |= UINT64_C(1) << l;
        if (some == 0)
            continue;
        load_corner(b, k, some, &x);
        for (HD_EACH(l, some))
            for (unsigned c = 0; c < 4; c++)
                out->at[c][l] = b->corners[l].count == 1
                                    ? x.at[c][l]
                                    : joined(b->lane[l].sampler->reduction, (begun >> l & 1) == 0,
                                             out->at[c][l], b->corners[l].weight[k], x.at[c][l]);
        begun |= some;
    }
}

static void sample(Batch *b, HdTexels *out)
{
    uint64_t mixed = 0;
    HdTexels second;

    sample_levels(b, b->mask, out);
    for (HD_EACH(l, b->mask)) {
        mixed |= (uint64_t)(b->lane[l].further > 0.0f) << l;
        b->lane[l].level += b->lane[l].further > 0.0f;
    }
    if (mixed == 0)
        return;
    sample_levels(b, mixed, &second);
    for (HD_EACH(l, mixed))
        for (unsigned c = 0; c < 4; c++) {
            unsigned reduction = b->lane[l].sampler->reduction;
            float w = b->lane[l].further;
            uint32_t first = joined(reduction, true, 0, 1.0f - w, out->at[c][l]);

            out->at[c][l] = joined(reduction, false, first, w, second.at[c][l]);
        }
}

/* ---- gathers --------------------------------------------------------------------------------- */

/* With offsets of its own, each texel is the first corner at one of them. */
static void find_four(const Ask *a, unsigned lane, HdLookup *u, HdCorners *out)
{
    HdCorners each;

    if ((a->how & HD_LOOKUP_OFFSETS) == 0) {
        hd_lookup_linear(u, &u->im->level[0], out);
        return;
    }
    *out = (HdCorners){.count = 4, .missing = HD_MOST_CORNERS};
    for (unsigned k = 0; k < 4; k++) {
        for (unsigned d = 0; d < 2; d++)
            u->offset[d] = (float)int_at(a, a->at.offset + 2 * k + d, lane);
        hd_lookup_linear(u, &u->im->level[0], &each);
        out->at[hd_lookup_gathered[k]] = each.at[0];
    }
}

/* The component that a lane wants of its texels. */
static unsigned component_at(const Ask *a, unsigned lane)
{
    return (a->how & HD_LOOKUP_REFERENCE) != 0 ? 0 : (unsigned)int_at(a, a->at.fifth, lane) & 3;
}

static bool is_signed(const HdImage *im)
{
    return im->type == HD_TEXEL_SIGNED_INT8 || im->type == HD_TEXEL_SIGNED_INT16 ||
           im->type == HD_TEXEL_SIGNED_INT32;
}

/* Of the three texels that a lane found: as floats, or towards zero as integers. */
static uint32_t mean_of_three(const HdImage *im, const HdTexels *x, unsigned lane, unsigned missing)
{
    float sum = 0.0f;
    int64_t whole = 0;

    for (unsigned k = 0; k < 4; k++) {
        uint32_t bits = x->at[k][lane];

        if (hd_lookup_gathered[k] == missing)
            continue;
        sum += im->form.is_int ? 0.0f : hd_f32_from(bits);
        whole += is_signed(im) ? (int64_t)(int32_t)bits : (int64_t)bits;
    }
    return im->form.is_int ? (uint32_t)(whole / 3) : hd_f32_bits(sum / 3.0f);
}

/* Spec: Vulkan, Cube Map Edge Handling. */
static void fill_missing(const Batch *b, HdTexels *out)
{
    for (HD_EACH(l, b->mask)) {
        unsigned missing = b->corners[l].missing;

        if (missing == HD_MOST_CORNERS)
            continue;
        for (unsigned k = 0; k < 4; k++)
            if (hd_lookup_gathered[k] == missing)
                out->at[k][l] = mean_of_three(b->im, out, l, missing);
    }
}

static void gather(Batch *b, HdTexels *out)
{
    HdTexels x;

    for (HD_EACH(l, b->mask))
        find_four(b->ask, l, &b->lane[l], &b->corners[l]);
    for (unsigned k = 0; k < 4; k++) {
        load_corner(b, hd_lookup_gathered[k], b->mask, &x);
        for (HD_EACH(l, b->mask))
            out->at[k][l] = x.at[component_at(b->ask, l)][l];
    }
    fill_missing(b, out);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void give_levels(const Batch *b, HdTexels *out)
{
    for (HD_EACH(l, b->mask)) {
        out->at[0][l] = hd_f32_bits(b->lane[l].image_lod);
        out->at[1][l] = hd_f32_bits(b->lane[l].raw_lod);
    }
}

/* Without an image, or a sampler, everything is 0. */
static void look_up(Batch *b, HdTexels *out)
{
    uint64_t bound = 0;

    for (HD_EACH(l, b->mask)) {
        HdLookup *u = &b->lane[l];

        *u = (HdLookup){.im = b->im, .sampler = hd_sampler_record(word_at(b->ask, 1, l))};
        for (unsigned c = 0; c < 4; c++)
            out->at[c][l] = 0;
        if (b->im == NULL || b->im->level[0].width == 0 || u->sampler == NULL)
            continue;
        bound |= UINT64_C(1) << l;
        read_lane(b->ask, l, u);
        choose_levels(b->ask, l, u);
    }
    b->mask = bound;
    if (bound == 0)
        return;
    if ((b->ask->how & HD_LOOKUP_QUERY) != 0)
        give_levels(b, out);
    else if ((b->ask->how & HD_LOOKUP_GATHER) != 0)
        gather(b, out);
    else
        sample(b, out);
}

static void give(const Ask *a, uint64_t mask, const HdTexels *x)
{
    unsigned count = (a->how & HD_IMAGE_SCALAR) != 0 ? 1 : 4;

    for (unsigned c = 0; c < count; c++) {
        unsigned char *to = a->results + (size_t)c * 8 * a->lanes;

        for (HD_EACH(l, mask)) {
            uint16_t half;

            if (HD_IMAGE_COMPONENT(a->how) != HD_IMAGE_F16) {
                memcpy(to + (size_t)l * 4, &x->at[c][l], 4);
                continue;
            }
            half = hd_half_round_float(hd_f32_from(x->at[c][l]), HD_ROUND_RTE);
            memcpy(to + (size_t)l * 2, &half, 2);
        }
    }
}

void hd_rt_lookup(uint32_t how, uint32_t lanes, uint64_t mask, const void *operands, void *results)
{
    const Ask a = {.how = how,
                   .lanes = lanes,
                   .operands = operands,
                   .at = hd_lookup_operands(how),
                   .results = results};
    HdTexels texels;
    Batch b;

    for (uint64_t left = mask; left != 0; left &= ~b.mask) {
        uint64_t image = word_at(&a, 0, (unsigned)__builtin_ctzll(left)), same = 0;

        for (HD_EACH(l, left))
            same |= (uint64_t)(word_at(&a, 0, l) == image) << l;
        b.ask = &a;
        b.im = (const HdImage *)(uintptr_t)image;
        b.mask = same;
        look_up(&b, &texels);
        b.mask = same;
    }
    give(&a, mask, &texels);
}
