/* tests/base/write_test.c -- writes beyond a limit and to pipes without a reader are errors.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/write.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../launch/check.h"
#include "base/file.h"
#include "base/memory.h"

#define LIMIT 4096

static bool is_pending(int signal)
{
    sigset_t pending;

    return sigpending(&pending) == 0 && sigismember(&pending, signal) == 1;
}

static bool is_blocked(int signal)
{
    sigset_t mask;

    return pthread_sigmask(SIG_BLOCK, NULL, &mask) == 0 && sigismember(&mask, signal) == 1;
}

static void check_signals(Checks *c, bool pending)
{
    CHECK(c, is_pending(SIGXFSZ) == pending && is_pending(SIGPIPE) == pending);
    CHECK(c, is_blocked(SIGXFSZ) == pending && is_blocked(SIGPIPE) == pending);
}

static void test_file(Checks *c, int fd, bool pending)
{
    static char bytes[2 * LIMIT];

    CHECK(c, hd_write_all(fd, bytes, LIMIT, 0) == 0);
    CHECK(c, hd_write_all(fd, bytes, 16, LIMIT - 8) == EFBIG);
    CHECK(c, hd_write_all(fd, bytes, sizeof bytes, 0) == EFBIG);
    check_signals(c, pending);
}

static void test_pipe(Checks *c, bool pending)
{
    char byte = 0;
    int ends[2];

    if (pipe(ends) != 0) {
        CHECK(c, false);
        return;
    }
    CHECK(c, hd_write_all(ends[1], "x", 1, HD_WRITE_ON) == 0);
    CHECK(c, read(ends[0], &byte, 1) == 1 && byte == 'x');
    close(ends[0]);
    CHECK(c, hd_write_all(ends[1], "x", 1, HD_WRITE_ON) == EPIPE);
    close(ends[1]);
    check_signals(c, pending);
}

/* A file that does not fit is none, and the old one stays. */
static void test_whole(Checks *c, const char *path)
{
    static const char bytes[2 * LIMIT];
    char *read = NULL;
    size_t count = 0;
    HdDiags d;

    hd_diags_init(&d);
    CHECK(c, hd_file_write(path, "old", 3, &d) == HD_OK);
    CHECK(c, hd_file_write(path, bytes, sizeof bytes, &d) == HD_IO);
    CHECK(c, hd_file_read(path, &d, &read, &count) == HD_OK && count == 3 &&
                 memcmp(read, "old", 3) == 0);
    hd_free(read);
    hd_diags_drop(&d);
}

/* Signals of the host's own that wait for its thread. */
static void raise_both(void)
{
    sigset_t both;

    sigemptyset(&both);
    sigaddset(&both, SIGXFSZ);
    sigaddset(&both, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &both, NULL);
    raise(SIGXFSZ);
    raise(SIGPIPE);
}

int main(void)
{
    char path[] = "/tmp/heddle-write-XXXXXX";
    const struct rlimit limit = {LIMIT, RLIM_INFINITY};
    int fd = mkstemp(path);
    Checks c = {0};

    setrlimit(RLIMIT_FSIZE, &limit);
    test_file(&c, fd, false);
    test_pipe(&c, false);
    test_whole(&c, path);
    raise_both();
    test_file(&c, fd, true);
    test_pipe(&c, true);
    close(fd);
    unlink(path);
    return checks_end(&c, "write_test");
}
