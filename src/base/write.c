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
#include <time.h>
#include <unistd.h>

typedef struct Blocked {
    sigset_t before;  /* the thread's mask */
    sigset_t pending; /* signals that are not ours to take */
} Blocked;

static void block(Blocked *b)
{
    sigset_t both;

    sigemptyset(&both);
    sigaddset(&both, SIGXFSZ);
    sigaddset(&both, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &both, &b->before);
    sigpending(&b->pending);
}

/* Take a signal that the write has raised. */
static void take(const Blocked *b, int signal)
{
    const struct timespec now = {0};
    sigset_t one;

    sigemptyset(&one);
    sigaddset(&one, signal);
    while (sigismember(&b->pending, signal) == 0 && sigtimedwait(&one, NULL, &now) < 0 &&
           errno == EINTR)
        ;
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
    Blocked b;
    int error;

    block(&b);
    error = write_all(fd, bytes, count, at);
    if (error == EPIPE)
        take(&b, SIGPIPE);
    if (error == EFBIG)
        take(&b, SIGXFSZ);
    pthread_sigmask(SIG_SETMASK, &b.before, NULL);
    return error;
}
