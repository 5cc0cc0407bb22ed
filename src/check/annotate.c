/* check/annotate.c -- sources annotated with findings.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/html.h"

#define AROUND  12u /* lines shown before and after a finding; others are omitted */
#define EXCERPT 3u

typedef struct Mark {
    const HdDefect *defect;
    const HdDefectPlace *place;
    size_t number; /* of the defect, from 1 */
} Mark;

typedef HD_ARRAY(Mark) Marks;

/* The same as in `text`, so that the caret is below the column whatever the tab width. */
static void add_caret(HdStrbuf *out, const char *text, size_t len, uint32_t column)
{
    for (size_t i = 0; i + 1 < column && i < len; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80) /* one for each character of UTF-8 */
            hd_strbuf_add_char(out, text[i] == '\t' ? '\t' : ' ');
    hd_strbuf_add(out, "<em>^</em>");
}

void hd_html_line(HdStrbuf *out, const char *margin, const char *class, const char *text,
                  size_t len)
{
    hd_strbuf_printf(out, "<s>%s</s> ", margin);
    if (class != NULL)
        hd_strbuf_printf(out, "<b class=%s>", class);
    hd_strbuf_add_html(out, text, len);
    hd_strbuf_add(out, class != NULL ? "</b>\n" : "\n");
}

static bool add_line(HdStrbuf *out, HdSources *sources, const HdDefectPlace *p, uint32_t line,
                     const char *class)
{
    size_t len;
    const char *text = hd_sources_line(sources, p, line, &len);
    char margin[16];

    if (text == NULL)
        return false;
    snprintf(margin, sizeof margin, "%5u", line);
    hd_html_line(out, margin, class, text, len);
    return true;
}

void hd_html_excerpt(HdStrbuf *out, HdSources *sources, const HdDefectPlace *p)
{
    uint32_t first = p->line > EXCERPT ? p->line - EXCERPT : 1;
    bool any = false;

    for (uint32_t line = first; p->line != 0 && line <= p->line + EXCERPT; line++) {
        size_t len, was = out->count;
        const char *text = hd_sources_line(sources, p, line, &len);

        if (text == NULL)
            continue;
        if (!any)
            hd_strbuf_add(out, "<pre>");
        any = any || out->count > was;
        (void)add_line(out, sources, p, line, line == p->line ? "error" : NULL);
        if (line != p->line || p->column == 0 || p->column > len)
            continue;
        hd_strbuf_add(out, "      ");
        add_caret(out, text, len, p->column);
        hd_strbuf_add(out, "\n");
    }
    hd_strbuf_add(out, any ? "</pre>\n" : "");
}

/* ---- whole files --------------------------------------------------------------------------- */

static void add_mark(Marks *marks, const HdDefect *d, const HdDefectPlace *p, size_t number)
{
    if (p->source != NULL && p->line > 0)
        (void)!HD_PUSH(NULL, marks, ((Mark){.defect = d, .place = p, .number = number}));
}

/* Programs may have different files of one name. */
static int compare_files(const HdDefectPlace *a, const HdDefectPlace *b)
{
    int by = strcmp(a->source, b->source);

    if (by == 0 && a->text != b->text)
        by = a->text == NULL ? -1 : b->text == NULL ? 1 : strcmp(a->text, b->text);
    return by;
}

static int compare(const void *a, const void *b)
{
    const Mark *x = a, *y = b;
    int by = compare_files(x->place, y->place);

    if (by != 0)
        return by;
    if (x->place->line != y->place->line)
        return x->place->line < y->place->line ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static void add_note(HdStrbuf *out, HdSources *sources, const Mark *m)
{
    const HdDefect *d = m->defect;
    bool is_other = m->place != &d->place;
    size_t len = 0;
    const char *text = hd_sources_line(sources, m->place, m->place->line, &len);

    hd_strbuf_add(out, "      ");
    if (text != NULL && m->place->column > 0 && m->place->column <= len)
        add_caret(out, text, len, m->place->column);
    hd_strbuf_printf(out, " <a class=%s href=\"#d%zu\">%zu ",
                     is_other ? "other" : hd_severity_name(d->severity), m->number, m->number);
    if (is_other)
        hd_strbuf_add_html(out, d->other, strlen(d->other));
    else
        hd_strbuf_add_html(out, d->message, strlen(d->message));
    hd_strbuf_add(out, is_other ? " here" : "");
    if (!is_other && d->count > 1)
        hd_strbuf_printf(out, ", %llu times", (unsigned long long)d->count);
    hd_strbuf_add(out, "</a>\n");
}

/* The lines around marks of one file. */
static void add_file(HdStrbuf *out, HdSources *sources, const Mark *at, size_t count)
{
    uint32_t next = 1;
    size_t len;

    hd_strbuf_add(out, "<details open><summary>");
    hd_strbuf_add_html(out, at->place->source, strlen(at->place->source));
    hd_strbuf_add(out, "</summary>\n<pre>");
    for (size_t i = 0; i < count;) {
        const HdDefectPlace *p = at[i].place;
        uint32_t line = p->line, first = line > AROUND ? line - AROUND : 1;
        uint32_t behind;

        if (first > next)
            hd_strbuf_add(out, "    &#8942;\n");
        for (next = first > next ? first : next; next < line; next++)
            (void)add_line(out, sources, p, next, NULL);
        (void)add_line(out, sources, p, line,
                       p == &at[i].defect->place ? hd_severity_name(at[i].defect->severity)
                                                 : "other");
        for (; i < count && at[i].place->line == line; i++)
            add_note(out, sources, &at[i]);
        behind =
            i < count && at[i].place->line <= line + AROUND ? at[i].place->line - 1 : line + AROUND;
        for (next = line + 1; next <= behind && add_line(out, sources, p, next, NULL);)
            next++;
        if (i == count && hd_sources_line(sources, p, next, &len) != NULL)
            hd_strbuf_add(out, "    &#8942;\n");
    }
    hd_strbuf_add(out, "</pre></details>\n");
}

void hd_html_sources(HdStrbuf *out, HdSources *sources, const HdDefects *all)
{
    Marks marks = {0};
    size_t len;

    for (size_t i = 0; i < all->count; i++) {
        add_mark(&marks, &all->at[i], &all->at[i].place, i + 1);
        if (all->at[i].other != NULL)
            add_mark(&marks, &all->at[i], &all->at[i].other_place, i + 1);
    }
    if (marks.count > 0)
        qsort(marks.at, marks.count, sizeof *marks.at, compare);
    for (size_t i = 0, end; i < marks.count; i = end) {
        for (end = i + 1;
             end < marks.count && compare_files(marks.at[i].place, marks.at[end].place) == 0;)
            end++;
        if (hd_sources_line(sources, marks.at[i].place, marks.at[i].place->line, &len) != NULL)
            add_file(out, sources, marks.at + i, end - i);
    }
    HD_ARRAY_FREE(&marks);
}
