/* clc/spawn.c -- starting clang as a process.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/spawn.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const HdClcProcess none = {.pid = 0, .output = -1, .input = {-1, -1}, .service = -1};

#define SERVICE 3 /* the first descriptor behind the standard ones */

/* The child has none of the host's files: those from `first` on are closed. */
static void close_others(posix_spawn_file_actions_t *actions, int first)
{
#ifdef __GLIBC__
    posix_spawn_file_actions_addclosefrom_np(actions, first);
#else
    DIR *folder = opendir("/proc/self/fd");

    for (struct dirent *e; folder != NULL && (e = readdir(folder)) != NULL;) {
        int fd = atoi(e->d_name);

        if (fd >= first && fd != dirfd(folder))
            posix_spawn_file_actions_addclose(actions, fd);
    }
    if (folder != NULL)
        closedir(folder);
#endif
}

static int spawn(char *const *argv, char *const *env, int service, HdClcProcess *p, int output)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t no_signal;
    int error;

    sigemptyset(&no_signal);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    if (p->input[0] >= 0)
        posix_spawn_file_actions_adddup2(&actions, p->input[0], 0);
    else
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_adddup2(&actions, output, 2);
    if (service >= 0)
        posix_spawn_file_actions_adddup2(&actions, service, SERVICE);
    close_others(&actions, service >= 0 ? SERVICE + 1 : SERVICE);
    posix_spawnattr_setsigmask(&attributes, &no_signal);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    error = posix_spawn(&p->pid, argv[0], &actions, &attributes, argv, env);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

static int start(char *const *argv, char *const *env, bool has_input, int service, HdClcProcess *p)
{
    int output[2], error = 0;

    *p = none;
    if (pipe2(output, O_CLOEXEC) != 0)
        return errno;
    p->output = output[0];
    if (has_input && pipe2(p->input, O_CLOEXEC) != 0)
        error = errno;
    if (error == 0)
        error = spawn(argv, env, service, p, output[1]);
    close(output[1]);
    if (error != 0) {
        close(p->output);
        hd_clc_spawn_close_input(p);
        *p = none;
    }
    return error;
}

int hd_clc_spawn(char *const *argv, bool has_input, HdClcProcess *p)
{
    return start(argv, environ, has_input, -1, p);
}

int hd_clc_spawn_with(char *const *argv, char *const *env, int service, HdClcProcess *p)
{
    return start(argv, env, true, service, p);
}

bool hd_clc_spawn_wait(pid_t pid, int *status)
{
    pid_t got;

    do
        got = waitpid(pid, status, 0);
    while (got < 0 && errno == EINTR);
    return got >= 0;
}

void hd_clc_spawn_close_input(HdClcProcess *p)
{
    for (unsigned i = 0; i < 2; i++) {
        if (p->input[i] >= 0)
            close(p->input[i]);
        p->input[i] = -1;
    }
}
