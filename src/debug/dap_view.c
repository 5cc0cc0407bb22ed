/* debug/dap_view.c -- the protocol: the state of a stopped run.
 *
 * SPDX-License-Identifier: MIT
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "debug/dap_state.h"
#include "debug/private.h"

#define MAX_THREADS 1024u /* work-items that are listed */
#define MAX_PARTS   1024u /* of a value, when the client does not say how many */

/* ---- sources ------------------------------------------------------------------------------- */

cJSON *hd_dap_source(HdDap *p, uint32_t file)
{
    const HdDebugFile *f = &hd_debug_lines(p->d)->files.at[file];
    const char *slash = strrchr(f->name, '/');
    cJSON *source = cJSON_CreateObject();
    HdStrbuf path = {0};
    char folder[4096];

    if (f->name[0] != '/' && getcwd(folder, sizeof folder) != NULL)
        hd_strbuf_printf(&path, "%s/", folder);
    hd_strbuf_add(&path, f->name);
    cJSON_AddStringToObject(source, "name", slash != NULL ? slash + 1 : f->name);
    if (!f->is_own && access(hd_strbuf_text(&path), R_OK) == 0)
        cJSON_AddStringToObject(source, "path", hd_strbuf_text(&path));
    else
        cJSON_AddNumberToObject(source, "sourceReference", (double)file + 1);
    hd_strbuf_free(&path);
    return source;
}

void hd_dap_loaded_sources(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    cJSON *list = cJSON_AddArrayToObject(body, "sources");

    (void)args;
    (void)why;
    for (uint32_t i = 0; i < hd_debug_lines(p->d)->files.count; i++)
        cJSON_AddItemToArray(list, hd_dap_source(p, i));
}

void hd_dap_source_text(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    int64_t reference = hd_dap_number(args, "sourceReference", 0);
    HdDebugLines *l = hd_debug_lines(p->d);

    if (reference <= 0 || (size_t)reference > l->files.count ||
        hd_debug_lines_count(hd_debug_module(p->d), l, (uint32_t)reference - 1) == 0) {
        hd_strbuf_add(why, "there is no such source");
        return;
    }
    cJSON_AddStringToObject(body, "content", l->files.at[reference - 1].text);
}

/* ---- threads and frames -------------------------------------------------------------------- */

static void add_thread(HdDap *p, uint32_t item, cJSON *list)
{
    cJSON *thread = cJSON_CreateObject();
    HdStrbuf name = {0};
    HdDefectItem id;

    hd_debug_item(p->d, item, &id);
    hd_debug_words(p->d, "work-item", &name);
    hd_strbuf_printf(&name, " (%llu, %llu, %llu)", (unsigned long long)id.global[0],
                     (unsigned long long)id.global[1], (unsigned long long)id.global[2]);
    cJSON_AddNumberToObject(thread, "id", (double)item + 1);
    cJSON_AddStringToObject(thread, "name", hd_strbuf_text(&name));
    cJSON_AddItemToArray(list, thread);
    hd_strbuf_free(&name);
}

void hd_dap_threads(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    cJSON *list = cJSON_AddArrayToObject(body, "threads");
    uint32_t items = p->d != NULL ? hd_debug_items(p->d) : 0;
    uint32_t focus = p->d != NULL ? hd_debug_focus(p->d) : 0;

    (void)args;
    (void)why;
    for (uint32_t i = 0; i < items && i < MAX_THREADS; i++)
        add_thread(p, i, list);
    if (focus >= MAX_THREADS && focus < items)
        add_thread(p, focus, list);
}

/* Frames are numbered by work-item, and in it from the innermost on. */
static int64_t frame_id(uint32_t item, uint32_t frame)
{
    return (int64_t)item * HD_DEBUG_FRAMES + frame + 1;
}

static void of_frame(int64_t id, uint32_t *item, uint32_t *frame)
{
    id = id > 0 ? id - 1 : 0;
    *item = (uint32_t)(id / HD_DEBUG_FRAMES);
    *frame = (uint32_t)(id % HD_DEBUG_FRAMES);
}

