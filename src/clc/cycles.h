/* clc/cycles.h -- variables at program scope that point to themselves, directly or through others.
 *
 * SPIR-V has no form for them. Where clang has crashed, LLVM's text shows whether that is the
 * reason.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_CYCLES_H
#define HD_CLC_CYCLES_H

#include <stdbool.h>

#include "base/strbuf.h"

/* Log the variables of a cycle of start values, and what to write instead. False: there is none, or
 * no memory to find out. */
bool hd_clc_explain_cycle(const char *text, HdStrbuf *log);

#endif
