/* ops/opencl_std/opencl_std_rule.h -- the rule of OpenCL.std's instructions.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_OPENCL_STD_OPENCL_STD_RULE_H
#define HD_OPS_OPENCL_STD_OPENCL_STD_RULE_H

#include "val/rule.h"

/* An OpExtInst of that set, with its result type. */
HdStatus hd_rule_opencl_std(HdVal *v, const HdInst *in, const HdType *t);

#endif
