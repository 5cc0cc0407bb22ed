/* tests/build/build_dump.c -- build every kernel of SPIR-V modules and print its lane IR.
 *
 *     build_dump [-q] file.spv …
 *
 * -q prints one line per kernel. Exit status 1 when a kernel neither built nor was refused with a
 * diagnostic, or when what was built does not pass hd_ir_verify.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "build/build.h"
#include "ir/text.h"

static int report(const char *path, const char *what, HdStatus st, HdDiags *d)
{
    HdStrbuf text = {0};

    hd_diags_print(d, &text, false);
    printf("%s: %s: %s\n%s", path, what, hd_status_name(st), hd_strbuf_text(&text));
    hd_strbuf_free(&text);
    return st == HD_BUG || d->errors == 0;
}

static int dump_kernel(const char *path, const HdModule *m, const HdBuildLayout *l,
                       const HdEntryPoint *entry, bool quiet)
{
    HdArena *a = hd_arena_open();
    HdStrbuf text = {0};
    HdIrModule *ir = NULL;
    size_t insts = 0;
    HdStatus st;
    HdDiags d;
    int bad = 0;

    hd_diags_init(&d);
    st = hd_build_kernel(m, l, entry, 0, false, a, &d, &ir);
    for (size_t i = 0; st == HD_OK && i < ir->funcs.count; i++) {
        insts += ir->funcs.at[i]->insts.count;
        if (!quiet)
            hd_ir_print(ir->funcs.at[i], &text);
        st = hd_ir_verify(ir->funcs.at[i], &d);
    }
    fputs(hd_strbuf_text(&text), stdout);
    if (st != HD_OK)
        bad = report(path, entry->name, st, &d);
    else
        printf("%s: %s: built, %zu functions, %zu instructions\n", path, entry->name,
               ir->funcs.count, insts);
    hd_strbuf_free(&text);
    hd_diags_drop(&d);
    hd_arena_drop(a);
    return bad;
}

static int dump(const char *path, bool quiet)
{
    HdArena *a = hd_arena_open();
    HdBuildLayout *l = NULL;
    char *bytes = NULL;
    HdModule *m = NULL;
    size_t count = 0;
    HdDiags d;
    HdStatus st;
    int bad = 0;

    hd_diags_init(&d);
    st = hd_file_read(path, &d, &bytes, &count);
    if (st == HD_OK)
        st = hd_module_read_bytes(bytes, count, &d, &m);
    if (st == HD_OK)
        st = hd_build_layout(m, a, &d, &l);
    if (st != HD_OK)
        bad = report(path, "module", st, &d);
    for (uint32_t k = 0; st == HD_OK && k < l->kernel_count; k++)
        bad |= dump_kernel(path, m, l, l->kernels[k].entry, quiet);
    hd_module_drop(m);
    hd_free(bytes);
    hd_diags_drop(&d);
    hd_arena_drop(a);
    return bad;
}

int main(int argc, char **argv)
{
    bool quiet = argc > 1 && strcmp(argv[1], "-q") == 0;
    int bad = 0;

    for (int i = quiet ? 2 : 1; i < argc; i++)
        bad |= dump(argv[i], quiet);
    return bad;
}
