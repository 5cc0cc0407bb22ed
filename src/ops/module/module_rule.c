/* ops/module/module_rule.c -- rules of names, lines, memory model, entry points and modes.
 *
 * Spec: SPIR-V, "Mode-Setting Instructions", "Debug Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/decoration.h"
#include "ops/rules.h"

HdStatus hd_rule_name(HdVal *v, const HdInst *in)
{
    HdInst t;

    if (in->opix != HD_OPIX_MemberName)
        return HD_OK;
    HD_RULE(hd_module_def(v->m, in->w[1], &t) && t.opix == HD_OPIX_TypeStruct, "module.member-name",
            "id %u is not a structure type", (unsigned)in->w[1]);
    HD_RULE(in->w[2] < t.nwords - 2u, "module.member-name", "the structure has no member %u",
            (unsigned)in->w[2]);
    return HD_OK;
}

HdStatus hd_rule_line(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_module_opix(v->m, in->w[1]) == HD_OPIX_String, "module.line-file",
            "id %u is not an OpString", (unsigned)in->w[1]);
    return HD_OK;
}

HdStatus hd_rule_memory_model(HdVal *v, const HdInst *in)
{
    uint32_t a = in->w[1], m = in->w[2];

    HD_RULE(m == SpvMemoryModelVulkan || !hd_val_cap(v, SpvCapabilityVulkanMemoryModel),
            "module.memory-model", "capability VulkanMemoryModel demands the Vulkan memory model");
    HD_RULE(!v->shader || !hd_val_cap(v, SpvCapabilityCooperativeMatrixKHR) ||
                hd_val_cap(v, SpvCapabilityVulkanMemoryModel),
            "coop.memory-model",
            "with capability Shader CooperativeMatrixKHR needs capability VulkanMemoryModel");
    if (!hd_val_opencl(v))
        return HD_OK;
    HD_RULE(a == SpvAddressingModelPhysical32 || a == SpvAddressingModelPhysical64,
            "module.addressing-model", "in OpenCL addressing is Physical32 or Physical64");
    HD_RULE(m == SpvMemoryModelOpenCL, "module.memory-model",
            "in OpenCL the memory model is OpenCL");
    return HD_OK;
}

/* ---- entry points -------------------------------------------------------------------------- */

static HdStatus interface(HdVal *v, const HdInst *in, const HdEntryPoint *e)
{
    uint32_t payloads = 0;

    for (uint32_t i = 0; i < e->interface_count; i++) {
        HdInst var;

        HD_RULE(hd_module_def(v->m, e->interface[i], &var) && hd_inst_is_variable(&var) &&
                    var.word < v->m->first_function,
                "entry.interface", "id %u is not a module-scope variable",
                (unsigned)e->interface[i]);
        HD_RULE(v->m->version >= 0x10400 || var.w[3] == SpvStorageClassInput ||
                    var.w[3] == SpvStorageClassOutput,
                "entry.interface-storage",
                "before SPIR-V 1.4 an interface holds Input and Output variables only");
        payloads += var.w[3] == SpvStorageClassTaskPayloadWorkgroupEXT;
        HD_RULE(payloads < 2, "entry.task-payload",
                "an interface has one variable of storage class TaskPayloadWorkgroupEXT at most");
    }
    return HD_OK;
}

/* Parameters that a kernel may have. Spec: OpenCL SPIR-V Environment Specification, "Kernels". */
/* Structures by value come as pointers that are decorated so. */
static bool by_value(const HdVal *v, HdId function, uint32_t index)
{
    const HdFunction *f = hd_module_function(v->m, function);

    if (f == NULL || index >= f->param_count)
        return true; /* the function's rule says it */
    return hd_module_is_decorated(v->m, hd_function_param(v->m, f, index).w[2],
                                  SpvDecorationFuncParamAttr, SpvFunctionParameterAttributeByVal);
}

