/* rt/fiber.c -- fibers around the assembly, and notifications to the sanitizers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/fiber.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

void hd_rt_fiber_swap(void **save, void *to);
void hd_rt_fiber_begin(void);

/* What the first switch to a fiber finds on its stack: the frame that hd_rt_fiber_swap leaves. */
#if defined(__x86_64__)
typedef struct Frame {
    uint32_t mxcsr;
    uint16_t x87, unused;
    uint64_t r15, r14, r13, r12, rbx, rbp, rip;
} Frame;

static void fill_frame(Frame *f, HdFiberFn *fn, void *arg)
{
    /* That of the thread: all exceptions masked, and the modes of what is launched. */
    __asm__ volatile("stmxcsr %0; fnstcw %1" : "=m"(f->mxcsr), "=m"(f->x87));
    f->r13 = (uint64_t)(uintptr_t)fn;
    f->r12 = (uint64_t)(uintptr_t)arg;
    f->rip = (uint64_t)(uintptr_t)hd_rt_fiber_begin;
}
#elif defined(__aarch64__)
typedef struct Frame {
    uint64_t x19, x20, x21[9], x30;
    uint64_t d8[8];
    uint64_t fpcr, unused;
} Frame;

static void fill_frame(Frame *f, HdFiberFn *fn, void *arg)
{
    f->x19 = (uint64_t)(uintptr_t)arg;
    f->x20 = (uint64_t)(uintptr_t)fn;
    f->x30 = (uint64_t)(uintptr_t)hd_rt_fiber_begin;
    __asm__ volatile("mrs %0, fpcr" : "=r"(f->fpcr));
}
#else
#error "fibers need a switch for this processor"
#endif

/* The function and argument travel through the stack's top so that the entry can finish the
 * sanitizers' switch before the fiber's own code runs. */
typedef struct Start {
    HdFiberFn *fn;
    void *arg;
    HdFiber *fiber;
} Start;

#if defined(__SANITIZE_ADDRESS__)
static void after_switch(HdFiber *self, HdFiber *from)
{
    const void *bottom;
    size_t bytes;

    __sanitizer_finish_switch_fiber(self->fake_stack, &bottom, &bytes);
    self->fake_stack = NULL;
    if (from != NULL && from->stack == NULL) { /* a thread's own stack: now we know where it is */
        from->stack = (unsigned char *)(uintptr_t)bottom;
        from->stack_bytes = bytes;
    }
}
#endif

HD_NO_RETURN_TRACE static void begin(void *arg)
{
    Start *start = arg;

#if defined(__SANITIZE_ADDRESS__)
    /* The one that switched here is in sp's place until the first switch away. */
    after_switch(start->fiber, start->fiber->sp);
#endif
    start->fn(start->arg);
    __builtin_unreachable(); /* fibers end by hd_rt_fiber_finish */
}

void hd_rt_fiber_begin_at(HdFiber *f, size_t skip, HdFiberFn *fn, void *arg)
{
    uintptr_t top = ((uintptr_t)f->stack + f->stack_bytes - skip) & ~(uintptr_t)63;
    Start *start = (Start *)(top - 64);
    /* At hd_rt_fiber_begin the stack pointer must be a multiple of 16. */
    Frame *frame = (Frame *)((uintptr_t)start - sizeof(Frame));

#if defined(__SANITIZE_ADDRESS__)
    __asan_unpoison_memory_region(f->stack, f->stack_bytes);
#endif
    *start = (Start){.fn = fn, .arg = arg, .fiber = f};
    memset(frame, 0, sizeof *frame);
    fill_frame(frame, begin, start);
    f->sp = frame;
    f->is_finishing = false;
    f->fake_stack = NULL;
#if defined(__SANITIZE_THREAD__)
    if (f->tsan == NULL)
        f->tsan = __tsan_create_fiber(0);
#endif
}

HD_NO_RETURN_TRACE void hd_rt_fiber_switch(HdFiber *from, HdFiber *to)
{
    void *target = to->sp;

#if defined(__SANITIZE_ADDRESS__)
    to->sp = from;
    __sanitizer_start_switch_fiber(from->is_finishing ? NULL : &from->fake_stack, to->stack,
                                   to->stack_bytes);
#endif
#if defined(__SANITIZE_THREAD__)
    if (from->stack == NULL)
        from->tsan = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to->tsan, 0);
#endif
    hd_rt_fiber_swap(&from->sp, target);
#if defined(__SANITIZE_ADDRESS__)
    after_switch(from, NULL);
#endif
}

HD_NO_RETURN_TRACE _Noreturn void hd_rt_fiber_finish(HdFiber *from, HdFiber *to)
{
    from->is_finishing = true;
    hd_rt_fiber_switch(from, to);
    __builtin_unreachable();
}

HdStatus hd_rt_stacks_open(HdStacks *s, unsigned count, size_t stack_bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), each;

    memset(s, 0, sizeof *s);
    if (stack_bytes > SIZE_MAX / 4 || count == 0)
        return HD_NO_MEMORY;
    stack_bytes = (stack_bytes + page - 1) / page * page;
    each = stack_bytes + page;
    if (each > SIZE_MAX / 2 / count)
        return HD_NO_MEMORY;
    HD_TAKE(s->fibers, hd_alloc_zero(count * sizeof(HdFiber)));
    s->bytes = each * count;
    s->at = mmap(NULL, s->bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (s->at == MAP_FAILED) {
        s->at = NULL;
        hd_rt_stacks_close(s);
        return HD_NO_MEMORY;
    }
    s->stack_bytes = stack_bytes;
    s->count = count;
    for (unsigned i = 0; i < count; i++) {
        unsigned char *guard = s->at + i * each;

        if (mprotect(guard, page, PROT_NONE) != 0) {
            hd_rt_stacks_close(s);
            return HD_NO_MEMORY;
        }
        s->fibers[i].stack = guard + page;
        s->fibers[i].stack_bytes = stack_bytes;
    }
    return HD_OK;
}

void hd_rt_stacks_close(HdStacks *s)
{
#if defined(__SANITIZE_THREAD__)
    for (unsigned i = 0; i < s->count; i++) {
        if (s->fibers[i].tsan != NULL)
            __tsan_destroy_fiber(s->fibers[i].tsan);
    }
#endif
    if (s->at != NULL) {
#if defined(__SANITIZE_ADDRESS__)
        /* Abandoned frames: the next user of these addresses must not see their redzones. */
        __asan_unpoison_memory_region(s->at, s->bytes);
#endif
        munmap(s->at, s->bytes);
    }
    hd_free(s->fibers);
    memset(s, 0, sizeof *s);
}
