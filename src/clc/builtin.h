/* clc/builtin.h -- names of built-ins.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_BUILTIN_H
#define HD_CLC_BUILTIN_H

#include "clc/scan.h"

/* For HdClcScan: may the compiler, or its back end, take a function of this name for a built-in?
 * HD_CLC_NAME or HD_CLC_NO_NAME.
 *   unused   NULL */
HdClcKind hd_clc_kind_of_built_in(const void *unused, HdClcText name);

#endif
