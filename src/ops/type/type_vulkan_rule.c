/* ops/type/type_vulkan_rule.c -- rules that Vulkan adds to types.
 *
 * Spec: Vulkan, "Standalone SPIR-V Validation"; the statement's identifier is the section of the
 * finding.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/decoration.h"
#include "ops/vulkan_rules.h"

#define VUID HD_VUID_SPIRV

static bool is_in_vulkan(uint32_t storage)
{
    switch (storage) {
    case SpvStorageClassUniformConstant:
    case SpvStorageClassUniform:
    case SpvStorageClassStorageBuffer:
    case SpvStorageClassInput:
    case SpvStorageClassOutput:
    case SpvStorageClassImage:
    case SpvStorageClassWorkgroup:
    case SpvStorageClassPrivate:
    case SpvStorageClassFunction:
    case SpvStorageClassPushConstant:
    case SpvStorageClassPhysicalStorageBuffer:
    case SpvStorageClassRayPayloadKHR:
    case SpvStorageClassIncomingRayPayloadKHR:
    case SpvStorageClassHitAttributeKHR:
    case SpvStorageClassCallableDataKHR:
    case SpvStorageClassIncomingCallableDataKHR:
    case SpvStorageClassShaderRecordBufferKHR:
    case SpvStorageClassTaskPayloadWorkgroupEXT:
    case SpvStorageClassHitObjectAttributeNV:
    case SpvStorageClassHitObjectAttributeEXT:
    case SpvStorageClassTileImageEXT:
    case SpvStorageClassNodePayloadAMDX:
    case SpvStorageClassTileAttachmentQCOM: return true;
    default: return false;
    }
}

HdStatus hd_vulkan_type_pointer(HdVal *v, const HdInst *in)
{
    if (!is_in_vulkan(in->w[2]))
        return hd_val_fail_spec(v, in, "vulkan.storage-class", VUID("None", "04643"),
                                "the storage class is not in Vulkan");
    return HD_OK;
}

HdStatus hd_vulkan_type_untyped(HdVal *v, const HdInst *in)
{
    switch (in->w[2]) {
    case SpvStorageClassStorageBuffer:
    case SpvStorageClassPhysicalStorageBuffer:
    case SpvStorageClassUniform:
    case SpvStorageClassPushConstant: return HD_OK;
    case SpvStorageClassWorkgroup:
        if (hd_val_cap(v, SpvCapabilityWorkgroupMemoryExplicitLayoutKHR))
            return HD_OK;
        return hd_val_fail_spec(v, in, "vulkan.untyped-workgroup",
                                VUID("OpTypeUntypedPointerKHR", "11417"),
                                "untyped pointers to Workgroup memory need capability "
                                "WorkgroupMemoryExplicitLayoutKHR");
    case SpvStorageClassUniformConstant:
    case SpvStorageClassImage:
        if (hd_val_cap(v, SpvCapabilityDescriptorHeapEXT))
            return HD_OK;
        break;
    default: break;
    }
    return hd_val_fail_spec(v, in, "vulkan.untyped-storage",
                            VUID("OpTypeUntypedPointerKHR", "11417"),
                            "untyped pointers are for storage classes with a layout");
}

HdStatus hd_vulkan_type_forward(HdVal *v, const HdInst *in)
{
    if (in->w[2] != SpvStorageClassPhysicalStorageBuffer)
        return hd_val_fail_spec(v, in, "vulkan.forward", VUID("OpTypeForwardPointer", "04711"),
                                "pointers announced before their type are physical");
    return HD_OK;
}

HdStatus hd_vulkan_type_array(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_module_type(v->m, in->w[2]);

    if (t != NULL && t->kind == HD_T_RUNTIME_ARRAY)
        return hd_val_fail_spec(v, in, "vulkan.runtime-element",
                                VUID("OpTypeRuntimeArray", "04680"),
                                "an array holds no array without length");
    return HD_OK;
}

/* Types without a value that a program could look at: always; besides, descriptors and images,
 * which heaps and bindless textures put into structures. */
static bool is_handle(const HdType *t)
{
    if (t->kind != HD_T_OTHER)
        return t->kind == HD_T_OPAQUE;
    switch (hd_type_words(t)[0] & 0xffff) {
    case SpvOpTypeRayQueryKHR:
    case SpvOpTypeHitObjectNV:
    case SpvOpTypeHitObjectEXT: return true;
    default: return false;
    }
}

static bool is_structure(const HdType *t)
{
    return hd_type_is_other(t, SpvOpTypeAccelerationStructureKHR);
}

static bool is_opaque_with_heaps(const HdType *t)
{
    return is_handle(t) || t->kind == HD_T_SAMPLED_IMAGE;
}

static bool is_opaque_bindless(const HdType *t)
{
    return is_handle(t) || is_structure(t);
}

