/* clc/spawn.h -- starting clang as a process.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_SPAWN_H
#define HD_CLC_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

/* A running compiler; pid 0: none. The descriptors are this process' and are not inherited. */
typedef struct HdClcProcess {
    pid_t pid;
    int output;   /* where its output and errors can be read */
    int input[2]; /* the pipe that is its standard input, both ends; -1: /dev/null is */
    int service;  /* where it may be asked to compile (clc/serve.h); -1: nowhere */
    bool is_serving;
} HdClcProcess;

/* Start a program with its arguments in a process group of its own, without the host's descriptors
 * and blocked signals. has_input: its standard input is a pipe that stays open.
 * Returns 0 or an errno; then *p is none. */
int hd_clc_spawn(char *const *argv, bool has_input, HdClcProcess *p);

/* The same with an input and another environment; the program has the descriptor `service` as 3. */
int hd_clc_spawn_with(char *const *argv, char *const *env, int service, HdClcProcess *p);

/* Wait for its end. False: the host has waited for it, or ignores SIGCHLD, and nothing is known.
 *   status  as waitpid has it; may be NULL */
bool hd_clc_spawn_wait(pid_t pid, int *status);

/* Close the ends of its input: the program reads what was written, then the end of the file. */
void hd_clc_spawn_close_input(HdClcProcess *p);

#endif
