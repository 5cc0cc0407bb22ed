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
} Options;

#define AT(member) offsetof(Options, member)

static const HdToolOption options[] = {
    {"-o", HD_TOOL_TEXT, 0, AT(out), "FILE",
     "write to FILE (\"-\": standard output); without it out.spv"},
    {"--names", HD_TOOL_BITS, HD_STRIP_NAMES, AT(what), NULL, "names of ids and members"},
    {"--debug", HD_TOOL_BITS, HD_STRIP_DEBUG, AT(what), NULL, "sources, lines, debug information"},
    {"--nonsemantic", HD_TOOL_BITS, HD_STRIP_NONSEMANTIC, AT(what), NULL,
     "extended instructions of NonSemantic sets"},
};

static const HdToolCommand command = {
    .name = "strip",
    .usage = "[OPTION…] [FILE]",
    .about = "Leave out of a module what does not change what it does. FILE is standard input when "
             "it is missing or \"-\". Without --names, --debug and --nonsemantic all of it goes.",
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
        code = hd_tool_rewrite("strip", hd_tool_file(&o.in), o.out, strip, &o.what);
    HD_ARRAY_FREE(&o.in);
    return code;
}
