/* clc/reverse.h -- bit reversals that clang's SPIR-V back end gets wrong.
 *
 * LLVM turns hand-written bit reversals into one operation, of 4 or 10 bits as well as 32. The back
 * end reverses the whole of the next larger SPIR-V type, and does not shift back. So the LLVM IR is
 * compiled again with such a reversal spelt out.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_REVERSE_H
#define HD_CLC_REVERSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Does a module reverse bits, by hand or by a built-in? Which of both it no longer says. */
bool hd_clc_reverses(const uint32_t *words, size_t nwords);
/* Do integers of odd widths in LLVM's text do more than bring bits to reversals and take them away?
 * Counters and sums of such widths are beyond what hd_clc_mark_reversals makes right. Without
 * memory they are said to. */
bool hd_clc_has_odd_beside_reversals(const char *text);
/* LLVM's text with reversals of 8, 16, 32 and 64 bits only. Errors: HD_NO_MEMORY. */
HdStatus hd_clc_mark_reversals(const char *text, HdStrbuf *out);

#endif
