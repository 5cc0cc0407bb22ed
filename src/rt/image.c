/* rt/image.c -- reading, sampling and writing images for the lanes of a sub-group.
 *
 * Lanes that name the same image and sampler are served together: where their texels lie first,
 * then the texels of all of them. What the specification leaves undefined (coordinates outside
 * without a sampler that clamps, a filter on integers) touches no memory outside of the image.
 *
 * Spec: OpenCL C, "Image Addressing and Filtering".
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <string.h>

#include "base/half.h"
#include "rt/math/math.h"
#include "rt/texel.h"

/* One call. */
typedef struct Ask {
    uint32_t how, lanes;
    const unsigned char *operands;
    unsigned coordinate, lod, sample, texel; /* numbers of operands */
    unsigned dimensions;                     /* of the coordinate, the layer not counted */
    unsigned char *results;
} Ask;

/* Lanes of one image and sampler. */
typedef struct Batch {
    const Ask *ask;
    const HdImage *im;
    uint64_t sampler, mask;
    const HdImageLevel *level[HD_MAX_WIDTH];
} Batch;

static const void *slot(const Ask *a, unsigned operand)
{
    return a->operands + (size_t)operand * 8 * a->lanes;
}

static float float_at(const Ask *a, unsigned operand, uint64_t lane)
{
    float f;

    memcpy(&f, (const unsigned char *)slot(a, operand) + lane * 4, 4);
    return f;
}

static int32_t int_at(const Ask *a, unsigned operand, uint64_t lane)
{
    int32_t i;

    memcpy(&i, (const unsigned char *)slot(a, operand) + lane * 4, 4);
    return i;
}

static uint64_t word_at(const Ask *a, unsigned operand, uint64_t lane)
{
    uint64_t w;

    memcpy(&w, (const unsigned char *)slot(a, operand) + lane * 8, 8);
    return w;
}

/* Do all lanes have the same word? */
static bool is_one(const Ask *a, unsigned operand)
{
    const unsigned char *at = slot(a, operand);

    return memcmp(at, at + 8, (a->lanes - 1) * 8) == 0;
}

static bool is_float_coordinate(const Ask *a)
{
    return (a->how & HD_IMAGE_FLOATS) != 0;
}

/* ---- addressing ---------------------------------------------------------------------------- */

/* As floorf and rintf, which are calls on the oldest processors. */
static float floor_of(float f)
{
    float t;

    if (!(f > -8388608.0f && f < 8388608.0f))
        return f;
    t = (float)(int32_t)f;
    return t > f ? t - 1.0f : t;
}

static float nearest_whole(float f)
{
    const float whole = 12582912.0f; /* has no fraction bits left: adding it rounds */

    return f > -4194304.0f && f < 4194304.0f ? f + whole - whole : f;
}

/* floor of a coordinate; -1 and `size` stand for everything outside. */
static int32_t index_of(float f, int32_t size)
{
    f = floor_of(f);
    return f >= 0.0f ? f < (float)size ? (int32_t)f : size : -1;
}

/* An index that may be outside: where the mode puts it; -1 = on the border. */
static int32_t settle(uint64_t sampler, int32_t i, int32_t size)
{
    unsigned mode = sampler & 0xff;

    if (i >= 0 && i < size)
        return i;
    if (mode == HD_ADDRESS_NONE || mode == HD_ADDRESS_BORDER)
        return -1;
    return i < 0 ? 0 : size - 1;
}

/* A normalised coordinate from 0 to 1, for the modes that repeat the image. */
static float repeated(float s)
{
    return s - floor_of(s);
}

static float mirrored(float s)
{
    return fabsf(s - 2.0f * nearest_whole(0.5f * s));
}

static bool repeats(uint64_t sampler, unsigned mode)
{
    return (sampler & 0xff) == mode && (sampler & HD_SAMPLER_NORMALISED) != 0;
}

