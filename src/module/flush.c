/* module/flush.c -- which results DenormFlushToZero concerns.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/flush.h"

#include "gen/extinst.h"

bool hd_module_flushes(const HdModule *m, const HdInst *in)
{
    unsigned set;

    switch (hd_gram_insts[in->opix].klass) {
    case HD_CLASS_Arithmetic: return true;
    case HD_CLASS_Conversion: return in->opix != HD_OPIX_Bitcast;
    default: break;
    }
    if (in->opix != HD_OPIX_ExtInst || in->nwords < 5)
        return false;
    set = hd_module_extset(m, in->w[3]);
    return set == HD_EXTSET_SPV_AMD_shader_trinary_minmax || set == HD_EXTSET_SPV_AMD_gcn_shader ||
           (set == HD_EXTSET_GLSL_std_450 && in->w[4] != GLSLstd450PackDouble2x32);
}
