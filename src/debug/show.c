/* debug/show.c -- the console's commands that show values, memory, work-items, source.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "debug/console_state.h"
#include "debug/private.h"

#define LISTED 10u /* lines */

/* ---- source -------------------------------------------------------------------------------- */

static bool show_line(HdConsole *c, uint32_t file, uint32_t line, const HdDebugPlace *here)
{
    size_t len;
    const char *text =
        hd_debug_lines_text(hd_debug_module(c->d), hd_debug_lines(c->d), file, line, &len);

    if (text == NULL)
        return false;
    hd_console_say(c, "%u%s\t%.*s\n", line,
                   here != NULL && here->file == file && here->line == line ? " =>" : "", (int)len,
                   text);
    return true;
}

/* A line of the file that is listed; the one where the work-item in focus is, is marked. */
static bool list_line(HdConsole *c, uint32_t line)
{
    HdDebugFrame f;

    return show_line(c, c->list_file, line,
                     hd_debug_is_stopped(c->d) && hd_console_frame(c, &f) ? &f.place : NULL);
}

static void show_inst(HdConsole *c, uint32_t word, bool is_here)
{
    HdStrbuf text = {0};

    hd_debug_inst_text(c->d, word, &text);
    hd_console_say(c, "%s%8llu: %s\n", is_here ? "=>" : "  ", (unsigned long long)word * 4,
                   hd_strbuf_text(&text));
    hd_strbuf_free(&text);
}

void hd_console_show_place(HdConsole *c, const HdDebugFrame *f, bool is_short)
{
    bool shows_inst = f->place.file == HD_NO_FILE;

    if (!is_short || shows_inst) {
        HdStrbuf text = {0};

        hd_debug_frame_text(c->d, f, &text);
        hd_console_say(c, "%s\n", hd_strbuf_text(&text));
        hd_strbuf_free(&text);
    }
    if (shows_inst || !show_line(c, f->place.file, f->place.line, NULL) ||
        (is_short && c->how == HD_GO_INST) || (is_short && c->how == HD_GO_OVER_INST))
        show_inst(c, f->in->word, true);
}

/* "LINE,LINE" or "LINE,": lines of the file that was listed last, or that is in focus. */
static bool list_range(HdConsole *c, const char *args)
{
    char *end;
    unsigned long first = strtoul(args, &end, 10), last;
    HdDebugFrame f;

    end += strspn(end, " ");
    if (end == args || *end != ',')
        return false;
    end += 1 + strspn(end + 1, " ");
    last = *end != '\0' ? strtoul(end, &end, 10) : first + LISTED - 1;
    if (*end != '\0' || first == 0 || last < first || last > UINT32_MAX) {
        hd_console_say(c, "list takes two lines, the first before the second: list 1,5\n");
        return true;
    }
    if (c->list_line == 0 && hd_debug_is_stopped(c->d) && hd_console_frame(c, &f))
        c->list_file = f.place.file;
    c->list_line = (uint32_t)first;
    while (c->list_line <= last && list_line(c, c->list_line))
        c->list_line++;
    if (c->list_line == first)
        hd_console_say(c, "no more source\n");
    return true;
}

void hd_console_list(HdConsole *c, const char *args, const char *format)
{
    HdDebugFrame f = {.place = {.file = HD_NO_FILE}};
    uint32_t at = 0;

    (void)format;
    if (list_range(c, args))
        return;
    if (hd_debug_is_stopped(c->d) && *args == '\0' && c->list_line == 0 &&
        hd_console_frame(c, &f)) {
        c->list_file = f.place.file;
        at = f.place.line;
        c->list_line = at > LISTED / 2 ? at - LISTED / 2 : 1;
    } else if (*args != '\0') {
        HdStrbuf why = {0};

        if (!hd_debug_find_place(c->d, args, &f.place, &why) || f.place.file == HD_NO_FILE) {
            hd_console_say(c, "%s\n", hd_strbuf_text(&why));
        } else {
            at = f.place.line;
            c->list_file = f.place.file;
            c->list_line = at > LISTED / 2 ? at - LISTED / 2 : 1;
        }
        hd_strbuf_free(&why);
    }
    c->list_line = c->list_line == 0 ? 1 : c->list_line;
    for (uint32_t i = 0; i < LISTED; i++, c->list_line++)
        if (!list_line(c, c->list_line)) {
            if (i == 0)
                hd_console_say(c, "no more source\n");
            break;
        }
}

