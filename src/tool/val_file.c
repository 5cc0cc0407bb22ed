/* tool/val_file.c -- validating files: one, or many in parallel.
 *
 * Each thread takes the next file; the thread that finishes the first unreported one reports it and
 * the finished ones after it, so that reports are in order whichever thread is faster.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/val_file.h"

#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "tool/lines.h"
#include "tool/source.h"

#define MAX_DEPTH 64

/* ---- the list ------------------------------------------------------------------------------ */

static bool ends_in(const char *path, const char *ending)
{
    size_t n = strlen(path), k = strlen(ending);

    return n > k && strcmp(path + n - k, ending) == 0;
}

static bool is_folder(const char *path)
{
    struct stat info;

    return strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static HdStatus add_one(HdValFiles *files, const char *path)
{
    size_t len = strlen(path);
    HdValFile file = {.path = hd_alloc(len + 1)};

    if (file.path == NULL)
        return HD_NO_MEMORY;
    memcpy(file.path, path, len + 1);
    hd_diags_init(&file.d);
    if (HD_PUSH(NULL, files, file))
        return HD_OK;
    hd_free(file.path);
    return HD_NO_MEMORY;
}

static HdStatus add_folder(HdValFiles *files, const char *folder, unsigned depth);

static HdStatus add_entry(HdValFiles *files, const char *folder, const char *name, unsigned depth)
{
    HdStrbuf path = {0};
    struct stat info;
    HdStatus st = HD_OK;

    hd_strbuf_printf(&path, "%s%s%s", folder, ends_in(folder, "/") ? "" : "/", name);
    if (path.failed)
        st = HD_NO_MEMORY;
    else if (lstat(path.at, &info) == 0 && S_ISDIR(info.st_mode))
        st = depth < MAX_DEPTH ? add_folder(files, path.at, depth + 1) : HD_OK;
    else if (ends_in(name, ".spv") || ends_in(name, ".spvasm"))
        st = add_one(files, path.at);
    hd_strbuf_free(&path);
    return st;
}

static HdStatus add_folder(HdValFiles *files, const char *folder, unsigned depth)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    HdStatus st = HD_OK;

    if (count < 0)
        return add_one(files, folder); /* reading it will say why not */
    for (int i = 0; i < count; i++) {
        if (st == HD_OK && strcmp(entries[i]->d_name, ".") != 0 &&
            strcmp(entries[i]->d_name, "..") != 0)
            st = add_entry(files, folder, entries[i]->d_name, depth);
        free(entries[i]); /* scandir's own memory */
    }
    free(entries);
    return st;
}

HdStatus hd_val_files_add(HdValFiles *files, const char *path)
{
    size_t before = files->count;

    if (is_folder(path))
        HD_TRY(add_folder(files, path, 0));
    /* A folder without modules is hardly the one that was meant: as a file it is not read. */
    return files->count > before ? HD_OK : add_one(files, path);
}

void hd_val_files_free(HdValFiles *files)
{
    for (size_t i = 0; i < files->count; i++) {
        hd_diags_drop(&files->at[i].d);
        hd_free(files->at[i].path);
    }
    HD_ARRAY_FREE(files);
}

/* ---- one file ------------------------------------------------------------------------------ */

/* bytes: heap; they become those of the module, or of the findings */
static HdStatus check_bytes(HdValFile *file, const HdValRequest *r, unsigned threads, char *bytes,
                            size_t count, bool text)
{
    HdValOptions val = {.env = r->env, .threads = threads};
    HdAsOptions as = {.version = r->env != NULL ? r->env->max_version : 0};
    uint32_t *words = NULL;
    size_t nwords = 0;
    HdModule *m = NULL;
    HdStatus st;

    if (text) {
        HD_TRY(hd_tool_assemble(file->path, bytes, count, &as, &file->d, &words, &nwords));
        st = hd_module_read_by(threads, words, nwords, true, &file->d, &m);
    } else { /* what was read is kept until the end: no copy of it */
        words = (uint32_t *)(void *)bytes;
        st = hd_module_read_by(threads, words, count / sizeof *words, true, &file->d, &m);
    }
    if (st == HD_OK)
        st = hd_val_module(m, &val, &file->d);
    hd_tool_place_lines(&file->d, words, nwords);
    hd_module_drop(m);
    hd_free(words);
    return st;
}

