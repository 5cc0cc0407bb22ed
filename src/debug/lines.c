/* debug/lines.c -- instructions to lines, and back.
 *
 * SPDX-License-Identifier: MIT
 */
#include "debug/lines.h"

#include <string.h>

#include "base/bisect.h"
#include "base/file.h"
#include "module/source.h"
#include "text/dis.h"
#include "text/places.h"

static HdStatus find_file(HdDebugLines *l, const char *name, uint32_t *index)
{
    const HdDebugFile fresh = {.name = name};

    for (*index = 0; *index < l->files.count; ++*index)
        if (strcmp(l->files.at[*index].name, name) == 0)
            return HD_OK;
    return HD_PUSH(NULL, &l->files, fresh) ? HD_OK : HD_NO_MEMORY;
}

static HdStatus from_debug_info(const HdModule *m, HdDebugLines *l)
{
    uint32_t word = m->first_function;
    HdSourcePlace place = {0};

    for (HdInst in; hd_module_next(m, &word, &in);) {
        HdDebugPlace p = {.word = in.word, .file = HD_NO_FILE};

        hd_source_step(m, &in, &place);
        if (place.file == NULL || place.line == 0 || in.opix == HD_OPIX_Line)
            continue;
        HD_TRY(find_file(l, place.file, &p.file));
        p.line = place.line;
        p.column = place.column;
        HD_TRY_PUSH(NULL, &l->places, p);
    }
    return HD_OK;
}

/* ---- the module as its own source ---------------------------------------------------------- */

static HdStatus disassemble(const HdModule *m, HdDebugFile *f)
{
    const HdDisOptions options = {.indent = true, .no_header = true, .unknown_ops = true};
    HdStrbuf text = {0};
    HdDiags d;
    HdStatus st;

    hd_diags_init(&d);
    st = hd_text_disassemble(m->words, m->nwords, &options, &d, &text);
    hd_diags_drop(&d);
    f->text = text.at;
    f->len = text.count;
    return st;
}

static HdStatus from_text(const HdModule *m, HdDebugLines *l)
{
    HdTextPlaces places = {0};
    uint32_t word = HD_MODULE_FIRST_WORD;
    size_t i = 0;
    HdStatus st = HD_OK;

    if (!hd_text_places(l->files.at[0].text, l->files.at[0].len, &places))
        st = HD_NO_MEMORY;
    for (HdInst in; st == HD_OK && i < places.count && hd_module_next(m, &word, &in); i++) {
        const HdDebugPlace p = {
            .word = in.word, .line = places.at[i].line, .column = places.at[i].column};

        if (in.word >= m->first_function && !HD_PUSH(NULL, &l->places, p))
            st = HD_NO_MEMORY;
    }
    HD_ARRAY_FREE(&places);
    return st;
}

static HdStatus from_assembly(const HdModule *m, const char *path, const char *text, size_t len,
                              HdDebugLines *l)
{
    HdDebugFile f = {.name = path, .was_read = true, .is_own = text == NULL};

    l->is_assembly = true;
    if (text != NULL) {
        HD_TAKE(f.text, hd_alloc(len + 1));
        memcpy(f.text, text, len);
        f.text[len] = '\0';
        f.len = len;
    } else {
        HD_TRY(disassemble(m, &f));
    }
    if (!HD_PUSH(NULL, &l->files, f)) {
        hd_free(f.text);
        return HD_NO_MEMORY;
    }
    return from_text(m, l);
}

HdStatus hd_debug_lines_open(const HdModule *m, const char *path, const char *text, size_t len,
                             HdDebugLines *out)
{
    *out = (HdDebugLines){0};
    if (m->has_lines)
        HD_TRY(from_debug_info(m, out));
    return out->places.count > 0 ? HD_OK : from_assembly(m, path, text, len, out);
}

void hd_debug_lines_close(HdDebugLines *l)
{
    for (size_t i = 0; i < l->files.count; i++) {
        hd_free(l->files.at[i].text);
        HD_ARRAY_FREE(&l->files.at[i].lines);
    }
    HD_ARRAY_FREE(&l->files);
    HD_ARRAY_FREE(&l->places);
}

/* ---- asking -------------------------------------------------------------------------------- */

HdDebugPlace hd_debug_lines_at(const HdDebugLines *l, uint32_t word)
{
    size_t i;

    HD_BISECT(i, l->places.count, l->places.at[i].word >= word);
    if (i < l->places.count && l->places.at[i].word == word)
        return l->places.at[i];
    return (HdDebugPlace){.word = word, .file = HD_NO_FILE};
}

static bool ends_with(const char *name, const char *tail)
{
    size_t n = strlen(name), t = strlen(tail);

    return n >= t && strcmp(name + n - t, tail) == 0 && (n == t || name[n - t - 1] == '/');
}

uint32_t hd_debug_lines_file(const HdDebugLines *l, const char *name)
{
    const char *last = strrchr(name, '/');

    for (uint32_t i = 0; i < l->files.count; i++)
        if (strcmp(l->files.at[i].name, name) == 0)
            return i;
    for (uint32_t i = 0; i < l->files.count; i++)
        if (ends_with(l->files.at[i].name, name) || ends_with(name, l->files.at[i].name))
            return i;
    for (uint32_t i = 0; last != NULL && i < l->files.count; i++)
        if (ends_with(l->files.at[i].name, last + 1))
            return i;
    return HD_NO_FILE;
}

static void read_file(const HdModule *m, HdDebugFile *f)
{
    HdStrbuf text = {0};
    char *bytes = NULL;
    HdDiags d;

    f->was_read = true;
    if (hd_source_text(m, f->name, &text)) {
        f->text = text.at;
        f->len = text.count;
        return;
    }
    hd_diags_init(&d);
    if (hd_file_read_regular(f->name, &d, &bytes, &f->len) == HD_OK)
        f->text = bytes;
    hd_diags_drop(&d);
}

static bool find_lines(const HdModule *m, HdDebugFile *f)
{
    if (!f->was_read)
        read_file(m, f);
    if (f->text == NULL)
        return false;
    if (f->lines.count > 0)
        return true;
    if (!HD_PUSH(NULL, &f->lines, 0))
        return false;
    for (size_t i = 0; i + 1 < f->len; i++)
        if (f->text[i] == '\n' && !HD_PUSH(NULL, &f->lines, i + 1))
            return false;
    return true;
}

uint32_t hd_debug_lines_count(const HdModule *m, HdDebugLines *l, uint32_t file)
{
    if (file >= l->files.count || !find_lines(m, &l->files.at[file]))
        return 0;
    return (uint32_t)l->files.at[file].lines.count;
}

const char *hd_debug_lines_text(const HdModule *m, HdDebugLines *l, uint32_t file, uint32_t line,
                                size_t *len)
{
    const HdDebugFile *f;
    size_t first, end;

    if (line == 0 || line > hd_debug_lines_count(m, l, file))
        return NULL;
    f = &l->files.at[file];
    first = f->lines.at[line - 1];
    end = line < f->lines.count ? f->lines.at[line] : f->len;
    while (end > first && (f->text[end - 1] == '\n' || f->text[end - 1] == '\r'))
        end--;
    *len = end - first;
    return f->text + first;
}
