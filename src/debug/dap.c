/* debug/dap.c -- the protocol: messages, launching, continuing.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "debug/dap_state.h"

#define MAX_MESSAGE (16u << 20)

static bool is_true(const cJSON *object, const char *key)
{
    return cJSON_IsTrue(hd_dap_get(object, key));
}

/* ---- messages ------------------------------------------------------------------------------ */

/* Takes the message. */
static void send(HdDap *p, cJSON *message)
{
    char *text;
    char header[48];

    cJSON_AddNumberToObject(message, "seq", ++p->sequence);
    text = cJSON_PrintUnformatted(message);
    if (text != NULL) {
        int len = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", strlen(text));

        p->io.write(p->io.user, header, (size_t)len);
        p->io.write(p->io.user, text, strlen(text));
    }
    cJSON_free(text);
    cJSON_Delete(message);
}

/* Takes the body. */
static void send_event(HdDap *p, const char *name, cJSON *body)
{
    cJSON *event = cJSON_CreateObject();

    cJSON_AddStringToObject(event, "type", "event");
    cJSON_AddStringToObject(event, "event", name);
    if (body != NULL)
        cJSON_AddItemToObject(event, "body", body);
    send(p, event);
}

/* Takes the body. why: NULL when all is well. */
static void respond(HdDap *p, const cJSON *request, cJSON *body, const char *why)
{
    cJSON *response = cJSON_CreateObject();

    cJSON_AddStringToObject(response, "type", "response");
    cJSON_AddNumberToObject(response, "request_seq", (double)hd_dap_number(request, "seq", 0));
    cJSON_AddStringToObject(response, "command", hd_dap_text(request, "command"));
    cJSON_AddBoolToObject(response, "success", why == NULL);
    if (why != NULL)
        cJSON_AddStringToObject(response, "message", why);
    if (body != NULL)
        cJSON_AddItemToObject(response, "body", body);
    send(p, response);
}

/* What is read is no message of the protocol: the client, or who types, is told, and the session
 * ends, as nobody knows where the next message begins. */
static void break_off(HdDap *p, const char *why)
{
    HdStrbuf text = {0};
    cJSON *body = cJSON_CreateObject();

    p->is_broken = true;
    hd_strbuf_printf(&text,
                     "error: %s; the input must have messages of the Debug Adapter Protocol: "
                     "'Content-Length: N', an empty line, N bytes of JSON\n",
                     why);
    cJSON_AddStringToObject(body, "category", "stderr");
    cJSON_AddStringToObject(body, "output", hd_strbuf_text(&text));
    send_event(p, "output", body);
    hd_strbuf_free(&text);
}

/* The length that a header line gives; other lines leave it. 0: not a number from 1 to MAX_MESSAGE.
 */
static void read_length(const char *line, size_t *length)
{
    char *end;
    unsigned long long n;

    if (strncasecmp(line, "Content-Length:", 15) != 0)
        return;
    line += 15 + strspn(line + 15, " \t");
    n = strtoull(line, &end, 10);
    *length = *line >= '0' && *line <= '9' && *end == '\0' && n <= MAX_MESSAGE ? (size_t)n : 0;
}

/* The length that a header gives; false at the end of all. */
static bool read_header(HdDap *p, size_t *length)
{
    bool has_line = false;
    char line[256];
    size_t n = 0;

    *length = 0;
    for (;;) {
        if (!p->io.read(p->io.user, &line[n], 1)) {
            if (n > 0 || has_line)
                break_off(p, "the input ends within the header of a message");
            return false;
        }
        if (line[n] != '\n') {
            n += n + 2 < sizeof line;
            continue;
        }
        while (n > 0 && line[n - 1] == '\r')
            n--;
        line[n] = '\0';
        read_length(line, length);
        if (n == 0 && has_line) {
            if (*length == 0)
                break_off(p, "a header has no Content-Length from 1 to 16 MiB");
            return *length > 0;
        }
        has_line = has_line || n > 0;
        n = 0;
    }
}

