/* ops/derivative/derivative_rule.c -- rules of derivatives.
 *
 * Spec: SPIR-V, "Derivative Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/rules.h"

/* OpDPdx … OpFwidthCoarse. */
HdStatus hd_rule_derivative(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(hd_is_float(t) && (hd_type_bits(t) == 32 ||
                               (hd_type_bits(t) == 16 &&
                                hd_module_has_extension(v->m, "SPV_AMD_gpu_shader_half_float"))),
            "arith.result", "the result is not a 32-bit float scalar or vector");
    HD_RULE(hd_val_operand(v, in, 3) == t, "arith.operand",
            "the type of the operand differs from the result type");
    return HD_OK;
}
