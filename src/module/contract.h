/* module/contract.h -- which sums of shaders are fused with a product.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_CONTRACT_H
#define HD_MODULE_CONTRACT_H

#include "module/module.h"

/* A product that is rounded together with the sum or difference that it is an operand of. */
typedef struct HdContraction {
    HdInst product; /* OpFMul or OpVectorTimesScalar */
    unsigned at;    /* the word of the sum that names it, 3 or 4 */
} HdContraction;

/* Is an OpFAdd or OpFSub fused with one of its operands? Only the module decides, so that compiled
 * code of each width and the interpreter have the same results.
 * Spec: SPIR-V, "NoContraction", "FP Fast Math Mode"; Vulkan, "Precision of Individual
 * Operations". */
bool hd_module_contraction(const HdModule *m, const HdInst *sum, HdContraction *out);
/* May products and sums within such an instruction (OpDot, OpMatrixTimesVector) be fused? */
bool hd_module_may_contract(const HdModule *m, const HdInst *in);

#endif
