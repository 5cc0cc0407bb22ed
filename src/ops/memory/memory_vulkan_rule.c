/* ops/memory/memory_vulkan_rule.c -- rules that Vulkan adds to variables, loads, stores and chains.
 *
 * Spec: Vulkan, "Standalone SPIR-V Validation", "Shader Resource Interface"; the statement's
 * identifier is the section of the finding.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/decoration.h"
#include "ops/vulkan_rules.h"

#define VUID HD_VUID_SPIRV
/* Arrays of arrays that are walked over, of inputs and outputs: more are no interface, and many
 * uses of a deep type would take long. */
#define MOST_ARRAYS 64u

static bool is_array(const HdType *t)
{
    return t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY;
}

static bool has(const HdVal *v, HdId id, uint32_t decoration)
{
    return hd_module_decoration(v->m, id, decoration) != NULL;
}

static bool is_heap(const HdVal *v, HdId id)
{
    return hd_module_is_decorated(v->m, id, SpvDecorationBuiltIn, SpvBuiltInResourceHeapEXT) ||
           hd_module_is_decorated(v->m, id, SpvDecorationBuiltIn, SpvBuiltInSamplerHeapEXT);
}

/* ---- variables ------------------------------------------------------------------------------- */

static HdStatus initializer(HdVal *v, const HdInst *in, uint32_t at)
{
    if (in->nwords > at && in->w[3] == SpvStorageClassWorkgroup &&
        hd_module_opix(v->m, in->w[at]) != HD_OPIX_ConstantNull)
        return hd_val_fail_spec(v, in, "vulkan.initializer-null", VUID("OpVariable", "04734"),
                                "Workgroup memory begins with OpConstantNull or with nothing");
    return HD_OK;
}

/* What a shader's resources are. */
static bool is_resource(const HdVal *v, const HdType *t)
{
    enum HdOpix opix = hd_module_opix(v->m, t->id);

    return t->kind == HD_T_IMAGE || t->kind == HD_T_SAMPLER || t->kind == HD_T_SAMPLED_IMAGE ||
           opix == HD_OPIX_TypeAccelerationStructureKHR || opix == HD_OPIX_TypeTensorARM;
}

static HdStatus held(HdVal *v, const HdInst *in, const HdType *t)
{
    const HdType *one = is_array(t) ? hd_type_element(t) : t;

    switch (in->w[3]) {
    case SpvStorageClassUniformConstant:
        if (!is_resource(v, one))
            return hd_val_fail_spec(v, in, "vulkan.resource", VUID("UniformConstant", "04655"),
                                    "UniformConstant variables hold images, samplers, "
                                    "acceleration structures, tensors, or arrays of them");
        return HD_OK;
    case SpvStorageClassUniform:
    case SpvStorageClassStorageBuffer:
        if (one->kind != HD_T_STRUCT)
            return hd_val_fail_spec(v, in, "vulkan.buffer-struct", VUID("Uniform", "06807"),
                                    "a buffer is a structure, or an array of structures");
        return HD_OK;
    case SpvStorageClassPushConstant:
        if (t->kind != HD_T_STRUCT)
            return hd_val_fail_spec(v, in, "vulkan.push-struct", VUID("PushConstant", "06808"),
                                    "push constants are a structure");
        return HD_OK;
    default: return HD_OK;
    }
}

static HdStatus block(HdVal *v, const HdInst *in, const HdType *t)
{
    uint32_t storage = in->w[3];

    if (is_array(t))
        t = hd_type_element(t);
    if ((storage == SpvStorageClassStorageBuffer || storage == SpvStorageClassPushConstant) &&
        !has(v, t->id, SpvDecorationBlock))
        return hd_val_fail_spec(v, in, "vulkan.block", VUID("PushConstant", "06675"),
                                "the structure is not decorated Block");
    if (storage == SpvStorageClassUniform && !has(v, t->id, SpvDecorationBlock) &&
        !has(v, t->id, SpvDecorationBufferBlock))
        return hd_val_fail_spec(v, in, "vulkan.uniform-block", VUID("Uniform", "06676"),
                                "the structure is not decorated Block or BufferBlock");
    return HD_OK;
}