static float scaled(uint64_t sampler, float s, int32_t size)
{
    if (repeats(sampler, HD_ADDRESS_REPEAT))
        return repeated(s) * (float)size;
    if (repeats(sampler, HD_ADDRESS_MIRROR))
        return mirrored(s) * (float)size;
    return (sampler & HD_SAMPLER_NORMALISED) != 0 ? s * (float)size : s;
}

static int32_t nearest(uint64_t sampler, float s, int32_t size)
{
    int32_t i = index_of(scaled(sampler, s, size), size);

    if (repeats(sampler, HD_ADDRESS_REPEAT))
        return i < 0 || i >= size ? 0 : i;
    return settle(sampler, i, size);
}

/* The two neighbours of a coordinate; the weight of the second one. */
static float neighbours(uint64_t sampler, float s, int32_t size, int32_t *i)
{
    float u = scaled(sampler, s, size) - 0.5f, low = floor_of(u);

    i[0] = index_of(low, size);
    i[1] = index_of(low + 1.0f, size);
    for (unsigned k = 0; k < 2; k++) {
        if (repeats(sampler, HD_ADDRESS_REPEAT))
            i[k] = i[k] < 0 ? size - 1 : i[k] >= size ? 0 : i[k];
        else
            i[k] = settle(sampler, i[k], size);
    }
    return u - low;
}

static int32_t size_of(const HdImageLevel *l, unsigned dimension)
{
    return (int32_t)(dimension == 0 ? l->width : dimension == 1 ? l->height : l->depth);
}

/* The layer that a sampled coordinate names; the nearest one that there is. */
static int32_t layer_of(const Batch *b, uint64_t lane)
{
    const Ask *a = b->ask;
    unsigned at = a->coordinate + a->dimensions;
    int32_t most = (int32_t)b->im->layers - 1, i;

    if ((a->how & HD_IMAGE_ARRAYED) == 0 || most < 0)
        return 0;
    if (is_float_coordinate(a))
        i = index_of(nearest_whole(float_at(a, at, lane)), most + 1);
    else
        i = int_at(a, at, lane);
    return i < 0 ? 0 : i > most ? most : i;
}

/* Address of a texel; NULL when any index is -1. */
static unsigned char *address(const HdImage *im, const HdImageLevel *l, const int32_t *i,
                              int32_t layer)
{
    if ((i[0] | i[1] | i[2]) < 0)
        return NULL;
    return im->at + l->offset + (uint64_t)(uint32_t)i[0] * im->texel_bytes +
           (uint64_t)(uint32_t)i[1] * l->row + (uint64_t)(uint32_t)(i[2] + layer) * l->slice;
}

/* ---- sampling ------------------------------------------------------------------------------ */

static bool wants_int(const Ask *a)
{
    return HD_IMAGE_COMPONENT(a->how) == HD_IMAGE_I32;
}

static void sample_nearest(const Batch *b, HdTexels *out)
{
    const unsigned char *at[HD_MAX_WIDTH];
    const Ask *a = b->ask;

    for (HD_EACH(l, b->mask)) {
        int32_t i[3] = {0};

        for (unsigned d = 0; d < a->dimensions; d++) {
            int32_t size = size_of(b->level[l], d);

            i[d] = is_float_coordinate(a)
                       ? nearest(b->sampler, float_at(a, a->coordinate + d, l), size)
                       : settle(b->sampler, int_at(a, a->coordinate + d, l), size);
        }
        at[l] = address(b->im, b->level[l], i, layer_of(b, l));
    }
    hd_rt_texels_load(b->im, at, b->mask, wants_int(a), out);
}

/* What two neighbours in one dimension add to an address, and their weights. */
typedef struct Pair {
    uint64_t offset[2][HD_MAX_WIDTH];
    bool is_outside[2][HD_MAX_WIDTH];
    float weight[2][HD_MAX_WIDTH];
} Pair;

