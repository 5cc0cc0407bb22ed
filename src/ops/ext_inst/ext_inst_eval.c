/* ops/ext_inst/ext_inst_eval.c -- OpExtInst in the interpreter: by the instruction's set.
 *
 * Spec: "Extension Instructions", OpExtInst.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/amd/amd_eval.h"
#include "ops/debug/debug_printf.h"
#include "ops/glsl/glsl_eval.h"
#include "ops/opencl_std/std_eval.h"

/* Words: 1 type, 2 result, 3 set, 4 number, 5 … operands. */
HdStatus hd_eval_ext_inst(HdEval *e, const HdInst *in)
{
    if (in->w[3] == e->std) /* most are of this one */
        return hd_std_eval(e, in);
    if (hd_is_debug_printf(e->m, in))
        return hd_std_eval_debug_printf(e, in);
    switch (hd_module_extset(e->m, in->w[3])) {
    case HD_EXTSET_OpenCL_std: return hd_std_eval(e, in);
    case HD_EXTSET_GLSL_std_450: return hd_glsl_eval(e, in);
    case HD_EXTSET_SPV_AMD_shader_trinary_minmax: return hd_amd_eval_trinary(e, in);
    case HD_EXTSET_SPV_AMD_gcn_shader: return hd_amd_eval_gcn(e, in);
    default:
        return hd_eval_unsupported(e, "the interpreter does not know this extended instruction");
    }
}
