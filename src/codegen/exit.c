/* codegen/exit.c -- the process may end while threads compile.
 *
 * LLVM destroys its globals when the process exits, which threads that compile then still use. Of
 * an LLVM of our own nothing is destroyed, so nobody waits: a thread without anything else to do
 * compiles at the lowest priority, and on a busy machine may not come to an end for seconds.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/exit.h"

#ifdef HD_LLVM_STATIC

/* All of this library that is to be called at exit is registered here: destructors of LLVM's
 * globals. */
int __cxa_atexit(void (*call)(void *), void *argument, void *library);
int __cxa_atexit(void (*call)(void *), void *argument, void *library)
{
    (void)call;
    (void)argument;
    (void)library;
    return 0;
}

void hd_exit_begin(void)
{
}

bool hd_exit_enter(void)
{
    return true;
}

void hd_exit_go(void)
{
}

#else

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/cond.h"

/* Our handler is registered after LLVM's, so it runs before: it waits for threads that compile, and
 * no compilation may start afterwards. LLVM creates some function-local tables on first use, such
 * as the lists of types that the nodes of a selection graph refer to: so the handler is registered
 * again after the first compilation, the second, the fourth … A thread whose compilation may be the
 * first of all warms up beforehand if it has the time: hd_codegen_entry(q, NULL). */
static struct {
    pthread_mutex_t lock;
    HdCond changed;
    unsigned at_work, finished;
    bool is_leaving;
} door = {.lock = PTHREAD_MUTEX_INITIALIZER};

#define LEAVE_SECONDS 10 /* a thread that never comes back must not keep the process */

static void leave(void)
{
    uint64_t end = hd_clock_ns() + LEAVE_SECONDS * UINT64_C(1000000000), now;

    pthread_mutex_lock(&door.lock);
    door.is_leaving = true;
    while (door.at_work > 0 && (now = hd_clock_ns()) < end)
        hd_cond_wait_ns(&door.changed, &door.lock, end - now);
    pthread_mutex_unlock(&door.lock);
}

void hd_exit_begin(void)
{
    atexit(leave);
}

bool hd_exit_enter(void)
{
    bool may;

    pthread_mutex_lock(&door.lock);
    may = !door.is_leaving;
    door.at_work += may;
    pthread_mutex_unlock(&door.lock);
    return may;
}

void hd_exit_go(void)
{
    bool register_again;

    pthread_mutex_lock(&door.lock);
    door.at_work--;
    door.finished++;
    register_again = !door.is_leaving && (door.finished & (door.finished - 1)) == 0;
    hd_cond_broadcast(&door.changed);
    pthread_mutex_unlock(&door.lock);
    if (register_again)
        atexit(leave);
}

#endif
