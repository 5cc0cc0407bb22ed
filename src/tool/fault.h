/* tool/fault.h -- the message and the end of a process in which a compiled kernel faults.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_FAULT_H
#define HD_TOOL_FAULT_H

#include <signal.h>
#include <stdbool.h>

#include "base/diag.h"

#define HD_FAULT_SIGNALS 3u

/* An access to memory that does not exist; what a kernel wrote behind its memory, seen later. */
typedef enum HdFaultKind { HD_FAULT_ACCESS, HD_FAULT_DAMAGE, HD_FAULT_KINDS } HdFaultKind;

/* What is written when it happens. */
typedef struct HdFaultText {
    HdStrbuf error;    /* to standard error */
    HdStrbuf document; /* to standard output; may be empty */
} HdFaultText;

typedef struct HdFault {
    struct sigaction before[HD_FAULT_SIGNALS]; /* what was set for the signals */
    bool is_set;
} HdFault;

/* The error of a kind, without the address. what: kernel or shader. */
void hd_fault_describe(HdFaultKind kind, const char *what, HdDiags *d);

/* From here on a fault in any thread writes the text of its kind, and ends the process with
 * HD_EXIT_FAILED. The address follows "does not exist". The texts are copied. One at a time in a
 * process. */
HdStatus hd_fault_tell(HdFault *f, const HdFaultText text[HD_FAULT_KINDS]);

/* What fails from here on fails because of what the kernel has written, such as malloc's lists. */
void hd_fault_kernel_ended(const HdFault *f);

void hd_fault_leave(HdFault *f); /* as before; nothing, if it was not set up */

#endif
