/* tool/lines.c -- the n-th instruction of a module stands where the n-th begins in its text.
 *
 * An instruction begins at an opcode's name, or at the `%id =` in front of it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/lines.h"

#include <string.h>

#include "base/array.h"

typedef struct Place {
    uint32_t line, column;
} Place;

typedef HD_ARRAY(Place) Places;

typedef struct Scan {
    const char *at, *end, *line_start;
    uint32_t line;
} Scan;

/* Step over white space and comments. */
static void skip(Scan *s)
{
    while (s->at < s->end) {
        char c = *s->at;

        if (c == ';') {
            while (s->at < s->end && *s->at != '\n')
                s->at++;
            continue;
        }
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
            return;
        s->at++;
        if (c == '\n') {
            s->line++;
            s->line_start = s->at;
        }
    }
}

static void skip_string(Scan *s)
{
    for (s->at++; s->at < s->end && *s->at != '"'; s->at++) {
        if (*s->at == '\\' && s->at + 1 < s->end)
            s->at++;
        if (*s->at == '\n') {
            s->line++;
            s->line_start = s->at + 1;
        }
    }
    if (s->at < s->end)
        s->at++;
}

static void skip_word(Scan *s)
{
    if (*s->at == '"') {
        skip_string(s);
        return;
    }
    while (s->at < s->end && strchr(" \t\r\n;", *s->at) == NULL) {
        if (*s->at == '"')
            skip_string(s);
        else
            s->at++;
    }
}

static bool starts_opcode(const char *at, const char *end)
{
    return end - at > 2 && at[0] == 'O' && at[1] == 'p' && at[2] >= 'A' && at[2] <= 'Z';
}

static bool find_places(const char *text, size_t len, Places *out)
{
    Scan s = {.at = text, .end = text + len, .line_start = text, .line = 1};
    Place last = {0};
    bool after_equals = false;

    for (skip(&s); s.at < s.end; skip(&s)) {
        Place here = {s.line, (uint32_t)(s.at - s.line_start) + 1};
        bool equals = *s.at == '=';

        if (starts_opcode(s.at, s.end) && !HD_PUSH(NULL, out, after_equals ? last : here))
            return false;
        if (!equals)
            last = here;
        after_equals = equals;
        skip_word(&s);
    }
    return true;
}

void hd_tool_place_lines(HdDiags *d, const char *text, size_t len, const uint32_t *words,
                         size_t nwords)
{
    Places places = {0};
    size_t word = 5, i = 0;

    if (words == NULL || d->count == 0 || !find_places(text, len, &places)) {
        HD_ARRAY_FREE(&places);
        return;
    }
    /* Findings are in the order of the module but for the few without a place. */
    for (size_t k = 0; k < d->count; k++) {
        HdDiag *g = &d->at[k];

        if (g->word == HD_NO_PLACE || g->word < 5 || g->line != 0)
            continue;
        if (g->word < word) {
            word = 5;
            i = 0;
        }
        while (word < g->word && word < nwords && words[word] >> 16 != 0) {
            word += words[word] >> 16;
            i++;
        }
        if (word == g->word && i < places.count) {
            g->line = places.at[i].line;
            g->column = places.at[i].column;
        }
    }
    HD_ARRAY_FREE(&places);
}
