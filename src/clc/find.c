/* clc/find.c -- which clang compiles OpenCL C, and what translates its LLVM IR.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/find.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "gen/config.h"

static bool is_program(const char *path)
{
    struct stat s;

    return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, X_OK) == 0;
}

static bool find_on_path(const char *name, char *out)
{
    const char *p = getenv("PATH");

    if (strchr(name, '/') != NULL)
        return snprintf(out, HD_CLC_PATH_ROOM, "%s", name) < HD_CLC_PATH_ROOM && is_program(out);
    for (p = p != NULL ? p : "/usr/bin:/bin"; *p != '\0';) {
        size_t len = strcspn(p, ":");

        if (len > 0 &&
            snprintf(out, HD_CLC_PATH_ROOM, "%.*s/%s", (int)len, p, name) < HD_CLC_PATH_ROOM &&
            is_program(out))
            return true;
        p += len;
        p += *p == ':';
    }
    return false;
}

/* The one that wheels bring along. */
static bool find_own(char *out)
{
    return hd_file_own("clang-heddle", HD_FROM_COMMAND, out, HD_CLC_PATH_ROOM) && is_program(out);
}

/* A program of LLVM's version n: on the path with its version, or in LLVM's own folder. */
static bool find_version(const char *name, unsigned n, char *out)
{
    char text[64];

    snprintf(text, sizeof text, "%s-%u", name, n);
    if (find_on_path(text, out))
        return true;
    snprintf(text, sizeof text, "/usr/lib/llvm-%u/bin/%s", n, name);
    return find_on_path(text, out);
}

/* The newest that can make modules. */
static bool find_newest(char *out)
{
    enum { OLDEST = 19, FIRST_WITH_BACK_END = 20, NEWEST = 22 };
    char translator[HD_CLC_PATH_ROOM];

    for (unsigned n = NEWEST; n >= OLDEST; n--)
        if (find_version("clang", n, out) &&
            (n >= FIRST_WITH_BACK_END || hd_clc_find_translator(out, translator)))
            return true;
    return false;
}

/* HEDDLE_CLANG alone when it is set: an empty one says that there is none. */
bool hd_clc_find_compiler(char out[HD_CLC_PATH_ROOM])
{
    const char *asked = getenv("HEDDLE_CLANG");

    if (asked != NULL)
        return *asked != '\0' && find_on_path(asked, out);
    return find_own(out) || find_newest(out);
}

void hd_clc_tell_missing(HdStrbuf *log)
{
    const char *asked = getenv("HEDDLE_CLANG");

    if (asked == NULL)
        hd_strbuf_add(
            log, "heddle: no clang-22 is installed, and no older one of LLVM 19 to 21 that can "
                 "take its place (HEDDLE_CLANG names another)\n");
    else if (*asked == '\0')
        hd_strbuf_add(log, "heddle: HEDDLE_CLANG is empty, which says that there is none\n");
    else
        hd_strbuf_printf(log, "heddle: HEDDLE_CLANG=%s is not a program that can be run\n", asked);
}

/* ---- the translator -------------------------------------------------------------------------- */

/* The number behind the last "clang-" or "llvm-" of a path; 0: there is none. */
static unsigned version_of(const char *path)
{
    static const char *const before[] = {"clang-", "llvm-"};

    for (unsigned i = 0; i < sizeof before / sizeof *before; i++) {
        const char *found = NULL;

        for (const char *p = path; (p = strstr(p, before[i])) != NULL; p++)
            found = p + strlen(before[i]);
        if (found != NULL && *found >= '1' && *found <= '9')
            return (unsigned)strtoul(found, NULL, 10);
    }
    return 0;
}

bool hd_clc_find_translator(const char *compiler, char out[HD_CLC_PATH_ROOM])
{
    const char *asked = getenv("HEDDLE_TRANSLATOR");
    char real[PATH_MAX];
    unsigned n;

    *out = '\0';
    if (asked != NULL && *asked != '\0' && find_on_path(asked, out))
        return true;
    if (asked == NULL && realpath(compiler, real) != NULL) {
        const char *slash = strrchr(real, '/');

        if (snprintf(out, HD_CLC_PATH_ROOM, "%.*s/llvm-spirv", (int)(slash - real), real) <
                HD_CLC_PATH_ROOM &&
            is_program(out))
            return true;
        n = version_of(compiler);
        n = n != 0 ? n : version_of(real);
        if (n != 0 && find_version("llvm-spirv", n, out))
            return true;
    }
    *out = '\0';
    return false;
}
