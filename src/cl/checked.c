/* cl/checked.c -- HEDDLE_CHECK: memory of objects as they are created and released, and a report
 * of what they do. Findings are written after the command or call that they are from, so that a
 * host which is stopped by a signal has them; the summary when the process ends.
 *
 * check.call: the host calls an entry point with arguments that it refuses.
 * check.leak: the host has not released what it created.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/checked.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/option.h"
#include "check/observer.h"
#include "cl/caller.h"

#define KEPT 4096u

static struct {
    pthread_once_t once;
    HdCheck *_Atomic check; /* once there, it stays */
    size_t told;            /* defects that are written; guarded by the check's lock */
    bool is_late;           /* requested by a build option: some memory was created before */
    pid_t process;          /* a forked child has nothing to report */
    pthread_mutex_t lock;
    HD_ARRAY(struct HdBorn {
        const void *object;
        const atomic_uint *refs;
        HdCheckedKind kind;
    })
    objects;
    void *gone[KEPT]; /* objects, the oldest at next_gone */
    size_t next_gone;
} the = {.once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- what the host forgets ------------------------------------------------------------------ */

static const char *const kinds[HD_CHECKED_KINDS] = {
    [HD_CHECKED_CONTEXT] = "context",
    [HD_CHECKED_QUEUE] = "command queue",
    [HD_CHECKED_MEM] = "memory object",
    [HD_CHECKED_SAMPLER] = "sampler",
    [HD_CHECKED_PROGRAM] = "program",
    [HD_CHECKED_KERNEL] = "kernel",
    [HD_CHECKED_EVENT] = "event",
    [HD_CHECKED_SEMAPHORE] = "semaphore",
    [HD_CHECKED_COMMAND_BUFFER] = "command buffer",
};

void hd_checked_born(const void *o, HdCheckedKind kind, const atomic_uint *refs)
{
    struct HdBorn born = {.object = o, .refs = refs, .kind = kind};

    if (hd_checked() == NULL || kind == HD_CHECKED_KINDS)
        return;
    pthread_mutex_lock(&the.lock);
    (void)!HD_PUSH(NULL, &the.objects, born);
    pthread_mutex_unlock(&the.lock);
}

void hd_checked_died(const void *o)
{
    if (hd_checked() == NULL)
        return;
    pthread_mutex_lock(&the.lock);
    for (size_t i = the.objects.count; i-- > 0;)
        if (the.objects.at[i].object == o) {
            the.objects.at[i] = the.objects.at[--the.objects.count];
            break;
        }
    pthread_mutex_unlock(&the.lock);
}

void *hd_checked_keep(void *o)
{
    void *old = o;

    if (hd_checked() == NULL)
        return o;
    pthread_mutex_lock(&the.lock);
    old = the.gone[the.next_gone];
    the.gone[the.next_gone] = o;
    the.next_gone = (the.next_gone + 1) % KEPT;
    pthread_mutex_unlock(&the.lock);
    return old;
}

static void note_kept(void)
{
    pthread_mutex_lock(&the.lock);
    for (size_t k = 0; k < HD_CHECKED_KINDS; k++) {
        size_t count = 0;

        for (size_t i = 0; i < the.objects.count; i++)
            count += the.objects.at[i].kind == k && atomic_load(the.objects.at[i].refs) > 0;
        if (count > 0)
            hd_check_host(the.check, HD_NOTE, "check.leak", "release what has been created", NULL,
                          "%zu %s%s not been released", count, kinds[k],
                          count == 1 ? " has" : "s have");
    }
    pthread_mutex_unlock(&the.lock);
}

/* ---- calls that fail ------------------------------------------------------------------------- */

#define CODE(name)  \
    {               \
        name, #name \
    }
static const struct {
    cl_int code;
    const char *name;
} codes[] = {
    CODE(CL_MISALIGNED_SUB_BUFFER_OFFSET),
    CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    CODE(CL_MAP_FAILURE),
    CODE(CL_MEM_COPY_OVERLAP),
    CODE(CL_KERNEL_ARG_INFO_NOT_AVAILABLE),
    CODE(CL_PROFILING_INFO_NOT_AVAILABLE),
    CODE(CL_INVALID_VALUE),
    CODE(CL_INVALID_DEVICE_TYPE),
    CODE(CL_INVALID_PLATFORM),
    CODE(CL_INVALID_DEVICE),
    CODE(CL_INVALID_CONTEXT),
    CODE(CL_INVALID_QUEUE_PROPERTIES),
    CODE(CL_INVALID_COMMAND_QUEUE),
    CODE(CL_INVALID_SEMAPHORE_KHR),
    CODE(CL_INVALID_HOST_PTR),
    CODE(CL_INVALID_MEM_OBJECT),
    CODE(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR),
    CODE(CL_INVALID_IMAGE_SIZE),
    CODE(CL_INVALID_SAMPLER),
    CODE(CL_INVALID_BINARY),
    CODE(CL_INVALID_BUILD_OPTIONS),
    CODE(CL_INVALID_PROGRAM),
    CODE(CL_INVALID_PROGRAM_EXECUTABLE),
    CODE(CL_INVALID_KERNEL_NAME),
    CODE(CL_INVALID_KERNEL_DEFINITION),
    CODE(CL_INVALID_KERNEL),
    CODE(CL_INVALID_ARG_INDEX),
    CODE(CL_INVALID_ARG_VALUE),
    CODE(CL_INVALID_ARG_SIZE),
    CODE(CL_INVALID_KERNEL_ARGS),
    CODE(CL_INVALID_WORK_DIMENSION),
    CODE(CL_INVALID_WORK_GROUP_SIZE),
    CODE(CL_INVALID_WORK_ITEM_SIZE),
    CODE(CL_INVALID_GLOBAL_OFFSET),
    CODE(CL_INVALID_EVENT_WAIT_LIST),
    CODE(CL_INVALID_EVENT),
    CODE(CL_INVALID_OPERATION),
    CODE(CL_INVALID_BUFFER_SIZE),
    CODE(CL_INVALID_GLOBAL_WORK_SIZE),
    CODE(CL_INVALID_PROPERTY),
    CODE(CL_INVALID_IMAGE_DESCRIPTOR),
    CODE(CL_INVALID_COMPILER_OPTIONS),
    CODE(CL_INVALID_LINKER_OPTIONS),
    CODE(CL_INVALID_PIPE_SIZE),
    CODE(CL_INVALID_SPEC_ID),
};
#undef CODE

static const char *hint_of(cl_int code)
{
    switch (code) {
    case CL_INVALID_KERNEL_ARGS: return "set every argument of the kernel before it is enqueued";
    case CL_INVALID_ARG_SIZE: return "the size must be that of the kernel's argument";
    case CL_INVALID_MEM_OBJECT:
    case CL_INVALID_KERNEL:
    case CL_INVALID_PROGRAM:
    case CL_INVALID_COMMAND_QUEUE:
    case CL_INVALID_CONTEXT:
    case CL_INVALID_EVENT: return "is it the right object, and has it been released already?";
    default: return NULL;
    }
}

/* Does the call only ask what there is? pyopencl 2026.1 looks up attributes of its programs as
 * kernels. */
static bool is_question(const char *function, cl_int code)
{
    return strncmp(function, "clGet", 5) == 0 || code == CL_INVALID_KERNEL_NAME;
}

cl_int hd_checked_failure(const char *function, cl_int code)
{
    char caller[HD_CALLER_ROOM];
    size_t i = 0;

    /* Failures of helpers are reported by the entry point. */
    if (hd_checked() == NULL || strncmp(function, "hd_cl", 5) != 0)
        return code;
    while (i < sizeof codes / sizeof *codes && codes[i].code != code)
        i++;
    function += 3;
    /* Other errors are how a program finds out what is supported, or not its mistake. */
    if (i < sizeof codes / sizeof *codes) {
        hd_check_host(hd_checked(), is_question(function, code) ? HD_NOTE : HD_ERROR, "check.call",
                      hint_of(code), hd_caller(caller), "%s gives %s", function, codes[i].name);
        hd_checked_tell();
    }
    return code;
}

void hd_checked_note(const char *hint, const char *what)
{
    char caller[HD_CALLER_ROOM];

    if (hd_checked() == NULL)
        return;
    hd_check_host(hd_checked(), HD_NOTE, "check.call", hint, hd_caller(caller), "%s", what);
    hd_checked_tell();
}

/* ---- the report ------------------------------------------------------------------------------ */

static bool has_file(void)
{
    return hd_option_text(HD_OPTION_CHECK_REPORT)[0] != '\0';
}

static bool write_file(const HdDefects *all)
{
    const char *path = hd_option_text(HD_OPTION_CHECK_REPORT);
    HdStrbuf text = {0};
    HdDiags d;
    bool done;

    hd_defects_print(all, NULL, hd_defects_form(path), &text);
    hd_diags_init(&d);
    done = hd_file_write(path, hd_strbuf_text(&text), text.count, &d) == HD_OK;
    hd_diags_drop(&d);
    hd_strbuf_free(&text);
    return done;
}

static void print(const HdDefects *all)
{
    HdDefectForm form = isatty(STDERR_FILENO) ? HD_DEFECT_COLOUR : HD_DEFECT_TEXT;
    HdStrbuf text = {0};

    hd_defects_print(all, NULL, form, &text);
    fputs(hd_strbuf_text(&text), stderr);
    hd_strbuf_free(&text);
}

static void report_new(const HdDefects *all)
{
    HdDefects fresh = *all;

    if (the.told == all->count)
        return;
    fresh.goes_on = true;
    fresh.first = the.told;
    the.told = all->count;
    if (has_file())
        (void)write_file(all); /* the last time tells when it cannot be written */
    else
        print(&fresh);
}

static void report_rest(const HdDefects *all)
{
    HdDefects rest = *all;

    if (has_file() && write_file(all))
        return;
    rest.first = has_file() ? 0 : the.told;
    print(&rest);
}

void hd_checked_tell(void)
{
    if (hd_checked() != NULL && getpid() == the.process)
        hd_check_look(the.check, report_new);
}

/* The file that an option names; "%p" in its name is the process's number. False: it names none. */
static bool file_of(HdOption option, HdStrbuf *out)
{
    for (const char *at = hd_option_text(option); *at != '\0'; at++)
        if (at[0] == '%' && at[1] == 'p') {
            hd_strbuf_printf(out, "%ld", (long)getpid());
            at++;
        } else {
            hd_strbuf_add_char(out, *at);
        }
    return out->count > 0 && !out->failed;
}

/* Write what was counted, if it is asked for. */
static void write_counted(HdOption option, HdStatus (*write_to)(HdCheck *, const char *, HdDiags *))
{
    HdStrbuf path = {0};
    HdDiags d;

    hd_diags_init(&d);
    if (file_of(option, &path) && write_to(the.check, path.at, &d) != HD_OK)
        hd_diags_complain(&d);
    hd_diags_drop(&d);
    hd_strbuf_free(&path);
}

static void report_at_exit(void)
{
    if (getpid() != the.process)
        return;
    note_kept();
    hd_check_look(the.check, report_rest);
    write_counted(HD_OPTION_CHECK_COUNTS, hd_counts_write);
    write_counted(HD_OPTION_CHECK_COVERAGE, hd_coverage_write);
    hd_check_observe(the.check, NULL);
    if (hd_check_errors(the.check) > 0 && hd_option_number(HD_OPTION_CHECK_EXIT) != 0) {
        fflush(NULL);
        _exit(1);
    }
}

/* Standard error says why there is no observer: a program that does without is not what was asked
 * for, but it is not the program's fault. */
static void load_observer(HdCheck *check)
{
    const char *path = hd_option_text(HD_OPTION_CHECK_OBSERVER);
    HdDiags d;

    hd_diags_init(&d);
    if (*path != '\0' && hd_check_load_observer(check, path, &d) != HD_OK)
        hd_diags_complain(&d);
    hd_diags_drop(&d);
}

static void open_check(void)
{
    HdCheck *check;

    if (hd_check_open(&check) != HD_OK)
        return;
    if (hd_option_text(HD_OPTION_CHECK_COUNTS)[0] != '\0' ||
        hd_option_text(HD_OPTION_CHECK_COVERAGE)[0] != '\0')
        hd_check_count(check);
    load_observer(check);
    the.process = getpid();
    atomic_store(&the.check, check);
    atexit(report_at_exit);
}

static void open_when_asked(void)
{
    if (hd_option_number(HD_OPTION_CHECK) != 0)
        open_check();
}

HdCheck *hd_checked(void)
{
    pthread_once(&the.once, open_when_asked);
    return atomic_load_explicit(&the.check, memory_order_acquire);
}

void hd_checked_begin(void)
{
    if (hd_checked() != NULL)
        return;
    pthread_mutex_lock(&the.lock);
    if (atomic_load(&the.check) == NULL) {
        the.is_late = true;
        open_check();
    }
    pthread_mutex_unlock(&the.lock);
}

void hd_checked_memory(HdRegion r, const char *name)
{
    char caller[HD_CALLER_ROOM];

    if (hd_checked() == NULL)
        return;
    r.made = hd_caller(caller);
    (void)!hd_check_add(hd_checked(), &r, name);
}

bool hd_checked_is_strange(const void *at)
{
    return the.is_late && !hd_check_knows(the.check, (uint64_t)(uintptr_t)at);
}

void hd_checked_meet(const HdRegion *r, const char *name)
{
    (void)!hd_check_add(the.check, r, name);
}

void hd_checked_gone(const void *at, const void *owner)
{
    char caller[HD_CALLER_ROOM];

    if (hd_checked() != NULL)
        hd_check_remove(hd_checked(), (uint64_t)(uintptr_t)at, owner, hd_caller(caller));
}

void hd_checked_variables_gone(const HdProgramMemory *m)
{
    if (hd_checked() != NULL)
        hd_check_remove_all(hd_checked(), m->at);
}

void hd_checked_mapped(const void *at, size_t size)
{
    if (hd_checked() != NULL)
        hd_check_mapped(hd_checked(), (uint64_t)(uintptr_t)at, size);
}

void hd_checked_unmapped(const void *at)
{
    if (hd_checked() != NULL)
        hd_check_unmapped(hd_checked(), (uint64_t)(uintptr_t)at);
}

void hd_checked_wrote(const void *at, size_t size)
{
    if (hd_checked() != NULL)
        hd_check_host_wrote(hd_checked(), (uint64_t)(uintptr_t)at, size);
}

void hd_checked_read(const void *at, size_t size)
{
    if (hd_checked() != NULL)
        hd_check_host_reads(hd_checked(), (uint64_t)(uintptr_t)at, size, "the host");
}
