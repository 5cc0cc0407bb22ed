/* ops/glsl/glsl_rule.h -- the rule of GLSL.std.450's instructions.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_GLSL_GLSL_RULE_H
#define HD_OPS_GLSL_GLSL_RULE_H

#include "val/rule.h"

/* An OpExtInst of that set, with its result type. */
HdStatus hd_rule_glsl(HdVal *v, const HdInst *in, const HdType *t);

#endif
