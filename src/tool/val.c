/* tool/val.c -- heddle val: is a module valid, and if not, all that is wrong.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "module/module.h"
#include "text/as.h"
#include "tool/lines.h"
#include "tool/sarif.h"
#include "tool/tool.h"
#include "val/device.h"

typedef struct Options {
    const char *env, *ext, *in;
    HdValEnv found;
    size_t limit;
    bool json, sarif, no_color, color, device;
} Options;

static void print_help(FILE *out)
{
    fputs(
        "usage: heddle val [OPTION…] [FILE]\n"
        "\n"
        "Check a SPIR-V module, binary or text, and report everything that is wrong with it. FILE\n"
        "is standard input when it is missing or \"-\".\n"
        "\n"
        "  --env NAME        universal1.0 … universal1.6 (only SPIR-V's own rules), opencl1.2,\n"
        "                    2.0, 2.1, 2.2, 3.0, 3.1, each with -embedded too; without it the\n"
        "                    universal rules of the module's version\n"
        "  --ext LIST        the environment's extensions: names with commas between, all, none,\n"
        "                    -NAME to take one away; without it those that the OpenCL version\n"
        "                    makes mandatory\n"
        "  --device default  the environment of Heddle's own device\n"
        "  --limit N         show N errors at most (0: all, the default)\n"
        "  --json            findings as JSON\n"
        "  --sarif           findings as a SARIF 2.1.0 log\n"
        "  --color, --no-color  colours also where the output is no terminal, or never\n"
        "  -h, --help        show this\n"
        "\n"
        "exit codes: 0 valid; 1 invalid; 2 wrong usage; 3 the file cannot be read\n",
        out);
}

/* The option's value: behind "=", or the next argument. NULL when arg is another option. */
static const char *value_of(const char *name, int argc, char **argv, int *i, bool *missing)
{
    size_t len = strlen(name);

    if (strncmp(argv[*i], name, len) != 0 || (argv[*i][len] != '\0' && argv[*i][len] != '='))
        return NULL;
    if (argv[*i][len] == '=')
        return argv[*i] + len + 1;
    *missing = *i + 1 >= argc;
    return *missing ? "" : argv[++*i];
}

/* Returns an exit code, or -1 to go on. */
static int parse(int argc, char **argv, Options *o)
{
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i], *v;
        bool missing = false;
        char *end;

        if ((v = value_of("--env", argc, argv, &i, &missing)) != NULL ||
            (v = value_of("--target-env", argc, argv, &i, &missing)) != NULL) {
            o->env = v;
        } else if ((v = value_of("--ext", argc, argv, &i, &missing)) != NULL) {
            o->ext = v;
        } else if ((v = value_of("--device", argc, argv, &i, &missing)) != NULL) {
            if (!missing && strcmp(v, "default") != 0)
                return hd_tool_usage("val", "there is only --device default, not ", v);
            o->device = true;
        } else if ((v = value_of("--limit", argc, argv, &i, &missing)) != NULL) {
            o->limit = strtoul(v, &end, 10);
            if (!missing && (*v == '\0' || *end != '\0'))
                return hd_tool_usage("val", "no number: ", v);
        } else if (strcmp(a, "--json") == 0) {
            o->json = true;
        } else if (strcmp(a, "--sarif") == 0) {
            o->sarif = true;
        } else if (strcmp(a, "--color") == 0) {
            o->color = true;
        } else if (strcmp(a, "--no-color") == 0) {
            o->no_color = true;
        } else if (strcmp(a, "-h") == 0 || strcmp(a, "--help") == 0) {
            print_help(stdout);
            return HD_EXIT_FINE;
        } else if (a[0] == '-' && a[1] != '\0') {
            return hd_tool_usage("val", "unknown option ", a);
        } else if (o->in != NULL) {
            return hd_tool_usage("val", "one file at a time: ", a);
        } else {
            o->in = a;
        }
        if (missing)
            return hd_tool_usage("val", "a value is missing after ", a);
    }
    if (o->in == NULL)
        o->in = "-";
    return -1;
}

static int find_env(Options *o)
{
    const char *bad = NULL, *name = o->env;

    if (o->device && name == NULL)
        hd_val_env_device(&o->found);
    if (name != NULL && !hd_val_env_find(name, &o->found))
        return hd_tool_usage("val", "unknown environment ", name);
    if (o->ext == NULL)
        return -1;
    if (o->found.opencl == 0)
        return hd_tool_usage("val", "--ext needs an OpenCL environment", "");
    if (!hd_val_env_extend(&o->found, o->ext, &bad))
        return hd_tool_usage("val", "unknown extension in the list: ", bad);
    return -1;
}

static bool is_text(const char *path, const char *bytes, size_t count)
{
    size_t n = strlen(path);
    uint32_t first = 0;

    if (n > 4 && strcmp(path + n - 4, ".spv") == 0)
        return false;
    if (n > 7 && strcmp(path + n - 7, ".spvasm") == 0)
        return true;
    memcpy(&first, bytes, count < 4 ? count : 4);
    return first != 0x07230203u && first != 0x03022307u && count >= 4;
}

/* Read, assemble when it is text, and check. Findings in text get its lines. */
static HdStatus check_bytes(const Options *o, const char *bytes, size_t count, HdDiags *d)
{
    HdValOptions val = {.env = o->env != NULL || o->device ? &o->found : NULL};
    HdAsOptions as = {.version = val.env != NULL ? o->found.max_version : 0};
    bool text = is_text(o->in, bytes, count);
    uint32_t *words = NULL;
    size_t nwords = 0;
    HdModule *m = NULL;
    HdStatus st;

    if (text) {
        HD_TRY(hd_text_assemble(bytes, count, &as, d, &words, &nwords));
        st = hd_module_read(words, nwords, true, d, &m);
    } else {
        st = hd_module_read_bytes(bytes, count, d, &m);
    }
    if (st == HD_OK)
        st = hd_val_module(m, &val, d);
    if (text)
        hd_tool_place_lines(d, bytes, count, words, nwords);
    hd_module_drop(m);
    hd_free(words);
    return st;
}

static void show(const Options *o, const HdDiags *d)
{
    HdStrbuf text = {0};

    if (o->json || o->sarif) {
        if (o->sarif)
            hd_tool_sarif(d, &text);
        else
            hd_diags_json(d, &text);
        hd_strbuf_add_char(&text, '\n');
        fputs(hd_strbuf_text(&text), stdout);
    } else {
        hd_diags_print(d, &text, !o->no_color && (o->color || isatty(STDERR_FILENO)));
        fputs(hd_strbuf_text(&text), stderr);
    }
    hd_strbuf_free(&text);
}

int hd_tool_val(int argc, char **argv)
{
    Options o = {0};
    HdDiags d;
    char *bytes = NULL;
    size_t count = 0;
    HdStatus st;
    int code = parse(argc, argv, &o);

    if (code < 0)
        code = find_env(&o);
    if (code >= 0)
        return code;
    hd_diags_init(&d);
    d.limit = o.limit;
    d.file = strcmp(o.in, "-") == 0 ? "<stdin>" : o.in;
    st = hd_file_read(o.in, &d, &bytes, &count);
    if (st == HD_OK)
        st = check_bytes(&o, bytes, count, &d);
    show(&o, &d);
    if (st == HD_NO_MEMORY)
        fputs("heddle val: out of memory\n", stderr);
    hd_free(bytes);
    hd_diags_drop(&d);
    return st == HD_OK ? HD_EXIT_FINE : st == HD_BAD_INPUT ? HD_EXIT_INVALID : HD_EXIT_FAILED;
}
