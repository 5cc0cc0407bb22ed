/* ops/ext_inst/ext_inst_rule.c -- the rule of OpExtInst: that of the instruction's set.
 *
 * Spec: "Extension Instructions", OpExtInst.
 *
 * SPDX-License-Identifier: MIT
 */
#include "gen/extinst.h"
#include "ops/amd/amd_rule.h"
#include "ops/debug/debug_rule.h"
#include "ops/glsl/glsl_rule.h"
#include "ops/opencl_std/opencl_std_rule.h"
#include "ops/rules.h"

/* Words: 3 set, 4 number. */
HdStatus hd_rule_ext_inst(HdVal *v, const HdInst *in)
{
    const HdType *t = hd_val_result(v, in);

    if (in->opix == HD_OPIX_ExtInstWithForwardRefsKHR)
        HD_TRY(hd_rule_forward_refs(v, in));
    switch (hd_module_extset(v->m, in->w[3])) {
    case HD_EXTSET_OpenCL_std: return hd_rule_opencl_std(v, in, t);
    case HD_EXTSET_GLSL_std_450: return hd_rule_glsl(v, in, t);
    case HD_EXTSET_SPV_AMD_shader_trinary_minmax: return hd_rule_amd_trinary(v, in, t);
    case HD_EXTSET_SPV_AMD_gcn_shader: return hd_rule_amd_gcn(v, in, t);
    case HD_EXTSET_NonSemantic_ClspvReflection: return hd_rule_reflection(v, in, t);
    case HD_EXTSET_NonSemantic_DebugPrintf: return hd_rule_debug_printf(v, in, t);
    case HD_EXTSET_DebugInfo:
    case HD_EXTSET_OpenCL_DebugInfo_100:
    case HD_EXTSET_NonSemantic_Shader_DebugInfo_100: return hd_rule_debug(v, in, t);
    default: return HD_OK;
    }
}
