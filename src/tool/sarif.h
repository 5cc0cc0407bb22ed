/* tool/sarif.h -- findings in the form that code hosts read.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_SARIF_H
#define HD_TOOL_SARIF_H

#include "base/diag.h"

/* Append the findings as a SARIF 2.1.0 log of one run; d->file is the artifact, when set. */
void hd_tool_sarif(const HdDiags *d, HdStrbuf *out);

#endif
