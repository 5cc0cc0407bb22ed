/* ops/debug/debug_rule.h -- rules of extended instructions that describe the module.
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
/* An OpExtInst of DebugInfo, OpenCL.DebugInfo.100 or NonSemantic.Shader.DebugInfo.100, with its
 * result type. */
HdStatus hd_rule_debug(HdVal *v, const HdInst *in, const HdType *t);
/* An OpExtInst of NonSemantic.DebugPrintf, with its result type. */
HdStatus hd_rule_debug_printf(HdVal *v, const HdInst *in, const HdType *t);
/* An OpExtInst of NonSemantic.ClspvReflection, with its result type. */
HdStatus hd_rule_reflection(HdVal *v, const HdInst *in, const HdType *t);

/* The text of one DebugSource. */
typedef struct HdDebugText {
    uint32_t count;          /* lines; 0: the module has no text */
    const uint32_t *lengths; /* of each line, without its end */
} HdDebugText;

/* What is looked up once for all instructions of a module. */
struct HdValDebug {
    HD_ARRAY(HdDebugText) texts;
    HdMap text_of; /* DebugSource's id to its place in texts */
    HdMap want_of; /* an operand's row in the grammar, and its instruction, to what it must be */
};
/* v->debug, made when it is not there yet; NULL: no memory. */
struct HdValDebug *hd_val_debug(HdVal *v);

#endif
