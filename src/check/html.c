/* check/html.c -- defects as one page: what was found, and the source around it.
 *
 * Sources are read from where debug information says they are; a file that is not there is left
 * out.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "check/report.h"

#define AROUND 4u /* lines shown before and behind */

static void add_escaped(HdStrbuf *out, const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        switch (s[i]) {
        case '<': hd_strbuf_add(out, "&lt;"); break;
        case '>': hd_strbuf_add(out, "&gt;"); break;
        case '&': hd_strbuf_add(out, "&amp;"); break;
        case '"': hd_strbuf_add(out, "&quot;"); break;
        default: hd_strbuf_add_char(out, s[i]);
        }
    }
}

static void add_row(HdStrbuf *out, const char *name, const char *text)
{
    if (text == NULL)
        return;
    hd_strbuf_printf(out, "<tr><th>%s</th><td>", name);
    add_escaped(out, text, strlen(text));
    hd_strbuf_add(out, "</td></tr>\n");
}

static void add_source(HdStrbuf *out, const HdDefectPlace *p)
{
    char *text = NULL;
    size_t count = 0, at = 0;
    uint32_t line = 1;
    HdDiags d;

    if (p->source == NULL || p->line == 0)
        return;
    hd_diags_init(&d);
    if (hd_file_read(p->source, &d, &text, &count) == HD_OK) {
        hd_strbuf_add(out, "<pre>");
        while (at < count) {
            const char *end = memchr(text + at, '\n', count - at);
            size_t len = end != NULL ? (size_t)(end - (text + at)) : count - at;

            if (line + AROUND >= p->line && line <= p->line + AROUND) {
                hd_strbuf_printf(out, line == p->line ? "<b>%5u  " : "%5u  ", line);
                add_escaped(out, text + at, len);
                hd_strbuf_add(out, line == p->line ? "</b>\n" : "\n");
            }
            at += len + 1;
            line++;
        }
        hd_strbuf_add(out, "</pre>\n");
    }
    hd_free(text);
    hd_diags_drop(&d);
}

/* The work-group around a defect: a square for each neighbour in x and y, the guilty ones marked.
 */
static void add_group(HdStrbuf *out, const HdDefect *d)
{
    uint64_t x0 = d->item.local[0] > 16 ? d->item.local[0] - 16 : 0;
    uint64_t y0 = d->item.local[1] > 2 ? d->item.local[1] - 2 : 0;

    hd_strbuf_add(out, "<p class=group>");
    for (uint64_t y = y0; y <= d->item.local[1] + 2; y++) {
        for (uint64_t x = x0; x <= x0 + 32; x++) {
            bool mine = x == d->item.local[0] && y == d->item.local[1];
            bool other = d->other_item.is_known && x == d->other_item.local[0] &&
                         y == d->other_item.local[1];

            hd_strbuf_printf(out, "<i%s title=\"%llu, %llu\"></i>",
                             mine    ? " class=mine"
                             : other ? " class=other"
                                     : "",
                             (unsigned long long)x, (unsigned long long)y);
        }
        hd_strbuf_add(out, "<br>");
    }
    hd_strbuf_add(out, "</p>\n");
}

static void add_defect(HdStrbuf *out, const HdDefect *d)
{
    HdStrbuf text = {0};

    hd_strbuf_printf(out, "<section class=%s><h2>%s: ", hd_severity_word(d->severity),
                     hd_severity_word(d->severity));
    add_escaped(out, d->message, strlen(d->message));
    hd_strbuf_printf(out, " <small>%s, %llu times</small></h2>\n<table>\n", d->rule,
                     (unsigned long long)d->count);
    add_row(out, "kernel", d->kernel);
    hd_defect_place_text(&d->place, &text);
    add_row(out, "place", hd_strbuf_text(&text));
    hd_strbuf_free(&text);
    add_row(out, "instruction", d->place.inst);
    if (d->item.is_known) {
        hd_defect_item_text(&d->item, &text);
        add_row(out, "who", hd_strbuf_text(&text));
        hd_strbuf_free(&text);
    }
    add_row(out, "variable", d->variable);
    add_row(out, "memory", d->memory);
    if (d->other != NULL) {
        hd_strbuf_printf(&text, "%s ", d->other);
        hd_defect_place_text(&d->other_place, &text);
        add_row(out, "other side", hd_strbuf_text(&text));
        add_row(out, "", d->other_place.inst);
        hd_strbuf_free(&text);
    }
    for (uint32_t i = 0; i < d->stack_count; i++) {
        hd_defect_place_text(&d->stack[i], &text);
        add_row(out, "called", hd_strbuf_text(&text));
        hd_strbuf_free(&text);
    }
    add_row(out, "hint", d->hint);
    hd_strbuf_add(out, "</table>\n");
    add_source(out, &d->place);
    if (d->other != NULL)
        add_source(out, &d->other_place);
    if (d->item.is_known)
        add_group(out, d);
    hd_strbuf_add(out, "</section>\n");
}

void hd_defects_html(const HdDefects *all, const char *file, HdStrbuf *out)
{
    hd_strbuf_add(out, "<!doctype html>\n<meta charset=utf-8>\n<title>Heddle: checked run</title>\n"
                       "<style>body{font:14px sans-serif;max-width:60em;margin:2em auto}"
                       "section{border-left:4px solid #888;padding-left:1em;margin:2em 0}"
                       ".error{border-color:#c22}.note{border-color:#28c}h2{font-size:1.1em}"
                       "small{color:#777}th{text-align:left;vertical-align:top;padding-right:1em}"
                       "td,pre{font-family:monospace}pre b{background:#fdd}"
                       ".group i{display:inline-block;width:9px;height:9px;margin:1px;"
                       "background:#ddd}.group .mine{background:#c22}.group .other{background:#28c}"
                       "</style>\n<h1>Checked run");
    if (file != NULL) {
        hd_strbuf_add(out, " of ");
        add_escaped(out, file, strlen(file));
    }
    hd_strbuf_printf(out, "</h1>\n<p>%zu errors at %zu places in %llu launches.</p>\n", all->errors,
                     all->count, (unsigned long long)all->launches);
    for (size_t i = 0; i < all->count; i++)
        add_defect(out, &all->at[i]);
}
