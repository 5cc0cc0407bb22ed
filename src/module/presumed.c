/* module/presumed.c -- the lines of a source text, numbered by its #line directives.
 *
 * A program of several sources is one text, in which hosts name the parts by such directives; debug
 * information refers to the parts.
 *
 * Spec: C11 6.10.4, which OpenCL C takes over; preprocessors write the same without the word.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "module/source_state.h"

typedef struct Walk {
    const char *file; /* whose lines are wanted */
    HdStrbuf *out;
    uint32_t lines; /* in `out` */
    bool inside, any;
    uint32_t next; /* number of the line that comes */
} Walk;

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t");
}

/* Is `name`, up to its closing quote, equal to `file`? A backslash escapes the next character. */
static bool names(const char *name, const char *file)
{
    for (; *name != '"' && *name != '\0' && *name != '\n'; name++, file++) {
        name += *name == '\\' && name[1] != '\0';
        if (*name != *file)
            return false;
    }
    return *name == '"' && *file == '\0';
}

/* # line 12 "name", # 12 "name", # line 12 */
static bool is_directive(Walk *w, const char *line)
{
    char *end;
    unsigned long number;

    line = skip_blanks(line);
    if (*line != '#')
        return false;
    line = skip_blanks(line + 1);
    if (strncmp(line, "line", 4) == 0)
        line = skip_blanks(line + 4);
    if (*line < '0' || *line > '9')
        return false;
    number = strtoul(line, &end, 10);
    end = (char *)skip_blanks(end);
    w->next = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
    if (*end == '"')
        w->inside = names(end + 1, w->file);
    return true;
}

/* A line is placed at its number, after empty ones if earlier lines are missing. Duplicates are
 * omitted. */
static void take(Walk *w, const char *line, size_t length)
{
    if (!w->inside || w->next <= w->lines || w->next - w->lines > HD_MAX_MISSING_LINES)
        return;
    for (; w->lines + 1 < w->next; w->lines++)
        hd_strbuf_add_char(w->out, '\n');
    hd_strbuf_add_bytes(w->out, line, length);
    hd_strbuf_add_char(w->out, '\n');
    w->lines++;
    w->any = true;
}

/* glslang writes how it was called before the source, as comments, and #line 1 after them. */
static const char *after_heading(const char *text)
{
    static const char heading[] = "// OpModuleProcessed ";

    while (strncmp(text, heading, sizeof heading - 1) == 0) {
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return text;
}

bool hd_source_presumed(const char *text, const char *name, const char *file, HdStrbuf *out)
{
    Walk w = {.file = file, .out = out, .inside = strcmp(name, file) == 0, .next = 1};

    text = after_heading(text);
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");

        if (!is_directive(&w, text)) {
            take(&w, text, length);
            w.next += w.next < UINT32_MAX;
        }
        text += length + (text[length] == '\n');
    }
    return w.any;
}
