/* jit/cache.c -- compiled kernels on disk.
 *
 * SPDX-License-Identifier: MIT
 */
#include "jit/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/option.h"
#include "rt/abi.h"

#define MAGIC UINT64_C(0x31656c6464656548) /* "Heddle1" */

typedef struct Header {
    uint64_t magic, abi;
    HdCacheKey key;
    uint64_t private_bytes, has_barrier, is_flat, object_bytes, checksum;
} Header;

HdCacheKey hd_cache_key(void)
{
    return (HdCacheKey){{UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344)}};
}

void hd_cache_mix(HdCacheKey *k, const void *bytes, size_t count)
{
    k->word[0] = hd_hash_bytes(bytes, count, k->word[0]);
    k->word[1] = hd_hash_bytes(bytes, count, k->word[1] ^ k->word[0]);
}

/* The cache's folder, made if need be; false when there can be none. */
static bool open_folder(HdStrbuf *path)
{
    const char *own = hd_option_text(HD_OPTION_CACHE_DIR), *xdg = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");

    if (hd_option_number(HD_OPTION_CACHE) == 0)
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
        if (path->failed)
            return false;
        mkdir(path->at, 0700);
        hd_strbuf_add(path, "/heddle");
    }
    if (path->failed)
        return false;
    return mkdir(path->at, 0700) == 0 || errno == EEXIST;
}

static bool file_name(const HdCacheKey *k, HdStrbuf *path)
{
    if (!open_folder(path))
        return false;
    hd_strbuf_printf(path, "/%016llx%016llx.o", (unsigned long long)k->word[0],
                     (unsigned long long)k->word[1]);
    return !path->failed;
}

/* Of all that a file holds. */
static uint64_t checksum(Header h, const void *object)
{
    h.checksum = 0;
    return hd_hash_bytes(object, h.object_bytes, hd_hash_bytes(&h, sizeof h, MAGIC));
}

static bool accept(const HdCacheKey *k, const char *bytes, size_t count, HdCacheEntry *out)
{
    Header h;

    if (count < sizeof h)
        return false;
    memcpy(&h, bytes, sizeof h);
    if (h.magic != MAGIC || h.abi != HD_ABI_VERSION || memcmp(&h.key, k, sizeof *k) != 0 ||
        h.object_bytes != count - sizeof h || h.checksum != checksum(h, bytes + sizeof h))
        return false;
    out->private_bytes = h.private_bytes;
    out->has_barrier = h.has_barrier != 0;
    out->is_flat = h.is_flat != 0;
    out->object_bytes = h.object_bytes;
    out->object = hd_alloc(h.object_bytes);
    if (out->object == NULL)
        return false;
    memcpy(out->object, bytes + sizeof h, h.object_bytes);
    return true;
}

bool hd_cache_get(const HdCacheKey *k, HdCacheEntry *out)
{
    HdStrbuf path = {0};
    char *bytes = NULL;
    size_t count = 0;
    HdDiags quiet;
    bool found = false;

    hd_diags_init(&quiet);
    if (file_name(k, &path) && access(path.at, R_OK) == 0 &&
        hd_file_read(path.at, &quiet, &bytes, &count) == HD_OK) {
        found = accept(k, bytes, count, out);
        if (found)
            utimensat(AT_FDCWD, path.at, NULL, 0); /* used now */
    }
    hd_free(bytes);
    hd_strbuf_free(&path);
    hd_diags_drop(&quiet);
    return found;
}

/* ---- keeping the folder small ------------------------------------------------------------------
 */

typedef struct Oldest {
    char name[64];
    struct timespec used;
} Oldest;

static bool is_older(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

/* Bytes in the folder, and the file used longest ago. */
static uint64_t survey(DIR *folder, Oldest *oldest)
{
    uint64_t sum = 0;

    oldest->name[0] = '\0';
    rewinddir(folder);
    for (struct dirent *e; (e = readdir(folder)) != NULL;) {
        struct stat st;
        size_t len = strlen(e->d_name);

        if (len < 3 || len >= sizeof oldest->name || strcmp(e->d_name + len - 2, ".o") != 0 ||
            fstatat(dirfd(folder), e->d_name, &st, 0) != 0)
            continue;
        sum += (uint64_t)st.st_size;
        if (oldest->name[0] == '\0' || is_older(&st.st_mtim, &oldest->used)) {
            memcpy(oldest->name, e->d_name, len + 1);
            oldest->used = st.st_mtim;
        }
    }
    return sum;
}

static void shrink(const char *path)
{
    uint64_t limit = hd_option_number(HD_OPTION_CACHE_MB) << 20;
    DIR *folder = opendir(path);
    Oldest oldest;

    if (folder == NULL)
        return;
    while (survey(folder, &oldest) > limit && oldest.name[0] != '\0')
        if (unlinkat(dirfd(folder), oldest.name, 0) != 0)
            break;
    closedir(folder);
}

void hd_cache_put(const HdCacheKey *k, const HdCacheEntry *e)
{
    Header h = {.magic = MAGIC,
                .abi = HD_ABI_VERSION,
                .key = *k,
                .private_bytes = e->private_bytes,
                .has_barrier = e->has_barrier,
                .is_flat = e->is_flat,
                .object_bytes = e->object_bytes};
    HdStrbuf path = {0}, content = {0}, folder = {0};
    HdDiags quiet;

    hd_diags_init(&quiet);
    h.checksum = checksum(h, e->object);
    hd_strbuf_add_bytes(&content, &h, sizeof h);
    hd_strbuf_add_bytes(&content, e->object, e->object_bytes);
    if (!content.failed && file_name(k, &path))
        (void)hd_file_write(path.at, content.at, content.count, &quiet);
    /* Looking through the folder costs more than one write: do it now and then. */
    if ((k->word[0] & 31) == 0 && open_folder(&folder))
        shrink(folder.at);
    hd_strbuf_free(&folder);
    hd_strbuf_free(&content);
    hd_strbuf_free(&path);
    hd_diags_drop(&quiet);
}
