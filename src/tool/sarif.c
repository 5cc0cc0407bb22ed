/* tool/sarif.c -- findings as a SARIF log: rules in the order of their first finding.
 *
 * Spec: Static Analysis Results Interchange Format (SARIF) 2.1.0, OASIS. A finding in text has line
 * and column, one in a binary its byte offset; the instruction is the region's snippet.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/sarif.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"

typedef HD_ARRAY(const HdDiag *) Rules;

static const char *rule_of(const HdDiag *g)
{
    return g->rule != NULL ? g->rule : "heddle";
}

/* Index of the finding's rule; rules->count when it is new. */
static size_t rule_index(const Rules *rules, const HdDiag *g)
{
    size_t i = 0;

    while (i < rules->count && strcmp(rule_of(rules->at[i]), rule_of(g)) != 0)
        i++;
    return i;
}

static void add_uri(HdStrbuf *out, const char *path)
{
    for (const unsigned char *p = (const unsigned char *)path; *p != '\0'; p++) {
        if (isalnum(*p) || strchr("-._~/", *p) != NULL)
            hd_strbuf_add_char(out, (char)*p);
        else
            hd_strbuf_printf(out, "%%%02X", *p);
    }
}

static void add_region(HdStrbuf *out, const HdDiag *g)
{
    if (g->line != 0)
        hd_strbuf_printf(out, ",\"region\":{\"startLine\":%u,\"startColumn\":%u", g->line,
                         g->column != 0 ? g->column : 1);
    else if (g->word != HD_NO_PLACE)
        hd_strbuf_printf(out, ",\"region\":{\"byteOffset\":%llu,\"byteLength\":0",
                         (unsigned long long)g->word * 4);
    else
        return;
    if (g->inst != NULL) {
        hd_strbuf_add(out, ",\"snippet\":{\"text\":");
        hd_strbuf_add_json(out, g->inst);
        hd_strbuf_add_char(out, '}');
    }
    hd_strbuf_add_char(out, '}');
}

static void add_result(HdStrbuf *out, const HdDiags *d, const HdDiag *g, size_t rule)
{
    static const char *const levels[] = {"note", "warning", "error"};

    hd_strbuf_add(out, "{\"ruleId\":");
    hd_strbuf_add_json(out, rule_of(g));
    hd_strbuf_printf(out, ",\"ruleIndex\":%zu,\"level\":\"%s\",\"message\":{\"text\":", rule,
                     levels[g->severity]);
    hd_strbuf_add_json(out, g->message);
    hd_strbuf_add_char(out, '}');
    if (d->file != NULL) {
        hd_strbuf_add(out,
                      ",\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"");
        add_uri(out, d->file);
        hd_strbuf_add(out, "\"}");
        add_region(out, g);
        hd_strbuf_add(out, "}}]");
    }
    hd_strbuf_add_char(out, '}');
}

static void add_rules(HdStrbuf *out, const HdDiags *d, Rules *rules)
{
    for (size_t i = 0; i < d->count; i++) {
        const HdDiag *g = &d->at[i];

        if (rule_index(rules, g) < rules->count || !HD_PUSH(NULL, rules, g))
            continue;
        hd_strbuf_add(out, rules->count > 1 ? ",{\"id\":" : "{\"id\":");
        hd_strbuf_add_json(out, rule_of(g));
        if (g->spec != NULL) {
            hd_strbuf_add(out, ",\"shortDescription\":{\"text\":");
            hd_strbuf_add_json(out, g->spec);
            hd_strbuf_add_char(out, '}');
        }
        hd_strbuf_add_char(out, '}');
    }
}

void hd_tool_sarif(const HdValFile *files, size_t count, HdStrbuf *out)
{
    const char *between = "";
    Rules rules = {0};

    hd_strbuf_add(out, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\","
                       "\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"heddle\","
                       "\"version\":\"" HD_VERSION "\",\"rules\":[");
    for (size_t f = 0; f < count; f++)
        add_rules(out, &files[f].d, &rules);
    hd_strbuf_add(out, "]}},\"results\":[");
    for (size_t f = 0; f < count; f++) {
        const HdDiags *d = &files[f].d;

        for (size_t i = 0; i < d->count; i++) {
            hd_strbuf_add(out, between);
            add_result(out, d, &d->at[i], rule_index(&rules, &d->at[i]));
            between = ",";
        }
    }
    hd_strbuf_add(out, "]}]}");
    HD_ARRAY_FREE(&rules);
}
