/* tool/source.c -- reading a module in any of its forms.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/source.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "lib/compile.h"

#define MAGIC         0x07230203u
#define MAGIC_SWAPPED 0x03022307u
#define LOOK_BYTES    512 /* of a file, to see what it holds */

bool hd_tool_ends_in(const char *path, const char *ending)
{
    size_t n = strlen(path), k = strlen(ending);

    return n >= k && strcmp(path + n - k, ending) == 0;
}

static const HdToolLanguage languages[] = {
    {".comp", "GLSL", "glslc or glslangValidator compiles it"},
    {".glsl", "GLSL", "glslc or glslangValidator compiles it"},
    {".hlsl", "HLSL", "dxc or glslangValidator compiles it"},
    {".slang", "Slang", "slangc compiles it"},
    {".wgsl", "WGSL", "naga or tint compiles it"},
    {".ll", "LLVM IR", "llc -mtriple=spirv64 or llvm-spirv translates it"},
    {".bc", "LLVM IR", "llc -mtriple=spirv64 or llvm-spirv translates it"},
    {".spvasm", "SPIR-V text", "heddle as assembles it"},
    {".spv", "a SPIR-V module", "heddle dis shows it"},
};

const HdToolLanguage *hd_tool_language(const char *path)
{
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (hd_tool_ends_in(path, languages[i].ending))
            return &languages[i];
    return NULL;
}

bool hd_tool_is_source(const char *path)
{
    return hd_tool_ends_in(path, ".cl");
}

static bool is_module(const char *bytes, size_t count)
{
    uint32_t first = 0;

    if (count >= sizeof first)
        memcpy(&first, bytes, sizeof first);
    return first == MAGIC || first == MAGIC_SWAPPED;
}

/* Also text in UTF-16: the assembler says what is wrong with it. */
static bool is_text_module(const char *path, const char *bytes, size_t count)
{
    if (hd_tool_ends_in(path, ".spvasm") || hd_text_is_wide(bytes, count))
        return true;
    if (count < sizeof(uint32_t) || is_module(bytes, count))
        return false;
    for (size_t i = 0; i < count && i < LOOK_BYTES; i++)
        if ((unsigned char)bytes[i] < ' ' && (bytes[i] < '\t' || bytes[i] > '\r') &&
            (bytes[i] != '\0' || i + 1 < count))
            return false;
    return true;
}

static bool may_be_text(const char *path, const char *bytes, size_t from, size_t count)
{
    size_t start = from == 0 ? 0 : from - 1;

    (void)path;
    return memchr(bytes + start, '\0', count - 1 - start) == NULL; /* it may be the last byte */
}

static bool may_be_either(const char *path, const char *bytes, size_t from, size_t count)
{
    if (count < sizeof(uint32_t) || is_module(bytes, count))
        return true;
    return may_be_text(path, bytes, from, count) &&
           (from >= LOOK_BYTES || is_text_module(path, bytes, count));
}

HdStatus hd_tool_read_text(const char *path, HdDiags *d, char **bytes, size_t *count)
{
    return hd_file_read_while(path, may_be_text, d, bytes, count);
}

HdStatus hd_tool_read(const char *path, HdDiags *d, char **bytes, size_t *count, bool *is_text)
{
    HD_TRY(hd_file_read_while(path, may_be_either, d, bytes, count));
    *is_text = is_text_module(path, *bytes, *count);
    if (*is_text || !is_module(*bytes, *count) || *count % sizeof(uint32_t) == 0)
        return HD_OK;
    hd_free(*bytes);
    *bytes = NULL;
    return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "module.bytes",
                   "%zu bytes are not a whole number of 4-byte words: the file may be truncated",
                   *count);
}

HdStatus hd_tool_assemble(const char *path, char *text, size_t len, const HdAsOptions *o,
                          HdDiags *d, uint32_t **words, size_t *nwords)
{
    const HdDiagText kept = {.bytes = text,
                             .count = len,
                             .version = o->version,
                             .preserve_numeric_ids = o->preserve_numeric_ids};
    HdStatus st = hd_text_assemble(text, len, o, d, words, nwords);
    HdDiag *last = st == HD_BAD_INPUT ? hd_diags_last(d) : NULL;
    const HdToolLanguage *other = hd_tool_language(path);

    if (last != NULL && last->hint == NULL && strcmp(last->rule, "as.syntax") == 0 &&
        !hd_tool_ends_in(path, ".spvasm"))
        last->hint =
            hd_tool_is_source(path) ? "heddle compile makes a module of OpenCL C"
            : other != NULL && !hd_tool_ends_in(path, ".spv") ? other->how
            : strcmp(path, "-") == 0
                ? "this was read as SPIR-V text; heddle compile - -o - makes a module of OpenCL C"
                : "this was read as SPIR-V text; OpenCL C needs a file name that ends in .cl";
    hd_diags_read_text(d, &kept);
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
             : hd_lib_compile(path, text, len, hd_strbuf_text(&all), d, words, nwords, fast_math);
    hd_strbuf_free(&all);
    hd_free(text);
    return st;
}

HdStatus hd_tool_read_module(const char *path, const char *const *options, size_t option_count,
                             HdDiags *d, uint32_t **words, size_t *nwords, bool *fast_math)
{
    return hd_tool_read_module_for(path, 0, options, option_count, d, words, nwords, fast_math);
}

HdStatus hd_tool_read_module_for(const char *path, uint32_t version, const char *const *options,
                                 size_t option_count, HdDiags *d, uint32_t **words, size_t *nwords,
                                 bool *fast_math)
{
    const HdAsOptions as = {.version = version};
    size_t count;
    char *bytes;
    bool is_text;

    *words = NULL;
    *nwords = 0;
    *fast_math = false;
    d->file = strcmp(path, "-") == 0 ? "<stdin>" : path;
    hd_diags_read_text(d, NULL);
    if (hd_tool_is_source(path))
        return compile(path, options, option_count, d, words, nwords, fast_math);
    HD_TRY(hd_tool_read(path, d, &bytes, &count, &is_text));
    if (!is_text) { /* what was read becomes the words, so that there is one copy */
        *words = (uint32_t *)(void *)bytes;
        *nwords = count / sizeof **words;
        return HD_OK;
    }
    return hd_tool_assemble(path, bytes, count, &as, d, words, nwords);
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
