/* clc/lines.h -- lines of the source for modules compiled with -g.
 *
 * clang's SPIR-V back end drops lines. So the compiler is run twice: the first run produces textual
 * LLVM IR, in which calls to an imported function are inserted before the instructions of each
 * line; the second run turns it into SPIR-V, where the calls become OpLine.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_LINES_H
#define HD_CLC_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/strbuf.h"

/* Write LLVM's text with the calls in it.
 *   files   gets the names of the source files, a NUL after each, in the order of the numbers that
 *           the calls carry
 * Errors: HD_NO_MEMORY. */
HdStatus hd_clc_mark_lines(const char *text, HdStrbuf *out, HdStrbuf *files);

/* Make the calls in a module into OpLine, and let OpSource hold the source.
 *   files          as hd_clc_mark_lines left them
 *   path, source   of the main file
 *   words          heap; exchanged
 * Errors: HD_NO_MEMORY. */
HdStatus hd_clc_place_lines(const HdStrbuf *files, const char *path, const char *source, size_t len,
                            uint32_t **words, size_t *nwords);

#endif
