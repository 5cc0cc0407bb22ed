/* debug/console.c -- the console: its commands, and those that run, step and break.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/near.h"
#include "debug/console_state.h"

#define HELP_COLUMN 37

typedef struct Command {
    const char *name, *brief; /* "" = has no short name */
    HdConsoleFn *run;
    bool needs_run; /* makes sense while a kernel runs only */
    bool repeats;   /* an empty line does it again */
    const char *args, *help;
} Command;

/* ---- running ------------------------------------------------------------------------------- */

static void go(HdConsole *c, HdDebugGo how)
{
    hd_debug_go(c->d, how);
    c->goes_on = true;
}

static void step(HdConsole *c, const char *args, HdDebugGo how)
{
    unsigned long count = *args != '\0' ? strtoul(args, NULL, 10) : 1;

    c->until.line = 0;
    c->repeats = count > 1 ? (uint32_t)count - 1 : 0;
    c->how = how;
    go(c, how);
}

static void do_step(HdConsole *c, const char *args, const char *format)
{
    (void)format;
    step(c, args, HD_GO_LINE);
}

static void do_next(HdConsole *c, const char *args, const char *format)
{
    (void)format;
    step(c, args, HD_GO_OVER_LINE);
}

static void do_stepi(HdConsole *c, const char *args, const char *format)
{
    (void)format;
    step(c, args, HD_GO_INST);
}

static void do_nexti(HdConsole *c, const char *args, const char *format)
{
    (void)format;
    step(c, args, HD_GO_OVER_INST);
}

static void do_gstep(HdConsole *c, const char *args, const char *format)
{
    (void)format;
    step(c, args, HD_GO_GROUP);
}

static void do_finish(HdConsole *c, const char *args, const char *format)
{
    (void)args;
    (void)format;
    go(c, HD_GO_OUT);
}

/* "N": past the breakpoint that has stopped the run, N - 1 times more. */
static void do_continue(HdConsole *c, const char *args, const char *format)
{
    HdDebugBreak *b = hd_debug_break_find(c->d, c->breakpoint);
    unsigned long count = strtoul(args, NULL, 10);

    (void)format;
    if (b != NULL && count > 1)
        b->ignore = count - 1;
    c->repeats = 0;
    go(c, HD_GO_ON);
}

static void do_run(HdConsole *c, const char *args, const char *format)
{
    (void)args;
    (void)format;
    if (hd_debug_is_stopped(c->d))
        go(c, HD_GO_AWAY);
    c->runs = true;
    c->goes_on = true;
}

static void do_start(HdConsole *c, const char *args, const char *format)
{
    HdStrbuf why = {0};
    uint32_t number = hd_debug_break(c->d, c->kernel, NULL, &why);
    HdDebugBreak *b = hd_debug_break_find(c->d, number);

    if (b != NULL)
        b->is_temporary = true;
    hd_strbuf_free(&why);
    do_run(c, args, format);
}

static void do_quit(HdConsole *c, const char *args, const char *format)
{
    (void)args;
    (void)format;
    if (hd_debug_is_stopped(c->d))
        go(c, HD_GO_AWAY);
    c->quits = true;
    c->goes_on = true;
}

/* ---- breakpoints --------------------------------------------------------------------------- */

static void tell_break(HdConsole *c, const HdDebugBreak *b)
{
    const HdDebugLines *l = hd_debug_lines(c->d);

    hd_console_say(c, "breakpoint %u at ", b->number);
    if (b->at.file != HD_NO_FILE)
        hd_console_say(c, "%s:%u", l->files.at[b->at.file].name, b->at.line);
    else
        hd_console_say(c, "byte %llu", (unsigned long long)b->at.word * 4);
    if (b->word_count > 1)
        hd_console_say(c, " (%u places)", b->word_count);
    hd_console_say(c, "\n");
}

