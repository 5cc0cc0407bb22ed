/* debug/console.h -- the debugger in a terminal, or driven by a script.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_DEBUG_CONSOLE_H
#define HD_DEBUG_CONSOLE_H

#include "debug/debug.h"

typedef struct HdConsole HdConsole;

typedef struct HdConsoleIo {
    void *user;
    /* The next line without its end, heap; NULL: there are no more. */
    char *(*read)(void *user, const char *prompt);
    void (*write)(void *user, const char *text, size_t len);
    /* Ctrl-C since the last time? */
    bool (*interrupted)(void *user);
    bool is_interactive; /* an empty line repeats the last command */
} HdConsoleIo;

HdStatus hd_console_open(const HdConsoleIo *io, HdConsole **out);
void hd_console_close(HdConsole *c);
/* The parameters of hd_debug_open. */
HdDebugHost hd_console_host(HdConsole *c);
/* Before the first run, and between runs: ask for commands. False: no (more) runs. */
bool hd_console_ready(HdConsole *c, HdDebug *d, HdCheck *check, const char *kernel);
/* Was there a line that is not a command? */
bool hd_console_is_misread(const HdConsole *c);
/* A run has ended. */
void hd_console_ended(HdConsole *c);
/* The names of commands, for completion; NULL past the last. */
const char *hd_console_word(unsigned i);

#endif
