/* clc/own.c -- which built-ins a source declares itself.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/own.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "clc/paste.h"
#include "clc/scan.h"
#include "clc/text.h"
#include "gen/spirv.h"
#include "module/module.h"

#define DEFINE "#define "

static bool same(HdClcText a, HdClcText b)
{
    return a.end - a.at == b.end - b.at && memcmp(a.at, b.at, (size_t)(a.end - a.at)) == 0;
}

/* Does this line of the prelude replace a built-in? Others are constants, or the prelude's own. */
static bool replaces(HdClcText line, HdClcText *name)
{
    const char *value;

    if (!hd_clc_begins(line, DEFINE))
        return false;
    *name = hd_clc_name_at(line.at + strlen(DEFINE));
    value = name->end + strspn(name->end, " ");
    return *value != '\n' && !isdigit((unsigned char)*value) && !hd_clc_begins(*name, "HD_") &&
           !hd_clc_begins(*name, "heddle_");
}

/* The macro of the prelude with this name, or with any (NULL); what is behind it in *rest. */
static bool find_macro(const char *prelude, const HdClcText *name, HdClcText *line,
                       const char **rest)
{
    HdClcText found;

    while (hd_clc_next_line(&prelude, line))
        if (replaces(*line, &found) && (name == NULL || same(found, *name))) {
            *rest = prelude;
            return true;
        }
    return false;
}

/* The prelude without them. */
static void leave_out(const char *prelude, const HdClcText *name, HdStrbuf *out)
{
    HdClcText line;

    for (const char *rest; find_macro(prelude, name, &line, &rest); prelude = rest)
        hd_clc_add(out, (HdClcText){prelude, line.at});
    hd_strbuf_add(out, prelude);
}

bool hd_clc_replaces(const char *prelude, HdClcText name)
{
    HdClcText line;
    const char *rest;

    return find_macro(prelude, &name, &line, &rest);
}

void hd_clc_bare_prelude(const char *prelude, HdStrbuf *out)
{
    leave_out(prelude, NULL, out);
}

/* The prelude declares a function of this name: it gets another one there. */
static bool rename_declared(HdClcText name, HdStrbuf *prelude)
{
    const char *text = hd_strbuf_text(prelude);
    HdClcText all = {text, text + prelude->count};
    HdStrbuf out = {0};
    const char *p = text;

    for (size_t len = (size_t)(name.end - name.at);
         (p = memmem(p, (size_t)(all.end - p), name.at, len)) != NULL; p += len)
        if ((p == text || !hd_clc_is_name_char(p[-1])) && p[len] == '(')
            break;
    if (p == NULL)
        return false;
    hd_strbuf_printf(&out, DEFINE "%.*s heddle_%.*s\n", HD_CLC_TEXT(name), HD_CLC_TEXT(name));
    hd_clc_add(&out, all);
    hd_strbuf_printf(&out, "#undef %.*s\n", HD_CLC_TEXT(name));
    hd_strbuf_free(prelude);
    *prelude = out;
    return true;
}

static bool yield_to(HdClcText name, HdStrbuf *prelude)
{
    HdStrbuf without = {0};

    if (!hd_clc_replaces(hd_strbuf_text(prelude), name))
        return rename_declared(name, prelude);
    leave_out(hd_strbuf_text(prelude), &name, &without);
    hd_strbuf_free(prelude);
    *prelude = without;
    return true;
}

/* The prelude's macro of this name renames it wherever it stands, also where no call is. */
static bool rename_all(HdClcText name, HdStrbuf *prelude)
{
    HdStrbuf renamed = {0};
    HdClcText line, value;
    const char *rest;

    if (!find_macro(hd_strbuf_text(prelude), &name, &line, &rest))
        return false;
    value = hd_clc_name_at(hd_clc_find(line, "heddle_"));
    hd_clc_add(&renamed, (HdClcText){hd_strbuf_text(prelude), line.at});
    hd_strbuf_printf(&renamed, DEFINE "%.*s %.*s\n", HD_CLC_TEXT(name), HD_CLC_TEXT(value));
    hd_strbuf_add(&renamed, rest);
    hd_strbuf_free(prelude);
    *prelude = renamed;
    return true;
}

void hd_clc_yield_to_options(const HdClcOptions *o, HdStrbuf *prelude)
{
    for (const char *arg = NULL; hd_clc_next_arg(o, &arg);)
        if (strncmp(arg, "-D", 2) == 0)
            yield_to(hd_clc_name_at(arg + 2 + strspn(arg + 2, " \t")), prelude);
}