static void add_reference(cJSON *to, const char *key, uint64_t word)
{
    HdStrbuf text = {0};

    hd_strbuf_printf(&text, "%llu", (unsigned long long)word * 4);
    cJSON_AddStringToObject(to, key, hd_strbuf_text(&text));
    hd_strbuf_free(&text);
}

void hd_dap_stack_trace(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    uint32_t item = (uint32_t)hd_dap_number(args, "threadId", 1) - 1;
    uint64_t first = (uint64_t)hd_dap_number(args, "startFrame", 0);
    uint64_t levels = (uint64_t)hd_dap_number(args, "levels", 0);
    HdDebugFrame frames[HD_DEBUG_FRAMES];
    uint32_t count = hd_debug_frames(p->d, item, frames);
    cJSON *list = cJSON_AddArrayToObject(body, "stackFrames");

    (void)why;
    for (uint64_t i = first; i < count && (levels == 0 || i < first + levels); i++) {
        const HdDebugFrame *f = &frames[i];
        bool has_line = f->place.file != HD_NO_FILE;
        cJSON *frame = cJSON_CreateObject();

        cJSON_AddItemToArray(list, frame);
        cJSON_AddNumberToObject(frame, "id", (double)frame_id(item, (uint32_t)i));
        cJSON_AddStringToObject(frame, "name", f->function != NULL ? f->function : "?");
        cJSON_AddNumberToObject(frame, "line",
                                has_line ? (double)f->place.line - 1 + p->line_base : 0);
        cJSON_AddNumberToObject(frame, "column", has_line ? f->place.column : 0);
        if (has_line)
            cJSON_AddItemToObject(frame, "source", hd_dap_source(p, f->place.file));
        add_reference(frame, "instructionPointerReference", f->in->word);
    }
    cJSON_AddNumberToObject(body, "totalFrames", count);
}

/* ---- variables ----------------------------------------------------------------------------- */

/* A number for a view; 0 when there is no memory. */
static int64_t add_view(HdDap *p, const HdDapView *view)
{
    return HD_PUSH(NULL, &p->views, *view) ? (int64_t)p->views.count : 0;
}

void hd_dap_scopes(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    static const char *const names[] = {[HD_VIEW_ARGS] = "arguments",
                                        [HD_VIEW_LOCALS] = "locals",
                                        [HD_VIEW_IDS] = "ids",
                                        [HD_VIEW_GLOBALS] = "program",
                                        [HD_VIEW_ITEM] = "work-item"};
    cJSON *list = cJSON_AddArrayToObject(body, "scopes");
    uint32_t item, frame;

    (void)why;
    of_frame(hd_dap_number(args, "frameId", 0), &item, &frame);
    for (unsigned i = HD_VIEW_ARGS; i <= HD_VIEW_ITEM; i++) {
        const HdDapView view = {.kind = (HdDapViewKind)i, .item = item, .frame = frame};
        cJSON *scope = cJSON_CreateObject();
        HdStrbuf name = {0};

        cJSON_AddItemToArray(list, scope);
        hd_debug_words(p->d, names[i], &name);
        if (name.count > 0)
            name.at[0] = (char)toupper((unsigned char)name.at[0]);
        cJSON_AddStringToObject(scope, "name", hd_strbuf_text(&name));
        hd_strbuf_free(&name);
        if (i == HD_VIEW_ARGS || i == HD_VIEW_LOCALS || i == HD_VIEW_IDS)
            cJSON_AddStringToObject(scope, "presentationHint",
                                    i == HD_VIEW_ARGS     ? "arguments"
                                    : i == HD_VIEW_LOCALS ? "locals"
                                                          : "registers");
        cJSON_AddNumberToObject(scope, "variablesReference", (double)add_view(p, &view));
        cJSON_AddBoolToObject(scope, "expensive", i == HD_VIEW_IDS);
    }
}

