/* tool/run.c -- `heddle run`: a kernel without host code.
 *
 * SPDX-License-Identifier: MIT
 */
#include "jit/generator.h"
#include "tool/execute.h"
#include "tool/tool.h"

int hd_tool_run(int argc, char **argv)
{
    return hd_tool_execute(argc, argv,
                           hd_jit_has_generator() ? HD_ENGINE_COMPILED : HD_ENGINE_INTERPRETED);
}
