/* check/html.c -- defects as one HTML page: a summary, the annotated sources, and the details of
 * each defect.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check/html.h"

#include <string.h>

static void add_text(HdStrbuf *out, const char *s)
{
    hd_strbuf_add_html(out, s, strlen(s));
}

/* ---- the summary --------------------------------------------------------------------------- */

static void add_head(HdStrbuf *out, const HdDefects *all, const char *file)
{
    size_t notes = all->count - all->errors;

    hd_strbuf_add(out, "<h1>Checked run");
    if (file != NULL) {
        hd_strbuf_add(out, " of ");
        add_text(out, file);
    }
    hd_strbuf_printf(out, "</h1>\n<p>%zu error%s and %zu note%s in %llu launch%s%s</p>\n",
                     all->errors, all->errors == 1 ? "" : "s", notes, notes == 1 ? "" : "s",
                     (unsigned long long)all->launches, all->launches == 1 ? "" : "es",
                     all->count == 0 ? ": nothing is wrong." : ".");
    if (all->more > 0)
        hd_strbuf_printf(out, "<p>%llu more are not shown.</p>\n", (unsigned long long)all->more);
}

static void add_summary(HdStrbuf *out, const HdDefects *all)
{
    hd_strbuf_add(out, "<table class=summary><tr><th></th><th>rule</th><th>what</th><th>kernel</th>"
                       "<th>where</th><th>times</th></tr>\n");
    for (size_t i = 0; i < all->count; i++) {
        const HdDefect *d = &all->at[i];

        hd_strbuf_printf(out, "<tr class=%s><td><a href=\"#d%zu\">%zu</a></td><td>",
                         hd_severity_name(d->severity), i + 1, i + 1);
        add_text(out, d->rule);
        hd_strbuf_add(out, "</td><td>");
        add_text(out, d->message);
        hd_strbuf_add(out, "</td><td>");
        add_text(out, d->kernel != NULL ? d->kernel : "");
        hd_strbuf_add(out, "</td><td>");
        if (d->place.source != NULL) {
            add_text(out, d->place.source);
            hd_strbuf_printf(out, ":%u", d->place.line);
        } else if (d->place.word != HD_NO_PLACE) {
            hd_strbuf_printf(out, "byte %llu", (unsigned long long)d->place.word * 4);
        }
        hd_strbuf_printf(out, "</td><td>%llu</td></tr>\n", (unsigned long long)d->count);
    }
    hd_strbuf_add(out, "</table>\n");
}

/* ---- each defect --------------------------------------------------------------------------- */

static void add_row(HdStrbuf *out, const char *name, const char *text)
{
    if (text == NULL)
        return;
    hd_strbuf_printf(out, "<tr><th>%s</th><td>", name);
    add_text(out, text);
    hd_strbuf_add(out, "</td></tr>\n");
}

static void add_place(HdStrbuf *out, const char *name, const HdDefectPlace *p)
{
    HdStrbuf text = {0};

    hd_defect_place_text(p, &text);
    add_row(out, name, hd_strbuf_text(&text));
    hd_strbuf_free(&text);
}

