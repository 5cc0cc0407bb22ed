/* ops/shader/shader_rule.c -- rules of what only graphics has: primitives, mesh outputs, helper
 * invocations, raw access chains, extracted bits.
 *
 * Spec: SPIR-V, "Primitive Instructions"; SPV_EXT_mesh_shader; SPV_EXT_demote_to_helper_invocation;
 * SPV_NV_raw_access_chains; SPV_EXT_ocp_microscaling_types.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/bitset.h"
#include "ops/shader_rules.h"

static bool is_uint_word(const HdType *t)
{
    return hd_is_int_scalar(t) && t->bits == 32 && !t->is_signed;
}

/* OpEmitStreamVertex, OpEndStreamPrimitive: 1 stream. */
HdStatus hd_rule_stream(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_is_int_scalar(hd_val_operand(v, in, 1)) && hd_val_is_constant(v, in->w[1]),
            "shader.stream", "Stream is not an integer constant");
    return HD_OK;
}

/* OpEmitMeshTasksEXT: 1 to 3 group counts, [4 payload]. OpSetMeshOutputsEXT: 1 vertices, 2
 * primitives; how many there may be is checked where the entry points' modes are known. */
HdStatus hd_rule_mesh(HdVal *v, const HdInst *in)
{
    uint32_t counts = in->opix == HD_OPIX_EmitMeshTasksEXT ? 3 : 2;
    HdInst payload;

    for (uint32_t i = 1; i <= counts; i++)
        HD_RULE(is_uint_word(hd_val_operand(v, in, i)), "shader.mesh-count",
                "operand %u is not a 32-bit unsigned integer scalar", hd_val_number(in, i));
    if (in->opix == HD_OPIX_EmitMeshTasksEXT && in->nwords > 4)
        HD_RULE(hd_module_def(v->m, in->w[4], &payload) && payload.opix == HD_OPIX_Variable &&
                    payload.w[3] == SpvStorageClassTaskPayloadWorkgroupEXT,
                "shader.mesh-payload",
                "Payload is not a variable of storage class TaskPayloadWorkgroupEXT");
    return HD_OK;
}

HdStatus hd_rule_is_helper(HdVal *v, const HdInst *in)
{
    HD_RULE(hd_is_bool_scalar(hd_val_result(v, in)), "shader.helper-result",
            "the result is not a bool scalar");
    return HD_OK;
}

/* OpBitcastExtractEXT: 3 base, 4 offset. */
HdStatus hd_rule_bitcast_extract(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in), *base = hd_val_operand(v, in, 3);

    HD_RULE(hd_is_numeric(t), "shader.extract-result", "the result is not a number or vector");
    HD_RULE(base != NULL && hd_is_numeric(base) && hd_type_lanes(base) == hd_type_lanes(t),
            "shader.extract-base", "Base is not a number of as many components as the result");
    HD_RULE(hd_type_bits(base) > hd_type_bits(t), "shader.extract-base",
            "the components of Base are not wider than those of the result");
    HD_RULE(hd_is_int_scalar(hd_val_operand(v, in, 4)), "shader.extract-offset",
            "Offset is not an integer scalar");
    return HD_OK;
}

/* OpSamplerImageAddressingModeNV: 1 bits. Spec: SPV_NV_bindless_texture. */
HdStatus hd_rule_sampler_addressing(HdVal *v, const HdInst *in)
{
    HD_RULE(in->w[1] == 32 || in->w[1] == 64, "shader.sampler-bits",
            "samplers and images are addressed by 32 or 64 bits");
    return HD_OK;
}

/* ---- raw access chains --------------------------------------------------------------------- */

static HdStatus raw_robustness(HdVal *v, const HdInst *in, uint32_t storage, uint32_t mask)
{
    const uint32_t component = SpvRawAccessChainOperandsRobustnessPerComponentNVMask,
                   element = SpvRawAccessChainOperandsRobustnessPerElementNVMask;
    uint64_t stride;

    HD_RULE(!(mask & component) || !(mask & element), "chain.raw-robustness",
            "robustness per component and per element exclude each other");
    HD_RULE(!(mask & (component | element)) || storage != SpvStorageClassPhysicalStorageBuffer,
            "chain.raw-robustness", "physical storage buffers have no robustness");
    HD_RULE(!(mask & element) || !hd_val_known_part(v, in->w[4], 0, &stride) || stride != 0,
            "chain.raw-robustness", "robustness per element needs a stride that is not 0");
    return HD_OK;
}

/* OpRawAccessChainNV: 3 base, 4 stride, 5 index, 6 offset, [7 operands]. */
HdStatus hd_rule_raw_chain(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(hd_is_pointer(t) && !t->is_untyped, "chain.raw-result", "the result is not a pointer");
    HD_RULE(t->storage == SpvStorageClassStorageBuffer ||
                t->storage == SpvStorageClassPhysicalStorageBuffer ||
                t->storage == SpvStorageClassUniform,
            "chain.raw-result", "raw access chains are for buffers only");
    HD_RULE(hd_type_element(t)->kind != HD_T_ARRAY && hd_type_element(t)->kind != HD_T_MATRIX &&
                hd_type_element(t)->kind != HD_T_STRUCT,
            "chain.raw-result", "the result points to an array, matrix or structure");
    HD_RULE(hd_module_opix(v->m, in->w[4]) == HD_OPIX_Constant &&
                hd_is_int_scalar(hd_val_operand(v, in, 4)),
            "chain.raw-stride", "the stride is not an integer OpConstant");
    for (uint32_t i = 5; i <= 6; i++) {
        const HdType *x = hd_val_operand(v, in, i);

        HD_RULE(hd_is_int_scalar(x) && x->bits == 32, "chain.raw-index",
                "%s is not a 32-bit integer", i == 5 ? "the index" : "the offset");
    }
    return raw_robustness(v, in, t->storage, in->nwords > 7 ? in->w[7] : 0);
}
