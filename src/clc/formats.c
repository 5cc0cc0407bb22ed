/* clc/formats.c -- warnings about printf's formats that clang does not give.
 *
 * clang checks formats as C has them, so a width that an argument gives (%*d) passes without a
 * word, though OpenCL C lacks it and other drivers print it wrong. The formats are taken from the
 * module, where they are strings, whatever macros the source wrote them with; the place is that of
 * the same conversion in the source, if it stands there.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/formats.h"

#include <string.h>

#include "gen/extinst.h"
#include "gen/spirv.h"
#include "module/constant.h"
#include "module/module.h"

/* From its % to after its letter. */
typedef struct Conversion {
    const char *at;
    size_t len;
} Conversion;

static bool is_silent(const HdClcOptions *o)
{
    for (const char *arg = NULL; hd_clc_next_arg(o, &arg);)
        if (strcmp(arg, "-w") == 0)
            return true;
    return false;
}

/* The place of a piece of a string literal in the source, or 0, 0. */
static void find_place(const HdClcSource *s, Conversion c, unsigned *line, unsigned *column)
{
    const char *start = s->text, *end = s->text + s->bytes;
    bool is_inside = false;

    *line = 1;
    for (const char *p = start; p < end; p++) {
        if (*p == '\n') {
            ++*line;
            start = p + 1;
            is_inside = false;
        }
        if (*p == '"' && (p == s->text || p[-1] != '\\'))
            is_inside = !is_inside;
        if (is_inside && c.len <= (size_t)(end - p) && memcmp(p, c.at, c.len) == 0) {
            *column = (unsigned)(p - start) + 1;
            return;
        }
    }
    *line = *column = 0;
}

/* The next conversion of C that OpenCL C lacks; false: there is none from *at on. */
static bool next_of_c(const char **at, Conversion *out)
{
    const char *p = *at;

    while ((p = strchr(p, '%')) != NULL) {
        size_t fields = strspn(p + 1, "-+ #0123456789.*");
        const char *end = p + 1 + fields;

        end += strspn(end, "hlztjLv0123456789");
        end += *end != '\0';
        *out = (Conversion){.at = p, .len = (size_t)(end - p)};
        p = end;
        if (memchr(out->at, '*', 1 + fields) != NULL) {
            *at = p;
            return true;
        }
    }
    return false;
}

/* Warn once of each conversion. */
static void warn(const HdClcSource *s, const HdClcOptions *o, const char *format, HdStrbuf *log,
                 size_t from)
{
    Conversion c;

    while (next_of_c(&format, &c)) {
        unsigned line, column;
        HdStrbuf what = {0};

        hd_strbuf_printf(&what, "OpenCL C has no conversion %.*s; Heddle prints it as C does",
                         (int)c.len, c.at);
        if (log->count == from || strstr(log->at + from, hd_strbuf_text(&what)) == NULL) {
            find_place(s, c, &line, &column);
            hd_strbuf_add(log, o->path != NULL ? o->path : "source.cl");
            if (line != 0)
                hd_strbuf_printf(log, ":%u:%u", line, column);
            hd_strbuf_printf(log, ": warning: %s [-Wformat]\n", hd_strbuf_text(&what));
        }
        hd_strbuf_free(&what);
    }
}

/* The variable that a format lies in. */
static const HdConstant *text_of(const HdModule *m, HdId id)
{
    HdInst in;

    for (unsigned steps = 0; steps < 8 && hd_module_def(m, id, &in) && in.nwords > 3; steps++) {
        if (in.opix == HD_OPIX_Variable)
            return in.nwords > 4 ? hd_module_constant(m, in.w[4]) : NULL;
        id = in.w[3];
    }
    return NULL;
}

static void read_text(const HdConstant *text, HdStrbuf *out)
{
    for (uint32_t i = 0; text != NULL && text->kind == HD_C_COMPOSITE && i < text->count; i++) {
        HdConstant own;
        const HdConstant *c = hd_constant_at(text, i, &own);

        if (c->kind != HD_C_SCALAR || c->bits == 0)
            return;
        hd_strbuf_add_char(out, (char)c->bits);
    }
}

static bool is_printf(const HdRawInst *in, const uint32_t *w)
{
    return in->op == SpvOpExtInst && in->count > 5 && w[4] == OpenCLstd_printf;
}

/* Without the module being read: most have no printf. */
static bool has_printf(const uint32_t *words, size_t nwords)
{
    size_t at = HD_MODULE_FIRST_WORD;

    for (HdRawInst in; hd_words_next(words, nwords, &at, &in);)
        if (is_printf(&in, words + at - in.count))
            return true;
    return false;
}

HdStatus hd_clc_warn_formats(const HdClcSource *source, const HdClcOptions *options,
                             const uint32_t *words, size_t nwords, HdStrbuf *log)
{
    size_t at = HD_MODULE_FIRST_WORD, from = log->count;
    HdDiags none;
    HdModule *m;
    HdStatus st;

    if (is_silent(options) || !has_printf(words, nwords))
        return HD_OK;
    hd_diags_init(&none);
    st = hd_module_read(words, nwords, true, &none, &m);
    hd_diags_drop(&none);
    if (st != HD_OK)
        return st == HD_NO_MEMORY ? st : HD_OK; /* what is wrong is told when it is built */
    for (HdRawInst in; hd_words_next(words, nwords, &at, &in);) {
        const uint32_t *w = words + at - in.count;
        HdStrbuf format = {0};

        if (!is_printf(&in, w))
            continue;
        read_text(text_of(m, w[5]), &format);
        warn(source, options, hd_strbuf_text(&format), log, from);
        hd_strbuf_free(&format);
    }
    hd_module_drop(m);
    return log->failed ? HD_NO_MEMORY : HD_OK;
}
