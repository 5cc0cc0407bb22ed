/* clc/paste.h -- which names a source may have: written out, or pasted together by macros.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_PASTE_H
#define HD_CLC_PASTE_H

#include <stdbool.h>

#include "clc/clc.h"

/* May a name with this part occur in the source, in a header, in an option, or in a file that one
 * of them includes? A name that is pasted together consists of words that are there, and of
 * digits, which __COUNTER__ and __LINE__ make. */
bool hd_clc_may_name(const HdClcSource *source, const HdClcOptions *o, const char *part);
/* May it have names that are not written out: pasted together, or in files that are included? */
bool hd_clc_hides_names(const HdClcSource *source, const HdClcOptions *o);

/* The texts in which names are written: source, headers, options.
 *   i     counts them from 0 on
 *   arg   NULL at first; kept from one call to the next
 * NULL after the last one. */
const char *hd_clc_text(const HdClcSource *source, const HdClcOptions *o, size_t i,
                        const char **arg);

#endif
