/* tool/debug.c -- `heddle debug`: a checked run that can be stopped and inspected.
 *
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "debug/console.h"
#include "debug/dap.h"
#include "tool/edit.h"
#include "tool/execute.h"
#include "tool/tool.h"

/* Set by Ctrl-C, which knows no other way to reach us; and a pipe with a byte then, so that one who
 * waits for the terminal wakes up however short before that it came. */
static volatile sig_atomic_t is_interrupted;
static int interrupts[2] = {-1, -1};

typedef struct Session {
    HdConsole *console;
    HdDebug *debug;
    const HdRunOptions *options;
    size_t commands, scripts; /* how many have been used */
    FILE *script;             /* that is being read */
    HdEdit *edit;             /* NULL: there is no terminal, or no libedit */
    bool asked_edit;
    bool script_missing;
} Session;

static HdDebug *open_debug(const HdExecuteTarget *t, const HdDebugHost *host)
{
    HdDebug *d = NULL;

    if (hd_debug_open(t->m, t->layout, t->options->file, t->text, t->text_bytes, t->cancel, host,
                      &d) != HD_OK)
        fputs("heddle debug: out of memory\n", stderr);
    return d;
}

/* ---- the console --------------------------------------------------------------------------- */

static void on_interrupt(int sig)
{
    int before = errno;

    (void)sig;
    is_interrupted = 1;
    (void)!write(interrupts[1], "", 1); /* full: there are enough */
    errno = before;
}

/* Wait until something has been typed; false: Ctrl-C was first. */
static bool wait_typed(void)
{
    struct pollfd p[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                         {.fd = interrupts[0], .events = POLLIN}};

    while (poll(p, 2, -1) < 0 && errno == EINTR)
        ;
    return p[1].revents == 0;
}

static void forget_interrupts(void)
{
    char bytes[64];

    is_interrupted = 0;
    while (read(interrupts[0], bytes, sizeof bytes) > 0)
        ;
}

static bool interrupted(void *user)
{
    bool was = is_interrupted != 0;

    (void)user;
    is_interrupted = 0;
    return was;
}

static void write_text(void *user, const char *text, size_t len)
{
    (void)user;
    fwrite(text, 1, len, stdout);
    fflush(stdout);
}

/* A line of a stream, heap; NULL at its end. */
static char *line_of(FILE *from)
{
    char *line = NULL, *own;
    size_t room = 0;
    ssize_t len = getline(&line, &room, from);

    while (len > 0 && (line[len - 1] == '\n' || line[len - 1] == '\r'))
        line[--len] = '\0';
    own = len >= 0 ? hd_strdup(line) : NULL;
    free(line); /* the C library's */
    return own;
}

/* A line as the terminal gives it; NULL, too, after Ctrl-C. */
static char *typed_line(void)
{
    return wait_typed() ? line_of(stdin) : NULL;
}

/* What the user types; Ctrl-C at the prompt discards the line: NULL is the end alone. */
static char *read_typed(Session *s, const char *prompt)
{
    bool is_terminal = isatty(STDIN_FILENO) != 0;
    char *line;

    if (is_terminal && !s->asked_edit && isatty(STDOUT_FILENO) != 0)
        s->edit = hd_edit_open(hd_console_word, wait_typed);
    s->asked_edit = true;
    forget_interrupts();
    if (is_terminal && s->edit == NULL) {
        fputs(prompt, stdout);
        fflush(stdout);
    }
    line = s->edit != NULL ? hd_edit_read(s->edit, prompt)
           : is_terminal   ? typed_line()
                           : line_of(stdin);
    if (line != NULL || !is_interrupted)
        return line;
    forget_interrupts();
    clearerr(stdin);
    fputc('\n', stdout);
    return hd_strdup("#"); /* a command that does nothing, not an empty line, which repeats one */
}

/* --command, then -x, then standard input. */
static char *read_command(void *user, const char *prompt)
{
    Session *s = user;
    char *line;

    if (s->commands < s->options->commands.count)
        return hd_strdup(s->options->commands.at[s->commands++]);
    for (;;) {
        if (s->script == NULL && s->scripts < s->options->scripts.count) {
            const char *path = s->options->scripts.at[s->scripts++];

            s->script = fopen(path, "re");
            if (s->script == NULL)
                fprintf(stderr, "heddle debug: cannot read '%s': %s\n", path, strerror(errno));
            s->script_missing |= s->script == NULL;
            continue;
        }
        if (s->script == NULL)
            break;
        line = line_of(s->script);
        if (line != NULL)
            return line;
        fclose(s->script);
        s->script = NULL;
    }
    if (s->options->batch)
        return NULL;
    return read_typed(s, prompt);
}

static const HdInterpHook *ready(void *user, const HdExecuteTarget *t)
{
    Session *s = user;

    s->options = t->options;
    if (s->debug == NULL) {
        const HdDebugHost host = hd_console_host(s->console);

        s->debug = open_debug(t, &host);
        if (s->debug == NULL)
            return NULL;
        if (isatty(STDIN_FILENO) && !t->options->quiet)
            printf("kernel %s; `help` shows the commands, `start` begins\n", t->kernel->name);
    }
    if (!hd_console_ready(s->console, s->debug, t->check, t->kernel->name))
        return NULL;
    hd_debug_start(s->debug, false);
    return hd_debug_hook(s->debug);
}

