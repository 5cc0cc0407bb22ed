/* clc/log.h -- the build log in the user's terms.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_LOG_H
#define HD_CLC_LOG_H

#include <stddef.h>

#include "base/strbuf.h"

/* Remove what the compiler said about the prelude, from byte `from` of the log on: notes with the
 * lines that they show, and the prefix of its functions' names. */
void hd_clc_tidy_log(HdStrbuf *log, size_t from);
/* A source without -cl-std is OpenCL C 1.2: tell how to get what the compiler misses there. */
void hd_clc_hint_version(HdStrbuf *log, size_t from);

#endif
