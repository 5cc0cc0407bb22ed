/* tool/strip.c -- heddle strip: a module without names and debug information.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "tool/options.h"
#include "tool/rewrite.h"
#include "tool/tool.h"
#include "xform/strip.h"

typedef struct Options {
    HdToolTexts in;
    const char *out;
    unsigned what;
    bool quiet;
} Options;

#define AT(member) offsetof(Options, member)

static const HdToolOption options[] = {
    HD_TOOL_OUT_ROW,
    {"--names", HD_TOOL_BITS, HD_STRIP_NAMES, AT(what), NULL, "remove names of ids and members"},
    {"--debug", HD_TOOL_BITS, HD_STRIP_DEBUG, AT(what), NULL,
     "remove sources, lines and debug information"},
    {"--nonsemantic", HD_TOOL_BITS, HD_STRIP_NONSEMANTIC, AT(what), NULL,
     "remove extended instructions of NonSemantic sets"},
    HD_TOOL_QUIET_ROWS(HD_TOOL_QUIET_HELP),
};

static const HdToolCommand command = {
    .name = "strip",
    .usage = "[OPTION…] [FILE]",
    .about =
        "Remove from a module everything that has no effect on its behaviour. Without FILE, or "
        "if it is \"-\", standard input is read. Without --names, --debug and --nonsemantic "
        "all three are removed.",
    .exits = "0 fine; 1 the module is malformed; 2 wrong usage; 3 a file cannot be read or written",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .words_at = AT(in),
    .most_words = 1,
};

static HdStatus strip(void *user, const HdModule *m, HdDiags *d, uint32_t **words, size_t *nwords)
{
    (void)d;
    return hd_xform_strip(m, *(const unsigned *)user, words, nwords);
}

int hd_tool_strip(int argc, char **argv)
{
    Options o = {.out = "out.spv"};
    int code = hd_tool_options(&command, argc, argv, &o);

    if (o.what == 0)
        o.what = HD_STRIP_ALL;
    if (code < 0)
        code = hd_tool_rewrite("strip", hd_tool_file(&o.in), o.out, o.quiet, strip, &o.what);
    HD_ARRAY_FREE(&o.in);
    return code;
}
