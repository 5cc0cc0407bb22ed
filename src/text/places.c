/* text/places.c -- where instructions begin in assembly text.
 *
 * SPDX-License-Identifier: MIT
 */
#include "text/places.h"

#include <string.h>

typedef struct Scan {
    const char *at, *end, *line_start;
    uint32_t line;
} Scan;

/* Step over white space and comments, and the zero byte at the end. */
static void skip(Scan *s)
{
    while (s->at < s->end) {
        char c = *s->at;

        if (c == ';') {
            while (s->at < s->end && *s->at != '\n')
                s->at++;
            continue;
        }
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != '\0')
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

bool hd_text_places(const char *text, size_t len, HdTextPlaces *out)
{
    Scan s = {.at = text, .end = text + len, .line_start = text, .line = 1};
    HdTextPlace last = {0};
    bool after_equals = false;

    for (skip(&s); s.at < s.end; skip(&s)) {
        HdTextPlace here = {s.line, (uint32_t)(s.at - s.line_start) + 1, (uint32_t)(s.at - text)};
        bool equals = *s.at == '=';
        /* An instruction that is written as numbers begins a line. */
        bool starts = starts_opcode(s.at, s.end) || (*s.at == '!' && here.line != last.line);

        if (starts && !HD_PUSH(NULL, out, after_equals ? last : here))
            return false;
        if (!equals)
            last = here;
        after_equals = equals;
        skip_word(&s);
    }
    return true;
}

void hd_text_place_words(const char *text, size_t len, const HdTextPlaces *places, size_t i,
                         uint32_t operand, HdStrbuf *out, uint32_t *mark, uint32_t *bytes)
{
    const char *end = text + (i + 1 < places->count ? places->at[i + 1].at : len);
    Scan s = {.at = text + places->at[i].at, .end = end};
    size_t start = out->count;
    uint32_t number = 0; /* of the word after the opcode */
    bool behind = false;

    *mark = *bytes = 0;
    for (skip(&s); s.at < s.end; skip(&s)) {
        const char *word = s.at;

        skip_word(&s);
        if (out->count > start)
            hd_strbuf_add_char(out, ' ');
        number += behind;
        behind |= starts_opcode(word, end) || *word == '!';
        if (behind && number == operand && *bytes == 0) {
            *mark = (uint32_t)(out->count - start);
            *bytes = (uint32_t)(s.at - word);
        }
        hd_strbuf_add_bytes(out, word, (size_t)(s.at - word));
    }
}
