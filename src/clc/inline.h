/* clc/inline.h -- functions that are `inline` and nothing else, or have no body.
 *
 * In C such a definition serves only inlined calls; other calls need an external definition, which
 * few programs have. If calls remain, the source is compiled once more, through textual LLVM IR
 * before any pass, in which these functions exist once for all modules that have them, as in C++.
 *
 * The back end takes functions without a body for built-ins if they are called so. They get other
 * names in LLVM's text, too, until there is a module.
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

/* Does a source, or a header, seem to have such a function with the name of a built-in? The back
 * end takes what has no body for the built-in. Seen before preprocessing, so that this may be
 * wrong, either way. */
bool hd_clc_hides_inline(const char *text);
/* Does a module take from elsewhere what may be such a function? (Not found: those that are
 * overloadable, whose names look like those of built-ins.) */
bool hd_clc_imports(const uint32_t *words, size_t nwords);
/* LLVM's text with bodies of inline functions that stay. */
void hd_clc_keep_inline(const char *text, HdStrbuf *out);

/* Does a source, or a header, seem to declare a function with the name of a built-in that another
 * program has? Seen before preprocessing. */
bool hd_clc_declares_built_in(const char *text);
/* LLVM's text in which such functions have a suffix, so that the back end does not take them for
 * built-ins. */
void hd_clc_mark_declared(const char *text, HdStrbuf *out);
/* A module without these suffixes. */
void hd_clc_unmark_declared(uint32_t *words, size_t *nwords);

#endif
