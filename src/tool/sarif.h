/* tool/sarif.h -- findings in the format that code hosts read.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_SARIF_H
#define HD_TOOL_SARIF_H

#include "tool/val_file.h"

/* Append the findings of `count` files as a SARIF 2.1.0 log of one run. */
void hd_tool_sarif(const HdValFile *files, size_t count, HdStrbuf *out);

#endif
