/* clc/text.c -- reading text.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/text.h"

#include <ctype.h>
#include <string.h>

const char *hd_clc_line_end(const char *p)
{
    return p + strcspn(p, "\n");
}

bool hd_clc_next_line(const char **p, HdClcText *line)
{
    if (**p == '\0')
        return false;
    *line = (HdClcText){*p, hd_clc_line_end(*p)};
    *p = line->end + (*line->end != '\0');
    return true;
}

HdClcText hd_clc_word(const char **p, const char *end)
{
    HdClcText t;

    while (*p < end && **p == ' ')
        ++*p;
    t.at = *p;
    while (*p < end && **p != ' ' && **p != ',')
        ++*p;
    t.end = *p;
    return t;
}

bool hd_clc_is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

HdClcText hd_clc_name_at(const char *p)
{
    HdClcText name = {p, p};

    while (hd_clc_is_name_char(*name.end))
        name.end++;
    return name;
}

bool hd_clc_begins(HdClcText t, const char *with)
{
    size_t len = strlen(with);

    return (size_t)(t.end - t.at) >= len && memcmp(t.at, with, len) == 0;
}

bool hd_clc_is(HdClcText t, const char *what)
{
    return (size_t)(t.end - t.at) == strlen(what) && hd_clc_begins(t, what);
}

const char *hd_clc_find(HdClcText t, const char *what)
{
    return t.at < t.end ? memmem(t.at, (size_t)(t.end - t.at), what, strlen(what)) : NULL;
}

void hd_clc_add(HdStrbuf *out, HdClcText t)
{
    hd_strbuf_add_bytes(out, t.at, (size_t)(t.end - t.at));
}

void hd_clc_add_line(HdStrbuf *out, HdClcText line)
{
    hd_clc_add(out, line);
    hd_strbuf_add_char(out, '\n');
}

/* Does a directive begin with this word? */
static bool is_directive(const char *text, const char *word)
{
    while (word > text && (word[-1] == ' ' || word[-1] == '\t'))
        word--;
    return word > text && (word[-1] == '#' || (word - text > 1 && memcmp(word - 2, "%:", 2) == 0));
}

bool hd_clc_includes(const char *source)
{
    static const char *const words[] = {"include", "import"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (const char *p = source; (p = strstr(p, words[i])) != NULL; p++)
            if (is_directive(source, p))
                return true;
    return false;
}

unsigned hd_clc_usual_width(unsigned bits)
{
    unsigned w = bits == 1 ? 1 : 8;

    while (w < bits)
        w *= 2;
    return w;
}

bool hd_clc_has_word(const char *text, const char *word)
{
    size_t len = strlen(word);

    for (const char *p = text; (p = strstr(p, word)) != NULL; p += len)
        if ((p == text || !hd_clc_is_name_char(p[-1])) && !hd_clc_is_name_char(p[len]))
            return true;
    return false;
}
