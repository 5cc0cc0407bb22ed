/* clc/prelude.h -- declarations that are put before every source.
 *
 * clang-22's SPIR-V back end translates some built-ins wrongly (convert_* loses signs). The prelude
 * renames those that a source uses, so that they remain calls to imported functions with a mangled
 * name that begins with heddle_; xform/resolve.h gives them bodies.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_PRELUDE_H
#define HD_CLC_PRELUDE_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "clc/clc.h"

/* Write the prelude for a source and its headers, from extensions and version in `o`. */
void hd_clc_prelude(const HdClcSource *source, const HdClcOptions *o, HdStrbuf *out);

/* Declare as_type as functions, as the language has them, where directives of a text ask for such
 * names or define them. To the compiler they are macros.
 * False: no directive does. */
bool hd_clc_add_as_types(const char *text, HdStrbuf *prelude);
/* Does one? */
bool hd_clc_names_as_types(const char *text);

#endif