static void find_pairs(const Batch *b, unsigned d, Pair *p)
{
    const Ask *a = b->ask;

    for (HD_EACH(l, b->mask)) {
        const HdImageLevel *level = b->level[l];
        uint64_t step = d == 0 ? b->im->texel_bytes : d == 1 ? level->row : level->slice;
        int32_t i[2];

        p->weight[1][l] =
            neighbours(b->sampler, float_at(a, a->coordinate + d, l), size_of(level, d), i);
        p->weight[0][l] = 1.0f - p->weight[1][l];
        for (unsigned k = 0; k < 2; k++) {
            p->is_outside[k][l] = i[k] < 0;
            p->offset[k][l] = (uint64_t)(uint32_t)i[k] * step;
        }
    }
}

static void add_weighted(unsigned n, const float *weight, const uint32_t *x, uint32_t *sum)
{
    for (HD_BLOCKS(b, n)) {
        float f[HD_BLOCK_LANES], s[HD_BLOCK_LANES];

        memcpy(f, x + b, sizeof f);
        memcpy(s, sum + b, sizeof s);
        for (HD_BLOCK(l, b))
            s[l - b] += weight[l] * f[l - b];
        memcpy(sum + b, s, sizeof s);
    }
}

/* Weighted sum of the texels around; x varies fastest. */
static void sample_linear(const Batch *b, HdTexels *out)
{
    const unsigned char *base[HD_MAX_WIDTH], *at[HD_MAX_WIDTH];
    unsigned dimensions = b->ask->dimensions;
    HdTexels corner;
    Pair pairs[3];

    for (unsigned d = 0; d < dimensions; d++)
        find_pairs(b, d, &pairs[d]);
    for (HD_EACH(l, b->mask)) {
        const HdImageLevel *level = b->level[l];

        base[l] = b->im->at + level->offset + (uint64_t)(uint32_t)layer_of(b, l) * level->slice;
    }
    memset(out, 0, sizeof *out);
    for (unsigned k = 0; k < 1u << dimensions; k++) {
        float weight[HD_MAX_WIDTH] = {0};

        for (HD_EACH(l, b->mask)) {
            uint64_t offset = 0;
            bool is_outside = false;

            weight[l] = 1.0f;
            for (unsigned d = 0; d < dimensions; d++) {
                const Pair *p = &pairs[d];

                offset += p->offset[k >> d & 1][l];
                is_outside = is_outside || p->is_outside[k >> d & 1][l];
                weight[l] *= p->weight[k >> d & 1][l];
            }
            at[l] = is_outside ? NULL : base[l] + offset;
        }
        hd_rt_texels_load(b->im, at, b->mask, false, &corner);
        for (unsigned c = 0; c < 4; c++)
            add_weighted(hd_lanes_reach(b->mask), weight, corner.at[c], out->at[c]);
    }
}

static void sample_levels(const Batch *b, HdTexels *out)
{
    if ((b->sampler & HD_SAMPLER_LINEAR) != 0 && is_float_coordinate(b->ask) && !wants_int(b->ask))
        sample_linear(b, out);
    else
        sample_nearest(b, out);
}

/* ---- levels of detail ---------------------------------------------------------------------- */

static float limit_of(uint64_t sampler, unsigned shift)
{
    return hd_f32_from((uint32_t)(sampler >> shift & 0xfffff) << HD_SAMPLER_LOD_DROP);
}

/* Length of the longer gradient, in texels of level 0, as a level. */
static float lod_of_gradients(const Batch *b, uint64_t lane)
{
    const Ask *a = b->ask;
    float most = 0.0f;

    for (unsigned g = 0; g < 2; g++) {
        float sum = 0.0f;

        for (unsigned d = 0; d < a->dimensions; d++) {
            float x = float_at(a, a->lod + g * a->dimensions + d, lane) *
                      (float)size_of(&b->im->level[0], d);

            sum += x * x;
        }
        most = sum > most ? sum : most;
    }
    return 0.5f * log2f(most);
}

