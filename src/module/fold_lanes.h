/* module/fold_lanes.h -- numbers that OpSpecConstantOp computes with: a scalar is one lane, a
 * vector several.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_FOLD_LANES_H
#define HD_MODULE_FOLD_LANES_H

#include "module/type.h"

#define HD_FOLD_LANES 16u

typedef struct HdFoldLanes {
    const HdType *scalar; /* type of one lane */
    uint32_t count;
    uint64_t at[HD_FOLD_LANES]; /* zero-extended */
    bool is_undef;
} HdFoldLanes;

static inline uint64_t hd_fold_mask(uint32_t bits)
{
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

static inline int64_t hd_fold_extended(uint64_t v, uint32_t bits)
{
    return (int64_t)(v << (64 - bits)) >> (64 - bits);
}

/* Compute lanes of type `to` in out->at; false when the opcode does not take such types. Those of
 * binary operations have as many lanes.
 *   truncates  OpFConvert rounds towards zero */
bool hd_fold_unary(enum HdOpix op, const HdType *to, bool truncates, const HdFoldLanes *in,
                   HdFoldLanes *out);
bool hd_fold_binary(enum HdOpix op, const HdType *to, const HdFoldLanes *a, const HdFoldLanes *b,
                    HdFoldLanes *out);

#endif
