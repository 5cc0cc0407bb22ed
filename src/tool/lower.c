/* tool/lower.c -- heddle lower: a module for drivers that lack newer extensions.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "lib/lower.h"
#include "tool/rewrite.h"
#include "tool/tool.h"
#include "tool/val_device.h"
#include "val/device.h"
#include "val/val.h"

typedef struct Options {
    const char *in, *out, *env, *ext, *device;
    HdValEnv target;
    uint32_t without[HD_VAL_DEVICE_WITHOUT];
} Options;

static void print_help(FILE *out)
{
    fputs(
        "usage: heddle lower [OPTION…] [FILE]\n"
        "\n"
        "Rewrite a module for a target that lacks newer extensions: untyped pointers, float\n"
        "atomics, USM storage classes, expect and assume, no-wrap decorations, bit instructions,\n"
        "integer dot products, LinkOnceODR, sub-group rotations, uniform group instructions.\n"
        "What the target has stays. The result is checked against the target. FILE is standard\n"
        "input when it is missing or \"-\".\n"
        "\n"
        "  -o FILE        write to FILE (\"-\": standard output); without it out.spv\n"
        "  --env NAME     the target: opencl1.2 … opencl3.1, as heddle val has them (opencl3.0)\n"
        "  --ext LIST     the target's extensions\n"
        "  --device NAME  the target is an OpenCL device, as heddle val has it\n"
        "  -h, --help     show this\n"
        "\n"
        "exit codes: 0 fine; 1 something has no older form; 2 wrong usage; 3 a file cannot be\n"
        "            read or written\n",
        out);
}

static HdStatus lower(void *user, const HdModule *m, HdDiags *d, uint32_t **words, size_t *nwords)
{
    const Options *o = user;

    return hd_lower_for(m, &o->target, d, words, nwords);
}

/* The option's value, the next argument; NULL when arg is another option. */
static const char *value_of(const char *name, int argc, char **argv, int *i)
{
    if (strcmp(argv[*i], name) != 0 || *i + 1 >= argc)
        return NULL;
    return argv[++*i];
}

/* Returns an exit code, or -1 to go on. */
static int parse(int argc, char **argv, Options *o)
{
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i], *v;

        if (strcmp(a, "-h") == 0 || strcmp(a, "--help") == 0) {
            print_help(stdout);
            return HD_EXIT_FINE;
        } else if ((v = value_of("-o", argc, argv, &i)) != NULL) {
            o->out = v;
        } else if ((v = value_of("--env", argc, argv, &i)) != NULL) {
            o->env = v;
        } else if ((v = value_of("--ext", argc, argv, &i)) != NULL) {
            o->ext = v;
        } else if ((v = value_of("--device", argc, argv, &i)) != NULL) {
            o->device = v;
        } else if (a[0] == '-' && a[1] != '\0') {
            return hd_tool_usage("lower", "no such option, or its value is missing: ", a);
        } else if (o->in != NULL) {
            return hd_tool_usage("lower", "one file at a time: ", a);
        } else {
            o->in = a;
        }
    }
    return -1;
}

static int find_target(Options *o)
{
    const char *bad = NULL, *env = o->env != NULL ? o->env : "opencl3.0";

    if (o->device != NULL && strcmp(o->device, "default") == 0)
        hd_val_env_device(&o->target);
    else if (o->device != NULL && hd_val_device_env(o->device, &o->target, o->without) != HD_OK)
        return HD_EXIT_FAILED;
    else if (o->device == NULL && (!hd_val_env_find(env, &o->target) || o->target.opencl == 0))
        return hd_tool_usage("lower", "no OpenCL environment: ", env);
    if (o->ext != NULL && !hd_val_env_extend(&o->target, o->ext, &bad))
        return hd_tool_usage("lower", "unknown extension in the list: ", bad);
    return -1;
}

int hd_tool_lower(int argc, char **argv)
{
    Options o = {.out = "out.spv"};
    int code = parse(argc, argv, &o);

    if (code < 0)
        code = find_target(&o);
    if (code < 0)
        code = hd_tool_rewrite("lower", o.in != NULL ? o.in : "-", o.out, lower, &o);
    return code;
}
