/* tool/diff.c -- heddle diff: differences between two modules, with their ids matched.
 *
 * SPDX-License-Identifier: MIT
 */
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/memory.h"
#include "lib/diff.h"
#include "tool/options.h"
#include "tool/source.h"
#include "tool/tool.h"

typedef struct Options {
    HdToolTexts in;
    unsigned context, colour; /* HdToolWhen */
    bool quiet;
} Options;

#define AT(member) offsetof(Options, member)

static const HdToolOption options[] = {
    {"-U", HD_TOOL_NUMBER, UINT_MAX, AT(context), "N",
     "show N instructions around each difference (3 by default)"},
    HD_TOOL_QUIET_ROWS("print nothing, only set the exit code"),
    HD_TOOL_COLOUR_ROWS,
};

static const HdToolCommand command = {
    .name = "diff",
    .usage = "[OPTION…] OLD NEW",
    .about = "Show the differences between two modules (.spv, .spvasm, .cl), however their ids are "
             "numbered: types and constants are matched by content, functions by name, their "
             "instructions by position. Lines with - are in OLD only, lines with + in NEW only.",
    .exits = "0 no differences; 1 differences; 2 wrong usage; 3 a file cannot be read or is not a "
             "module",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .words_at = AT(in),
    .most_words = 2,
};

static HdStatus compare(const Options *o, HdDiags *d, bool *differs)
{
    HdModule *a = NULL, *b = NULL;
    HdStrbuf text = {0};
    HdStatus st = hd_tool_open_index(o->in.at[0], d, &a);

    if (st == HD_OK)
        st = hd_tool_open_index(o->in.at[1], d, &b);
    if (st == HD_OK)
        st = hd_lib_diff(a, b, o->in.at, o->context, hd_tool_colours_when(o->colour, STDOUT_FILENO),
                         d, &text);
    *differs = text.count > 0;
    if (!o->quiet)
        fputs(hd_strbuf_text(&text), stdout);
    hd_strbuf_free(&text);
    hd_module_drop(a);
    hd_module_drop(b);
    return st;
}

static int compare_and_report(const Options *o)
{
    bool differs = false;
    HdDiags d;
    HdStatus st;
    int code;

    hd_diags_init(&d);
    st = compare(o, &d, &differs);
    code = hd_tool_finish("diff", st, &d);
    return st != HD_OK ? HD_EXIT_FAILED : differs ? HD_EXIT_INVALID : code;
}

int hd_tool_diff(int argc, char **argv)
{
    Options o = {.context = 3};
    int code = hd_tool_options(&command, argc, argv, &o);

    if (code < 0 && o.in.count != 2)
        code = hd_tool_usage("diff", "two files are needed: OLD and NEW", "");
    if (code < 0)
        code = hd_tool_files_check("diff", &o.in);
    if (code < 0)
        code = compare_and_report(&o);
    HD_ARRAY_FREE(&o.in);
    return code;
}
