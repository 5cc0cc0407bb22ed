/* ops/coop/coop_rule.h -- queries of other families about cooperative matrices and vectors.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_COOP_COOP_RULE_H
#define HD_OPS_COOP_COOP_RULE_H

#include "val/rule.h"

/* The component type of a cooperative matrix or vector; NULL of other types. */
const HdType *hd_coop_component(const HdVal *v, const HdType *t);
/* Arithmetic, by component: operands of the result's type, whose components pass the test. */
HdStatus hd_rule_coop_arith(HdVal *v, const HdInst *in, bool (*test)(const HdType *));
/* A conversion: both are such matrices, of one shape; the components pass the tests. */
HdStatus hd_rule_coop_convert(HdVal *v, const HdInst *in, bool (*result)(const HdType *),
                              bool (*operand)(const HdType *));
/* A bitcast: the same, and to no other use. */
HdStatus hd_rule_coop_bitcast(HdVal *v, const HdInst *in);
/* A variable of that type, in that storage class. */
HdStatus hd_rule_coop_variable(HdVal *v, const HdInst *in, const HdType *t, uint32_t storage);

#endif
