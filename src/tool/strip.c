/* tool/strip.c -- heddle strip: a module without names and debug information.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "tool/rewrite.h"
#include "tool/tool.h"
#include "xform/strip.h"

static void print_help(FILE *out)
{
    fputs(
        "usage: heddle strip [OPTION…] [FILE]\n"
        "\n"
        "Leave out of a module what does not change what it does. FILE is standard input when it\n"
        "is missing or \"-\". Without --names, --debug and --nonsemantic all of it goes.\n"
        "\n"
        "  -o FILE        write to FILE (\"-\": standard output); without it out.spv\n"
        "  --names        names of ids and members\n"
        "  --debug        sources, lines, debug information\n"
        "  --nonsemantic  extended instructions of NonSemantic sets\n"
        "  -h, --help     show this\n"
        "\n"
        "exit codes: 0 fine; 1 the module is malformed; 2 wrong usage; 3 a file cannot be read\n"
        "            or written\n",
        out);
}

static HdStatus strip(void *user, const HdModule *m, HdDiags *d, uint32_t **words, size_t *nwords)
{
    (void)d;
    return hd_xform_strip(m, *(const unsigned *)user, words, nwords);
}

int hd_tool_strip(int argc, char **argv)
{
    const char *in = NULL, *out = "out.spv";
    unsigned what = 0;

    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];

        if (strcmp(a, "-h") == 0 || strcmp(a, "--help") == 0) {
            print_help(stdout);
            return HD_EXIT_FINE;
        } else if (strcmp(a, "-o") == 0) {
            if (++i == argc)
                return hd_tool_usage("strip", "a file name must follow ", a);
            out = argv[i];
        } else if (strcmp(a, "--names") == 0) {
            what |= HD_STRIP_NAMES;
        } else if (strcmp(a, "--debug") == 0) {
            what |= HD_STRIP_DEBUG;
        } else if (strcmp(a, "--nonsemantic") == 0) {
            what |= HD_STRIP_NONSEMANTIC;
        } else if (a[0] == '-' && a[1] != '\0') {
            return hd_tool_usage("strip", "there is no option ", a);
        } else if (in != NULL) {
            return hd_tool_usage("strip", "one file at a time: ", a);
        } else {
            in = a;
        }
    }
    if (what == 0)
        what = HD_STRIP_ALL;
    return hd_tool_rewrite("strip", in != NULL ? in : "-", out, strip, &what);
}