/* "WHERE [item X,Y,Z] [if CONDITION]"; the text is cut into pieces. */
static void cut(char *text, char **item, char **condition)
{
    *condition = strstr(text, " if ");
    if (*condition != NULL) {
        **condition = '\0';
        *condition += 4;
    }
    *item = strstr(text, " item ");
    if (*item != NULL) {
        **item = '\0';
        *item += 6;
    }
}

static bool find_here(HdConsole *c, HdDebugPlace *at, HdStrbuf *why)
{
    HdDebugFrame f;

    if (!hd_debug_is_stopped(c->d) || !hd_console_frame(c, &f) || f.place.file == HD_NO_FILE) {
        hd_strbuf_add(why, "where? A line, file:line, function or *%id");
        return false;
    }
    *at = f.place;
    return true;
}

static uint32_t break_here(HdConsole *c, HdStrbuf *why)
{
    HdDebugPlace at;

    return find_here(c, &at, why) ? hd_debug_break_line(c->d, at.file, at.line, NULL, why) : 0;
}

/* Returns whether there is one now; says why not. */
static bool add_break(HdConsole *c, const char *args, bool is_temporary)
{
    bool is_fine = false;
    char *text = hd_strdup(args), *item, *condition;
    HdStrbuf why = {0};
    HdDebugBreak *b;
    uint64_t ids[3];
    uint32_t number;

    if (text == NULL)
        return false;
    cut(text, &item, &condition);
    number = text[0] == '\0' ? break_here(c, &why) : hd_debug_break(c->d, text, condition, &why);
    b = hd_debug_break_find(c->d, number);
    if (b == NULL) {
        hd_console_say(c, "%s\n", hd_strbuf_text(&why));
    } else if (item != NULL && !hd_console_ids(item, ids)) {
        hd_console_say(c, "a work-item is X[,Y[,Z]]\n");
        hd_debug_break_remove(c->d, number);
    } else {
        b->is_temporary = is_temporary;
        b->is_item = item != NULL;
        if (item != NULL)
            memcpy(b->item, ids, sizeof ids);
        tell_break(c, b);
        is_fine = true;
    }
    hd_strbuf_free(&why);
    hd_free(text);
    return is_fine;
}

static void do_break(HdConsole *c, const char *args, const char *format)
{
    (void)format;
    add_break(c, args, false);
}

static void do_tbreak(HdConsole *c, const char *args, const char *format)
{
    (void)format;
    add_break(c, args, true);
}

static uint32_t frames_now(HdConsole *c)
{
    HdDebugFrame frames[HD_DEBUG_FRAMES];

    return hd_debug_frames(c->d, hd_debug_focus(c->d), frames);
}

/* Without WHERE to a later line, or out of the function: past the end of a loop. */
static void do_until(HdConsole *c, const char *args, const char *format)
{
    HdStrbuf why = {0};
    HdDebugPlace at;

    (void)format;
    if (*args != '\0') {
        if (add_break(c, args, true))
            go(c, HD_GO_ON);
    } else if (find_here(c, &at, &why)) {
        step(c, "", HD_GO_OVER_LINE);
        c->until = at;
        c->until_frames = frames_now(c);
    } else {
        hd_console_say(c, "%s\n", hd_strbuf_text(&why));
    }
    hd_strbuf_free(&why);
}

/* Is a step of `until` at a line that it passes? */
static bool is_before_until(HdConsole *c)
{
    HdDebugFrame f;

    return c->until.line != 0 && frames_now(c) >= c->until_frames && hd_console_frame(c, &f) &&
           f.place.file == c->until.file && f.place.line <= c->until.line;
}

static HdDebugBreak *named_break(HdConsole *c, const char **args)
{
    char *end;
    uint32_t number = (uint32_t)strtoul(*args, &end, 10);
    HdDebugBreak *b = hd_debug_break_find(c->d, number);

    *args = end + strspn(end, " ");
    if (b == NULL)
        hd_console_say(c, "there is no breakpoint %u\n", number);
    return b;
}

