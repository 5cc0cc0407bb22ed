/* ops/shader/shader_vulkan_rule.c -- rules that Vulkan adds to bits of numbers, and to barriers of
 * which both halves are instructions.
 *
 * Spec: Vulkan, "Standalone SPIR-V Validation"; the statement's identifier is the section of the
 * finding.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/vulkan_rules.h"
#include "val/models.h"

/* OpBitcastExtractEXT: 3 base. */
HdStatus hd_vulkan_bitcast_extract(HdVal *v, const HdInst *in)
{
    const HdType *base = hd_val_operand(v, in, 3), *t = hd_type_scalar(hd_val_result(v, in));

    if (base != NULL && !hd_is_int(base))
        return hd_val_fail_spec(v, in, "vulkan.extract-base", HD_VUID_SPIRV("Base", "12469"),
                                "the base is an integer or a vector of integers");
    if (t->kind != HD_T_FLOAT || t->bits >= 8)
        return hd_val_fail_spec(v, in, "vulkan.extract-result", HD_VUID_SPIRV("Result", "12468"),
                                "the result is of numbers with four or six bits");
    return HD_OK;
}

HdStatus hd_vulkan_split_barrier(HdVal *v, const HdInst *in)
{
    const uint32_t allowed = HD_MODEL_GL_COMPUTE | HD_MODEL_KERNEL | HD_MODEL_OTHERS;

    if (hd_val_reached_by(v) & ~allowed)
        return hd_val_fail_spec(v, in, "vulkan.split-barrier",
                                HD_VUID_SPIRV("SplitBarrierEXT", "13552"),
                                "split barriers are for compute shaders");
    return HD_OK;
}
