/* tool/link.c -- heddle link: several modules into one.
 *
 * SPDX-License-Identifier: MIT
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "tool/options.h"
#include "tool/source.h"
#include "tool/tool.h"
#include "xform/link.h"

typedef struct Options {
    HdToolTexts in;
    const char *out;
    HdLinkOptions link;
    bool quiet;
} Options;

#define AT(member) offsetof(Options, member)

static const HdToolOption options[] = {
    HD_TOOL_OUT_ROW,
    {"--create-library", HD_TOOL_FLAG, 1, AT(link.is_library), NULL,
     "keep exported symbols in the result"},
    {"--allow-partial", HD_TOOL_FLAG, 1, AT(link.allow_unresolved), NULL,
     "allow imports that no module exports"},
    HD_TOOL_QUIET_ROWS(HD_TOOL_QUIET_HELP),
};

static const HdToolCommand command = {
    .name = "link",
    .usage = "[OPTION…] FILE…",
    .about =
        "Link modules into one: imports are resolved to exports of the same name. Each FILE is a "
        "module (.spv), assembly text (.spvasm) or OpenCL C (.cl).",
    .exits = "0 fine; 1 the modules cannot be linked; 2 wrong usage; 3 a file cannot be read or "
             "written",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .words_at = AT(in),
    .most_words = UINT_MAX,
};

static HdStatus link_files(const Options *o, HdDiags *d)
{
    size_t count = o->in.count;
    HdLinkOptions link = o->link;
    HdModule **modules;
    uint32_t *words = NULL;
    size_t nwords = 0;
    HdStatus st = HD_OK;

    HD_TAKE(modules, hd_alloc_zero(count * sizeof *modules));
    for (size_t i = 0; i < count && st == HD_OK; i++)
        st = hd_tool_open_module(o->in.at[i], d, &modules[i]);
    if (st == HD_OK) {
        d->file = "link";
        link.names = o->in.at;
        st = hd_xform_link((const HdModule *const *)modules, count, &link, d, &words, &nwords);
    }
    if (st == HD_OK)
        st = hd_file_write(o->out, words, nwords * sizeof *words, d);
    hd_free(words);
    for (size_t i = 0; i < count; i++) {
        if (modules[i] != NULL)
            hd_module_drop(modules[i]);
    }
    hd_free(modules);
    return st;
}

static int link_and_report(const Options *o)
{
    HdDiags d;

    hd_diags_init(&d);
    d.errors_only = o->quiet;
    return hd_tool_finish("link", link_files(o, &d), &d);
}

int hd_tool_link(int argc, char **argv)
{
    Options o = {.out = "out.spv"};
    int code = hd_tool_options(&command, argc, argv, &o);

    if (code < 0 && o.in.count == 0)
        code = hd_tool_usage("link", "no FILE to link was given", "");
    if (code < 0)
        code = hd_tool_files_check("link", &o.in);
    if (code < 0)
        code = link_and_report(&o);
    HD_ARRAY_FREE(&o.in);
    return code;
}
