/* clc/cache.c -- cache of modules compiled from OpenCL C.
 *
 * An entry: the number of other files read; for each the hash of its contents and its path with a
 * NUL; the length of the log and the log; the module's words. Numbers are 64 bits wide.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/cache.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/memory.h"

/* ---- keys -------------------------------------------------------------------------------------
 */

static void mix_text(HdStoreKey *k, const char *text)
{
    hd_store_mix(k, text, strlen(text) + 1);
}

/* What decides which files a source includes. Without it equal sources in two folders would be one.
 */
static void mix_surroundings(HdStoreKey *k)
{
    static const char *const names[] = {"CPATH", "C_INCLUDE_PATH"};
    char folder[HD_CLC_MOST_PATH];

    if (getcwd(folder, sizeof folder) != NULL)
        mix_text(k, folder);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);

        mix_text(k, value != NULL ? value : "");
    }
}

HdStoreKey hd_clc_cache_key(const char *compiler, const char *translator, const char *prelude,
                            const HdClcSource *source, const HdClcOptions *options)
{
    HdStoreKey k = hd_store_key(HD_STORE_SOURCE);
    bool flags[] = {options->is_optimised, options->has_std,        options->has_arg_info,
                    options->has_lines,    options->zeroes_private, options->may_link};

    mix_text(&k, compiler);
    hd_store_mix_file(&k, compiler);
    mix_text(&k, translator);
    if (*translator != '\0')
        hd_store_mix_file(&k, translator);
    mix_text(&k, prelude);
    hd_store_mix(&k, source->text, source->bytes);
    hd_store_mix(&k, options->args.at, options->args.count);
    mix_text(&k, options->path != NULL ? options->path : "");
    mix_text(&k, options->extensions != NULL ? options->extensions : "");
    hd_store_mix(&k, flags, sizeof flags);
    for (size_t i = 0; i < source->header_count; i++) {
        mix_text(&k, source->headers[i].name);
        mix_text(&k, source->headers[i].text);
    }
    if (memmem(source->text, source->bytes, "include", 7) != NULL)
        mix_surroundings(&k);
    return k;
}

/* ---- the files read besides -------------------------------------------------------------------
 */

/* A file's content as a number; false when it cannot be read or says something else every time. */
static bool hash_file(const char *path, uint64_t *hash)
{
    static const char *const fickle[] = {"__DATE__", "__TIME__", "__TIMESTAMP__"};
    char *bytes = NULL;
    size_t count = 0;
    HdDiags quiet;
    bool good;

    hd_diags_init(&quiet);
    good = hd_file_read(path, &quiet, &bytes, &count) == HD_OK;
    for (size_t i = 0; good && i < sizeof fickle / sizeof fickle[0]; i++)
        good = count == 0 || memmem(bytes, count, fickle[i], strlen(fickle[i])) == NULL;
    if (good)
        *hash = hd_hash_bytes(bytes, count, count);
    hd_free(bytes);
    hd_diags_drop(&quiet);
    return good;
}

bool hd_clc_is_inside(const char *path, const char *folder)
{
    const size_t len = strlen(folder);

    return strncmp(path, folder, len) == 0 && path[len] == '/';
}

bool hd_clc_next_path(const char *files, const char **at, char path[HD_CLC_MOST_PATH])
{
    const char *colon = *at == NULL ? strstr(files, ": ") : NULL;
    const char *p = colon != NULL ? colon + 2 : *at != NULL ? *at : "";
    size_t n = 0;

    while (*p == ' ' || *p == '\n' || (*p == '\\' && p[1] == '\n'))
        p++;
    for (; *p != '\0' && *p != ' ' && *p != '\n' && n + 1 < HD_CLC_MOST_PATH; p++) {
        if ((*p == '\\' && (p[1] == ' ' || p[1] == '#')) || (*p == '$' && p[1] == '$'))
            p++;
        path[n++] = *p;
    }
    path[n] = '\0';
    *at = p;
    return n > 0;
}

