/* tool/compile.c -- heddle compile: OpenCL C to a SPIR-V module.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/memory.h"
#include "lib/compile.h"
#include "text/dis.h"
#include "tool/options.h"
#include "tool/source.h"
#include "tool/tool.h"

typedef struct Options {
    HdToolTexts words, passed;
    const char *out;
    bool is_text, quiet;
    bool no_link; /* -c of other compilers: nothing is linked here */
} Options;

#define AT(member) offsetof(Options, member)

static const HdToolOption options[] = {
    {"-o", HD_TOOL_TEXT, 0, AT(out), "FILE",
     "write to FILE (\"-\": standard output); by default FILE.cl becomes FILE.spv, or FILE.spvasm "
     "with -S"},
    {"--cl", HD_TOOL_TEXTS, 0, AT(passed), "OPTION", "OPTION is a build option, as for heddle run"},
    {"-S", HD_TOOL_FLAG, 1, AT(is_text), NULL, "write text, as heddle dis does"},
    {"-c", HD_TOOL_FLAG, 1, AT(no_link), NULL, NULL},
    HD_TOOL_QUIET_ROWS(HD_TOOL_QUIET_HELP),
};

/* What clBuildProgram takes. */
static const char *const build_options[] = {"-cl-", "-D", "-U", "-I", "-O",       "-W", "-w",
                                            "-g",   "-f", "-s", "-x", "-heddle-", NULL};

static const HdToolCommand command = {
    .name = "compile",
    .usage = "[OPTION…] [BUILD OPTION…] FILE",
    .about = "Compile OpenCL C, or C++ for OpenCL in a file that ends in .clcpp, to the SPIR-V "
             "module that heddle run, check and val see. \"-\" is standard input.",
    .exits = "0 fine; 1 the source is wrong; 2 wrong usage; 3 a file cannot be read or written, or "
             "there is no compiler",
    .notes = "build options are those of clBuildProgram, among them -cl-std=CL3.0 (CL1.2, CL2.0, "
             "CLC++2021),\n-D NAME=VALUE, -I FOLDER, -cl-opt-disable, -g\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .words_at = AT(words),
    .most_words = 1,
    .passes = build_options,
    .passes_at = AT(passed),
};

/* ---- names --------------------------------------------------------------------------------- */

static int refuse_other(const char *path)
{
    const HdToolLanguage *other = hd_tool_language(path);

    if (other == NULL)
        return -1;
    fprintf(stderr, "heddle compile: %s is %s, not OpenCL C; %s\n", path, other->name, other->how);
    return HD_EXIT_USAGE;
}

/* What is written when no -o names it: the file's name with another ending. */
static HdStatus name_output(const Options *o, const char *in, HdStrbuf *out)
{
    const char *slash = strrchr(in, '/'), *dot = strrchr(in, '.');
    bool has_ending = dot != NULL && (slash == NULL || dot > slash + 1) && dot != in;

    if (o->out != NULL)
        hd_strbuf_add(out, o->out);
    else if (strcmp(in, "-") == 0)
        hd_strbuf_add(out, o->is_text ? "-" : "out.spv");
    else
        hd_strbuf_printf(out, "%.*s%s", (int)(has_ending ? (size_t)(dot - in) : strlen(in)), in,
                         o->is_text ? ".spvasm" : ".spv");
    return out->failed ? HD_NO_MEMORY : HD_OK;
}

/* ---- compiling ----------------------------------------------------------------------------- */

static HdStatus join_options(const Options *o, const char *in, HdStrbuf *all)
{
    bool has_std = false;

    for (size_t i = 0; i < o->passed.count; i++) {
        has_std |= strncmp(o->passed.at[i], "-cl-std=", strlen("-cl-std=")) == 0;
        hd_strbuf_printf(all, "%s%s", i > 0 ? " " : "", o->passed.at[i]);
    }
    if (!has_std && hd_tool_ends_in(in, ".clcpp"))
        hd_strbuf_printf(all, "%s-cl-std=CLC++2021", o->passed.count != 0 ? " " : "");
    return all->failed ? HD_NO_MEMORY : HD_OK;
}

static HdStatus compile(const Options *o, const char *in, HdDiags *d, uint32_t **words,
                        size_t *nwords)
{
    bool is_stdin = strcmp(in, "-") == 0, fast_math;
    HdStrbuf all = {0};
    char *text = NULL;
    size_t len = 0;
    HdStatus st = join_options(o, in, &all);

    if (st == HD_OK)
        st = hd_tool_read_text(in, d, &text, &len);
    if (st == HD_OK)
        st = hd_lib_compile(is_stdin ? NULL : in, text, len, hd_strbuf_text(&all), d, words, nwords,
                            &fast_math);
    hd_strbuf_free(&all);
    hd_free(text);
    return st;
}

static HdStatus write_module(const Options *o, const char *path, const uint32_t *words,
                             size_t nwords, HdDiags *d)
{
    const HdDisOptions shown = {.indent = true};
    HdStrbuf text = {0};
    HdStatus st;

    if (!o->is_text)
        return hd_file_write(path, words, nwords * sizeof *words, d);
    st = hd_text_disassemble(words, nwords, &shown, d, &text);
    if (st == HD_OK)
        st = hd_file_write(path, text.at, text.count, d);
    hd_strbuf_free(&text);
    return st;
}

static int compile_file(const Options *o, const char *in)
{
    HdStrbuf out = {0};
    uint32_t *words = NULL;
    size_t nwords = 0;
    HdDiags d;
    HdStatus st;

    hd_diags_init(&d);
    d.errors_only = o->quiet;
    d.file = strcmp(in, "-") == 0 ? "<stdin>" : in;
    st = name_output(o, in, &out);
    if (st == HD_OK)
        st = compile(o, in, &d, &words, &nwords);
    if (st == HD_OK)
        st = write_module(o, hd_strbuf_text(&out), words, nwords, &d);
    hd_strbuf_free(&out);
    hd_free(words);
    return hd_tool_finish("compile", st, &d);
}

int hd_tool_compile(int argc, char **argv)
{
    Options o = {0};
    int code = hd_tool_options(&command, argc, argv, &o);

    if (code < 0 && o.words.count == 0)
        code = hd_tool_usage("compile", "a file is missing", "");
    if (code < 0)
        code = refuse_other(o.words.at[0]);
    if (code < 0)
        code = compile_file(&o, o.words.at[0]);
    HD_ARRAY_FREE(&o.words);
    HD_ARRAY_FREE(&o.passed);
    return code;
}