/* No host has a representation of these. */
static bool not_passed(const HdType *t)
{
    switch (t->kind) {
    case HD_T_BOOL:
    case HD_T_RUNTIME_ARRAY:
    case HD_T_MATRIX:
    case HD_T_IMAGE:
    case HD_T_SAMPLER:
    case HD_T_SAMPLED_IMAGE:
    case HD_T_EVENT:
    case HD_T_DEVICE_EVENT:
    case HD_T_RESERVE_ID:
    case HD_T_QUEUE:
    case HD_T_PIPE:
    case HD_T_PIPE_STORAGE:
    case HD_T_NAMED_BARRIER:
    case HD_T_OPAQUE: return true;
    default: return false;
    }
}

static HdStatus kernel_parameter(HdVal *v, const HdInst *in, const HdType *t, uint32_t index)
{
    switch (t->kind) {
    case HD_T_VECTOR:
    case HD_T_STRUCT:
        HD_RULE(!hd_type_holds(v, t, not_passed), "entry.parameter",
                "a kernel cannot have a parameter that holds such a type");
        return HD_OK;
    case HD_T_BOOL:
    case HD_T_PIPE_STORAGE:
    case HD_T_OPAQUE:
    case HD_T_EVENT:
    case HD_T_DEVICE_EVENT:
    case HD_T_RESERVE_ID:
    case HD_T_NAMED_BARRIER:
    case HD_T_ARRAY:
    case HD_T_RUNTIME_ARRAY:
    case HD_T_MATRIX:
    case HD_T_SAMPLED_IMAGE:
        return hd_val_fail(v, in, "entry.parameter",
                           "a kernel cannot have a parameter of this "
                           "type");
    case HD_T_POINTER:
        /* Shipping producers make entry points of blocks, whose parameter is generic. */
        if (t->storage == SpvStorageClassGeneric &&
            (v->options->to_build || hd_val_cap(v, SpvCapabilityDeviceEnqueue)))
            return hd_val_warn(v, in, "entry.parameter-generic",
                               "a kernel has a pointer parameter of storage class Generic");
        HD_RULE(t->storage == SpvStorageClassCrossWorkgroup ||
                    t->storage == SpvStorageClassWorkgroup ||
                    t->storage == SpvStorageClassUniformConstant ||
                    t->storage == SpvStorageClassFunction ||
                    t->storage == SpvStorageClassDeviceOnlyINTEL ||
                    t->storage == SpvStorageClassHostOnlyINTEL ||
                    t->storage == SpvStorageClassCodeSectionINTEL,
                "entry.parameter-storage",
                "a kernel cannot have a pointer parameter of this storage class");
        HD_RULE(t->storage != SpvStorageClassFunction || by_value(v, in->w[2], index),
                "entry.parameter-storage",
                "a kernel's pointer parameter of storage class Function must be decorated ByVal");
        return HD_OK;
    default: return HD_OK;
    }
}

/* What a Workgroup variable holds, when that is a block. */
static bool is_block_variable(const HdVal *v, const HdInst *var)
{
    const HdType *data = hd_val_held(v, hd_inst_result(var));

    return data != NULL && hd_module_decoration(v->m, data->id, SpvDecorationBlock) != NULL;
}

