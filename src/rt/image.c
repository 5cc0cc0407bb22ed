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

#include "rt/math/half.h"
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

static bool is_float_coordinate(const Ask *a)
{
    return (a->how & HD_IMAGE_FLOATS) != 0;
}

/* ---- addressing ---------------------------------------------------------------------------- */

/* floor of a coordinate; -1 and `size` stand for everything outside. */
static int32_t index_of(float f, int32_t size)
{
    f = floorf(f);
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
    return s - floorf(s);
}

static float mirrored(float s)
{
    return fabsf(s - 2.0f * rintf(0.5f * s));
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
    float u = scaled(sampler, s, size) - 0.5f, low = floorf(u);

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
        i = index_of(rintf(float_at(a, at, lane)), most + 1);
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

static float float_of(uint32_t u)
{
    float f;

    memcpy(&f, &u, sizeof f);
    return f;
}

static uint32_t bits_of(float f)
{
    uint32_t u;

    memcpy(&u, &f, sizeof u);
    return u;
}

/* Weighted sum of the texels around; x varies fastest. */
static void sample_linear(const Batch *b, HdTexels *out)
{
    const unsigned char *at[HD_MAX_WIDTH];
    int32_t index[3][HD_MAX_WIDTH][2] = {0};
    float second[3][HD_MAX_WIDTH];
    const Ask *a = b->ask;
    HdTexels corner;

    for (HD_EACH(l, b->mask)) {
        for (unsigned d = 0; d < a->dimensions; d++)
            second[d][l] = neighbours(b->sampler, float_at(a, a->coordinate + d, l),
                                      size_of(b->level[l], d), index[d][l]);
        for (unsigned c = 0; c < 4; c++)
            out->at[c][l] = 0;
    }
    for (unsigned k = 0; k < 1u << a->dimensions; k++) {
        float weight[HD_MAX_WIDTH];

        for (HD_EACH(l, b->mask)) {
            int32_t i[3] = {0};

            weight[l] = 1.0f;
            for (unsigned d = 0; d < a->dimensions; d++) {
                i[d] = index[d][l][k >> d & 1];
                weight[l] *= (k >> d & 1) != 0 ? second[d][l] : 1.0f - second[d][l];
            }
            at[l] = address(b->im, b->level[l], i, layer_of(b, l));
        }
        hd_rt_texels_load(b->im, at, b->mask, false, &corner);
        for (HD_EACH(l, b->mask))
            for (unsigned c = 0; c < 4; c++)
                out->at[c][l] =
                    bits_of(float_of(out->at[c][l]) + weight[l] * float_of(corner.at[c][l]));
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
    return float_of((uint32_t)(sampler >> shift & 0xfffff) << HD_SAMPLER_LOD_DROP);
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
    float lod = 0.0f, low = limit_of(b->sampler, HD_SAMPLER_MIN);
    float high = limit_of(b->sampler, HD_SAMPLER_MAX);

    if ((b->ask->how & HD_IMAGE_GRAD) != 0)
        lod = lod_of_gradients(b, lane);
    else if ((b->ask->how & HD_IMAGE_LOD) != 0)
        lod = float_at(b->ask, b->ask->lod, lane);
    if (!(lod >= low))
        lod = low;
    return b->sampler >> HD_SAMPLER_MAX != 0 && lod > high ? high : lod;
}

static void sample_mixed(Batch *b, const float *lod, HdTexels *out)
{
    float weight[HD_MAX_WIDTH];
    HdTexels second;

    for (HD_EACH(l, b->mask)) {
        int32_t at = index_of(lod[l], (int32_t)b->im->levels - 1);

        at = at < 0 ? 0 : at;
        weight[l] = lod[l] > 0.0f && at + 1 < (int32_t)b->im->levels ? lod[l] - (float)at : 0.0f;
        b->level[l] = &b->im->level[at];
    }
    sample_levels(b, out);
    for (HD_EACH(l, b->mask))
        b->level[l] += weight[l] > 0.0f;
    sample_levels(b, &second);
    for (HD_EACH(l, b->mask))
        for (unsigned c = 0; c < 4 && weight[l] > 0.0f; c++)
            out->at[c][l] = bits_of((1.0f - weight[l]) * float_of(out->at[c][l]) +
                                    weight[l] * float_of(second.at[c][l]));
}

static void sample(Batch *b, HdTexels *out)
{
    float lod[HD_MAX_WIDTH];

    for (HD_EACH(l, b->mask))
        b->level[l] = &b->im->level[0];
    if (b->im->levels > 1) {
        for (HD_EACH(l, b->mask))
            lod[l] = lod_of(b, l);
        if ((b->sampler & HD_SAMPLER_MIXED) != 0 && !wants_int(b->ask)) {
            sample_mixed(b, lod, out);
            return;
        }
        for (HD_EACH(l, b->mask)) {
            int32_t at = index_of(ceilf(lod[l] + 0.5f) - 1.0f, (int32_t)b->im->levels - 1);

            b->level[l] = &b->im->level[lod[l] > 0.5f ? at : 0];
        }
    }
    sample_levels(b, out);
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

static void read_texels(const Batch *b, HdTexels *out)
{
    const unsigned char *at[HD_MAX_WIDTH];

    for (HD_EACH(l, b->mask))
        at[l] = texel_at(b, l);
    hd_rt_texels_load(b->im, at, b->mask, wants_int(b->ask), out);
}

static void write_texels(const Batch *b, const HdTexels *x)
{
    unsigned char *at[HD_MAX_WIDTH];

    for (HD_EACH(l, b->mask))
        at[l] = texel_at(b, l);
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

static void take_texels(const Ask *a, uint64_t mask, HdTexels *x)
{
    unsigned count = (a->how & HD_IMAGE_SCALAR) != 0 ? 1 : 4;

    for (unsigned c = 0; c < 4; c++) {
        const unsigned char *from = slot(a, a->texel + c);

        for (HD_EACH(l, mask)) {
            uint16_t half;

            x->at[c][l] = 0;
            if (c >= count)
                continue;
            if (HD_IMAGE_COMPONENT(a->how) == HD_IMAGE_F16) {
                memcpy(&half, from + l * 2, 2);
                x->at[c][l] = bits_of(hd_rt_half_to_float(half));
            } else {
                memcpy(&x->at[c][l], from + l * 4, 4);
            }
        }
    }
}

static void give_texels(const Ask *a, uint64_t mask, const HdTexels *x)
{
    unsigned count = (a->how & HD_IMAGE_SCALAR) != 0 ? 1 : 4;

    for (unsigned c = 0; c < count; c++) {
        unsigned char *to = a->results + (size_t)c * 8 * a->lanes;

        for (HD_EACH(l, mask)) {
            uint16_t half;

            if (HD_IMAGE_COMPONENT(a->how) == HD_IMAGE_F16) {
                half = hd_rt_float_to_half(float_of(x->at[c][l]), HD_ROUND_RTE);
                memcpy(to + l * 2, &half, 2);
            } else {
                memcpy(to + l * 4, &x->at[c][l], 4);
            }
        }
    }
}

void hd_rt_image(uint32_t how, uint32_t lanes, uint64_t mask, const void *operands, void *results)
{
    Ask a = ask_of(how, lanes, operands, results);
    bool samples = HD_IMAGE_OPERATION(how) == HD_IMAGE_SAMPLE;
    HdTexels texels;

    if (HD_IMAGE_OPERATION(how) == HD_IMAGE_WRITE)
        take_texels(&a, mask, &texels);
    for (uint64_t left = mask; left != 0;) {
        uint64_t first = (uint64_t)__builtin_ctzll(left), image = word_at(&a, 0, first);
        Batch b = {.ask = &a, .im = (const HdImage *)(uintptr_t)image};

        b.sampler = samples ? word_at(&a, 1, first) : 0;
        for (HD_EACH(l, left))
            if (word_at(&a, 0, l) == image && (!samples || word_at(&a, 1, l) == b.sampler))
                b.mask |= UINT64_C(1) << l;
        left &= ~b.mask;
        switch (HD_IMAGE_OPERATION(how)) {
        case HD_IMAGE_SAMPLE: sample(&b, &texels); break;
        case HD_IMAGE_READ: read_texels(&b, &texels); break;
        default: write_texels(&b, &texels); break;
        }
    }
    if (HD_IMAGE_OPERATION(how) != HD_IMAGE_WRITE)
        give_texels(&a, mask, &texels);
}