/* value, type, and a reference when it has parts. */
static void describe(HdDap *p, const HdDebugValue *v, const char *value_key, char format, cJSON *to)
{
    HdDapView view = {.kind = HD_VIEW_VALUE, .value = *v};
    uint64_t parts = hd_debug_value_parts(p->d, v);
    HdStrbuf value = {0}, type = {0};

    hd_debug_value_text(p->d, v, format, &value);
    hd_debug_type_text(p->d, v->type, &type);
    cJSON_AddStringToObject(to, value_key, hd_strbuf_text(&value));
    if (v->type != NULL)
        cJSON_AddStringToObject(to, "type", hd_strbuf_text(&type));
    cJSON_AddNumberToObject(to, "variablesReference", parts > 0 ? (double)add_view(p, &view) : 0);
    if (parts > 0 && v->type->kind == HD_T_ARRAY)
        cJSON_AddNumberToObject(to, "indexedVariables", (double)parts);
    if (v->address != 0) {
        HdStrbuf address = {0};

        hd_strbuf_printf(&address, "0x%llx", (unsigned long long)v->address);
        cJSON_AddStringToObject(to, "memoryReference", hd_strbuf_text(&address));
        hd_strbuf_free(&address);
    }
    hd_strbuf_free(&value);
    hd_strbuf_free(&type);
}

static void add_variable(HdDap *p, const HdDebugVariable *v, char format, cJSON *list)
{
    cJSON *to = cJSON_CreateObject();

    cJSON_AddItemToArray(list, to);
    cJSON_AddStringToObject(to, "name", v->name);
    if (v->is_gone) {
        cJSON_AddStringToObject(to, "value", "<nothing keeps it>");
        cJSON_AddNumberToObject(to, "variablesReference", 0);
        return;
    }
    /* What expressions call it is its name: `%` is part of that of ids. */
    cJSON_AddStringToObject(to, "evaluateName", v->name);
    describe(p, &v->value, "value", format, to);
}

static void add_parts(HdDap *p, const HdDapView *view, const cJSON *args, char format, cJSON *list)
{
    uint64_t parts = hd_debug_value_parts(p->d, &view->value);
    uint64_t first = (uint64_t)hd_dap_number(args, "start", 0);
    uint64_t count = (uint64_t)hd_dap_number(args, "count", 0);

    count = count == 0 || count > MAX_PARTS ? MAX_PARTS : count;
    for (uint64_t i = first; i < parts && i - first < count; i++) {
        HdDebugVariable v = {0};
        HdStrbuf name = {0};

        if (!hd_debug_value_part(p->d, &view->value, i, &v.value, &name))
            break;
        v.name = hd_strbuf_text(&name);
        add_variable(p, &v, format, list);
        hd_strbuf_free(&name);
    }
}

void hd_dap_add_words(const HdDap *p, cJSON *to, const char *key, const char *text)
{
    HdStrbuf words = {0};

    hd_debug_words(p->d, text, &words);
    cJSON_AddStringToObject(to, key, hd_strbuf_text(&words));
    hd_strbuf_free(&words);
}

static void add_item(HdDap *p, uint32_t item, cJSON *list)
{
    static const char *const names[] = {"global id", "local id", "group id",
                                        "sub-group", "lane",     "state"};
    HdDefectItem id;

    hd_debug_item(p->d, item, &id);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const uint64_t *v = i == 0 ? id.global : i == 1 ? id.local : id.group;
        cJSON *to = cJSON_CreateObject();
        HdStrbuf value = {0};

        if (i < 3)
            hd_strbuf_printf(&value, "(%llu, %llu, %llu)", (unsigned long long)v[0],
                             (unsigned long long)v[1], (unsigned long long)v[2]);
        else if (i < 5)
            hd_strbuf_printf(&value, "%u", i == 3 ? id.subgroup : id.lane);
        else
            hd_strbuf_add(&value, hd_debug_item_state(p->d, item));
        cJSON_AddItemToArray(list, to);
        hd_dap_add_words(p, to, "name", names[i]);
        cJSON_AddStringToObject(to, "value", hd_strbuf_text(&value));
        cJSON_AddNumberToObject(to, "variablesReference", 0);
        hd_strbuf_free(&value);
    }
}

/* Variables of a scope; heap. */
static HdStatus scope_variables(HdDap *p, const HdDapView *view, HdDebugVariables *all)
{
    HdDebugFrame frames[HD_DEBUG_FRAMES];
    uint32_t count = hd_debug_frames(p->d, view->item, frames);

    if (view->kind == HD_VIEW_GLOBALS)
        return hd_debug_globals(p->d, all);
    if (view->frame >= count)
        return HD_OK;
    if (view->kind == HD_VIEW_IDS)
        return hd_debug_ids(p->d, view->item, &frames[view->frame], all);
    return hd_debug_locals(p->d, view->item, &frames[view->frame], all);
}

