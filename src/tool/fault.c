/* tool/fault.c -- the message and the end of a process in which a compiled kernel faults.
 *
 * The texts are written beforehand, since a handler of signals may neither allocate nor lock, into
 * pages that the kernel cannot write to. A debugger stops before the handler runs.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/fault.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tool/tool.h"

#define BEFORE_ADDRESS "does not exist"

/* malloc aborts when it finds that its lists were written over. */
static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT};
static char *pages; /* the texts, each with its 0: for both files of each kind */
static size_t page_bytes;
static atomic_bool has_ended;               /* the kernel has */
static atomic_flag told = ATOMIC_FLAG_INIT; /* by a thread, which ends the process */

static void say(int file, const char *text, size_t count)
{
    while (count > 0) {
        ssize_t n = write(file, text, count);

        if (n <= 0)
            return;
        text += n;
        count -= (size_t)n;
    }
}

static void say_address(int file, uintptr_t at)
{
    static const char text[] = ", at address 0x";
    char digits[2 * sizeof at];
    unsigned first = sizeof digits;

    do
        digits[--first] = "0123456789abcdef"[at % 16];
    while ((at /= 16) != 0);
    say(file, text, sizeof text - 1);
    say(file, digits + first, sizeof digits - first);
}

/* at: the address, or NULL where none is known. */
static void say_text(int file, const char *text, const uintptr_t *at)
{
    const char *before = strstr(text, BEFORE_ADDRESS);

    if (at != NULL && before != NULL) {
        size_t first = (size_t)(before - text) + strlen(BEFORE_ADDRESS);

        say(file, text, first);
        say_address(file, *at);
        text += first;
    }
    say(file, text, strlen(text));
}

static const char *after(const char *text)
{
    return text + strlen(text) + 1;
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
    bool is_damage = sig == SIGABRT || atomic_load(&has_ended);
    const char *error = pages;
    uintptr_t at = (uintptr_t)info->si_addr;
    const uintptr_t *known =
        !is_damage && info->si_code > 0 && info->si_code != SI_KERNEL ? &at : NULL;

    (void)context;
    while (atomic_flag_test_and_set(&told)) /* another thread faulted first: it has the word */
        pause();
    if (is_damage)
        error = after(after(error));
    say_text(STDOUT_FILENO, after(error), known);
    say_text(STDERR_FILENO, error, known);
    _exit(HD_EXIT_FAILED);
}

void hd_fault_describe(HdFaultKind kind, const char *what, HdDiags *d)
{
    const HdDiag diag = {.severity = HD_ERROR,
                         .status = HD_ABORTED,
                         .rule = "run.fault",
                         .word = HD_NO_PLACE,
                         .hint = "heddle check with the same arguments shows which access it was"};

    if (kind == HD_FAULT_ACCESS)
        hd_diags_add(d, &diag, "the %s accessed memory that " BEFORE_ADDRESS, what);
    else
        hd_diags_add(d, &diag,
                     "the process is damaged: the %s may have written outside of its memory", what);
}

static char *put(char *to, const HdStrbuf *text)
{
    size_t bytes = strlen(hd_strbuf_text(text)) + 1;

    memcpy(to, hd_strbuf_text(text), bytes);
    return to + bytes;
}

static HdStatus write_pages(const HdFaultText text[HD_FAULT_KINDS])
{
    char *to;

    page_bytes = 0;
    for (unsigned i = 0; i < HD_FAULT_KINDS; i++)
        page_bytes += text[i].error.count + text[i].document.count + 2;
    to = mmap(NULL, page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (to == MAP_FAILED)
        return HD_NO_MEMORY;
    pages = to;
    for (unsigned i = 0; i < HD_FAULT_KINDS; i++)
        to = put(put(to, &text[i].error), &text[i].document);
    mprotect(pages, page_bytes, PROT_READ);
    return HD_OK;
}

HdStatus hd_fault_tell(HdFault *f, const HdFaultText text[HD_FAULT_KINDS])
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};

    HD_TRY(write_pages(text));
    atomic_store(&has_ended, false);
    atomic_flag_clear(&told);
    for (unsigned i = 0; i < HD_FAULT_SIGNALS; i++)
        sigaction(signals[i], &action, &f->before[i]);
    f->is_set = true;
    return HD_OK;
}

void hd_fault_kernel_ended(const HdFault *f)
{
    if (f->is_set)
        atomic_store(&has_ended, true);
}

void hd_fault_leave(HdFault *f)
{
    if (!f->is_set)
        return;
    for (unsigned i = 0; i < HD_FAULT_SIGNALS; i++)
        sigaction(signals[i], &f->before[i], NULL);
    munmap(pages, page_bytes);
    f->is_set = false;
}
