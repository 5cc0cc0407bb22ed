/* ops/coop/coop_rule_tensor.c -- rules of tensor layouts and views, and of loads through them.
 *
 * Spec: SPV_NV_tensor_addressing; SPV_NV_cooperative_matrix2.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/coop/coop_rule.h"
#include "ops/shader_rules.h"

#define MAX_DIMENSIONS 5u

static bool is_word(const HdType *t)
{
    return hd_is_int_scalar(t) && t->bits == 32;
}

static HdStatus constant_word(HdVal *v, const HdInst *in, uint32_t at, const char *name)
{
    HD_RULE(hd_val_is_constant(v, in->w[at]) && is_word(hd_val_operand(v, in, at)),
            "tensor.constant", "%s is not a 32-bit integer constant", name);
    return HD_OK;
}

static HdStatus dimensions(HdVal *v, const HdInst *in)
{
    uint64_t n;

    HD_TRY(constant_word(v, in, 2, "Dim"));
    HD_RULE(!hd_val_known_part(v, in->w[2], 0, &n) || (n >= 1 && n <= MAX_DIMENSIONS),
            "tensor.dimensions", "there are no tensors of %llu dimensions", (unsigned long long)n);
    return HD_OK;
}

/* OpTypeTensorLayoutNV: 2 dimensions, 3 clamp mode. */
HdStatus hd_rule_type_tensor_layout(HdVal *v, const HdInst *in)
{
    uint64_t mode;

    HD_TRY(dimensions(v, in));
    HD_TRY(constant_word(v, in, 3, "ClampMode"));
    HD_RULE(!hd_val_known_part(v, in->w[3], 0, &mode) || mode <= SpvTensorClampModeRepeatMirrored,
            "tensor.clamp-mode", "%llu is not a clamp mode", (unsigned long long)mode);
    return HD_OK;
}

/* OpTypeTensorViewNV: 2 dimensions, 3 whether they are used, 4… permutation. */
HdStatus hd_rule_type_tensor_view(HdVal *v, const HdInst *in)
{
    uint64_t n, seen = 0;

    HD_TRY(dimensions(v, in));
    HD_RULE(hd_val_is_constant(v, in->w[3]) && hd_is_bool_scalar(hd_val_operand(v, in, 3)),
            "tensor.constant", "HasDimensions is not a bool constant");
    HD_RULE(!hd_val_known_part(v, in->w[2], 0, &n) || in->nwords - 4u == n, "tensor.permutation",
            "the permutation does not have as many members as the view dimensions");
    for (uint32_t i = 4; i < in->nwords; i++) {
        uint64_t p;

        HD_TRY(constant_word(v, in, i, "a member of the permutation"));
        if (!hd_val_known_part(v, in->w[i], 0, &p))
            continue;
        HD_RULE(p < in->nwords - 4u && !(seen >> p & 1), "tensor.permutation",
                "the operands are not a permutation of the dimensions");
        seen |= (uint64_t)1 << p;
    }
    return HD_OK;
}

static uint32_t type_opcode(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_CreateTensorViewNV:
    case HD_OPIX_TensorViewSetDimensionNV:
    case HD_OPIX_TensorViewSetStrideNV:
    case HD_OPIX_TensorViewSetClipNV: return SpvOpTypeTensorViewNV;
    default: return SpvOpTypeTensorLayoutNV;
    }
}

/* How many words follow for each dimension; 0: it is said otherwise. */
static uint32_t per_dimension(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_TensorLayoutSetDimensionNV:
    case HD_OPIX_TensorLayoutSetStrideNV:
    case HD_OPIX_TensorLayoutSetBlockSizeNV:
    case HD_OPIX_TensorViewSetDimensionNV:
    case HD_OPIX_TensorViewSetStrideNV: return 1;
    case HD_OPIX_TensorLayoutSliceNV: return 2;
    default: return 0;
    }
}