/* Spec: SPV_KHR_workgroup_memory_explicit_layout, as SPV_KHR_untyped_pointers changes it. */
static HdStatus workgroup_blocks(HdVal *v, const HdInst *in, const HdEntryPoint *e)
{
    uint32_t blocks = 0, others = 0, aliased = 0;
    bool allowed = hd_val_cap(v, SpvCapabilityWorkgroupMemoryExplicitLayoutKHR);

    for (uint32_t i = 0; i < e->interface_count; i++) {
        HdInst var;

        if (!hd_module_def(v->m, e->interface[i], &var) || var.w[3] != SpvStorageClassWorkgroup)
            continue;
        if (!is_block_variable(v, &var)) {
            HD_RULE(var.opix != HD_OPIX_UntypedVariableKHR || !v->shader || v->kernel,
                    "entry.workgroup-untyped",
                    "an untyped Workgroup variable holds a structure that is a Block");
            others++;
            continue;
        }
        HD_RULE(allowed, "entry.workgroup-capability",
                "Workgroup variables that hold blocks need capability "
                "WorkgroupMemoryExplicitLayoutKHR");
        if (var.opix == HD_OPIX_UntypedVariableKHR)
            continue; /* it points to no type */
        blocks++;
        aliased += hd_module_decoration(v->m, e->interface[i], SpvDecorationAliased) != NULL;
    }
    if (!allowed)
        return HD_OK;
    HD_RULE(blocks == 0 || others == 0, "entry.workgroup-blocks",
            "all Workgroup variables of an interface hold blocks, or none does");
    HD_RULE(blocks < 2 || aliased == blocks || hd_val_cap(v, SpvCapabilityUntypedPointersKHR),
            "entry.workgroup-aliased",
            "where several Workgroup variables hold blocks, all are decorated Aliased");
    return HD_OK;
}

HdStatus hd_rule_entry_point(HdVal *v, const HdInst *in)
{
    HdInst f;
    const HdType *t;
    HdEntryPoint e = {.interface_count = 0};
    uint32_t behind = 3 + hd_inst_string_words(in, 3);

    e.interface = in->w + behind;
    e.interface_count = in->nwords - behind;
    HD_RULE(hd_module_def(v->m, in->w[2], &f) && f.opix == HD_OPIX_Function, "entry.function",
            "id %u is not a function", (unsigned)in->w[2]);
    t = hd_module_type(v->m, f.w[4]);
    HD_RULE(t == NULL || t->kind != HD_T_FUNCTION || hd_type_element(t)->kind == HD_T_VOID ||
                hd_type_element(t)->id != f.w[1], /* call.function-result says it */
            "entry.result", "an entry point must return void");
    if (in->w[1] == SpvExecutionModelKernel) {
        for (uint32_t i = 0;
             hd_val_opencl(v) && t != NULL && t->kind == HD_T_FUNCTION && i < t->count; i++)
            HD_TRY(kernel_parameter(v, in, hd_type_member(v->m, t, i), i));
    } else {
        HD_RULE(!hd_val_opencl(v), "entry.model", "OpenCL entry points are kernels");
        HD_RULE(t == NULL || t->kind != HD_T_FUNCTION || t->count == 0, "entry.parameters",
                "a shader's entry point has no parameters");
    }
    HD_TRY(interface(v, in, &e));
    return workgroup_blocks(v, in, &e);
}

/* ---- execution modes ----------------------------------------------------------------------- */

bool hd_val_mode_repeats(uint32_t mode)
{
    switch (mode) {
    case SpvExecutionModeContractionOff: return true;
    default: return hd_val_mode_per_type(mode);
    }
}

bool hd_val_mode_per_type(uint32_t mode)
{
    switch (mode) {
    case SpvExecutionModeDenormPreserve:
    case SpvExecutionModeDenormFlushToZero:
    case SpvExecutionModeSignedZeroInfNanPreserve:
    case SpvExecutionModeRoundingModeRTE:
    case SpvExecutionModeRoundingModeRTZ:
    case SpvExecutionModeFPFastMathDefault:
    case SpvExecutionModeRoundingModeRTPINTEL:
    case SpvExecutionModeRoundingModeRTNINTEL:
    case SpvExecutionModeFloatingPointModeALTINTEL:
    case SpvExecutionModeFloatingPointModeIEEEINTEL: return true;
    default: return false;
    }
}

static bool id_mode(uint32_t mode)
{
    const HdEnumerant *e = hd_gram_enumerant(HD_KIND_ExecutionMode, mode);

    for (unsigned i = 0; e != NULL && i < e->parameter_count; i++)
        if (e->parameters[i].klass == HD_OPERAND_ID)
            return true;
    return false;
}