/* OpenCL C, by its compiled module. */
static HdStatus check_source(HdValFile *file, const HdValRequest *r, unsigned threads)
{
    HdValOptions val = {.env = r->env, .threads = threads};
    uint32_t *words = NULL;
    size_t nwords = 0;
    HdModule *m = NULL;
    bool fast_math;
    HdStatus st = hd_tool_read_module(file->path, r->source_options, r->source_option_count,
                                      &file->d, &words, &nwords, &fast_math);

    if (st == HD_OK)
        st = hd_module_read_by(threads, words, nwords, true, &file->d, &m);
    if (st == HD_OK)
        st = hd_val_module(m, &val, &file->d);
    hd_module_drop(m);
    hd_free(words);
    return st;
}

/* Read, assemble or compile (.cl), and check one file. Findings in text get its lines.
 *   threads  for the functions of this one */
static void check_file(HdValFile *file, const HdValRequest *request, unsigned threads)
{
    char *bytes = NULL;
    size_t count = 0;
    bool text = false;

    file->d.limit = request->limit;
    file->d.file = strcmp(file->path, "-") == 0 ? "<stdin>" : file->path;
    if (hd_tool_is_source(file->path)) {
        file->st = check_source(file, request, threads);
        return;
    }
    if (is_folder(file->path) && access(file->path, R_OK | X_OK) == 0) {
        file->st = hd_fail(&file->d, HD_IO, HD_NO_PLACE, "file.io",
                           "no .spv or .spvasm file is in this folder");
        return;
    }
    file->st = hd_tool_read(file->path, &file->d, &bytes, &count, &text);
    if (file->st == HD_OK)
        file->st = check_bytes(file, request, threads, bytes, count, text);
}

/* ---- many ---------------------------------------------------------------------------------- */

typedef struct Team {
    HdValFiles *files;
    const HdValRequest *request;
    void (*ready)(void *user, const HdValFile *file);
    void (*progress)(void *user, size_t done);
    void *user;
    pthread_mutex_t lock; /* of all below, and of the two functions above */
    size_t next, reported, done;
} Team;

static void finish(Team *team, HdValFile *file)
{
    HdValFiles *files = team->files;

    file->is_done = true;
    team->done++;
    while (team->reported < files->count && files->at[team->reported].is_done) {
        if (team->ready != NULL)
            team->ready(team->user, &files->at[team->reported]);
        team->reported++;
    }
    if (team->progress != NULL)
        team->progress(team->user, team->done);
}

static void *work(void *arg)
{
    Team *team = arg;

    pthread_mutex_lock(&team->lock);
    while (team->next < team->files->count) {
        HdValFile *file = &team->files->at[team->next++];

        pthread_mutex_unlock(&team->lock);
        check_file(file, team->request, team->files->count == 1 ? team->request->threads : 1);
        pthread_mutex_lock(&team->lock);
        finish(team, file);
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

void hd_val_files_check(HdValFiles *files, const HdValRequest *request,
                        void (*ready)(void *user, const HdValFile *file),
                        void (*progress)(void *user, size_t done), void *user)
{
    Team team = {.files = files,
                 .request = request,
                 .ready = ready,
                 .progress = progress,
                 .user = user,
                 .lock = PTHREAD_MUTEX_INITIALIZER};
    size_t want = request->threads < files->count ? request->threads : files->count;
    pthread_t *others = hd_alloc_zero((want + 1) * sizeof *others);
    size_t started = 0;

    /* Threads that cannot be had are done without. */
    while (others != NULL && started + 1 < want &&
           pthread_create(&others[started], NULL, work, &team) == 0)
        started++;
    (void)work(&team);
    for (size_t i = 0; i < started; i++)
        pthread_join(others[i], NULL);
    hd_free(others);
}
