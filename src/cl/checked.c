/* cl/checked.c -- HEDDLE_CHECK: memory as objects come and go, and a report when the process ends.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/checked.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/option.h"
#include "cl/queue.h"

static struct {
    pthread_once_t once;
    HdCheck *check;
    pid_t process; /* a forked child has nothing of its own to tell */
} the = {.once = PTHREAD_ONCE_INIT};

static void report_at_exit(void)
{
    const char *path = hd_option_text(HD_OPTION_CHECK_REPORT);
    const HdDefects *found = hd_check_defects(the.check);
    HdDefectForm form = hd_defects_form(path);
    HdStrbuf text = {0};
    HdDiags d;

    if (getpid() != the.process)
        return;
    if (path[0] == '\0' && isatty(STDERR_FILENO))
        form = HD_DEFECT_COLOUR;
    hd_defects_print(found, NULL, form, &text);
    hd_diags_init(&d);
    if (path[0] == '\0' || hd_file_write(path, hd_strbuf_text(&text), text.count, &d) != HD_OK)
        fputs(hd_strbuf_text(&text), stderr);
    hd_diags_drop(&d);
    hd_strbuf_free(&text);
    if (found->errors > 0 && hd_option_number(HD_OPTION_CHECK_EXIT) != 0) {
        fflush(NULL);
        _exit(1);
    }
}

static void open_check(void)
{
    if (hd_option_number(HD_OPTION_CHECK) == 0 || hd_check_open(&the.check) != HD_OK)
        return;
    the.process = getpid();
    atexit(report_at_exit);
}

HdCheck *hd_checked(void)
{
    pthread_once(&the.once, open_check);
    return the.check;
}

void hd_checked_buffer(const struct _cl_mem *m)
{
    HdRegion r = {.at = (uint64_t)(uintptr_t)m->at,
                  .bytes = m->size,
                  .kind = HD_REGION_BUFFER,
                  .is_read_only = (m->flags & CL_MEM_READ_ONLY) != 0,
                  .is_write_only = (m->flags & CL_MEM_WRITE_ONLY) != 0,
                  .is_undefined = (m->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) == 0};

    if (hd_checked() != NULL)
        (void)!hd_check_add(hd_checked(), &r, NULL);
}

void hd_checked_shared(const void *at, size_t size, HdRegionKind kind)
{
    HdRegion r = {.at = (uint64_t)(uintptr_t)at, .bytes = size, .kind = kind};
    static const char *const names[] = {
        [HD_REGION_SVM] = "shared virtual memory",
        [HD_REGION_HOST] = "host memory",
        [HD_REGION_DEVICE] = "device memory",
        [HD_REGION_SHARED] = "shared memory",
    };

    if (hd_checked() != NULL)
        (void)!hd_check_add(hd_checked(), &r, names[kind]);
}

void hd_checked_gone(const void *at)
{
    if (hd_checked() != NULL)
        hd_check_remove(hd_checked(), (uint64_t)(uintptr_t)at);
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

void hd_checked_copy(const HdCopy *c, bool to_host)
{
    if (hd_checked() == NULL)
        return;
    for (size_t z = 0; z < c->region[2]; z++)
        for (size_t y = 0; y < c->region[1]; y++) {
            if (to_host)
                hd_checked_read(c->from + z * c->from_slice + y * c->from_row, c->region[0]);
            hd_checked_wrote(c->to + z * c->to_slice + y * c->to_row, c->region[0]);
        }
}
