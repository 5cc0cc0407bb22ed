/* check/html.h -- the parts of the HTML report.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CHECK_HTML_H
#define HD_CHECK_HTML_H

#include "check/report.h"

/* annotate.c */
/* The sources that defects name, each once, with what was found under its lines. Links lead to
 * #d1, #d2 … */
void hd_html_sources(HdStrbuf *out, HdSources *sources, const HdDefects *all);
/* A line of a source behind what stands in its margin, marked as of a class; NULL: of none. */
void hd_html_line(HdStrbuf *out, const char *margin, const char *class, const char *text,
                  size_t len);
/* Some lines around a place, with a mark under its column. */
void hd_html_excerpt(HdStrbuf *out, HdSources *sources, const HdDefectPlace *p);

/* html_counts.c: the sources that were counted, each line with how often it ran; nothing if nothing
 * was counted. */
void hd_html_counts(HdStrbuf *out, HdSources *sources, const HdDefects *all);

/* picture.c: nothing when a defect does not know enough. */
/* Bytes around an access: their values, which have none, which are no part of the memory. */
void hd_html_memory(HdStrbuf *out, const HdDefect *d);
/* The work-items of the group: who did it, its sub-group, the other side. */
void hd_html_group(HdStrbuf *out, const HdDefect *d);

#endif
