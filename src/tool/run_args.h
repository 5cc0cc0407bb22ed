/* tool/run_args.h -- the command line of `heddle run` and `heddle check`.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_RUN_ARGS_H
#define HD_TOOL_RUN_ARGS_H

#include "base/array.h"
#include "launch/launch.h"

/* "N=TEXT" options: which argument, what. */
typedef struct HdRunNumbered {
    uint32_t index;
    const char *text;
} HdRunNumbered;

typedef struct HdRunSpec {
    uint32_t id;
    const char *value;
} HdRunSpec;

typedef struct HdRunOptions {
    const char *command; /* "run", "check" */
    bool checks;         /* look for defects: `heddle check` */
    const char *file, *kernel;
    bool has_global;
    uint32_t work_dim;
    uint64_t global[3], local[3], offset[3];
    uint32_t width, threads, repeat;
    HdEngine engine;
    bool dispatch, fibers, time, json, no_print, no_validate, fast_math, help;
    bool sarif;
    bool optimised, batch, dap; /* debug */
    const char *report;         /* file for what was found; its form by its name */
    uint32_t schedule, time_limit;
    double tolerance;
    const char *dump, *output, *env;
    HD_ARRAY(const char *) args;
    HD_ARRAY(const char *) source_options;    /* for .cl files, --cl OPTION each */
    HD_ARRAY(const char *) commands, scripts; /* debug: what to do, files with more of it */
    HD_ARRAY(uint32_t) print;
    HD_ARRAY(HdRunNumbered) out, expect, image;
    HD_ARRAY(HdRunSpec) spec;
} HdRunOptions;

/* Parse argv[1 …]; strings are borrowed from argv.
 * Errors: HD_BAD_INPUT with the reason in d; HD_NO_MEMORY. Close it either way. */
HdStatus hd_run_options_parse(int argc, char **argv, HdEngine engine, HdDiags *d,
                              HdRunOptions *out);
void hd_run_options_close(HdRunOptions *o);
/* The help text of `heddle <command>`. */
void hd_run_options_help(const char *command, HdStrbuf *out);

#endif