static void do_delete(HdConsole *c, const char *args, const char *format)
{
    const HdDebugBreak *b;

    (void)format;
    if (*args == '\0') {
        while ((b = hd_debug_break_at(c->d, 0)) != NULL)
            hd_debug_break_remove(c->d, b->number);
    }
    while (*args != '\0' && (b = named_break(c, &args)) != NULL)
        hd_debug_break_remove(c->d, b->number);
}

static void do_clear(HdConsole *c, const char *args, const char *format)
{
    HdStrbuf why = {0};
    HdDebugPlace at;
    const HdDebugBreak *b;
    size_t i = 0, before = 0;

    (void)format;
    if (!(*args == '\0' ? find_here(c, &at, &why) : hd_debug_find_place(c->d, args, &at, &why))) {
        hd_console_say(c, "%s\n", hd_strbuf_text(&why));
        hd_strbuf_free(&why);
        return;
    }
    for (; (b = hd_debug_break_at(c->d, i)) != NULL; before++) {
        const bool is_there = at.file != HD_NO_FILE ? b->at.file == at.file && b->at.line == at.line
                                                    : b->at.word == at.word;

        if (!is_there || b->watched.bytes != 0 || !hd_debug_break_remove(c->d, b->number))
            i++;
    }
    if (i == before)
        hd_console_say(c, "there is no breakpoint\n");
    hd_strbuf_free(&why);
}

static void set_enabled(HdConsole *c, const char *args, bool is_enabled)
{
    HdDebugBreak *b;

    for (size_t i = 0; *args == '\0' && hd_debug_break_at(c->d, i) != NULL; i++)
        hd_debug_break_find(c->d, hd_debug_break_at(c->d, i)->number)->is_enabled = is_enabled;
    while (*args != '\0' && (b = named_break(c, &args)) != NULL)
        b->is_enabled = is_enabled;
    hd_debug_break_changed(c->d);
}

static void do_enable(HdConsole *c, const char *args, const char *format)
{
    (void)format;
    set_enabled(c, args, true);
}

static void do_disable(HdConsole *c, const char *args, const char *format)
{
    (void)format;
    set_enabled(c, args, false);
}

static void do_ignore(HdConsole *c, const char *args, const char *format)
{
    HdDebugBreak *b = named_break(c, &args);

    (void)format;
    if (b != NULL)
        b->ignore = strtoull(args, NULL, 10);
}

static void do_condition(HdConsole *c, const char *args, const char *format)
{
    HdDebugBreak *b = named_break(c, &args);

    (void)format;
    if (b == NULL)
        return;
    hd_free(b->condition);
    b->condition = *args != '\0' ? hd_strdup(args) : NULL;
}

static void do_defects(HdConsole *c, const char *args, const char *format)
{
    bool stops = strcmp(args, "off") != 0;

    (void)format;
    if (stops && *args != '\0' && strcmp(args, "on") != 0) {
        hd_console_say(c, "defects takes on or off, not '%s'\n", args);
        return;
    }
    hd_debug_stop_at_defects(c->d, stops);
    hd_console_say(c, "defects %s\n", stops ? "stop the run" : "are only noted");
}

/* ---- the table ----------------------------------------------------------------------------- */

static HdConsoleFn do_help;

