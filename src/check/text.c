/* check/text.c -- defects as text.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check/report.h"

#include <string.h>

typedef struct Paint {
    const char *severity, *quiet, *off;
} Paint;

static Paint paint_of(HdSeverity s, bool colour)
{
    if (!colour)
        return (Paint){"", "", ""};
    return (Paint){s == HD_ERROR     ? "\033[1;31m"
                   : s == HD_WARNING ? "\033[1;35m"
                                     : "\033[1;36m",
                   "\033[2m", "\033[0m"};
}

/* The source line, and a caret under the column. */
static void add_line(const HdDefectPlace *p, HdSources *sources, const Paint *paint, HdStrbuf *out)
{
    size_t len = 0, column = p->column > 0 ? p->column - 1 : 0;
    const char *line = hd_sources_line(sources, p, p->line, &len);

    if (line == NULL || len > 400)
        return;
    hd_strbuf_printf(out, "    %.*s\n", (int)len, line);
    if (p->column == 0 || column >= len)
        return;
    hd_strbuf_add(out, "    ");
    for (size_t i = 0; i < column; i++)
        hd_strbuf_add_char(out, line[i] == '\t' ? '\t' : ' ');
    hd_strbuf_printf(out, "%s^%s\n", paint->severity, paint->off);
}

static void add_defect(const HdDefect *d, const char *file, bool colour, HdSources *sources,
                       HdStrbuf *out)
{
    Paint p = paint_of(d->severity, colour);

    if (d->place.source != NULL && d->place.column != 0)
        hd_strbuf_printf(out, "%s:%u:%u: ", d->place.source, d->place.line, d->place.column);
    else if (d->place.source != NULL)
        hd_strbuf_printf(out, "%s:%u: ", d->place.source, d->place.line);
    else if (file != NULL && d->place.word != HD_NO_PLACE)
        hd_strbuf_printf(out, "%s:byte %llu: ", file, (unsigned long long)d->place.word * 4);
    hd_strbuf_printf(out, "%s%s:%s %s [%s]\n", p.severity, hd_severity_name(d->severity), p.off,
                     d->message, d->rule);
    add_line(&d->place, sources, &p, out);
    if (d->place.inst != NULL)
        hd_strbuf_printf(out, "    %s\n", d->place.inst);
    if (d->kernel != NULL)
        hd_strbuf_printf(out, "  %s: %s%s%s\n", d->is_shader ? "shader" : "kernel", d->kernel,
                         d->place.function != NULL ? ", function " : "",
                         d->place.function != NULL ? d->place.function : "");
    if (d->item.is_known) {
        hd_strbuf_add(out, "  who: ");
        hd_defect_item_text(&d->item, out);
        hd_strbuf_add_char(out, '\n');
    }
    if (d->variable != NULL)
        hd_strbuf_printf(out, "  variable: %s\n", d->variable);
    if (d->memory != NULL)
        hd_strbuf_printf(out, "  memory: %s\n", d->memory);
    if (d->other != NULL) {
        hd_strbuf_printf(out, "  %s ", d->other);
        hd_defect_place_text(&d->other_place, out);
        if (d->other_item.is_known) {
            hd_strbuf_add(out, ", by ");
            hd_defect_item_text(&d->other_item, out);
        }
        hd_strbuf_add_char(out, '\n');
        add_line(&d->other_place, sources, &p, out);
        if (d->other_place.inst != NULL)
            hd_strbuf_printf(out, "    %s\n", d->other_place.inst);
    }
    for (uint32_t i = 0; i < d->stack_count; i++) {
        hd_strbuf_add(out, "  called ");
        hd_defect_place_text(&d->stack[i], out);
        hd_strbuf_add_char(out, '\n');
    }
    if (d->count > 1)
        hd_strbuf_printf(out, "  %stimes: %llu%s\n", p.quiet, (unsigned long long)d->count, p.off);
    if (d->hint != NULL)
        hd_strbuf_printf(out, "  hint: %s\n", d->hint);
}

/* Rules in the order of their first defect, with how many places and times. */
static void add_summary(const HdDefects *all, HdStrbuf *out)
{
    size_t notes = 0;

    for (size_t i = 0; i < all->count; i++) {
        uint64_t places = 0, times = 0;
        bool is_first = true;

        notes += all->at[i].severity != HD_ERROR;
        for (size_t k = 0; k < all->count; k++) {
            if (strcmp(all->at[k].rule, all->at[i].rule) != 0)
                continue;
            is_first = is_first && k >= i;
            places++;
            times += all->at[k].count;
        }
        if (is_first)
            hd_strbuf_printf(out, "  %-28s %llu place%s, %llu time%s\n", all->at[i].rule,
                             (unsigned long long)places, places == 1 ? "" : "s",
                             (unsigned long long)times, times == 1 ? "" : "s");
    }
    hd_strbuf_printf(out, "check: %zu error%s, %zu note%s in %llu launch%s\n", all->errors,
                     all->errors == 1 ? "" : "s", notes, notes == 1 ? "" : "s",
                     (unsigned long long)all->launches, all->launches == 1 ? "" : "es");
    if (all->more > 0)
        hd_strbuf_printf(out, "check: %llu more not shown\n", (unsigned long long)all->more);
}

void hd_defects_text(const HdDefects *all, const char *file, bool colour, HdSources *sources,
                     HdStrbuf *out)
{
    for (size_t i = all->first; i < all->count; i++)
        add_defect(&all->at[i], file, colour, sources, out);
    if (all->count > 0 && !all->goes_on)
        add_summary(all, out);
}
