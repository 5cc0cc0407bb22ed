/* base/store.c -- expensive results, cached on disk for later processes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/build.h"
#include "base/file.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/option.h"

#define MAGIC UINT64_C(0x31656c6464656548) /* "Heddle1" */

#define SUFFIX ".entry"

typedef struct Header {
    uint64_t magic;
    uint64_t key[2];
    uint64_t bytes, checksum;
} Header;

HdStoreKey hd_store_key(HdStoreKind kind)
{
    static const char *const names[] = {[HD_STORE_KERNEL] = "kernel", [HD_STORE_SOURCE] = "source"};
    HdStoreKey k = {{UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344)}, kind};

    uint64_t build = hd_build_own();

    /* What another build made may differ. */
    hd_store_mix(&k, HD_VERSION, sizeof HD_VERSION);
    hd_store_mix(&k, &build, sizeof build);
    hd_store_mix(&k, names[kind], strlen(names[kind]));
    return k;
}

/* Both words from eight bytes at a time: whole modules go through here. Every step can be undone,
 * so that nothing of what came before is lost. */
static void mix_word(HdStoreKey *k, uint64_t x)
{
    uint64_t a = (k->word[0] ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    uint64_t b = (k->word[1] + x) * UINT64_C(0xd6e8feb86659fd93);

    k->word[0] = a << 29 | a >> 35;
    k->word[1] = b << 31 | b >> 33;
}

void hd_store_mix(HdStoreKey *k, const void *bytes, size_t count)
{
    const unsigned char *p = bytes;
    uint64_t x;

    for (size_t left = count; left > 0;) {
        size_t n = left < sizeof x ? left : sizeof x;

        x = 0;
        memcpy(&x, p, n);
        mix_word(k, x);
        p += n;
        left -= n;
    }
    mix_word(k, count);
    k->word[0] = hd_hash_u64(k->word[0]);
    k->word[1] = hd_hash_u64(k->word[1] ^ k->word[0]);
}

void hd_store_mix_file(HdStoreKey *k, const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return;
    hd_store_mix(k, &st.st_size, sizeof st.st_size);
    hd_store_mix(k, &st.st_mtim, sizeof st.st_mtim);
}

/* Are entries of this kind kept? */
static bool keeps(HdStoreKind kind)
{
    uint64_t option = hd_option_number(HD_OPTION_CACHE);

    return option != 0 && (option != 2 || kind == HD_STORE_SOURCE);
}

/* A folder with those that it is in, as far as they can be made. */
static bool make_folder(HdStrbuf *path)
{
    for (size_t i = 1; i < path->count; i++)
        if (path->at[i] == '/') {
            path->at[i] = '\0';
            (void)mkdir(path->at, 0700);
            path->at[i] = '/';
        }
    return mkdir(path->at, 0700) == 0 || errno == EEXIST;
}

/* The store's folder, made if need be; false when there can be none. */
static bool open_folder(HdStoreKind kind, HdStrbuf *path)
{
    const char *own = hd_option_text(HD_OPTION_CACHE_DIR), *xdg = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");

    if (!keeps(kind))
        return false;
    if (own[0] != '\0') {
        hd_strbuf_add(path, own);
    } else {
        if (xdg != NULL && xdg[0] == '/')
            hd_strbuf_add(path, xdg);
        else if (home != NULL && home[0] == '/')
            hd_strbuf_printf(path, "%s/.cache", home);
        else
            return false;
        hd_strbuf_add(path, "/heddle");
    }
    return !path->failed && (access(path->at, F_OK) == 0 || make_folder(path));
}

static void entry_name(char out[64], const uint64_t word[2])
{
    snprintf(out, 64, "%016llx%016llx" SUFFIX, (unsigned long long)word[0],
             (unsigned long long)word[1]);
}

static bool file_name(const HdStoreKey *k, HdStrbuf *path)
{
    char name[64];

    if (!open_folder(k->kind, path))
        return false;
    entry_name(name, k->word);
    hd_strbuf_printf(path, "/%s", name);
    return !path->failed;
}

/* Of all that a file holds. */
static uint64_t checksum(Header h, const void *bytes)
{
    h.checksum = 0;
    return hd_hash_bytes(bytes, h.bytes, hd_hash_bytes(&h, sizeof h, MAGIC));
}

static bool accept(const HdStoreKey *k, const char *file, size_t count)
{
    Header h;

    if (count < sizeof h)
        return false;
    memcpy(&h, file, sizeof h);
    return h.magic == MAGIC && memcmp(h.key, k->word, sizeof h.key) == 0 &&
           h.bytes == count - sizeof h && h.checksum == checksum(h, file + sizeof h);
}

bool hd_store_has(const HdStoreKey *k)
{
    HdStrbuf path = {0};
    bool has = file_name(k, &path) && access(path.at, R_OK) == 0;

    hd_strbuf_free(&path);
    return has;
}

bool hd_store_get(const HdStoreKey *k, char **bytes, size_t *count)
{
    HdStrbuf path = {0};
    char *file = NULL;
    size_t size = 0;
    HdDiags quiet;
    bool found = false;

    hd_diags_init(&quiet);
    if (file_name(k, &path) && access(path.at, R_OK) == 0 &&
        hd_file_read(path.at, &quiet, &file, &size) == HD_OK)
        found = accept(k, file, size);
    if (found) {
        utimensat(AT_FDCWD, path.at, NULL, 0); /* used now */
        *count = size - sizeof(Header);
        memmove(file, file + sizeof(Header), *count);
        *bytes = file;
    } else {
        hd_free(file);
    }
    hd_strbuf_free(&path);
    hd_diags_drop(&quiet);
    return found;
}

/* ---- keeping the folder small ------------------------------------------------------------------
 */

typedef struct Entry {
    uint64_t word[2]; /* its name */
    uint64_t bytes;
    struct timespec used;
} Entry;

typedef struct Survey {
    HD_ARRAY(Entry) entries;
    uint64_t bytes; /* of all together */
} Survey;

static int by_use(const void *a, const void *b)
{
    const struct timespec *x = &((const Entry *)a)->used, *y = &((const Entry *)b)->used;

    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

#define INTERRUPTED_S 3600 /* seconds after which nobody writes a temporary file any more */

/* Is it an entry's temporary file (base/file.c), whose writer was stopped in the middle of it? */
static bool is_interrupted(const char *name, const char *entry, const struct stat *st)
{
    size_t length = strlen(name);

    return strncmp(name, entry, strlen(entry)) == 0 && length > 4 &&
           strcmp(name + length - 4, ".tmp") == 0 &&
           st->st_mtim.tv_sec < time(NULL) - INTERRUPTED_S;
}

/* All entries in the folder; files with other names are not ours, but for interrupted ones, which
 * go. */
static bool survey(DIR *folder, HdArena *arena, Survey *out)
{
    for (struct dirent *e; (e = readdir(folder)) != NULL;) {
        Entry x = {0};
        struct stat st;
        char name[64];

        if (sscanf(e->d_name, "%16" SCNx64 "%16" SCNx64, &x.word[0], &x.word[1]) != 2)
            continue;
        entry_name(name, x.word);
        if (fstatat(dirfd(folder), e->d_name, &st, 0) != 0)
            continue;
        if (is_interrupted(e->d_name, name, &st))
            unlinkat(dirfd(folder), e->d_name, 0);
        if (strcmp(e->d_name, name) != 0)
            continue;
        x.bytes = (uint64_t)st.st_size;
        x.used = st.st_mtim;
        out->bytes += x.bytes;
        if (!HD_PUSH(arena, &out->entries, x))
            return false;
    }
    return true;
}

/* Past its limit the folder loses a quarter of that, so that the next entries find room without
 * another look through all of it. */
static void shrink(const char *path)
{
    uint64_t limit = hd_option_number(HD_OPTION_CACHE_MB) << 20;
    HdArena *arena = hd_arena_open();
    DIR *folder = opendir(path);
    Survey s = {0};

    if (folder != NULL && arena != NULL && survey(folder, arena, &s) && s.bytes > limit) {
        qsort(s.entries.at, s.entries.count, sizeof *s.entries.at, by_use);
        for (size_t i = 0; i < s.entries.count && s.bytes > limit - limit / 4; i++) {
            char name[64];

            entry_name(name, s.entries.at[i].word);
            if (unlinkat(dirfd(folder), name, 0) == 0 || errno == ENOENT)
                s.bytes -= s.entries.at[i].bytes;
        }
    }
    if (folder != NULL)
        closedir(folder);
    hd_arena_drop(arena);
}

void hd_store_put(const HdStoreKey *k, const void *bytes, size_t count)
{
    Header h = {.magic = MAGIC, .key = {k->word[0], k->word[1]}, .bytes = count};
    HdStrbuf path = {0}, content = {0}, folder = {0};
    HdDiags quiet;

    hd_diags_init(&quiet);
    h.checksum = checksum(h, bytes);
    hd_strbuf_add_bytes(&content, &h, sizeof h);
    hd_strbuf_add_bytes(&content, bytes, count);
    if (!content.failed && file_name(k, &path))
        (void)hd_file_write(path.at, content.at, content.count, &quiet);
    /* Looking through the folder costs more than many writes: do it now and then. */
    if ((k->word[0] & 127) == 0 && open_folder(k->kind, &folder))
        shrink(folder.at);
    hd_strbuf_free(&folder);
    hd_strbuf_free(&content);
    hd_strbuf_free(&path);
    hd_diags_drop(&quiet);
}
