/* ops/memory/pointer_eval.c -- addresses in the interpreter: chains, comparisons, casts between
 * storage classes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/rows.h"
#include "module/resource.h"
#include "ops/evals.h"

typedef struct Chain {
    bool untyped, has_element;
} Chain;

static Chain chain_of(const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_PtrAccessChain:
    case HD_OPIX_InBoundsPtrAccessChain: return (Chain){false, true};
    case HD_OPIX_UntypedAccessChainKHR:
    case HD_OPIX_UntypedInBoundsAccessChainKHR: return (Chain){true, false};
    case HD_OPIX_UntypedPtrAccessChainKHR:
    case HD_OPIX_UntypedInBoundsPtrAccessChainKHR: return (Chain){true, true};
    default: return (Chain){false, false};
    }
}

/* Indexes are signed. part: of a vector of pointers, which one; an index may be a vector, too. */
static HdStatus move(HdEval *e, const HdSlot *r, uint32_t part, HdId index, uint64_t stride)
{
    unsigned row;
    HdSlot x;

    HD_TRY(hd_eval_use(e, index, &x));
    if (x.type->kind == HD_T_VECTOR && part < x.type->count) {
        x.type = hd_type_element(x.type);
        x.at += part * hd_type_size(x.type);
    }
    if (x.type->kind != HD_T_INT)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.index", "an index is not an integer");
    row = x.stride == hd_type_size(x.type) && r->stride == 8 ? hd_lane_row(e->mask) : 0;
    if (row > 0 && (hd_type_size(x.type) == 8 || hd_type_size(x.type) == 4)) {
        hd_row_advance((uint64_t *)(void *)r->at, x.at, row, (unsigned)hd_type_size(x.type),
                       stride);
        return HD_OK;
    }
    for (HD_EACH_LANE(lane, e->mask)) {
        unsigned char *at = hd_slot_at(r, lane);
        int64_t i = hd_int_get(hd_slot_at(&x, lane), hd_type_size(x.type));

        hd_bits_put(at, 8, hd_bits_get(at, 8) + (uint64_t)i * stride);
    }
    return HD_OK;
}

/* Looking for a decoration takes longer than all else here: an array's size has it in it. */
static uint64_t stride_of(const HdEval *e, const HdType *t)
{
    const HdTypeKind of = hd_type_element(t)->kind;
    uint64_t length = t->kind == HD_T_ARRAY ? hd_type_length(t) : 0;

    if (of == HD_T_OTHER || of == HD_T_IMAGE || of == HD_T_SAMPLER)
        length = 0; /* a constant says what the stride of descriptors is, which may come later */
    return length != 0 && length <= hd_type_size(t) ? hd_type_size(t) / length
                                                    : hd_type_stride(e->m, t);
}

/* From an array of descriptors to the buffer of one, or to that of an opaque object. */
static HdStatus select_descriptor(HdEval *e, const HdSlot *r, uint32_t storage, HdId index)
{
    HdSlot x;

    HD_TRY(hd_eval_use(e, index, &x));
    if (e->is_checked && hd_eval_odd(e, &x) != 0)
        HD_TRY(hd_eval_descriptors_differ(e, index, hd_eval_odd(e, &x)));
    for (HD_EACH_LANE(lane, e->mask)) {
        unsigned char *at = hd_slot_at(r, lane);
        uint64_t i = hd_bits_get(hd_slot_at(&x, lane), hd_type_size(x.type)), there;
        HdBinding bound;

        if (storage == SpvStorageClassUniformConstant) {
            HD_TRY(hd_eval_descriptor_at(e, lane, hd_bits_get(at, 8), i, &there));
            hd_bits_put(at, 8, there);
            continue;
        }
        HD_TRY(hd_eval_descriptor(e, lane, hd_bits_get(at, 8), i, &bound));
        hd_bits_put(at, 8, bound.at);
    }
    return HD_OK;
}

/* storage: class of the pointer. */
static HdStatus step(HdEval *e, const HdSlot *r, uint32_t part, uint32_t storage, HdId index,
                     const HdType **t, HdMatrixLayout *matrix)
{
    uint64_t member, offset;

    if (!hd_module_is_opencl(e->m) && hd_module_is_descriptors(e->m, storage, *t)) {
        *t = hd_type_element(*t);
        return select_descriptor(e, r, storage, index);
    }
    switch ((*t)->kind) {
    case HD_T_STRUCT:
        if (!hd_module_constant_u64(e->m, index, &member) || member >= (*t)->count)
            return hd_eval_bad(e, HD_EVAL_LANES, "interp.index",
                               "a member's index is not a constant or out of range");
        offset = hd_type_offset(e->m, *t, (uint32_t)member);
        if (hd_eval_has_matrices(e))
            *matrix = hd_module_member_matrix(e->m, *t, (uint32_t)member);
        for (HD_EACH_LANE(lane, e->mask)) {
            unsigned char *at = hd_slot_at(r, lane);

            hd_bits_put(at, 8, hd_bits_get(at, 8) + offset);
        }
        *t = hd_type_member(e->m, *t, (uint32_t)member);
        return HD_OK;
    case HD_T_ARRAY:
    case HD_T_RUNTIME_ARRAY:
    case HD_T_VECTOR:
    case HD_T_MATRIX:
    case HD_T_OTHER:
        if (hd_type_element((*t)) == NULL)
            break;
        HD_TRY(
            move(e, r, part, index,
                 matrix->stride != 0 ? hd_module_stride_in(e->m, *t, *matrix) : stride_of(e, *t)));
        *t = hd_type_element((*t));
        return HD_OK;
    default: break;
    }
    return hd_eval_bad(e, HD_EVAL_LANES, "interp.index", "an index into a type without parts");
}

