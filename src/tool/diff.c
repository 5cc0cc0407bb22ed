/* tool/diff.c -- heddle diff: differences between two modules, with their ids matched.
 *
 * SPDX-License-Identifier: MIT
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "text/dis.h"
#include "tool/options.h"
#include "tool/source.h"
#include "tool/tool.h"
#include "xform/diff.h"

typedef struct Options {
    HdToolTexts in;
    unsigned context, colour; /* 1: colours */
    bool quiet;
} Options;

#define AT(member) offsetof(Options, member)

static const HdToolOption options[] = {
    {"-U", HD_TOOL_NUMBER, UINT_MAX, AT(context), "N",
     "show N instructions around each difference (3 by default)"},
    {"--quiet", HD_TOOL_FLAG, 1, AT(quiet), NULL, "print nothing, only set the exit code"},
    {"--color", HD_TOOL_SET, 1, AT(colour), NULL,
     "use colours even if the output is not a terminal"},
    {"--no-color", HD_TOOL_SET, 0, AT(colour), NULL, "do not use colours"},
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

static void print_line(const Options *o, const HdModule *a, const HdDiff *diff,
                       const HdDiffLine *line)
{
    static const char marks[] = " -+", *const paint[] = {"", "\033[31m", "\033[32m"};
    const HdModule *m = line->kind == HD_DIFF_NEW ? diff->renumbered : a;
    HdInst in = hd_module_inst(m, line->word);
    HdStrbuf text = {0};

    hd_text_inst(m, &in, NULL, SIZE_MAX, &text);
    printf("%s%c %s%s\n", o->colour != 0 ? paint[line->kind] : "", marks[line->kind],
           hd_strbuf_text(&text), o->colour != 0 && line->kind != HD_DIFF_SAME ? "\033[0m" : "");
    hd_strbuf_free(&text);
}

/* Differences with context, "@@" before each hunk. */
static void print_lines(const Options *o, const HdModule *a, const HdDiff *diff)
{
    size_t shown = 0; /* lines before this one were printed or passed */

    for (size_t i = 0; i < diff->line_count; i++) {
        size_t from, to;

        if (diff->lines[i].kind == HD_DIFF_SAME)
            continue;
        from = i > o->context ? i - o->context : 0;
        if (from > shown || shown == 0) {
            printf("@@ instruction %zu @@\n", from + 1);
            shown = from;
        }
        to = i + 1;
        while (to < diff->line_count && to - i <= o->context &&
               diff->lines[to].kind == HD_DIFF_SAME)
            to++;
        for (; shown < to; shown++)
            print_line(o, a, diff, &diff->lines[shown]);
    }
}

static HdStatus compare(const Options *o, HdDiags *d, bool *differs)
{
    HdModule *a = NULL, *b = NULL;
    HdDiff diff = {0};
    HdStatus st = hd_tool_open_index(o->in.at[0], d, &a);

    if (st == HD_OK)
        st = hd_tool_open_index(o->in.at[1], d, &b);
    if (st == HD_OK)
        st = hd_xform_diff(a, b, d, &diff);
    if (st == HD_OK) {
        *differs = diff.changed != 0 || a->version != b->version;
        if (!o->quiet && *differs) {
            printf("--- %s\n+++ %s\n", o->in.at[0], o->in.at[1]);
            if (a->version != b->version)
                printf("- SPIR-V %u.%u\n+ SPIR-V %u.%u\n", a->version >> 16, a->version >> 8 & 0xff,
                       b->version >> 16, b->version >> 8 & 0xff);
            print_lines(o, a, &diff);
        }
    }
    hd_diff_free(&diff);
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
    Options o = {.context = 3, .colour = hd_tool_colours(STDOUT_FILENO)};
    int code = hd_tool_options(&command, argc, argv, &o);

    if (code < 0 && o.in.count != 2)
        code = hd_tool_usage("diff", "two files are needed: OLD and NEW", "");
    if (code < 0 && strcmp(o.in.at[0], "-") == 0 && strcmp(o.in.at[1], "-") == 0)
        code = hd_tool_usage("diff", "only one of the two files can be standard input", "");
    if (code < 0)
        code = compare_and_report(&o);
    HD_ARRAY_FREE(&o.in);
    return code;
}
