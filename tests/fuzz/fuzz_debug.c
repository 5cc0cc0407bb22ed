/* tests/fuzz/fuzz_debug.c -- the debugger: its commands, an editor's requests, and any module's
 * debug information.
 *
 * The first byte chooses; the rest are lines of a script, requests in JSON, one a line, or a
 * module, for which a script is given here. What is debugged otherwise is
 * tests/debug/script.spvasm, so this runs where tests/ is. Besides not crashing: all ends.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "debug/console.h"
#include "debug/dap.h"
#include "tool/execute.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Session {
    const char *at; /* what is left of the input */
    size_t left;
    HdStrbuf frame; /* a message with its header … */
    size_t given;   /* … and how much of it was read */
    HdConsole *console;
    HdDap *dap;
    HdDebug *debug;
    unsigned runs;
    const HdInterpHook *inner; /* the debugger's */
    HdInterpHook hook;         /* that counts what it sees */
    unsigned steps;
    volatile bool *cancel;
} Session;

#define MOST_RUNS  4
#define MOST_STEPS 20000

#define SCRIPT "tests/debug/script.spvasm"
static char module_path[] = "/tmp/heddle-fuzz-XXXXXX.spv";

static const char own_script[] = "info functions\ninfo sources\nlist\nbreak k\nstart\ninfo "
                                 "locals\ninfo args\nbacktrace\nlist\nstep\n"
                                 "info locals\ninfo globals\nwhatis x\nprint x\nprint *x\nprint "
                                 "x.y\ndisassemble\nnext\ninfo ids\n"
                                 "info line\nup\ninfo locals\ndown\ninfo "
                                 "items\nfinish\nstep\nstep\nstep\ninfo locals\ncontinue\n";

/* ---- input --------------------------------------------------------------------------------- */

/* The next line, without its end; false: there are no more. */
static bool next_line(Session *s, const char **line, size_t *len)
{
    const char *end;

    if (s->left == 0)
        return false;
    *line = s->at;
    end = memchr(s->at, '\n', s->left);
    *len = end != NULL ? (size_t)(end - s->at) : s->left;
    s->at += *len + (end != NULL);
    s->left -= *len + (end != NULL);
    return true;
}

static char *read_command(void *user, const char *prompt)
{
    const char *line;
    char *own;
    size_t len;

    (void)prompt;
    if (!next_line(user, &line, &len) || (own = hd_alloc(len + 1)) == NULL)
        return NULL;
    memcpy(own, line, len);
    own[len] = '\0';
    return own;
}

static bool read_wire(void *user, char *to, size_t count)
{
    Session *s = user;
    const char *line;
    size_t len;

    for (; count > 0; count--) {
        if (s->given == s->frame.count) {
            if (!next_line(s, &line, &len))
                return false;
            s->frame.count = s->given = 0;
            hd_strbuf_printf(&s->frame, "Content-Length: %zu\r\n\r\n", len);
            hd_strbuf_add_bytes(&s->frame, line, len);
        }
        *to++ = s->frame.at[s->given++];
    }
    return true;
}

static bool has_input(void *user)
{
    return ((Session *)user)->left > 0;
}

/* ---- output -------------------------------------------------------------------------------- */

static void take_text(void *user, const char *text, size_t len)
{
    volatile unsigned sum = 0;

    (void)user;
    for (size_t i = 0; i < len; i++)
        sum += (unsigned char)text[i];
}

static void take_printed(void *user, HdStrbuf *out, HdStrbuf *err)
{
    (void)user;
    (void)out;
    (void)err;
}

static bool never(void *user)
{
    (void)user;
    return false;
}

/* ---- a run --------------------------------------------------------------------------------- */

static void begins(void *user, struct HdInterpRun *r)
{
    const HdInterpHook *inner = ((Session *)user)->inner;

    inner->begins(inner->user, r);
}

static void ends(void *user, struct HdInterpRun *r)
{
    const HdInterpHook *inner = ((Session *)user)->inner;

    inner->ends(inner->user, r);
}

static bool before(void *user, struct HdInterpRun *r, struct HdInterpSub *sub)
{
    Session *s = user;

    if (s->steps++ > MOST_STEPS)
        *s->cancel = true;
    return s->inner->before(s->inner->user, r, sub);
}

static void found(void *user, struct HdEval *e, uint64_t lanes, const HdDefect *d)
{
    const HdInterpHook *inner = ((Session *)user)->inner;

    inner->found(inner->user, e, lanes, d);
}

