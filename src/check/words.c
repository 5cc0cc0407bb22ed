/* check/words.c -- who did it and where, as text; what those who write shaders call it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check/private.h"
#include "check/report.h"

#include <string.h>

static void add_ids(HdStrbuf *out, const char *name, const uint64_t id[3])
{
    hd_strbuf_printf(out, "%s (%llu, %llu, %llu)", name, (unsigned long long)id[0],
                     (unsigned long long)id[1], (unsigned long long)id[2]);
}

void hd_defect_item_text(const HdDefectItem *item, HdStrbuf *out)
{
    add_ids(out, item->is_invocation ? "invocation" : "work-item", item->global);
    add_ids(out, ", local", item->local);
    add_ids(out, ", group", item->group);
    hd_strbuf_printf(out, ", sub-group %u lane %u", (unsigned)item->subgroup, (unsigned)item->lane);
}

void hd_defect_place_text(const HdDefectPlace *p, HdStrbuf *out)
{
    const char *between = p->function != NULL ? " " : "";

    if (p->function != NULL)
        hd_strbuf_printf(out, "in %s", p->function);
    if (p->source != NULL)
        hd_strbuf_printf(out, p->column != 0 ? "%sat %s:%u:%u" : "%sat %s:%u", between, p->source,
                         p->line, p->column);
    else if (p->word != HD_NO_PLACE)
        hd_strbuf_printf(out, "%sat byte %llu", between, (unsigned long long)p->word * 4);
}

/* Checks speak of kernels; reports of shaders have Vulkan's words. Longer ones come first. */
static const char *const shaders_words[][2] = {{"a work-item", "an invocation"},
                                               {"work-item", "invocation"},
                                               {"local memory", "shared memory"},
                                               {"kernel", "shader"}};

/* The word that text begins with; NULL: none of these. */
static const char *const *word_at(const char *text)
{
    for (size_t i = 0; i < sizeof shaders_words / sizeof *shaders_words; i++)
        if (strncmp(text, shaders_words[i][0], strlen(shaders_words[i][0])) == 0)
            return shaders_words[i];
    return NULL;
}

const char *hd_defect_shaders_words(HdArena *a, const char *text)
{
    HdStrbuf out = {0};
    const char *kept = NULL;
    char before = ' ';
    bool quoted = false;

    if (text == NULL)
        return NULL;
    for (const char *at = text; *at != '\0'; before = at[-1]) {
        const char *const *word = before == ' ' && !quoted ? word_at(at) : NULL;

        if (*at == '\'') /* names stay as they are; "work-item's" begins no name */
            quoted = !quoted && before == ' ';
        if (word == NULL) {
            hd_strbuf_add_char(&out, *at++);
            continue;
        }
        hd_strbuf_add(&out, word[1]);
        at += strlen(word[0]);
    }
    if (!out.failed)
        kept = hd_arena_string(a, hd_strbuf_text(&out), out.count);
    hd_strbuf_free(&out);
    return kept;
}
