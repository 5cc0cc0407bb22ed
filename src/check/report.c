/* check/report.c -- defects as text, JSON and SARIF.
 *
 * Spec: Static Analysis Results Interchange Format (SARIF) 2.1.0, OASIS.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "check/report.h"

typedef struct Paint {
    const char *severity, *quiet, *off;
} Paint;

const char *hd_severity_word(HdSeverity s)
{
    return s == HD_ERROR ? "error" : s == HD_WARNING ? "warning" : "note";
}

static Paint paint_of(HdSeverity s, bool colour)
{
    if (!colour)
        return (Paint){"", "", ""};
    return (Paint){s == HD_ERROR     ? "\033[1;31m"
                   : s == HD_WARNING ? "\033[1;35m"
                                     : "\033[1;36m",
                   "\033[2m", "\033[0m"};
}

static void add_ids(HdStrbuf *out, const char *name, const uint64_t id[3])
{
    hd_strbuf_printf(out, "%s (%llu, %llu, %llu)", name, (unsigned long long)id[0],
                     (unsigned long long)id[1], (unsigned long long)id[2]);
}

void hd_defect_item_text(const HdDefectItem *item, HdStrbuf *out)
{
    add_ids(out, "work-item", item->global);
    add_ids(out, ", local", item->local);
    add_ids(out, ", group", item->group);
    hd_strbuf_printf(out, ", sub-group %u lane %u", (unsigned)item->subgroup, (unsigned)item->lane);
}

void hd_defect_place_text(const HdDefectPlace *p, HdStrbuf *out)
{
    const char *between = p->function != NULL ? " " : "";

    if (p->function != NULL)
        hd_strbuf_printf(out, "in %s", p->function);
    if (p->source != NULL)
        hd_strbuf_printf(out, "%sat %s:%u:%u", between, p->source, p->line, p->column);
    else if (p->word != HD_NO_PLACE)
        hd_strbuf_printf(out, "%sat byte %llu", between, (unsigned long long)p->word * 4);
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

static void add_text(const HdDefect *d, const char *file, bool colour, HdSources *sources,
                     HdStrbuf *out)
{
    Paint p = paint_of(d->severity, colour);

    if (d->place.source != NULL)
        hd_strbuf_printf(out, "%s:%u:%u: ", d->place.source, d->place.line, d->place.column);
    else if (file != NULL && d->place.word != HD_NO_PLACE)
        hd_strbuf_printf(out, "%s:byte %llu: ", file, (unsigned long long)d->place.word * 4);
    hd_strbuf_printf(out, "%s%s:%s %s [%s]\n", p.severity, hd_severity_word(d->severity), p.off,
                     d->message, d->rule);
    add_line(&d->place, sources, &p, out);
    if (d->place.inst != NULL)
        hd_strbuf_printf(out, "    %s\n", d->place.inst);
    if (d->kernel != NULL)
        hd_strbuf_printf(out, "  kernel: %s%s%s\n", d->kernel,
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

/* ---- JSON ---------------------------------------------------------------------------------- */

static void json_text(HdStrbuf *out, const char *key, const char *value)
{
    if (value == NULL)
        return;
    hd_strbuf_printf(out, ",\"%s\":", key);
    hd_strbuf_add_json(out, value);
}

static void json_id(HdStrbuf *out, const char *key, const uint64_t id[3])
{
    hd_strbuf_printf(out, ",\"%s\":[%llu,%llu,%llu]", key, (unsigned long long)id[0],
                     (unsigned long long)id[1], (unsigned long long)id[2]);
}

static void json_item(HdStrbuf *out, const HdDefectItem *item)
{
    if (!item->is_known)
        return;
    json_id(out, "global_id", item->global);
    json_id(out, "local_id", item->local);
    json_id(out, "group_id", item->group);
    hd_strbuf_printf(out, ",\"subgroup\":%u,\"lane\":%u", (unsigned)item->subgroup,
                     (unsigned)item->lane);
}

static void json_place(HdStrbuf *out, const HdDefectPlace *p)
{
    if (p->word != HD_NO_PLACE)
        hd_strbuf_printf(out, ",\"byte\":%llu", (unsigned long long)p->word * 4);
    json_text(out, "function", p->function);
    json_text(out, "instruction", p->inst);
    json_text(out, "source", p->source);
    if (p->source != NULL)
        hd_strbuf_printf(out, ",\"line\":%u,\"column\":%u", p->line, p->column);
}