/* The next request; NULL when the client is gone, or what it writes makes no sense. */
static cJSON *read_request(HdDap *p)
{
    for (;;) {
        size_t length;
        char *text;
        cJSON *message = NULL;
        const char *why = "the input ends within a message";

        if (!read_header(p, &length) || (text = hd_alloc(length + 1)) == NULL)
            return NULL;
        if (p->io.read(p->io.user, text, length)) {
            text[length] = '\0';
            message = cJSON_Parse(text);
            why = "a message is not JSON";
        }
        hd_free(text);
        if (message == NULL) {
            break_off(p, why);
            return NULL;
        }
        if (hd_dap_text(message, "command") != NULL)
            return message;
        cJSON_Delete(message);
    }
}

static void send_printed(HdDap *p)
{
    HdStrbuf out = {0}, err = {0};

    p->io.printed(p->io.user, &out, &err);
    for (unsigned i = 0; i < 2; i++) {
        const HdStrbuf *text = i == 0 ? &out : &err;
        cJSON *body;

        if (text->count == 0)
            continue;
        body = cJSON_CreateObject();
        cJSON_AddStringToObject(body, "category", i == 0 ? "stdout" : "stderr");
        cJSON_AddStringToObject(body, "output", hd_strbuf_text(text));
        send_event(p, "output", body);
    }
    hd_strbuf_free(&out);
    hd_strbuf_free(&err);
}

/* ---- beginning ----------------------------------------------------------------------------- */

static void initialize(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    static const char *const able[] = {"supportsConfigurationDoneRequest",
                                       "supportsFunctionBreakpoints",
                                       "supportsConditionalBreakpoints",
                                       "supportsHitConditionalBreakpoints",
                                       "supportsEvaluateForHovers",
                                       "supportsSetVariable",
                                       "supportsSetExpression",
                                       "supportsSteppingGranularity",
                                       "supportsInstructionBreakpoints",
                                       "supportsDataBreakpoints",
                                       "supportsDisassembleRequest",
                                       "supportsReadMemoryRequest",
                                       "supportsLoadedSourcesRequest",
                                       "supportsExceptionInfoRequest",
                                       "supportsTerminateRequest",
                                       NULL};
    cJSON *filters, *filter = cJSON_CreateObject();

    (void)why;
    if (cJSON_IsFalse(hd_dap_get(args, "linesStartAt1")))
        p->line_base = 0;
    for (const char *const *a = able; *a != NULL; a++)
        cJSON_AddTrueToObject(body, *a);
    filters = cJSON_AddArrayToObject(body, "exceptionBreakpointFilters");
    cJSON_AddStringToObject(filter, "filter", "defects");
    cJSON_AddStringToObject(filter, "label", "Defects");
    cJSON_AddStringToObject(filter, "description",
                            "Stop when a kernel or shader does something wrong");
    cJSON_AddTrueToObject(filter, "default");
    cJSON_AddItemToArray(filters, filter);
}

static void add_word(HdDap *p, const char *word)
{
    char *own = hd_strdup(word);

    if (own != NULL && !HD_PUSH(NULL, &p->words, own))
        hd_free(own);
}

/* "[8, 8]" or "8,8" becomes "8,8". */
static void add_sizes(HdDap *p, const cJSON *args, const char *key, const char *option)
{
    const cJSON *sizes = hd_dap_get(args, key), *one;
    HdStrbuf text = {0};

    if (cJSON_IsNumber(sizes))
        hd_strbuf_printf(&text, "%.0f", sizes->valuedouble);
    else if (cJSON_IsString(sizes))
        hd_strbuf_add(&text, sizes->valuestring);
    else
        cJSON_ArrayForEach(one, sizes)
            hd_strbuf_printf(&text, "%s%.0f", text.count > 0 ? "," : "", one->valuedouble);
    if (text.count > 0) {
        add_word(p, option);
        add_word(p, hd_strbuf_text(&text));
    }
    hd_strbuf_free(&text);
}

/* A text, or what an object says of a name: "name=text". */
static void add_text(HdDap *p, const cJSON *one, const char *option)
{
    HdStrbuf text = {0};

    if (!cJSON_IsString(one))
        return;
    if (option != NULL)
        add_word(p, option);
    if (one->string != NULL)
        hd_strbuf_printf(&text, "%s=", one->string);
    hd_strbuf_add(&text, one->valuestring);
    add_word(p, hd_strbuf_text(&text));
    hd_strbuf_free(&text);
}

