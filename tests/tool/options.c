/* tests/tool/options.c -- the command's options, for tests; what is said of wrong ones is not
 * shown.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../../src/tool/options.c"

int hd_tool_usage(const char *command, const char *what, const char *arg)
{
    (void)command;
    (void)what;
    (void)arg;
    return HD_EXIT_USAGE;
}
