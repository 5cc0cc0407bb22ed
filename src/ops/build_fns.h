/* ops/build_fns.h -- prototypes of all builders that rows name.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_BUILD_FNS_H
#define HD_OPS_BUILD_FNS_H

#include "build/emit.h"

#define OP(opcode, rule, build, eval, effects, spec) HdBuildFn hd_build_##build;
#include "ops/all.def"
#undef OP

#endif