static const Command commands[] = {
    {"run", "r", do_run, false, false, "", "run the kernel, from the beginning"},
    {"start", "", do_start, false, false, "", "run to the kernel's first line"},
    {"continue", "c", do_continue, true, true, "[N]",
     "run to the next stop; with N past this breakpoint, N - 1 times"},
    {"step", "s", do_step, true, true, "[N]", "step to another line of the work-item, into calls"},
    {"next", "n", do_next, true, true, "[N]", "step to another line, over calls"},
    {"stepi", "si", do_stepi, true, true, "[N]", "step one instruction of the work-item"},
    {"nexti", "ni", do_nexti, true, true, "[N]", "step one instruction, over calls"},
    {"gstep", "gs", do_gstep, true, true, "[N]",
     "run the whole work-group to other lines, or to a barrier"},
    {"finish", "fin", do_finish, true, false, "", "run until the function returns"},
    {"until", "u", do_until, true, true, "[WHERE]",
     "run to WHERE, or to a later line, past a loop"},
    {"advance", "", do_until, true, false, "WHERE", "run to WHERE"},
    {"break", "b", do_break, false, false, "WHERE [item X,Y,Z] [if EXPR]", "stop at WHERE"},
    {"tbreak", "tb", do_tbreak, false, false, "WHERE [item X,Y,Z] [if EXPR]", "stop at WHERE once"},
    {"watch", "", hd_console_watch, true, false, "EXPR", "stop when memory changes"},
    {"delete", "d", do_delete, false, false, "[N …]", "remove breakpoints"},
    {"clear", "", do_clear, false, false, "[WHERE]", "remove breakpoints by their place"},
    {"enable", "", do_enable, false, false, "[N …]", "let breakpoints stop again"},
    {"disable", "dis", do_disable, false, false, "[N …]", "keep breakpoints, but don't stop"},
    {"ignore", "", do_ignore, false, false, "N COUNT", "pass a breakpoint COUNT times"},
    {"condition", "", do_condition, false, false, "N [EXPR]", "set or remove a condition"},
    {"defects", "", do_defects, false, false, "on|off", "stop at new defects; on by default"},
    {"print", "p", hd_console_print, true, true, "EXPR",
     "a value; /x hex /d signed /u unsigned /t binary /c char /f float"},
    {"call", "", hd_console_print, true, false, "EXPR", "the same"},
    {"set", "", hd_console_set, true, false, "EXPR = EXPR",
     "change a variable, an id or memory, for the work-item"},
    {"whatis", "", hd_console_whatis, true, false, "EXPR", "the type of a value"},
    {"ptype", "pt", hd_console_ptype, true, false, "EXPR | TYPE", "a type with its members"},
    {"display", "", hd_console_display, false, false, "[EXPR]", "print at every stop"},
    {"undisplay", "", hd_console_undisplay, false, false, "[N]", "stop printing it"},
    {"x", "", hd_console_examine, true, true, "EXPR",
     "memory: /NSF, N of size S = b h w g, format F = x d u t c f"},
    {"info", "i", hd_console_info, false, false,
     "items|item|locals|args|globals|ids|breakpoints|display|defects|line|frame", "show these"},
    {"item", "it", hd_console_item, true, false, "[X[,Y[,Z]]]", "put a work-item in focus"},
    {"thread", "t", hd_console_thread, true, false, "[N | X,Y[,Z]]",
     "put the work-item of that number in its group, or with that id, in focus"},
    {"backtrace", "bt", hd_console_backtrace, true, false, "", "the call stack"},
    {"where", "", hd_console_backtrace, true, false, "", "the same"},
    {"frame", "f", hd_console_select_frame, true, false, "[N]", "select a frame of the call stack"},
    {"up", "", hd_console_up, true, true, "[N]", "select the caller's frame"},
    {"down", "", hd_console_down, true, true, "[N]", "select the called function's frame"},
    {"list", "l", hd_console_list, false, true, "[LINE[,LINE] | FUNCTION]", "source"},
    {"disassemble", "disas", hd_console_disassemble, true, false, "", "instructions around"},
    {"help", "h", do_help, false, false, "[COMMAND]", "list the commands, or describe one"},
    {"quit", "q", do_quit, false, false, "", "end the session"},
    {NULL, NULL, NULL, false, false, NULL, NULL}};

/* ---- help ---------------------------------------------------------------------------------- */

const char *hd_console_word(unsigned i)
{
    return i < sizeof commands / sizeof *commands ? commands[i].name : NULL;
}

/* By its short name, or the first in the table that begins so. */
static const Command *find_command(const char *name, size_t len)
{
    for (const Command *k = commands; k->name != NULL; k++)
        if (strlen(k->brief) == len && strncmp(k->brief, name, len) == 0)
            return k;
    for (const Command *k = commands; k->name != NULL && len > 0; k++)
        if (strncmp(k->name, name, len) == 0)
            return k;
    return NULL;
}

