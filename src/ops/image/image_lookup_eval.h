/* ops/image/image_lookup_eval.h -- lookups of images in the interpreter: what their parts share.
 * Written from Vulkan's equations, step by step; nothing of rt/.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_IMAGE_LOOKUP_EVAL_H
#define HD_OPS_IMAGE_LOOKUP_EVAL_H

#include "ops/image/image_eval.h"

/* One lane's lookup, by the names of the equations. */
typedef struct HdLook {
    const HdImage *im;
    const HdSampler *sampler;
    unsigned dimensions; /* of the image; a cube's faces have two */
    bool is_cube;
    float coordinate[3]; /* s, t, r; of a cube a direction, later those of its face */
    float dx[3], dy[3];  /* their derivatives */
    int32_t offset[3];
    int64_t layer; /* the first layer of a cube */
    int face;      /* of a cube, else 0 */
    float lambda_base, bias, min_lod;
    /* of the steps */
    float lambda_raw, lambda;
    float d; /* the level parameter: d_l */
} HdLook;

/* A texel that takes part, and its weight. Without `exists`, it is a cube's corner. */
typedef struct HdLookTexel {
    HdImagePlace place; /* negative: the border */
    float weight;
    bool exists;
} HdLookTexel;

/* "Cube Map Face Selection and Transformations" */
void hd_look_face(HdLook *k);
/* "Scale Factor Operation", then "LOD Operation and Image Level(s) Selection" */
void hd_look_scale(HdLook *k);
void hd_look_level(HdLook *k);
/* The texels of a level that a filter looks at. Returns how many. */
unsigned hd_look_texels(const HdLook *k, uint32_t level, bool is_linear, HdLookTexel out[8]);

#endif