/* Modes by the execution models that have them. */
static bool model_has(uint32_t model, uint32_t mode)
{
    bool tess = model == SpvExecutionModelTessellationControl ||
                model == SpvExecutionModelTessellationEvaluation;
    bool mesh = model == SpvExecutionModelMeshNV || model == SpvExecutionModelMeshEXT;

    switch (mode) {
    case SpvExecutionModeInvocations:
    case SpvExecutionModeInputPoints:
    case SpvExecutionModeInputLines:
    case SpvExecutionModeInputLinesAdjacency:
    case SpvExecutionModeInputTrianglesAdjacency:
    case SpvExecutionModeOutputLineStrip:
    case SpvExecutionModeOutputTriangleStrip: return model == SpvExecutionModelGeometry;
    case SpvExecutionModeOutputPoints: return model == SpvExecutionModelGeometry || mesh;
    case SpvExecutionModeTriangles: return model == SpvExecutionModelGeometry || tess;
    case SpvExecutionModeOutputVertices: return model == SpvExecutionModelGeometry || tess || mesh;
    case SpvExecutionModeOutputLinesEXT:
    case SpvExecutionModeOutputTrianglesEXT:
    case SpvExecutionModeOutputPrimitivesEXT: return mesh;
    case SpvExecutionModeSpacingEqual:
    case SpvExecutionModeSpacingFractionalEven:
    case SpvExecutionModeSpacingFractionalOdd:
    case SpvExecutionModeVertexOrderCw:
    case SpvExecutionModeVertexOrderCcw:
    case SpvExecutionModePointMode:
    case SpvExecutionModeQuads:
    case SpvExecutionModeIsolines: return tess;
    case SpvExecutionModePixelCenterInteger:
    case SpvExecutionModeOriginUpperLeft:
    case SpvExecutionModeOriginLowerLeft:
    case SpvExecutionModeEarlyFragmentTests:
    case SpvExecutionModeNonCoherentColorAttachmentReadEXT:
    case SpvExecutionModeNonCoherentDepthAttachmentReadEXT:
    case SpvExecutionModeNonCoherentStencilAttachmentReadEXT:
    case SpvExecutionModePostDepthCoverage:
    case SpvExecutionModeStencilRefReplacingEXT:
    case SpvExecutionModePixelInterlockOrderedEXT:
    case SpvExecutionModePixelInterlockUnorderedEXT:
    case SpvExecutionModeSampleInterlockOrderedEXT:
    case SpvExecutionModeSampleInterlockUnorderedEXT:
    case SpvExecutionModeShadingRateInterlockOrderedEXT:
    case SpvExecutionModeShadingRateInterlockUnorderedEXT:
    case SpvExecutionModeEarlyAndLateFragmentTestsAMD:
    case SpvExecutionModeStencilRefUnchangedFrontAMD:
    case SpvExecutionModeStencilRefGreaterFrontAMD:
    case SpvExecutionModeStencilRefLessFrontAMD:
    case SpvExecutionModeStencilRefUnchangedBackAMD:
    case SpvExecutionModeStencilRefGreaterBackAMD:
    case SpvExecutionModeStencilRefLessBackAMD:
    case SpvExecutionModeDepthReplacing:
    case SpvExecutionModeDepthGreater:
    case SpvExecutionModeDepthLess:
    case SpvExecutionModeDepthUnchanged: return model == SpvExecutionModelFragment;
    case SpvExecutionModeLocalSizeHint:
    case SpvExecutionModeVecTypeHint:
    case SpvExecutionModeContractionOff:
    case SpvExecutionModeLocalSizeHintId: return model == SpvExecutionModelKernel;
    case SpvExecutionModeLocalSize:
    case SpvExecutionModeLocalSizeId:
        return model == SpvExecutionModelKernel || model == SpvExecutionModelGLCompute || mesh ||
               model == SpvExecutionModelTaskNV || model == SpvExecutionModelTaskEXT;
    default: return true;
    }
}

