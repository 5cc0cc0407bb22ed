/* tool/as.c -- heddle as: assembly text to a SPIR-V module.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "text/as.h"
#include "tool/options.h"
#include "tool/source.h"
#include "tool/tool.h"

typedef struct Options {
    HdToolTexts in;
    const char *out, *env;
    bool preserve, quiet;
} Options;

#define AT(member) offsetof(Options, member)

static const HdToolOption options[] = {
    HD_TOOL_OUT_ROW,
    {"--target-env", HD_TOOL_TEXT, 0, AT(env), "ENV",
     "write the SPIR-V version that ENV takes: spv1.0 … spv1.6, opencl1.2 … opencl3.1, "
     "vulkan1.0 … vulkan1.4, vulkan1.1spv1.4; by default what the first lines of the text name "
     "(\"; SPIR-V\", \"; Version: 1.4\"), else spv1.6"},
    {"--env", HD_TOOL_TEXT, 0, AT(env), "ENV", NULL},
    {"--preserve-numeric-ids", HD_TOOL_FLAG, 1, AT(preserve), NULL, "give %12 the id 12"},
    HD_TOOL_QUIET_ROWS(HD_TOOL_QUIET_HELP),
};

static const HdToolCommand command = {
    .name = "as",
    .usage = "[OPTION…] [FILE]",
    .about = "Assemble text in the assembly language of SPIRV-Tools into a SPIR-V module. Without "
             "FILE, or if it is \"-\", standard input is read.",
    .exits = "0 fine; 1 the text is wrong; 2 wrong usage; 3 a file cannot be read or written",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .words_at = AT(in),
    .most_words = 1,
};

static int assemble(const char *in, const char *out, bool quiet, const HdAsOptions *o)
{
    HdDiags d;
    char *text = NULL;
    uint32_t *words = NULL;
    size_t len, nwords = 0;
    HdStatus st;

    hd_diags_init(&d);
    d.errors_only = quiet;
    d.file = strcmp(in, "-") == 0 ? "<stdin>" : in;
    st = hd_tool_read_text(in, &d, &text, &len);
    if (st == HD_OK)
        st = hd_tool_assemble(in, text, len, o, &d, &words, &nwords);
    hd_diags_read_text(&d, NULL); /* what is wrong with it has been found */
    if (st == HD_OK)
        st = hd_file_write(out, words, nwords * sizeof *words, &d);
    hd_free(words);
    return hd_tool_finish("as", st, &d);
}

int hd_tool_as(int argc, char **argv)
{
    Options o = {.out = "out.spv"};
    HdAsOptions as = {0};
    int code = hd_tool_options(&command, argc, argv, &o);

    as.preserve_numeric_ids = o.preserve;
    if (code < 0 && o.env != NULL && !hd_text_env_version(o.env, &as.version))
        code = hd_tool_usage("as",
                             "--target-env takes spv1.0 … spv1.6, opencl1.2 … opencl3.1 or "
                             "vulkan1.0 … vulkan1.4, not ",
                             o.env);
    if (code < 0)
        code = assemble(hd_tool_file(&o.in), o.out, o.quiet, &as);
    HD_ARRAY_FREE(&o.in);
    return code;
}
