/* ops/shader_rules.h -- declares the rules of ops/shader.def.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_SHADER_RULES_H
#define HD_OPS_SHADER_RULES_H

#include "val/rule.h"

#define SHADER(opcode, rule) HdRule hd_rule_##rule;
#include "ops/shader.def"
#undef SHADER

#endif
