/* module/contract.c -- which sums of shaders are fused with a product.
 *
 * clang decides for OpenCL C and writes fma; compilers of shaders leave it to the consumer, and
 * forbid it by NoContraction (GLSL's `precise`).
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/contract.h"

#include "module/decoration.h"
#include "module/type.h"

/* Halves gain nothing: their fma takes longer than product and sum. */
static bool is_wide(const HdModule *m, HdId type)
{
    const HdType *t = hd_module_type(m, type), *scalar;

    if (t != NULL && t->kind == HD_T_MATRIX)
        t = hd_type_element(t);
    scalar = t != NULL ? hd_type_scalar(t) : NULL;
    return scalar != NULL && scalar->kind == HD_T_FLOAT && scalar->bits >= 32 &&
           !hd_is_cooperative(t);
}

bool hd_module_may_contract(const HdModule *m, const HdInst *in)
{
    const HdDecoration *mode;

    if (hd_module_is_opencl(m) ||
        hd_module_has_capability(m, SpvCapabilitySignedZeroInfNanPreserve) ||
        hd_module_decoration(m, in->w[2], SpvDecorationNoContraction) != NULL ||
        !is_wide(m, in->w[1]))
        return false;
    mode = hd_module_decoration(m, in->w[2], SpvDecorationFPFastMathMode);
    if (mode == NULL) /* else the mode FPFastMathDefault decides, one for each entry point */
        return !hd_module_has_capability(m, SpvCapabilityFloatControls2);
    return (hd_decoration_value(m, mode) &
            (SpvFPFastMathModeAllowContractMask | SpvFPFastMathModeFastMask)) != 0;
}

bool hd_module_contraction(const HdModule *m, const HdInst *sum, HdContraction *out)
{
    if ((sum->opix != HD_OPIX_FAdd && sum->opix != HD_OPIX_FSub) || !hd_module_may_contract(m, sum))
        return false;
    for (out->at = 3; out->at < 5; out->at++)
        if (hd_module_def(m, sum->w[out->at], &out->product) &&
            (out->product.opix == HD_OPIX_FMul || out->product.opix == HD_OPIX_VectorTimesScalar) &&
            hd_module_may_contract(m, &out->product))
            return true;
    return false;
}
