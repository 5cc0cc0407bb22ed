/* debug/calls.h -- built-in functions in expressions of the debugger.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_DEBUG_CALLS_H
#define HD_DEBUG_CALLS_H

#include "debug/value.h"

#define HD_DEBUG_CALL_ARGS 3u

/* Call one for a work-item.
 *   name, len  "sqrt", "get_global_id"; not terminated
 *   why        gets the reason of a failure */
HdStatus hd_debug_call(HdDebug *d, uint32_t item, const char *name, size_t len,
                       const HdDebugValue *args, unsigned count, HdStrbuf *why, HdDebugValue *out);

/* What was computed of floats: of the type of the largest one among the arguments that have a type.
 */
HdDebugValue hd_debug_rounded(const HdDebugValue *args, unsigned count, double value);

#endif
