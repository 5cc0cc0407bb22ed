/* cl/checked.h -- HEDDLE_CHECK: what the driver tells a checked run, and its report.
 *
 * Without the variable, and until a program is built with -heddle-check, every function here does
 * nothing. That option checks all that the process does from there on.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CL_CHECKED_H
#define HD_CL_CHECKED_H

#include "cl/event.h"
#include "cl/mem.h"
#include "launch/launch.h"

/* The process's; NULL: nothing is checked. */
HdCheck *hd_checked(void);
/* A build option asks for it. */
void hd_checked_begin(void);
/* A launch is given memory: it may be older than the check. */
void hd_checked_meet(const struct _cl_mem *m);
void hd_checked_meet_shared(cl_context c, const void *at);

void hd_checked_buffer(const struct _cl_mem *m);
/* Kernels reach it by instructions of pipes alone: its packets have shadow. */
void hd_checked_pipe(const struct _cl_mem *m, size_t bytes);
/* An allocation that the host and kernels know by one address. */
void hd_checked_shared(const void *at, size_t size, HdRegionKind kind);
/* Memory is gone; `owner`: the memory object, or the allocation's address. */
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
/* Objects come and go: what the host has not released is noted when the process ends. */
void hd_checked_born(HdObject *o);
void hd_checked_died(const HdObject *o);
/* Keep the memory of one that is gone: what is to be freed now in its place. */
void *hd_checked_keep(void *o);
/* A command writes, has read, bytes. */
void hd_checked_copy(const HdCopy *c, bool to_host);
void hd_checked_wrote(const void *at, size_t size);
void hd_checked_read(const void *at, size_t size);

#endif