static void add_json(const HdDefect *d, HdStrbuf *out)
{
    hd_strbuf_printf(out, "{\"severity\":\"%s\"", hd_severity_word(d->severity));
    json_text(out, "rule", d->rule);
    json_text(out, "message", d->message);
    json_text(out, "kernel", d->kernel);
    json_place(out, &d->place);
    json_item(out, &d->item);
    json_text(out, "variable", d->variable);
    json_text(out, "memory", d->memory);
    if (d->other != NULL) {
        hd_strbuf_add(out, ",\"other\":{\"what\":");
        hd_strbuf_add_json(out, d->other);
        json_place(out, &d->other_place);
        json_item(out, &d->other_item);
        hd_strbuf_add_char(out, '}');
    }
    hd_strbuf_add(out, ",\"calls\":[");
    for (uint32_t i = 0; i < d->stack_count; i++) {
        hd_strbuf_add(out, i ? ",{\"depth\":" : "{\"depth\":");
        hd_strbuf_printf(out, "%u", (unsigned)i);
        json_place(out, &d->stack[i]);
        hd_strbuf_add_char(out, '}');
    }
    hd_strbuf_printf(out, "],\"count\":%llu", (unsigned long long)d->count);
    json_text(out, "hint", d->hint);
    hd_strbuf_add_char(out, '}');
}

/* ---- SARIF --------------------------------------------------------------------------------- */

static void sarif_location(HdStrbuf *out, const HdDefectPlace *p, const char *file,
                           const char *message)
{
    const char *uri = p->source != NULL ? p->source : file;

    hd_strbuf_add(out, "{\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
    hd_strbuf_add_json(out, uri != NULL ? uri : "module");
    hd_strbuf_add_char(out, '}');
    if (p->source != NULL && p->line > 0) {
        hd_strbuf_printf(out, ",\"region\":{\"startLine\":%u,\"startColumn\":%u", p->line,
                         p->column > 0 ? p->column : 1);
    } else {
        hd_strbuf_printf(out, ",\"region\":{\"byteOffset\":%llu,\"byteLength\":0",
                         (unsigned long long)(p->word == HD_NO_PLACE ? 0 : p->word) * 4);
    }
    if (p->inst != NULL) {
        hd_strbuf_add(out, ",\"snippet\":{\"text\":");
        hd_strbuf_add_json(out, p->inst);
        hd_strbuf_add_char(out, '}');
    }
    hd_strbuf_add(out, "}}");
    if (message != NULL) {
        hd_strbuf_add(out, ",\"message\":{\"text\":");
        hd_strbuf_add_json(out, message);
        hd_strbuf_add_char(out, '}');
    }
    hd_strbuf_add_char(out, '}');
}

/* What happened, to whom, and how to mend it: people see this beside the line, and no more. */
static void sarif_message(HdStrbuf *out, const HdDefect *d)
{
    HdStrbuf text = {0};

    hd_strbuf_add(&text, d->message);
    if (d->memory != NULL)
        hd_strbuf_printf(&text, " (%s)", d->memory);
    if (d->item.is_known) {
        hd_strbuf_add(&text, ", by ");
        hd_defect_item_text(&d->item, &text);
    }
    hd_strbuf_add_char(&text, '.');
    if (d->hint != NULL)
        hd_strbuf_printf(&text, " Hint: %s.", d->hint);
    hd_strbuf_add_json(out, hd_strbuf_text(&text));
    hd_strbuf_free(&text);
}

static void sarif_calls(HdStrbuf *out, const HdDefect *d, const char *file)
{
    if (d->stack_count == 0)
        return;
    hd_strbuf_add(out, ",\"stacks\":[{\"message\":{\"text\":\"calls\"},\"frames\":[");
    for (uint32_t i = 0; i < d->stack_count; i++) {
        hd_strbuf_add(out, i > 0 ? ",{\"location\":" : "{\"location\":");
        sarif_location(out, &d->stack[i], file, d->stack[i].function);
        hd_strbuf_add_char(out, '}');
    }
    hd_strbuf_add(out, "]}]");
}

static size_t rule_index(const HdDefects *all, size_t upto, const char *rule)
{
    size_t index = 0;

    for (size_t i = 0; i < upto; i++) {
        size_t k = 0;

        if (strcmp(all->at[i].rule, rule) == 0)
            return index;
        while (strcmp(all->at[k].rule, all->at[i].rule) != 0)
            k++;
        index += k + 1 == i + 1;
    }
    return index;
}

static bool is_first_of_rule(const HdDefects *all, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(all->at[k].rule, all->at[i].rule) == 0)
            return false;
    return true;
}