static float lod_of(const Batch *b, uint64_t lane)
{
    if ((b->ask->how & HD_IMAGE_GRAD) != 0)
        return lod_of_gradients(b, lane);
    return (b->ask->how & HD_IMAGE_LOD) != 0 ? float_at(b->ask, b->ask->lod, lane) : 0.0f;
}

uint32_t hd_rt_image_level(const HdImage *im, uint64_t sampler, float lod, bool may_mix,
                           float *further)
{
    float low = limit_of(sampler, HD_SAMPLER_MIN), high = limit_of(sampler, HD_SAMPLER_MAX);
    int32_t most = (int32_t)im->levels - 1, at;

    if (!(lod >= low))
        lod = low;
    if (sampler >> HD_SAMPLER_MAX != 0 && lod > high)
        lod = high;
    *further = 0.0f;
    if ((sampler & HD_SAMPLER_MIXED) == 0 || !may_mix)
        return lod > 0.5f ? (uint32_t)index_of(ceilf(lod + 0.5f) - 1.0f, most) : 0;
    at = index_of(lod, most);
    at = at < 0 ? 0 : at;
    if (lod > 0.0f && at < most)
        *further = lod - (float)at;
    return (uint32_t)at;
}

static void sample(Batch *b, HdTexels *out)
{
    float further[HD_MAX_WIDTH] = {0};
    bool is_mixed = false;
    HdTexels second;

    for (HD_EACH(l, b->mask)) {
        uint32_t at = 0;

        if (b->im->levels > 1)
            at =
                hd_rt_image_level(b->im, b->sampler, lod_of(b, l), !wants_int(b->ask), &further[l]);
        b->level[l] = &b->im->level[at];
        is_mixed = is_mixed || further[l] > 0.0f;
    }
    sample_levels(b, out);
    if (!is_mixed)
        return;
    for (HD_EACH(l, b->mask))
        b->level[l] += further[l] > 0.0f;
    sample_levels(b, &second);
    for (HD_EACH(l, b->mask))
        for (unsigned c = 0; c < 4 && further[l] > 0.0f; c++)
            out->at[c][l] = hd_f32_bits((1.0f - further[l]) * hd_f32_from(out->at[c][l]) +
                                        further[l] * hd_f32_from(second.at[c][l]));
}

/* ---- without a sampler --------------------------------------------------------------------- */

/* Where a lane's texel lies; NULL outside of the image. */
static unsigned char *texel_at(const Batch *b, uint64_t l)
{
    const Ask *a = b->ask;
    const HdImage *im = b->im;
    int32_t i[3] = {0}, layer = 0, level = 0, number = 0;
    unsigned char *at;

    if ((a->how & HD_IMAGE_LOD) != 0)
        level = int_at(a, a->lod, l);
    if ((a->how & HD_IMAGE_SAMPLE_NUMBER) != 0)
        number = int_at(a, a->sample, l);
    if (level < 0 || level >= (int32_t)im->levels || number < 0 || number >= (int32_t)im->samples)
        return NULL;
    for (unsigned d = 0; d < a->dimensions; d++) {
        i[d] = int_at(a, a->coordinate + d, l);
        if (i[d] < 0 || i[d] >= size_of(&im->level[level], d))
            return NULL;
    }
    if ((a->how & HD_IMAGE_ARRAYED) != 0) {
        layer = int_at(a, a->coordinate + a->dimensions, l);
        if (layer < 0 || layer >= (int32_t)im->layers)
            return NULL;
    }
    at = address(im, &im->level[level], i, layer);
    return at + (uint64_t)(uint32_t)number * im->sample;
}

