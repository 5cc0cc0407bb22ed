/* tool/rewrite.c -- read a module, make another, write it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/rewrite.h"

#include "base/file.h"
#include "base/memory.h"
#include "tool/source.h"
#include "tool/tool.h"

static HdStatus rewrite_file(const char *in, const char *out, HdRewriteFn *rewrite, void *user,
                             HdDiags *d)
{
    uint32_t *made = NULL;
    size_t count = 0;
    HdModule *m;
    HdStatus st;

    HD_TRY(hd_tool_open_module(in, d, &m));
    st = rewrite(user, m, d, &made, &count);
    if (st == HD_OK && made != NULL)
        st = hd_file_write(out, made, count * sizeof *made, d);
    hd_module_drop(m);
    hd_free(made);
    return st;
}

int hd_tool_rewrite(const char *command, const char *in, const char *out, bool quiet,
                    HdRewriteFn *rewrite, void *user)
{
    HdDiags d;
    HdStatus st;
    int exit;

    hd_diags_init(&d);
    d.errors_only = quiet;
    st = rewrite_file(in, out, rewrite, user, &d);
    exit = hd_tool_finish(command, st, &d);
    return st == HD_UNSUPPORTED ? HD_EXIT_INVALID : exit; /* the module itself needs more */
}
