/* clc/find.h -- which clang compiles OpenCL C, and what translates its LLVM IR.
 *
 * HEDDLE_CLANG names the compiler; else it is clang-heddle next to this library (src/clang/), which
 * wheels have, or the newest clang of LLVM 19 to 22. LLVM's SPIR-V back end is part of LLVM from 20
 * on, so that an older clang counts only with a translator (llvm-spirv) of its version.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_FIND_H
#define HD_CLC_FIND_H

#include <stdbool.h>

#include "base/strbuf.h"

#define HD_CLC_PATH_ROOM 4096

/* The compiler's path. False: there is none. Looks at files, runs nothing. */
bool hd_clc_find_compiler(char out[HD_CLC_PATH_ROOM]);
/* Why there is none. */
void hd_clc_tell_missing(HdStrbuf *log);
/* The llvm-spirv that reads what a compiler writes: the one that HEDDLE_TRANSLATOR names; else the
 * one next to the compiler, or llvm-spirv-N on the path for a compiler whose path names version N.
 * False, and "": there is none. */
bool hd_clc_find_translator(const char *compiler, char out[HD_CLC_PATH_ROOM]);

#endif
