/* api/entries.h -- prototypes of all entry points, and the shapes that their checks share.
 *
 * An entry point checks its arguments in the order in which the specification lists the errors and
 * calls cl/. They are named hd_cl…: the loader finds them through the dispatch table, so that
 * programs may link several drivers.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_API_ENTRIES_H
#define HD_API_ENTRIES_H

#include "cl/cl_new.h"

#include <CL/cl_icd.h>

#include "base/trace.h"
#include "cl/checked.h"
#include "cl/info.h"
#include "cl/mem.h"
#include "cl/platform.h"
#include "cl/queue.h"

#define ENTRY(name) extern __typeof__(*((cl_icd_dispatch *)NULL)->name) hd_##name;
#define NONE(name)
#define EXTENSION(name) extern __typeof__(*(name##_fn)NULL) hd_##name;
#define NEWER(name)     extern __typeof__(*(hd_##name##_fn)NULL) hd_##name;
#include "api/entries.def"
#undef ENTRY
#undef NONE
#undef EXTENSION
#undef NEWER

/* The first line of an entry point: its calls are spans of a trace, by its name without "hd_". */
#define HD_TRACED HD_TRACE("api", &__func__[3])

/* The return value of an entry point that ends with another function's result: checked runs report
 * errors. */
#define HD_ANSWER(code) hd_checked_answer(__func__, (code))

/* Return an error unless something holds. */
#define HD_REQUIRE(condition, code)                     \
    do {                                                \
        if (!(condition))                               \
            return hd_checked_answer(__func__, (code)); \
    } while (0)

/* The same in functions that return a handle and give their error through a pointer. */
#define HD_REQUIRE_OR_NULL(condition, code, errcode) \
    do {                                             \
        if (!(condition)) {                          \
            hd_api_set(errcode, code);               \
            return NULL;                             \
        }                                            \
    } while (0)

#define hd_api_set(errcode, code) hd_api_answer(__func__, (errcode), (code))

static inline void hd_api_answer(const char *function, cl_int *errcode, cl_int code)
{
    if (errcode != NULL)
        *errcode = code;
    hd_checked_answer(function, code);
}

/* What a command waits for and gives back, from the last three arguments of clEnqueue…. */
static inline HdEnqueue hd_api_how(cl_uint count, const cl_event *waits, cl_event *event)
{
    return (HdEnqueue){.waits = {.count = count, .events = waits}, .out = event};
}

/* What commands without memory objects have in common: queue, wait list. */
static inline cl_int hd_api_check_queue(cl_command_queue q, const HdEnqueue *how)
{
    HD_REQUIRE(hd_queue_is(q), CL_INVALID_COMMAND_QUEUE);
    return hd_queue_check_waits(q, how->waits);
}

/* Of commands with memory objects also: are they of the kind that the command takes (`fit`), and of
 * the queue's context? */
static inline cl_int hd_api_check_mems(cl_command_queue q, cl_mem a, cl_mem b, bool fit,
                                       const HdEnqueue *how)
{
    HD_REQUIRE(hd_queue_is(q), CL_INVALID_COMMAND_QUEUE);
    HD_REQUIRE(fit, CL_INVALID_MEM_OBJECT);
    HD_REQUIRE(a->context == q->context && b->context == q->context, CL_INVALID_CONTEXT);
    return hd_queue_check_waits(q, how->waits);
}

static inline cl_int hd_api_check_mem(cl_command_queue q, cl_mem m, bool fits, const HdEnqueue *how)
{
    return hd_api_check_mems(q, m, m, fits, how);
}

/* api/svm_api.c: copies and fills of memory by its address. Errors: as clEnqueueSVMMemcpy,
 * clEnqueueSVMMemFill. */
cl_int hd_api_copy_memory(cl_command_queue q, cl_command_type type, void *dst, const void *src,
                          size_t size, HdEnqueue how);
cl_int hd_api_fill_memory(cl_command_queue q, cl_command_type type, void *to, const void *pattern,
                          size_t pattern_size, size_t size, HdEnqueue how);

#endif
