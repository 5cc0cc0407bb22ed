/* tool/lines.h -- findings in a module given as text refer to the text's lines.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_LINES_H
#define HD_TOOL_LINES_H

#include "base/diag.h"
#include "check/check.h"
#include "module/module.h"
#include "text/as.h"

/* Give each finding that has a word offset the line and column where that instruction begins in the
 * text it was assembled from, the instruction as it is written there, and ids by the names that
 * they have there. Findings are left unchanged if memory runs out.
 *   options  that the text was assembled with */
void hd_tool_place_lines(HdDiags *d, const char *text, size_t len, const HdAsOptions *options,
                         const uint32_t *words, size_t nwords);
/* The text of a file that a module was assembled from, heap; NULL: it was not, or what runs is no
 * longer what was assembled. */
char *hd_tool_text_of(const char *file, const HdModule *m, const uint32_t *words, size_t nwords,
                      size_t *len);
/* Give what a checked run has found in such a text its lines. `file` lives as long as the check. */
void hd_tool_place_found(HdCheck *c, const char *file, const char *text, size_t len,
                         const uint32_t *words, size_t nwords);

#endif