void hd_console_disassemble(HdConsole *c, const char *args, const char *format)
{
    const HdModule *m = hd_debug_module(c->d);
    const HdFunction *function;
    HdDebugFrame f;
    uint32_t word;

    (void)args;
    (void)format;
    if (!hd_console_frame(c, &f))
        return;
    function = f.at->code->function;
    word = function->word;
    for (HdInst in; word < function->end && hd_module_next(m, &word, &in);)
        if (in.opix != HD_OPIX_Line && in.opix != HD_OPIX_NoLine)
            show_inst(c, in.word, in.word == f.in->word);
}

/* ---- frames -------------------------------------------------------------------------------- */

void hd_console_backtrace(HdConsole *c, const char *args, const char *format)
{
    HdDebugFrame frames[HD_DEBUG_FRAMES];
    uint32_t count = hd_debug_frames(c->d, hd_debug_focus(c->d), frames);

    (void)args;
    (void)format;
    for (uint32_t i = 0; i < count; i++) {
        HdStrbuf text = {0};

        hd_debug_frame_text(c->d, &frames[i], &text);
        hd_console_say(c, "%s#%u %s%s\n", i == c->frame ? "* " : "  ", i, hd_strbuf_text(&text),
                       frames[i].is_inlined ? " (inlined)" : "");
        hd_strbuf_free(&text);
    }
    if (count == 0)
        hd_console_say(c, "the work-item has ended\n");
}

static void select_frame(HdConsole *c, uint64_t number)
{
    HdDebugFrame frames[HD_DEBUG_FRAMES];
    uint32_t count = hd_debug_frames(c->d, hd_debug_focus(c->d), frames);

    if (number >= count) {
        hd_console_say(c, "there is no frame %llu\n", (unsigned long long)number);
        return;
    }
    c->frame = (uint32_t)number;
    c->list_line = 0;
    hd_console_say(c, "#%u ", c->frame);
    hd_console_show_place(c, &frames[number], false);
}

void hd_console_select_frame(HdConsole *c, const char *args, const char *format)
{
    (void)format;
    select_frame(c, *args != '\0' ? strtoull(args, NULL, 10) : c->frame);
}

void hd_console_up(HdConsole *c, const char *args, const char *format)
{
    (void)format;
    select_frame(c, c->frame + (*args != '\0' ? strtoull(args, NULL, 10) : 1));
}

void hd_console_down(HdConsole *c, const char *args, const char *format)
{
    uint64_t by = *args != '\0' ? strtoull(args, NULL, 10) : 1;

    (void)format;
    select_frame(c, by > c->frame ? 0 : c->frame - by);
}

static void add_ids(HdConsole *c, const char *what, const uint64_t id[3])
{
    hd_console_say(c, "%s (%llu, %llu, %llu)", what, (unsigned long long)id[0],
                   (unsigned long long)id[1], (unsigned long long)id[2]);
}

static void show_item(HdConsole *c)
{
    HdDefectItem item;
    uint32_t focus = hd_debug_focus(c->d);

    hd_debug_item(c->d, focus, &item);
    hd_console_say(c, "work-item");
    add_ids(c, "", item.global);
    add_ids(c, ", local", item.local);
    add_ids(c, ", group", item.group);
    hd_console_say(c, ", sub-group %u lane %u: %s\n", item.subgroup, item.lane,
                   hd_debug_item_state(c->d, focus));
}

