/* tool/link.c -- heddle link: several modules into one.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "tool/source.h"
#include "tool/tool.h"
#include "xform/link.h"

static void print_help(FILE *out)
{
    fputs("usage: heddle link [OPTION…] FILE…\n"
          "\n"
          "Link modules into one: imports become the exports of the same name. Each FILE is a\n"
          "module (.spv), assembly text (.spvasm) or OpenCL C (.cl).\n"
          "\n"
          "  -o FILE            write to FILE (\"-\": standard output); without it out.spv\n"
          "  --create-library   keep what is exported\n"
          "  --allow-partial    imports may stay without an export\n"
          "  -h, --help         show this\n"
          "\n"
          "exit codes: 0 fine; 1 the modules do not go together; 2 wrong usage; 3 a file cannot\n"
          "            be read or written\n",
          out);
}

static HdStatus read_module(const char *path, HdDiags *d, HdModule **out)
{
    uint32_t *words;
    size_t nwords;
    bool fast_math = false;
    HdStatus st;

    HD_TRY(hd_tool_read_module(path, NULL, 0, d, &words, &nwords, &fast_math));
    st = hd_module_read(words, nwords, false, d, out);
    hd_free(words);
    return st;
}

static HdStatus link_files(char **paths, size_t count, const char *out, const HdLinkOptions *o,
                           HdDiags *d)
{
    HdModule **modules;
    uint32_t *words = NULL;
    size_t nwords = 0;
    HdStatus st = HD_OK;

    HD_TAKE(modules, hd_alloc_zero(count * sizeof *modules));
    for (size_t i = 0; i < count && st == HD_OK; i++)
        st = read_module(paths[i], d, &modules[i]);
    if (st == HD_OK) {
        d->file = "link";
        st = hd_xform_link((const HdModule *const *)modules, count, o, d, &words, &nwords);
    }
    if (st == HD_OK)
        st = hd_file_write(out, words, nwords * sizeof *words, d);
    hd_free(words);
    for (size_t i = 0; i < count; i++) {
        if (modules[i] != NULL)
            hd_module_drop(modules[i]);
    }
    hd_free(modules);
    return st;
}

static int link_and_report(char **paths, size_t count, const char *out, const HdLinkOptions *o)
{
    HdDiags d;
    HdStatus st;

    hd_diags_init(&d);
    st = link_files(paths, count, out, o, &d);
    return hd_tool_finish("link", st, &d);
}

int hd_tool_link(int argc, char **argv)
{
    const char *out = "out.spv";
    HdLinkOptions o = {0};
    size_t count = 0;

    for (int i = 1; i < argc; i++) {
        char *a = argv[i];

        if (strcmp(a, "-h") == 0 || strcmp(a, "--help") == 0) {
            print_help(stdout);
            return HD_EXIT_FINE;
        } else if (strcmp(a, "-o") == 0) {
            if (++i == argc)
                return hd_tool_usage("link", "a file name must follow ", a);
            out = argv[i];
        } else if (strcmp(a, "--create-library") == 0) {
            o.is_library = true;
        } else if (strcmp(a, "--allow-partial") == 0) {
            o.allow_unresolved = true;
        } else if (a[0] == '-' && a[1] != '\0') {
            return hd_tool_usage("link", "there is no option ", a);
        } else {
            argv[count++] = a; /* files to the front: count <= i */
        }
    }
    if (count == 0)
        return hd_tool_usage("link", "no files to link", "");
    return link_and_report(argv, count, out, &o);
}
