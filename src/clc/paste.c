/* clc/paste.c -- which names a source may have: written out, or pasted together by macros.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/paste.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "clc/text.h"

#define MOST_BYTES 62u /* of a part: a bit for each of its places */

/* How far words reach: bit i says that the first i bytes of the part can be pasted together. */
typedef struct Paste {
    const char *part;
    size_t bytes;
    uint64_t reached;
} Paste;

/* A word goes on from place `at`: it ends inside the part or, as the last one, behind it. */
static void go_on(Paste *p, size_t at, const char *word, size_t len)
{
    size_t left = p->bytes - at, most = len < left ? len : left;

    if (memcmp(word, p->part + at, most) == 0)
        p->reached |= (uint64_t)1 << (at + most);
}

/* A word is the first one: the part begins in it, or after it. */
static void begin(Paste *p, const char *word, size_t len)
{
    for (size_t from = 0; from < len; from++)
        if (len - from < p->bytes && word[from] == p->part[0] &&
            memcmp(word + from, p->part, len - from) == 0)
            p->reached |= (uint64_t)1 << (len - from);
}

static void add_word(Paste *p, const char *word, size_t len)
{
    for (size_t at = 1; at < p->bytes; at++)
        if ((p->reached >> at & 1) != 0 && word[0] == p->part[at])
            go_on(p, at, word, len);
}

static void add_words(Paste *p, const char *text, bool is_first)
{
    while (*text != '\0') {
        size_t len = 0;

        while (hd_clc_is_name_char(text[len]))
            len++;
        if (len > 0 && is_first)
            begin(p, text, len);
        else if (len > 0)
            add_word(p, text, len);
        text += len > 0 ? len : 1;
    }
}

static void add_digits(Paste *p)
{
    for (size_t at = 0; at < p->bytes; at++)
        if ((at == 0 || (p->reached >> at & 1) != 0) && isdigit((unsigned char)p->part[at]))
            p->reached |= (uint64_t)1 << (at + 1);
}

const char *hd_clc_text(const HdClcSource *source, const HdClcOptions *o, size_t i,
                        const char **arg)
{
    if (i == 0)
        return source->text;
    if (i <= source->header_count)
        return source->headers[i - 1].text;
    return hd_clc_next_arg(o, arg) ? *arg : NULL;
}

static bool may_paste(const HdClcSource *source, const HdClcOptions *o, const char *part)
{
    Paste p = {.part = part, .bytes = strlen(part), .reached = 0};
    uint64_t before;
    bool is_first = true;

    if (p.bytes > MOST_BYTES)
        return true;
    do {
        const char *arg = NULL, *text;

        before = p.reached;
        for (size_t i = 0; (text = hd_clc_text(source, o, i, &arg)) != NULL; i++)
            add_words(&p, text, is_first);
        add_digits(&p);
        is_first = false;
    } while (p.reached != before && (p.reached >> p.bytes & 1) == 0);
    return (p.reached >> p.bytes & 1) != 0;
}

static bool pastes(const char *text)
{
    return strstr(text, "##") != NULL || strstr(text, "%:%:") != NULL;
}

bool hd_clc_may_name(const HdClcSource *source, const HdClcOptions *o, const char *part)
{
    const char *arg = NULL, *text;
    bool is_pasted = false;

    for (size_t i = 0; (text = hd_clc_text(source, o, i, &arg)) != NULL; i++) {
        if (strstr(text, part) != NULL || hd_clc_includes(text))
            return true;
        is_pasted = is_pasted || pastes(text);
    }
    return is_pasted && may_paste(source, o, part);
}

bool hd_clc_hides_names(const HdClcSource *source, const HdClcOptions *o)
{
    const char *arg = NULL, *text;

    for (size_t i = 0; (text = hd_clc_text(source, o, i, &arg)) != NULL; i++)
        if (hd_clc_includes(text) || pastes(text))
            return true;
    return false;
}