static void add_number(HdStrbuf *s, uint64_t n)
{
    hd_strbuf_add_bytes(s, &n, sizeof n);
}

/* A file and its content's hash; false: it was there already. */
static bool add_file(HdStrbuf *list, const char *path, uint64_t hash)
{
    HdStrbuf one = {0};
    bool is_new;

    add_number(&one, hash);
    hd_strbuf_add_bytes(&one, path, strlen(path) + 1);
    is_new =
        one.failed || list->count == 0 || memmem(list->at, list->count, one.at, one.count) == NULL;
    if (is_new)
        hd_strbuf_add_bytes(list, one.at, one.count);
    list->failed = list->failed || one.failed;
    hd_strbuf_free(&one);
    return is_new;
}

/* Files outside of the folder into an entry; false when the compilation must not be kept. */
static bool add_files(HdStrbuf *s, const char *files, const char *folder)
{
    const char *at = NULL;
    HdStrbuf list = {0};
    char path[HD_CLC_MOST_PATH];
    uint64_t count = 0, hash;
    bool good = strstr(files, ": ") != NULL;

    while (good && hd_clc_next_path(files, &at, path)) {
        good = hash_file(path, &hash);
        if (good && !hd_clc_is_inside(path, folder))
            count += add_file(&list, path, hash);
    }
    add_number(s, count);
    hd_strbuf_add_bytes(s, hd_strbuf_text(&list), list.count);
    good = good && !list.failed;
    hd_strbuf_free(&list);
    return good;
}

/* ---- entries ----------------------------------------------------------------------------------
 */

typedef struct Reader {
    const char *at, *end;
} Reader;

static bool take_number(Reader *r, uint64_t *n)
{
    if ((size_t)(r->end - r->at) < sizeof *n)
        return false;
    memcpy(n, r->at, sizeof *n);
    r->at += sizeof *n;
    return true;
}

static bool files_are_the_same(Reader *r)
{
    uint64_t count, kept, now;

    if (!take_number(r, &count))
        return false;
    for (; count > 0; count--) {
        const char *path, *end;

        if (!take_number(r, &kept))
            return false;
        path = r->at;
        end = memchr(path, '\0', (size_t)(r->end - path));
        if (end == NULL || !hash_file(path, &now) || now != kept)
            return false;
        r->at = end + 1;
    }
    return true;
}

static bool take_entry(Reader *r, HdStrbuf *log, uint32_t **words, size_t *nwords)
{
    uint64_t len;
    size_t left;

    if (!files_are_the_same(r) || !take_number(r, &len) || len > (size_t)(r->end - r->at))
        return false;
    left = (size_t)(r->end - r->at) - len;
    *words = left % 4 == 0 ? hd_alloc(left) : NULL;
    if (*words == NULL)
        return false;
    hd_strbuf_add_bytes(log, r->at, len);
    memcpy(*words, r->at + len, left);
    *nwords = left / 4;
    return true;
}

bool hd_clc_cache_get(const HdStoreKey *k, HdStrbuf *log, uint32_t **words, size_t *nwords)
{
    char *bytes;
    size_t count;
    bool found;

    if (!hd_store_get(k, &bytes, &count))
        return false;
    found = take_entry(&(Reader){bytes, bytes + count}, log, words, nwords);
    hd_free(bytes);
    return found;
}

void hd_clc_cache_put(const HdStoreKey *k, const char *files, const char *folder, const char *log,
                      const uint32_t *words, size_t nwords)
{
    HdStrbuf s = {0};

    if (add_files(&s, files, folder)) {
        add_number(&s, strlen(log));
        hd_strbuf_add(&s, log);
        hd_strbuf_add_bytes(&s, words, nwords * 4);
        if (!s.failed)
            hd_store_put(k, s.at, s.count);
    }
    hd_strbuf_free(&s);
}
