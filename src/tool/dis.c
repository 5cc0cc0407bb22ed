/* tool/dis.c -- heddle dis: a SPIR-V module to assembly text.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/memory.h"
#include "text/dis.h"
#include "tool/options.h"
#include "tool/source.h"
#include "tool/tool.h"

typedef struct Options {
    HdToolTexts words, source; /* --cl */
    const char *in, *out;
    HdDisOptions text;
    unsigned colour; /* HdToolWhen */
    bool quiet;
} Options;

#define AT(member) offsetof(Options, member)

static const HdToolOption options[] = {
    {"-o", HD_TOOL_TEXT, 0, AT(out), "FILE", "write to FILE (\"-\": standard output, the default)"},
    HD_TOOL_COLOUR_ROWS,
    {"--raw-id", HD_TOOL_FLAG, 1, AT(text.raw_ids), NULL,
     "show ids as numbers instead of friendly names"},
    {"--no-indent", HD_TOOL_FLAG, 0, AT(text.indent), NULL, "do not align opcodes in one column"},
    {"--nested-indent", HD_TOOL_FLAG, 1, AT(text.nested_indent), NULL,
     "indent blocks by their nesting depth"},
    {"--reorder-blocks", HD_TOOL_FLAG, 1, AT(text.reorder_blocks), NULL,
     "show blocks in structured order"},
    {"--offsets", HD_TOOL_FLAG, 1, AT(text.offsets), NULL,
     "show the byte offset of each instruction"},
    {"--comment", HD_TOOL_FLAG, 1, AT(text.comments), NULL, "add a comment above each section"},
    {"--no-header", HD_TOOL_FLAG, 1, AT(text.no_header), NULL, "leave out the header comments"},
    {"--cl", HD_TOOL_TEXTS, 0, AT(source), "OPTION",
     "pass OPTION to the OpenCL C compiler; -D, -U, -I and -cl-… need no --cl"},
    {"--unknown", HD_TOOL_FLAG, 1, AT(text.unknown_ops), NULL,
     "show unknown instructions as OpUnknown(…)"},
    HD_TOOL_QUIET_ROWS(HD_TOOL_QUIET_HELP),
};

static const HdToolCommand command = {
    .name = "dis",
    .usage = "[OPTION…] [FILE]",
    .about =
        "Disassemble a SPIR-V module to text that heddle as and spirv-as can read. Without FILE, "
        "or if it is \"-\", standard input is read. A .cl file is compiled first.",
    .exits = "0 fine; 1 the module is malformed; 2 wrong usage; 3 a file cannot be read or written",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .words_at = AT(words),
    .most_words = 1,
    .passes = hd_tool_build_options,
    .passes_at = AT(source),
};

/* Text for standard output goes there in pieces. */
static HdStatus flush(void *user, HdStrbuf *out)
{
    HdDiags *d = user;

    if (fwrite(out->at, 1, out->count, stdout) != out->count || fflush(stdout) != 0)
        return hd_fail(d, HD_IO, HD_NO_PLACE, "file.write", "cannot write to standard output");
    out->count = 0;
    return HD_OK;
}

/* Words of a file: a module, or text or OpenCL C that is made into one first. */
static HdStatus read_words(const Options *o, HdDiags *d, char **bytes, size_t *nwords)
{
    const char *in = o->in;
    bool is_text;
    size_t count;

    if (hd_tool_is_source(in)) {
        uint32_t *words;
        bool fast_math;
        HdStatus st =
            hd_tool_read_module(in, o->source.at, o->source.count, d, &words, nwords, &fast_math);

        *bytes = (char *)words;
        return st;
    }
    HD_TRY(hd_tool_read(in, d, bytes, &count, &is_text));
    if (is_text) {
        HdAsOptions as = {.preserve_numeric_ids = true};
        uint32_t *words;
        HdStatus st = hd_tool_assemble(in, *bytes, count, &as, d, &words, nwords);

        *bytes = (char *)words;
        return st;
    }
    *nwords = count / 4;
    return HD_OK;
}

static int disassemble(Options *o)
{
    bool to_stdout = strcmp(o->out, "-") == 0;
    HdDiags d;
    HdStrbuf text = {0};
    char *bytes = NULL;
    size_t nwords;
    HdStatus st;

    hd_diags_init(&d);
    d.errors_only = o->quiet;
    d.file = strcmp(o->in, "-") == 0 ? "<stdin>" : o->in;
    st = read_words(o, &d, &bytes, &nwords);
    if (st == HD_OK) {
        if (to_stdout) {
            o->text.flush = flush;
            o->text.user = &d;
        }
        st =
            hd_text_disassemble((const uint32_t *)(const void *)bytes, nwords, &o->text, &d, &text);
        if (to_stdout && st == HD_BAD_INPUT && text.count > 0)
            (void)flush(&d, &text); /* what precedes the malformed place */
    }
    hd_free(bytes);
    if (st == HD_OK && !to_stdout)
        st = hd_file_write(o->out, text.at, text.count, &d);
    hd_strbuf_free(&text);
    return hd_tool_finish("dis", st, &d);
}

int hd_tool_dis(int argc, char **argv)
{
    Options o = {.in = "-", .out = "-", .text = {.indent = true}};
    int code = hd_tool_options(&command, argc, argv, &o);

    if (code < 0) {
        if (o.words.count != 0)
            o.in = o.words.at[0];
        o.text.colour = hd_tool_colours_when(o.colour, STDOUT_FILENO) &&
                        (o.colour == HD_TOOL_ALWAYS || strcmp(o.out, "-") == 0);
        code = disassemble(&o);
    }
    HD_ARRAY_FREE(&o.words);
    HD_ARRAY_FREE(&o.source);
    return code;
}