static bool is_in_scope(const HdDapView *view, const HdDebugVariable *v)
{
    return (view->kind != HD_VIEW_ARGS && view->kind != HD_VIEW_LOCALS) ||
           v->is_argument == (view->kind == HD_VIEW_ARGS);
}

static void add_scope(HdDap *p, const HdDapView *view, char format, cJSON *list)
{
    HdDebugVariables all = {0};
    HdStatus st = scope_variables(p, view, &all);

    for (size_t i = 0; st == HD_OK && i < all.count; i++)
        if (is_in_scope(view, &all.at[i]))
            add_variable(p, &all.at[i], format, list);
    HD_ARRAY_FREE(&all);
}

/* What a view calls `name`. */
static bool find_in(HdDap *p, const HdDapView *view, const char *name, HdDebugValue *out)
{
    uint64_t parts = view->kind == HD_VIEW_VALUE ? hd_debug_value_parts(p->d, &view->value) : 0;
    HdDebugVariables all = {0};
    bool found = false;

    for (uint64_t i = 0; i < parts && !found; i++) {
        HdStrbuf is = {0};

        found = hd_debug_value_part(p->d, &view->value, i, out, &is) &&
                strcmp(hd_strbuf_text(&is), name) == 0;
        hd_strbuf_free(&is);
    }
    if (view->kind == HD_VIEW_VALUE || view->kind == HD_VIEW_ITEM ||
        scope_variables(p, view, &all) != HD_OK)
        return found;
    for (size_t i = 0; i < all.count; i++)
        if (is_in_scope(view, &all.at[i]) && !all.at[i].is_gone &&
            strcmp(all.at[i].name, name) == 0) {
            *out = all.at[i].value; /* the innermost is the last */
            found = true;
        }
    HD_ARRAY_FREE(&all);
    return found;
}

static char format_of(const cJSON *args)
{
    return cJSON_IsTrue(hd_dap_get(hd_dap_get(args, "format"), "hex")) ? 'x' : 0;
}

void hd_dap_variables(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    int64_t reference = hd_dap_number(args, "variablesReference", 0);
    cJSON *list = cJSON_AddArrayToObject(body, "variables");
    HdDapView view;

    if (reference <= 0 || (size_t)reference > p->views.count) {
        hd_strbuf_add(why, "the run has gone on since");
        return;
    }
    view = p->views.at[reference - 1]; /* the list grows below */
    if (view.kind == HD_VIEW_VALUE)
        add_parts(p, &view, args, format_of(args), list);
    else if (view.kind == HD_VIEW_ITEM)
        add_item(p, view.item, list);
    else
        add_scope(p, &view, format_of(args), list);
}

void hd_dap_evaluate(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    const char *text = hd_dap_text(args, "expression");
    uint32_t item = hd_debug_focus(p->d), frame = 0;
    HdDebugValue v;

    if (hd_dap_number(args, "frameId", 0) > 0)
        of_frame(hd_dap_number(args, "frameId", 0), &item, &frame);
    if (text == NULL)
        hd_strbuf_add(why, "there is no expression");
    else if (hd_debug_eval(p->d, item, frame, text, &v, why) == HD_OK)
        describe(p, &v, "result", format_of(args), body);
}

void hd_dap_set_variable(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    int64_t reference = hd_dap_number(args, "variablesReference", 0);
    const char *name = hd_dap_text(args, "name"), *text = hd_dap_text(args, "value");
    uint32_t item = hd_debug_focus(p->d), frame = 0;
    HdDebugValue place, value;
    HdDapView view;

    if (name == NULL || text == NULL || reference <= 0 || (size_t)reference > p->views.count) {
        hd_strbuf_add(why, "the run has gone on since");
        return;
    }
    view = p->views.at[reference - 1];
    if (view.kind != HD_VIEW_VALUE) {
        item = view.item;
        frame = view.frame;
    }
    if (!find_in(p, &view, name, &place))
        hd_strbuf_printf(why, "there is no '%s'", name);
    else if (hd_debug_eval(p->d, item, frame, text, &value, why) == HD_OK &&
             hd_debug_assign(p->d, item, &place, &value, why) == HD_OK)
        describe(p, &place, "value", format_of(args), body);
}

