/* ops/amd/amd_rule.h -- the rules of AMD's extended instructions.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_AMD_AMD_RULE_H
#define HD_OPS_AMD_AMD_RULE_H

#include "val/rule.h"

/* An OpExtInst of SPV_AMD_shader_trinary_minmax, of SPV_AMD_gcn_shader, with its result type. */
HdStatus hd_rule_amd_trinary(HdVal *v, const HdInst *in, const HdType *t);
HdStatus hd_rule_amd_gcn(HdVal *v, const HdInst *in, const HdType *t);

#endif