static const HdInterpHook *ready(void *user, const HdExecuteTarget *t)
{
    Session *s = user;
    HdDebugHost host = s->dap != NULL ? hd_dap_host(s->dap) : hd_console_host(s->console);
    bool goes;

    if (s->runs++ == MOST_RUNS ||
        (s->debug == NULL &&
         hd_debug_open(t->m, t->layout, SCRIPT, NULL, 0, t->cancel, &host, &s->debug) != HD_OK))
        return NULL;
    goes = s->dap != NULL ? hd_dap_ready(s->dap, s->debug)
                          : hd_console_ready(s->console, s->debug, t->check, t->kernel->name);
    if (!goes)
        return NULL;
    hd_debug_start(s->debug, s->dap != NULL && hd_dap_stops_at_entry(s->dap));
    s->cancel = t->cancel;
    s->inner = hd_debug_hook(s->debug);
    s->hook = (HdInterpHook){s, begins, ends, before, found};
    return &s->hook;
}

static void ended(void *user)
{
    Session *s = user;

    if (s->console != NULL)
        hd_console_ended(s->console);
}

static void run(Session *s, const char *file, int args)
{
    char *words[] = {"debug",    (char *)(uintptr_t)file,
                     "--global", "4",
                     "--local",  "2",
                     "--arg",    "u32[4]",
                     "--arg",    "u32[4]",
                     "--arg",    "u32[4]"};
    const HdExecuteHost host = {.user = s, .ready = ready, .ended = ended};

    (void)hd_tool_execute_watched(6 + 2 * args, words, &host);
}

/* A module of shaders: four bindings, and an element of each where they are arrays. */
static void run_shader(Session *s, const char *file, int elements)
{
    char *words[] = {"debug",    (char *)(uintptr_t)file,
                     "--groups", "2",
                     "--push",   "bytes[64]",
                     "--bind",   elements > 0 ? "0.0[0]=u32[16]" : "0.0=u32[16]",
                     "--bind",   elements > 1 ? "0.1[1]=u32[16]" : "0.1=u32[16]",
                     "--bind",   "0.2=u32[16]",
                     "--bind",   "1.0=u32[16]"};
    const HdExecuteHost host = {.user = s, .ready = ready, .ended = ended};
    const int count = (int)(sizeof words / sizeof *words);

    (void)hd_tool_execute_watched(count - 2 * (elements % 4), words, &host);
}

/* args: of the kernel; HD_SHADER and more: a shader. */
#define HD_SHADER 4
static void at_console(Session *s, const char *file, int args)
{
    const HdConsoleIo io = {.user = s,
                            .read = read_command,
                            .write = take_text,
                            .interrupted = never,
                            .is_interactive = false};

    if (hd_console_open(&io, &s->console) != HD_OK)
        return;
    if (args >= HD_SHADER)
        run_shader(s, file, args - HD_SHADER);
    else
        run(s, file, args);
    hd_debug_close(s->debug);
    hd_console_close(s->console);
}

/* The command line that the client wants is not used: it could write files. */
static void by_wire(Session *s)
{
    const HdDapIo io = {.user = s,
                        .read = read_wire,
                        .has_input = has_input,
                        .write = take_text,
                        .printed = take_printed};
    const char *const *words;
    int count;

    if (hd_dap_open(&io, &s->dap) != HD_OK)
        return;
    if (hd_dap_launch(s->dap, &words, &count)) {
        run(s, SCRIPT, 1);
        hd_dap_end(s->dap, 0);
    }
    hd_debug_close(s->debug);
    hd_dap_close(s->dap);
}

static bool write_module(const uint8_t *data, size_t size)
{
    FILE *f = fopen(module_path, "wb");
    bool is_good = f != NULL && fwrite(data, 1, size, f) == size;

    return (f == NULL || fclose(f) == 0) && is_good;
}

static void remove_module(void)
{
    unlink(module_path);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    if (mkstemps(module_path, 4) < 0 || freopen("/dev/null", "w", stdout) == NULL ||
        access(SCRIPT, R_OK) != 0)
        abort();
    atexit(remove_module);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Session s = {0};

    if (size < 1)
        return 0;
    s.at = (const char *)data + 1;
    s.left = size - 1;
    if (data[0] % 3 == 0) {
        at_console(&s, SCRIPT, 1);
    } else if (data[0] % 3 == 1) {
        by_wire(&s);
    } else if (write_module(data + 1, size - 1)) {
        s.at = own_script;
        s.left = sizeof own_script - 1;
        at_console(&s, module_path, data[0] / 3 % 8);
    }
    hd_strbuf_free(&s.frame);
    return 0;
}
