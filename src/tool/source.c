/* tool/source.c -- reading a module in any of its forms.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/source.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "clc/clc.h"
#include "val/device.h"

#define MAGIC         0x07230203u
#define MAGIC_SWAPPED 0x03022307u
#define LOOK_BYTES    512 /* of a file, to see what it holds */

static bool ends_in(const char *path, const char *ending)
{
    size_t n = strlen(path), k = strlen(ending);

    return n >= k && strcmp(path + n - k, ending) == 0;
}

bool hd_tool_is_source(const char *path)
{
    return ends_in(path, ".cl");
}

bool hd_tool_is_text(const char *path, const char *bytes, size_t count)
{
    uint32_t first;

    if (ends_in(path, ".spvasm"))
        return true;
    if (count < sizeof first)
        return false;
    memcpy(&first, bytes, sizeof first);
    if (first == MAGIC || first == MAGIC_SWAPPED)
        return false;
    for (size_t i = 0; i < count && i < LOOK_BYTES; i++)
        if ((unsigned char)bytes[i] < ' ' && strchr("\t\n\v\f\r", bytes[i]) == NULL)
            return false;
    return true;
}

HdStatus hd_tool_assemble(const char *path, const char *text, size_t len, const HdAsOptions *o,
                          HdDiags *d, uint32_t **words, size_t *nwords)
{
    HdStatus st = hd_text_assemble(text, len, o, d, words, nwords);
    HdDiag *last = st == HD_BAD_INPUT ? hd_diags_last(d) : NULL;

    if (last != NULL && last->hint == NULL && strcmp(last->rule, "as.syntax") == 0 &&
        !ends_in(path, ".spvasm"))
        last->hint = "this was read as SPIR-V text; OpenCL C needs a file name that ends in .cl";
    return st;
}

/* What was read becomes the words, so that there is one copy. */
static HdStatus binary(char **bytes, size_t count, HdDiags *d, uint32_t **words, size_t *nwords)
{
    if (count % 4 != 0)
        return hd_fail(
            d, HD_BAD_INPUT, HD_NO_PLACE, "module.bytes",
            "%zu bytes are not a whole number of 4-byte words: the file may be truncated", count);
    *words = (uint32_t *)(void *)*bytes;
    *bytes = NULL;
    *nwords = count / 4;
    return HD_OK;
}

/* The compiler's own words become one finding: they name lines of the source themselves. */
static void add_log(HdDiags *d, HdStatus st, const HdStrbuf *log)
{
    HdDiag diag = {.severity = st == HD_OK ? HD_WARNING : HD_ERROR,
                   .status = st,
                   .rule = "source.compile",
                   .word = HD_NO_PLACE};
    const char *what =
        st == HD_UNSUPPORTED ? "no compiler for OpenCL C was found" : "OpenCL C was not compiled";
    const char *text = hd_strbuf_text(log);
    size_t len = log->count;

    while (len > 0 && text[len - 1] == '\n')
        len--;
    if (st == HD_OK && len > 0)
        hd_diags_add(d, &diag, "%.*s", (int)len, text);
    if (st != HD_OK)
        hd_diags_add(d, &diag, "%s%s%.*s", what, len > 0 ? "\n" : "", (int)len, text);
}

/* What the device's compiler supports, as the driver reports it. */
static void write_language(HdStrbuf *out)
{
    static const struct {
        const char *name;
        unsigned on;
    } rows[] = {
#define EXTENSION(name, major, minor, patch, on) {#name, on},
#include "val/device.def"
#define FEATURE(name, on) {#name, on},
#include "cl/features.def"
#undef FEATURE
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (hd_val_device_has(rows[i].on))
            hd_strbuf_printf(out, "%s%s", out->count > 0 ? " " : "", rows[i].name);
    if (hd_val_device_profile() != HD_DEVICE_FULL)
        hd_strbuf_add(out, " __EMBEDDED_PROFILE__");
}

static HdStatus compile_text(const char *path, const char *text, size_t len, const char *options,
                             HdDiags *d, uint32_t **words, size_t *nwords, bool *fast_math)
{
    HdStrbuf log = {0}, wrong = {0}, language = {0};
    HdClcOptions o;
    HdStatus st = hd_clc_options(options, HD_CLC_BUILD, &o, &wrong);

    if (st != HD_OK) {
        st = hd_fail(d, st, HD_NO_PLACE, "source.options", "'%s' is not an option of OpenCL C",
                     hd_strbuf_text(&wrong));
        hd_strbuf_free(&wrong);
        return st;
    }
    o.path = path;
    write_language(&language);
    o.extensions = hd_strbuf_text(&language);
    st = language.failed ? HD_NO_MEMORY
                         : hd_clc_compile(text, len, &o, NULL, 0, &log, words, nwords);
    hd_strbuf_free(&language);
    *fast_math = o.fast_math;
    add_log(d, st, &log);
    hd_clc_options_free(&o);
    hd_strbuf_free(&log);
    hd_strbuf_free(&wrong);
    return st;
}

static HdStatus compile(const char *path, const char *const *options, size_t option_count,
                        HdDiags *d, uint32_t **words, size_t *nwords, bool *fast_math)
{
    HdStrbuf all = {0};
    size_t len;
    char *text;
    HdStatus st;

    HD_TRY(hd_file_read(path, d, &text, &len));
    for (size_t i = 0; i < option_count; i++) {
        hd_strbuf_add(&all, i > 0 ? " " : "");
        hd_strbuf_add(&all, options[i]);
    }
    st = all.failed
             ? HD_NO_MEMORY
             : compile_text(path, text, len, hd_strbuf_text(&all), d, words, nwords, fast_math);
    hd_strbuf_free(&all);
    hd_free(text);
    return st;
}

HdStatus hd_tool_read_module(const char *path, const char *const *options, size_t option_count,
                             HdDiags *d, uint32_t **words, size_t *nwords, bool *fast_math)
{
    size_t count;
    char *bytes;
    HdStatus st;

    *words = NULL;
    *nwords = 0;
    *fast_math = false;
    d->file = strcmp(path, "-") == 0 ? "<stdin>" : path;
    if (hd_tool_is_source(path))
        return compile(path, options, option_count, d, words, nwords, fast_math);
    HD_TRY(hd_file_read(path, d, &bytes, &count));
    st = hd_tool_is_text(path, bytes, count)
             ? hd_tool_assemble(path, bytes, count, NULL, d, words, nwords)
             : binary(&bytes, count, d, words, nwords);
    hd_free(bytes);
    return st;
}

HdStatus hd_tool_open_module(const char *path, HdDiags *d, HdModule **out)
{
    bool fast_math = false;
    uint32_t *words;
    size_t nwords;

    *out = NULL;
    HD_TRY(hd_tool_read_module(path, NULL, 0, d, &words, &nwords, &fast_math));
    return hd_module_read_own(words, nwords, d, out);
}

HdStatus hd_tool_open_index(const char *path, HdDiags *d, HdModule **out)
{
    bool fast_math = false;
    uint32_t *words;
    size_t nwords;

    *out = NULL;
    HD_TRY(hd_tool_read_module(path, NULL, 0, d, &words, &nwords, &fast_math));
    return hd_module_index_own(words, nwords, d, out);
}