void hd_dap_set_expression(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    const char *name = hd_dap_text(args, "expression"), *text = hd_dap_text(args, "value");
    uint32_t item = hd_debug_focus(p->d), frame = 0;
    HdDebugValue place, value;

    if (hd_dap_number(args, "frameId", 0) > 0)
        of_frame(hd_dap_number(args, "frameId", 0), &item, &frame);
    if (name == NULL || text == NULL)
        hd_strbuf_add(why, "there is no expression");
    else if (hd_debug_eval(p->d, item, frame, name, &place, why) == HD_OK &&
             hd_debug_eval(p->d, item, frame, text, &value, why) == HD_OK &&
             hd_debug_assign(p->d, item, &place, &value, why) == HD_OK)
        describe(p, &place, "value", format_of(args), body);
}

/* ---- watched memory ------------------------------------------------------------------------ */

/* A number for memory; 0 when there is none. */
static size_t add_data(HdDap *p, const HdDebugValue *v, const char *name)
{
    HdDapData data = {.name = hd_strdup(name),
                      .type = v->type,
                      .address = v->address,
                      .is_of_group = hd_debug_is_of_group(p->d, v->address)};
    HdDefectItem now;

    hd_debug_item(p->d, hd_debug_focus(p->d), &now);
    memcpy(data.group, now.group, sizeof data.group);
    if (data.name != NULL && HD_PUSH(NULL, &p->data, data))
        return p->data.count;
    hd_free(data.name);
    return 0;
}

static void describe_data(HdDap *p, const HdDebugValue *v, const char *name, cJSON *body)
{
    HdStrbuf id = {0}, text = {0};
    size_t number = hd_debug_may_watch(v, &text) ? add_data(p, v, name) : 0;

    if (number == 0) {
        cJSON_AddNullToObject(body, "dataId");
    } else {
        hd_strbuf_printf(&id, "%zu", number);
        hd_strbuf_printf(&text, "%s, %llu bytes at 0x%llx", name,
                         (unsigned long long)hd_type_size(v->type), (unsigned long long)v->address);
        cJSON_AddStringToObject(body, "dataId", hd_strbuf_text(&id));
        cJSON_AddItemToArray(cJSON_AddArrayToObject(body, "accessTypes"),
                             cJSON_CreateString("write"));
        cJSON_AddFalseToObject(body, "canPersist");
    }
    cJSON_AddStringToObject(body, "description", hd_strbuf_text(&text));
    hd_strbuf_free(&id);
    hd_strbuf_free(&text);
}

/* A part of a view, or an expression. What cannot be watched is an answer, too. */
void hd_dap_data_info(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    int64_t reference = hd_dap_number(args, "variablesReference", 0);
    const char *name = hd_dap_text(args, "name");
    uint32_t item = hd_debug_focus(p->d), frame = 0;
    HdDebugValue v;
    HdDapView view;

    if (hd_dap_number(args, "frameId", 0) > 0)
        of_frame(hd_dap_number(args, "frameId", 0), &item, &frame);
    if (name == NULL) {
        hd_strbuf_add(why, "there is no name");
    } else if (reference == 0) {
        if (hd_debug_eval(p->d, item, frame, name, &v, why) == HD_OK)
            describe_data(p, &v, name, body);
    } else if (reference < 0 || (size_t)reference > p->views.count) {
        hd_strbuf_add(why, "the run has gone on since");
    } else {
        view = p->views.at[reference - 1];
        if (find_in(p, &view, name, &v))
            describe_data(p, &v, name, body);
        else
            hd_strbuf_printf(why, "there is no '%s'", name);
    }
}

/* ---- memory and instructions --------------------------------------------------------------- */

