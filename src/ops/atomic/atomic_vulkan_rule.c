/* ops/atomic/atomic_vulkan_rule.c -- rules that Vulkan adds to atomic operations.
 *
 * Spec: Vulkan, "Standalone SPIR-V Validation"; the statement's identifier is the section of the
 * finding.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/vulkan_rules.h"

static HdStatus pointer(HdVal *v, const HdInst *in, uint32_t at)
{
    const HdType *p = hd_val_operand(v, in, at);

    if (!hd_is_pointer(p))
        return HD_OK;
    switch (p->storage) {
    case SpvStorageClassUniform:
    case SpvStorageClassStorageBuffer:
    case SpvStorageClassWorkgroup:
    case SpvStorageClassImage:
    case SpvStorageClassPhysicalStorageBuffer:
    case SpvStorageClassTaskPayloadWorkgroupEXT: return HD_OK;
    default:
        return hd_val_fail_spec(v, in, "vulkan.atomic-storage", HD_VUID_SPIRV("None", "04686"),
                                "atomic operations are for memory that invocations share, not of "
                                "this storage class");
    }
}

HdStatus hd_vulkan_atomic(HdVal *v, const HdInst *in)
{
    return pointer(v, in, 3);
}

HdStatus hd_vulkan_atomic_store(HdVal *v, const HdInst *in)
{
    return pointer(v, in, 1);
}
