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
/* A source that the compiler makes text of in which its functions are told from built-ins. */
void hd_clc_bracket(const char *text, HdStrbuf *out);
/* LLVM's text of such a source in which functions that it only declares have a prefix, so that the
 * back end does not take them for built-ins.
 * Errors: HD_NO_MEMORY. */
HdStatus hd_clc_mark_declared(const char *text, HdStrbuf *out);
/* A module whose functions have their names in the source where other programs see them: without
 * these prefixes, and without those that the prelude's macros give them. */
void hd_clc_restore_names(const char *prelude, uint32_t *words, size_t *nwords);

#endif
