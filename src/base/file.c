/* base/file.c -- whole files in and out.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/file.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/write.h"

#define FIRST_BYTES  ((size_t)64 << 10)
#define MOST_BYTES   ((size_t)8 << 30) /* no module is larger */
#define MOST_UNSIZED ((size_t)1 << 30)

static HdStatus fail_io(HdDiags *d, const char *what, const char *path, int error)
{
    const char *stream = strcmp(what, "write") == 0 ? "standard output" : "standard input";
    const char *why = strerror(error); /* of the thread, in every C library since 2020 */

    if (strcmp(path, "-") == 0)
        return hd_fail(d, HD_IO, HD_NO_PLACE, "file.io", "cannot %s %s: %s", what, stream, why);
    return hd_fail(d, HD_IO, HD_NO_PLACE, "file.io", "cannot %s '%s': %s", what, path, why);
}

/* Read so many bytes at most; 0 is the end. False: errno says why not. */
static bool read_some(int fd, char *to, size_t most, size_t *got)
{
    ssize_t n;

    do
        n = read(fd, to, most);
    while (n < 0 && errno == EINTR);
    *got = n < 0 ? 0 : (size_t)n;
    return n >= 0;
}

static int open_to_read(const char *path)
{
    return strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
}

static void close_read(const char *path, int fd)
{
    if (strcmp(path, "-") != 0)
        close(fd);
}

static HdStatus fail_large(HdDiags *d, const char *path, bool is_sized)
{
    bool standard = strcmp(path, "-") == 0;

    return hd_fail(d, HD_IO, HD_NO_PLACE, "file.io", "cannot read %s%s%s: it is larger than %s",
                   standard ? "standard input" : "'", standard ? "" : path, standard ? "" : "'",
                   is_sized ? "8 GiB" : "1 GiB, the most that is read of what has no size");
}

static HdStatus read_all(int fd, const char *path, HdFileLook *look, HdDiags *d, HdStrbuf *into)
{
    struct stat info;
    bool is_sized = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    size_t size = is_sized && info.st_size > 0 ? (size_t)info.st_size : 0;
    size_t most = is_sized ? MOST_BYTES : MOST_UNSIZED;
    size_t ahead = FIRST_BYTES; /* the look at the first ones may be enough */

    if (size > most)
        return fail_large(d, path, is_sized);
    for (size_t got;; ahead = into->count < size ? size - into->count + 1 : into->count) {
        if (!hd_strbuf_reserve(into, ahead))
            return hd_fail(d, HD_NO_MEMORY, HD_NO_PLACE, "file.memory", "no memory to read '%s'",
                           path);
        if (!read_some(fd, into->at + into->count, ahead, &got))
            return fail_io(d, "read", path, errno);
        into->count += got;
        into->at[into->count] = '\0';
        if (got == 0 || (look != NULL && !look(path, into->at, into->count - got, into->count)))
            return HD_OK;
        if (into->count > most)
            return fail_large(d, path, is_sized);
    }
}

HdStatus hd_file_read_while(const char *path, HdFileLook *look, HdDiags *d, char **bytes,
                            size_t *count)
{
    int fd = open_to_read(path);
    HdStrbuf content = {0};
    HdStatus st;

    if (fd < 0)
        return fail_io(d, "open", path, errno);
    st = read_all(fd, path, look, d, &content);
    close_read(path, fd);
    if (st != HD_OK) {
        hd_strbuf_free(&content);
        return st;
    }
    *bytes = content.at;
    *count = content.count;
    return HD_OK;
}

HdStatus hd_file_read(const char *path, HdDiags *d, char **bytes, size_t *count)
{
    return hd_file_read_while(path, NULL, d, bytes, count);
}

HdStatus hd_file_read_regular(const char *path, HdDiags *d, char **bytes, size_t *count)
{
    struct stat info;

    if (strcmp(path, "-") == 0 || (stat(path, &info) == 0 && !S_ISREG(info.st_mode)))
        return hd_fail(d, HD_IO, HD_NO_PLACE, "file.io", "'%s' is no regular file", path);
    return hd_file_read(path, d, bytes, count);
}

