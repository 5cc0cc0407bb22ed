/* ops/debug/debug_rule.h -- rules of extended instructions that say things about the module.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_DEBUG_DEBUG_RULE_H
#define HD_OPS_DEBUG_DEBUG_RULE_H

#include "val/rule.h"

/* OpExtInstWithForwardRefsKHR: it names an id that comes later, and means nothing to execution. */
HdStatus hd_rule_forward_refs(HdVal *v, const HdInst *in);
/* A line and column of a DebugSource: are they in its text, where the module has that? */
HdStatus hd_rule_debug_text(HdVal *v, const HdInst *in, HdId source, uint64_t line,
                            uint64_t column);
/* An OpExtInst of OpenCL.DebugInfo.100 or NonSemantic.Shader.DebugInfo.100, with its result type.
 */
HdStatus hd_rule_debug(HdVal *v, const HdInst *in, const HdType *t);
/* An OpExtInst of NonSemantic.ClspvReflection, with its result type. */
HdStatus hd_rule_reflection(HdVal *v, const HdInst *in, const HdType *t);

#endif
