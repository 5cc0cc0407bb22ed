/* tool/fault.h -- the message when a compiled kernel brings the process down.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_FAULT_H
#define HD_TOOL_FAULT_H

#include <signal.h>
#include <stdbool.h>

#define HD_FAULT_SIGNALS 3u

typedef struct HdFault {
    struct sigaction before[HD_FAULT_SIGNALS]; /* what was set for the signals */
    bool is_set;
} HdFault;

/* From here on a fault in any thread writes a line on standard error before it ends the process as
 * it would have anyway. file: what is run; kind: kernel or shader; both must stay. One at a time in
 * a process. */
void hd_fault_tell(HdFault *f, const char *file, const char *kind);

/* What fails from here on fails because of what the kernel has written, such as malloc's lists. */
void hd_fault_kernel_ended(const HdFault *f);

void hd_fault_leave(HdFault *f); /* as before; nothing, if the message was not set up */

#endif
