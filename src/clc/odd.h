/* clc/odd.h -- integers of odd widths that a source has: _BitInt(17).
 *
 * clang's SPIR-V back end makes the next larger type of them without clearing the other bits, or
 * stops. So LLVM's text is rewritten before any pass: values have 8, 16, 32 or 64 bits, of which
 * the upper ones mean nothing, and where they would matter they are set first. Checked arithmetic
 * on them stays one of their bits, in wider types, for clc/checked.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_ODD_H
#define HD_CLC_ODD_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "clc/text.h"

/* May a source, or a header, have such integers, or arithmetic that clang computes in such? */
bool hd_clc_names_odd(const char *text);
/* Bits of the widest integer of odd width on a line of LLVM's text, 0: there is none. */
unsigned hd_clc_odd_on(HdClcText line);
/* LLVM's text before any pass with integers of usual widths only.
 *   log  gets a line for what cannot be rewritten
 * Errors: HD_NO_MEMORY, HD_BAD_INPUT. */
HdStatus hd_clc_widen_odd(const char *text, HdStrbuf *out, HdStrbuf *log);

#endif