static void add_other(HdStrbuf *out, const HdDefect *d)
{
    HdStrbuf text = {0};

    if (d->other == NULL)
        return;
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

static void add_table(HdStrbuf *out, const HdDefect *d)
{
    HdStrbuf text = {0};

    hd_strbuf_add(out, "<table>\n");
    add_row(out, d->is_shader ? "shader" : "kernel", d->kernel);
    add_place(out, "place", &d->place);
    add_row(out, "instruction", d->place.inst);
    if (d->item.is_known) {
        hd_defect_item_text(&d->item, &text);
        add_row(out, "who", hd_strbuf_text(&text));
    }
    hd_strbuf_free(&text);
    add_row(out, "variable", d->variable);
    add_row(out, "memory", d->memory);
    add_other(out, d);
    for (uint32_t i = 0; i < d->stack_count; i++)
        add_place(out, "called", &d->stack[i]);
    add_row(out, "hint", d->hint);
    hd_strbuf_add(out, "</table>\n");
}

/* Occurrences away from what is shown of the first. */
static void add_again(HdStrbuf *out, const HdDefect *d)
{
    for (const HdDefectAgain *a = d->again; a != NULL; a = a->next) {
        HdStrbuf who = {0};
        HdDefect one = *d;

        one.item = a->item;
        one.other_item = a->other_item;
        one.address = a->address;
        one.bytes = a->bytes;
        one.memory_at = a->memory_at;
        one.memory_bytes = a->memory_bytes;
        one.lanes = a->lanes;
        one.first_item = a->first_item;
        one.around = a->around;
        hd_strbuf_add(out, "<h4>Also by ");
        hd_defect_item_text(&a->item, &who);
        add_text(out, hd_strbuf_text(&who));
        hd_strbuf_free(&who);
        if (a->memory != NULL) {
            hd_strbuf_add(out, ", ");
            add_text(out, a->memory);
        }
        hd_strbuf_add(out, "</h4>\n");
        hd_html_memory(out, &one);
        hd_html_group(out, &one);
    }
    if (d->has_more)
        hd_strbuf_printf(out, "<p>Only the first %u places in memory are shown.</p>\n",
                         HD_DEFECT_AGAIN + 1);
}

static void add_defect(HdStrbuf *out, HdSources *sources, const HdDefect *d, size_t number)
{
    const char *word = hd_severity_name(d->severity);

    hd_strbuf_printf(out, "<section class=%s id=d%zu><h3>%zu %s: ", word, number, number, word);
    add_text(out, d->message);
    hd_strbuf_printf(out, " <small>%s, %llu time%s</small></h3>\n", d->rule,
                     (unsigned long long)d->count, d->count == 1 ? "" : "s");
    add_table(out, d);
    hd_html_excerpt(out, sources, &d->place);
    if (d->other != NULL)
        hd_html_excerpt(out, sources, &d->other_place);
    hd_html_memory(out, d);
    hd_html_group(out, d);
    add_again(out, d);
    hd_strbuf_add(out, "</section>\n");
}

/* ---- the page ------------------------------------------------------------------------------ */

static const char style[] =
    "body{font:14px/1.4 sans-serif;max-width:72em;margin:2em auto;padding:0 1em;color:#222}"
    "h1{font-size:1.5em}h2{font-size:1.2em;margin-top:2em}h3{font-size:1.05em;margin:0 0 .5em}"
    "h4{font-size:1em;font-weight:normal;margin:1em 0 0}"
    "small{color:#777;font-weight:normal}a{color:#15c}pre,td,s,figure{font-family:monospace}"
    "s{text-decoration:none;color:#999;user-select:none}pre{overflow-x:auto;background:#f7f7f7;"
    "padding:.6em;line-height:1.35}th{text-align:left;vertical-align:top;padding-right:1em;"
    "font-weight:normal;color:#666}td{vertical-align:top;padding-right:1em}"
    ".summary{border-collapse:collapse}.summary td,.summary th{border-bottom:1px solid #ddd;"
    "padding:.2em 1em .2em 0}.summary td:last-child{text-align:right}"
    "section{border-left:4px solid #888;padding-left:1em;margin:2em 0}"
    "section.error{border-color:#c22}section.warning{border-color:#a3a}section.note{"
    "border-color:#28c}tr.error a,pre a.error{color:#c22}tr.warning a,pre a.warning{color:#a3a}"
    "pre b{font-weight:inherit;background:#fdd}pre b.note,pre b.other{background:#def}"
    "pre b.warning{background:#fdf}pre b.never{background:#fee}pre b.most{font-weight:bold}pre "
    "em{color:#c22;font-style:normal}"
    "figure{margin:1em 0;font-size:11px}figcaption{color:#666;margin-bottom:.3em}"
    "figure div{white-space:nowrap;line-height:0}figure s{display:inline-block;width:5em;"
    "line-height:16px;text-align:right;padding-right:.6em;vertical-align:middle}"
    "figure i{display:inline-block;font-style:normal;text-align:center;box-sizing:border-box;"
    "vertical-align:middle;margin:1px;height:16px;line-height:16px;min-width:18px}"
    ".group i{width:10px;min-width:10px;height:10px}figure p{color:#666;margin:.4em 0}"
    ".in,.near{background:#ccd}.far{background:#eee}.un{background:repeating-linear-gradient("
    "45deg,#ccd 0 3px,#fff 3px 6px)}.out{border:1px dashed #bbb}figure .mine{background:#e44;"
    "color:#fff}figure .out.mine{border:2px solid #c22;background:#fcc}.group .other{"
    "background:#28c}figure .also{background:#fa8}figure .out.also{border-color:#c22}"
    "figure div small{line-height:16px;padding-left:1em;vertical-align:middle}"
    ":root{color-scheme:light dark}@media(prefers-color-scheme:dark){"
    "body{color:#ddd;background:#1b1b1b}a{color:#8bf}small,th,figcaption,figure p{color:#aaa}"
    "s{color:#888}pre{background:#262626}.summary td,.summary th{border-color:#444}"
    "tr.error a,pre a.error,pre em{color:#f77}tr.warning a,pre a.warning{color:#e8e}"
    "pre b{background:#622}pre b.note,pre b.other{background:#246}pre b.warning{background:#535}"
    "pre b.never{background:#422}"
    ".in,.near{background:#446}.far{background:#333}.un{background:repeating-linear-gradient("
    "45deg,#555 0 3px,#222 3px 6px)}.out{border-color:#666}figure .out.mine{background:#622}"
    "figure .also{background:#853}figure .out.also{border-color:#c66}}";

void hd_defects_html(const HdDefects *all, const char *file, HdSources *sources, HdStrbuf *out)
{
    hd_strbuf_add(out, "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n"
                       "<title>Heddle: checked run</title>\n<style>");
    hd_strbuf_add(out, style);
    hd_strbuf_add(out, "</style>\n");
    add_head(out, all, file);
    if (all->count > 0) {
        add_summary(out, all);
        hd_strbuf_add(out, "<h2>Sources</h2>\n");
        hd_html_sources(out, sources, all);
        hd_strbuf_add(out, "<h2>What was found</h2>\n");
        for (size_t i = 0; i < all->count; i++)
            add_defect(out, sources, &all->at[i], i + 1);
    }
    hd_html_counts(out, sources, all);
}