static HdStatus bindings(HdVal *v, const HdInst *in)
{
    uint32_t storage = in->w[3];

    if (storage != SpvStorageClassUniformConstant && storage != SpvStorageClassUniform &&
        storage != SpvStorageClassStorageBuffer)
        return HD_OK;
    if (!has(v, in->w[2], SpvDecorationDescriptorSet) || !has(v, in->w[2], SpvDecorationBinding))
        return hd_val_fail_spec(
            v, in, "vulkan.binding", VUID("UniformConstant", "06677"), "the resource has no %s",
            has(v, in->w[2], SpvDecorationBinding) ? "DescriptorSet" : "Binding");
    return HD_OK;
}

/* Of members the layout of blocks says it. */
static HdStatus invariant(HdVal *v, const HdInst *in)
{
    if (in->w[3] == SpvStorageClassInput || in->w[3] == SpvStorageClassOutput)
        return HD_OK;
    if (has(v, in->w[2], SpvDecorationInvariant))
        return hd_val_fail_spec(v, in, "vulkan.invariant", VUID("Invariant", "04677"),
                                "Invariant is for inputs and outputs");
    return HD_OK;
}

static bool is_runtime_struct(const HdVal *v, const HdType *t)
{
    return t->kind == HD_T_STRUCT && t->count != 0 &&
           hd_type_member(v->m, t, t->count - 1)->kind == HD_T_RUNTIME_ARRAY;
}

/* Arrays without a length: of descriptors, or the end of a block. */
static HdStatus runtime_array(HdVal *v, const HdInst *in, const HdType *t)
{
    uint32_t storage = in->w[3];
    bool buffer = storage == SpvStorageClassStorageBuffer || storage == SpvStorageClassUniform;
    const HdType *one = is_array(t) ? hd_type_element(t) : t;

    if (t->kind == HD_T_RUNTIME_ARRAY && !hd_val_cap(v, SpvCapabilityRuntimeDescriptorArray))
        return hd_val_fail_spec(v, in, "vulkan.runtime-descriptors",
                                VUID("OpTypeRuntimeArray", "04680"),
                                "an array of descriptors without length needs capability "
                                "RuntimeDescriptorArray");
    if (t->kind == HD_T_RUNTIME_ARRAY && !buffer && storage != SpvStorageClassUniformConstant)
        return hd_val_fail_spec(v, in, "vulkan.runtime-variable",
                                VUID("OpTypeRuntimeArray", "04680"),
                                "an array without length is of storage class StorageBuffer, "
                                "Uniform or UniformConstant");
    if (is_runtime_struct(v, one) && !buffer)
        return hd_val_fail_spec(v, in, "vulkan.runtime-struct", VUID("OpTypeRuntimeArray", "04680"),
                                "a structure that ends in an array without length is of storage "
                                "class StorageBuffer or Uniform");
    return HD_OK;
}

static bool is_bfloat16(const HdType *t)
{
    return t->kind == HD_T_FLOAT && t->encoding == SpvFPEncodingBFloat16KHR + 1;
}

static bool is_other_float(const HdType *t)
{
    return t->kind == HD_T_FLOAT && t->encoding != 0;
}

static bool is_address(const HdType *t)
{
    return t->kind == HD_T_POINTER && t->storage == SpvStorageClassPhysicalStorageBuffer;
}

