/* jit/debugger.h -- registering compiled kernels with debuggers and profilers.
 *
 * gdb finds them through the JIT interface that its manual describes, when a kernel has lines
 * (compiled with -g) or HEDDLE_DEBUGGER=1 requests it; perf through a file /tmp/perf-<pid>.map,
 * when HEDDLE_PERF=1. Threads: re-entrant.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_JIT_DEBUGGER_H
#define HD_JIT_DEBUGGER_H

#include "jit/loader.h"

typedef struct HdDebuggerEntry HdDebuggerEntry;

/* Register a loaded object. NULL if nothing is registered, or there is no memory.
 *   object   the file that was loaded; copied */
HdDebuggerEntry *hd_debugger_add(const unsigned char *object, size_t bytes, const HdLoaded *l,
                                 const char *kernel);
/* Before the object is unloaded. May be NULL. */
void hd_debugger_remove(HdDebuggerEntry *e);

#endif