/* Words: 1 type, 2 result, [base type,] base, [element,] indexes. The base may be a vector of
 * pointers. */
HdStatus hd_eval_access_chain(HdEval *e, const HdInst *in)
{
    Chain c = chain_of(in);
    unsigned first = c.untyped ? 4 : 3;
    const HdType *pointee, *pointer;
    HdSlot r, base;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, first, 1, &base));
    pointer = hd_type_scalar(base.type);
    pointee = c.untyped ? hd_module_type(e->m, in->w[3]) : hd_type_element(pointer);
    if (pointee == NULL)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.pointer", "the base is not a typed pointer");
    hd_eval_copy(e, &r, &base);
    for (uint32_t i = 0; i < hd_type_lanes(base.type); i++, r.at += 8) {
        const HdType *t = pointee;
        HdMatrixLayout matrix = {0};
        unsigned at = first + 1;

        if (hd_eval_has_matrices(e))
            matrix = hd_module_pointer_matrix(e->m, in->w[first], pointee);
        if (c.has_element && at < in->nwords)
            HD_TRY(move(e, &r, i, in->w[at++], hd_type_pointer_stride(e->m, pointer, t)));
        while (at < in->nwords)
            HD_TRY(step(e, &r, i, pointer->storage, in->w[at++], &t, &matrix));
    }
    return HD_OK;
}

/* OpPtrEqual, OpPtrNotEqual.
 * Words: 1 type, 2 result, 3 and 4 pointers. */
HdStatus hd_eval_ptr_compare(HdEval *e, const HdInst *in)
{
    HdSlot r, x[2];

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, 3, 2, x));
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++) {
            bool same = hd_bits_get(hd_slot_at(&x[0], lane) + i * 8, 8) ==
                        hd_bits_get(hd_slot_at(&x[1], lane) + i * 8, 8);

            hd_slot_at(&r, lane)[i] = same == (in->opix == HD_OPIX_PtrEqual);
        }
    return HD_OK;
}

/* In elements, or in bytes when untyped.
 * Words: 1 type, 2 result, 3 and 4 pointers. */
HdStatus hd_eval_ptr_diff(HdEval *e, const HdInst *in)
{
    uint64_t stride, apart = 0, bytes;
    const HdType *pointer;
    HdSlot r, x[2];

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, 3, 2, x));
    pointer = hd_type_scalar(x[0].type);
    stride = hd_type_element(pointer)
                 ? hd_type_pointer_stride(e->m, pointer, hd_type_element(pointer))
                 : 1;
    bytes = hd_type_size(hd_type_scalar(r.type));
    if (stride == 0)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.pointer", "the pointee has no size");
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++) {
            uint64_t left = hd_bits_get(hd_slot_at(&x[0], lane) + i * 8, 8);
            uint64_t right = hd_bits_get(hd_slot_at(&x[1], lane) + i * 8, 8);

            hd_bits_put(hd_slot_at(&r, lane) + i * bytes, bytes,
                        (uint64_t)((int64_t)(left - right) / (int64_t)stride));
            if (e->is_checked && !hd_eval_same_memory(e, left, right))
                apart |= UINT64_C(1) << lane;
        }
    if (apart != 0)
        return hd_eval_defect(e, apart, "check.pointer-difference",
                              "subtract pointers into one array only",
                              "the difference of pointers into different memory");
    return HD_OK;
}

/* All addresses are the host's: casts that do not check change nothing.
 * OpPtrCastToGeneric, OpGenericCastToPtr, casts of SPV_INTEL_usm_storage_classes.
 * Words: 1 type, 2 result, 3 pointer. */
HdStatus hd_eval_pointer_cast(HdEval *e, const HdInst *in)
{
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    hd_eval_copy(e, &r, &x);
    return HD_OK;
}

/* A storage class is the same for every holder of the pointer; using another work-item's memory is
 * reported elsewhere. */
static bool is_in(const HdEval *e, uint64_t address, uint32_t storage)
{
    bool local = hd_eval_is_local(e, address, 1), own = hd_eval_is_private_of_any(e, address);

    switch (storage) {
    case SpvStorageClassWorkgroup: return local;
    case SpvStorageClassFunction: return own;
    default: return !local && !own;
    }
}

/* Words: 1 type, 2 result, 3 pointer, 4 storage class. */
HdStatus hd_eval_generic_to_ptr_explicit(HdEval *e, const HdInst *in)
{
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    if (in->w[4] != SpvStorageClassWorkgroup && in->w[4] != SpvStorageClassFunction &&
        in->w[4] != SpvStorageClassCrossWorkgroup)
        return hd_eval_unsupported(e, "a cast to this storage class");
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r.type); i++) {
            uint64_t address = hd_bits_get(hd_slot_at(&x, lane) + i * 8, 8);

            hd_bits_put(hd_slot_at(&r, lane) + i * 8, 8, is_in(e, address, in->w[4]) ? address : 0);
        }
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 pointer. */
HdStatus hd_eval_generic_semantics(HdEval *e, const HdInst *in)
{
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t address = hd_bits_get(hd_slot_at(&x, lane), 8), mask = 0;

        if (is_in(e, address, SpvStorageClassWorkgroup))
            mask = SpvMemorySemanticsWorkgroupMemoryMask;
        else if (address != 0 && is_in(e, address, SpvStorageClassCrossWorkgroup))
            mask = SpvMemorySemanticsCrossWorkgroupMemoryMask;
        hd_bits_put(hd_slot_at(&r, lane), hd_type_size(r.type), mask);
    }
    return HD_OK;
}
