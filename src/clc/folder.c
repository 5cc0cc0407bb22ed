/* clc/folder.c -- the private folder of one compilation, and removal of folders left by killed
 * processes.
 *
 * All of a user's folders are in one, TMPDIR/heddle-clc-UID, so that stale ones are found without
 * searching all of TMPDIR. A folder is locked as long as its process lives; one that can be locked
 * is stale. Recent ones are left alone: they may be about to be locked.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PATH_ROOM     (HD_CLC_FOLDER_ROOM + 512)
#define YOUNG_SECONDS 60

/* Remove a folder with all that is in it. Depth is bounded by the length of paths. */
static void remove_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;

    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char path[PATH_ROOM];

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path)
            continue;
        if (unlink(path) != 0)
            remove_folder(path);
    }
    if (dir != NULL)
        closedir(dir);
    rmdir(folder);
}

static int open_folder(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

/* One that is old and not locked. */
static void remove_if_left(const char *path)
{
    int fd = open_folder(path);
    struct stat info;

    if (fd < 0)
        return;
    if (fstat(fd, &info) == 0 && time(NULL) - info.st_mtime > YOUNG_SECONDS &&
        flock(fd, LOCK_EX | LOCK_NB) == 0)
        remove_folder(path);
    close(fd);
}

static void remove_left(const char *parent)
{
    DIR *dir = opendir(parent);
    struct dirent *entry;

    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char path[PATH_ROOM];

        if (entry->d_name[0] != '.' &&
            snprintf(path, sizeof path, "%s/%s", parent, entry->d_name) < (int)sizeof path)
            remove_if_left(path);
    }
    if (dir != NULL)
        closedir(dir);
}

/* Is the parent folder ours alone? Its name is predictable. */
static bool is_own(const char *path)
{
    struct stat info;

    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
           (info.st_mode & 077) == 0;
}

static bool make(HdClcFolder *f, const char *parent)
{
    snprintf(f->path, sizeof f->path, "%s%sXXXXXX", parent, f->is_alone ? "-" : "/");
    if (mkdtemp(f->path) == NULL) {
        f->path[0] = '\0';
        return false;
    }
    f->lock = open_folder(f->path);
    if (f->lock >= 0)
        (void)flock(f->lock,
                    LOCK_EX | LOCK_NB); /* where there are no locks, nothing is found left */
    return true;
}

const char *hd_clc_folder_parent(void)
{
    const char *tmp = getenv("TMPDIR");

    return tmp != NULL && *tmp == '/' && strlen(tmp) <= HD_CLC_FOLDER_ROOM - 64 ? tmp : "/tmp";
}

bool hd_clc_folder_open(HdClcFolder *f)
{
    char parent[HD_CLC_FOLDER_ROOM - 16];

    *f = (HdClcFolder){.lock = -1};
    snprintf(parent, sizeof parent, "%s/heddle-clc-%lu", hd_clc_folder_parent(),
             (unsigned long)geteuid());
    /* Another process may remove it, empty, between these two. */
    for (unsigned attempt = 0; attempt < 16; attempt++) {
        if (mkdir(parent, 0700) != 0 && errno != EEXIST)
            return false;
        f->is_alone = !is_own(parent); /* somebody else took the name: do without */
        if (!f->is_alone)
            remove_left(parent);
        if (make(f, parent))
            return true;
        if (errno != ENOENT)
            return false;
    }
    return false;
}

void hd_clc_folder_close(HdClcFolder *f)
{
    char *slash = strrchr(f->path, '/');

    if (slash == NULL)
        return;
    remove_folder(f->path);
    if (f->lock >= 0)
        close(f->lock);
    *slash = '\0';
    if (!f->is_alone)
        rmdir(f->path); /* when it was the last */
    *f = (HdClcFolder){.lock = -1};
}
