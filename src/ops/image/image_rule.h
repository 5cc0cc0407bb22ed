/* ops/image/image_rule.h -- what the rules of images share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_IMAGE_RULE_H
#define HD_OPS_IMAGE_RULE_H

#include "val/rule.h"

/* What is decorated for block matches is not the operand at word `at`. */
HdStatus hd_rule_image_unmatched(HdVal *v, const HdInst *in, uint32_t at);
HdStatus hd_rule_image_gather_mode(HdVal *v, const HdInst *in);

#endif
