/* rt/lookup.h -- what the parts of image lookups share: one lane's lookup on its way from the
 * operands to texels.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_LOOKUP_H
#define HD_RT_LOOKUP_H

#include "rt/texel.h"

#define HD_MOST_CORNERS 8u

/* A lane's lookup. Coordinates of a cube are those on its face. */
typedef struct HdLookup {
    const HdImage *im;
    const HdSampler *sampler;
    unsigned dimensions;
    bool is_cube;
    float at[3];
    float slope[2][3]; /* gradients */
    float offset[3];
    uint32_t layer; /* the first one of a cube */
    unsigned face;
    /* Levels of detail: as computed, as bounded, as the image has it; and what that chooses. */
    float raw_lod, lod, image_lod;
    uint32_t level;
    float further; /* the weight of the next level */
} HdLookup;

/* The texels that a lookup takes from one level, and their weights. */
typedef struct HdCorners {
    unsigned count;
    unsigned missing; /* the corner of a cube, which is no texel; HD_MOST_CORNERS: there is none */
    const unsigned char *at[HD_MOST_CORNERS]; /* NULL: the border */
    float weight[HD_MOST_CORNERS];
} HdCorners;

/* A cube's direction, in `at`, and its gradients become those of a face. */
void hd_lookup_face(HdLookup *u);
/* Choose levels.
 *   lod   of the instruction; of gradients where they are given
 *   bias  of the instruction
 *   least of the instruction */
void hd_lookup_levels(HdLookup *u, bool has_slope, float lod, float bias, float least);

/* Find texels of a level: one, or neighbours in each dimension. Of four, the first varies fastest.
 */
void hd_lookup_nearest(const HdLookup *u, const HdImageLevel *level, HdCorners *out);
void hd_lookup_linear(const HdLookup *u, const HdImageLevel *level, HdCorners *out);

#endif