/* OpCreateTensorLayoutNV … OpTensorViewSetClipNV: 3 what is changed, 4… numbers. */
HdStatus hd_rule_tensor_object(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);
    uint64_t n;

    HD_RULE(hd_type_is_other(t, type_opcode(in->opix)), "tensor.result",
            "the result is not a tensor layout or view, as the instruction makes it");
    if (in->nwords <= 3)
        return HD_OK;
    HD_RULE(hd_val_operand(v, in, 3) == t, "tensor.operand",
            "the operand's type differs from the result type");
    for (uint32_t i = 4; i < in->nwords; i++)
        HD_RULE(is_word(hd_val_operand(v, in, i)), "tensor.number",
                "operand %u is not a 32-bit integer", hd_val_number(in, i));
    HD_RULE(per_dimension(in->opix) == 0 || !hd_val_known_part(v, hd_type_words(t)[2], 0, &n) ||
                in->nwords - 4u == n * per_dimension(in->opix),
            "tensor.count", "%u numbers for %llu dimensions", (unsigned)in->nwords - 4,
            (unsigned long long)n);
    return HD_OK;
}

static HdStatus pointer(HdVal *v, const HdInst *in, uint32_t at)
{
    const HdType *p = hd_val_operand(v, in, at);

    HD_RULE(hd_is_pointer(p), "coop.pointer", "the operand is not a pointer");
    HD_RULE(p->storage == SpvStorageClassWorkgroup || p->storage == SpvStorageClassStorageBuffer ||
                p->storage == SpvStorageClassPhysicalStorageBuffer,
            "coop.storage",
            "the pointer must be of storage class Workgroup, StorageBuffer or "
            "PhysicalStorageBuffer");
    return HD_OK;
}

static HdStatus layout_operand(HdVal *v, const HdInst *in, uint32_t at)
{
    HD_RULE(hd_type_is_other(hd_val_operand(v, in, at), SpvOpTypeTensorLayoutNV), "tensor.layout",
            "TensorLayout is not a tensor layout");
    return HD_OK;
}

/* What a decode function may return: a component, or a vector of 2, 4 or 8 of them. */
static bool decodes_to(const HdVal *v, const HdType *t, const HdType *component, bool vector)
{
    if (!vector)
        return t == component;
    return t->kind == HD_T_VECTOR && hd_type_element(t) == component &&
           (t->count == 2 || t->count == 4 || t->count == 8 ||
            hd_module_opix(v->m, t->id) == HD_OPIX_TypeVectorIdEXT);
}

static bool is_physical(const HdType *t)
{
    return hd_is_pointer(t) && t->storage == SpvStorageClassPhysicalStorageBuffer;
}

/* DecodeFunc, DecodeVectorFunc: from a pointer and two arrays of coordinates to components. */
static HdStatus decode(HdVal *v, const HdInst *in, HdId id, const HdType *layout,
                       const HdType *component, const HdType *from, bool vector)
{
    const HdType *f;
    HdInst function;
    uint64_t n = 0;

    HD_RULE(hd_module_def(v->m, id, &function) && function.opix == HD_OPIX_Function,
            "tensor.decode", "DecodeFunc is not a function");
    f = hd_module_type(v->m, function.w[4]);
    HD_RULE(f != NULL && f->kind == HD_T_FUNCTION &&
                decodes_to(v, hd_type_element(f), component, vector),
            "tensor.decode", "%s does not return %s of the result",
            vector ? "DecodeVectorFunc" : "DecodeFunc",
            vector ? "2, 4 or 8 components" : "a component");
    HD_RULE(f->count == 3 && is_physical(hd_type_member(v->m, f, 0)), "tensor.decode",
            "DecodeFunc's first parameter is not a pointer to PhysicalStorageBuffer");
    HD_RULE(from->storage == SpvStorageClassStorageBuffer ||
                from->storage == SpvStorageClassPhysicalStorageBuffer,
            "tensor.decode",
            "what is decoded is in storage class StorageBuffer or "
            "PhysicalStorageBuffer");
    for (uint32_t i = 1; i < 3; i++) {
        const HdType *a = hd_type_member(v->m, f, i);

        HD_RULE(
            a->kind == HD_T_ARRAY && is_word(hd_type_element(a)) &&
                (!hd_val_known_part(v, hd_type_words(layout)[2], 0, &n) || hd_type_length(a) == n),
            "tensor.decode",
            "DecodeFunc's further parameters are arrays of a 32-bit integer per dimension");
    }
    return HD_OK;
}

