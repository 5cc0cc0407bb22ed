/* module/source_state.h -- what source.c and presumed.c share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_SOURCE_STATE_H
#define HD_MODULE_SOURCE_STATE_H

#include "module/source.h"

/* Lines in a row that a text may lack; a number further on is taken for a slip. */
#define HD_MAX_MISSING_LINES 1000000u

/* Append to `out` the lines that `file` has in a source text, which begins as line 1 of `name`.
 * False: none. */
bool hd_source_presumed(const char *text, const char *name, const char *file, HdStrbuf *out);

#endif
