/* base/file.c -- whole files in and out.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/file.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

static HdStatus fail_io(HdDiags *d, const char *what, const char *path, int error)
{
    const char *why, *stream = strcmp(what, "write") == 0 ? "standard output" : "standard input";
    char reason[128];

    /* The GNU strerror_r may return its own string; ours is only the fallback. */
    why = strerror_r(error, reason, sizeof reason);
    if (strcmp(path, "-") == 0)
        return hd_fail(d, HD_IO, HD_NO_PLACE, "file.io", "cannot %s %s: %s", what, stream, why);
    return hd_fail(d, HD_IO, HD_NO_PLACE, "file.io", "cannot %s '%s': %s", what, path, why);
}

static HdStatus read_all(int fd, const char *path, HdDiags *d, HdStrbuf *into)
{
    char block[65536];

    for (;;) {
        ssize_t got = read(fd, block, sizeof block);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_io(d, "read", path, errno);
        hd_strbuf_add_bytes(into, block, (size_t)got);
        if (into->failed)
            return hd_fail(d, HD_NO_MEMORY, HD_NO_PLACE, "file.memory", "no memory to read '%s'",
                           path);
        if (got == 0)
            return HD_OK;
    }
}

HdStatus hd_file_read(const char *path, HdDiags *d, char **bytes, size_t *count)
{
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    HdStrbuf content = {0};
    HdStatus st;

    if (fd < 0)
        return fail_io(d, "open", path, errno);
    st = read_all(fd, path, d, &content);
    if (!standard)
        close(fd);
    if (st != HD_OK) {
        hd_strbuf_free(&content);
        return st;
    }
    *bytes = content.at;
    *count = content.count;
    return HD_OK;
}

static int write_all(int fd, const char *bytes, size_t count)
{
    while (count != 0) {
        ssize_t put = write(fd, bytes, count);

        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return errno;
        bytes += put;
        count -= (size_t)put;
    }
    return 0;
}

/* Not a regular file (a pipe, /dev/stdout): written in place. */
static HdStatus write_in_place(const char *path, const void *bytes, size_t count, HdDiags *d)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    int error;

    if (fd < 0)
        return fail_io(d, "open", path, errno);
    error = write_all(fd, bytes, count);
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
        error = write_all(STDOUT_FILENO, bytes, count);
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
    error = write_all(fd, bytes, count);
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
    Dl_info self;
    ssize_t length;

    if (dladdr((void *)(uintptr_t)&hd_file_self, &self) == 0 || self.dli_fname == NULL)
        return false;
    if (strchr(self.dli_fname, '/') != NULL)
        return snprintf(path, room, "%s", self.dli_fname) < (int)room;
    /* A program that was found on PATH is known to the dynamic linker by its bare name only. */
    length = readlink("/proc/self/exe", path, room);
    if (length < 0 || (size_t)length >= room)
        return false;
    path[length] = '\0';
    return true;
}
