/* tool/execute.h -- running one kernel as `heddle run` and `heddle check` do.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_EXECUTE_H
#define HD_TOOL_EXECUTE_H

#include "tool/run_args.h"

/* The whole subcommand: parse, run, print. Returns an exit code (tool/tool.h). */
int hd_tool_execute(int argc, char **argv, HdEngine engine);

#endif
