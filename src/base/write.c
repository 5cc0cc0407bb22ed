/* base/write.c -- a write's signal is kept from the thread and taken from it.
 *
 * The system raises SIGXFSZ and SIGPIPE for the thread that writes. A library cannot ignore them
 * for the process: they are blocked for the write, and one that came is taken before they are
 * allowed.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/write.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

typedef struct Blocked {
    sigset_t before; /* the thread's mask */
    int signal;
    bool was_pending; /* not ours to take */
} Blocked;

static void block(Blocked *b, int signal)
{
    sigset_t one, pending;

    b->signal = signal;
    sigemptyset(&one);
    sigaddset(&one, signal);
    pthread_sigmask(SIG_BLOCK, &one, &b->before);
    b->was_pending = sigpending(&pending) == 0 && sigismember(&pending, signal) == 1;
}

static void allow(const Blocked *b, bool is_raised)
{
    const struct timespec now = {0};
    sigset_t one;

    sigemptyset(&one);
    sigaddset(&one, b->signal);
    while (is_raised && !b->was_pending && sigtimedwait(&one, NULL, &now) < 0 && errno == EINTR)
        ;
    pthread_sigmask(SIG_SETMASK, &b->before, NULL);
}

static int write_all(int fd, const char *bytes, size_t count, off_t at)
{
    while (count != 0) {
        ssize_t put = at == HD_WRITE_ON ? write(fd, bytes, count) : pwrite(fd, bytes, count, at);

        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return errno;
        bytes += put;
        count -= (size_t)put;
        if (at != HD_WRITE_ON)
            at += put;
    }
    return 0;
}

int hd_write_all(int fd, const void *bytes, size_t count, off_t at)
{
    Blocked size, pipe;
    int error;

    block(&size, SIGXFSZ);
    block(&pipe, SIGPIPE);
    error = write_all(fd, bytes, count, at);
    allow(&pipe, error == EPIPE);
    allow(&size, error == EFBIG);
    return error;
}