void hd_console_item(HdConsole *c, const char *args, const char *format)
{
    HdDebugFrame f;
    uint64_t ids[3];
    uint32_t item;

    (void)format;
    if (*args != '\0') {
        if (!hd_console_ids(args, ids)) {
            hd_console_say(c, "a work-item is X[,Y[,Z]], its global id\n");
            return;
        }
        if (!hd_debug_find_item(c->d, ids, &item)) {
            hd_console_say(c,
                           "that work-item is not in the work-group that runs: a breakpoint "
                           "`item %s` stops when it is\n",
                           args);
            return;
        }
        hd_debug_set_focus(c->d, item);
        c->frame = 0;
        c->list_line = 0;
    }
    show_item(c);
    if (*args != '\0' && hd_console_frame(c, &f))
        hd_console_show_place(c, &f, false);
}

/* ---- values -------------------------------------------------------------------------------- */

static bool evaluate(HdConsole *c, const char *text, HdDebugValue *v)
{
    HdStrbuf why = {0};
    bool fine = hd_debug_eval(c->d, hd_debug_focus(c->d), c->frame, text, v, &why) == HD_OK;

    if (!fine)
        hd_console_say(c, "%s\n", hd_strbuf_text(&why));
    hd_strbuf_free(&why);
    return fine;
}

static void show_value(HdConsole *c, const char *name, const HdDebugValue *v, char format)
{
    HdStrbuf text = {0};

    hd_debug_value_text(c->d, v, format, &text);
    hd_console_say(c, "%s = %s\n", name, hd_strbuf_text(&text));
    hd_strbuf_free(&text);
}

/* One letter of those that a value is shown by, or none; says so. */
static bool takes_format(HdConsole *c, const char *format)
{
    if (format[0] == '\0' || (strchr("xdutcf", format[0]) != NULL && format[1] == '\0'))
        return true;
    hd_console_say(c, "a value is shown by one of /x /d /u /t /c /f, not by /%s\n", format);
    return false;
}

void hd_console_print(HdConsole *c, const char *args, const char *format)
{
    HdDebugValue v;

    if (takes_format(c, format) && evaluate(c, args, &v))
        show_value(c, args, &v, format[0]);
}

void hd_console_set(HdConsole *c, const char *args, const char *format)
{
    HdStrbuf why = {0};
    HdDebugValue v;

    if (strncmp(args, "var ", 4) == 0 || strncmp(args, "variable ", 9) == 0)
        args += strcspn(args, " ") + 1;
    if (hd_debug_set(c->d, hd_debug_focus(c->d), c->frame, args, &v, &why) == HD_OK) {
        size_t len = strcspn(args, "=");
        HdStrbuf name = {0};

        while (len > 0 && args[len - 1] == ' ')
            len--;
        hd_strbuf_add_bytes(&name, args, len);
        show_value(c, hd_strbuf_text(&name), &v, format[0]);
        hd_strbuf_free(&name);
    } else {
        hd_console_say(c, "%s\n", hd_strbuf_text(&why));
    }
    hd_strbuf_free(&why);
}

void hd_console_whatis(HdConsole *c, const char *args, const char *format)
{
    HdStrbuf text = {0};
    HdDebugValue v;

    (void)format;
    if (!evaluate(c, args, &v))
        return;
    hd_debug_type_text(c->d, v.type, &text);
    hd_console_say(c, "%s\n", hd_strbuf_text(&text));
    hd_strbuf_free(&text);
}

void hd_console_display(HdConsole *c, const char *args, const char *format)
{
    HdDisplay display = {.number = c->last_display + 1, .format = format[0]};

    if (!takes_format(c, format))
        return;
    if (*args != '\0') {
        display.text = hd_alloc(strlen(args) + 1);
        if (display.text == NULL)
            return;
        strcpy(display.text, args);
        if (!HD_PUSH(NULL, &c->displays, display)) {
            hd_free(display.text);
            return;
        }
        c->last_display++;
    }
    if (hd_debug_is_stopped(c->d))
        hd_console_show_displays(c);
}

