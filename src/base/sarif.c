/* base/sarif.c -- findings as a SARIF log.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/sarif.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"

typedef HD_ARRAY(const HdSarifResult *) Rules;

/* Index of a rule; rules->count when it is new. */
static size_t rule_index(const Rules *rules, const char *rule)
{
    size_t i = 0;

    while (i < rules->count && strcmp(rules->at[i]->rule, rule) != 0)
        i++;
    return i;
}

/* `"key":{"text":"…"}` after a comma. */
static void add_message(HdStrbuf *out, const char *key, const char *text)
{
    if (text == NULL)
        return;
    hd_strbuf_printf(out, ",\"%s\":{\"text\":", key);
    hd_strbuf_add_json(out, text);
    hd_strbuf_add_char(out, '}');
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

static void add_region(HdStrbuf *out, const HdSarifPlace *p)
{
    if (p->line != 0)
        hd_strbuf_printf(out, ",\"region\":{\"startLine\":%u,\"startColumn\":%u", p->line,
                         p->column != 0 ? p->column : 1);
    else if (p->word != HD_NO_PLACE)
        hd_strbuf_printf(out, ",\"region\":{\"byteOffset\":%llu,\"byteLength\":0",
                         (unsigned long long)p->word * 4);
    else
        return;
    add_message(out, "snippet", p->snippet);
    hd_strbuf_add_char(out, '}');
}

static void add_location(HdStrbuf *out, const HdSarifPlace *p)
{
    hd_strbuf_add(out, "{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"");
    add_uri(out, p->file != NULL ? p->file : "module");
    hd_strbuf_add(out, "\"}");
    add_region(out, p);
    hd_strbuf_add_char(out, '}');
    add_message(out, "message", p->message);
    hd_strbuf_add_char(out, '}');
}

/* `"key":[location]` after a comma. */
static void add_locations(HdStrbuf *out, const char *key, const HdSarifPlace *p)
{
    hd_strbuf_printf(out, ",\"%s\":[", key);
    add_location(out, p);
    hd_strbuf_add_char(out, ']');
}

static void add_calls(HdStrbuf *out, const HdSarifResult *r)
{
    if (r->stack_count == 0)
        return;
    hd_strbuf_add(out, ",\"stacks\":[{\"message\":{\"text\":\"calls\"},\"frames\":[");
    for (uint32_t i = 0; i < r->stack_count; i++) {
        hd_strbuf_add(out, i > 0 ? ",{\"location\":" : "{\"location\":");
        add_location(out, &r->stack[i]);
        hd_strbuf_add_char(out, '}');
    }
    hd_strbuf_add(out, "]}]");
}

static void add_result(HdStrbuf *out, const HdSarifResult *r, size_t rule)
{
    hd_strbuf_add(out, "{\"ruleId\":");
    hd_strbuf_add_json(out, r->rule);
    hd_strbuf_printf(out, ",\"ruleIndex\":%zu,\"level\":\"%s\"", rule,
                     hd_severity_name(r->severity));
    add_message(out, "message", r->message);
    if (r->count != 0)
        hd_strbuf_printf(out, ",\"occurrenceCount\":%llu", (unsigned long long)r->count);
    if (r->place.file != NULL || r->place.line != 0 || r->place.word != HD_NO_PLACE)
        add_locations(out, "locations", &r->place);
    if (r->other.message != NULL)
        add_locations(out, "relatedLocations", &r->other);
    add_calls(out, r);
    hd_strbuf_add_char(out, '}');
}

static void add_rule(HdStrbuf *out, const HdSarifResult *r)
{
    hd_strbuf_add(out, "{\"id\":");
    hd_strbuf_add_json(out, r->rule);
    add_message(out, "shortDescription", r->about);
    add_message(out, "help", r->help);
    hd_strbuf_add_char(out, '}');
}

void hd_sarif_print(const HdSarifResult *results, size_t count, HdStrbuf *out)
{
    Rules rules = {0};

    hd_strbuf_add(out, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\","
                       "\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"heddle\","
                       "\"version\":\"" HD_VERSION "\",\"rules\":[");
    for (size_t i = 0; i < count; i++) {
        const HdSarifResult *r = &results[i];

        if (rule_index(&rules, r->rule) < rules.count || !HD_PUSH(NULL, &rules, r))
            continue;
        hd_strbuf_add(out, rules.count > 1 ? "," : "");
        add_rule(out, r);
    }
    hd_strbuf_add(out, "]}},\"results\":[");
    for (size_t i = 0; i < count; i++) {
        hd_strbuf_add(out, i > 0 ? "," : "");
        add_result(out, &results[i], rule_index(&rules, results[i].rule));
    }
    hd_strbuf_add(out, "]}]}\n");
    HD_ARRAY_FREE(&rules);
}
