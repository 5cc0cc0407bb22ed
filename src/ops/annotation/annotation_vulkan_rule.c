/* ops/annotation/annotation_vulkan_rule.c -- rules that Vulkan adds to decorations.
 *
 * Spec: Vulkan, "Standalone SPIR-V Validation"; the statement's identifier is the section of the
 * finding.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/decoration.h"
#include "ops/vulkan_rules.h"

#define VUID HD_VUID_SPIRV
/* Arrays of arrays that are walked over, of inputs and outputs: more are no interface, and many
 * uses of a deep type would take long. */
#define MOST_ARRAYS 64u

static bool has_locations(uint32_t storage)
{
    switch (storage) {
    case SpvStorageClassInput:
    case SpvStorageClassOutput:
    case SpvStorageClassRayPayloadKHR:
    case SpvStorageClassIncomingRayPayloadKHR:
    case SpvStorageClassHitAttributeKHR:
    case SpvStorageClassHitObjectAttributeNV:
    case SpvStorageClassHitObjectAttributeEXT:
    case SpvStorageClassCallableDataKHR:
    case SpvStorageClassIncomingCallableDataKHR:
    case SpvStorageClassShaderRecordBufferKHR:
    case SpvStorageClassTileImageEXT: return true;
    default: return false;
    }
}

static bool has_descriptors(uint32_t storage)
{
    return storage == SpvStorageClassStorageBuffer || storage == SpvStorageClassUniform ||
           storage == SpvStorageClassUniformConstant ||
           storage == SpvStorageClassTileAttachmentQCOM;
}

/* What a decoration of a variable asks of its storage class. */
static HdStatus storage_of(HdVal *v, const HdInst *in, uint32_t storage)
{
    switch (in->w[2]) {
    case SpvDecorationLocation:
    case SpvDecorationComponent:
        if (!has_locations(storage))
            return hd_val_fail_spec(v, in, "vulkan.location-storage", VUID("Location", "06672"),
                                    "Location and Component are for inputs and outputs, and what "
                                    "ray tracing passes on");
        return HD_OK;
    case SpvDecorationBinding:
    case SpvDecorationDescriptorSet:
        if (!has_descriptors(storage))
            return hd_val_fail_spec(v, in, "vulkan.binding-storage", VUID("DescriptorSet", "06491"),
                                    "Binding and DescriptorSet are for storage classes "
                                    "StorageBuffer, Uniform and UniformConstant");
        return HD_OK;
    case SpvDecorationPerVertexKHR:
        if (storage != SpvStorageClassInput)
            return hd_val_fail_spec(v, in, "vulkan.per-vertex", VUID("PerVertexKHR", "06777"),
                                    "PerVertexKHR is for inputs");
        return HD_OK;
    case SpvDecorationIndex:
        if (storage != SpvStorageClassOutput)
            return hd_val_fail_spec(v, in, "vulkan.index", VUID("Location", "06672"),
                                    "Index is for outputs");
        return HD_OK;
    default: return HD_OK;
    }
}

/* A component begins inside of a location's four words, and what begins there ends there. */
static HdStatus component(HdVal *v, const HdInst *in, const HdType *t, uint32_t first)
{
    uint32_t words;

    for (unsigned i = 0; i < MOST_ARRAYS && t != NULL && t->kind == HD_T_ARRAY; i++)
        t = hd_type_element(t);
    if (t == NULL)
        return HD_OK;
    if (!hd_is_int(t) && !hd_is_float(t))
        return hd_val_fail_spec(v, in, "vulkan.component-type", VUID("Component", "10583"),
                                "Component is for numbers, vectors and arrays of them");
    if (first > 3)
        return hd_val_fail_spec(v, in, "vulkan.component", VUID("Component", "04920"),
                                "a component is at most 3");
    words = hd_type_lanes(t) * (hd_type_bits(t) == 64 ? 2 : 1);
    if (hd_type_bits(t) == 64 && hd_type_lanes(t) > 2)
        return hd_val_fail_spec(v, in, "vulkan.component-wide", VUID("Component", "07703"),
                                "vectors of more than two 64-bit numbers have no Component");
    if (hd_type_bits(t) == 64 && first % 2 != 0)
        return hd_val_fail_spec(v, in, "vulkan.component-odd", VUID("Component", "04923"),
                                "a 64-bit number begins at component 0 or 2");
    if (first + words > 4)
        return hd_val_fail_spec(
            v, in, "vulkan.component-end",
            hd_type_bits(t) == 64 ? VUID("Component", "04922") : VUID("Component", "04921"),
            "what begins at component %u ends behind component 3", (unsigned)first);
    return HD_OK;
}

HdStatus hd_vulkan_decorate(HdVal *v, const HdInst *in)
{
    const HdType *p = hd_module_type_of(v->m, in->w[1]);

    switch (in->w[2]) {
    case SpvDecorationGLSLShared:
    case SpvDecorationGLSLPacked:
        return hd_val_fail_spec(v, in, "vulkan.glsl-layout", VUID("GLSLShared", "04669"),
                                "GLSLShared and GLSLPacked are not in Vulkan");
    case SpvDecorationFPRoundingMode:
        if (in->w[3] != SpvFPRoundingModeRTE && in->w[3] != SpvFPRoundingModeRTZ)
            return hd_val_fail_spec(v, in, "vulkan.rounding", VUID("FPRoundingMode", "04675"),
                                    "the rounding mode is RTE or RTZ");
        return HD_OK;
    default: break;
    }
    if (!hd_is_pointer(p))
        return HD_OK;
    HD_TRY(storage_of(v, in, p->storage));
    if ((in->w[2] == SpvDecorationLocation || in->w[2] == SpvDecorationComponent) &&
        hd_module_decoration(v->m, in->w[1], SpvDecorationBuiltIn) != NULL)
        return hd_val_fail_spec(v, in, "vulkan.location-builtin", VUID("Location", "04915"),
                                "a built-in variable has no Location");
    if (in->w[2] == SpvDecorationPerVertexKHR && hd_val_held(v, in->w[1]) != NULL &&
        hd_val_held(v, in->w[1])->kind != HD_T_ARRAY &&
        hd_val_held(v, in->w[1])->kind != HD_T_RUNTIME_ARRAY)
        return hd_val_fail_spec(v, in, "vulkan.per-vertex-array", VUID("Input", "06778"),
                                "what is PerVertexKHR is an array");
    return in->w[2] == SpvDecorationComponent ? component(v, in, hd_val_held(v, in->w[1]), in->w[3])
                                              : HD_OK;
}

HdStatus hd_vulkan_member_decorate(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_module_type(v->m, in->w[1]);

    if (in->w[3] == SpvDecorationGLSLShared || in->w[3] == SpvDecorationGLSLPacked)
        return hd_val_fail_spec(v, in, "vulkan.glsl-layout", VUID("GLSLShared", "04669"),
                                "GLSLShared and GLSLPacked are not in Vulkan");
    if (in->w[3] == SpvDecorationComponent && t != NULL && t->kind == HD_T_STRUCT &&
        in->w[2] < t->count)
        return component(v, in, hd_type_member(v->m, t, in->w[2]), in->w[4]);
    return HD_OK;
}
