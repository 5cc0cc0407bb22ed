/* clc/inline.h -- functions that are `inline` and nothing else.
 *
 * C says that such a definition is for calls that are inlined; the others take one from elsewhere,
 * which few programs have. Where calls are left, the source is compiled once more, by way of LLVM's
 * text before any pass, in which these functions are there once for all modules that have them, as
 * C++ takes them.
 *
 * Spec: C99 6.7.4, "Function specifiers", which OpenCL C takes over.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_INLINE_H
#define HD_CLC_INLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Does a module take from elsewhere what may be such a function? (Not found: those that are
 * overloadable, whose names look like those of built-ins.) */
bool hd_clc_imports(const uint32_t *words, size_t nwords);
/* LLVM's text with bodies of inline functions that stay. */
void hd_clc_keep_inline(const char *text, HdStrbuf *out);

#endif
