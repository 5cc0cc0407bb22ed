/* tool/lines.h -- findings in a module that came as text get the text's lines.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_LINES_H
#define HD_TOOL_LINES_H

#include "base/diag.h"

/* Give each finding that has a word offset the line and column where that instruction begins in
 * the text it was assembled from. Findings keep their byte offsets when memory runs out. */
void hd_tool_place_lines(HdDiags *d, const char *text, size_t len, const uint32_t *words,
                         size_t nwords);

#endif
