/* cl/semaphore_fd.c -- semaphores behind file descriptors.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/semaphore_fd.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/thread.h"

/* Signals that commands here must leave, because they wait for others as well, are looked for again
 * after so long. */
#define PAUSE_NS 200000

const cl_external_semaphore_handle_type_khr hd_semaphore_handle_types[1] = {
    CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR};

typedef struct Watched {
    HdObject *of; /* held */
    int fd;
    HdSemaphoreServeFn *serve;
} Watched;

/* A listed global: the process has one thread for all such semaphores. It alone takes entries out.
 * The lock is taken with that of a context's graph held, never the other way round. */
static struct {
    pthread_mutex_t lock;
    HD_ARRAY(Watched) watched; /* each once */
    int news;                  /* an eventfd: look at all of them */
    atomic_bool is_open;
    bool is_running;
} the = {.lock = PTHREAD_MUTEX_INITIALIZER};

int hd_semaphore_fd_new(void)
{
    return eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC);
}

bool hd_semaphore_fd_prepare(int fd)
{
    static const char eventfd_link[] = "anon_inode:[eventfd]";
    char path[32], link[64];
    ssize_t n;

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    n = readlink(path, link, sizeof link);
    return n == (ssize_t)strlen(eventfd_link) && memcmp(link, eventfd_link, (size_t)n) == 0 &&
           fcntl(fd, F_SETFL, O_NONBLOCK) == 0;
}

bool hd_semaphore_fd_has(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};

    return poll(&p, 1, 0) == 1 && (p.revents & POLLIN) != 0;
}

void hd_semaphore_fd_add(int fd, uint64_t signals)
{
    ssize_t n = signals > 0 ? write(fd, &signals, sizeof signals) : 0;

    (void)n; /* full at 2^64 - 2 signals only */
}

bool hd_semaphore_fd_take(int fd)
{
    uint64_t taken;

    if (read(fd, &taken, sizeof taken) != sizeof taken)
        return false;
    hd_semaphore_fd_add(fd, taken - 1); /* an eventfd that is none of ours gives all at once */
    return true;
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* Descriptors to look at, and the semaphores they are of. The first is for news. */
typedef struct Look {
    HD_ARRAY(struct pollfd) fds;
    HD_ARRAY(Watched) of;
} Look;

/* What there is to look at now; false: nothing, the thread ends. */
static bool look_around(Look *l)
{
    struct pollfd p = {.fd = the.news, .events = POLLIN};
    bool is_some;

    l->fds.count = l->of.count = 0;
    pthread_mutex_lock(&the.lock);
    is_some = the.watched.count > 0 && HD_PUSH(NULL, &l->fds, p);
    for (size_t i = 0; i < the.watched.count && is_some; i++) {
        p.fd = the.watched.at[i].fd;
        /* Without memory the rest is looked at later. */
        if (!HD_ARRAY_RESERVE(NULL, &l->fds, 1) || !HD_ARRAY_RESERVE(NULL, &l->of, 1))
            break;
        l->fds.at[l->fds.count++] = p;
        l->of.at[l->of.count++] = the.watched.at[i];
    }
    the.is_running = is_some;
    pthread_mutex_unlock(&the.lock);
    return is_some;
}

void hd_semaphore_fd_forget(const HdObject *semaphore)
{
    pthread_mutex_lock(&the.lock);
    for (size_t i = 0; i < the.watched.count; i++)
        if (the.watched.at[i].of == semaphore) {
            the.watched.at[i] = the.watched.at[--the.watched.count];
            break;
        }
    pthread_mutex_unlock(&the.lock);
}

/* Returns whether commands still wait. */
static bool serve(const Watched *w)
{
    bool is_wanted = w->serve(w->of);

    if (!is_wanted)
        hd_object_drop(w->of);
    return is_wanted;
}

static void *watch_main(void *unused)
{
    Look l = {0};

    (void)unused;
    while (look_around(&l)) {
        bool all, is_left = false;

        if (poll(l.fds.at, (nfds_t)l.fds.count, -1) < 0)
            continue;
        all = (l.fds.at[0].revents & POLLIN) != 0;
        while (all && hd_semaphore_fd_take(the.news)) {
        }
        for (size_t i = 0; i < l.of.count; i++)
            if (all || l.fds.at[i + 1].revents != 0)
                is_left |= serve(&l.of.at[i]) && !all;
        if (is_left)
            nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
    HD_ARRAY_FREE(&l.fds);
    HD_ARRAY_FREE(&l.of);
    return NULL;
}

/* With the lock held. */
static bool add(Watched w)
{
    for (size_t i = 0; i < the.watched.count; i++)
        if (the.watched.at[i].of == w.of)
            return true;
    if (!HD_PUSH(NULL, &the.watched, w))
        return false;
    hd_object_hold(w.of);
    return true;
}

void hd_semaphore_fd_watch(HdObject *semaphore, int fd, HdSemaphoreServeFn *serve_it)
{
    const Watched w = {.of = semaphore, .fd = fd, .serve = serve_it};

    pthread_mutex_lock(&the.lock);
    if (!the.is_open) {
        the.news = hd_semaphore_fd_new();
        the.is_open = the.news >= 0;
    }
    if (the.is_open && add(w) && !the.is_running)
        the.is_running = hd_thread_start_detached(watch_main, NULL);
    pthread_mutex_unlock(&the.lock);
    hd_semaphore_fd_poke();
}

void hd_semaphore_fd_poke(void)
{
    if (the.is_open)
        hd_semaphore_fd_add(the.news, 1);
}
