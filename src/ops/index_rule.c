/* ops/index_rule.c -- joins the rows' rules to the rule engine.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/rules.h"
#include "ops/shader_rules.h"

#define hd_rule_none NULL

HdRule *const hd_val_rules[HD_OPIX_COUNT] = {
#define OP(opcode, rule, build, eval, fx, spec) [HD_OPIX_##opcode] = hd_rule_##rule,
#include "ops/all.def"
#undef OP
#define SHADER(opcode, rule) [HD_OPIX_##opcode] = hd_rule_##rule,
#include "ops/shader.def"
#undef SHADER
};

const char *const hd_val_specs[HD_OPIX_COUNT] = {
#define OP(opcode, rule, build, eval, fx, spec) [HD_OPIX_##opcode] = spec,
#include "ops/all.def"
#undef OP
};
