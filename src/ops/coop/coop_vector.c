/* ops/coop/coop_vector.c -- words of instructions on cooperative vectors.
 *
 * Spec: SPV_NV_cooperative_vector, "Component Type", "Cooperative Vector Matrix Layout".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/coop/coop_vector.h"

static bool number_of(const HdModule *m, HdId id, HdCoopNumber *out)
{
    uint64_t what;

    if (!hd_module_constant_u64(m, id, &what))
        return false;
    switch (what) {
    case SpvComponentTypeFloat16NV: *out = (HdCoopNumber){true, true, false, 16}; return true;
    case SpvComponentTypeFloat32NV: *out = (HdCoopNumber){true, true, false, 32}; return true;
    case SpvComponentTypeFloat64NV: *out = (HdCoopNumber){true, true, false, 64}; return true;
    case SpvComponentTypeSignedInt8NV:
    case SpvComponentTypeSignedInt16NV:
    case SpvComponentTypeSignedInt32NV:
    case SpvComponentTypeSignedInt64NV:
        *out = (HdCoopNumber){false, true, false, 8u << (what - SpvComponentTypeSignedInt8NV)};
        return true;
    case SpvComponentTypeUnsignedInt8NV:
    case SpvComponentTypeUnsignedInt16NV:
    case SpvComponentTypeUnsignedInt32NV:
    case SpvComponentTypeUnsignedInt64NV:
        *out = (HdCoopNumber){false, false, false, 8u << (what - SpvComponentTypeUnsignedInt8NV)};
        return true;
    case SpvComponentTypeSignedInt8PackedNV:
        *out = (HdCoopNumber){false, true, true, 8};
        return true;
    case SpvComponentTypeUnsignedInt8PackedNV:
        *out = (HdCoopNumber){false, false, true, 8};
        return true;
    default: return false;
    }
}

/* Where the number of a row and a column is. */
static bool place(uint64_t layout, bool transposed, HdCoopProduct *p)
{
    const uint64_t bytes = p->matrix.bits / 8;

    p->by_columns = (layout == SpvCooperativeVectorMatrixLayoutColumnMajorNV) != transposed;
    p->across = p->by_columns ? bytes : bytes * p->depth;
    p->along = p->by_columns ? bytes * p->rows : bytes;
    if (layout >= SpvCooperativeVectorMatrixLayoutInferencingOptimalNV) {
        p->stride = 0;
        return layout <= SpvCooperativeVectorMatrixLayoutTrainingOptimalNV;
    }
    return p->stride != 0;
}

/* Words: 3 input, 4 its interpretation, 5 matrix, 6 offset, 7 interpretation, [bias, offset,
 * interpretation,] M, K, layout, transpose [, stride [, operands]]. */
bool hd_coop_product(const HdModule *m, const HdInst *in, HdCoopProduct *p)
{
    const bool adds = in->opix == HD_OPIX_CooperativeVectorMatrixMulAddNV;
    const unsigned at = adds ? 11 : 8;
    const HdConstant *transposed = hd_module_constant(m, in->w[at + 3]);
    uint64_t layout;

    *p = (HdCoopProduct){.stride = in->nwords > at + 4u ? in->w[at + 4] : 0,
                         .mask = in->nwords > at + 5u ? in->w[at + 5] : 0};
    if (!number_of(m, in->w[4], &p->input) || !number_of(m, in->w[7], &p->matrix) ||
        (adds && !number_of(m, in->w[10], &p->bias)) || p->matrix.is_packed || p->bias.is_packed ||
        !hd_module_constant_u64(m, in->w[at], &p->rows) ||
        !hd_module_constant_u64(m, in->w[at + 1], &p->depth) ||
        !hd_module_constant_u64(m, in->w[at + 2], &layout) || transposed == NULL ||
        p->rows > UINT16_MAX || p->depth > UINT16_MAX)
        return false;
    if (adds) {
        p->bias_pointer = in->w[8];
        p->bias_offset = in->w[9];
    }
    return place(layout, transposed->kind == HD_C_SCALAR && transposed->bits != 0, p);
}

/* Words: 5 layout, 6 interpretation [, 7 stride]. */
bool hd_coop_outer(const HdModule *m, const HdInst *in, HdCoopOuter *out)
{
    uint64_t layout;

    *out = (HdCoopOuter){.stride = in->nwords > 7 ? in->w[7] : 0};
    if (!hd_module_constant_u64(m, in->w[5], &layout) || !number_of(m, in->w[6], &out->matrix) ||
        out->matrix.is_packed)
        return false;
    out->by_columns = layout == SpvCooperativeVectorMatrixLayoutColumnMajorNV;
    if (layout < SpvCooperativeVectorMatrixLayoutInferencingOptimalNV)
        return out->stride != 0;
    out->stride = 0;
    return layout <= SpvCooperativeVectorMatrixLayoutTrainingOptimalNV;
}
