/* clc/inline.c -- functions that are `inline` and nothing else, or have no body.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/inline.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "clc/builtin.h"
#include "clc/own.h"
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

/* A suffix would not do: names may have some (`_Z3dotDv8_fS_.1`). */
#define PREFIX "own."

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

/* Where the compiler says of a function that the source declares it: it declares built-ins itself,
 * as they are used. */
#define SECTION "heddle.own"
#define MARK    " section \"" SECTION "\""

void hd_clc_bracket(const char *text, HdStrbuf *out)
{
    hd_strbuf_add(out, "#pragma clang diagnostic ignored \"-Wpragma-clang-attribute\"\n"
                       "#pragma clang attribute push(__attribute__((section(\"" SECTION "\"))), "
                       "apply_to = function)\n");
    hd_strbuf_add(out, text);
    hd_strbuf_add(out, "\n#pragma clang attribute pop\n");
}

/* The names of `declare float @_Z3dotDv8_fS_(<8 x float>) #1 section "heddle.own"`. */
static bool note_declared(const char *text, HdArena *arena, HdStrMap *names)
{
    static const char start[] = "declare ";
    HdClcText line;

    while (hd_clc_next_line(&text, &line)) {
        const char *at = hd_clc_begins(line, start) ? hd_clc_find(line, " @") : NULL;
        HdClcText name = hd_clc_name_at(at != NULL ? at + 2 : line.end);

        /* The compiler itself declares printf. */
        if (at == NULL || hd_clc_find(line, MARK) == NULL || hd_clc_is(name, "printf"))
            continue;
        if (!hd_strmap_put(arena, names, name.at, (size_t)(name.end - name.at), 1))
            return false;
    }
    return true;
}

static void add_unmarked(HdStrbuf *out, const char *from, const char *to)
{
    for (const char *at; (at = hd_clc_find((HdClcText){from, to}, MARK)) != NULL;
         from = at + strlen(MARK))
        hd_clc_add(out, (HdClcText){from, at});
    hd_clc_add(out, (HdClcText){from, to});
}

HdStatus hd_clc_mark_declared(const char *text, HdStrbuf *out)
{
    HdArena *arena = hd_arena_open();
    const char *from = text;
    HdStrMap names = {0};
    uint64_t unused;

    if (arena == NULL || !note_declared(text, arena, &names)) {
        hd_arena_drop(arena);
        return HD_NO_MEMORY;
    }
    for (const char *p = text; (p = strchr(p, '@')) != NULL;) {
        HdClcText name = hd_clc_name_at(p + 1);

        p = name.end;
        if (!hd_strmap_get(&names, name.at, (size_t)(name.end - name.at), &unused))
            continue;
        add_unmarked(out, from, name.at);
        hd_strbuf_add(out, PREFIX);
        from = name.at;
    }
    add_unmarked(out, from, from + strlen(from));
    hd_arena_drop(arena);
    return out->failed ? HD_NO_MEMORY : HD_OK;
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

/* Cut the prefix of what the source only declares. False: there is none. */
static bool cut_prefix(char *name)
{
    if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
        return false;
    memmove(name, name + strlen(PREFIX), strlen(name + strlen(PREFIX)) + 1);
    return true;
}

/* `_Z10heddle_anyDv8_f` is `_Z3anyDv8_f` where the prelude renames any. */
static void undo_rename(const char *prelude, char *name)
{
    static const char renamed[] = "heddle_";
    const size_t skip = sizeof renamed - 1;
    char count[24];

    for (char *p = name; (p = strstr(p, renamed)) != NULL; p += *p != '\0') {
        char *digits = p;
        size_t len;

        while (digits > name && isdigit((unsigned char)digits[-1]))
            digits--;
        len = strtoul(digits, NULL, 10);
        if (digits == p || len <= skip || len > strlen(p) ||
            !hd_clc_replaces(prelude, (HdClcText){p + skip, p + len}))
            continue;
        snprintf(count, sizeof count, "%zu", len - skip);
        memcpy(digits, count, strlen(count));
        memmove(digits + strlen(count), p + skip, strlen(p + skip) + 1);
        p = digits + strlen(count) + len - skip;
    }
}

/* Close the gap behind a name that has become shorter; the number of the instruction's words. */
static uint32_t shrink(uint32_t *w, uint32_t count, size_t at, size_t old_len)
{
    char *name = (char *)(w + at);
    size_t len = strlen(name), gone = old_len / 4 - len / 4;
    uint32_t *end = w + at + old_len / 4 + 1;

    memset(name + len, 0, (size_t)((char *)end - (name + len)));
    memmove(end - gone, end, 4 * (size_t)(w + count - end));
    w[0] -= (uint32_t)gone << 16;
    return count - (uint32_t)gone;
}

/* Give an instruction the source's name of what it names; the number of its words. */
static uint32_t restore_name(const char *prelude, uint32_t *w, const HdRawInst *in)
{
    bool is_export = in->op == SpvOpDecorate && in->w[in->count - 1] == SpvLinkageTypeExport;
    size_t at = name_word(in), len;
    char *name = (char *)(w + at);

    if (at == 0 || at >= in->count || memchr(name, 0, 4 * (in->count - at)) == NULL)
        return in->count;
    len = strlen(name);
    if (cut_prefix(name) || is_export)
        undo_rename(prelude, name);
    return shrink(w, in->count, at, len);
}

void hd_clc_restore_names(const char *prelude, uint32_t *words, size_t *nwords)
{
    size_t at = HD_MODULE_FIRST_WORD, to = at;

    for (HdRawInst in; hd_words_next(words, *nwords, &at, &in);) {
        uint32_t *w = words + at - in.count;
        uint32_t count = restore_name(prelude, w, &in);

        memmove(words + to, w, 4 * (size_t)count);
        to += count;
    }
    *nwords = to;
}