static void ended(void *user)
{
    Session *s = user;

    hd_console_ended(s->console);
}

static int debug_at_console(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    Session s = {0};
    const HdExecuteHost host = {.user = &s, .ready = ready, .ended = ended};
    const HdConsoleIo io = {.user = &s,
                            .read = read_command,
                            .write = write_text,
                            .interrupted = interrupted,
                            .is_interactive = isatty(STDIN_FILENO) != 0};
    int code;

    if (pipe2(interrupts, O_CLOEXEC | O_NONBLOCK) != 0 || hd_console_open(&io, &s.console) != HD_OK)
        return HD_EXIT_FAILED;
    sigaction(SIGINT, &action, NULL);
    code = hd_tool_execute_watched(argc, argv, &host);
    hd_debug_close(s.debug);
    if (code == HD_EXIT_FINE && !io.is_interactive && hd_console_is_misread(s.console))
        code = HD_EXIT_USAGE; /* no user was there to see the error in a script */
    hd_console_close(s.console);
    hd_edit_close(s.edit);
    if (s.script != NULL)
        fclose(s.script);
    return s.script_missing ? HD_EXIT_FAILED : code;
}

/* ---- the protocol -------------------------------------------------------------------------- */

/* The client has the real standard input and output; what everybody else prints goes to files in
 * memory, and from there to the client. */
typedef struct Wire {
    HdDap *dap;
    HdDebug *debug;
    int in, out;
    int printed[2];
} Wire;

static bool read_wire(void *user, char *to, size_t count)
{
    Wire *w = user;

    while (count > 0) {
        ssize_t n = read(w->in, to, count);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        to += n;
        count -= (size_t)n;
    }
    return true;
}

static bool has_input(void *user)
{
    struct pollfd p = {.fd = ((Wire *)user)->in, .events = POLLIN};

    return poll(&p, 1, 0) > 0;
}

static void write_wire(void *user, const char *text, size_t len)
{
    Wire *w = user;

    while (len > 0) {
        ssize_t n = write(w->out, text, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return;
        text += n;
        len -= (size_t)n;
    }
}

static void take_printed(void *user, HdStrbuf *out, HdStrbuf *err)
{
    Wire *w = user;

    fflush(stdout);
    fflush(stderr);
    for (unsigned i = 0; i < 2; i++) {
        char bytes[4096];
        off_t at = 0;
        ssize_t n;

        while ((n = pread(w->printed[i], bytes, sizeof bytes, at)) > 0) {
            hd_strbuf_add_bytes(i == 0 ? out : err, bytes, (size_t)n);
            at += n;
        }
        if (ftruncate(w->printed[i], 0) == 0)
            lseek(w->printed[i], 0, SEEK_SET);
    }
}

static bool open_wire(Wire *w)
{
    w->in = dup(STDIN_FILENO);
    w->out = dup(STDOUT_FILENO);
    w->printed[0] = memfd_create("stdout", MFD_CLOEXEC);
    w->printed[1] = memfd_create("stderr", MFD_CLOEXEC);
    return w->in >= 0 && w->out >= 0 && w->printed[0] >= 0 && w->printed[1] >= 0 &&
           dup2(w->printed[0], STDOUT_FILENO) >= 0 && dup2(w->printed[1], STDERR_FILENO) >= 0;
}

static const HdInterpHook *wire_ready(void *user, const HdExecuteTarget *t)
{
    Wire *w = user;

    if (w->debug == NULL) {
        const HdDebugHost host = hd_dap_host(w->dap);

        w->debug = open_debug(t, &host);
    }
    if (w->debug == NULL || !hd_dap_ready(w->dap, w->debug))
        return NULL;
    hd_debug_start(w->debug, hd_dap_stops_at_entry(w->dap));
    return hd_debug_hook(w->debug);
}

static void wire_ended(void *user)
{
    (void)user;
}

static int debug_by_wire(void)
{
    Wire w = {0};
    const HdExecuteHost host = {.user = &w, .ready = wire_ready, .ended = wire_ended};
    const HdDapIo io = {.user = &w,
                        .read = read_wire,
                        .has_input = has_input,
                        .write = write_wire,
                        .printed = take_printed};
    const char *const *words;
    int count, code = HD_EXIT_FINE;

    if (!open_wire(&w) || hd_dap_open(&io, &w.dap) != HD_OK)
        return HD_EXIT_FAILED;
    if (hd_dap_launch(w.dap, &words, &count)) {
        code = hd_tool_execute_watched(count, (char **)(uintptr_t)words, &host);
        hd_dap_end(w.dap, code);
    }
    if (hd_dap_is_broken(w.dap))
        code = HD_EXIT_USAGE;
    hd_debug_close(w.debug);
    hd_dap_close(w.dap);
    return code;
}

int hd_tool_debug(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--dap") == 0)
            return debug_by_wire();
    return debug_at_console(argc, argv);
}
