/* ops/rules.h -- declares the rule of every row.
 *
 * hd_rule_none is declared with the others and never defined: index_rule.c puts NULL in its place.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_RULES_H
#define HD_OPS_RULES_H

#include "val/rule.h"

#define OP(opcode, rule, build, eval, fx, spec) HdRule hd_rule_##rule;
#include "ops/all.def"
#undef OP

#endif
