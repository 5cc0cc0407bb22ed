/* tool/lines.h -- findings in a module given as text refer to the text's lines.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_LINES_H
#define HD_TOOL_LINES_H

#include "base/diag.h"
#include "check/check.h"
#include "module/module.h"

/* Give each finding that has a word offset the line and column where that instruction begins in the
 * text that was read, the instruction as it is written there, and ids by the names that they have
 * there; the text is no longer needed and freed. Findings are left unchanged if memory runs out,
 * and where no text was read.
 *   words  what the text was assembled to; NULL: it is assembled again, if there are findings */
void hd_tool_place_lines(HdDiags *d, const uint32_t *words, size_t nwords);
/* Give what a checked run has found its lines in the text that was read, if one was.
 *   m      the module that ran, made from the words
 *   words  what the text was assembled to */
void hd_tool_place_found(HdCheck *c, const HdDiags *d, const HdModule *m, const uint32_t *words,
                         size_t nwords);

#endif