/* Each of an array or of an object. */
static void add_each(HdDap *p, const cJSON *args, const char *key, const char *option)
{
    const cJSON *one;

    cJSON_ArrayForEach(one, hd_dap_get(args, key)) add_text(p, one, option);
}

/* What would be written at a terminal. */
static void make_words(HdDap *p, const cJSON *args)
{
    add_word(p, "debug");
    if (hd_dap_text(args, "program") != NULL)
        add_word(p, hd_dap_text(args, "program"));
    if (hd_dap_text(args, "kernel") != NULL)
        add_word(p, hd_dap_text(args, "kernel"));
    else if (hd_dap_text(args, "shader") != NULL)
        add_word(p, hd_dap_text(args, "shader"));
    add_sizes(p, args, "global", "--global");
    add_sizes(p, args, "local", "--local");
    add_sizes(p, args, "offset", "--offset");
    add_sizes(p, args, "groups", "--groups");
    add_each(p, args, "args", "--arg");
    add_each(p, args, "bind", "--bind");
    add_each(p, args, "push", "--push");
    add_each(p, args, "spec", "--spec");
    add_each(p, args, "clOptions", "--cl");
    add_each(p, args, "options", NULL);
    p->stops_at_entry = is_true(args, "stopOnEntry");
    p->no_debug = is_true(args, "noDebug");
}

/* ---- going on ------------------------------------------------------------------------------ */

static void go(HdDap *p, const cJSON *args, HdDebugGo how)
{
    int64_t thread = hd_dap_number(args, "threadId", 0);

    if (thread > 0)
        hd_debug_set_focus(p->d, (uint32_t)thread - 1);
    hd_debug_go(p->d, how);
    p->goes_on = true;
}

static bool by_instruction(const cJSON *args)
{
    const char *granularity = hd_dap_text(args, "granularity");

    return granularity != NULL && strcmp(granularity, "instruction") == 0;
}

static void do_continue(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    (void)why;
    cJSON_AddTrueToObject(body, "allThreadsContinued");
    go(p, args, HD_GO_ON);
}

static void do_next(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    (void)body;
    (void)why;
    go(p, args, by_instruction(args) ? HD_GO_OVER_INST : HD_GO_OVER_LINE);
}

static void do_step_in(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    (void)body;
    (void)why;
    go(p, args, by_instruction(args) ? HD_GO_INST : HD_GO_LINE);
}

static void do_step_out(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    (void)body;
    (void)why;
    go(p, args, HD_GO_OUT);
}

static void do_pause(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    (void)args;
    (void)body;
    (void)why;
    p->wants_pause = true;
}

static void configured(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    (void)args;
    (void)body;
    (void)why;
    p->is_configured = true;
}

static void leave(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    (void)args;
    (void)body;
    (void)why;
    p->wants_away = true;
    p->goes_on = true;
    if (p->d != NULL && hd_debug_is_stopped(p->d))
        hd_debug_go(p->d, HD_GO_AWAY);
}

/* ---- requests ------------------------------------------------------------------------------ */

/* When a request makes sense. */
typedef enum When { ALWAYS, WITH_PROGRAM, STOPPED } When;

