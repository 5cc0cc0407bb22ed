/* tool/source.c -- reading a module in any of its forms.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/source.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "text/as.h"

#define MAGIC         0x07230203u
#define MAGIC_SWAPPED 0x03022307u

static bool ends_in(const char *path, const char *ending)
{
    size_t n = strlen(path), k = strlen(ending);

    return n >= k && strcmp(path + n - k, ending) == 0;
}

static bool is_binary(const char *bytes, size_t count)
{
    uint32_t first;

    if (count < sizeof first)
        return false;
    memcpy(&first, bytes, sizeof first);
    return first == MAGIC || first == MAGIC_SWAPPED;
}

static HdStatus binary(const char *path, char *bytes, size_t count, HdDiags *d, uint32_t **words,
                       size_t *nwords)
{
    if (count % 4 != 0)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "layout.size",
                       "'%s' has %zu bytes: a module is whole words of 4 bytes", path, count);
    HD_TAKE(*words, hd_alloc(count > 0 ? count : 4));
    memcpy(*words, bytes, count);
    *nwords = count / 4;
    return HD_OK;
}

/* OpenCL C comes through clc/, which this build does not have yet. */
static HdStatus compile(const char *path, const char *const *options, size_t option_count,
                        HdDiags *d)
{
    (void)options;
    (void)option_count;
    return hd_fail(d, HD_UNSUPPORTED, HD_NO_PLACE, "source.compiler",
                   "'%s' is OpenCL C, and this build has no compiler for it: make a module of it "
                   "first (clang -target spirv64 -c)",
                   path);
}

HdStatus hd_tool_read_module(const char *path, const char *const *options, size_t option_count,
                             HdDiags *d, uint32_t **words, size_t *nwords)
{
    size_t count;
    char *bytes;
    HdStatus st;

    *words = NULL;
    *nwords = 0;
    d->file = path;
    if (ends_in(path, ".cl"))
        return compile(path, options, option_count, d);
    HD_TRY(hd_file_read(path, d, &bytes, &count));
    if (ends_in(path, ".spv") || (!ends_in(path, ".spvasm") && is_binary(bytes, count)))
        st = binary(path, bytes, count, d, words, nwords);
    else
        st = hd_text_assemble(bytes, count, NULL, d, words, nwords);
    hd_free(bytes);
    return st;
}
