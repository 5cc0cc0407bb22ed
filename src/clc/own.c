/* clc/own.c -- which built-ins a source declares itself.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/own.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "clc/paste.h"
#include "clc/text.h"
#include "gen/spirv.h"
#include "module/module.h"

#define DEFINE "#define "

static HdClcText name_at(const char *p)
{
    HdClcText name = {p, p};

    while (hd_clc_is_name_char(*name.end))
        name.end++;
    return name;
}

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
    *name = name_at(line.at + strlen(DEFINE));
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

static bool has_macro(const HdStrbuf *prelude, HdClcText name)
{
    HdClcText line;
    const char *rest;

    return find_macro(hd_strbuf_text(prelude), &name, &line, &rest);
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

    if (!has_macro(prelude, name))
        return rename_declared(name, prelude);
    leave_out(hd_strbuf_text(prelude), &name, &without);
    hd_strbuf_free(prelude);
    *prelude = without;
    return true;
}

void hd_clc_yield_to_options(const HdClcOptions *o, HdStrbuf *prelude)
{
    for (const char *arg = NULL; hd_clc_next_arg(o, &arg);)
        if (strncmp(arg, "-D", 2) == 0)
            yield_to(name_at(arg + 2 + strspn(arg + 2, " \t")), prelude);
}

bool hd_clc_redefines(const char *log)
{
    return strstr(log, "prelude.h:") != NULL && strstr(log, " macro redefined [") != NULL;
}

/* Does one of the texts have a name that the prelude replaces? */
static bool may_name_replaced(const HdClcSource *source, const HdClcOptions *o, const char *prelude)
{
    HdClcText line, name;
    char part[64];

    for (const char *rest; find_macro(prelude, NULL, &line, &rest); prelude = rest) {
        name = name_at(line.at + strlen(DEFINE));
        snprintf(part, sizeof part, "%.*s", HD_CLC_TEXT(name));
        if (hd_clc_may_name(source, o, part))
            return true;
    }
    return false;
}

bool hd_clc_may_declare(const HdClcSource *source, const HdClcOptions *o, const char *prelude,
                        const char *log)
{
    return strstr(log, "fatal error: ") == NULL &&
           (strstr(log, "must have the 'overloadable' attribute") != NULL ||
            strstr(log, "error: redefinition of '") != NULL ||
            may_name_replaced(source, o, prelude));
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

/* ---- reading preprocessed text --------------------------------------------------------------- */

typedef struct Scan {
    const char *text, *at;
    const HdStrbuf *prelude;
    unsigned braces, parens;
    HdClcText name;    /* of the function that was found */
    bool has_before;   /* outside of braces, a type or attribute is in front */
    bool is_value;     /* behind `=` */
    bool is_elsewhere; /* in the prelude, or in a header of the compiler */
    bool has_macros;   /* the source defines some that the prelude has */
} Scan;

/* `# 7 "file" 2 3`, where 3 says that it is a header of the compiler. */
static bool is_elsewhere(HdClcText line)
{
    return hd_clc_find(line, "/prelude.h\"") != NULL ||
           (line.end - line.at > 2 && memcmp(line.end - 2, " 3", 2) == 0) ||
           hd_clc_find(line, "\" 3 ") != NULL || hd_clc_find(line, " 3 4") != NULL ||
           hd_clc_find(line, "\"<") != NULL;
}

static const char *skip_literal(const char *p)
{
    char quote = *p++;

    while (*p != '\0' && *p != '\n' && *p != quote)
        p += *p == '\\' && p[1] != '\0' ? 2 : 1;
    return p + (*p == quote);
}

/* A line that begins with `#`: where the text is from, or a macro that it defines. */
static void take_directive(Scan *s)
{
    HdClcText line = {s->at, hd_clc_line_end(s->at)};

    s->at = line.end;
    if (hd_clc_begins(line, "# "))
        s->is_elsewhere = is_elsewhere(line);
    else if (!s->is_elsewhere && hd_clc_begins(line, DEFINE))
        s->has_macros = s->has_macros || has_macro(s->prelude, name_at(line.at + strlen(DEFINE)));
}

/* A character outside of words: braces and parentheses are counted. */
static void take_mark(Scan *s)
{
    char c = *s->at++;

    if (c == '(')
        s->parens++;
    else if (c == ')' && s->parens > 0)
        s->parens--;
    else if (c == '{')
        s->braces++;
    else if (c == '}' && s->braces > 0)
        s->braces--;
    if (s->braces > 0 || s->parens > 0)
        return;
    if (c == '=')
        s->is_value = true;
    else if (c == ';' || c == '}')
        s->is_value = s->has_before = false;
    else if (!isspace((unsigned char)c))
        s->has_before = true;
}

/* A word: the name of a function that is declared here? */
static bool take_word(Scan *s)
{
    HdClcText word = name_at(s->at);
    bool is_declared = s->braces == 0 && s->parens == 0 && !s->is_elsewhere && s->has_before &&
                       !s->is_value && word.end[strspn(word.end, " \t\n")] == '(';

    s->name = word;
    s->at = word.end;
    s->has_before = true;
    return is_declared;
}

/* The next function that the source declares, outside of all braces. */
static bool next_declared(Scan *s)
{
    while (*s->at != '\0') {
        if (hd_clc_is_name_char(*s->at)) {
            if (take_word(s))
                return true;
        } else if (*s->at == '#' && (s->at == s->text || s->at[-1] == '\n')) {
            take_directive(s);
        } else if (*s->at == '"' || *s->at == '\'') {
            s->at = skip_literal(s->at);
        } else {
            take_mark(s);
        }
    }
    return false;
}

bool hd_clc_yield_to_source(const char *text, HdStrbuf *prelude)
{
    Scan s = {.text = text, .at = text, .prelude = prelude};
    bool any = false;

    while (next_declared(&s))
        any = yield_to(s.name, prelude) || any;
    if (s.has_macros)
        hd_strbuf_add(prelude, "#pragma clang diagnostic ignored \"-Wmacro-redefined\"\n");
    return any || s.has_macros;
}
