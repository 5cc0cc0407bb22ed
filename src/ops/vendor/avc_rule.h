/* ops/vendor/avc_rule.h -- what the rules of motion estimation share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_VENDOR_AVC_RULE_H
#define HD_OPS_VENDOR_AVC_RULE_H

#include "val/rule.h"

/* The values of constants and the order of phases; the types have been checked. */
HdStatus hd_rule_avc_values(HdVal *v, const HdInst *in);

#endif
