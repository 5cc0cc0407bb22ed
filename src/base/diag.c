/* base/diag.c -- collecting and printing diagnostics.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/diag.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"

const char *hd_status_name(HdStatus st)
{
    static const char *const names[] = {[HD_OK] = "ok",
                                        [HD_BAD_INPUT] = "bad input",
                                        [HD_UNSUPPORTED] = "unsupported",
                                        [HD_NO_MEMORY] = "no memory",
                                        [HD_IO] = "i/o error",
                                        [HD_ABORTED] = "aborted",
                                        [HD_BUG] = "internal error"};

    return (size_t)st < sizeof names / sizeof *names ? names[st] : "unknown status";
}

void hd_diags_init(HdDiags *d)
{
    *d = (HdDiags){0};
}

void hd_diags_drop(HdDiags *d)
{
    HD_ARRAY_FREE(d);
    hd_arena_drop(d->arena);
    hd_free(d->text.bytes);
    hd_diags_init(d);
}

void hd_diags_read_text(HdDiags *d, const HdDiagText *text)
{
    hd_free(d->text.bytes);
    d->text = text != NULL ? *text : (HdDiagText){0};
}

static bool ready(HdDiags *d)
{
    if (d->arena == NULL)
        d->arena = hd_arena_open();
    return d->arena != NULL;
}

const char *hd_diags_string(HdDiags *d, const char *s)
{
    return s == NULL || !ready(d) ? NULL : hd_arena_string(d->arena, s, strlen(s));
}

/* A string, shared with the finding before where that one says the same: most do. */
static const char *keep_string(HdDiags *d, const char *s, const char *last)
{
    return s != NULL && last != NULL && strcmp(s, last) == 0 ? last : hd_diags_string(d, s);
}

/* Count one. False: it is counted only. */
static bool count_one(HdDiags *d, const HdDiag *diag)
{
    if (diag->severity == HD_ERROR) {
        if (d->first == HD_OK)
            d->first = diag->status;
        d->errors++;
        if (d->limit != 0 && d->errors > d->limit)
            return false;
    }
    return ready(d);
}

/* An error that finds no memory has been counted. */
static void keep(HdDiags *d, const HdDiag *diag, const char *message)
{
    const HdDiag *last = hd_diags_last(d);
    HdDiag copy = *diag;

    copy.message = keep_string(d, message, last != NULL ? last->message : NULL);
    copy.hint = keep_string(d, copy.hint, last != NULL ? last->hint : NULL);
    copy.inst = hd_diags_string(d, copy.inst);
    copy.source = keep_string(d, copy.source, last != NULL ? last->source : NULL);
    if (copy.message == NULL)
        copy.message = "(no memory for the message)";
    (void)HD_PUSH(NULL, d, copy);
}

static void add(HdDiags *d, const HdDiag *diag, const char *fmt, va_list args) HD_PRINTF(3, 0);

static void add(HdDiags *d, const HdDiag *diag, const char *fmt, va_list args)
{
    HdStrbuf text = {0};

    if (!count_one(d, diag))
        return;
    hd_strbuf_vprintf(&text, fmt, args);
    keep(d, diag, hd_strbuf_text(&text));
    hd_strbuf_free(&text);
}

HdStatus hd_fail(HdDiags *d, HdStatus status, uint32_t word, const char *rule, const char *fmt, ...)
{
    HdDiag diag = {.severity = HD_ERROR, .status = status, .rule = rule, .word = word};
    va_list args;

    va_start(args, fmt);
    add(d, &diag, fmt, args);
    va_end(args);
    return status;
}

HdStatus hd_diags_add(HdDiags *d, const HdDiag *diag, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    add(d, diag, fmt, args);
    va_end(args);
    return diag->status;
}

HdStatus hd_diags_add_text(HdDiags *d, const HdDiag *diag, const char *message)
{
    if (count_one(d, diag))
        keep(d, diag, message);
    return diag->status;
}

void hd_diags_append(HdDiags *d, const HdDiags *from)
{
    size_t kept = 0;

    for (size_t i = 0; i < from->count; i++) {
        kept += from->at[i].severity == HD_ERROR;
        (void)hd_diags_add_text(d, &from->at[i], from->at[i].message);
    }
    if (d->first == HD_OK)
        d->first = from->first;
    d->errors += from->errors - kept;
}

HdDiag *hd_diags_last(HdDiags *d)
{
    return d->count != 0 ? &d->at[d->count - 1] : NULL;
}

