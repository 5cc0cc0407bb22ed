/* rt/fiber.h -- our own stacks and switching between them.
 *
 * A fiber is a stack with a resume point. The thread's own stack takes part as a zeroed fiber that
 * was never started. Fibers never leave their thread.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_FIBER_H
#define HD_RT_FIBER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#if __has_feature(thread_sanitizer) && !defined(__SANITIZE_THREAD__)
#define __SANITIZE_THREAD__ 1
#endif
#endif

/* Functions that a fiber enters and never leaves: ThreadSanitizer would note the entries on its
 * own stack for the fiber, each time it is reused, until that overflows. */
#if !defined(__SANITIZE_THREAD__)
#define HD_NO_RETURN_TRACE
#elif defined(__clang__)
#define HD_NO_RETURN_TRACE __attribute__((disable_sanitizer_instrumentation, noinline))
#else
#define HD_NO_RETURN_TRACE __attribute__((no_sanitize("thread"), noinline))
#endif

typedef struct HdFiber {
    void *sp;
    unsigned char *stack; /* lowest byte; NULL for a thread's own stack before a first switch */
    size_t stack_bytes;
    void *fake_stack;  /* AddressSanitizer's */
    void *tsan;        /* ThreadSanitizer's; lives as long as the fiber is reused */
    bool is_finishing; /* its last switch is under way */
} HdFiber;

/* What a fiber runs; it ends by hd_rt_fiber_finish and never returns. Define such functions with
 * HD_NO_RETURN_TRACE. */
typedef void HdFiberFn(void *arg);

/* Make a fiber call fn(arg) at its next switch, in the floating-point environment that the caller
 * of this has.
 *   skip  bytes to leave unused at the top: neighbours with different ones do not compete for
 *         the same cache sets; a multiple of 64 */
void hd_rt_fiber_begin_at(HdFiber *f, size_t skip, HdFiberFn *fn, void *arg);
/* Continue `to`; returns when something switches back to `from`. */
void hd_rt_fiber_switch(HdFiber *from, HdFiber *to);
/* The same for the last time: `from` may be begun again. Does not return. */
_Noreturn void hd_rt_fiber_finish(HdFiber *from, HdFiber *to);

/* Stacks with a guard page below each, from one mapping. */
typedef struct HdStacks {
    unsigned char *at;
    size_t bytes;       /* of the mapping */
    size_t stack_bytes; /* usable bytes of each, whole pages */
    HdFiber *fibers;    /* [count], their stacks set */
    unsigned count;
} HdStacks;

/* Errors: HD_NO_MEMORY. */
HdStatus hd_rt_stacks_open(HdStacks *s, unsigned count, size_t stack_bytes);
void hd_rt_stacks_close(HdStacks *s);

#endif
