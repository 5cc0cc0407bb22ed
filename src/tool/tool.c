/* tool/tool.c -- what all subcommands share: how they complain and end.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/lines.h"
#include "tool/options.h"

int hd_tool_usage(const char *command, const char *what, const char *arg)
{
    size_t len = strlen(what);
    bool is_named = len != 0 && what[len - 1] == ' '; /* by `arg`, which may be empty */

    fprintf(stderr, "heddle %s: %s%s; heddle %s --help shows the options\n", command, what,
            is_named && *arg == '\0' ? "''" : arg, command);
    return HD_EXIT_USAGE;
}

bool hd_tool_colours(int fd)
{
    const char *none = getenv("NO_COLOR"); /* https://no-color.org: any value but an empty one */

    return isatty(fd) == 1 && (none == NULL || *none == '\0');
}

bool hd_tool_colours_when(unsigned when, int fd)
{
    return when == HD_TOOL_AUTO ? hd_tool_colours(fd) : when == HD_TOOL_ALWAYS;
}

int hd_tool_finish(const char *command, HdStatus st, HdDiags *d)
{
    HdStrbuf shown = {0};

    hd_tool_place_lines(d, NULL, 0);
    hd_diags_print(d, &shown, hd_tool_colours(STDERR_FILENO));
    fputs(hd_strbuf_text(&shown), stderr);
    if (st == HD_NO_MEMORY)
        fprintf(stderr, "heddle %s: out of memory\n", command);
    hd_strbuf_free(&shown);
    hd_diags_drop(d);
    return st == HD_OK ? HD_EXIT_FINE : st == HD_BAD_INPUT ? HD_EXIT_INVALID : HD_EXIT_FAILED;
}