bool hd_clc_redefines(const char *log)
{
    return strstr(log, "prelude.h:") != NULL && strstr(log, " macro redefined [") != NULL;
}

bool hd_clc_may_replace(const HdClcSource *source, const HdClcOptions *o, const char *prelude)
{
    HdClcText line, name;
    char part[64];

    for (const char *rest; find_macro(prelude, NULL, &line, &rest); prelude = rest) {
        name = hd_clc_name_at(line.at + strlen(DEFINE));
        snprintf(part, sizeof part, "%.*s", HD_CLC_TEXT(name));
        if (hd_clc_may_name(source, o, part))
            return true;
    }
    return false;
}

bool hd_clc_may_declare(const HdClcSource *source, const HdClcOptions *o, const char *prelude,
                        const char *log)
{
    static const char *const reasons[] = {
        "must have the 'overloadable' attribute", "error: redefinition of '",
        "error: conflicting types for '", " follows non-static declaration", " macro redefined ["};

    if (strstr(log, "fatal error: ") != NULL)
        return false;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (strstr(log, reasons[i]) != NULL)
            return true;
    return hd_clc_may_replace(source, o, prelude);
}

bool hd_clc_renames_kernels(const uint32_t *words, size_t nwords)
{
    static const char prefix[] = "heddle_";
    size_t at = HD_MODULE_FIRST_WORD;

    for (HdRawInst in; hd_words_next(words, nwords, &at, &in);) {
        if (in.op == SpvOpEntryPoint && in.count > 4 &&
            memcmp(words + at - in.count + 3, prefix, sizeof prefix - 1) == 0)
            return true;
        if (in.op == SpvOpFunction)
            break;
    }
    return false;
}

/* ---- the prelude's names ----------------------------------------------------------------------
 */

typedef struct Names {
    HdArena *arena;
    HdStrMap kinds;
} Names;

/* `#define any(...) heddle_any(__VA_ARGS__)`, `#define convert_int4 heddle_convert_int4`. */
static HdClcKind kind_of_macro(HdClcText line, HdClcText name)
{
    static const char passed[] = "(...) ";
    HdClcText value = {name.end, line.end};

    if (hd_clc_begins(value, passed))
        value.at += strlen(passed);
    value.at += strspn(value.at, " ");
    if (!hd_clc_begins(value, "heddle_"))
        return HD_CLC_NAME;
    value.at = hd_clc_name_at(value.at).end;
    return value.at == value.end || hd_clc_is(value, "(__VA_ARGS__)") ? HD_CLC_RENAMED
                                                                      : HD_CLC_NAME;
}

/* Is it a function's name that a source may have? Others are the compiler's, or the prelude's. */
static bool may_be_own(HdClcText name)
{
    return !hd_clc_begins(name, "__") && !hd_clc_begins(name, "HD_") &&
           !hd_clc_begins(name, "heddle_");
}

static bool put(Names *n, HdClcText name, HdClcKind kind)
{
    return hd_strmap_put(n->arena, &n->kinds, name.at, (size_t)(name.end - name.at), kind);
}

/* The functions that a line of the prelude declares. */
static bool note_declared(Names *n, HdClcText line)
{
    for (const char *p = line.at; p < line.end;) {
        HdClcText word = hd_clc_name_at(p);

        if (*word.end == '(' && word.end > word.at && may_be_own(word) &&
            !put(n, word, HD_CLC_NAME))
            return false;
        p = word.end + (word.end == p);
    }
    return true;
}

static bool note_all(Names *n, const char *prelude)
{
    HdClcText line, name;

    while (hd_clc_next_line(&prelude, &line))
        if (*line.at == '#' ? replaces(line, &name) && !put(n, name, kind_of_macro(line, name))
                            : !note_declared(n, line))
            return false;
    return true;
}

static HdClcKind kind_of(const void *names, HdClcText name)
{
    const Names *n = names;
    uint64_t kind = HD_CLC_NO_NAME;

    (void)hd_strmap_get(&n->kinds, name.at, (size_t)(name.end - name.at), &kind);
    return (HdClcKind)kind;
}

/* ---- the source ------------------------------------------------------------------------------ */

bool hd_clc_seems_to_declare(const char *text, const char *prelude)
{
    Names names = {.arena = hd_arena_open()};
    HdClcScan s = {.text = text, .at = text, .kind_of = kind_of, .names = &names, .is_raw = true};
    bool found = names.arena != NULL && note_all(&names, prelude) && hd_clc_next_declared(&s);

    hd_arena_drop(names.arena);
    return found || s.has_macros || s.asks_macros;
}

