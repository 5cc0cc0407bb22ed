/* clc/serve.h -- a clang that compiles again and again.
 *
 * Of the 35 ms that clang takes for a small source, 20 are its start: libraries of 180 MB whose
 * addresses are filled in. A library of Heddle's that is preloaded (clang/serve.c) makes it wait
 * with that done, and compile each command line in a copy of the process, which costs 0.3 ms.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_SERVE_H
#define HD_CLC_SERVE_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "clc/spawn.h"

/* Will this compiler load the library? Programs with a dynamic linker do, if there is one. */
bool hd_clc_serve_is_expected(const char *compiler);

/* As hd_clc_spawn with an input, for a compiler that may serve; it does as soon as it has said so.
 * Until then it takes arguments from its input. */
int hd_clc_serve_spawn(char *const *argv, HdClcProcess *p);

/* Has it said so, now or before? Waits so many milliseconds. */
bool hd_clc_serve_has_begun(HdClcProcess *p, int wait_ms);

/* Have it compile.
 *   args   consecutive NUL-terminated strings, of which the first is the compiler's path
 *   child  what compiles, a child of this process
 * False: it is gone, or cannot make processes; *child is untouched. */
bool hd_clc_serve_ask(const HdClcProcess *p, const HdStrbuf *args, HdClcProcess *child);

#endif
