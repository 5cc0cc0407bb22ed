/* tool/execute.h -- running one kernel as `heddle run` and `heddle check` do.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_EXECUTE_H
#define HD_TOOL_EXECUTE_H

#include "interp/interp.h"
#include "tool/run_args.h"

/* An observer: the debugger. */
typedef struct HdExecuteTarget {
    const HdModule *m;
    const HdBuildLayout *layout;
    const HdKernelInfo *kernel;
    const HdRunOptions *options;
    const char *text; /* that `m` was assembled from; NULL: another one was, or none */
    size_t text_bytes;
    HdCheck *check;
    volatile bool *cancel; /* set it, and the run ends soon */
} HdExecuteTarget;

typedef struct HdExecuteHost {
    void *user;
    /* Before each run: the hook for it, NULL when there is to be no (other) run. */
    const HdInterpHook *(*ready)(void *user, const HdExecuteTarget *t);
    /* Behind each, when its results and findings have been printed. */
    void (*ended)(void *user);
} HdExecuteHost;

/* The whole subcommand: parse, run, print. Returns an exit code (tool/tool.h). */
int hd_tool_execute(int argc, char **argv, HdEngine engine);
/* A checked run on one thread, with an observer. */
int hd_tool_execute_watched(int argc, char **argv, const HdExecuteHost *host);

#endif