/* Memory operands at word `at`, then the mask of tensor operands with a view and a function. */
static HdStatus tensor_operands(HdVal *v, const HdInst *in, uint32_t at, const HdType *layout,
                                const HdType *component, const HdType *from)
{
    uint32_t memory = in->w[at++], mask;

    for (uint32_t bit = 0; bit < 32; bit++)
        if (memory >> bit & 1 && ((uint32_t)1 << bit == SpvMemoryAccessAlignedMask ||
                                  (uint32_t)1 << bit == SpvMemoryAccessMakePointerAvailableMask ||
                                  (uint32_t)1 << bit == SpvMemoryAccessMakePointerVisibleMask ||
                                  (uint32_t)1 << bit == SpvMemoryAccessAliasScopeINTELMaskMask ||
                                  (uint32_t)1 << bit == SpvMemoryAccessNoAliasINTELMaskMask))
            at++;
    if (at >= in->nwords)
        return HD_OK;
    mask = in->w[at++];
    if (mask & SpvTensorAddressingOperandsTensorViewMask && at < in->nwords)
        HD_RULE(hd_type_is_other(hd_val_operand(v, in, at++), SpvOpTypeTensorViewNV), "tensor.view",
                "TensorView is not a tensor view");
    HD_RULE(component != NULL || !(mask & (SpvTensorAddressingOperandsDecodeFuncMask |
                                           SpvTensorAddressingOperandsDecodeVectorFuncMask)),
            "tensor.decode", "a store decodes nothing");
    HD_RULE(!(mask & SpvTensorAddressingOperandsDecodeVectorFuncMask) ||
                (mask & SpvTensorAddressingOperandsDecodeFuncMask),
            "tensor.decode", "DecodeVectorFunc goes with DecodeFunc");
    if (mask & SpvTensorAddressingOperandsDecodeFuncMask && at < in->nwords)
        HD_TRY(decode(v, in, in->w[at++], layout, component, from, false));
    if (mask & SpvTensorAddressingOperandsDecodeVectorFuncMask && at < in->nwords)
        HD_TRY(decode(v, in, in->w[at], layout, component, from, true));
    return HD_OK;
}

/* OpCooperativeMatrixLoadTensorNV: 3 pointer, 4 object, 5 layout, 6 memory operands. */
HdStatus hd_rule_coop_load_tensor(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(hd_type_is_other(t, SpvOpTypeCooperativeMatrixKHR), "coop.result",
            "the result is not a cooperative matrix");
    HD_TRY(pointer(v, in, 3));
    HD_RULE(hd_val_operand(v, in, 4) == t, "coop.object",
            "the object's type differs from the result type");
    HD_TRY(layout_operand(v, in, 5));
    return tensor_operands(v, in, 6, hd_val_operand(v, in, 5), hd_coop_component(v, t),
                           hd_val_operand(v, in, 3));
}

/* OpCooperativeMatrixStoreTensorNV: 1 pointer, 2 object, 3 layout, 4 memory operands. */
HdStatus hd_rule_coop_store_tensor(HdVal *v, const HdInst *in)
{
    HD_TRY(pointer(v, in, 1));
    HD_RULE(hd_type_is_other(hd_val_operand(v, in, 2), SpvOpTypeCooperativeMatrixKHR),
            "coop.object", "the object is not a cooperative matrix");
    HD_TRY(layout_operand(v, in, 3));
    return tensor_operands(v, in, 4, hd_val_operand(v, in, 3), NULL, hd_val_operand(v, in, 1));
}
