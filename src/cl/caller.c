/* cl/caller.c -- where the host program calls the driver, for reports of checked runs.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/caller.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <unwind.h>

#define LOADER "libOpenCL" /* some bring their own, libOpenCL-1234.so */

typedef struct Search {
    const void *own; /* where this library is */
    Dl_info found;
    uintptr_t at;
} Search;

static const char *file_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static _Unwind_Reason_Code look(struct _Unwind_Context *frame, void *user)
{
    Search *s = user;
    /* Behind the call, which may be another function's beginning. */
    uintptr_t at = _Unwind_GetIP(frame) - 1;
    Dl_info info;

    if (dladdr((void *)at, &info) == 0 || info.dli_fname == NULL || info.dli_fbase == s->own ||
        strncmp(file_of(info.dli_fname), LOADER, sizeof LOADER - 1) == 0)
        return _URC_NO_REASON;
    s->found = info;
    s->at = at;
    return _URC_END_OF_STACK;
}

const char *hd_caller(char room[HD_CALLER_ROOM])
{
    Search s = {0};
    Dl_info own;
    const Elf64_Ehdr *file;
    uintptr_t base;

    if (dladdr((void *)(uintptr_t)&hd_caller, &own) != 0)
        s.own = own.dli_fbase;
    _Unwind_Backtrace(look, &s);
    if (s.at == 0)
        return NULL;
    file = s.found.dli_fbase;
    base = file->e_type == ET_EXEC ? 0 : (uintptr_t)file;
    snprintf(room, HD_CALLER_ROOM, "%s%s%s+0x%llx%s",
             s.found.dli_sname != NULL ? s.found.dli_sname : "",
             s.found.dli_sname != NULL ? " (" : "", file_of(s.found.dli_fname),
             (unsigned long long)(s.at - base), s.found.dli_sname != NULL ? ")" : "");
    return room;
}
