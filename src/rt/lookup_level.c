/* rt/lookup_level.c -- levels of detail of image lookups.
 *
 * Spec: Vulkan, "Scale Factor Operation, LOD Operation and Image Level(s) Selection".
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "rt/lookup.h"

/* The square of a gradient's length, in texels of level 0. */
static double length_of(const HdLookup *u, const float *slope)
{
    const HdImageLevel *l = &u->im->level[0];
    const double sizes[3] = {l->width, l->height, l->depth};
    double sum = 0;

    for (unsigned d = 0; d < u->dimensions; d++)
        sum += (slope[d] * sizes[d]) * (slope[d] * sizes[d]);
    return sum;
}

static float lod_of_slopes(const HdLookup *u)
{
    double x = length_of(u, u->slope[0]), y = length_of(u, u->slope[1]);

    return (float)(0.5 * log2(x > y ? x : y));
}

static float limited(float x, float most)
{
    return x > most ? most : x < -most ? -most : x;
}

/* A level number between the limits; what is no number is the lower one. */
static float bounded(const HdSampler *s, float lod, float least)
{
    float low = least > s->lod_min ? least : s->lod_min;

    return lod > s->lod_max ? s->lod_max : lod >= low ? lod : low;
}

void hd_lookup_levels(HdLookup *u, bool has_slope, float lod, float bias, float least)
{
    const HdSampler *s = u->sampler;
    float last = (float)(u->im->levels - 1), d;

    u->raw_lod = has_slope ? lod_of_slopes(u) : lod;
    u->raw_lod += limited(s->bias + bias, HD_SAMPLER_MOST_BIAS);
    u->lod = s->is_unnormalised ? 0.0f : bounded(s, u->raw_lod, least);
    d = u->lod > last ? last : u->lod > 0.0f ? u->lod : 0.0f;
    u->further = 0.0f;
    if (!s->mixes_levels || u->im->form.is_int) {
        u->level = (uint32_t)(ceilf(d + 0.5f) - 1.0f);
        u->image_lod = (float)u->level;
        return;
    }
    u->image_lod = d;
    u->level = (uint32_t)d;
    u->further = d - (float)u->level;
}
