/* ops/module/module_vulkan_rule.c -- rules that Vulkan adds to entry points and their modes.
 *
 * Spec: Vulkan, "Standalone SPIR-V Validation"; the statement's identifier is the section of the
 * finding.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/decoration.h"
#include "ops/vulkan_rules.h"
#include "val/models.h"

#define VUID HD_VUID_SPIRV
/* Arrays of arrays that are walked over, of inputs and outputs: more are no interface, and many
 * uses of a deep type would take long. */
#define MOST_ARRAYS 64u

static bool is_array(const HdType *t)
{
    return t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY;
}

HdStatus hd_vulkan_memory_model(HdVal *v, const HdInst *in)
{
    if (in->w[1] != SpvAddressingModelLogical &&
        in->w[1] != SpvAddressingModelPhysicalStorageBuffer64)
        return hd_val_fail_spec(v, in, "vulkan.addressing", VUID("None", "04635"),
                                "the addressing model is Logical or PhysicalStorageBuffer64");
    return HD_OK;
}

/* ---- what the interface holds ---------------------------------------------------------------- */

/* Storage classes of which an interface has one variable. */
static const struct {
    uint32_t storage;
    const char *section;
} single[] = {
    {SpvStorageClassPushConstant, VUID("OpVariable", "06673")},
    {SpvStorageClassIncomingRayPayloadKHR, VUID("IncomingRayPayloadKHR", "04700")},
    {SpvStorageClassHitAttributeKHR, VUID("HitAttributeKHR", "04702")},
    {SpvStorageClassIncomingCallableDataKHR, VUID("IncomingCallableDataKHR", "04706")},
};

static HdStatus check_single(HdVal *v, const HdInst *in, uint32_t first)
{
    unsigned counts[sizeof single / sizeof *single] = {0};

    for (uint32_t i = first; i < in->nwords; i++) {
        const HdType *p = hd_val_operand(v, in, i);

        for (size_t k = 0; p != NULL && k < sizeof single / sizeof *single; k++)
            counts[k] += p->kind == HD_T_POINTER && p->storage == single[k].storage;
    }
    for (size_t k = 0; k < sizeof single / sizeof *single; k++)
        if (counts[k] > 1 && (single[k].storage != SpvStorageClassPushConstant ||
                              !hd_val_cap(v, SpvCapabilityPushConstantBanksNV)))
            return hd_val_fail_spec(
                v, in, "vulkan.interface-single", single[k].section,
                "the interface lists %u variables of storage class %s", counts[k],
                hd_gram_enumerant(HD_KIND_StorageClass, single[k].storage)->name);
    return HD_OK;
}

/* Inputs and outputs of graphics stages have locations, where they are no built-ins. */
static HdStatus location(HdVal *v, const HdInst *in, HdId id, uint32_t storage)
{
    const uint32_t stages = HD_MODEL_VERTEX | HD_MODEL_TESSELLATION_CONTROL |
                            HD_MODEL_TESSELLATION_EVALUATION | HD_MODEL_GEOMETRY |
                            HD_MODEL_FRAGMENT;
    const HdType *t = hd_val_held(v, id);

    if (t == NULL || !(hd_val_model_bit(in->w[1]) & stages) ||
        (storage != SpvStorageClassInput && storage != SpvStorageClassOutput) ||
        hd_module_decoration(v->m, id, SpvDecorationLocation) != NULL ||
        hd_module_decoration(v->m, id, SpvDecorationBuiltIn) != NULL)
        return HD_OK;
    for (unsigned i = 0; i < MOST_ARRAYS && is_array(t); i++)
        t = hd_type_element(t);
    if (t->kind == HD_T_STRUCT && hd_module_decoration(v->m, t->id, SpvDecorationBlock) != NULL)
        return HD_OK;
    if (t->kind == HD_T_STRUCT && /* its other members are built-ins as well */
        hd_module_member_decoration(v->m, t->id, 0, SpvDecorationBuiltIn) != NULL)
        return HD_OK;
    return hd_val_fail_spec(v, in, "vulkan.location", VUID("Location", "04917"),
                            "id %u is an input or output without Location", (unsigned)id);
}

