/* clc/scan.c -- which functions a source declares.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/scan.h"

#include <ctype.h>
#include <string.h>

/* The last number, 3, says so. */
bool hd_clc_is_elsewhere(HdClcText line)
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

/* Behind a comment, if there is one. */
static const char *skip_comment(const char *p)
{
    const char *end;

    if (p[0] != '/' || (p[1] != '/' && p[1] != '*'))
        return p;
    if (p[1] == '/')
        return hd_clc_line_end(p);
    end = strstr(p + 2, "*/");
    return end != NULL ? end + 2 : p + strlen(p);
}

static const char *skip_spaces(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

static bool is_at_line(const HdClcScan *s)
{
    return s->at == s->text || s->at[-1] == '\n';
}

/* Are there blanks in front, at most? */
static bool is_first(const HdClcScan *s)
{
    const char *p = s->at;

    while (p > s->text && (p[-1] == ' ' || p[-1] == '\t'))
        p--;
    return p == s->text || p[-1] == '\n';
}

const char *hd_clc_skip_blank(const char *p)
{
    for (const char *next; (next = skip_comment(skip_spaces(p))) != p; p = next)
        ;
    return p;
}

const char *hd_clc_directive_end(const char *p)
{
    for (p = hd_clc_line_end(p); *p != '\0' && p[-1] == '\\'; p = hd_clc_line_end(p + 1))
        ;
    return p;
}

/* In front of a comment, is there one of the names? */
static bool has_name(const HdClcScan *s, HdClcText t)
{
    for (HdClcText word; t.at < t.end && skip_comment(t.at) == t.at;
         t.at = word.end + (word.end == t.at)) {
        word = hd_clc_name_at(t.at);
        if (word.end > word.at && s->kind_of(s->names, word) > HD_CLC_NO_NAME)
            return true;
    }
    return false;
}

/* `any(x) (any(x) != 0)` behind `#define`. */
static void take_define(HdClcScan *s, HdClcText line)
{
    HdClcText name = hd_clc_name_at(line.at);

    if (s->kind_of(s->names, name) == HD_CLC_NO_NAME)
        return;
    s->has_macros = true;
    s->asks_macros = s->asks_macros || has_name(s, (HdClcText){name.end, line.end});
}

/* A line that begins with `#`: where the text is from, or what it does with macros. */
static void take_directive(HdClcScan *s)
{
    static const char *const asking[] = {"undef", "if", "elif"}; /* ifndef, too */
    const char *word = s->at + 1 + strspn(s->at + 1, " \t");
    HdClcText line = {word, hd_clc_directive_end(s->at)};

    if (hd_clc_begins((HdClcText){s->at, line.end}, "# ") && isdigit((unsigned char)*word)) {
        s->is_elsewhere = hd_clc_is_elsewhere(line);
    } else if (!s->is_elsewhere && hd_clc_begins(line, "define")) {
        word += strlen("define");
        take_define(s, (HdClcText){word + strspn(word, " \t"), line.end});
    } else if (!s->is_elsewhere) {
        for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
            s->asks_macros =
                s->asks_macros || (hd_clc_begins(line, asking[i]) && has_name(s, line));
    }
    s->at = line.end;
}

/* A type or an attribute, outside of braces and parentheses. */
static void take_before(HdClcScan *s, const char *at)
{
    if (!s->has_before)
        s->begin = at;
    s->has_before = true;
}

static void open_brace(HdClcScan *s)
{
    if (s->braces == 0 && s->opens_scope)
        s->scopes++;
    else
        s->braces++;
    s->opens_scope = s->has_before = false;
}

static void close_brace(HdClcScan *s)
{
    if (s->braces > 0)
        s->braces--;
    else if (s->scopes > 0)
        s->scopes--;
}

/* A character outside of words: braces and parentheses are counted. */
static void take_mark(HdClcScan *s)
{
    char c = *s->at++;

    if (isspace((unsigned char)c))
        return;
    s->last = c;
    if (c == '(')
        s->parens++;
    else if (c == ')' && s->parens > 0)
        s->parens--;
    else if (c == '{')
        open_brace(s);
    else if (c == '}')
        close_brace(s);
    if (s->braces > 0 || s->parens > 0)
        return;
    if (c == '=')
        s->is_value = true;
    else if (c == ';' || c == '}')
        s->is_value = s->has_before = s->opens_scope = false;
    else if (c != '{')
        take_before(s, s->at - 1);
}

/* `(^any)(`, `(*any)(`, `any = [`: a variable that is called like a function. */
static bool is_callable(const HdClcScan *s, const char *next)
{
    if (*next == '=')
        return *skip_spaces(next + 1) == '[';
    return (s->last == '^' || s->last == '*') && *next == ')' && *skip_spaces(next + 1) == '(';
}

/* A word outside of all braces that count: is it the name of a function that is declared here?
 * Names that are renamed may be those of other scopes' functions, too. */
static bool is_declared(const HdClcScan *s, HdClcKind kind, const char *next)
{
    if (s->is_value || !s->has_before || (s->scopes > 0 && kind == HD_CLC_RENAMED))
        return false;
    if (s->parens == 0)
        return *next == '(';
    if (s->last == '(' && *next == ')')
        return *skip_spaces(next + 1) == '(';
    /* In front of preprocessing, an argument of a macro that declares it. */
    return s->is_raw && (s->last == '(' || s->last == ',') && (*next == ',' || *next == ')');
}

/* Does the declaration of the name that was found say that there may be others of this name? */
static bool is_overload(const HdClcScan *s)
{
    HdClcText declaration = {s->begin, s->name.end + strcspn(s->name.end, "{;")};

    return (s->is_cxx && s->scopes == 0) || hd_clc_find(declaration, "overloadable") != NULL;
}

static void open_scope(HdClcScan *s, HdClcText word)
{
    static const char *const words[] = {"namespace", "struct", "class", "union", "extern"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        s->opens_scope = s->opens_scope || hd_clc_is(word, words[i]);
}

/* Sources have functions at the beginning of lines; which of their braces count is decided by the
 * preprocessor. */
static void guess_depth(HdClcScan *s)
{
    if (is_at_line(s))
        s->braces = s->parens = 0;
}

/* A word: one of the names, of a function that is declared here? */
static bool take_word(HdClcScan *s)
{
    HdClcText word = hd_clc_name_at(s->at);
    const char *next = skip_spaces(word.end);
    HdClcKind kind = s->is_elsewhere ? HD_CLC_NO_NAME : s->kind_of(s->names, word);
    bool is_function, found;

    if (s->is_raw)
        guess_depth(s);
    is_function = kind != HD_CLC_NO_NAME && s->braces == 0 && is_declared(s, kind, next);
    found = is_function || (kind != HD_CLC_NO_NAME && is_callable(s, next));
    s->name = word;
    s->is_overload = is_function && is_overload(s);
    s->at = word.end;
    s->last = 'a';
    if (s->braces == 0 && s->parens == 0) {
        take_before(s, word.at);
        open_scope(s, word);
    }
    return found;
}

bool hd_clc_next_declared(HdClcScan *s)
{
    while (*(s->at = skip_comment(s->at)) != '\0') {
        if (hd_clc_is_name_char(*s->at)) {
            if (take_word(s))
                return true;
        } else if (*s->at == '#' && is_first(s)) {
            take_directive(s);
        } else if (*s->at == '"' || *s->at == '\'') {
            s->at = skip_literal(s->at);
        } else {
            take_mark(s);
        }
    }
    return false;
}

/* A `#` that begins no directive, and is no half of `##`, in front of a name. */
static bool is_string_operator(const char *text, const char *p)
{
    const char *first = p;

    while (first > text && (first[-1] == ' ' || first[-1] == '\t'))
        first--;
    return first > text && first[-1] != '\n' && p[-1] != '#' &&
           hd_clc_is_name_char(p[1 + strspn(p + 1, " \t")]);
}

bool hd_clc_makes_strings(const char *text)
{
    for (const char *p = text; *(p = skip_comment(p)) != '\0';) {
        if (*p == '#' && is_string_operator(text, p))
            return true;
        p = *p == '"' || *p == '\'' ? skip_literal(p) : p + 1;
    }
    return false;
}
