/* debug/dap_breaks.c -- the protocol: breakpoints, and what the run stops at.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "debug/dap_state.h"
#include "debug/private.h"

static void forget(HdDap *p, const char *of)
{
    for (size_t i = p->breaks.count; i-- > 0;) {
        if (strcmp(p->breaks.at[i].of, of) != 0)
            continue;
        hd_debug_break_remove(p->d, p->breaks.at[i].number);
        hd_free(p->breaks.at[i].of);
        p->breaks.at[i] = p->breaks.at[--p->breaks.count];
    }
}

uint32_t hd_dap_gone_break(HdDap *p)
{
    for (size_t i = 0; i < p->breaks.count; i++) {
        uint32_t number = p->breaks.at[i].number;

        if (hd_debug_break_find(p->d, number) != NULL)
            continue;
        hd_free(p->breaks.at[i].of);
        p->breaks.at[i] = p->breaks.at[--p->breaks.count];
        return number;
    }
    return 0;
}

/* Report the outcome of a requested breakpoint. */
static void add_result(HdDap *p, uint32_t number, const char *of, const cJSON *asked,
                       const HdStrbuf *why, cJSON *list)
{
    HdDapBreak own = {.number = number, .of = hd_strdup(of)};
    HdDebugBreak *b = hd_debug_break_find(p->d, number);
    const char *hits = hd_dap_text(asked, "hitCondition");
    cJSON *result = cJSON_CreateObject();

    cJSON_AddItemToArray(list, result);
    cJSON_AddBoolToObject(result, "verified", b != NULL);
    if (b == NULL || own.of == NULL || !HD_PUSH(NULL, &p->breaks, own)) {
        hd_free(own.of);
        cJSON_AddStringToObject(result, "message", hd_strbuf_text(why));
        return;
    }
    /* "N" and ">= N" stop from the N-th time on. */
    if (hits != NULL) {
        b->ignore = strtoull(hits + strspn(hits, " >=%"), NULL, 10);
        b->ignore -= b->ignore > 0;
    }
    cJSON_AddNumberToObject(result, "id", number);
    if (b->at.file != HD_NO_FILE) {
        cJSON_AddNumberToObject(result, "line", (double)b->at.line - 1 + p->line_base);
        cJSON_AddItemToObject(result, "source", hd_dap_source(p, b->at.file));
    }
}

void hd_dap_set_breakpoints(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    const cJSON *source = hd_dap_get(args, "source"), *one;
    const char *path = hd_dap_text(source, "path");
    int64_t reference = hd_dap_number(source, "sourceReference", 0);
    cJSON *list = cJSON_AddArrayToObject(body, "breakpoints");
    uint32_t file;

    (void)why;
    path = path != NULL ? path : hd_dap_text(source, "name");
    path = path != NULL ? path : "";
    file =
        reference > 0 ? (uint32_t)reference - 1 : hd_debug_lines_file(hd_debug_lines(p->d), path);
    if (file >= hd_debug_lines(p->d)->files.count)
        file = HD_NO_FILE;
    forget(p, path);
    cJSON_ArrayForEach(one, hd_dap_get(args, "breakpoints"))
    {
        HdStrbuf reason = {0};
        int64_t line = hd_dap_number(one, "line", 0) + 1 - p->line_base;
        uint32_t number = hd_debug_break_line(p->d, file, line > 0 ? (uint32_t)line : 0,
                                              hd_dap_text(one, "condition"), &reason);

        add_result(p, number, path, one, &reason, list);
        hd_strbuf_free(&reason);
    }
}

/* Breakpoints by a text: at functions, at instructions. */
static void set_others(HdDap *p, const cJSON *args, cJSON *body, const char *of, const char *key,
                       const char *mark)
{
    cJSON *list = cJSON_AddArrayToObject(body, "breakpoints");
    const cJSON *one;

    forget(p, of);
    cJSON_ArrayForEach(one, hd_dap_get(args, "breakpoints"))
    {
        const char *name = hd_dap_text(one, key);
        HdStrbuf reason = {0}, where = {0};
        uint32_t number;

        hd_strbuf_printf(&where, "%s%s", mark, name != NULL ? name : "");
        number =
            hd_debug_break(p->d, hd_strbuf_text(&where), hd_dap_text(one, "condition"), &reason);
        add_result(p, number, of, one, &reason, list);
        hd_strbuf_free(&where);
        hd_strbuf_free(&reason);
    }
}

void hd_dap_set_function_breakpoints(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    (void)why;
    set_others(p, args, body, "function", "name", "");
}

void hd_dap_set_instruction_breakpoints(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    (void)why;
    set_others(p, args, body, "instruction", "instructionReference", "*");
}

/* The memory of a dataId; NULL: why says why there is none. */
static const HdDapData *find_data(HdDap *p, const char *id, HdDebugValue *out, HdStrbuf *why)
{
    uint64_t number = id != NULL ? strtoull(id, NULL, 10) : 0;
    const HdDapData *data;
    HdDefectItem now = {0};

    if (number == 0 || number > p->data.count) {
        hd_strbuf_printf(why, "no memory has the dataId '%s'", id != NULL ? id : "");
        return NULL;
    }
    data = &p->data.at[number - 1];
    if (p->d->r != NULL)
        hd_debug_item(p->d, hd_debug_focus(p->d), &now);
    if (p->d->r == NULL ||
        (data->is_of_group && memcmp(data->group, now.group, sizeof now.group) != 0) ||
        !hd_debug_at(p->d, data->type, data->address, out)) {
        hd_strbuf_printf(why, "the memory of '%s' went with its ", data->name);
        hd_debug_words(p->d, "work-group", why);
        return NULL;
    }
    return data;
}

void hd_dap_set_data_breakpoints(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    cJSON *list = cJSON_AddArrayToObject(body, "breakpoints");
    const cJSON *one;

    (void)why;
    forget(p, "data");
    cJSON_ArrayForEach(one, hd_dap_get(args, "breakpoints"))
    {
        HdStrbuf reason = {0};
        HdDebugValue v;
        const HdDapData *data = find_data(p, hd_dap_text(one, "dataId"), &v, &reason);
        uint32_t number = 0;

        if (data != NULL)
            number =
                hd_debug_watch_value(p->d, &v, data->name, hd_dap_text(one, "condition"), &reason);
        add_result(p, number, "data", one, &reason, list);
        hd_strbuf_free(&reason);
    }
}

void hd_dap_set_exception_breakpoints(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    const cJSON *one;
    bool stops = false;

    (void)body;
    (void)why;
    cJSON_ArrayForEach(one, hd_dap_get(args, "filters")) stops =
        stops || (cJSON_IsString(one) && strcmp(one->valuestring, "defects") == 0);
    hd_debug_stop_at_defects(p->d, stops);
}

void hd_dap_exception_info(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    HdStrbuf text = {0};

    (void)args;
    if (p->defect == NULL) {
        hd_strbuf_add(why, "the run has not stopped at a defect");
        return;
    }
    cJSON_AddStringToObject(body, "exceptionId", p->defect->rule);
    cJSON_AddStringToObject(body, "breakMode", "always");
    hd_strbuf_printf(&text, "%s", p->defect->message);
    if (p->defect->memory != NULL)
        hd_strbuf_printf(&text, "; memory: %s", p->defect->memory);
    if (p->defect->hint != NULL)
        hd_strbuf_printf(&text, "; hint: %s", p->defect->hint);
    cJSON_AddStringToObject(body, "description", hd_strbuf_text(&text));
    hd_strbuf_free(&text);
}
