/* clc/repair.c -- mending modules that clang made.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/repair.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "clc/text.h"
#include "gen/spirv.h"
#include "module/module.h"

void hd_clc_mend_instructions(uint32_t *words, size_t *nwords)
{
    size_t at = HD_MODULE_FIRST_WORD;

    for (HdRawInst in; hd_words_next(words, *nwords, &at, &in);) {
        uint32_t *w = words + at - in.count;

        if (in.op == SpvOpDecorate && in.count == 4 && w[2] == SpvDecorationAlignment &&
            w[3] > UINT32_MAX - 128)
            w[3] &= 0xff;
        if (in.op == SpvOpConstantNull && in.count > 3) {
            memmove(w + 3, words + at, (*nwords - at) * sizeof *words);
            *nwords -= in.count - 3;
            w[0] = 3u << 16 | in.op;
            at -= in.count - 3;
        }
    }
}

bool hd_clc_has_odd_widths(const uint32_t *words, size_t nwords)
{
    size_t at = HD_MODULE_FIRST_WORD;

    for (HdRawInst in; hd_words_next(words, nwords, &at, &in) && in.op == SpvOpCapability;)
        if (in.count > 1 && words[at - 1] == SpvCapabilityArbitraryPrecisionIntegersALTERA)
            return true;
    return false;
}

/* ---- reading LLVM's text --------------------------------------------------------------------- */

/* The number after "!<key> !" on the line; NULL: not found. */
static const char *find_number(const char *line, const char *end, const char *key)
{
    size_t len = strlen(key);

    for (const char *p = line; p + len + 3 < end; p++) {
        if (*p == '!' && strncmp(p + 1, key, len) == 0 && strncmp(p + 1 + len, " !", 2) == 0)
            return p + len + 3;
    }
    return NULL;
}

/* The items of a node of strings: the text after "!<number> = !{"; NULL: no such node. */
static const char *find_node(const char *info, const char *number)
{
    char wanted[32];

    snprintf(wanted, sizeof wanted, "\n!%.*s = !{", (int)(strspn(number, "0123456789") % 16),
             number);
    info = strstr(info, wanted);
    return info != NULL ? info + strlen(wanted) : NULL;
}

static unsigned hex_digit(char c)
{
    return c >= 'A' ? (unsigned)(c - 'A') + 10 : (unsigned)(c - '0');
}

/* Append every string of a node, each followed by a comma. */
static void add_items(const char *p, HdStrbuf *out)
{
    while (*p == '!' && p[1] == '"') {
        for (p += 2; *p != '"' && *p != '\0' && *p != '\n'; p++) {
            if (*p == '\\' && p[1] != '\0' && p[2] != '\0') {
                hd_strbuf_add_char(out, (char)(hex_digit(p[1]) * 16 + hex_digit(p[2])));
                p += 2;
            } else {
                hd_strbuf_add_char(out, *p);
            }
        }
        hd_strbuf_add_char(out, ',');
        p += *p == '"';
        p += strspn(p, ", ");
    }
}

/* ---- writing strings ------------------------------------------------------------------------- */

HdStatus hd_clc_add_string(HdClcWords *w, uint32_t id, const char *text, size_t len)
{
    size_t count = 3 + len / 4;

    if (!HD_ARRAY_RESERVE(NULL, w, count))
        return HD_NO_MEMORY;
    memset(w->at + w->count, 0, count * sizeof *w->at);
    w->at[w->count] = (uint32_t)count << 16 | SpvOpString;
    w->at[w->count + 1] = id;
    memcpy(w->at + w->count + 2, text, len);
    w->count += count;
    return HD_OK;
}

/* The strings of one kernel, whose definition is on this line. */
static HdStatus add_kernel(const char *info, const char *line, const char *end, HdClcWords *w,
                           uint32_t *bound)
{
    static const char *const kinds[] = {"kernel_arg_type", "kernel_arg_type_qual",
                                        "kernel_arg_name"};
    const char *name = memchr(line, '@', (size_t)(end - line));
    HdStatus st = HD_OK;

    if (name == NULL)
        return HD_OK;
    name++;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && st == HD_OK; i++) {
        const char *number = find_number(line, end, kinds[i]);
        const char *node = number != NULL ? find_node(info, number) : NULL;
        HdStrbuf text = {0};

        if (node == NULL)
            continue;
        hd_strbuf_printf(&text, "%s.%.*s.", kinds[i], (int)strcspn(name, "( \n"), name);
        add_items(node, &text);
        if (text.failed)
            st = HD_NO_MEMORY;
        else if (text.count / 4 + 3 <= UINT16_MAX) /* longer ones no instruction can hold */
            st = hd_clc_add_string(w, (*bound)++, hd_strbuf_text(&text), text.count);
        hd_strbuf_free(&text);
    }
    return st;
}

/* Where strings may stand: after the last instruction that must come before them. */
static size_t place_of_strings(const uint32_t *words, size_t nwords)
{
    size_t place = HD_MODULE_FIRST_WORD, at = place;

    for (HdRawInst in; hd_words_next(words, nwords, &at, &in); place = at) {
        if (in.op != SpvOpCapability && in.op != SpvOpExtension && in.op != SpvOpExtInstImport &&
            in.op != SpvOpMemoryModel && in.op != SpvOpEntryPoint && in.op != SpvOpExecutionMode &&
            in.op != SpvOpExecutionModeId)
            break;
    }
    return place;
}

HdStatus hd_clc_insert_strings(const HdClcWords *w, uint32_t bound, uint32_t **words,
                               size_t *nwords)
{
    size_t at = place_of_strings(*words, *nwords);
    uint32_t *longer;

    HD_TAKE(longer, hd_alloc((*nwords + w->count) * sizeof *longer));
    memcpy(longer, *words, at * sizeof *longer);
    memcpy(longer + at, w->at, w->count * sizeof *longer);
    memcpy(longer + at + w->count, *words + at, (*nwords - at) * sizeof *longer);
    longer[3] = bound;
    hd_free(*words);
    *words = longer;
    *nwords += w->count;
    return HD_OK;
}

HdStatus hd_clc_add_arg_info(const char *info, uint32_t **words, size_t *nwords)
{
    static const char start[] = "\ndefine ";
    HdClcWords w = {0};
    uint32_t bound;
    HdStatus st = HD_OK;

    if (*nwords < HD_MODULE_FIRST_WORD)
        return HD_OK;
    bound = (*words)[3];
    for (const char *p = strstr(info, start); p != NULL && st == HD_OK; p = strstr(p, start)) {
        const char *end = hd_clc_line_end(++p);

        if (memmem(p, (size_t)(end - p), " spir_kernel ", 13) != NULL)
            st = add_kernel(info, p, end, &w, &bound);
    }
    if (st == HD_OK && w.count > 0)
        st = hd_clc_insert_strings(&w, bound, words, nwords);
    HD_ARRAY_FREE(&w);
    return st;
}
