/* ops/amd/amd_build.h -- AMD's extended instructions, to lane IR.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_AMD_AMD_BUILD_H
#define HD_OPS_AMD_AMD_BUILD_H

#include "build/emit.h"

/* An OpExtInst of SPV_AMD_shader_trinary_minmax, of SPV_AMD_gcn_shader. */
HdStatus hd_amd_build_trinary(HdBuild *b, const HdInst *in);
HdStatus hd_amd_build_gcn(HdBuild *b, const HdInst *in);

#endif