void hd_console_undisplay(HdConsole *c, const char *args, const char *format)
{
    uint32_t number = (uint32_t)strtoul(args, NULL, 10);
    size_t before = c->displays.count;

    (void)format;
    for (size_t i = c->displays.count; i-- > 0;) {
        if (number != 0 && c->displays.at[i].number != number)
            continue;
        hd_free(c->displays.at[i].text);
        memmove(&c->displays.at[i], &c->displays.at[i + 1],
                (c->displays.count - i - 1) * sizeof *c->displays.at);
        c->displays.count--;
    }
    if (number != 0 && c->displays.count == before)
        hd_console_say(c, "there is no display %u\n", (unsigned)number);
}

void hd_console_show_displays(HdConsole *c)
{
    for (size_t i = 0; i < c->displays.count; i++) {
        HdDebugValue v;

        hd_console_say(c, "%u: ", c->displays.at[i].number);
        if (evaluate(c, c->displays.at[i].text, &v))
            show_value(c, c->displays.at[i].text, &v, c->displays.at[i].format);
    }
}

/* How memory is shown: "/16w", "/4f", "/8xb". */
typedef struct Examine {
    uint64_t count, bytes;
    const char *type;
    char format; /* of hd_debug_value_text; 0: as the type says */
} Examine;

static const char *examined_type(bool is_float, uint64_t bytes)
{
    switch (bytes) {
    case 1: return "uchar";
    case 2: return is_float ? "half" : "ushort";
    case 8: return is_float ? "double" : "ulong";
    default: return is_float ? "float" : "uint";
    }
}

/* False: a letter that is none. */
static bool read_format(const char *format, Examine *e)
{
    static const char sizes[] = "bhwg";
    const char *size;
    char *end;

    *e = (Examine){.count = strtoull(format, &end, 10), .format = 'x'};
    e->count = e->count == 0 ? 16 : e->count > 4096 ? 4096 : e->count;
    for (; *end != '\0'; end++)
        if ((size = strchr(sizes, *end)) != NULL)
            e->bytes = UINT64_C(1) << (size - sizes);
        else if (strchr("xdutcf", *end) != NULL)
            e->format = *end;
        else
            return false;
    if (e->bytes == 0)
        e->bytes = e->format == 'c' ? 1 : 4;
    e->type = examined_type(e->format == 'f', e->bytes);
    if (e->format == 'f')
        e->format = '\0';
    return true;
}

static void show_memory(HdConsole *c, const Examine *e, uint64_t address)
{
    const uint64_t per_line = e->bytes == 1 ? 16 : e->bytes == 8 ? 2 : 8 / (e->bytes / 2);
    const HdType *t = hd_debug_type_named(c->d, e->type);

    for (uint64_t i = 0; i < e->count; i++, address += e->bytes) {
        HdStrbuf text = {0};
        HdDebugValue v;

        if (i % per_line == 0) {
            hd_debug_memory_text(c->d, address, &text);
            hd_console_say(c, "%s0x%llx <%s>:", i > 0 ? "\n" : "", (unsigned long long)address,
                           hd_strbuf_text(&text));
            hd_strbuf_free(&text);
        }
        if (t == NULL || !hd_debug_at(c->d, t, address, &v)) {
            hd_console_say(c, " <outside>");
            break;
        }
        hd_debug_value_text(c->d, &v, e->format, &text);
        hd_console_say(c, " %s", hd_strbuf_text(&text));
        hd_strbuf_free(&text);
    }
    hd_console_say(c, "\n");
}

