/* tool/dis.c -- heddle dis: a SPIR-V module to assembly text.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "text/as.h"
#include "text/dis.h"
#include "tool/tool.h"

static void print_help(FILE *out)
{
    fputs(
        "usage: heddle dis [OPTION…] [FILE]\n"
        "\n"
        "Show a SPIR-V module as text that heddle as and spirv-as read. FILE is standard input\n"
        "when it is missing or \"-\".\n"
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
        "  --unknown          show what the grammar does not know as OpUnknown(…)\n"
        "  -h, --help         show this\n"
        "\n"
        "exit codes: 0 fine; 1 the module is malformed; 2 wrong usage; 3 a file cannot be read\n"
        "            or written\n",
        out);
}

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

/* Words of a file: a module, or text that is assembled first. A length that is not whole words is
 * the module's fault. */
static HdStatus read_words(const char *in, HdDiags *d, char **bytes, size_t *nwords)
{
    size_t count;

    HD_TRY(hd_file_read(in, d, bytes, &count));
    if (is_text(*bytes, count)) {
        HdAsOptions o = {.preserve_numeric_ids = true};
        char *text = *bytes;
        uint32_t *words;
        HdStatus st = hd_text_assemble(text, count, &o, d, &words, nwords);

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

static int disassemble(const char *in, const char *out, HdDisOptions o)
{
    bool to_stdout = strcmp(out, "-") == 0;
    HdDiags d;
    HdStrbuf text = {0}, shown = {0};
    char *bytes = NULL;
    size_t nwords;
    HdStatus st;

    hd_diags_init(&d);
    d.file = strcmp(in, "-") == 0 ? "<stdin>" : in;
    st = read_words(in, &d, &bytes, &nwords);
    if (st == HD_OK) {
        if (to_stdout) {
            o.flush = flush;
            o.user = &d;
        }
        st = hd_text_disassemble((const uint32_t *)(const void *)bytes, nwords, &o, &d, &text);
        if (to_stdout && st == HD_BAD_INPUT && text.count > 0)
            (void)flush(&d, &text); /* what stands before the malformed place */
    }
    hd_free(bytes);
    if (st == HD_OK && !to_stdout)
        st = hd_file_write(out, text.at, text.count, &d);
    hd_strbuf_free(&text);
    hd_diags_print(&d, &shown, isatty(STDERR_FILENO) == 1);
    fputs(hd_strbuf_text(&shown), stderr);
    if (st == HD_NO_MEMORY)
        fputs("heddle dis: out of memory\n", stderr);
    hd_strbuf_free(&shown);
    hd_diags_drop(&d);
    return st == HD_OK ? HD_EXIT_FINE : st == HD_BAD_INPUT ? HD_EXIT_INVALID : HD_EXIT_FAILED;
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

int hd_tool_dis(int argc, char **argv)
{
    const char *in = NULL, *out = "-";
    HdDisOptions o = {.indent = true};
    int colour = -1;

    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];

        if (strcmp(a, "-h") == 0 || strcmp(a, "--help") == 0) {
            print_help(stdout);
            return HD_EXIT_FINE;
        } else if (strcmp(a, "-o") == 0) {
            if (++i == argc)
                return hd_tool_usage("dis", "a file name must follow ", a);
            out = argv[i];
        } else if (a[0] == '-' && a[1] != '\0') {
            if (!set_flag(a, &o, &colour))
                return hd_tool_usage("dis", "there is no option ", a);
        } else if (in != NULL) {
            return hd_tool_usage("dis", "one file at a time, not also ", a);
        } else {
            in = a;
        }
    }
    o.colour = colour < 0 ? strcmp(out, "-") == 0 && isatty(STDOUT_FILENO) == 1 : colour == 1;
    return disassemble(in != NULL ? in : "-", out, o);
}
