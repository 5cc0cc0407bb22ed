/* check/report.h -- parts of reports that several forms share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CHECK_REPORT_H
#define HD_CHECK_REPORT_H

#include "check/defect.h"

const char *hd_severity_word(HdSeverity s);
void hd_defect_item_text(const HdDefectItem *item, HdStrbuf *out);
void hd_defect_place_text(const HdDefectPlace *p, HdStrbuf *out);
/* One page that needs no other file: findings, and the sources with them. */
void hd_defects_html(const HdDefects *all, const char *file, HdStrbuf *out);

#endif
