/* ops/index_rule.c -- joins the rows' rules to the rule engine.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/rules.h"
#include "ops/shader_rules.h"
#include "ops/vulkan_rules.h"

#define hd_rule_none NULL

HdRule *const hd_val_rules[HD_OPIX_COUNT] = {
#define OP(opcode, rule, build, eval, fx, spec) [HD_OPIX_##opcode] = hd_rule_##rule,
#include "ops/all.def"
#undef OP
#define SHADER(opcode, rule) [HD_OPIX_##opcode] = hd_rule_##rule,
#include "ops/shader.def"
#undef SHADER
};

HdRule *const hd_val_vulkan_rules[HD_OPIX_COUNT] = {
#define VULKAN(opcode, rule) [HD_OPIX_##opcode] = hd_vulkan_##rule,
#include "ops/vulkan.def"
#undef VULKAN
};

const char *const hd_val_specs[HD_OPIX_COUNT] = {
#define OP(opcode, rule, build, eval, fx, spec) [HD_OPIX_##opcode] = spec,
#include "ops/all.def"
#undef OP
};
