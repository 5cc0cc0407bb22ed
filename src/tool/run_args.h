/* tool/run_args.h -- the command line of `heddle run`, `check` and `debug`.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_RUN_ARGS_H
#define HD_TOOL_RUN_ARGS_H

#include "base/array.h"
#include "launch/launch.h"
#include "tool/options.h"

/* "N=TEXT" options: which argument, what. Shaders' are named by set and binding, or "push". */
typedef struct HdRunNumbered {
    uint32_t index; /* of the argument; of bindings known when the entry point is */
    bool is_binding, is_push;
    uint32_t set, binding, element;
    const char *text; /* after "="; NULL: there is none */
} HdRunNumbered;

typedef struct HdRunSpec {
    uint32_t id;
    const char *value;
} HdRunSpec;

typedef struct HdRunOptions {
    const char *command; /* "run", "check" */
    bool checks;         /* check for defects: `heddle check` */
    const char *file, *kernel;
    bool has_global, has_groups;
    uint32_t work_dim;
    uint64_t global[3], local[3], offset[3], groups[3];
    unsigned width, lane_dim, threads, repeat;
    HdEngine engine;
    bool dispatch, fibers, calls, time, json, no_print, no_validate, fast_math, quiet;
    const char *trace; /* NULL */
    bool sarif, strict, quick;
    bool optimised, batch, dap; /* debug */
    const char *report;         /* file for what was found; its form by its name */
    const char *html;           /* file for a page of what was found */
    const char *observer;       /* a shared object that looks on */
    const char *counts;         /* file for counts of instructions; its form by its name */
    const char *coverage;       /* file for lcov */
    unsigned schedule, time_limit;
    unsigned colour; /* HdToolWhen */
    double tolerance;
    const char *dump, *output, *env, *ext;
    HdToolTexts words; /* file and kernel */
    HdToolTexts args;
    HdToolTexts source_options;    /* for .cl files, --cl OPTION each */
    HdToolTexts commands, scripts; /* debug: what to do, files with more of it */
    HdToolTexts push;              /* shaders: push constants */
    HD_ARRAY(HdRunNumbered) bind, print, out, expect, image;
    HD_ARRAY(HdRunSpec) spec;
} HdRunOptions;

/* Parse argv[1 …]; argv[0] is the command's name, strings are borrowed from argv. Close it either
 * way. Returns -1 to continue, or an exit code: the help was shown, or what is wrong with the
 * line. */
int hd_run_options_parse(int argc, char **argv, HdEngine engine, HdRunOptions *out);
void hd_run_options_close(HdRunOptions *o);

#endif
