/* tool/tool.h -- what all subcommands share: their functions and exit codes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_TOOL_H
#define HD_TOOL_TOOL_H

#include <stdbool.h>

#include "base/diag.h"

/* Exit codes that scripts can rely on. */
enum {
    HD_EXIT_FINE = 0,
    HD_EXIT_INVALID = 1, /* the module is invalid, or a check failed */
    HD_EXIT_USAGE = 2,   /* the command line is wrong */
    HD_EXIT_FAILED = 3   /* something could not be read, written or run */
};

typedef int HdToolFn(int argc, char **argv);

/* Say on stderr what is wrong with a command line ("unknown option ", "--x") and where help is.
 * Returns HD_EXIT_USAGE. */
int hd_tool_usage(const char *command, const char *what, const char *arg);
/* OpenCL's environments, as options take them; `what` for one that does not exist. */
#define HD_TOOL_OPENCL_ENVS "opencl1.2, opencl2.0, opencl2.1, opencl2.2, opencl3.0 or opencl3.1"
#define HD_TOOL_VULKAN_ENVS "vulkan1.0, vulkan1.1, vulkan1.1spv1.4, vulkan1.2, vulkan1.3, vulkan1.4"
#define HD_TOOL_NO_ENV                                                                       \
    "--env takes universal1.0 … universal1.6, " HD_TOOL_VULKAN_ENVS ", " HD_TOOL_OPENCL_ENVS \
    ", the latter also with -embedded, not "

/* The end of a command: show its findings on stderr, by the lines of the text that was read, and
 * drop them. Returns the exit code for a status; HD_UNSUPPORTED is one of those that could not be.
 */
int hd_tool_finish(const char *command, HdStatus st, HdDiags *d);

/* Are colours wanted where this file descriptor leads: a terminal, unless NO_COLOR is set? */
bool hd_tool_colours(int fd);
/* The same after --color and its like: `when` is an HdToolWhen of tool/options.h. */
bool hd_tool_colours_when(unsigned when, int fd);

#define COMMAND(name, summary) HdToolFn hd_tool_##name;
#include "tool/commands.def"
#undef COMMAND

#endif