/* Where the texels of all lanes lie when there is nothing but the coordinate. */
static void plain_texels(const Batch *b, const unsigned char **at)
{
    static const int32_t zeros[HD_MAX_WIDTH] = {0};
    const Ask *a = b->ask;
    const HdImageLevel *level = &b->im->level[0];
    const int32_t *i[3] = {zeros, zeros, zeros};
    uint32_t sizes[3] = {level->width, level->height, level->depth};

    for (unsigned d = 0; d < a->dimensions; d++)
        i[d] = slot(a, a->coordinate + d);
    if ((a->how & HD_IMAGE_ARRAYED) != 0) { /* not in three dimensions */
        i[2] = slot(a, a->coordinate + a->dimensions);
        sizes[2] = b->im->layers;
    }
    for (unsigned l = 0; l < a->lanes; l++) {
        uint32_t x = (uint32_t)i[0][l], y = (uint32_t)i[1][l], z = (uint32_t)i[2][l];
        bool is_inside = x < sizes[0] && y < sizes[1] && z < sizes[2];
        uint64_t offset =
            level->offset + (uint64_t)x * b->im->texel_bytes + y * level->row + z * level->slice;

        at[l] = is_inside ? b->im->at + offset : NULL;
    }
}

static void find_texels(const Batch *b, const unsigned char **at)
{
    if ((b->ask->how & (HD_IMAGE_LOD | HD_IMAGE_SAMPLE_NUMBER)) == 0) {
        plain_texels(b, at);
        return;
    }
    for (HD_EACH(l, b->mask))
        at[l] = texel_at(b, l);
}

static void read_texels(const Batch *b, HdTexels *out)
{
    const unsigned char *at[HD_MAX_WIDTH];

    find_texels(b, at);
    hd_rt_texels_load(b->im, at, b->mask, wants_int(b->ask), out);
}

static void write_texels(const Batch *b, const HdTexels *x)
{
    const unsigned char *at[HD_MAX_WIDTH];

    find_texels(b, at);
    hd_rt_texels_store(b->im, at, b->mask, x);
}

/* ---- operands and results ------------------------------------------------------------------ */

static Ask ask_of(uint32_t how, uint32_t lanes, const void *operands, void *results)
{
    Ask a = {.how = how, .lanes = lanes, .operands = operands, .results = results};
    unsigned count = HD_IMAGE_COORDS(how);

    a.dimensions = count - ((how & HD_IMAGE_ARRAYED) != 0);
    a.coordinate = HD_IMAGE_OPERATION(how) == HD_IMAGE_SAMPLE ? 2 : 1;
    a.lod = a.coordinate + count;
    a.sample = a.lod;
    if ((how & HD_IMAGE_LOD) != 0)
        a.sample += 1;
    if ((how & HD_IMAGE_GRAD) != 0)
        a.sample += 2 * a.dimensions;
    a.texel = a.sample + ((how & HD_IMAGE_SAMPLE_NUMBER) != 0);
    return a;
}

static void take_texels(const Ask *a, HdTexels *x)
{
    unsigned count = (a->how & HD_IMAGE_SCALAR) != 0 ? 1 : 4;

    memset(x, 0, sizeof *x);
    for (unsigned c = 0; c < count; c++) {
        const unsigned char *from = slot(a, a->texel + c);

        if (HD_IMAGE_COMPONENT(a->how) != HD_IMAGE_F16) {
            memcpy(x->at[c], from, a->lanes * 4);
            continue;
        }
        for (unsigned l = 0; l < a->lanes; l++) {
            uint16_t half;

            memcpy(&half, from + l * 2, 2);
            x->at[c][l] = hd_f32_bits(hd_half_widen(half));
        }
    }
}

static void give_texels(const Ask *a, const HdTexels *x)
{
    unsigned count = (a->how & HD_IMAGE_SCALAR) != 0 ? 1 : 4;

    for (unsigned c = 0; c < count; c++) {
        unsigned char *to = a->results + (size_t)c * 8 * a->lanes;

        if (HD_IMAGE_COMPONENT(a->how) != HD_IMAGE_F16) {
            memcpy(to, x->at[c], a->lanes * 4);
            continue;
        }
        for (unsigned l = 0; l < a->lanes; l++) {
            uint16_t half = hd_half_round_float(hd_f32_from(x->at[c][l]), HD_ROUND_RTE);

            memcpy(to + l * 2, &half, 2);
        }
    }
}