/* Inputs and outputs: what their types must not hold. */
static HdStatus interface(HdVal *v, const HdInst *in, const HdType *t)
{
    if (in->w[3] != SpvStorageClassInput && in->w[3] != SpvStorageClassOutput)
        return HD_OK;
    if (hd_type_holds(v, t, is_address))
        return hd_val_fail_spec(v, in, "vulkan.interface-address", VUID("Input", "09557"),
                                "physical pointers are no inputs and outputs; integers of 64 bits "
                                "are");
    if (hd_type_holds(v, t, is_bfloat16))
        return hd_val_fail_spec(v, in, "vulkan.interface-bfloat16", VUID("OpTypeFloat", "10370"),
                                "bfloat16 numbers are no inputs and outputs");
    if (hd_type_holds(v, t, is_other_float))
        return hd_val_fail_spec(v, in, "vulkan.interface-float", VUID("OpTypeFloat", "10823"),
                                "numbers of this encoding are no inputs and outputs");
    return HD_OK;
}

static HdStatus tile_image(HdVal *v, const HdInst *in, const HdType *t)
{
    if (in->w[3] != SpvStorageClassTileImageEXT)
        return HD_OK;
    if (!has(v, in->w[2], SpvDecorationLocation))
        return hd_val_fail_spec(v, in, "vulkan.tile-location", VUID("TileImageEXT", "08723"),
                                "a tile image has a Location");
    for (unsigned i = 0; i < MOST_ARRAYS && is_array(t); i++)
        t = hd_type_element(t);
    if (t->kind != HD_T_IMAGE)
        return hd_val_fail_spec(v, in, "vulkan.tile-image", VUID("None", "08724"),
                                "storage class TileImageEXT holds tile images");
    return HD_OK;
}

/* Untyped variables say what they hold, heaps of descriptors aside. */
static HdStatus untyped(HdVal *v, const HdInst *in)
{
    if (in->w[3] != SpvStorageClassUniformConstant)
        return hd_val_fail_spec(v, in, "vulkan.untyped-data", VUID("OpUntypedVariableKHR", "11167"),
                                "the variable has no Data Type");
    if (!is_heap(v, in->w[2]))
        return hd_val_fail_spec(v, in, "vulkan.untyped-heap", VUID("OpUntypedVariableKHR", "11347"),
                                "the variable has no Data Type and is not decorated "
                                "SamplerHeapEXT or ResourceHeapEXT");
    return HD_OK;
}

static HdStatus heap(HdVal *v, const HdInst *in)
{
    bool samplers =
        hd_module_is_decorated(v->m, in->w[2], SpvDecorationBuiltIn, SpvBuiltInSamplerHeapEXT);

    if (in->w[3] == SpvStorageClassUniformConstant)
        return HD_OK;
    return hd_val_fail_spec(v, in, "vulkan.heap",
                            samplers ? HD_VUID("SamplerHeapEXT", "SamplerHeapEXT", "11239")
                                     : HD_VUID("ResourceHeapEXT", "ResourceHeapEXT", "11241"),
                            "a heap of descriptors is of storage class UniformConstant");
}

HdStatus hd_vulkan_variable(HdVal *v, const HdInst *in)
{
    bool typed = in->opix == HD_OPIX_Variable;
    const HdType *t = hd_val_held(v, in->w[2]);

    if (is_heap(v, in->w[2]))
        HD_TRY(heap(v, in));
    if (t == NULL)
        return typed ? HD_OK : untyped(v, in);
    HD_TRY(initializer(v, in, typed ? 4 : 5));
    if (!is_heap(v, in->w[2])) {
        HD_TRY(held(v, in, t));
        HD_TRY(block(v, in, t));
        HD_TRY(bindings(v, in));
    }
    HD_TRY(invariant(v, in));
    HD_TRY(runtime_array(v, in, t));
    HD_TRY(interface(v, in, t));
    return tile_image(v, in, t);
}

/* ---- accesses -------------------------------------------------------------------------------- */

static bool is_physical(const HdType *p)
{
    return hd_is_pointer(p) && p->storage == SpvStorageClassPhysicalStorageBuffer;
}

static bool is_wide(const HdType *t)
{
    return ((t->kind == HD_T_INT || t->kind == HD_T_FLOAT) && t->bits == 64) ||
           t->kind == HD_T_POINTER;
}