static void add_sarif(const HdDefects *all, const char *file, HdStrbuf *out)
{
    const char *between = "";

    hd_strbuf_add(out, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\","
                       "\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"heddle\","
                       "\"version\":\"" HD_VERSION "\",\"rules\":[");
    for (size_t i = 0; i < all->count; i++) {
        if (!is_first_of_rule(all, i))
            continue;
        hd_strbuf_printf(out, "%s{\"id\":", between);
        hd_strbuf_add_json(out, all->at[i].rule);
        if (all->at[i].hint != NULL) {
            hd_strbuf_add(out, ",\"help\":{\"text\":");
            hd_strbuf_add_json(out, all->at[i].hint);
            hd_strbuf_add_char(out, '}');
        }
        hd_strbuf_add_char(out, '}');
        between = ",";
    }
    hd_strbuf_add(out, "]}},\"results\":[");
    for (size_t i = 0; i < all->count; i++) {
        const HdDefect *d = &all->at[i];

        hd_strbuf_add(out, i ? ",{\"ruleId\":" : "{\"ruleId\":");
        hd_strbuf_add_json(out, d->rule);
        hd_strbuf_printf(out, ",\"ruleIndex\":%zu,\"level\":\"%s\",\"message\":{\"text\":",
                         rule_index(all, i, d->rule), hd_severity_word(d->severity));
        sarif_message(out, d);
        hd_strbuf_printf(out, "},\"occurrenceCount\":%llu,\"locations\":[",
                         (unsigned long long)d->count);
        sarif_location(out, &d->place, file, NULL);
        hd_strbuf_add_char(out, ']');
        if (d->other != NULL) {
            hd_strbuf_add(out, ",\"relatedLocations\":[");
            sarif_location(out, &d->other_place, file, d->other);
            hd_strbuf_add_char(out, ']');
        }
        sarif_calls(out, d, file);
        hd_strbuf_add_char(out, '}');
    }
    hd_strbuf_add(out, "]}]}\n");
}

void hd_defects_print(const HdDefects *all, const char *file, HdDefectForm form, HdStrbuf *out)
{
    HdSources sources = {0};

    switch (form) {
    case HD_DEFECT_TEXT:
    case HD_DEFECT_COLOUR:
        for (size_t i = 0; i < all->count; i++)
            add_text(&all->at[i], file, form == HD_DEFECT_COLOUR, &sources, out);
        if (all->count > 0)
            add_summary(all, out);
        break;
    case HD_DEFECT_JSON:
        hd_strbuf_add_char(out, '[');
        for (size_t i = 0; i < all->count; i++) {
            hd_strbuf_add(out, i ? ",\n" : "\n");
            add_json(&all->at[i], out);
        }
        hd_strbuf_add(out, all->count > 0 ? "\n]\n" : "]\n");
        break;
    case HD_DEFECT_SARIF: add_sarif(all, file, out); break;
    case HD_DEFECT_HTML: hd_defects_html(all, file, &sources, out); break;
    }
    hd_sources_close(&sources);
}

HdDefectForm hd_defects_form(const char *path)
{
    const char *dot = path != NULL ? strrchr(path, '.') : NULL;

    if (dot == NULL)
        return HD_DEFECT_TEXT;
    if (strcmp(dot, ".json") == 0)
        return HD_DEFECT_JSON;
    if (strcmp(dot, ".sarif") == 0)
        return HD_DEFECT_SARIF;
    return strcmp(dot, ".html") == 0 ? HD_DEFECT_HTML : HD_DEFECT_TEXT;
}