static bool is_opaque(const HdType *t)
{
    return is_opaque_with_heaps(t) || is_structure(t) || t->kind == HD_T_IMAGE ||
           t->kind == HD_T_SAMPLER;
}

/* Structures say it of themselves. */
static bool holds_opaque(const HdVal *v, const HdType *t)
{
    bool heap = hd_val_cap(v, SpvCapabilityDescriptorHeapEXT);
    bool bindless = hd_val_cap(v, SpvCapabilityBindlessTextureNV);

    if (t->kind == HD_T_STRUCT)
        return false;
    return hd_type_holds(v, t,
                         bindless && heap ? is_handle
                         : bindless       ? is_opaque_bindless
                         : heap           ? is_opaque_with_heaps
                                          : is_opaque);
}

HdStatus hd_vulkan_type_struct(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_module_type(v->m, in->w[1]);
    bool heap = hd_val_cap(v, SpvCapabilityDescriptorHeapEXT);

    for (uint32_t i = 0; t != NULL && t->kind == HD_T_STRUCT && i < t->count; i++) {
        const HdType *member = hd_type_member(v->m, t, i);

        if (member->kind == HD_T_RUNTIME_ARRAY && i + 1 < t->count)
            return hd_val_fail_spec(v, in, "vulkan.runtime-member",
                                    VUID("OpTypeRuntimeArray", "04680"),
                                    "member %u has no length and is not the last one", (unsigned)i);
        if (member->kind == HD_T_RUNTIME_ARRAY &&
            hd_module_decoration(v->m, t->id, SpvDecorationBlock) == NULL &&
            hd_module_decoration(v->m, t->id, SpvDecorationBufferBlock) == NULL)
            return hd_val_fail_spec(v, in, "vulkan.runtime-block",
                                    VUID("OpTypeRuntimeArray", "04680"),
                                    "a structure that ends in an array without length is "
                                    "decorated Block or BufferBlock");
        if (holds_opaque(v, member))
            return hd_val_fail_spec(
                v, in, "vulkan.opaque-member",
                heap ? VUID("DescriptorHeapEXT", "11482") : VUID("None", "04667"),
                "member %u is opaque, which members of structures are not", (unsigned)i);
    }
    return HD_OK;
}

/* ---- images ---------------------------------------------------------------------------------- */

static bool is_integer_format(uint32_t format)
{
    return (format >= SpvImageFormatRgba32i && format <= SpvImageFormatR8ui) ||
           format == SpvImageFormatR64ui || format == SpvImageFormatR64i;
}

HdStatus hd_vulkan_type_image(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_module_type(v->m, in->w[2]);
    uint32_t dim = in->w[3], arrayed = in->w[5], sampled = in->w[7], format = in->w[8];
    bool wide = format == SpvImageFormatR64ui || format == SpvImageFormatR64i;
    bool integer = t != NULL && t->kind == HD_T_INT;

    if (t == NULL || !(integer || t->kind == HD_T_FLOAT) ||
        (t->bits != 32 && !(integer && t->bits == 64)))
        return hd_val_fail_spec(v, in, "vulkan.image-type", VUID("OpTypeImage", "04656"),
                                "the sampled type is a 32-bit float or a 32- or 64-bit integer");
    if (sampled == 0)
        return hd_val_fail_spec(v, in, "vulkan.image-sampled", VUID("OpTypeImage", "04657"),
                                "Sampled must be 1 or 2");
    if (dim == SpvDimSubpassData && (arrayed != 0 || sampled != 2))
        return hd_val_fail_spec(v, in, "vulkan.image-subpass", VUID("OpTypeImage", "06214"),
                                "a subpass image is not arrayed, and its Sampled is 2");
    if (dim == SpvDimRect)
        return hd_val_fail_spec(v, in, "vulkan.image-rect", VUID("OpTypeImage", "09638"),
                                "Dim must not be Rect");
    if (format != SpvImageFormatUnknown &&
        (is_integer_format(format) != integer || (integer && wide != (t->bits == 64))))
        return hd_val_fail_spec(v, in, "vulkan.image-format", VUID("Image", "04965"),
                                "the format's numbers are not those of the sampled type");
    return HD_OK;
}

/* ---- cooperative matrices -------------------------------------------------------------------- */

HdStatus hd_vulkan_type_coop_matrix(HdVal *v, const HdInst *in)
{
    uint64_t scope;

    if (hd_val_known_part(v, in->w[3], 0, &scope) && scope != SpvScopeWorkgroup &&
        scope != SpvScopeSubgroup)
        return hd_val_fail_spec(v, in, "vulkan.matrix-scope", VUID("Scope", "12243"),
                                "the scope of a matrix is Workgroup or Subgroup");
    return HD_OK;
}
