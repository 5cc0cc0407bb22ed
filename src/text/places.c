/* text/places.c -- where instructions begin in assembly text.
 *
 * SPDX-License-Identifier: MIT
 */
#include "text/places.h"

#include <string.h>

#include "text/as_state.h"

/* The assembler's words one after the other. */
typedef struct Scan {
    HdAs as;                          /* at and end alone */
    const char *line_start, *counted; /* lines are, up to there */
    uint32_t line;
} Scan;

/* A NUL ends the text, as it does for the assembler. */
static void scan_open(Scan *s, const char *at, const char *end)
{
    const char *nul = memchr(at, '\0', (size_t)(end - at));

    s->as.at = s->line_start = s->counted = at;
    s->as.end = nul != NULL ? nul : end;
    s->line = 1;
}

/* The next word; false at the end. */
static bool next_word(Scan *s, HdAsToken *word)
{
    if (!hd_as_skip(&s->as))
        return false;
    *word = hd_as_word(&s->as, s->as.at);
    s->as.at = word->s + word->len;
    return true;
}

static void count_lines(Scan *s, const char *until)
{
    const char *p;

    while ((p = memchr(s->counted, '\n', (size_t)(until - s->counted))) != NULL) {
        s->line++;
        s->line_start = s->counted = p + 1;
    }
    s->counted = until;
}

bool hd_text_places(const char *text, size_t len, HdTextPlaces *out)
{
    HdTextPlace last = {0};
    bool after_equals = false;
    HdAsToken word;
    Scan s;

    scan_open(&s, text, text + len);
    while (next_word(&s, &word)) {
        bool equals = word.len == 1 && *word.s == '=', starts;
        HdTextPlace here;

        count_lines(&s, word.s);
        here =
            (HdTextPlace){s.line, (uint32_t)(word.s - s.line_start) + 1, (uint32_t)(word.s - text)};
        /* An instruction that is written as numbers begins a line. */
        starts = hd_as_starts_op(&s.as, word.s) || (*word.s == '!' && here.line != last.line);
        if (starts && !HD_PUSH(NULL, out, after_equals ? last : here))
            return false;
        if (!equals)
            last = here;
        after_equals = equals;
    }
    return true;
}

void hd_text_place_words(const char *text, size_t len, const HdTextPlaces *places, size_t i,
                         uint32_t operand, HdStrbuf *out, uint32_t *mark, uint32_t *bytes)
{
    const char *end = text + (i + 1 < places->count ? places->at[i + 1].at : len);
    size_t start = out->count;
    uint32_t number = 0; /* of the word after the opcode */
    bool behind = false;
    HdAsToken word;
    Scan s;

    scan_open(&s, text + places->at[i].at, end);
    *mark = *bytes = 0;
    while (next_word(&s, &word)) {
        if (out->count > start)
            hd_strbuf_add_char(out, ' ');
        number += behind;
        behind |= hd_as_starts_op(&s.as, word.s) || *word.s == '!';
        if (behind && number == operand && *bytes == 0) {
            *mark = (uint32_t)(out->count - start);
            *bytes = (uint32_t)word.len;
        }
        hd_strbuf_add_bytes(out, word.s, word.len);
    }
}
