/* tests/base/store_test.c -- the disk cache: what is kept, and how much there may be; files.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/store.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../launch/check.h"
#include "base/file.h"
#include "base/memory.h"

#define ENTRIES 2000
#define BYTES   2000

static HdStoreKey key_of(int i)
{
    HdStoreKey k = hd_store_key(HD_STORE_KERNEL);

    hd_store_mix(&k, &i, sizeof i);
    return k;
}

/* HEDDLE_CACHE by the kinds that it keeps. */
static void test_kinds(Checks *c)
{
    static const struct {
        const char *option;
        bool kernels, sources;
    } cases[] = {{"0", false, false}, {"2", false, true}, {"1", true, true}};
    const char byte = 1;

    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        HdStoreKey kernel = hd_store_key(HD_STORE_KERNEL), source = hd_store_key(HD_STORE_SOURCE);

        setenv("HEDDLE_CACHE", cases[i].option, 1);
        hd_store_mix(&kernel, &i, sizeof i);
        hd_store_mix(&source, &i, sizeof i);
        hd_store_put(&kernel, &byte, 1);
        hd_store_put(&source, &byte, 1);
        setenv("HEDDLE_CACHE", "1", 1);
        CHECK(c, hd_store_has(&kernel) == cases[i].kernels);
        CHECK(c, hd_store_has(&source) == cases[i].sources);
        setenv("HEDDLE_CACHE", cases[i].option, 1);
        CHECK(c, hd_store_has(&source) == cases[i].sources);
    }
}

static void put(int i)
{
    char bytes[BYTES];
    HdStoreKey k = key_of(i);

    memset(bytes, i, sizeof bytes);
    hd_store_put(&k, bytes, sizeof bytes);
}

static bool has(int i)
{
    HdStoreKey k = key_of(i);
    char *bytes, want[BYTES];
    size_t count;
    bool same;

    if (!hd_store_has(&k) || !hd_store_get(&k, &bytes, &count))
        return false;
    memset(want, i, sizeof want);
    same = count == sizeof want && memcmp(bytes, want, count) == 0;
    hd_free(bytes);
    return same;
}

/* Bytes of all files in the folder; with `end` they go. */
static uint64_t sum(const char *folder, bool end)
{
    DIR *d = opendir(folder);
    uint64_t bytes = 0;

    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        struct stat st;

        if (e->d_name[0] == '.' || fstatat(dirfd(d), e->d_name, &st, 0) != 0)
            continue;
        bytes += (uint64_t)st.st_size;
        if (end)
            unlinkat(dirfd(d), e->d_name, 0);
    }
    if (d != NULL)
        closedir(d);
    return bytes;
}

/* A file beside that of entry 1, as a writer has it until it is whole; `age` seconds old. */
static void leave(const char *path, time_t age)
{
    struct timespec times[2] = {{.tv_sec = time(NULL) - age}, {.tv_sec = time(NULL) - age}};
    FILE *f = fopen(path, "w");

    if (f != NULL)
        fclose(f);
    utimensat(AT_FDCWD, path, times, 0);
}

#define WRITERS 4
#define WRITES  300

static void *write_often(void *path)
{
    static const char same[50000];
    HdStatus st = HD_OK;
    HdDiags d;

    hd_diags_init(&d);
    for (int i = 0; i < WRITES && st == HD_OK; i++)
        st = hd_file_write(path, same, sizeof same, &d);
    hd_diags_drop(&d);
    return st == HD_OK ? path : NULL;
}

/* Threads that write one file at a time do not get in each other's way. */
static void test_writers(Checks *c, char *path)
{
    pthread_t threads[WRITERS];
    struct stat st;
    void *end;

    for (int i = 0; i < WRITERS; i++)
        CHECK(c, pthread_create(&threads[i], NULL, write_often, path) == 0);
    for (int i = 0; i < WRITERS; i++)
        CHECK(c, pthread_join(threads[i], &end) == 0 && end != NULL);
    CHECK(c, stat(path, &st) == 0 && st.st_size == 50000);
    unlink(path);
}

/* The folder is made with those that it is in. */
static void test_nested(Checks *c, const char *folder)
{
    char outer[64], inner[72];

    snprintf(outer, sizeof outer, "%s/outer", folder);
    snprintf(inner, sizeof inner, "%s/inner", outer);
    setenv("HEDDLE_CACHE_DIR", inner, 1);
    put(0);
    CHECK(c, has(0));
    CHECK(c, sum(inner, true) > 0);
    CHECK(c, rmdir(inner) == 0 && rmdir(outer) == 0);
    setenv("HEDDLE_CACHE_DIR", folder, 1);
}

int main(void)
{
    char folder[] = "/tmp/heddle-store-XXXXXX", other[64], old[100], young[100];
    Checks c = {0};
    FILE *f;

    CHECK(&c, mkdtemp(folder) != NULL);
    setenv("HEDDLE_CACHE", "1", 1);
    setenv("HEDDLE_CACHE_DIR", folder, 1);
    setenv("HEDDLE_CACHE_MB", "1", 1);
    test_nested(&c, folder);
    test_kinds(&c);
    CHECK(&c, !has(0));
    put(0);
    CHECK(&c, has(0));
    CHECK(&c, !has(1));
    CHECK(&c, !hd_store_has(&(HdStoreKey){{1, 1}, HD_STORE_KERNEL}));
    snprintf(other, sizeof other, "%s/0123456789abcdef0123456789abcdef.txt", folder);
    snprintf(old, sizeof old, "%s/0123456789abcdef0123456789abcdef.entry.12.3.tmp", folder);
    snprintf(young, sizeof young, "%s/0123456789abcdef0123456789abcdef.entry.13.0.tmp", folder);
    f = fopen(other, "w");
    CHECK(&c, f != NULL && fclose(f) == 0);
    test_writers(&c, old);
    leave(old, 2 * 3600);
    leave(young, 60);
    for (int i = 1; i < ENTRIES; i++)
        put(i);
    /* Four megabytes went in. It is looked at after one of 128 entries, about. */
    CHECK(&c, sum(folder, false) < 3u << 20);
    CHECK(&c, has(ENTRIES - 1));
    CHECK(&c, !has(0));
    CHECK(&c, access(other, F_OK) == 0);
    CHECK(&c, access(old, F_OK) != 0);
    CHECK(&c, access(young, F_OK) == 0);
    sum(folder, true);
    rmdir(folder);
    return checks_end(&c, "store_test");
}
