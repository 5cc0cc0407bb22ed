/* module/extset.h -- kinds of extended instruction sets.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_EXTSET_H
#define HD_MODULE_EXTSET_H

#include <stdbool.h>

#include "gen/spirv.h"

/* Do the instructions of a set (HD_EXTSET_…) compute, so that their ids are uses? Others describe.
 */
static inline bool hd_extset_computes(unsigned set)
{
    return set == HD_EXTSET_OpenCL_std || set == HD_EXTSET_GLSL_std_450 ||
           set == HD_EXTSET_SPV_AMD_shader_trinary_minmax || set == HD_EXTSET_SPV_AMD_gcn_shader;
}

#endif
