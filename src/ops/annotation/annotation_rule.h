/* ops/annotation/annotation_rule.h -- what the files of these rules share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_ANNOTATION_RULE_H
#define HD_OPS_ANNOTATION_RULE_H

#include "ops/rules.h"

/* Has the variable or pointer parameter a storage class that the decoration is for? */
HdStatus hd_rule_decorated_storage(HdVal *v, const HdInst *in, const HdType *pointer, uint32_t d);
/* NoContraction, FPFastMathMode, NoSignedWrap, NoUnsignedWrap: which instructions take them? */
HdStatus hd_rule_decorated_arithmetic(HdVal *v, const HdInst *in, HdId target, uint32_t d);
/* RowMajor, ColMajor, MatrixStride: is the member a matrix, or an array of some? */
HdStatus hd_rule_decorated_matrix(HdVal *v, const HdInst *in, const HdType *member, uint32_t d);
/* Is the target what a vendor's decoration is for? OpDecorate only: groups may have any. */
HdStatus hd_rule_decorated_by_vendor(HdVal *v, const HdInst *in, HdId target, uint32_t d);

#endif
