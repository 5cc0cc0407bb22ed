/* tool/lower.c -- heddle lower: a module for drivers that lack newer extensions.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "lib/lower.h"
#include "tool/options.h"
#include "tool/rewrite.h"
#include "tool/tool.h"
#include "tool/val_device.h"
#include "val/val.h"

typedef struct Options {
    HdToolTexts in;
    const char *out, *env, *ext, *device;
    HdValEnv target;
    HdValDevice lists;
    unsigned array_bytes;
    bool quiet;
} Options;

#define AT(member) offsetof(Options, member)

static const HdToolOption options[] = {
    HD_TOOL_OUT_ROW,
    {"--env", HD_TOOL_TEXT, 0, AT(env), "NAME",
     "the target environment, as for heddle val: " HD_TOOL_OPENCL_ENVS
     ", or vulkan1.0 … vulkan1.4; by default opencl3.0"},
    {"--ext", HD_TOOL_TEXT, 0, AT(ext), "LIST", "the extensions of the target, as for heddle val"},
    {"--device", HD_TOOL_TEXT, 0, AT(device), "NAME",
     "the target is an OpenCL device, as for heddle val"},
    {"--array-bytes", HD_TOOL_NUMBER, 1 << 30, AT(array_bytes), "N",
     "replace the variable-length arrays of each function by one block of N bytes, which no call "
     "may exceed (without this option they cannot be lowered)"},
    HD_TOOL_QUIET_ROWS(HD_TOOL_QUIET_HELP),
};

static const HdToolCommand command = {
    .name = "lower",
    .usage = "[OPTION…] [FILE]",
    .about = "Rewrite a module for a target that lacks newer extensions: untyped pointers, float "
             "atomics, USM storage classes, expect and assume, no-wrap decorations, bit "
             "instructions, integer dot products, LinkOnceODR, WeakAMD, sub-group rotations, "
             "uniform group "
             "instructions, replicated composites and constant data, "
             "operations of sub-groups that need SPIR-V 1.3, comparisons and "
             "differences of pointers and copies with two sets of memory operands, which need 1.4, "
             "casts between pointers and vectors, which need 1.5, and with --array-bytes "
             "variable-length arrays. For Vulkan, untyped pointers, float atomics, explicit layout "
             "of Workgroup memory and minimum, maximum and middle of three (AMD) in shaders. What "
             "the target supports is left as it is. The result is "
             "validated for "
             "the target. "
             "Without FILE, or if it is \"-\", standard input is read.",
    .exits = "0 fine; 1 something cannot be lowered; 2 wrong usage; 3 a file cannot be read or "
             "written",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .words_at = AT(in),
    .most_words = 1,
};

static HdStatus lower(void *user, const HdModule *m, HdDiags *d, uint32_t **words, size_t *nwords)
{
    const Options *o = user;

    return hd_lower_for(m, &o->target, o->array_bytes, d, words, nwords);
}

static int find_target(Options *o)
{
    const char *bad = NULL, *env = o->env != NULL ? o->env : "opencl3.0";

    if (o->device != NULL && o->env != NULL)
        return hd_tool_usage("lower", "--env and --device exclude each other", "");
    if (o->device != NULL) {
        HdDiags d;
        HdStatus st;

        hd_diags_init(&d);
        st = hd_val_device_env(o->device, &d, &o->target, &o->lists);
        if (st != HD_OK)
            return hd_tool_finish("lower", st, &d);
        hd_diags_drop(&d);
    } else if (!hd_val_env_find(env, &o->target) ||
               (o->target.opencl == 0 && o->target.vulkan == 0)) {
        return hd_tool_usage("lower",
                             "--env takes " HD_TOOL_OPENCL_ENVS
                             ", also with -embedded, or vulkan1.0 … vulkan1.4, not ",
                             env);
    }
    if (o->ext != NULL && !hd_val_env_extend(&o->target, o->ext, &bad))
        return hd_tool_usage("lower", "unknown extension in --ext: ", bad);
    return -1;
}

int hd_tool_lower(int argc, char **argv)
{
    Options o = {.out = "out.spv"};
    int code = hd_tool_options(&command, argc, argv, &o);

    if (code < 0)
        code = find_target(&o);
    if (code < 0)
        code = hd_tool_rewrite("lower", hd_tool_file(&o.in), o.out, o.quiet, lower, &o);
    HD_ARRAY_FREE(&o.in);
    return code;
}