/* Columns from the end of a text to where the help begins. */
static int gap(const char *text)
{
    int columns = 0;

    for (; *text != '\0'; text++)
        columns += ((unsigned char)*text & 0xc0) != 0x80; /* not of UTF-8's later bytes */
    return columns < HELP_COLUMN ? HELP_COLUMN - columns : 0;
}

static void tell_unknown(HdConsole *c, const char *name, size_t len)
{
    HdNear near = hd_near_begin(name, len);

    for (const Command *k = commands; k->name != NULL; k++)
        hd_near_try(&near, k->name);
    hd_console_say(c, "there is no command '%.*s'; ", (int)len, name);
    if (near.name != NULL)
        hd_console_say(c, "did you mean %s? ", near.name);
    hd_console_say(c, "`help` shows all\n");
}

static void do_help(HdConsole *c, const char *args, const char *format)
{
    const Command *one = *args != '\0' ? find_command(args, strcspn(args, " ")) : NULL;

    (void)format;
    if (one == NULL && *args != '\0') {
        tell_unknown(c, args, strcspn(args, " "));
        return;
    }
    for (const Command *k = commands; k->name != NULL; k++) {
        HdStrbuf left = {0}, help = {0};

        if (one != NULL && k != one)
            continue;
        hd_strbuf_printf(&left, "%s %s", k->name, k->args);
        hd_debug_words(c->d, k->help, &help);
        hd_console_say(c, "%s%*s %s%s%s%s\n", hd_strbuf_text(&left), gap(hd_strbuf_text(&left)), "",
                       hd_strbuf_text(&help), k->brief[0] != '\0' ? " (" : "", k->brief,
                       k->brief[0] != '\0' ? ")" : "");
        hd_strbuf_free(&left);
        hd_strbuf_free(&help);
    }
    if (one == NULL)
        hd_console_say(
            c,
            "\nWHERE is a line, FILE:LINE, a function, *%%ID or *BYTE. EXPR is as in C: names,\n"
            "%%ids, $gid.x $lid.x $group.x $lane $subgroup $item, . -> [] * & casts, operators,\n"
            "p[0]@8, sizeof, calls of built-in functions with scalars. Lanes of a sub-group move "
            "together; a step follows one work-item.\n");
}

/* ---- the loop ------------------------------------------------------------------------------ */

static void obey(HdConsole *c, const char *line)
{
    size_t len;
    const Command *k;
    char format[16] = "";

    line += strspn(line, " \t");
    if (*line == '\0' || *line == '#')
        return;
    len = strcspn(line, " \t/");
    k = find_command(line, len);
    if (k == NULL) {
        c->is_misread = true;
        tell_unknown(c, line, len);
        return;
    }
    line += len;
    if (*line == '/') {
        len = strcspn(line, " \t");
        memcpy(format, line + 1, len - 1 < sizeof format ? len - 1 : sizeof format - 1);
        line += len;
    }
    if (k->needs_run && !hd_debug_is_stopped(c->d))
        hd_console_say(c, "the kernel is not running; `run` starts it\n");
    else
        k->run(c, line + strspn(line, " \t"), format);
}

static void flush(HdConsole *c)
{
    if (c->out.count > 0)
        c->io.write(c->io.user, hd_strbuf_text(&c->out), c->out.count);
    hd_strbuf_free(&c->out);
}

static void ask(HdConsole *c)
{
    c->goes_on = false;
    while (!c->goes_on) {
        char *line;
        const Command *k;

        flush(c);
        line = c->io.read(c->io.user, "(heddle) ");
        if (line == NULL) {
            do_quit(c, "", "");
            break;
        }
        if (line[0] == '\0' && c->last != NULL && c->io.is_interactive) {
            hd_free(line);
            line = hd_strdup(c->last);
            if (line == NULL)
                continue;
        }
        k = find_command(line, strcspn(line, " \t/"));
        obey(c, line);
        hd_free(c->last);
        c->last = NULL;
        if (k != NULL && k->repeats)
            c->last = line;
        else
            hd_free(line);
    }
    flush(c);
}

