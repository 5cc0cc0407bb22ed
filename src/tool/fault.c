/* tool/fault.c -- the message when a compiled kernel accesses unmapped memory.
 *
 * The handler lasts for one signal: afterwards the access faults again, so that the process ends,
 * and a debugger or a core dump shows it, as without the handler.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/fault.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "tool/tool.h"

static const int signals[] = {SIGSEGV, SIGBUS};
static const char *what_runs, *kind_of_it;

static void say(const char *text)
{
    (void)!write(STDERR_FILENO, text, strlen(text));
}

/* Nothing here may allocate or lock. */
static void on_fault(int sig, siginfo_t *info, void *context)
{
    char digits[2 * sizeof(uintptr_t) + 1];
    uintptr_t at = (uintptr_t)info->si_addr;
    unsigned first = sizeof digits - 1;

    (void)sig;
    (void)context;
    digits[first] = '\0';
    do
        digits[--first] = "0123456789abcdef"[at % 16];
    while ((at /= 16) != 0);
    say(what_runs);
    say(": error: the ");
    say(kind_of_it);
    say(" accessed memory that does not exist");
    if (info->si_code > 0 && info->si_code != SI_KERNEL) {
        say(", at address 0x");
        say(digits + first);
    }
    say("\n  hint: heddle check with the same arguments shows which access it was\n");
}

void hd_fault_tell(HdFault *f, const char *file, const char *kind)
{
    struct sigaction action = {.sa_sigaction = on_fault,
                               .sa_flags = SA_SIGINFO | (int)SA_RESETHAND};

    what_runs = file;
    kind_of_it = kind;
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, &f->before[i]);
}

void hd_fault_leave(const HdFault *f)
{
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &f->before[i], NULL);
}