static const struct {
    const char *name;
    HdDapFn *run;
    When when;
} requests[] = {
    {"initialize", initialize, ALWAYS},
    {"setBreakpoints", hd_dap_set_breakpoints, WITH_PROGRAM},
    {"setFunctionBreakpoints", hd_dap_set_function_breakpoints, WITH_PROGRAM},
    {"setInstructionBreakpoints", hd_dap_set_instruction_breakpoints, WITH_PROGRAM},
    {"setDataBreakpoints", hd_dap_set_data_breakpoints, WITH_PROGRAM},
    {"setExceptionBreakpoints", hd_dap_set_exception_breakpoints, WITH_PROGRAM},
    {"configurationDone", configured, WITH_PROGRAM},
    {"loadedSources", hd_dap_loaded_sources, WITH_PROGRAM},
    {"source", hd_dap_source_text, WITH_PROGRAM},
    {"threads", hd_dap_threads, ALWAYS},
    {"stackTrace", hd_dap_stack_trace, STOPPED},
    {"scopes", hd_dap_scopes, STOPPED},
    {"variables", hd_dap_variables, STOPPED},
    {"dataBreakpointInfo", hd_dap_data_info, STOPPED},
    {"evaluate", hd_dap_evaluate, STOPPED},
    {"setVariable", hd_dap_set_variable, STOPPED},
    {"setExpression", hd_dap_set_expression, STOPPED},
    {"readMemory", hd_dap_read_memory, STOPPED},
    {"disassemble", hd_dap_disassemble, STOPPED},
    {"exceptionInfo", hd_dap_exception_info, STOPPED},
    {"continue", do_continue, STOPPED},
    {"next", do_next, STOPPED},
    {"stepIn", do_step_in, STOPPED},
    {"stepOut", do_step_out, STOPPED},
    {"pause", do_pause, ALWAYS},
    {"terminate", leave, ALWAYS},
    {"disconnect", leave, ALWAYS},
};

static void handle(HdDap *p, const cJSON *request)
{
    const char *name = hd_dap_text(request, "command");
    cJSON *body = cJSON_CreateObject();
    HdStrbuf why = {0};
    size_t i = 0;

    while (i < sizeof requests / sizeof *requests && strcmp(requests[i].name, name) != 0)
        i++;
    if (i == sizeof requests / sizeof *requests)
        hd_strbuf_printf(&why, "the request '%s' is not known", name);
    else if (requests[i].when != ALWAYS && p->d == NULL)
        hd_strbuf_add(&why, "nothing has been launched");
    else if (requests[i].when == STOPPED && !hd_debug_is_stopped(p->d))
        hd_debug_words(p->d, "the kernel runs", &why);
    else
        requests[i].run(p, hd_dap_get(request, "arguments"), body, &why);
    respond(p, request, body, why.count > 0 ? hd_strbuf_text(&why) : NULL);
    hd_strbuf_free(&why);
}

/* One request, until `done`; false when the client is gone. */
static bool handle_next(HdDap *p)
{
    cJSON *request = read_request(p);

    if (request == NULL) {
        leave(p, NULL, NULL, NULL);
        return false;
    }
    handle(p, request);
    cJSON_Delete(request);
    return true;
}

bool hd_dap_launch(HdDap *p, const char *const **words, int *count)
{
    while (!p->wants_away) {
        cJSON *request = read_request(p);

        if (request == NULL)
            return false;
        if (strcmp(hd_dap_text(request, "command"), "launch") == 0) {
            p->launch = request;
            make_words(p, hd_dap_get(request, "arguments"));
            *words = (const char *const *)p->words.at;
            *count = (int)p->words.count;
            return p->words.count > 0;
        }
        handle(p, request);
        cJSON_Delete(request);
    }
    return false;
}

bool hd_dap_ready(HdDap *p, HdDebug *d)
{
    if (p->has_begun || p->wants_away)
        return false;
    p->has_begun = true; /* one run */
    p->d = d;
    respond(p, p->launch, NULL, NULL);
    cJSON_Delete(p->launch);
    p->launch = NULL;
    send_printed(p);
    send_event(p, "initialized", NULL);
    while (!p->is_configured && !p->wants_away)
        handle_next(p);
    if (p->no_debug)
        hd_debug_stop_at_defects(d, false);
    return !p->wants_away;
}

bool hd_dap_stops_at_entry(const HdDap *p)
{
    return p->stops_at_entry && !p->no_debug;
}

/* Data breakpoints of a work-group that has ended. */
static void send_gone(HdDap *p)
{
    for (uint32_t number; (number = hd_dap_gone_break(p)) != 0;) {
        cJSON *body = cJSON_CreateObject(), *gone;

        cJSON_AddStringToObject(body, "reason", "removed");
        gone = cJSON_AddObjectToObject(body, "breakpoint");
        cJSON_AddNumberToObject(gone, "id", number);
        cJSON_AddFalseToObject(gone, "verified");
        send_event(p, "breakpoint", body);
    }
}

