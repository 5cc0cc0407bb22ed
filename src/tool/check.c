/* tool/check.c -- `heddle check`: a kernel in the reference interpreter.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/execute.h"
#include "tool/tool.h"

int hd_tool_check(int argc, char **argv)
{
    return hd_tool_execute(argc, argv, HD_ENGINE_INTERPRETED);
}
