/* ops/debug/debug_rule_printf.c -- the rule of NonSemantic.DebugPrintf. Whether conversions go with
 * arguments, a checked run says.
 *
 * Spec: NonSemantic.DebugPrintf, DebugPrintf.
 *
 * SPDX-License-Identifier: MIT
 */
#include "gen/extinst.h"
#include "ops/debug/debug_rule.h"

/* Words: 5 format, then arguments. */
HdStatus hd_rule_debug_printf(HdVal *v, const HdInst *in, const HdType *t)
{
    if (in->w[4] != NonSemanticDebugPrintfDebugPrintf)
        return HD_OK;
    HD_RULE(t->kind == HD_T_VOID, "debug.printf-result", "the result is not void");
    HD_RULE(in->nwords > 5 && hd_module_opix(v->m, in->w[5]) == HD_OPIX_String,
            "debug.printf-format", "the format is not an OpString");
    return HD_OK;
}
