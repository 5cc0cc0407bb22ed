/* clc/inline.c -- functions that are `inline` and nothing else, or have no body.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/inline.h"

#include <stdio.h>
#include <string.h>

#include "clc/scan.h"
#include "gen/spirv.h"
#include "grammar/grammar.h"
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

/* Is it in OpenCL.std, which tells numbers of several kinds apart: `u_clamp`, `fclamp`? */
static bool is_extended(HdClcText name)
{
    static const char *const forms[] = {"%.*s", "s_%.*s", "u_%.*s", "f%.*s", "f%.*s_common"};
    const unsigned set = hd_gram_extset("OpenCL.std", 10);
    char text[64];

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        int len = snprintf(text, sizeof text, forms[i], HD_CLC_TEXT(name));

        if (len < (int)sizeof text && hd_gram_extinst_name(set, text, (size_t)len) != NULL)
            return true;
    }
    return false;
}

/* May the back end take a function of this name for a built-in? */
static HdClcKind kind_of_built_in(const void *unused, HdClcText name)
{
    static const char *const others[] = {
        "any",     "all",     "dot",   "is",      "signbit",    "ctz",        "bit",   "atom",
        "barrier", "get_",    "read_", "write_",  "work_group", "sub_group",  "group", "async_",
        "wait_",   "mem_",    "vload", "vstore",  "convert_",   "to_",        "intel", "clock_",
        "ndrange", "enqueue", "nd",    "reserve", "commit",     "create_",    "set_",  "retain_",
        "release", "capture", "split", "named_",  "arm_",       "cooperative"};

    (void)unused;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (hd_clc_begins(name, others[i]))
            return HD_CLC_NAME;
    return is_extended(name) ? HD_CLC_NAME : HD_CLC_NO_NAME;
}

static bool has_word(const char *text, const char *word)
{
    size_t len = strlen(word);

    for (const char *p = text; (p = strstr(p, word)) != NULL; p += len)
        if ((p == text || !hd_clc_is_name_char(p[-1])) && !hd_clc_is_name_char(p[len]))
            return true;
    return false;
}

bool hd_clc_hides_inline(const char *text)
{
    HdClcScan s = {.text = text, .at = text, .kind_of = kind_of_built_in, .is_raw = true};

    return (has_word(text, "inline") || has_word(text, "__inline") ||
            has_word(text, "__inline__")) &&
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
    HdClcScan s = {.text = text, .at = text, .kind_of = kind_of_built_in, .is_raw = true};

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
        if (kind_of_built_in(NULL, name) == HD_CLC_NO_NAME || !is_declared(text, name))
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