static void act(Batch *b, HdTexels *x)
{
    switch (HD_IMAGE_OPERATION(b->ask->how)) {
    case HD_IMAGE_SAMPLE: sample(b, x); break;
    case HD_IMAGE_READ: read_texels(b, x); break;
    default: write_texels(b, x); break;
    }
}

/* The texels of some lanes to those of others. */
static void add_texels(HdTexels *to, const HdTexels *from, uint64_t mask)
{
    for (HD_EACH(l, mask))
        for (unsigned c = 0; c < 4; c++)
            to->at[c][l] = from->at[c][l];
}

/* Texels of one component of 64 bits. */
static void wide(uint32_t how, uint32_t lanes, uint64_t mask, const void *operands, void *results)
{
    Ask a = ask_of(how, lanes, operands, results);
    bool writes = HD_IMAGE_OPERATION(how) == HD_IMAGE_WRITE;

    for (HD_EACH(l, mask)) {
        uint64_t image = word_at(&a, 0, (how & HD_IMAGE_SHARED) != 0 ? 0 : l);
        const Batch b = {.ask = &a, .im = (const HdImage *)(uintptr_t)image};
        const uint64_t rest[3] = {0, 0, 1};
        unsigned char *at = texel_at(&b, l), *to = (unsigned char *)results + (size_t)l * 8;
        uint64_t x = 0;

        at = b.im->texel_bytes == sizeof x ? at : NULL;
        if (writes) {
            if (at != NULL)
                memcpy(at, (const unsigned char *)slot(&a, a.texel) + (size_t)l * 8, sizeof x);
            continue;
        }
        if (at != NULL)
            memcpy(&x, at, sizeof x);
        memcpy(to, &x, sizeof x);
        for (unsigned c = 1; c < 4 && (how & HD_IMAGE_SCALAR) == 0; c++)
            memcpy(to + (size_t)c * 8 * lanes, &rest[c - 1], sizeof x);
    }
}

void hd_rt_image(uint32_t how, uint32_t lanes, uint64_t mask, const void *operands, void *results)
{
    Ask a = ask_of(how, lanes, operands, results);
    bool samples = HD_IMAGE_OPERATION(how) == HD_IMAGE_SAMPLE;
    bool writes = HD_IMAGE_OPERATION(how) == HD_IMAGE_WRITE;
    HdTexels texels, some;

    if (HD_IMAGE_OPERATION(how) == HD_IMAGE_LOOKUP) {
        hd_rt_lookup(how, lanes, mask, operands, results);
        return;
    }
    if (HD_IMAGE_COMPONENT(how) == HD_IMAGE_I64) {
        wide(how, lanes, mask, operands, results);
        return;
    }
    if (writes)
        take_texels(&a, &texels);
    for (uint64_t left = mask; left != 0;) {
        uint64_t first = (how & HD_IMAGE_SHARED) != 0 ? 0 : (uint64_t)__builtin_ctzll(left);
        uint64_t image = word_at(&a, 0, first);
        Batch b;

        b.ask = &a;
        b.im = (const HdImage *)(uintptr_t)image;
        b.mask = 0;
        b.sampler = samples ? word_at(&a, 1, first) : 0;
        if ((how & HD_IMAGE_SHARED) != 0 || (is_one(&a, 0) && (!samples || is_one(&a, 1))))
            b.mask = left;
        for (HD_EACH(l, left & ~b.mask))
            if (word_at(&a, 0, l) == image && (!samples || word_at(&a, 1, l) == b.sampler))
                b.mask |= UINT64_C(1) << l;
        left &= ~b.mask;
        if (writes || b.mask == mask) {
            act(&b, &texels);
        } else { /* lanes have images of their own, as nothing but hand-made modules does */
            act(&b, &some);
            add_texels(&texels, &some, b.mask);
        }
    }
    if (!writes)
        give_texels(&a, &texels);
}
