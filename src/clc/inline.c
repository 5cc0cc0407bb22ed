/* clc/inline.c -- functions that are `inline` and nothing else, or have no body.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/inline.h"

#include <stdio.h>
#include <string.h>

#include "clc/builtin.h"
#include "gen/spirv.h"
#include "module/module.h"

/* A name as the source has it: compilers' own begin with "__", and those of built-ins, which have
 * several forms each, with "_Z". */
static bool is_written(const char *name)
{
    return strncmp(name, "__", 2) != 0 && strncmp(name, "_Z", 2) != 0;
}

bool hd_clc_imports(const uint32_t *words, size_t nwords)
{
    size_t at = HD_MODULE_FIRST_WORD;

    for (HdRawInst in; hd_words_next(words, nwords, &at, &in) && in.op != SpvOpFunction;) {
        if (in.op == SpvOpDecorate && in.count > 4 && in.w[2] == SpvDecorationLinkageAttributes &&
            in.w[in.count - 1] == SpvLinkageTypeImport && is_written((const char *)(in.w + 3)))
            return true;
    }
    return false;
}

void hd_clc_keep_inline(const char *text, HdStrbuf *out)
{
    static const char inlined[] = "\ndefine available_externally ";

    for (const char *at; (at = strstr(text, inlined)) != NULL; text = at + strlen(inlined)) {
        hd_strbuf_add_bytes(out, text, (size_t)(at - text));
        hd_strbuf_add(out, "\ndefine linkonce_odr ");
    }
    hd_strbuf_add(out, text);
}

/* ---- inline functions with names of built-ins ------------------------------------------------ */

bool hd_clc_hides_inline(const char *text)
{
    HdClcScan s = {.text = text, .at = text, .kind_of = hd_clc_kind_of_built_in, .is_raw = true};

    return (hd_clc_has_word(text, "inline") || hd_clc_has_word(text, "__inline") ||
            hd_clc_has_word(text, "__inline__")) &&
           hd_clc_next_declared(&s);
}

/* ---- functions of other programs with names of built-ins --------------------------------------
 */

#define SUFFIX ".own" /* as long as a word of a module */

/* Behind a function's name: parameters, and no body? */
static bool is_prototype(const char *p)
{
    unsigned parens = 0;

    p += strspn(p, " \t\r\n");
    if (*p != '(')
        return false;
    for (; *p != '\0' && *p != '{'; p++) {
        parens += *p == '(';
        parens -= *p == ')' && parens > 0;
        if (parens == 0 && *p == ';')
            return true;
    }
    return false;
}

bool hd_clc_declares_built_in(const char *text)
{
    HdClcScan s = {.text = text, .at = text, .kind_of = hd_clc_kind_of_built_in, .is_raw = true};

    while (hd_clc_next_declared(&s))
        if (is_prototype(s.name.end))
            return true;
    return false;
}

/* Does the text have `declare i32 @any(`? The compiler itself declares printf. */
static bool is_declared(const char *text, HdClcText name)
{
    static const char start[] = "\ndeclare ";
    char call[80];

    if (hd_clc_is(name, "printf"))
        return false;
    snprintf(call, sizeof call, " @%.*s(", HD_CLC_TEXT(name));
    for (const char *p = text; (p = strstr(p, start)) != NULL;) {
        p += strlen(start);
        if (hd_clc_find((HdClcText){p, hd_clc_line_end(p)}, call) != NULL)
            return true;
    }
    return false;
}

void hd_clc_mark_declared(const char *text, HdStrbuf *out)
{
    const char *from = text;

    for (const char *p = text; (p = strchr(p, '@')) != NULL;) {
        HdClcText name = hd_clc_name_at(p + 1);

        p = name.end;
        if (hd_clc_kind_of_built_in(NULL, name) == HD_CLC_NO_NAME || !is_declared(text, name))
            continue;
        hd_clc_add(out, (HdClcText){from, p});
        hd_strbuf_add(out, SUFFIX);
        from = p;
    }
    hd_strbuf_add(out, from);
}

/* The word at which the name begins that an instruction gives; 0: it gives none. */
static size_t name_word(const HdRawInst *in)
{
    if (in->op == SpvOpName)
        return 2;
    return in->op == SpvOpDecorate && in->count > 4 && in->w[2] == SpvDecorationLinkageAttributes
               ? 3
               : 0;
}

/* Cut the suffix of an instruction's name; the number of its words. */
static uint32_t cut_suffix(uint32_t *w, const HdRawInst *in)
{
    size_t at = name_word(in), len;
    char *name = (char *)(w + at);

    if (at == 0 || at >= in->count || memchr(name, 0, 4 * (in->count - at)) == NULL)
        return in->count;
    len = strlen(name);
    if (len <= strlen(SUFFIX) || strcmp(name + len - strlen(SUFFIX), SUFFIX) != 0)
        return in->count;
    memset(name + len - strlen(SUFFIX), 0, strlen(SUFFIX));
    at += len / 4; /* where the name ends now */
    memmove(w + at, w + at + 1, 4 * (in->count - at - 1));
    w[0] -= 1u << 16;
    return in->count - 1;
}

void hd_clc_unmark_declared(uint32_t *words, size_t *nwords)
{
    size_t at = HD_MODULE_FIRST_WORD, to = at;

    for (HdRawInst in; hd_words_next(words, *nwords, &at, &in);) {
        uint32_t *w = words + at - in.count;
        uint32_t count = cut_suffix(w, &in);

        memmove(words + to, w, 4 * (size_t)count);
        to += count;
    }
    *nwords = to;
}
