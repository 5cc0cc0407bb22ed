/* lib/report.h -- heddle_report inside the library.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LIB_REPORT_H
#define HD_LIB_REPORT_H

#include "base/diag.h"
#include "base/strbuf.h"
#include "heddle/heddle.h"

struct heddle_report {
    HdDiags diags;
};

/* The list to add findings to: the report's, or `own` (initialised here) when there is none. End
 * with hd_report_done on the same pair. */
HdDiags *hd_report_diags(heddle_report *r, HdDiags *own);
void hd_report_done(heddle_report *r, HdDiags *own);
/* A finding as the public structure has it; its strings are the finding's own. */
heddle_finding hd_report_finding(const HdDiag *g);
heddle_severity hd_report_severity(HdSeverity severity);
/* A text for the caller, "" if nothing was written; NULL without memory. */
char *hd_report_take(HdStrbuf *text);
/* A HdStatus as the public enumeration has it. */
heddle_status hd_report_status(HdStatus st);

#endif
