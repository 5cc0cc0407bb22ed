/* check/source.c -- lines of the sources that defects name.
 *
 * From the module, otherwise read from the path in the debug information; a missing file has no
 * lines.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "check/report.h"

void hd_sources_close(HdSources *s)
{
    for (size_t i = 0; i < s->files.count; i++)
        hd_free(s->files.at[i].text);
    HD_ARRAY_FREE(&s->files);
}

static const HdSourceText *read(HdSources *s, const char *path)
{
    HdSourceText f = {.path = path};
    HdDiags d;

    for (size_t i = 0; i < s->files.count; i++)
        if (strcmp(s->files.at[i].path, path) == 0)
            return &s->files.at[i];
    hd_diags_init(&d);
    if (hd_file_read_regular(path, &d, &f.text, &f.count) != HD_OK)
        f.text = NULL;
    hd_diags_drop(&d);
    if (!HD_PUSH(NULL, &s->files, f)) {
        hd_free(f.text);
        return NULL;
    }
    return &s->files.at[s->files.count - 1];
}

static const char *line_of(const char *text, size_t count, uint32_t line, size_t *len)
{
    const char *at = text, *end;

    while (--line > 0) {
        at = memchr(at, '\n', count - (size_t)(at - text));
        if (at == NULL)
            return NULL;
        at++;
    }
    end = memchr(at, '\n', count - (size_t)(at - text));
    *len = end != NULL ? (size_t)(end - at) : count - (size_t)(at - text);
    return *len > 0 || end != NULL ? at : NULL;
}

const char *hd_sources_text(HdSources *s, const char *path, const char *text, size_t *len)
{
    const HdSourceText *f = text == NULL ? read(s, path) : NULL;

    if (f != NULL)
        text = f->text;
    *len = text == NULL ? 0 : f != NULL ? f->count : strlen(text);
    return text;
}

const char *hd_sources_line(HdSources *s, const HdDefectPlace *p, uint32_t line, size_t *len)
{
    const char *text;
    size_t count;

    if (p->source == NULL || line == 0)
        return NULL;
    text = hd_sources_text(s, p->source, p->text, &count);
    return text != NULL ? line_of(text, count, line, len) : NULL;
}