void hd_console_examine(HdConsole *c, const char *args, const char *format)
{
    HdDebugValue v, n;
    Examine e;
    uint64_t address;

    if (!read_format(format, &e)) {
        hd_console_say(c,
                       "x takes a count, a size (b h w g) and a format (x d u t c f): x/8fw p\n");
        return;
    }
    if (!evaluate(c, args, &v))
        return;
    address = v.address;
    if (v.type == NULL || v.type->kind == HD_T_POINTER) {
        if (!hd_debug_number(&v, &n))
            return;
        address = (uint64_t)n.integer;
    }
    show_memory(c, &e, address);
}

/* ---- info ---------------------------------------------------------------------------------- */

typedef struct Range {
    uint32_t first, last; /* work-items */
    HdStrbuf text;
} Range;

static void describe(HdConsole *c, uint32_t item, HdStrbuf *out)
{
    HdDebugFrame frames[HD_DEBUG_FRAMES];

    hd_strbuf_printf(out, "%s", hd_debug_item_state(c->d, item));
    if (hd_debug_frames(c->d, item, frames) > 0) {
        hd_strbuf_add(out, " in ");
        hd_debug_frame_text(c->d, &frames[0], out);
    }
}

static void show_range(HdConsole *c, Range *r)
{
    HdDefectItem first, last;
    uint32_t focus = hd_debug_focus(c->d);

    hd_debug_item(c->d, r->first, &first);
    hd_debug_item(c->d, r->last, &last);
    add_ids(c, focus >= r->first && focus <= r->last ? "*" : " ", first.global);
    if (r->last != r->first)
        add_ids(c, " …", last.global);
    hd_console_say(c, ": %s\n", hd_strbuf_text(&r->text));
    hd_strbuf_free(&r->text);
}

/* Neighbours that are at the same place are one line. */
static void info_items(HdConsole *c)
{
    Range r = {0};

    for (uint32_t i = 0; i < hd_debug_items(c->d); i++) {
        HdStrbuf text = {0};

        describe(c, i, &text);
        if (i > 0 && strcmp(hd_strbuf_text(&text), hd_strbuf_text(&r.text)) == 0) {
            hd_strbuf_free(&text);
        } else {
            if (i > 0)
                show_range(c, &r);
            r.first = i;
            r.text = text;
        }
        r.last = i;
    }
    if (hd_debug_items(c->d) > 0)
        show_range(c, &r);
}

static void show_variables(HdConsole *c, const HdDebugVariables *list, int arguments)
{
    size_t shown = 0;

    for (size_t i = 0; i < list->count; i++) {
        const HdDebugVariable *v = &list->at[i];

        if (arguments >= 0 && v->is_argument != (arguments == 1))
            continue;
        shown++;
        if (v->is_gone)
            hd_console_say(c, "%s = <nothing keeps it>\n", v->name);
        else
            show_value(c, v->name, &v->value, 0);
    }
    if (shown == 0 && arguments == 1 && hd_debug_is_shader(c->d))
        hd_console_say(c, "none: info globals shows the bindings\n");
    else if (shown == 0)
        hd_console_say(c, "none\n");
}

static void info_variables(HdConsole *c, const char *what)
{
    HdDebugVariables list = {0};
    HdDebugFrame f;
    HdStatus st = HD_BAD_INPUT;
    int arguments = strncmp(what, "arg", 3) == 0 ? 1 : strncmp(what, "loc", 3) == 0 ? 0 : -1;

    if (what[0] == 'g')
        st = hd_debug_globals(c->d, &list);
    else if (hd_console_frame(c, &f))
        st = what[0] == 'i' ? hd_debug_ids(c->d, hd_debug_focus(c->d), &f, &list)
                            : hd_debug_locals(c->d, hd_debug_focus(c->d), &f, &list);
    if (st == HD_OK)
        show_variables(c, &list, arguments);
    HD_ARRAY_FREE(&list);
}