bool hd_clc_asks_macros(const char *text, const char *prelude)
{
    Names names = {.arena = hd_arena_open()};
    HdClcScan s = {.text = text, .at = text, .kind_of = kind_of, .names = &names, .is_raw = true};

    if (names.arena != NULL && note_all(&names, prelude))
        while (hd_clc_next_declared(&s) && !s.asks_macros)
            ;
    hd_arena_drop(names.arena);
    return s.asks_macros;
}

/* What the prelude has of a name that was found gives way to it, or takes it in. */
static bool yield_to_found(const HdClcScan *s, Names *names, bool joins, HdStrbuf *prelude)
{
    HdClcKind kind = kind_of(names, s->name);

    if (joins && s->is_overload && !hd_clc_replaces(hd_strbuf_text(prelude), s->name))
        return false;
    if (joins && s->is_overload && kind == HD_CLC_RENAMED)
        return rename_all(s->name, prelude);
    (void)put(names, s->name, HD_CLC_NO_NAME);
    return yield_to(s->name, prelude);
}

bool hd_clc_yield_to_source(const HdClcOwn *own, HdStrbuf *prelude)
{
    Names names = {.arena = hd_arena_open()};
    HdClcScan s = {.text = own->text,
                   .at = own->text,
                   .kind_of = kind_of,
                   .names = &names,
                   .is_cxx = own->is_cxx};
    HdStrbuf before = {0};
    bool any = false;

    hd_strbuf_add(&before, hd_strbuf_text(prelude)); /* the names are in it */
    if (names.arena != NULL && !before.failed && note_all(&names, hd_strbuf_text(&before)))
        while (hd_clc_next_declared(&s))
            any = yield_to_found(&s, &names, own->joins, prelude) || any;
    if (s.has_macros)
        hd_strbuf_add(prelude, "#pragma clang diagnostic ignored \"-Wmacro-redefined\"\n");
    hd_strbuf_free(&before);
    hd_arena_drop(names.arena);
    return any || s.has_macros;
}

/* Is this line of the prelude named by a message, as what the source has once more? */
static bool is_redefined(const char *log, size_t line)
{
    static const char *const notes[] = {": note: previous definition is here\n",
                                        ": note: previous declaration is here\n"};
    char place[32];

    snprintf(place, sizeof place, "\nprelude.h:%zu:", line);
    for (const char *p = log; (p = strstr(p, place)) != NULL; p += strlen(place)) {
        HdClcText rest = {p + 1, hd_clc_line_end(p + 1) + 1};

        if (hd_clc_find(rest, notes[0]) != NULL || hd_clc_find(rest, notes[1]) != NULL)
            return true;
    }
    return false;
}

bool hd_clc_cut_redefined(const char *log, HdStrbuf *prelude)
{
    const char *text = hd_strbuf_text(prelude);
    HdStrbuf out = {0};
    bool any = false;
    HdClcText line;

    for (size_t n = 1; hd_clc_next_line(&text, &line); n++) {
        bool is_cut = is_redefined(log, n);

        any = any || is_cut;
        if (!is_cut)
            hd_clc_add_line(&out, line);
    }
    hd_strbuf_free(prelude);
    *prelude = out;
    return any;
}

/* ---- without macros ---------------------------------------------------------------------------
 */

/* What the compiler takes in by itself: the prelude, options, the header of built-ins. */
static bool is_taken_in(HdClcText marker)
{
    return hd_clc_find(marker, "/prelude.h\"") != NULL || hd_clc_find(marker, "\"<") != NULL ||
           hd_clc_find(marker, "/opencl-c") != NULL;
}

/* `# 7 "file" 2`: without its flags, but for what is a header of the compiler. */
static void add_marker(HdStrbuf *out, HdClcText marker)
{
    const char *end = marker.end;

    while (end > marker.at && end[-1] != '"')
        end--;
    hd_clc_add(out, (HdClcText){marker.at, end});
    hd_strbuf_add(out, hd_clc_is_elsewhere(marker) ? " 3\n" : "\n");
}

void hd_clc_plain_source(const char *text, HdStrbuf *out)
{
    bool is_left_out = false;
    HdClcText line;

    while (hd_clc_next_line(&text, &line)) {
        bool is_marker = hd_clc_begins(line, "# ") && isdigit((unsigned char)line.at[2]);

        if (is_marker)
            is_left_out = is_taken_in(line);
        if (is_left_out)
            continue;
        if (is_marker)
            add_marker(out, line);
        else if (hd_clc_begins(line, "#define ") || hd_clc_begins(line, "#undef "))
            hd_strbuf_add(out, "\n");
        else
            hd_clc_add_line(out, line);
    }
}
