/* clc/checked.h -- checked arithmetic (`__builtin_add_overflow` and its like) in LLVM's text.
 *
 * clang's SPIR-V back end stops at sums, differences and products that tell whether a signed number
 * overflowed. They become functions here. Where the types of operands and result differ, clang
 * computes in one more bit than any of them has: numbers of 65 bits become pairs of 64 here, those
 * of 9, 17 and 33 wider ones in clc/odd.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_CHECKED_H
#define HD_CLC_CHECKED_H

#include <stdbool.h>

#include "clc/text.h"

/* May a source, or a header, have such arithmetic? */
bool hd_clc_names_checked(const char *text);
/* Does the compiler's output say that its back end stopped at such arithmetic? */
bool hd_clc_stopped_at_checked(const char *log);
/* The name of the operation that a line calls, from '@' on, and whether it is on signed numbers;
 * NULL: it calls none. */
const char *hd_clc_find_checked(HdClcText line, bool *is_signed);
/* LLVM's text before any pass without numbers of 65 bits, but for those that are no such
 * arithmetic's. Errors: HD_NO_MEMORY. */
HdStatus hd_clc_split_checked(const char *text, HdStrbuf *out);
/* LLVM's text, before or after all passes, with functions of its own for the operations.
 * Errors: HD_NO_MEMORY. */
HdStatus hd_clc_expand_checked(const char *text, HdStrbuf *out);

#endif
