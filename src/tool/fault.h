/* tool/fault.h -- the message when a compiled kernel accesses unmapped memory.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_FAULT_H
#define HD_TOOL_FAULT_H

#include <signal.h>

typedef struct HdFault {
    struct sigaction before[2]; /* what was set for the signals */
} HdFault;

/* From here on a fault writes a line on standard error before it ends the process as it would
 * have anyway. file: what is run; kind: kernel or shader; both must stay. */
void hd_fault_tell(HdFault *f, const char *file, const char *kind);
void hd_fault_leave(const HdFault *f); /* as before */

#endif
