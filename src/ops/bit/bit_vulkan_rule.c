/* ops/bit/bit_vulkan_rule.c -- rules that Vulkan adds to bit fields and counts.
 *
 * Spec: Vulkan, "Runtime SPIR-V Validation"; the statement's identifier is the section of the
 * finding.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/vulkan_rules.h"

HdStatus hd_vulkan_bit_field(HdVal *v, const HdInst *in)
{
    const HdType *base = hd_val_operand(v, in, 3);

    if (base != NULL && hd_is_int(base) && hd_type_bits(base) != 32 &&
        !hd_val_feature(v, HD_VULKAN_MAINTENANCE9))
        return hd_val_fail_spec(v, in, "vulkan.bit-width", HD_VUID("RuntimeSpirv", "None", "10824"),
                                "the base is a 32-bit integer unless the device has maintenance9 "
                                "(--allow-vulkan-32-bit-bitwise)");
    return HD_OK;
}