static void tell_stop(HdConsole *c, const HdDebugStop *why)
{
    HdDefectItem item;
    int others = __builtin_popcountll(why->lanes) - 1;

    hd_debug_item(c->d, hd_debug_focus(c->d), &item);
    switch (why->reason) {
    case HD_STOP_BREAKPOINT: hd_console_say(c, "breakpoint %u, ", why->breakpoint); break;
    case HD_STOP_DEFECT:
        hd_console_say(c, "%s: %s [%s]\n", why->defect->severity == HD_ERROR ? "defect" : "note",
                       why->defect->message, why->defect->rule);
        if (why->defect->memory != NULL)
            hd_console_say(c, "  memory: %s\n", why->defect->memory);
        if (why->defect->hint != NULL)
            hd_console_say(c, "  hint: %s\n", why->defect->hint);
        break;
    case HD_STOP_WATCH: hd_console_tell_watch(c, why->breakpoint); break;
    case HD_STOP_ASKED: hd_console_say(c, "interrupted, "); break;
    case HD_STOP_ENDED: hd_console_say(c, "the work-item has ended; now "); break;
    case HD_STOP_ENTRY:
    case HD_STOP_STEP: return;
    }
    hd_console_say(c, "work-item (%llu, %llu, %llu)", (unsigned long long)item.global[0],
                   (unsigned long long)item.global[1], (unsigned long long)item.global[2]);
    if (others > 0)
        hd_console_say(c, " and %d more", others);
    hd_console_say(c, "\n");
}

static void on_stop(void *user, const HdDebugStop *why)
{
    HdConsole *c = user;
    HdDebugFrame f;

    c->frame = 0;
    c->list_line = 0;
    if (why->reason == HD_STOP_STEP && (c->repeats > 0 || is_before_until(c))) {
        c->repeats -= c->repeats > 0;
        hd_debug_go(c->d, c->how);
        return;
    }
    c->repeats = 0;
    c->until.line = 0;
    c->breakpoint = why->reason == HD_STOP_BREAKPOINT ? why->breakpoint : 0;
    tell_stop(c, why);
    if (hd_console_frame(c, &f))
        hd_console_show_place(c, &f, why->reason == HD_STOP_STEP);
    hd_console_show_displays(c);
    ask(c);
}

static bool on_pause(void *user)
{
    HdConsole *c = user;

    return c->io.interrupted != NULL && c->io.interrupted(c->io.user);
}

HdDebugHost hd_console_host(HdConsole *c)
{
    return (HdDebugHost){.user = c, .stopped = on_stop, .wants_pause = on_pause};
}

HdStatus hd_console_open(const HdConsoleIo *io, HdConsole **out)
{
    HD_TAKE(*out, hd_alloc_zero(sizeof **out));
    (*out)->io = *io;
    return HD_OK;
}

void hd_console_close(HdConsole *c)
{
    if (c == NULL)
        return;
    flush(c);
    for (size_t i = 0; i < c->displays.count; i++)
        hd_free(c->displays.at[i].text);
    HD_ARRAY_FREE(&c->displays);
    hd_free(c->last);
    hd_free(c);
}

bool hd_console_is_misread(const HdConsole *c)
{
    return c->is_misread;
}

bool hd_console_ready(HdConsole *c, HdDebug *d, HdCheck *check, const char *kernel)
{
    c->d = d;
    c->check = check;
    c->kernel = kernel;
    if (!c->runs && !c->quits)
        ask(c);
    if (c->quits)
        return false;
    c->runs = false;
    return true;
}

void hd_console_ended(HdConsole *c)
{
    if (!c->quits && !c->runs)
        hd_console_say(c, "the kernel has ended\n");
    flush(c);
}
