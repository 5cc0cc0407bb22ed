/* ops/index_build.c -- joins rows and builders.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/build_fns.h"

/* A row without a builder: "unsupported instruction". */
#define hd_build_none NULL

HdBuildFn *const hd_build_fns[HD_OPIX_COUNT] = {
#define OP(opcode, rule, build, eval, effects, spec) [HD_OPIX_##opcode] = hd_build_##build,
#include "ops/all.def"
#undef OP
};
