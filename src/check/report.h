/* check/report.h -- report formats, and what several of them share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CHECK_REPORT_H
#define HD_CHECK_REPORT_H

#include "check/defect.h"

/* Sources that have been read. */
typedef struct HdSourceText {
    const char *path; /* borrowed */
    char *text;       /* heap; NULL: cannot be read */
    size_t count;
} HdSourceText;
typedef struct HdSources {
    HD_ARRAY(HdSourceText) files;
} HdSources;
void hd_sources_close(HdSources *s);
/* The text of a file: `text` if it is not NULL, else what is read from the path; NULL when there is
 * none. Good until hd_sources_close. */
const char *hd_sources_text(HdSources *s, const char *path, const char *text, size_t *len);
/* A line of the file that a place is in, without its end; NULL when there is none. Good until
 * hd_sources_close. */
const char *hd_sources_line(HdSources *s, const HdDefectPlace *p, uint32_t line, size_t *len);

/* words.c */
/* Append a text about kernels as it is said of shaders: "invocation" for "work-item" …; names in
 * quotes stay. */
void hd_shaders_words(const char *text, HdStrbuf *out);
void hd_defect_item_text(const HdDefectItem *item, HdStrbuf *out);
void hd_defect_place_text(const HdDefectPlace *p, HdStrbuf *out);

/* The forms: text.c, json.c, sarif.c, html.c. */
void hd_defects_text(const HdDefects *all, const char *file, bool colour, HdSources *sources,
                     HdStrbuf *out);
void hd_defects_json(const HdDefects *all, HdStrbuf *out);
void hd_defects_sarif(const HdDefects *all, const char *file, HdStrbuf *out);
/* One page that needs no other file: findings, and the sources with them. */
void hd_defects_html(const HdDefects *all, const char *file, HdSources *sources, HdStrbuf *out);

#endif
