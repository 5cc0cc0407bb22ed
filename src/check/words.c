/* check/words.c -- who did it and where, as text; what those who write shaders call it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check/private.h"
#include "check/report.h"

#include <string.h>

/* OpenCL's words for how kernels run, and Vulkan's for shaders. Longer ones come first. */
static const char *const shaders_words[][2] = {
    {"a work-item", "an invocation"},  {"work-item", "invocation"},
    {"work-group", "workgroup"},       {"sub-group", "subgroup"},
    {"local memory", "shared memory"}, {"kernel", "shader"}};

/* The word that text begins with; NULL: none of these. */
static const char *const *word_at(const char *text)
{
    for (size_t i = 0; i < sizeof shaders_words / sizeof *shaders_words; i++)
        if (strncmp(text, shaders_words[i][0], strlen(shaders_words[i][0])) == 0)
            return shaders_words[i];
    return NULL;
}

/* A word begins after one of these. */
static bool is_before(char c)
{
    return c == ' ' || c == '\n' || c == '(';
}

void hd_shaders_words(const char *text, HdStrbuf *out)
{
    char before = ' ';
    bool quoted = false;

    for (const char *at = text; *at != '\0'; before = at[-1]) {
        const char *const *word = is_before(before) && !quoted ? word_at(at) : NULL;

        if (*at == '\'') /* names stay as they are; "work-item's" begins no name */
            quoted = !quoted && is_before(before);
        if (word == NULL) {
            hd_strbuf_add_char(out, *at++);
            continue;
        }
        hd_strbuf_add(out, word[1]);
        at += strlen(word[0]);
    }
}

static void add_words(bool is_shader, const char *text, HdStrbuf *out)
{
    if (is_shader)
        hd_shaders_words(text, out);
    else
        hd_strbuf_add(out, text);
}

static void add_ids(HdStrbuf *out, const char *name, const uint64_t id[3])
{
    hd_strbuf_printf(out, "%s (%llu, %llu, %llu)", name, (unsigned long long)id[0],
                     (unsigned long long)id[1], (unsigned long long)id[2]);
}

void hd_defect_item_text(const HdDefectItem *item, HdStrbuf *out)
{
    add_words(item->is_invocation, "work-item", out);
    add_ids(out, "", item->global);
    add_ids(out, ", local", item->local);
    add_ids(out, ", group", item->group);
    add_words(item->is_invocation, ", sub-group", out);
    hd_strbuf_printf(out, " %u lane %u", (unsigned)item->subgroup, (unsigned)item->lane);
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

const char *hd_defect_shaders_words(HdArena *a, const char *text)
{
    HdStrbuf out = {0};
    const char *kept = NULL;

    if (text == NULL)
        return NULL;
    hd_shaders_words(text, &out);
    if (!out.failed)
        kept = hd_arena_string(a, hd_strbuf_text(&out), out.count);
    hd_strbuf_free(&out);
    return kept;
}
