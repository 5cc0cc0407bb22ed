/* clc/overload.h -- functions of a source that overload built-ins.
 *
 * clang looks a built-in up only where nothing else has its name. A source's own overload of `dot`
 * would hide those of the language: calls of them are errors or, where arguments convert, calls of
 * the own one. Declarations hide nothing: clang's header of all built-ins has them, from which the
 * prelude gets those of such names.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_OVERLOAD_H
#define HD_CLC_OVERLOAD_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "clc/clc.h"

/* Is the language C++ for OpenCL, where all functions of a name overload each other? */
bool hd_clc_is_cxx(const HdClcOptions *o);

/* Does a source, or a header, seem to overload a built-in? Seen before preprocessing, so that this
 * may be wrong, either way. */
bool hd_clc_seems_to_overload(const char *text, bool is_cxx);

/* Declare in the prelude the built-ins that a source overloads, but for those of which the prelude
 * has a macro.
 *   text   the source, preprocessed by -dD: it names the folder of clang's headers
 * False: there are none. */
bool hd_clc_declare_overloaded(const char *text, bool is_cxx, HdStrbuf *prelude);

#endif