/* Flat and its like say how the rasteriser interpolates: not into vertices, nor from fragments. */
static HdStatus interpolated(HdVal *v, const HdInst *in, HdId id, uint32_t storage)
{
    uint32_t model = in->w[1];
    bool said = hd_module_decoration(v->m, id, SpvDecorationFlat) != NULL ||
                hd_module_decoration(v->m, id, SpvDecorationNoPerspective) != NULL ||
                hd_module_decoration(v->m, id, SpvDecorationSample) != NULL ||
                hd_module_decoration(v->m, id, SpvDecorationCentroid) != NULL;

    if (said && storage == SpvStorageClassInput && model == SpvExecutionModelVertex)
        return hd_val_fail_spec(v, in, "vulkan.vertex-input", VUID("Flat", "06202"),
                                "inputs of vertices such as id %u are not interpolated",
                                (unsigned)id);
    if (said && storage == SpvStorageClassOutput && model == SpvExecutionModelFragment)
        return hd_val_fail_spec(v, in, "vulkan.fragment-output", VUID("Flat", "06201"),
                                "outputs of fragments such as id %u are not interpolated",
                                (unsigned)id);
    return HD_OK;
}

static HdStatus flat(HdVal *v, const HdInst *in, HdId id, uint32_t storage)
{
    const HdType *t = hd_val_held(v, id);

    if (t == NULL || in->w[1] != SpvExecutionModelFragment || storage != SpvStorageClassInput ||
        hd_module_decoration(v->m, id, SpvDecorationFlat) != NULL)
        return HD_OK;
    if (hd_is_int(t) || (hd_is_float_scalar(t) && t->bits == 64))
        return hd_val_fail_spec(v, in, "vulkan.flat", VUID("Flat", "04744"),
                                "integers and doubles that are inputs of fragments, such as id "
                                "%u, are decorated Flat",
                                (unsigned)id);
    return HD_OK;
}

HdStatus hd_vulkan_entry_point(HdVal *v, const HdInst *in)
{
    uint32_t first = 3 + hd_inst_string_words(in, 3);

    HD_TRY(check_single(v, in, first));
    for (uint32_t i = first; i < in->nwords; i++) {
        const HdType *p = hd_val_operand(v, in, i);

        if (p == NULL || p->kind != HD_T_POINTER)
            continue;
        HD_TRY(interpolated(v, in, in->w[i], p->storage));
        HD_TRY(flat(v, in, in->w[i], p->storage));
        HD_TRY(location(v, in, in->w[i], p->storage));
    }
    return HD_OK;
}

HdStatus hd_vulkan_execution_mode(HdVal *v, const HdInst *in)
{
    switch (in->w[2]) {
    case SpvExecutionModeOriginLowerLeft:
        return hd_val_fail_spec(v, in, "vulkan.origin", VUID("OriginLowerLeft", "04653"),
                                "fragments have their origin in the upper left");
    case SpvExecutionModePixelCenterInteger:
        return hd_val_fail_spec(v, in, "vulkan.pixel-centre", VUID("PixelCenterInteger", "04654"),
                                "the centres of pixels are at halves");
    case SpvExecutionModeLocalSizeId:
        if (!hd_val_feature(v, HD_VULKAN_MAINTENANCE4))
            return hd_val_fail_spec(v, in, "vulkan.local-size-id",
                                    HD_VUID("RuntimeSpirv", "LocalSizeId", "06434"),
                                    "LocalSizeId needs Vulkan 1.3, or a device with maintenance4 "
                                    "(--allow-localsizeid)");
        return HD_OK;
    case SpvExecutionModeOutputVertices:
        if (hd_val_cap(v, SpvCapabilityMeshShadingEXT) && in->w[3] == 0)
            return hd_val_fail_spec(v, in, "vulkan.mesh-vertices", VUID("MeshEXT", "07330"),
                                    "a mesh has vertices");
        return HD_OK;
    case SpvExecutionModeOutputPrimitivesEXT:
        if (hd_val_cap(v, SpvCapabilityMeshShadingEXT) && in->w[3] == 0)
            return hd_val_fail_spec(v, in, "vulkan.mesh-primitives", VUID("MeshEXT", "07331"),
                                    "a mesh has primitives");
        return HD_OK;
    default: return HD_OK;
    }
}