HdStatus hd_file_read_into(const char *path, HdDiags *d, void *to, size_t room, size_t *count)
{
    int fd = open_to_read(path);
    bool good = true;
    size_t got = 1;
    char more;

    if (fd < 0)
        return fail_io(d, "open", path, errno);
    for (*count = 0; good && got != 0 && *count <= room; *count += got)
        good = *count < room ? read_some(fd, (char *)to + *count, room - *count, &got)
                             : read_some(fd, &more, 1, &got);
    if (!good)
        (void)fail_io(d, "read", path, errno);
    close_read(path, fd);
    return good ? HD_OK : HD_IO;
}

/* Not a regular file (a pipe, /dev/stdout): written in place. */
static HdStatus write_in_place(const char *path, const void *bytes, size_t count, HdDiags *d)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    int error;

    if (fd < 0)
        return fail_io(d, "open", path, errno);
    error = hd_write_all(fd, bytes, count, HD_WRITE_ON);
    if (close(fd) != 0 && error == 0)
        error = errno;
    return error == 0 ? HD_OK : fail_io(d, "write", path, error);
}

HdStatus hd_file_write(const char *path, const void *bytes, size_t count, HdDiags *d)
{
    static atomic_uint written; /* threads may write the same file at once */
    HdStrbuf beside = {0};
    struct stat st;
    int fd, error;

    if (strcmp(path, "-") == 0) {
        error = fwrite(bytes, 1, count, stdout) == count && fflush(stdout) == 0 ? 0 : errno;
        return error == 0 ? HD_OK : fail_io(d, "write", "standard output", error);
    }
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return write_in_place(path, bytes, count, d);
    hd_strbuf_printf(&beside, "%s.%ld.%u.tmp", path, (long)getpid(), atomic_fetch_add(&written, 1));
    if (beside.failed)
        return HD_NO_MEMORY;
    fd = open(beside.at, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        hd_strbuf_free(&beside);
        return fail_io(d, "write", path, errno);
    }
    error = hd_write_all(fd, bytes, count, HD_WRITE_ON);
    if (close(fd) != 0 && error == 0)
        error = errno;
    if (error == 0 && rename(beside.at, path) != 0)
        error = errno;
    if (error != 0)
        unlink(beside.at);
    hd_strbuf_free(&beside);
    return error == 0 ? HD_OK : fail_io(d, "write", path, error);
}

bool hd_file_self(char *path, size_t room)
{
    const char *started;
    Dl_info self;
    ssize_t length;

    if (dladdr((void *)(uintptr_t)&hd_file_self, &self) == 0 || self.dli_fname == NULL)
        return false;
    if (strchr(self.dli_fname, '/') != NULL)
        return snprintf(path, room, "%s", self.dli_fname) < (int)room;
    /* A program that was found on PATH is known to the dynamic linker by its bare name only. */
    length = readlink("/proc/self/exe", path, room);
    if (length >= 0 && (size_t)length < room) {
        path[length] = '\0';
        return true;
    }
    /* A root without /proc. */
    started = (const char *)(uintptr_t)getauxval(AT_EXECFN);
    return started != NULL && strchr(started, '/') != NULL &&
           snprintf(path, room, "%s", started) < (int)room;
}

/* False: it does not fit. */
static bool name_beside(const char *own, const char *folder, const char *name, char *path,
                        size_t room)
{
    const char *slash = strrchr(own, '/');

    return slash != NULL &&
           snprintf(path, room, "%.*s/%s%s", (int)(slash - own), own, folder, name) < (int)room;
}

bool hd_file_own(const char *name, const char *from_command, char *path, size_t room)
{
    const char *const folders[] = {"", "heddle/", from_command};
    char own[4096], real[PATH_MAX];
    const char *places[] = {own, real};

    if (!hd_file_self(own, sizeof own))
        return false;
    /* Links to the command or to the driver: what belongs to it is where they lead. */
    if (realpath(own, real) == NULL)
        places[1] = own;
    for (size_t p = 0; p < 2; p++)
        for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
            if (!name_beside(places[p], folders[i], name, path, room))
                return false;
            if (access(path, R_OK) == 0)
                return true;
        }
    return true;
}