/* Components of a vector, 0 or 1 for a scalar, and above them a type from 0, 8-bit integers, to 6,
 * doubles. */
static bool is_vector_hint(uint32_t hint)
{
    uint32_t count = hint >> 16;

    return (hint & 0xffff) <= 6 && (count <= 4 || count == 8 || count == 16);
}

/* Operands after the mode that must not be 0 (sizes), or must be constants (ids). */
static HdStatus mode_operands(HdVal *v, const HdInst *in)
{
    switch (in->w[2]) {
    case SpvExecutionModeLocalSize:
        HD_RULE(in->w[3] != 0 && in->w[4] != 0 && in->w[5] != 0, "mode.local-size",
                "a local size must not be 0");
        return HD_OK;
    case SpvExecutionModeVecTypeHint:
        HD_RULE(is_vector_hint(in->w[3]), "mode.vector-hint",
                "0x%x names no vector: components above 16 bits that number a type up to 6",
                (unsigned)in->w[3]);
        return HD_OK;
    case SpvExecutionModeDenormPreserve:
    case SpvExecutionModeDenormFlushToZero:
    case SpvExecutionModeSignedZeroInfNanPreserve:
    case SpvExecutionModeRoundingModeRTE:
    case SpvExecutionModeRoundingModeRTZ:
        HD_RULE(in->w[3] == 16 || in->w[3] == 32 || in->w[3] == 64, "mode.float-width",
                "there are no floats of %u bits", (unsigned)in->w[3]);
        return HD_OK;
    case SpvExecutionModeLocalSizeId:
    case SpvExecutionModeLocalSizeHintId:
    case SpvExecutionModeSubgroupsPerWorkgroupId:
    case SpvExecutionModeMaximumRegistersIdINTEL:
        for (uint32_t i = 3; i < in->nwords; i++) {
            uint64_t size;

            HD_RULE(hd_val_is_constant(v, in->w[i]) && hd_is_int_scalar(hd_val_operand(v, in, i)),
                    "mode.id-constant", "id %u is not an integer constant", (unsigned)in->w[i]);
            HD_RULE(in->w[2] != SpvExecutionModeLocalSizeId ||
                        !hd_module_constant_u64(v->m, in->w[i], &size) || size != 0 ||
                        hd_val_is_open(v, hd_module_constant(v->m, in->w[i])),
                    "mode.local-size", "a local size must not be 0");
        }
        return HD_OK;
    case SpvExecutionModeOpacityMicromapIdKHR:
        HD_RULE(hd_val_is_constant(v, in->w[3]) && hd_is_bool_scalar(hd_val_operand(v, in, 3)),
                "mode.id-constant", "id %u is not a bool constant", (unsigned)in->w[3]);
        return HD_OK;
    default: return HD_OK;
    }
}

HdStatus hd_rule_execution_mode(HdVal *v, const HdInst *in)
{
    uint32_t at = 0, model;

    while (hd_val_next_model(v, in->w[1], &at, &model))
        HD_RULE(model_has(model, in->w[2]) || hd_val_lacks(v, HD_KIND_ExecutionMode, in->w[2]),
                "mode.model", "an entry point of this execution model does not have this mode");
    if (v->m->entry_count == 0 && !hd_val_cap(v, SpvCapabilityLinkage))
        return HD_OK; /* entry.none says it */
    HD_RULE(at != 0, "mode.entry-point", "id %u is not an entry point", (unsigned)in->w[1]);
    HD_RULE((in->opix == HD_OPIX_ExecutionModeId) == id_mode(in->w[2]), "mode.ids",
            in->opix == HD_OPIX_ExecutionModeId
                ? "OpExecutionModeId is for modes whose operands are ids"
                : "a mode whose operands are ids is set by OpExecutionModeId");
    return mode_operands(v, in);
}
