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
#include "text/as.h"
#include "text/dis.h"
#include "tool/source.h"
#include "tool/tool.h"

static void print_help(FILE *out)
{
    fputs(
        "usage: heddle dis [OPTION…] [FILE]\n"
        "\n"
        "Show a SPIR-V module as text that heddle as and spirv-as read. FILE is standard input\n"
        "when it is missing or \"-\". A .cl file is compiled first.\n"
        "\n"
        "  -o FILE            write to FILE; without it, or when it is \"-\", to standard output\n"
        "  --color            in colours, also where the output is no terminal\n"
        "  --no-color         without colours\n"
        "  --raw-id           ids by number instead of friendly names\n"
        "  --no-indent        opcodes not in one column\n"
        "  --nested-indent    blocks indented by how they are nested\n"
        "  --reorder-blocks   blocks in structured order\n"
        "  --offsets          each instruction's byte offset behind it\n"
        "  --comment          headings of sections\n"
        "  --no-header        without the header in comments\n"
        "  --cl OPTION        an option for the OpenCL C compiler\n"
        "  --unknown          show what the grammar does not know as OpUnknown(…)\n"
        "  -h, --help         show this\n"
        "\n"
        "exit codes: 0 fine; 1 the module is malformed; 2 wrong usage; 3 a file cannot be read\n"
        "            or written\n",
        out);
}

typedef struct Options {
    const char *in, *out;
    HdDisOptions text;
    HD_ARRAY(const char *) source; /* --cl */
    int colour;                    /* -1: not asked for */
} Options;

/* Text for standard output goes there in pieces. */
static HdStatus flush(void *user, HdStrbuf *out)
{
    HdDiags *d = user;

    if (fwrite(out->at, 1, out->count, stdout) != out->count || fflush(stdout) != 0)
        return hd_fail(d, HD_IO, HD_NO_PLACE, "file.write", "cannot write to standard output");
    out->count = 0;
    return HD_OK;
}

/* Does the file hold text? A module's first bytes are control characters. */
static bool is_text(const char *bytes, size_t count)
{
    for (size_t i = 0; i < 4; i++)
        if (i >= count || (bytes[i] < ' ' && strchr("\t\r\n", bytes[i]) == NULL) || bytes[i] == 0)
            return false;
    return true;
}

/* Words of a file: a module, or text or OpenCL C that is made into one first. A length that is not
 * whole words is the module's fault. */
static HdStatus read_words(const Options *o, HdDiags *d, char **bytes, size_t *nwords)
{
    const char *in = o->in;
    size_t count;

    if (hd_tool_is_source(in)) {
        uint32_t *words;
        bool fast_math;
        HdStatus st =
            hd_tool_read_module(in, o->source.at, o->source.count, d, &words, nwords, &fast_math);

        *bytes = (char *)words;
        return st;
    }
    HD_TRY(hd_file_read(in, d, bytes, &count));
    if (is_text(*bytes, count)) {
        HdAsOptions as = {.preserve_numeric_ids = true};
        char *text = *bytes;
        uint32_t *words;
        HdStatus st = hd_text_assemble(text, count, &as, d, &words, nwords);

        hd_free(text);
        *bytes = (char *)words;
        return st;
    }
    *nwords = count / 4;
    if (count % 4 != 0)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "module.size",
                       "%zu bytes are not a whole number of words", count);
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
            (void)flush(&d, &text); /* what stands before the malformed place */
    }
    hd_free(bytes);
    if (st == HD_OK && !to_stdout)
        st = hd_file_write(o->out, text.at, text.count, &d);
    hd_strbuf_free(&text);
    return hd_tool_finish("dis", st, &d);
}

/* Set the flag that an option names; false when there is none. */
static bool set_flag(const char *a, HdDisOptions *o, int *colour)
{
    if (strcmp(a, "--color") == 0 || strcmp(a, "--colour") == 0)
        *colour = 1;
    else if (strcmp(a, "--no-color") == 0 || strcmp(a, "--no-colour") == 0)
        *colour = 0;
    else if (strcmp(a, "--raw-id") == 0)
        o->raw_ids = true;
    else if (strcmp(a, "--no-indent") == 0)
        o->indent = false;
    else if (strcmp(a, "--nested-indent") == 0)
        o->nested_indent = true;
    else if (strcmp(a, "--reorder-blocks") == 0)
        o->reorder_blocks = true;
    else if (strcmp(a, "--offsets") == 0)
        o->offsets = true;
    else if (strcmp(a, "--comment") == 0)
        o->comments = true;
    else if (strcmp(a, "--no-header") == 0)
        o->no_header = true;
    else if (strcmp(a, "--unknown") == 0)
        o->unknown_ops = true;
    else
        return false;
    return true;
}

/* Returns an exit code, or -1 to go on. */
static int parse(int argc, char **argv, Options *o)
{
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];

        if (strcmp(a, "-h") == 0 || strcmp(a, "--help") == 0) {
            print_help(stdout);
            return HD_EXIT_FINE;
        } else if (strcmp(a, "-o") == 0 || strcmp(a, "--cl") == 0) {
            if (++i == argc)
                return hd_tool_usage("dis", "a value must follow ", a);
            if (a[1] == 'o')
                o->out = argv[i];
            else if (!HD_PUSH(NULL, &o->source, argv[i]))
                return HD_EXIT_FAILED;
        } else if (a[0] == '-' && a[1] != '\0') {
            if (!set_flag(a, &o->text, &o->colour))
                return hd_tool_usage("dis", "there is no option ", a);
        } else if (o->in != NULL) {
            return hd_tool_usage("dis", "one file at a time, not also ", a);
        } else {
            o->in = a;
        }
    }
    return -1;
}

int hd_tool_dis(int argc, char **argv)
{
    Options o = {.out = "-", .text = {.indent = true}, .colour = -1};
    int exit = parse(argc, argv, &o);

    if (exit < 0) {
        if (o.in == NULL)
            o.in = "-";
        o.text.colour =
            o.colour < 0 ? strcmp(o.out, "-") == 0 && isatty(STDOUT_FILENO) == 1 : o.colour == 1;
        exit = disassemble(&o);
    }
    HD_ARRAY_FREE(&o.source);
    return exit;
}
