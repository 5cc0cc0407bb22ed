/* tool/lines.c -- findings in a module given as text refer to the text: its lines, its names.
 *
 * Findings only have word offsets. The n-th instruction of the words is the n-th of the text.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "check/counts.h"
#include "text/as.h"
#include "text/places.h"

#define MAX_TEXT 500 /* bytes of an instruction that are shown */

typedef struct Text {
    HdDiags *d;
    const char *text;
    size_t len;
    HdTextPlaces places;
    HD_ARRAY(uint32_t) starts; /* word offsets of instructions */
    HdTextIds ids;
} Text;

static bool find_starts(Text *t, const uint32_t *words, size_t nwords)
{
    for (size_t word = 5; word < nwords && words[word] >> 16 != 0; word += words[word] >> 16)
        if (!HD_PUSH(NULL, &t->starts, (uint32_t)word))
            return false;
    return true;
}

/* Where the instruction at a word offset begins; NULL when there is none, or the text has fewer. */
static const HdTextPlace *place_of(const Text *t, uint32_t word)
{
    size_t i;

    HD_BISECT(i, t->starts.count, t->starts.at[i] >= word);
    return i < t->starts.count && t->starts.at[i] == word && i < t->places.count ? &t->places.at[i]
                                                                                 : NULL;
}

/* A number after one of the words with which messages refer to a module. */
static bool number_after(const char *sentence, const char *at, const char *word, uint32_t *number,
                         const char **end)
{
    size_t len = strlen(word);
    unsigned long n;

    if ((at > sentence && isalnum((unsigned char)at[-1])) || strncmp(at, word, len) != 0 ||
        !isdigit((unsigned char)at[len]))
        return false;
    n = strtoul(at + len, (char **)end, 10);
    *number = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
    return true;
}

/* "id 12" becomes %name, "byte 48" the line of what begins there. */
static void speak_of_text(Text *t, HdDiag *g)
{
    HdStrbuf out = {0};
    const char *end, *name;
    bool changed = false;
    uint32_t n;

    for (const char *at = g->message; *at != '\0'; at = end) {
        end = at + 1;
        if (number_after(g->message, at, "id ", &n, &end) &&
            (name = hd_text_ids_find(&t->ids, n)) != NULL) {
            hd_strbuf_add(&out, name);
            changed = true;
        } else if (number_after(g->message, at, "byte ", &n, &end) && place_of(t, n / 4) != NULL) {
            hd_strbuf_printf(&out, "line %u", (unsigned)place_of(t, n / 4)->line);
            changed = true;
        } else {
            hd_strbuf_add_bytes(&out, at, (size_t)(end - at));
        }
    }
    name = changed && !out.failed ? hd_diags_string(t->d, hd_strbuf_text(&out)) : NULL;
    if (name != NULL)
        g->message = name;
    hd_strbuf_free(&out);
}

/* The instruction as it is written. */
static void quote(Text *t, HdDiag *g, const HdTextPlace *place)
{
    HdStrbuf out = {0};
    uint32_t mark, bytes;
    const char *copy;

    hd_text_place_words(t->text, t->len, &t->places, (size_t)(place - t->places.at), g->operand,
                        &out, &mark, &bytes);
    if (out.count > MAX_TEXT) {
        memcpy(out.at + MAX_TEXT - 4, "\xe2\x80\xa6", 4);
        bytes = mark + bytes < MAX_TEXT - 4 ? bytes : 0;
    }
    copy = out.failed ? NULL : hd_diags_string(t->d, hd_strbuf_text(&out));
    if (copy != NULL) {
        g->inst = copy;
        g->mark = bytes != 0 ? mark : 0;
        g->mark_bytes = bytes;
    }
    hd_strbuf_free(&out);
}

/* A finding by its instruction in the text. */
static void place(Text *t, HdDiag *g)
{
    const HdTextPlace *at;

    if (g->word == HD_NO_PLACE || g->line != 0)
        return;
    speak_of_text(t, g);
    at = place_of(t, g->word);
    if (at == NULL)
        return;
    g->line = at->line;
    g->column = at->column;
    quote(t, g, at);
}

static bool has_unplaced(const HdDiags *d)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->at[i].word != HD_NO_PLACE && d->at[i].line == 0)
            return true;
    return false;
}

static void place_all(HdDiags *d, const HdAsOptions *options, const uint32_t *words, size_t nwords)
{
    Text t = {.d = d, .text = d->text.bytes, .len = d->text.count};

    if (hd_text_places(t.text, t.len, &t.places) && find_starts(&t, words, nwords) &&
        hd_text_ids(t.text, t.len, options, &t.ids) == HD_OK)
        for (size_t i = 0; i < d->count; i++)
            place(&t, &d->at[i]);
    hd_text_ids_free(&t.ids);
    HD_ARRAY_FREE(&t.starts);
    HD_ARRAY_FREE(&t.places);
}

void hd_tool_place_lines(HdDiags *d, const uint32_t *words, size_t nwords)
{
    const HdAsOptions options = {.version = d->text.version,
                                 .preserve_numeric_ids = d->text.preserve_numeric_ids};
    uint32_t *made = NULL;
    HdDiags again;

    hd_diags_init(&again);
    if (d->text.bytes != NULL && has_unplaced(d) &&
        (words != NULL ||
         hd_text_assemble(d->text.bytes, d->text.count, &options, &again, &made, &nwords) == HD_OK))
        place_all(d, &options, made != NULL ? made : words, nwords);
    hd_diags_drop(&again);
    hd_free(made);
    hd_diags_read_text(d, NULL);
}

/* What ran, and the text that it was made from. */
typedef struct Found {
    Text t;
    const HdModule *m;
    const uint32_t *words;
    size_t nwords;
} Found;

static bool line_of(void *user, uint32_t word, uint32_t *line, uint32_t *column)
{
    const Found *f = user;
    const HdTextPlace *place = place_of(&f->t, hd_module_place_in(f->m, word, f->words, f->nwords));

    if (place != NULL) {
        *line = place->line;
        *column = place->column;
    }
    return place != NULL;
}

static void place_in(HdCheck *c, const HdDiags *d, Found *f)
{
    hd_check_place(c, d->file, line_of, f);
    hd_counts_place(c, d->file, f->t.text, line_of, f);
}

void hd_tool_place_found(HdCheck *c, const HdDiags *d, const HdModule *m, const uint32_t *words,
                         size_t nwords)
{
    Found f = {.t = {.text = d->text.bytes, .len = d->text.count},
               .m = m,
               .words = words,
               .nwords = nwords};

    if (f.t.text != NULL && hd_text_places(f.t.text, f.t.len, &f.t.places) &&
        find_starts(&f.t, words, nwords))
        place_in(c, d, &f);
    HD_ARRAY_FREE(&f.t.starts);
    HD_ARRAY_FREE(&f.t.places);
}
