/* cl/checked.h -- HEDDLE_CHECK: notifications from the driver to a checked run, and its report.
 *
 * Without the variable, and until a program is built with -heddle-check, every function here does
 * nothing. That option checks everything that the process does from then on.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_CHECKED_H
#define HD_CL_CHECKED_H

#include <stdatomic.h>

#include "cl/cl_new.h"
#include "launch/launch.h"

/* The process's; NULL: nothing is checked. */
HdCheck *hd_checked(void);
/* A build option requests it. */
void hd_checked_begin(void);
/* Memory that commands and kernels may use from now on; `made` is filled in.
 *   name  of what it is; NULL: given by its kind */
void hd_checked_memory(HdRegion r, const char *name);
/* A launch is given memory: it may be older than the check. */
bool hd_checked_is_strange(const void *at);
void hd_checked_meet(const HdRegion *r, const char *name);
/* Memory is gone that belonged to `owner`. */
void hd_checked_gone(const void *at, const void *owner);
/* So are a program's variables. */
void hd_checked_variables_gone(const HdProgramMemory *m);
/* The host has bytes mapped; no longer. */
void hd_checked_mapped(const void *at, size_t size);
void hd_checked_unmapped(const void *at);
/* An entry point gives an error: `function` is that of its C function. Returns the code. */
cl_int hd_checked_failure(const char *function, cl_int code);
static inline cl_int hd_checked_answer(const char *function, cl_int code)
{
    return code >= 0 ? code : hd_checked_failure(function, code);
}
/* Write the findings that are new: after a launch, after a mistake of the host. */
void hd_checked_tell(void);
/* A call does what other platforms may refuse. */
void hd_checked_note(const char *hint, const char *what);
/* Objects that the host has to release; what it has not is noted when the process ends. */
typedef enum HdCheckedKind {
    HD_CHECKED_CONTEXT,
    HD_CHECKED_QUEUE,
    HD_CHECKED_MEM,
    HD_CHECKED_SAMPLER,
    HD_CHECKED_PROGRAM,
    HD_CHECKED_KERNEL,
    HD_CHECKED_EVENT,
    HD_CHECKED_SEMAPHORE,
    HD_CHECKED_COMMAND_BUFFER,
    HD_CHECKED_KINDS /* none of these */
} HdCheckedKind;
/* They come and go; `refs` are the host's. */
void hd_checked_born(const void *o, HdCheckedKind kind, const atomic_uint *refs);
void hd_checked_died(const void *o);
/* Keep the memory of one that is gone: what is to be freed now in its place. */
void *hd_checked_keep(void *o);
/* A command writes, has read, bytes. */
void hd_checked_wrote(const void *at, size_t size);
void hd_checked_read(const void *at, size_t size);

#endif
