/* debug/console_state.h -- what the console's commands share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_DEBUG_CONSOLE_STATE_H
#define HD_DEBUG_CONSOLE_STATE_H

#include "base/array.h"
#include "debug/console.h"
#include "debug/value.h"

typedef struct HdDisplay {
    uint32_t number;
    char *text;
    char format;
} HdDisplay;

struct HdConsole {
    HdConsoleIo io;
    HdDebug *d;
    HdCheck *check;
    const char *kernel;
    HdStrbuf out;
    uint32_t frame;                /* that names are looked up in */
    uint32_t list_file, list_line; /* what `list` shows next; 0: around the frame */
    uint32_t repeats;              /* steps still to make … */
    HdDebugGo how;                 /* … of this kind */
    HdDebugPlace until;    /* `until` steps to a later line than this; line 0: it does not */
    uint32_t until_frames; /* the height of the stack where it began */
    uint32_t breakpoint;   /* that stopped the run last; 0: something else has */
    bool goes_on;          /* a command has said so */
    bool runs, quits;
    bool is_misread; /* some line was not a command */
    char *last;      /* command, for an empty line */
    HD_ARRAY(HdDisplay) displays;
    uint32_t last_display;
};

/* One command: the words after its name, "" if there are none; '/x' after the name. */
typedef void HdConsoleFn(HdConsole *c, const char *args, const char *format);

void hd_console_say(HdConsole *c, const char *fmt, ...) HD_PRINTF(2, 3);
/* The frame that names are looked up in; false, said so, when nothing runs. */
bool hd_console_frame(HdConsole *c, HdDebugFrame *f);
/* "X[,Y[,Z]]" */
bool hd_console_ids(const char *text, uint64_t ids[3]);
void hd_console_show_place(HdConsole *c, const HdDebugFrame *f, bool shows_inst);
void hd_console_show_displays(HdConsole *c);

HdConsoleFn hd_console_print, hd_console_examine, hd_console_info, hd_console_backtrace,
    hd_console_list, hd_console_disassemble, hd_console_select_frame, hd_console_up,
    hd_console_down, hd_console_item, hd_console_display, hd_console_undisplay, hd_console_whatis,
    hd_console_set, hd_console_watch, hd_console_ptype, hd_console_thread;
/* What a watched place was and is. */
void hd_console_tell_watch(HdConsole *c, uint32_t number);

#endif
