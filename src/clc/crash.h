/* clc/crash.h -- the build log of a compiler crash.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_CRASH_H
#define HD_CLC_CRASH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* Does the compiler's output, from byte `from` of the log on, show that it crashed? Its exit status
 * may be that of an ordinary error. */
bool hd_clc_crashed(const HdStrbuf *log, size_t from);
/* Keep what a user can use of it: messages, and what it was doing; and say what happened.
 *   compiler  path of the program
 *   signal    that terminated it; 0: none, it exited */
void hd_clc_explain_crash(HdStrbuf *log, size_t from, const char *compiler, int signal);

#endif
