/* check/html.c -- defects as one page: what was found, and the source around it.
 *
 * With a picture of the memory around each wrong access, and of the work-group.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

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

static void add_source(HdStrbuf *out, HdSources *sources, const HdDefectPlace *p)
{
    uint32_t first = p->line > AROUND ? p->line - AROUND : 1;
    bool any = false;

    for (uint32_t line = first; p->line != 0 && line <= p->line + AROUND; line++) {
        size_t len;
        const char *text = hd_sources_line(sources, p, line, &len);

        if (text == NULL)
            continue;
        hd_strbuf_add(out, any ? "" : "<pre>");
        any = true;
        hd_strbuf_printf(out, line == p->line ? "<b>%5u  " : "%5u  ", line);
        add_escaped(out, text, len);
        hd_strbuf_add(out, line == p->line ? "</b>\n" : "\n");
        if (line == p->line && p->column > 0 && p->column <= len)
            hd_strbuf_printf(out, "%*s<em>^</em>\n", (int)p->column + 6, "");
    }
    hd_strbuf_add(out, any ? "</pre>\n" : "");
}

/* The work-group around a defect: a square for each neighbour in x and y, the guilty ones marked.
 */
static void add_group(HdStrbuf *out, const HdDefect *d)
{
    const uint64_t *me = d->item.local, *size = d->local_size;
    uint64_t x0 = me[0] > 32 ? me[0] - 32 : 0, y0 = me[1] > 2 ? me[1] - 2 : 0;

    hd_strbuf_add(out, "<p class=group title=\"work-items of the work-group\">");
    for (uint64_t y = y0; y <= me[1] + 2 && (size[1] == 0 || y < size[1]); y++) {
        for (uint64_t x = x0; x < x0 + 64 && (size[0] == 0 || x < size[0]); x++) {
            bool mine = x == me[0] && y == me[1];
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

#define CELL_BYTES 4u
#define CELLS      32u /* shown */

/* The memory around an access: a square for 4 bytes, those outside hollow, those accessed marked.
 */
static void add_memory(HdStrbuf *out, const HdDefect *d)
{
    uint64_t first = d->address / CELL_BYTES * CELL_BYTES, end = d->memory_at + d->memory_bytes;
    uint64_t before = CELLS / 2 * CELL_BYTES;
    bool is_near = d->address + 65536 > d->memory_at && d->address < end + 65536;

    if (d->memory_bytes == 0 || d->bytes == 0 || !is_near)
        return;
    first = first > before ? first - before : 0;
    hd_strbuf_printf(out,
                     "<p class=group>byte %lld of %llu: ", (long long)(d->address - d->memory_at),
                     (unsigned long long)d->memory_bytes);
    for (uint64_t at = first; at < first + (uint64_t)CELLS * CELL_BYTES; at += CELL_BYTES) {
        bool mine = at + CELL_BYTES > d->address && at < d->address + d->bytes;
        bool inside = at + CELL_BYTES > d->memory_at && at < end;

        hd_strbuf_printf(out, "<i class=\"%s%s\" title=\"byte %lld\"></i>", mine ? "mine " : "",
                         inside ? "" : "outside", (long long)(at - d->memory_at));
    }
    hd_strbuf_add(out, "</p>\n");
}

static void add_defect(HdStrbuf *out, HdSources *sources, const HdDefect *d)
{
    HdStrbuf text = {0};

    hd_strbuf_printf(out, "<section class=%s><h2>%s: ", hd_severity_word(d->severity),
                     hd_severity_word(d->severity));
    add_escaped(out, d->message, strlen(d->message));
    hd_strbuf_printf(out, " <small>%s, %llu time%s</small></h2>\n<table>\n", d->rule,
                     (unsigned long long)d->count, d->count == 1 ? "" : "s");
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
        if (d->other_item.is_known) {
            hd_strbuf_add(&text, ", by ");
            hd_defect_item_text(&d->other_item, &text);
        }
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
    add_source(out, sources, &d->place);
    if (d->other != NULL)
        add_source(out, sources, &d->other_place);
    add_memory(out, d);
    if (d->item.is_known)
        add_group(out, d);
    hd_strbuf_add(out, "</section>\n");
}

void hd_defects_html(const HdDefects *all, const char *file, HdSources *sources, HdStrbuf *out)
{
    hd_strbuf_add(out, "<!doctype html>\n<meta charset=utf-8>\n<title>Heddle: checked run</title>\n"
                       "<style>body{font:14px sans-serif;max-width:60em;margin:2em auto}"
                       "section{border-left:4px solid #888;padding-left:1em;margin:2em 0}"
                       ".error{border-color:#c22}.note{border-color:#28c}h2{font-size:1.1em}"
                       "small{color:#777}th{text-align:left;vertical-align:top;padding-right:1em}"
                       "td,pre{font-family:monospace}pre b{background:#fdd}"
                       ".group i{display:inline-block;width:9px;height:9px;margin:1px;"
                       "background:#ddd}.group .outside{background:none;outline:1px dashed #999}"
                       "pre em{color:#c22;font-style:normal}.group .mine{background:#c22}.group "
                       ".other{background:#28c}"
                       "</style>\n<h1>Checked run");
    if (file != NULL) {
        hd_strbuf_add(out, " of ");
        add_escaped(out, file, strlen(file));
    }
    hd_strbuf_printf(out, "</h1>\n<p>%zu error%s and %zu note%s in %llu launch%s.</p>\n",
                     all->errors, all->errors == 1 ? "" : "s", all->count - all->errors,
                     all->count - all->errors == 1 ? "" : "s", (unsigned long long)all->launches,
                     all->launches == 1 ? "" : "es");
    for (size_t i = 0; i < all->count; i++)
        add_defect(out, sources, &all->at[i]);
}
