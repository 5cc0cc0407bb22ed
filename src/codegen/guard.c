/* codegen/guard.c -- what LLVM calls a fatal error ends one compilation, not the process.
 *
 * LLVM ends the process where instruction selection has no pattern ("Cannot select") and where
 * registers do not suffice. Its handler may not return, so it jumps out of LLVM, as clang's crash
 * recovery does. No lock is held then; memory that LLVM's frames own is lost.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/guard.h"

#include <llvm-c/ErrorHandling.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

typedef struct Guard {
    jmp_buf back;
    char *reason;
    size_t room;
} Guard;

/* Which guard a thread is in. It is no variable of threads: LeakSanitizer (gcc 12) does not find
 * its way through those of a library that is opened late. */
static struct {
    pthread_key_t key;
    bool exists;
} current;

static void on_fatal_error(const char *reason)
{
    Guard *g = pthread_getspecific(current.key);

    /* With a shared LLVM another's thread, of which LLVM says nothing if it has a handler. */
    if (g == NULL) {
        fprintf(stderr, "LLVM ERROR: %s\n", reason);
        return;
    }
    snprintf(g->reason, g->room, "LLVM gave up: %.*s", (int)strcspn(reason, "\n"), reason);
    longjmp(g->back, 1);
}

void hd_guard_install(void)
{
    current.exists = pthread_key_create(&current.key, NULL) == 0;
    if (current.exists)
        LLVMInstallFatalErrorHandler(on_fatal_error);
}

static void enter(const Guard *g)
{
    if (current.exists)
        (void)pthread_setspecific(current.key, g);
}

bool hd_guard_run(void (*work)(void *), void *user, char *reason, size_t room)
{
    Guard here = {.reason = reason, .room = room};

    enter(&here);
    if (setjmp(here.back) != 0) {
        enter(NULL);
        return false;
    }
    work(user);
    enter(NULL);
    return true;
}
