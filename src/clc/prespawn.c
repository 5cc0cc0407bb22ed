/* clc/prespawn.c -- a clang that is started before it is needed.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/prespawn.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cond.h"
#include "base/lock.h"
#include "base/map.h"
#include "base/option.h"
#include "base/thread.h"
#include "base/write.h"
#include "clc/serve.h"

#define KEPT_NS    1000000000u
#define START_MS   2000   /* it is started, and libraries may have to be read */
#define MOST_INPUT 60000u /* below what a pipe holds: writing never waits for the reader */
#define INPUT      "/proc/self/fd/0"

extern char **environ;

/* A listed global: the process has one spare compiler. */
static struct {
    pthread_mutex_t lock;
    HdCond changed;
    HdClcProcess process; /* pid 0: none */
    uint64_t conditions;  /* of its start */
    uint64_t until_ns;    /* when it is of no more use */
    bool has_keeper;
} the = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t add_text(uint64_t hash, const char *text)
{
    return hd_hash_bytes(text, strlen(text) + 1, hash);
}

/* What a process takes from the one that starts it, as a number; false if that can't be told. */
static bool read_conditions(const char *compiler, uint64_t *out)
{
    uint64_t hash = add_text(0, compiler);
    struct stat here, program;

    if (stat(".", &here) != 0 || stat(compiler, &program) != 0)
        return false;
    hash = hd_hash_add(hash, (uint64_t)here.st_dev);
    hash = hd_hash_add(hash, (uint64_t)here.st_ino);
    hash = hd_hash_add(hash, (uint64_t)program.st_ino);
    hash = hd_hash_add(hash, (uint64_t)program.st_mtim.tv_sec);
    hash = hd_hash_add(hash, (uint64_t)program.st_mtim.tv_nsec);
    hash = hd_hash_add(hash, (uint64_t)geteuid() << 32 | getegid());
    for (char **e = environ; e != NULL && *e != NULL; e++)
        hash = add_text(hash, *e);
    *out = hd_hash_u64(hash);
    return true;
}

static bool is_wanted(void)
{
    cpu_set_t cpus;

    return getenv("HEDDLE_CLANG") == NULL && hd_option_number(HD_OPTION_AHEAD) != 0 &&
           (sched_getaffinity(0, sizeof cpus, &cpus) != 0 || CPU_COUNT(&cpus) > 1) &&
           access(INPUT, F_OK) == 0;
}

/* A program of another name, to which clang's leads, looks at the arguments itself, as ccache does,
 * and finds none. */
static bool is_itself(const char *compiler)
{
    char real[PATH_MAX];
    const char *slash = realpath(compiler, real) != NULL ? strrchr(real, '/') : NULL;

    return slash != NULL && strncmp(slash + 1, "clang", strlen("clang")) == 0;
}

/* Under the lock: this process has no spare compiler any more. */
static void forget(void)
{
    hd_clc_spawn_close_input(&the.process);
    close(the.process.output);
    if (the.process.service >= 0)
        close(the.process.service);
    the.process.pid = 0;
}

/* Under the lock: nobody will need it. */
static void drop(void)
{
    pid_t pid = the.process.pid;

    if (waitpid(pid, NULL, WNOHANG) == 0) { /* else the host has waited for it */
        kill(pid, SIGKILL);
        hd_clc_spawn_wait(pid, NULL);
    }
    forget();
}

/* A child after fork must not hold the input: what is written to it would have no end as long as
 * the child lives. */
static void before_fork(void)
{
    pthread_mutex_lock(&the.lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&the.lock);
}

static void after_fork_in_child(void)
{
    if (the.process.pid != 0)
        forget();
    the.has_keeper = false;
    pthread_mutex_unlock(&the.lock);
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

/* The thread that lives as long as there is a spare compiler. */
static void *keep(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&the.lock);
    while (the.process.pid != 0) {
        uint64_t now = hd_clock_ns();

        if (now >= the.until_ns)
            drop();
        else
            hd_cond_wait_ns(&the.changed, &the.lock, the.until_ns - now);
    }
    the.has_keeper = false;
    pthread_mutex_unlock(&the.lock);
    return NULL;
}

void hd_clc_prespawn_make(const char *compiler)
{
    char *argv[] = {(char *)(uintptr_t)compiler, (char *)(uintptr_t)("@" INPUT), NULL};
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    uint64_t conditions;

    if (!is_wanted() || !is_itself(compiler) || !read_conditions(compiler, &conditions))
        return;
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&the.lock);
    if (the.process.pid == 0 && hd_clc_serve_spawn(argv, &the.process) == 0) {
        the.conditions = conditions;
        the.until_ns = hd_clock_ns() + KEPT_NS;
        if (!the.has_keeper)
            the.has_keeper = hd_thread_start_detached(keep, NULL);
        if (!the.has_keeper)
            drop();
    }
    pthread_mutex_unlock(&the.lock);
}

/* One line of a response file: each argument in quotes. */
static void quote(const HdStrbuf *args, HdStrbuf *line)
{
    const char *arg = args->at, *end = args->at + args->count;

    for (arg += strlen(arg) + 1; arg < end; arg++) {
        hd_strbuf_add_char(line, '"');
        for (; *arg != '\0'; arg++) {
            if (*arg == '"' || *arg == '\\')
                hd_strbuf_add_char(line, '\\');
            hd_strbuf_add_char(line, *arg);
        }
        hd_strbuf_add(line, "\" ");
    }
}

/* Under the lock. */
static bool give(const HdStrbuf *line)
{
    return waitpid(the.process.pid, NULL, WNOHANG) == 0 &&
           hd_write_all(the.process.input[1], line->at, line->count, HD_WRITE_ON) == 0;
}

/* Under the lock: it compiles this itself, and is spare no more. */
static bool take_itself(const HdStrbuf *args, HdClcProcess *p)
{
    HdStrbuf line = {0};
    bool is_taken;

    quote(args, &line);
    is_taken = !line.failed && line.count <= MOST_INPUT && give(&line);
    hd_strbuf_free(&line);
    if (!is_taken)
        return false;
    hd_clc_spawn_close_input(&the.process);
    if (the.process.service >= 0)
        close(the.process.service);
    *p = the.process;
    p->service = -1;
    the.process.pid = 0;
    return true;
}

/* Under the lock: one that serves stays for the next time. */
static bool take(const HdStrbuf *args, HdClcProcess *p)
{
    int wait_ms = hd_clc_serve_is_expected(args->at) ? START_MS : 0;

    if (!hd_clc_serve_has_begun(&the.process, wait_ms))
        return take_itself(args, p);
    if (!hd_clc_serve_ask(&the.process, args, p))
        return false;
    the.until_ns = hd_clock_ns() + KEPT_NS;
    return true;
}

bool hd_clc_prespawn_take(const HdStrbuf *args, HdClcProcess *p)
{
    uint64_t conditions;
    bool is_taken = false;

    if (!is_wanted() || !read_conditions(args->at, &conditions))
        return false;
    pthread_mutex_lock(&the.lock);
    if (the.process.pid != 0) {
        is_taken = the.conditions == conditions && take(args, p);
        if (!is_taken)
            drop();
        hd_cond_signal(&the.changed);
    }
    pthread_mutex_unlock(&the.lock);
    return is_taken;
}
