/* ops/matrix/matrix_rule.c -- rules of sub-group matrix products.
 *
 * Which dimensions and types are supported is not a property of the module: a device supports some,
 * and others are undefined.
 *
 * Spec: SPV_INTEL_subgroup_matrix_multiply_accumulate.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/rules.h"

/* OpSubgroupMatrixMultiplyAccumulateINTEL: 3 K, 4 A, 5 B, 6 C. */
HdStatus hd_rule_matrix_accumulate(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    HD_RULE(hd_is_int(t) || hd_is_float(t), "matrix.result",
            "the result is not a scalar or vector of numbers");
    t = hd_val_operand(v, in, 3);
    HD_RULE(hd_is_int_scalar(t) && t->bits == 32 && hd_val_is_constant(v, in->w[3]), "matrix.k",
            "K is not a constant of a 32-bit integer type");
    for (uint32_t i = 4; i < 7; i++) {
        t = hd_val_operand(v, in, i);
        HD_RULE(t != NULL && (hd_is_int(t) || hd_is_float(t)), "matrix.operand",
                "operand %u is not a scalar or vector of numbers", hd_val_number(in, i));
    }
    return HD_OK;
}
