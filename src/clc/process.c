/* clc/process.c -- running clang: a process with a limit on its time, whose output is kept.
 *
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/trace.h"
#include "clc/crash.h"
#include "clc/job.h"
#include "clc/prespawn.h"
#include "clc/serve.h"

#define TIME_OUT_MS 120000  /* of processor time: a busy machine is no reason to give up */
#define WAIT_MS     1200000 /* whatever the compiler does */
#define MAX_LOG     (1u << 20)

HdStatus hd_clc_fail(HdClcJob *j, const char *what)
{
    hd_strbuf_printf(j->log, "heddle: %s: %s\n", what, strerror(errno));
    return HD_IO;
}

/* Milliseconds of processor time used by a process; 0 if unknown. */
static int64_t cpu_ms(pid_t pid)
{
    struct timespec t;
    clockid_t clock;

    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
        return 0;
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Read the output of the process until it closes its end; false if time ran out. */
static bool read_log(HdClcJob *j, int fd, pid_t pid)
{
    int64_t end = (int64_t)hd_clock_ms() + WAIT_MS;
    size_t kept = 0;

    for (;;) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int64_t left = end - (int64_t)hd_clock_ms(), due = TIME_OUT_MS - cpu_ms(pid);
        char bytes[4096];
        ssize_t n;

        if (left <= 0 || due <= 0)
            return false;
        if (poll(&p, 1, (int)(left < due ? left : due)) < 0 && errno != EINTR)
            return true;
        if (p.revents == 0)
            continue;
        n = read(fd, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return true;
        if (kept < MAX_LOG)
            hd_strbuf_add_bytes(j->log, bytes, (size_t)n);
        kept += (size_t)n;
    }
}

/* The dynamic linker did not find what the compiler is linked with; shells use the number, too. */
static bool is_not_started(const HdClcJob *j, int status, size_t from)
{
    return WIFEXITED(status) && WEXITSTATUS(status) == 127 &&
           strstr(hd_strbuf_text(j->log) + from, "error while loading shared libraries") != NULL;
}

/* Its output is in the log from byte `from` on. */
static HdStatus wait_for(HdClcJob *j, pid_t pid, bool in_time, size_t from)
{
    int status = 0;
    bool is_known;

    if (!in_time)
        kill(-pid, SIGKILL);
    is_known = hd_clc_spawn_wait(pid, &status);
    if (!in_time) {
        hd_strbuf_printf(j->log, "heddle: the compiler took longer than %d seconds\n",
                         TIME_OUT_MS / 1000);
        return HD_IO;
    }
    if (!is_known)
        return HD_OK; /* the output file shows it */
    if (is_not_started(j, status, from)) {
        hd_strbuf_printf(j->log,
                         "heddle: %s cannot be started; HEDDLE_CLANG names another compiler\n",
                         j->args.at);
        return HD_IO;
    }
    if (WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) > 1) ||
        (WEXITSTATUS(status) != 0 && hd_clc_crashed(j->log, from))) {
        hd_clc_explain_crash(j->log, from, j->args.at, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
        return HD_IO;
    }
    if (WEXITSTATUS(status) == 0)
        return HD_OK;
    if (j->log->count == from)
        hd_strbuf_printf(j->log, "heddle: %s ended with exit code %d and said nothing\n",
                         j->args.at, WEXITSTATUS(status));
    return HD_BAD_INPUT;
}

static HdStatus start(HdClcJob *j, HdClcProcess *p)
{
    const char *arg = j->args.at;
    char **argv;
    int error;

    HD_TAKE(argv, hd_alloc_zero((j->arg_count + 1) * sizeof *argv));
    for (size_t i = 0; i < j->arg_count; i++) {
        argv[i] = j->args.at + (arg - j->args.at);
        arg += strlen(arg) + 1;
    }
    error = hd_clc_spawn(argv, false, p);
    hd_free(argv);
    if (error == 0)
        return HD_OK;
    errno = error;
    return hd_clc_fail(j, "the compiler cannot be run");
}

HdStatus hd_clc_run(HdClcJob *j)
{
    size_t from = j->log->count;
    HdClcProcess p;
    HdStatus st;
    HD_TRACE("build", "clang");

    if (j->args.failed)
        return HD_NO_MEMORY;
    if (j->is_repeated && hd_clc_serve_is_expected(j->compiler))
        hd_clc_prespawn_make(j->compiler); /* it compiles this, too */
    if (!hd_clc_prespawn_take(&j->args, &p))
        HD_TRY(start(j, &p));
    if (j->is_repeated)
        hd_clc_prespawn_make(j->compiler);
    st = wait_for(j, p.pid, read_log(j, p.output, p.pid), from);
    close(p.output);
    return st;
}
