/* ops/block/block_rule.c -- rules of sub-group block reads, writes and prefetches.
 *
 * Spec: SPV_INTEL_subgroup_buffer_prefetch, SPV_INTEL_2d_block_io.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/rules.h"

static HdStatus constant_word(HdVal *v, const HdInst *in, uint32_t at)
{
    const HdType *t = hd_val_operand(v, in, at);

    HD_RULE(hd_is_int_scalar(t) && t->bits == 32 && hd_val_is_constant(v, in->w[at]),
            "block.constant", "id %u is not a constant of a 32-bit integer type",
            (unsigned)in->w[at]);
    return HD_OK;
}

static HdStatus pointer(HdVal *v, const HdInst *in, uint32_t at, uint32_t storage)
{
    const HdType *p = hd_val_operand(v, in, at);

    HD_RULE(hd_is_pointer(p) && p->storage == storage, "block.pointer",
            "id %u is not a pointer of storage class %s", (unsigned)in->w[at],
            storage == SpvStorageClassFunction ? "Function" : "CrossWorkgroup");
    return HD_OK;
}

/* OpSubgroupBlockPrefetchINTEL: 1 pointer, 2 bytes. */
HdStatus hd_rule_block_prefetch(HdVal *v, const HdInst *in)
{
    HD_TRY(pointer(v, in, 1, SpvStorageClassCrossWorkgroup));
    HD_RULE(hd_val_operand(v, in, 1)->is_untyped ||
                hd_is_int_scalar(hd_type_element(hd_val_operand(v, in, 1))),
            "block.pointer", "the pointer points to no integer scalar");
    HD_TRY(constant_word(v, in, 2));
    HD_RULE(!hd_val_operand(v, in, 2)->is_signed, "block.constant",
            "the number of bytes is signed");
    return HD_OK;
}

/* Sizes that constants show: of an element in bytes, and of a row in elements. */
static HdStatus block_sizes(HdVal *v, const HdInst *in)
{
    uint64_t bytes, width;

    if (!hd_val_known_part(v, in->w[1], 0, &bytes))
        return HD_OK;
    HD_RULE(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8, "block.element",
            "an element has 1, 2, 4 or 8 bytes");
    if (hd_val_known_part(v, in->w[2], 0, &width))
        HD_RULE(bytes * width % 4 == 0, "block.width",
                "a row of elements of 1 or 2 bytes fills words of four");
    return HD_OK;
}

/* OpSubgroup2DBlock…INTEL: 1 size of an element, 2 to 4 width, height and number of blocks; then
 * base, 3 sizes of the memory, coordinate, [destination]; a store has its source before its base.
 */
HdStatus hd_rule_block_2d(HdVal *v, const HdInst *in)
{
    bool stores = in->opix == HD_OPIX_Subgroup2DBlockStoreINTEL;
    uint32_t base = stores ? 6 : 5, own = stores ? 5 : base + 5;
    const HdType *t;

    for (uint32_t i = 1; i < 5; i++)
        HD_TRY(constant_word(v, in, i));
    HD_TRY(block_sizes(v, in));
    HD_TRY(pointer(v, in, base, SpvStorageClassCrossWorkgroup));
    for (uint32_t i = base + 1; i < base + 4; i++)
        HD_RULE(hd_is_int_scalar(hd_val_operand(v, in, i)), "block.memory",
                "id %u is not an integer scalar", (unsigned)in->w[i]);
    t = hd_val_operand(v, in, base + 4);
    HD_RULE(t != NULL && t->kind == HD_T_VECTOR && t->count == 2 && hd_is_int(t),
            "block.coordinate", "the coordinate is not a vector of two integers");
    if (own >= in->nwords)
        return HD_OK;
    HD_TRY(pointer(v, in, own, SpvStorageClassFunction));
    t = hd_val_operand(v, in, own);
    HD_RULE(in->opix != HD_OPIX_Subgroup2DBlockLoadTransformINTEL || t->is_untyped ||
                (hd_is_int_scalar(hd_type_element(t)) && hd_type_element(t)->bits == 32),
            "block.pointer", "the destination is of no 32-bit integers");
    return HD_OK;
}
