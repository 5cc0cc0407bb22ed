/* tool/report.h -- output and comparisons after a kernel has run.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_REPORT_H
#define HD_TOOL_REPORT_H

#include "tool/run_args.h"
#include "tool/value.h"

typedef struct HdRunReport {
    HdCheck *check; /* NULL: not a checked run */
    const HdRunOptions *options;
    const HdKernelInfo *kernel;
    const HdData *args; /* [kernel->arg_count], after the run */
    uint32_t width;
    const char *printed; /* printf's output, for JSON */
    double read_ms, check_ms, compile_ms;
    double run_ms, used_ms; /* medians: on the wall, of processors by all threads */
} HdRunReport;

/* Are the arguments whose numbers the options name buffers? Errors: HD_BAD_INPUT. */
HdStatus hd_run_report_check(const HdRunReport *r, HdDiags *d);
/* Print arguments and times to standard output; write files and pictures; compare with what is
 * expected. Findings go to d.
 * Errors: HD_BAD_INPUT (an option that does not fit, or a comparison that failed: *is_different),
 * HD_IO, HD_NO_MEMORY. */
HdStatus hd_run_report(const HdRunReport *r, HdDiags *d, bool *is_different);

#endif
