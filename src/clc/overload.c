/* clc/overload.c -- functions of a source that overload built-ins.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/overload.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/map.h"
#include "base/memory.h"
#include "clc/builtin.h"
#include "clc/cache.h"
#include "clc/own.h"
#include "clc/scan.h"

bool hd_clc_is_cxx(const HdClcOptions *o)
{
    static const char cxx[] = "-cl-std=CLC++";

    for (const char *arg = NULL; hd_clc_next_arg(o, &arg);)
        if (strncmp(arg, cxx, sizeof cxx - 1) == 0)
            return true;
    return false;
}

bool hd_clc_seems_to_overload(const char *text, bool is_cxx)
{
    HdClcScan s = {.text = text, .at = text, .kind_of = hd_clc_kind_of_built_in, .is_raw = true};

    return (is_cxx || strstr(text, "overloadable") != NULL) && hd_clc_next_declared(&s);
}

/* ---- the names ------------------------------------------------------------------------------- */

typedef struct Overloads {
    HdArena *arena;
    HdStrMap names;
    bool failed;
} Overloads;

static void note(Overloads *o, HdClcText name)
{
    o->failed =
        o->failed || !hd_strmap_put(o->arena, &o->names, name.at, (size_t)(name.end - name.at), 1);
}

static bool is_noted(const Overloads *o, HdClcText name)
{
    uint64_t value;

    return hd_strmap_get(&o->names, name.at, (size_t)(name.end - name.at), &value);
}

/* Those of a preprocessed source. */
static void note_all(Overloads *o, const char *text, bool is_cxx, const char *prelude)
{
    HdClcScan s = {.text = text, .at = text, .kind_of = hd_clc_kind_of_built_in, .is_cxx = is_cxx};

    while (hd_clc_next_declared(&s))
        if (s.is_overload && !hd_clc_replaces(prelude, s.name))
            note(o, s.name);
}

/* ---- clang's header -------------------------------------------------------------------------- */

/* The header beside the one with types and macros, which every text of the preprocessor names. */
static bool find_header(const char *text, char path[HD_CLC_MOST_PATH])
{
    static const char base[] = "/opencl-c-base.h\"";
    const char *end = strstr(text, base), *at = end;

    while (at != NULL && at > text && at[-1] != '"' && at[-1] != '\n')
        at--;
    return at != NULL && snprintf(path, HD_CLC_MOST_PATH, "%.*s/opencl-c.h", (int)(end - at), at) <
                             HD_CLC_MOST_PATH;
}

/* `float __ovld __cnfn dot(float2, float2)`: the name. */
static HdClcText declared_name(HdClcText declaration)
{
    const char *end = memchr(declaration.at, '(', (size_t)(declaration.end - declaration.at));
    const char *at = end != NULL ? end : declaration.at;

    while (at > declaration.at && hd_clc_is_name_char(at[-1]))
        at--;
    return (HdClcText){at, end != NULL ? end : at};
}

/* What is not a declaration is kept, but for extensions that end: conditions on extensions and
 * versions, macros. */
static bool is_kept(const Overloads *o, HdClcText part)
{
    if (*part.at == '#')
        return hd_clc_find(part, " : disable") == NULL && hd_clc_find(part, " : end") == NULL &&
               hd_clc_find(part, " : begin") == NULL;
    return is_noted(o, declared_name(part));
}

/* A header's next directive or declaration, with its end. False: there is none. */
static bool next_part(const char **at, HdClcText *part)
{
    const char *p = hd_clc_skip_blank(*at);

    if (*p == '\0')
        return false;
    *part = (HdClcText){p, *p == '#' ? hd_clc_directive_end(p) : p + strcspn(p, ";")};
    part->end += *part->end != '\0' && *p != '#';
    *at = part->end;
    return true;
}

static void declare(const Overloads *o, const char *header, HdStrbuf *prelude)
{
    HdClcText part;

    while (next_part(&header, &part))
        if (is_kept(o, part))
            hd_clc_add_line(prelude, part);
    hd_strbuf_add(prelude, "#undef _OPENCL_H_\n"); /* its guard */
}

bool hd_clc_declare_overloaded(const char *text, bool is_cxx, HdStrbuf *prelude)
{
    Overloads o = {.arena = hd_arena_open()};
    char path[HD_CLC_MOST_PATH], *header = NULL;
    size_t bytes;
    HdDiags d;
    bool found;

    hd_diags_init(&d);
    if (o.arena != NULL)
        note_all(&o, text, is_cxx, hd_strbuf_text(prelude));
    found = o.names.count > 0 && !o.failed && find_header(text, path) &&
            hd_file_read(path, &d, &header, &bytes) == HD_OK && header != NULL;
    if (found)
        declare(&o, header, prelude);
    hd_free(header);
    hd_diags_drop(&d);
    hd_arena_drop(o.arena);
    return found;
}
