/* clc/crash.h -- what a build log says of a compiler that died.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_CRASH_H
#define HD_CLC_CRASH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

/* Does what the compiler said, from byte `from` of the log on, tell that it died? Its exit status
 * may be that of an ordinary error. */
bool hd_clc_crashed(const HdStrbuf *log, size_t from);
/* Leave of it what its user can use: messages, and what it was doing; and say what happened.
 *   compiler  path of the program
 *   signal    that ended it; 0: none, it ended by itself */
void hd_clc_tell_crash(HdStrbuf *log, size_t from, const char *compiler, int signal);

#endif