static void info_breaks(HdConsole *c)
{
    const HdDebugLines *l = hd_debug_lines(c->d);
    const HdDebugBreak *b;

    for (size_t i = 0; (b = hd_debug_break_at(c->d, i)) != NULL; i++) {
        hd_console_say(c, "%u %s%s", b->number, b->watched.bytes != 0 ? "watch " : "", b->where);
        if (b->at.file != HD_NO_FILE)
            hd_console_say(c, " at %s:%u", l->files.at[b->at.file].name, b->at.line);
        if (b->is_item)
            add_ids(c, ", item", b->item);
        if (b->condition != NULL)
            hd_console_say(c, ", if %s", b->condition);
        hd_console_say(c, "%s%s, hit %llu time%s\n", b->is_enabled ? "" : ", disabled",
                       b->is_temporary ? ", once" : "", (unsigned long long)b->hits,
                       b->hits == 1 ? "" : "s");
    }
    if (hd_debug_break_at(c->d, 0) == NULL)
        hd_console_say(c, "none\n");
}

static void info_defects(HdConsole *c)
{
    const HdDefects *all = c->check != NULL ? hd_check_defects(c->check) : NULL;
    HdStrbuf text = {0};

    if (all == NULL || all->count == 0) {
        hd_console_say(c, "none\n");
        return;
    }
    hd_defects_print(all, NULL, HD_DEFECT_TEXT, &text);
    hd_console_say(c, "%s", hd_strbuf_text(&text));
    hd_strbuf_free(&text);
}

static void info_place(HdConsole *c, bool is_frame)
{
    HdDebugFrame f;

    if (!hd_console_frame(c, &f))
        return;
    if (is_frame)
        hd_console_say(c, "#%u of work-item: ", c->frame);
    hd_console_show_place(c, &f, false);
    if (is_frame)
        show_inst(c, f.in->word, true);
}

static void info_locals(HdConsole *c)
{
    info_variables(c, "locals");
}

static void info_args(HdConsole *c)
{
    info_variables(c, "args");
}

static void info_globals(HdConsole *c)
{
    info_variables(c, "globals");
}

static void info_ids(HdConsole *c)
{
    info_variables(c, "ids");
}

static void info_displays(HdConsole *c)
{
    for (size_t i = 0; i < c->displays.count; i++)
        hd_console_say(c, "%u: %s\n", c->displays.at[i].number, c->displays.at[i].text);
    if (c->displays.count == 0)
        hd_console_say(c, "none\n");
}

static void info_line(HdConsole *c)
{
    info_place(c, false);
}

static void info_frame(HdConsole *c)
{
    info_place(c, true);
}

/* By its name, or the first in the table that begins so; gdb's words for the same things, too. */
static const struct {
    const char *name;
    bool needs_run;
    void (*show)(HdConsole *c);
} topics[] = {{"item", true, show_item},
              {"items", true, info_items},
              {"threads", true, info_items},
              {"locals", true, info_locals},
              {"line", true, info_line},
              {"args", true, info_args},
              {"globals", true, info_globals},
              {"variables", true, info_globals},
              {"ids", true, info_ids},
              {"registers", true, info_ids},
              {"breakpoints", false, info_breaks},
              {"watchpoints", false, info_breaks},
              {"defects", false, info_defects},
              {"display", false, info_displays},
              {"frame", true, info_frame}};

void hd_console_info(HdConsole *c, const char *args, const char *format)
{
    const size_t len = strcspn(args, " "), count = sizeof topics / sizeof *topics;
    size_t found = count;

    (void)format;
    for (size_t i = 0; i < count && len > 0; i++)
        if (strncmp(topics[i].name, args, len) == 0 &&
            (found == count || topics[i].name[len] == '\0'))
            found = i;
    if (found == count)
        hd_console_say(
            c, "info items|item|locals|args|globals|ids|breakpoints|display|defects|line|frame\n");
    else if (topics[found].needs_run && !hd_debug_is_stopped(c->d))
        hd_console_say(c, "the kernel is not running; `run` starts it\n");
    else
        topics[found].show(c);
}
