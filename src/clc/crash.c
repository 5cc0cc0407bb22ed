/* clc/crash.c -- the build log of a compiler crash.
 *
 * LLVM prints addresses of its own functions, its command line, and where to report; what matters
 * to an OpenCL user is what it was doing at the end: the numbered lines of its "stack dump".
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/crash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const deaths[] = {"PLEASE submit a bug report",
                                     "Stack dump:", "LLVM ERROR:", "error: error in backend"};

bool hd_clc_crashed(const HdStrbuf *log, size_t from)
{
    const char *text = log->at != NULL && from < log->count ? log->at + from : "";

    for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++)
        if (strstr(text, deaths[i]) != NULL)
            return true;
    return false;
}

/* A line of the compiler about itself. */
static bool is_noise(const char *line, size_t len)
{
    static const char *const begins[] = {"PLEASE ",      "Stack dump",    "0.\tProgram arguments",
                                         "Target:",      "Thread model:", "InstalledDir:",
                                         "Build config", "****",          "Preprocessed source"};
    static const char *const holds[] = {"clang version ", "(use -v to see invocation)",
                                        "note: diagnostic msg:"};
    char text[256];

    while (len > 0 && (*line == ' ' || *line == '\t')) {
        line++;
        len--;
    }
    if (len == 0 || (*line == '#' && len > 1 && line[1] >= '0' && line[1] <= '9'))
        return true;
    snprintf(text, sizeof text, "%.*s", (int)(len < sizeof text ? len : sizeof text - 1), line);
    if (*line >= '0' && *line <= '9' && strstr(text, " 0x0") != NULL)
        return true; /* "3  libc.so.6  0x0000…": the stack where there is no llvm-symbolizer */
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(text, begins[i], strlen(begins[i])) == 0)
            return true;
    for (size_t i = 0; i < sizeof holds / sizeof *holds; i++)
        if (strstr(text, holds[i]) != NULL)
            return true;
    return false;
}

/* "3.\t…" says what the compiler was doing. */
static bool is_step(const char *line, size_t len)
{
    size_t digits = strspn(line, "0123456789");

    return digits > 0 && digits < 3 && digits + 1 < len && line[digits] == '.' &&
           line[digits + 1] == '\t';
}

/* "<24 x s16>" with more components than SPIR-V's vectors have. */
static bool has_long_vector(const char *text)
{
    for (const char *p = text; (p = strchr(p, '<')) != NULL;) {
        char *after;
        unsigned long count = strtoul(++p, &after, 10);

        if (after != p && count > 16 && strncmp(after, " x ", 3) == 0)
            return true;
    }
    return false;
}

void hd_clc_explain_crash(HdStrbuf *log, size_t from, const char *compiler, int signal)
{
    const char *slash = strrchr(compiler, '/');
    bool shows = signal != 0 || hd_clc_crashed(log, from), is_long;
    HdStrbuf kept = {0};

    for (size_t at = from; at < log->count;) {
        const char *line = log->at + at;
        size_t len = strcspn(line, "\n");

        if (is_step(line, len) && !is_noise(line, len))
            hd_strbuf_printf(&kept, "  at the end it was at: %.*s\n", (int)len - 3,
                             strchr(line, '\t') + 1);
        else if (!is_noise(line, len))
            hd_strbuf_printf(&kept, "%.*s\n", (int)len, line);
        at += len + 1;
    }
    log->count = from < log->count ? from : log->count;
    is_long = has_long_vector(hd_strbuf_text(&kept));
    hd_strbuf_add(log, hd_strbuf_text(&kept));
    hd_strbuf_free(&kept);
    compiler = slash != NULL ? slash + 1 : compiler;
    if (!shows) {
        hd_strbuf_printf(log,
                         "heddle: the compiler, %s, ended with an exit code that clang does not "
                         "have: it crashed, or is no clang; HEDDLE_CLANG names another one\n",
                         compiler);
        return;
    }
    hd_strbuf_printf(log, "heddle: the compiler, %s, crashed", compiler);
    if (signal != 0)
        hd_strbuf_printf(log, " (signal %d)", signal);
    if (is_long) {
        hd_strbuf_add(log, ": it does not compile vectors of more than 16 components, of which a "
                           "variable chooses one. An array in their place does\n");
        return;
    }
    hd_strbuf_add(log, ": that is a defect of the compiler, not of the source. Other options "
                       "(-cl-opt-disable, or without it) or a change of what it was at may help; "
                       "HEDDLE_CLANG names another compiler\n");
}
