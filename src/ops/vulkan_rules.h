/* ops/vulkan_rules.h -- declares the rules of ops/vulkan.def.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_VULKAN_RULES_H
#define HD_OPS_VULKAN_RULES_H

#include "val/rule.h"

#define VULKAN(opcode, rule) HdRule hd_vulkan_##rule;
#include "ops/vulkan.def"
#undef VULKAN

#endif
