/* ops/ext_inst/ext_inst_build.c -- OpExtInst, to lane IR: by the builder of the instruction's set.
 *
 * Spec: "Extension Instructions", OpExtInst; "Non-Semantic Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "ops/amd/amd_build.h"
#include "ops/build_fns.h"
#include "ops/debug/debug_printf.h"
#include "ops/glsl/glsl_build.h"
#include "ops/opencl_std/std_build.h"

/* Sets that only describe: debug information, and all whose names begin with "NonSemantic.". */
static bool is_ignored(const HdModule *m, HdId set)
{
    HdInst in;
    const char *name;

    if (!hd_module_def(m, set, &in) || in.opix != HD_OPIX_ExtInstImport)
        return false;
    name = hd_inst_string(&in, 2);
    return strncmp(name, "NonSemantic.", 12) == 0 || strcmp(name, "DebugInfo") == 0 ||
           strcmp(name, "OpenCL.DebugInfo.100") == 0;
}

/* Words: 1 type, 2 result, 3 set, 4 number, 5 … operands. */
HdStatus hd_build_ext_inst(HdBuild *b, const HdInst *in)
{
    if (hd_is_debug_printf(b->m, in))
        return hd_std_debug_printf(b, in);
    if (is_ignored(b->m, in->w[3]))
        return HD_OK;
    switch (hd_module_extset(b->m, in->w[3])) {
    case HD_EXTSET_OpenCL_std: return hd_std_build(b, in);
    case HD_EXTSET_GLSL_std_450: return hd_glsl_build(b, in);
    case HD_EXTSET_SPV_AMD_shader_trinary_minmax: return hd_amd_build_trinary(b, in);
    case HD_EXTSET_SPV_AMD_gcn_shader: return hd_amd_build_gcn(b, in);
    default: return hd_build_unsupported(b, in, "of a set that does not run");
    }
}
