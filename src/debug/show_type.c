/* debug/show_type.c -- the console's commands for types, watched memory and work-items by number.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/console_state.h"
#include "debug/private.h"
#include "module/resource.h"

/* ---- types --------------------------------------------------------------------------------- */

static void add_member(HdConsole *c, const HdType *t, const char *name, uint64_t offset)
{
    HdStrbuf text = {0};

    hd_debug_type_text(c->d, t, &text);
    hd_console_say(c, "    %s %s; /* at byte %llu */\n", hd_strbuf_text(&text), name,
                   (unsigned long long)offset);
    hd_strbuf_free(&text);
}

static void show_struct(HdConsole *c, const HdType *t)
{
    const HdModule *m = hd_debug_module(c->d);
    const HdDebugType *own = hd_debug_own_type(t);

    hd_console_say(c, "{\n");
    for (uint32_t i = 0; i < t->count; i++) {
        const char *name = own != NULL ? own->parts[i].name : hd_module_member_name(m, t->id, i);
        char number[16];

        snprintf(number, sizeof number, "m%u", (unsigned)i);
        add_member(c, own != NULL ? own->parts[i].type : hd_type_member(m, t, i),
                   name != NULL ? name : number,
                   own != NULL ? own->parts[i].offset : hd_type_offset(m, t, i));
    }
    hd_console_say(c, "} /* %llu bytes */\n", (unsigned long long)hd_type_size(t));
}

/* What a pointer points to, or an array consists of, is shown with its members. */
static void show_type(HdConsole *c, const HdType *t)
{
    HdStrbuf text = {0};

    hd_debug_type_text(c->d, t, &text);
    hd_console_say(c, "%s", hd_strbuf_text(&text));
    hd_strbuf_free(&text);
    while (t->kind == HD_T_POINTER || t->kind == HD_T_ARRAY) {
        if (hd_type_element(t) == NULL)
            break;
        t = hd_type_element(t);
    }
    if (t->kind != HD_T_STRUCT) {
        hd_console_say(c, "\n");
        return;
    }
    hd_console_say(c, " ");
    show_struct(c, t);
}

void hd_console_ptype(HdConsole *c, const char *args, const char *format)
{
    const HdType *t = hd_debug_type_named(c->d, args);
    HdStrbuf why = {0};
    HdDebugValue v;

    (void)format;
    if (*args == '\0')
        hd_console_say(c, "the type of what?\n");
    else if (t != NULL)
        show_type(c, t);
    else if (hd_debug_eval(c->d, hd_debug_focus(c->d), c->frame, args, &v, &why) != HD_OK)
        hd_console_say(c, "%s\n", hd_strbuf_text(&why));
    else if (v.type == NULL)
        hd_console_say(c, "%s\n", v.number == HD_DEBUG_FLOAT ? "double" : "int");
    else
        show_type(c, v.type);
    hd_strbuf_free(&why);
}

/* ---- watched memory ------------------------------------------------------------------------ */

void hd_console_watch(HdConsole *c, const char *args, const char *format)
{
    HdStrbuf why = {0};
    uint32_t number;

    (void)format;
    if (strncmp(args, "-l ", 3) == 0 || strncmp(args, "-location ", 10) == 0)
        args += strcspn(args, " ") + 1; /* as every watched place is */
    if (*args == '\0')
        hd_strbuf_add(&why, "watch what? A variable, or other memory: watch x[3]");
    number = *args != '\0' ? hd_debug_watch(c->d, hd_debug_focus(c->d), c->frame, args, &why) : 0;
    if (number == 0)
        hd_console_say(c, "%s\n", hd_strbuf_text(&why));
    else
        hd_console_say(c, "watchpoint %u: %s\n", (unsigned)number, args);
    hd_strbuf_free(&why);
}

static void tell_bytes(HdConsole *c, const char *when, const HdDebugWatch *w,
                       const unsigned char *at)
{
    HdDebugValue v = {.type = w->type, .at = at};
    HdStrbuf text = {0};

    hd_debug_value_text(c->d, &v, 0, &text);
    hd_console_say(c, "  %s %s\n", when, hd_strbuf_text(&text));
    hd_strbuf_free(&text);
}

void hd_console_tell_watch(HdConsole *c, uint32_t number)
{
    const HdDebugBreak *b = hd_debug_break_find(c->d, number);

    hd_console_say(c, "watchpoint %u: %s\n", (unsigned)number, b->where);
    tell_bytes(c, "was", &b->watched, b->watched.before);
    tell_bytes(c, "is ", &b->watched, b->watched.now);
    hd_console_say(c, "changed by ");
}

/* ---- work-items ---------------------------------------------------------------------------- */

void hd_console_thread(HdConsole *c, const char *args, const char *format)
{
    HdDefectItem item;
    HdStrbuf ids = {0};
    char *end;
    unsigned long number = strtoul(args, &end, 10);

    if (*args == '\0' || *end != '\0') {
        hd_console_item(c, args, format);
        return;
    }
    if (number >= hd_debug_items(c->d)) {
        hd_console_say(c, "the work-group has work-items 0 to %u\n",
                       (unsigned)hd_debug_items(c->d) - 1);
        return;
    }
    hd_debug_item(c->d, (uint32_t)number, &item);
    hd_strbuf_printf(&ids, "%llu,%llu,%llu", (unsigned long long)item.global[0],
                     (unsigned long long)item.global[1], (unsigned long long)item.global[2]);
    hd_console_item(c, hd_strbuf_text(&ids), format);
    hd_strbuf_free(&ids);
}