static bool is_word(const HdType *t)
{
    return (t->kind == HD_T_INT || t->kind == HD_T_FLOAT) && t->bits == 32;
}

static bool is_half(const HdType *t)
{
    return (t->kind == HD_T_INT || t->kind == HD_T_FLOAT) && t->bits == 16;
}

/* Bytes of the largest number in a type. */
static uint32_t largest_scalar(const HdVal *v, const HdType *t)
{
    return t == NULL                      ? 1
           : hd_type_holds(v, t, is_wide) ? 8
           : hd_type_holds(v, t, is_word) ? 4
           : hd_type_holds(v, t, is_half) ? 2
                                          : 1;
}

/* Physical pointers: accesses say how they are aligned. `at`: word of the memory operands. */
static HdStatus aligned(HdVal *v, const HdInst *in, uint32_t at, const HdType *p,
                        const HdType *accessed)
{
    uint32_t least;

    if (!is_physical(p))
        return HD_OK;
    if (at >= in->nwords || !(in->w[at] & SpvMemoryAccessAlignedMask))
        return hd_val_fail_spec(v, in, "vulkan.aligned", VUID("PhysicalStorageBuffer64", "04708"),
                                "an access through a physical pointer needs operand Aligned");
    least = largest_scalar(v, accessed);
    if (in->w[at + 1] < least)
        return hd_val_fail_spec(v, in, "vulkan.alignment", VUID("PhysicalStorageBuffer64", "06314"),
                                "an alignment of %u bytes is less than the %u of the largest "
                                "scalar",
                                (unsigned)in->w[at + 1], (unsigned)least);
    return HD_OK;
}

/* What a pointer leads to: its own type, or that of the value where it has none. */
static const HdType *pointee(const HdType *p, const HdType *value)
{
    return hd_is_pointer(p) && !p->is_untyped ? hd_type_element(p) : value;
}

HdStatus hd_vulkan_load(HdVal *v, const HdInst *in)
{
    const HdType *p = hd_val_operand(v, in, 3);

    return aligned(v, in, 4, p, pointee(p, hd_val_result(v, in)));
}

/* The variable at the root of a chain; 0: another thing. */
static HdId root_of(const HdVal *v, HdId id)
{
    HdInst in;

    for (unsigned steps = 0; steps < 64 && hd_module_def(v->m, id, &in); steps++) {
        switch (in.opix) {
        case HD_OPIX_Variable:
        case HD_OPIX_UntypedVariableKHR: return id;
        case HD_OPIX_AccessChain:
        case HD_OPIX_InBoundsAccessChain:
        case HD_OPIX_PtrAccessChain:
        case HD_OPIX_InBoundsPtrAccessChain:
        case HD_OPIX_CopyObject: id = in.w[3]; break;
        case HD_OPIX_UntypedAccessChainKHR:
        case HD_OPIX_UntypedInBoundsAccessChainKHR:
        case HD_OPIX_UntypedPtrAccessChainKHR:
        case HD_OPIX_UntypedInBoundsPtrAccessChainKHR: id = in.w[4]; break;
        default: return 0;
        }
    }
    return 0;
}

static HdStatus uniform_store(HdVal *v, const HdInst *in, HdId pointer)
{
    const HdType *p = hd_module_type_of(v->m, pointer), *t;
    HdId root;

    if (!hd_is_pointer(p) || p->storage != SpvStorageClassUniform)
        return HD_OK;
    root = root_of(v, pointer);
    t = root != 0 ? hd_val_held(v, root) : NULL;
    if (t != NULL && is_array(t))
        t = hd_type_element(t);
    if (t != NULL && has(v, t->id, SpvDecorationBlock))
        return hd_val_fail_spec(v, in, "vulkan.uniform-store", VUID("Uniform", "06925"),
                                "a uniform block is not stored to");
    return HD_OK;
}