const char *hd_severity_name(HdSeverity s)
{
    return s == HD_ERROR ? "error" : s == HD_WARNING ? "warning" : "note";
}

static void print_place(const HdDiags *d, const HdDiag *g, HdStrbuf *out)
{
    if (d->file != NULL)
        hd_strbuf_printf(out, "%s:", d->file);
    if (g->line != 0)
        hd_strbuf_printf(out, "%u:%u:", g->line, g->column);
    else if (g->word != HD_NO_PLACE)
        hd_strbuf_printf(out, "byte %llu:", (unsigned long long)g->word * 4);
    if (out->count != 0 && out->at[out->count - 1] == ':')
        hd_strbuf_add_char(out, ' ');
}

/* A caret and its tail below the instruction. */
static void print_mark(const HdDiag *g, HdStrbuf *out)
{
    hd_strbuf_printf(out, "    %*s^", (int)g->mark, "");
    for (uint32_t i = 1; i < g->mark_bytes; i++)
        hd_strbuf_add_char(out, '~');
    hd_strbuf_add_char(out, '\n');
}

static void print_one(const HdDiags *d, const HdDiag *g, HdStrbuf *out, bool colour)
{
    const char *paint = g->severity == HD_ERROR ? "\033[1;31m" : "\033[1;35m";

    print_place(d, g, out);
    hd_strbuf_printf(out, "%s%s:%s %s", colour ? paint : "", hd_severity_name(g->severity),
                     colour ? "\033[0m" : "", g->message);
    if (g->rule != NULL)
        hd_strbuf_printf(out, " [%s]", g->rule);
    hd_strbuf_add_char(out, '\n');
    if (g->inst != NULL)
        hd_strbuf_printf(out, "    %s\n", g->inst);
    if (g->inst != NULL && g->mark_bytes != 0)
        print_mark(g, out);
    if (g->source != NULL)
        hd_strbuf_printf(out, "  source: %s:%u\n", g->source, g->source_line);
    if (g->spec != NULL)
        hd_strbuf_printf(out, "  spec: %s\n", g->spec);
    if (g->hint != NULL)
        hd_strbuf_printf(out, "  hint: %s\n", g->hint);
}

void hd_diags_print(const HdDiags *d, HdStrbuf *out, bool colour)
{
    for (size_t i = 0; i < d->count; i++)
        if (!d->errors_only || d->at[i].severity == HD_ERROR)
            print_one(d, &d->at[i], out, colour);
    if (d->limit != 0 && d->errors > d->limit)
        hd_strbuf_printf(out, "%zu more errors not shown\n", d->errors - d->limit);
}

static void json_string(HdStrbuf *out, const char *key, const char *value)
{
    if (value == NULL)
        return;
    hd_strbuf_printf(out, ",\"%s\":", key);
    hd_strbuf_add_json(out, value);
}

void hd_diags_complain(const HdDiags *d)
{
    HdStrbuf text = {0};

    hd_diags_print(d, &text, false);
    fputs(hd_strbuf_text(&text), stderr);
    hd_strbuf_free(&text);
}

void hd_diags_json(const HdDiags *d, HdStrbuf *out)
{
    hd_strbuf_add_char(out, '[');
    for (size_t i = 0; i < d->count; i++) {
        const HdDiag *g = &d->at[i];

        hd_strbuf_printf(out, "%s{\"severity\":\"%s\"", i ? "," : "",
                         hd_severity_name(g->severity));
        json_string(out, "status", g->status != HD_OK ? hd_status_name(g->status) : NULL);
        json_string(out, "rule", g->rule);
        json_string(out, "message", g->message);
        json_string(out, "file", d->file);
        if (g->word != HD_NO_PLACE && g->line == 0)
            hd_strbuf_printf(out, ",\"byte\":%llu", (unsigned long long)g->word * 4);
        if (g->line != 0)
            hd_strbuf_printf(out, ",\"line\":%u,\"column\":%u", g->line, g->column);
        json_string(out, "instruction", g->inst);
        if (g->source != NULL)
            hd_strbuf_printf(out, ",\"source_line\":%u", g->source_line);
        json_string(out, "source", g->source);
        json_string(out, "spec", g->spec);
        json_string(out, "hint", g->hint);
        hd_strbuf_add_char(out, '}');
    }
    hd_strbuf_add_char(out, ']');
}
