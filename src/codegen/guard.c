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
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

typedef struct Guard {
    jmp_buf back;
    char *reason;
    size_t room;
} Guard;

static _Thread_local Guard *current;

static void on_fatal_error(const char *reason)
{
    Guard *g = current;

    if (g ==
        NULL) { /* with a shared LLVM another's thread: LLVM says nothing when it has a handler */
        fprintf(stderr, "LLVM ERROR: %s\n", reason);
        return;
    }
    snprintf(g->reason, g->room, "LLVM gave up: %.*s", (int)strcspn(reason, "\n"), reason);
    longjmp(g->back, 1);
}

void hd_guard_install(void)
{
    LLVMInstallFatalErrorHandler(on_fatal_error);
}

bool hd_guard_run(void (*work)(void *), void *user, char *reason, size_t room)
{
    Guard here = {.reason = reason, .room = room};
    bool is_done = false;

    current = &here;
    if (setjmp(here.back) == 0) {
        work(user);
        is_done = true;
    }
    current = NULL;
    return is_done;
}
