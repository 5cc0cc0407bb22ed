/* ops/subgroup/subgroup_vulkan_rule.c -- what Vulkan adds to rules of what the invocations of
 * a sub-group ask.
 *
 * Spec: Vulkan, "Standalone SPIR-V Validation"; the statement's identifier is the section of the
 * finding.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/vulkan_rules.h"

HdStatus hd_vulkan_read_clock(HdVal *v, const HdInst *in)
{
    uint64_t scope;

    if (hd_val_known_part(v, in->w[3], 0, &scope) && scope != SpvScopeSubgroup &&
        scope != SpvScopeDevice)
        return hd_val_fail_spec(v, in, "vulkan.clock", HD_VUID_SPIRV("OpReadClockKHR", "04652"),
                                "the scope of a clock is Subgroup or Device");
    return HD_OK;
}
