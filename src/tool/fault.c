/* tool/fault.c -- the message when a compiled kernel brings the process down.
 *
 * Afterwards the access faults again, or abort goes on, so that the process ends, and a debugger or
 * a core dump shows it, as without the handler.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/fault.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "tool/tool.h"

/* malloc aborts when it finds that its lists were written over. */
static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT};
static const char *what_runs, *kind_of_it;
static atomic_bool has_ended;               /* the kernel has */
static atomic_flag told = ATOMIC_FLAG_INIT; /* by a thread, which ends the process */

static void say(const char *text)
{
    (void)!write(STDERR_FILENO, text, strlen(text));
}

static void say_where(uintptr_t at)
{
    char digits[2 * sizeof at + 1];
    unsigned first = sizeof digits - 1;

    digits[first] = '\0';
    do
        digits[--first] = "0123456789abcdef"[at % 16];
    while ((at /= 16) != 0);
    say(", at address 0x");
    say(digits + first);
}

/* Nothing here may allocate or lock. */
static void on_fault(int sig, siginfo_t *info, void *context)
{
    (void)context;
    while (atomic_flag_test_and_set(&told)) /* another thread faulted first: it has the word */
        pause();
    say(what_runs);
    say(": error: ");
    if (sig == SIGABRT || atomic_load(&has_ended)) {
        say("the process is damaged: the ");
        say(kind_of_it);
        say(" may have written outside of its memory");
    } else {
        say("the ");
        say(kind_of_it);
        say(" accessed memory that does not exist");
        if (info->si_code > 0 && info->si_code != SI_KERNEL)
            say_where((uintptr_t)info->si_addr);
    }
    say("\n  hint: heddle check with the same arguments shows which access it was\n");
    signal(sig, SIG_DFL);
}

void hd_fault_tell(HdFault *f, const char *file, const char *kind)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};

    what_runs = file;
    kind_of_it = kind;
    atomic_store(&has_ended, false);
    atomic_flag_clear(&told);
    for (unsigned i = 0; i < HD_FAULT_SIGNALS; i++)
        sigaction(signals[i], &action, &f->before[i]);
    f->is_set = true;
}

void hd_fault_kernel_ended(const HdFault *f)
{
    if (f->is_set)
        atomic_store(&has_ended, true);
}

void hd_fault_leave(HdFault *f)
{
    for (unsigned i = 0; f->is_set && i < HD_FAULT_SIGNALS; i++)
        sigaction(signals[i], &f->before[i], NULL);
    f->is_set = false;
}
