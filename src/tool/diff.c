/* tool/diff.c -- heddle diff: what differs between two modules, their ids matched.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "text/dis.h"
#include "tool/source.h"
#include "tool/tool.h"
#include "xform/diff.h"

typedef struct Options {
    const char *in[2];
    unsigned count, context;
    bool colour, quiet;
} Options;

static void print_help(FILE *out)
{
    fputs(
        "usage: heddle diff [OPTION…] OLD NEW\n"
        "\n"
        "Show what differs between two modules (.spv, .spvasm, .cl), whatever their ids are\n"
        "numbered: types and constants are matched by content, functions by name, what is in them\n"
        "by its place. Lines with - are in OLD only, lines with + in NEW only.\n"
        "\n"
        "  -U N         show N instructions around each difference (3)\n"
        "  --quiet      show nothing, only give the exit code\n"
        "  --color      colours also where the output is no terminal\n"
        "  --no-color   no colours\n"
        "  -h, --help   show this\n"
        "\n"
        "exit codes: 0 no difference; 1 there are some; 2 wrong usage; 3 a file cannot be read\n",
        out);
}

static HdStatus read_one(const char *path, HdDiags *d, HdModule **out)
{
    bool fast_math = false;
    uint32_t *words;
    size_t nwords;
    HdStatus st;

    HD_TRY(hd_tool_read_module(path, NULL, 0, d, &words, &nwords, &fast_math));
    st = hd_module_read(words, nwords, false, d, out);
    hd_free(words);
    return st;
}

static void print_line(const Options *o, const HdModule *a, const HdDiff *diff,
                       const HdDiffLine *line)
{
    static const char marks[] = " -+", *const paint[] = {"", "\033[31m", "\033[32m"};
    const HdModule *m = line->kind == HD_DIFF_NEW ? diff->renumbered : a;
    HdInst in = hd_module_inst(m, line->word);
    HdStrbuf text = {0};

    hd_text_inst(m, &in, NULL, &text);
    printf("%s%c %s%s\n", o->colour ? paint[line->kind] : "", marks[line->kind],
           hd_strbuf_text(&text), o->colour && line->kind != HD_DIFF_SAME ? "\033[0m" : "");
    hd_strbuf_free(&text);
}

/* Differences with what stands around them, "@@" before each piece. */
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
    HdStatus st = read_one(o->in[0], d, &a);

    if (st == HD_OK)
        st = read_one(o->in[1], d, &b);
    if (st == HD_OK)
        st = hd_xform_diff(a, b, d, &diff);
    if (st == HD_OK) {
        *differs = diff.changed != 0 || a->version != b->version;
        if (!o->quiet && *differs) {
            printf("--- %s\n+++ %s\n", o->in[0], o->in[1]);
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

int hd_tool_diff(int argc, char **argv)
{
    Options o = {.context = 3, .colour = isatty(STDOUT_FILENO) == 1};
    HdStrbuf text = {0};
    bool differs = false;
    HdDiags d;
    HdStatus st;

    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];

        if (strcmp(a, "-h") == 0 || strcmp(a, "--help") == 0) {
            print_help(stdout);
            return HD_EXIT_FINE;
        } else if (strcmp(a, "--quiet") == 0) {
            o.quiet = true;
        } else if (strcmp(a, "--color") == 0 || strcmp(a, "--no-color") == 0) {
            o.colour = a[2] == 'c';
        } else if (strcmp(a, "-U") == 0) {
            char *end;

            if (++i == argc)
                return hd_tool_usage("diff", "a number must follow ", a);
            o.context = (unsigned)strtoul(argv[i], &end, 10);
            if (*argv[i] == '\0' || *end != '\0')
                return hd_tool_usage("diff", "no number: ", argv[i]);
        } else if (a[0] == '-' && a[1] != '\0') {
            return hd_tool_usage("diff", "there is no option ", a);
        } else if (o.count == 2) {
            return hd_tool_usage("diff", "two files, not three: ", a);
        } else {
            o.in[o.count++] = a;
        }
    }
    if (o.count != 2)
        return hd_tool_usage("diff", "two files are compared", "");
    hd_diags_init(&d);
    st = compare(&o, &d, &differs);
    hd_diags_print(&d, &text, isatty(STDERR_FILENO) == 1);
    fputs(hd_strbuf_text(&text), stderr);
    hd_strbuf_free(&text);
    hd_diags_drop(&d);
    return st != HD_OK ? HD_EXIT_FAILED : differs ? HD_EXIT_INVALID : HD_EXIT_FINE;
}
