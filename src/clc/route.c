/* clc/route.c -- from a source, or from LLVM's text, to a module.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/route.h"

#include <string.h>

#include "base/memory.h"
#include "base/store.h"

/* What a clang says that has no SPIR-V back end, or does not know an extension. */
#define OPTIONS   "clang (LLVM option parsing): "
#define NO_OPTION OPTIONS "Unknown command line argument '--spirv-ext="
#define NO_TARGET "error: unable to create target"
#define NO_SUCH   OPTIONS "for the --spirv-ext option: Unknown SPIR-V extension: +"

/* The line that begins so: what a source lets the compiler say (#error) begins with its place. */
static const char *find_line(const char *said, const char *begin)
{
    while (said != NULL && strncmp(said, begin, strlen(begin)) != 0) {
        said = strchr(said, '\n');
        said += said != NULL;
    }
    return said;
}

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
    const char *said = hd_strbuf_text(j->log) + from, *name = find_line(said, NO_SUCH);
    HdStatus way;

    if (*j->translator != '\0')
        return st;
    if (name != NULL && !hd_clc_leaves_out(j, name + strlen(NO_SUCH) - 1)) {
        way = hd_clc_find_translator(j->compiler, j->translator)
                  ? HD_OK
                  : hd_clc_leave_out(j, name + strlen(NO_SUCH) - 1);
    } else if (find_line(said, NO_OPTION) != NULL || find_line(said, NO_TARGET) != NULL) {
        hd_strbuf_cut(j->log, from);
        return take_translator(j);
    } else {
        return st;
    }
    hd_strbuf_cut(j->log, from);
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
#define NO_NAMES OPTIONS "Unknown command line argument '" HD_CLC_KEEP_NAMES "'"

HdStatus hd_clc_make_marked(HdClcJob *j)
{
    size_t from = j->log->count;
    HdStatus st;

    hd_clc_command_marked(j);
    st = hd_clc_run(j);
    if (st != HD_OK && find_line(hd_strbuf_text(j->log) + from, NO_NAMES) != NULL) {
        hd_strbuf_cut(j->log, from);
        j->keeps_names = true;
        hd_clc_command_marked(j);
        st = hd_clc_run(j);
    }
    HD_TRY(st);
    if (*j->translator == '\0')
        return HD_OK;
    hd_strbuf_cut(j->log, from); /* warnings are off, but for the one about debug information */
    return translate(j);
}

/* ---- the way, for later builds ----------------------------------------------------------------
 */

/* As one text: whether the translator takes over, whether the back end keeps names, the extensions
 * that it does not know. "--" is the way of a compiler that can do all. */
static bool write_way(const HdClcJob *j, HdStrbuf *out)
{
    hd_strbuf_add_char(out, *j->translator != '\0' ? 't' : '-');
    hd_strbuf_add_char(out, j->keeps_names ? 'n' : '-');
    hd_strbuf_add(out, hd_strbuf_text(&j->unknown));
    return !out->failed;
}

static HdStoreKey way_key(const HdClcJob *j, const char *translator)
{
    HdStoreKey k = hd_store_key(HD_STORE_SOURCE);

    hd_store_mix(&k, "way", 4);
    hd_store_mix(&k, j->compiler, strlen(j->compiler));
    hd_store_mix_file(&k, j->compiler);
    hd_store_mix(&k, translator, strlen(translator));
    if (*translator != '\0')
        hd_store_mix_file(&k, translator);
    return k;
}

void hd_clc_recall_way(HdClcJob *j)
{
    char translator[HD_CLC_PATH_ROOM], *way;
    HdStoreKey k;
    size_t count;

    hd_clc_find_translator(j->compiler, translator);
    k = way_key(j, translator);
    if (!hd_store_get(&k, &way, &count))
        return;
    if (count >= 2) {
        if (way[0] == 't')
            strcpy(j->translator, translator);
        j->keeps_names = way[1] == 'n';
        hd_strbuf_add_bytes(&j->unknown, way + 2, count - 2);
        (void)write_way(j, &j->recalled);
    }
    hd_free(way);
}

void hd_clc_keep_way(const HdClcJob *j)
{
    const char *before = j->recalled.count > 0 ? hd_strbuf_text(&j->recalled) : "--";
    char translator[HD_CLC_PATH_ROOM];
    HdStrbuf way = {0};

    if (write_way(j, &way) && strcmp(hd_strbuf_text(&way), before) != 0) {
        HdStoreKey k;

        hd_clc_find_translator(j->compiler, translator);
        k = way_key(j, translator);
        hd_store_put(&k, way.at, way.count);
    }
    hd_strbuf_free(&way);
}