static void add_base64(const unsigned char *bytes, size_t count, HdStrbuf *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < count; i += 3) {
        uint32_t three = (uint32_t)bytes[i] << 16;

        three |= i + 1 < count ? (uint32_t)bytes[i + 1] << 8 : 0;
        three |= i + 2 < count ? bytes[i + 2] : 0;
        hd_strbuf_add_char(out, digits[three >> 18]);
        hd_strbuf_add_char(out, digits[three >> 12 & 63]);
        hd_strbuf_add_char(out, i + 1 < count ? digits[three >> 6 & 63] : '=');
        hd_strbuf_add_char(out, i + 2 < count ? digits[three & 63] : '=');
    }
}

void hd_dap_read_memory(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    const char *reference = hd_dap_text(args, "memoryReference");
    uint64_t at = reference != NULL ? strtoull(reference, NULL, 0) : 0;
    int64_t count = hd_dap_number(args, "count", 0), readable = 0;
    const HdType *byte = hd_debug_type_named(p->d, "uchar");
    HdStrbuf data = {0}, address = {0};
    HdDebugValue v;

    (void)why;
    at += (uint64_t)hd_dap_number(args, "offset", 0);
    count = count > 65536 ? 65536 : count;
    while (byte != NULL && readable < count && hd_debug_at(p->d, byte, at + (uint64_t)readable, &v))
        readable++;
    if (readable > 0)
        add_base64((const unsigned char *)(uintptr_t)at, (size_t)readable, &data);
    hd_strbuf_printf(&address, "0x%llx", (unsigned long long)at);
    cJSON_AddStringToObject(body, "address", hd_strbuf_text(&address));
    cJSON_AddNumberToObject(body, "unreadableBytes", (double)(count - readable));
    cJSON_AddStringToObject(body, "data", hd_strbuf_text(&data));
    hd_strbuf_free(&data);
    hd_strbuf_free(&address);
}

static void add_inst(HdDap *p, const HdInst *in, cJSON *list)
{
    HdDebugPlace place = hd_debug_lines_at(hd_debug_lines(p->d), in->word);
    cJSON *to = cJSON_CreateObject();
    HdStrbuf text = {0};

    cJSON_AddItemToArray(list, to);
    add_reference(to, "address", in->word);
    hd_debug_inst_text(p->d, in->word, &text);
    cJSON_AddStringToObject(to, "instruction", hd_strbuf_text(&text));
    if (place.file != HD_NO_FILE) {
        cJSON_AddItemToObject(to, "location", hd_dap_source(p, place.file));
        cJSON_AddNumberToObject(to, "line", (double)place.line - 1 + p->line_base);
    }
    hd_strbuf_free(&text);
}

static void add_nothing(cJSON *list)
{
    cJSON *to = cJSON_CreateObject();

    cJSON_AddStringToObject(to, "address", "0");
    cJSON_AddStringToObject(to, "instruction", "");
    cJSON_AddStringToObject(to, "presentationHint", "invalid");
    cJSON_AddItemToArray(list, to);
}

/* Instructions by their byte in the module; as many as requested, some of which may be invalid. */
void hd_dap_disassemble(HdDap *p, const cJSON *args, cJSON *body, HdStrbuf *why)
{
    const HdModule *m = hd_debug_module(p->d);
    const char *reference = hd_dap_text(args, "memoryReference");
    uint64_t at = reference != NULL ? strtoull(reference, NULL, 0) : 0;
    int64_t skip = hd_dap_number(args, "instructionOffset", 0);
    int64_t count = hd_dap_number(args, "instructionCount", 1), number = 0, here = -1;
    cJSON *list = cJSON_AddArrayToObject(body, "instructions");
    uint32_t word = m->first_function;

    (void)why;
    at += (uint64_t)hd_dap_number(args, "offset", 0);
    count = count > 4096 ? 4096 : count;
    for (HdInst in; hd_module_next(m, &word, &in) && here < 0; number++)
        here = (uint64_t)in.word * 4 >= at ? number : -1;
    here = (here < 0 ? number : here) + skip;
    for (int64_t i = here; i < 0 && count > 0; i++, count--)
        add_nothing(list);
    word = m->first_function;
    number = 0;
    for (HdInst in; count > 0 && hd_module_next(m, &word, &in); number++)
        if (number >= here) {
            add_inst(p, &in, list);
            count--;
        }
    for (; count > 0; count--)
        add_nothing(list);
}