static bool is_opaque(const HdType *t)
{
    return t->kind == HD_T_IMAGE || t->kind == HD_T_SAMPLER || t->kind == HD_T_SAMPLED_IMAGE ||
           hd_type_is_other(t, SpvOpTypeAccelerationStructureKHR);
}

HdStatus hd_vulkan_store(HdVal *v, const HdInst *in)
{
    const HdType *p = hd_val_operand(v, in, 1), *o = hd_val_operand(v, in, 2);

    HD_TRY(aligned(v, in, 3, p, pointee(p, p != NULL && p->is_untyped ? NULL : o)));
    HD_TRY(uniform_store(v, in, in->w[1]));
    if (o != NULL && hd_type_holds(v, o, is_opaque))
        return hd_val_fail_spec(v, in, "vulkan.opaque-store", VUID("OpTypeImage", "06924"),
                                "images, samplers and acceleration structures are not stored");
    return HD_OK;
}

HdStatus hd_vulkan_copy_memory(HdVal *v, const HdInst *in)
{
    uint32_t at = in->opix == HD_OPIX_CopyMemory ? 3 : 4;
    const HdType *to = hd_val_operand(v, in, 1), *from = hd_val_operand(v, in, 2);

    HD_TRY(aligned(v, in, at, to, pointee(to, NULL)));
    return aligned(v, in, at, from, pointee(from, NULL));
}

HdStatus hd_vulkan_coop_memory(HdVal *v, const HdInst *in)
{
    bool load = in->opix == HD_OPIX_CooperativeMatrixLoadKHR;
    const HdType *p = hd_val_operand(v, in, load ? 3 : 1);
    /* type, result, pointer, layout, stride; or pointer, object, layout, stride */
    uint32_t at = load ? 6 : 5;

    return aligned(v, in, at, p, pointee(p, NULL));
}

HdStatus hd_vulkan_ptr_chain(HdVal *v, const HdInst *in)
{
    bool typed = in->opix == HD_OPIX_PtrAccessChain || in->opix == HD_OPIX_InBoundsPtrAccessChain;
    const HdType *p = hd_val_operand(v, in, typed ? 3 : 4);

    if (!hd_is_pointer(p) || is_physical(p) || p->is_untyped)
        return HD_OK;
    if (p->storage != SpvStorageClassWorkgroup && p->storage != SpvStorageClassStorageBuffer)
        return hd_val_fail_spec(v, in, "vulkan.base", VUID("Base", "07650"),
                                "the base is in Workgroup, StorageBuffer or "
                                "PhysicalStorageBuffer memory");
    if (p->storage == SpvStorageClassWorkgroup && !hd_val_cap(v, SpvCapabilityVariablePointers))
        return hd_val_fail_spec(v, in, "vulkan.base-workgroup", VUID("Base", "07651"),
                                "a base in Workgroup memory needs capability VariablePointers");
    if (p->storage == SpvStorageClassStorageBuffer &&
        !hd_val_cap(v, SpvCapabilityVariablePointersStorageBuffer) &&
        !hd_val_cap(v, SpvCapabilityVariablePointers))
        return hd_val_fail_spec(v, in, "vulkan.base-buffer", VUID("Base", "07652"),
                                "a base in StorageBuffer memory needs capability "
                                "VariablePointersStorageBuffer");
    return HD_OK;
}

HdStatus hd_vulkan_array_length(HdVal *v, const HdInst *in)
{
    bool typed = in->opix == HD_OPIX_ArrayLength;
    const HdType *p = hd_val_operand(v, in, typed ? 3 : 4);
    const HdType *s = !typed             ? hd_module_type(v->m, in->w[3])
                      : hd_is_pointer(p) ? hd_type_element(p)
                                         : NULL;

    if (s != NULL && hd_is_pointer(p) && p->storage == SpvStorageClassUniform &&
        has(v, s->id, SpvDecorationBlock))
        return hd_val_fail_spec(v, in, "vulkan.uniform-length", VUID("OpArrayLength", "11805"),
                                "the length of an array in a uniform block is not known");
    return HD_OK;
}
