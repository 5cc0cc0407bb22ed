/* ops/subgroup/subgroup_vulkan_rule.c -- rules that Vulkan adds to operations of sub-groups, and to
 * what their invocations ask.
 *
 * Spec: Vulkan, "Standalone SPIR-V Validation"; the statement's identifier is the section of the
 * finding.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/vulkan_rules.h"

/* OpGroupNonUniformBallotBitCount: 4 operation. */
HdStatus hd_vulkan_ballot_count(HdVal *v, const HdInst *in)
{
    if (in->w[4] > SpvGroupOperationExclusiveScan)
        return hd_val_fail_spec(v, in, "vulkan.ballot-count",
                                HD_VUID_SPIRV("OpGroupNonUniformBallotBitCount", "04685"),
                                "the operation is Reduce, InclusiveScan or ExclusiveScan");
    return HD_OK;
}

HdStatus hd_vulkan_read_clock(HdVal *v, const HdInst *in)
{
    uint64_t scope;

    if (hd_val_known_part(v, in->w[3], 0, &scope) && scope != SpvScopeSubgroup &&
        scope != SpvScopeDevice)
        return hd_val_fail_spec(v, in, "vulkan.clock", HD_VUID_SPIRV("OpReadClockKHR", "04652"),
                                "the scope of a clock is Subgroup or Device");
    return HD_OK;
}
