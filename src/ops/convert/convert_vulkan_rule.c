/* ops/convert/convert_vulkan_rule.c -- rules that Vulkan adds to conversions.
 *
 * Spec: Vulkan, "Standalone SPIR-V Validation"; the statement's identifier is the section of the
 * finding.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/vulkan_rules.h"

#define VUID HD_VUID_SPIRV

static HdStatus wide(HdVal *v, const HdInst *in, const HdType *t)
{
    if (t != NULL && hd_is_int(t) && hd_type_bits(t) != 64)
        return hd_val_fail_spec(v, in, "vulkan.pointer-width",
                                VUID("PhysicalStorageBuffer64", "04710"),
                                "physical pointers are converted to and from 64-bit integers");
    return HD_OK;
}

HdStatus hd_vulkan_pointer_to_u(HdVal *v, const HdInst *in)
{
    return wide(v, in, hd_val_result(v, in));
}

HdStatus hd_vulkan_u_to_pointer(HdVal *v, const HdInst *in)
{
    return wide(v, in, hd_val_operand(v, in, 3));
}

/* A number of SPV_EXT_ocp_microscaling_types, alone or in a vector or matrix. */
static bool is_micro(const HdType *t)
{
    if (t == NULL)
        return false;
    t = hd_type_scalar(t);
    if (t->kind != HD_T_FLOAT || t->encoding == 0)
        return false;
    switch (t->encoding - 1) {
    case SpvFPEncodingBFloat16KHR:
    case SpvFPEncodingFloat8E4M3EXT:
    case SpvFPEncodingFloat8E5M2EXT: return false;
    default: return true;
    }
}

HdStatus hd_vulkan_convert_small(HdVal *v, const HdInst *in)
{
    if (is_micro(hd_val_result(v, in)) || is_micro(hd_val_operand(v, in, 3)))
        return hd_val_fail_spec(v, in, "vulkan.micro-integer", VUID("OpConvertFToU", "12465"),
                                "microscaling numbers are not converted to or from integers");
    return HD_OK;
}

HdStatus hd_vulkan_f_convert(HdVal *v, const HdInst *in)
{
    if (is_micro(hd_val_result(v, in)))
        return hd_val_fail_spec(v, in, "vulkan.micro-result", VUID("OpFConvert", "12466"),
                                "no conversion makes microscaling numbers");
    return HD_OK;
}