static void send_stopped(HdDap *p, const HdDebugStop *why)
{
    static const char *const reasons[] = {
        [HD_STOP_ENTRY] = "entry",           [HD_STOP_STEP] = "step",
        [HD_STOP_BREAKPOINT] = "breakpoint", [HD_STOP_DEFECT] = "exception",
        [HD_STOP_ASKED] = "pause",           [HD_STOP_ENDED] = "step",
        [HD_STOP_WATCH] = "data breakpoint"};
    cJSON *body = cJSON_CreateObject(), *hit;

    cJSON_AddStringToObject(body, "reason", reasons[why->reason]);
    if (why->reason == HD_STOP_DEFECT) {
        cJSON_AddStringToObject(body, "description", why->defect->rule);
        cJSON_AddStringToObject(body, "text", why->defect->message);
    } else if (why->reason == HD_STOP_ENDED) {
        hd_dap_add_words(p, body, "description", "The work-item has ended");
    }
    cJSON_AddNumberToObject(body, "threadId", (double)hd_debug_focus(p->d) + 1);
    cJSON_AddTrueToObject(body, "allThreadsStopped");
    if (why->reason == HD_STOP_BREAKPOINT || why->reason == HD_STOP_WATCH) {
        hit = cJSON_AddArrayToObject(body, "hitBreakpointIds");
        cJSON_AddItemToArray(hit, cJSON_CreateNumber(why->breakpoint));
    }
    send_event(p, "stopped", body);
}

static void on_stop(void *user, const HdDebugStop *why)
{
    HdDap *p = user;

    if (p->wants_away) {
        hd_debug_go(p->d, HD_GO_AWAY);
        return;
    }
    if (p->no_debug)
        return;
    p->wants_pause = false;
    p->goes_on = false;
    p->defect = why->defect;
    p->views.count = 0;
    send_printed(p);
    send_gone(p);
    send_stopped(p, why);
    while (!p->goes_on)
        handle_next(p);
    p->defect = NULL;
}

static bool on_pause(void *user)
{
    HdDap *p = user;

    while (!p->wants_away && p->io.has_input(p->io.user))
        handle_next(p);
    return p->wants_pause || p->wants_away;
}

HdDebugHost hd_dap_host(HdDap *p)
{
    return (HdDebugHost){.user = p, .stopped = on_stop, .wants_pause = on_pause};
}

void hd_dap_end(HdDap *p, int exit_code)
{
    p->d = NULL;
    if (p->launch != NULL) { /* it could not begin */
        HdStrbuf out = {0}, err = {0};

        p->io.printed(p->io.user, &out, &err);
        respond(p, p->launch, NULL, err.count > 0 ? hd_strbuf_text(&err) : "the launch failed");
        hd_strbuf_free(&out);
        hd_strbuf_free(&err);
    }
    send_printed(p);
    if (p->has_begun) {
        cJSON *body = cJSON_CreateObject();

        cJSON_AddNumberToObject(body, "exitCode", exit_code);
        send_event(p, "exited", body);
    }
    send_event(p, "terminated", NULL);
    while (!p->wants_away)
        handle_next(p);
}

bool hd_dap_is_broken(const HdDap *p)
{
    return p->is_broken;
}

HdStatus hd_dap_open(const HdDapIo *io, HdDap **out)
{
    HD_TAKE(*out, hd_alloc_zero(sizeof **out));
    (*out)->io = *io;
    (*out)->line_base = 1;
    return HD_OK;
}

void hd_dap_close(HdDap *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < p->words.count; i++)
        hd_free(p->words.at[i]);
    for (size_t i = 0; i < p->breaks.count; i++)
        hd_free(p->breaks.at[i].of);
    for (size_t i = 0; i < p->data.count; i++)
        hd_free(p->data.at[i].name);
    HD_ARRAY_FREE(&p->words);
    HD_ARRAY_FREE(&p->breaks);
    HD_ARRAY_FREE(&p->views);
    HD_ARRAY_FREE(&p->data);
    cJSON_Delete(p->launch);
    hd_free(p);
}
