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

#include "base/strbuf.h"
#include "clc/clc.h"

/* Write the prelude for a source and its headers, from extensions and version in `o`. */
void hd_clc_prelude(const HdClcSource *source, const HdClcOptions *o, HdStrbuf *out);

#endif
