/* val/models.h -- execution models as sets.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_VAL_MODELS_H
#define HD_VAL_MODELS_H

#include "val/rule.h"

enum {
    HD_MODEL_VERTEX = 1 << 0,
    HD_MODEL_TESSELLATION_CONTROL = 1 << 1,
    HD_MODEL_TESSELLATION_EVALUATION = 1 << 2,
    HD_MODEL_GEOMETRY = 1 << 3,
    HD_MODEL_FRAGMENT = 1 << 4,
    HD_MODEL_GL_COMPUTE = 1 << 5,
    HD_MODEL_KERNEL = 1 << 6,
    HD_MODEL_TASK_NV = 1 << 7,
    HD_MODEL_MESH_NV = 1 << 8,
    HD_MODEL_RAY_GENERATION = 1 << 9,
    HD_MODEL_INTERSECTION = 1 << 10,
    HD_MODEL_ANY_HIT = 1 << 11,
    HD_MODEL_CLOSEST_HIT = 1 << 12,
    HD_MODEL_MISS = 1 << 13,
    HD_MODEL_CALLABLE = 1 << 14,
    HD_MODEL_TASK = 1 << 15,
    HD_MODEL_MESH = 1 << 16,
    HD_MODEL_OTHERS = 1 << 17, /* what they may reach is not checked */
    HD_MODEL_BITS = 18,
    HD_MODEL_ANY = (1 << HD_MODEL_BITS) - 1,
    /* those with work-groups */
    HD_MODEL_GROUPS =
        HD_MODEL_GL_COMPUTE | HD_MODEL_TASK | HD_MODEL_MESH | HD_MODEL_TASK_NV | HD_MODEL_MESH_NV,
    HD_MODEL_RAY_TRACING = HD_MODEL_RAY_GENERATION | HD_MODEL_INTERSECTION | HD_MODEL_ANY_HIT |
                           HD_MODEL_CLOSEST_HIT | HD_MODEL_MISS | HD_MODEL_CALLABLE
};

uint32_t hd_val_model_bit(uint32_t model);
/* The models whose entry points reach the function that v->f is; hd_val_calls finds them. */
uint32_t hd_val_reached_by(const HdVal *v);

#endif
