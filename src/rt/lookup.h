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

/* The numbers of a lookup's operands behind image and sampler; those that it lacks take no room. */
typedef struct HdLookupOperands {
    unsigned dimensions; /* of the coordinate; a cube's are three */
    unsigned coordinate, fifth, bias, lod, offset, least; /* fifth: a reference or a component */
} HdLookupOperands;

static inline HdLookupOperands hd_lookup_operands(uint32_t how)
{
    HdLookupOperands a = {.coordinate = 2};

    a.dimensions = HD_IMAGE_COORDS(how) - ((how & HD_IMAGE_ARRAYED) != 0);
    a.fifth = a.coordinate + HD_IMAGE_COORDS(how);
    a.bias = a.fifth + ((how & (HD_LOOKUP_REFERENCE | HD_LOOKUP_GATHER)) != 0);
    a.lod = a.bias + ((how & HD_LOOKUP_BIAS) != 0);
    a.offset =
        a.lod + ((how & HD_IMAGE_LOD) != 0) + ((how & HD_IMAGE_GRAD) != 0 ? 2 * a.dimensions : 0);
    a.least = a.offset + ((how & HD_LOOKUP_OFFSET) != 0 ? a.dimensions : 0) +
              ((how & HD_LOOKUP_OFFSETS) != 0 ? 8 : 0);
    return a;
}

/* The corners that give red, green, blue and alpha of a gather. */
static const uint8_t hd_lookup_gathered[4] = {2, 3, 1, 0};

/* A component of the border's colour, as bits. */
uint32_t hd_lookup_border(const HdSampler *s, const HdImage *im, unsigned component);

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
