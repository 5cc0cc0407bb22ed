/* clc/route.c -- from a source, or from LLVM's text, to a module.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/route.h"

#include <string.h>

/* What a clang says that has no SPIR-V back end, or does not know an extension. */
#define NO_OPTION "Unknown command line argument '--spirv-ext="
#define NO_TARGET "unable to create target"
#define NO_SUCH   "Unknown SPIR-V extension: +"

static HdStatus take_translator(HdClcJob *j)
{
    if (hd_clc_find_translator(j->compiler, j->translator))
        return HD_OK;
    hd_strbuf_printf(
        j->log,
        "heddle: %s has no SPIR-V back end, and there is no llvm-spirv of its version: "
        "install that, or clang-22 (HEDDLE_CLANG, HEDDLE_TRANSLATOR name others)\n",
        j->compiler);
    return HD_UNSUPPORTED;
}

/* The compiler failed: is there another way? HD_OK: try it; the log is as it was before. */
static HdStatus find_way(HdClcJob *j, HdStatus st, size_t from)
{
    const char *said = hd_strbuf_text(j->log) + from, *name = strstr(said, NO_SUCH);
    HdStatus way;

    if (*j->translator != '\0')
        return st;
    if (name != NULL && !hd_clc_leaves_out(j, name + strlen(NO_SUCH) - 1)) {
        way = hd_clc_find_translator(j->compiler, j->translator)
                  ? HD_OK
                  : hd_clc_leave_out(j, name + strlen(NO_SUCH) - 1);
    } else if (strstr(said, NO_OPTION) != NULL || strstr(said, NO_TARGET) != NULL) {
        j->log->count = from;
        return take_translator(j);
    } else {
        return st;
    }
    j->log->count = from;
    return way;
}

/* What the compiler left as LLVM IR becomes the module. */
static HdStatus translate(HdClcJob *j)
{
    hd_clc_command_translator(j);
    return hd_clc_run(j);
}

HdStatus hd_clc_make(HdClcJob *j, const HdClcOptions *o, HdClcProduct product)
{
    for (;;) {
        size_t from = j->log->count;
        HdStatus st;

        hd_clc_command(j, o, product);
        st = hd_clc_run(j);
        if (st == HD_OK)
            break;
        HD_TRY(find_way(j, st, from));
    }
    return product == HD_CLC_MODULE && *j->translator != '\0' ? translate(j) : HD_OK;
}

void hd_clc_drop_debug(HdStrbuf *text)
{
    static const char flag[] = "!\"Debug Info Version\", i32 ";
    char *found = text->at != NULL ? memmem(text->at, text->count, flag, sizeof flag - 1) : NULL;

    if (found != NULL)
        found[sizeof flag - 1] = '0';
}

/* Only LLVM 22 has to be told to keep names. */
#define NO_NAMES "Unknown command line argument '" HD_CLC_KEEP_NAMES "'"

HdStatus hd_clc_make_marked(HdClcJob *j, const HdClcOptions *o)
{
    size_t from = j->log->count;
    HdStatus st;

    hd_clc_command_marked(j, o);
    st = hd_clc_run(j);
    if (st != HD_OK && strstr(hd_strbuf_text(j->log) + from, NO_NAMES) != NULL) {
        j->log->count = from;
        j->keeps_names = true;
        hd_clc_command_marked(j, o);
        st = hd_clc_run(j);
    }
    HD_TRY(st);
    if (*j->translator == '\0')
        return HD_OK;
    j->log->count = from; /* warnings are off, but for the one about debug information */
    return translate(j);
}
