/* clc/hooks.h -- constructors and destructors at program scope, in LLVM's text.
 *
 * clang lists what has to run before everything else in a variable, @llvm.global_ctors, for which
 * its SPIR-V back end has no form, and registers destructors with atexit. Both become kernels with
 * the execution modes Initializer and Finalizer, which call the listed functions in order.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_HOOKS_H
#define HD_CLC_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Does a module show that its source has constructors or destructors at program scope? */
bool hd_clc_has_hooks(const uint32_t *words, size_t nwords);
/* LLVM's text with kernels in place of the lists.
 *   log  gets a line for each object whose destructor cannot be run
 * Errors: HD_NO_MEMORY, HD_BAD_INPUT (there is such an object). */
HdStatus hd_clc_mark_hooks(const char *text, HdStrbuf *out, HdStrbuf *log);

/* Does a module that is made of such text run destructors? */
bool hd_clc_has_finalizer(const uint32_t *words, size_t nwords);
/* LLVM's text before any pass: clang passes null to destructors of objects in global memory, whose
 * names are those of the functions that do. They get the objects. Errors: HD_NO_MEMORY. */
HdStatus hd_clc_name_objects(const char *text, HdStrbuf *out);

#endif
