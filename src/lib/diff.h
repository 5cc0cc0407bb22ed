/* lib/diff.h -- differences between two modules as text.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LIB_DIFF_H
#define HD_LIB_DIFF_H

#include "module/module.h"

/* Write the differences with `context` instructions around each, nothing when there are none. The
 * modules need no types and constants.
 *   names  of both, for the head; NULL: none
 * Errors: as hd_xform_diff. */
HdStatus hd_lib_diff(const HdModule *a, const HdModule *b, const char *const names[2],
                     unsigned context, bool colour, HdDiags *d, HdStrbuf *out);

#endif
