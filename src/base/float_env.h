/* base/float_env.h -- the floating-point environment that results rely on.
 *
 * A host may round in another direction, flush denormals (objects built with -ffast-math turn that
 * on), or let exceptions trap (Fortran and Pascal do); new threads inherit it. What computes or
 * prints floats for a host runs in the default environment: nearest, denormals kept, no traps.
 * So do the groups of a launch (launch/ndrange.c), unless their shader asks for DenormFlushToZero.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_FLOAT_ENV_H
#define HD_BASE_FLOAT_ENV_H

#include <stdbool.h>
#include <stdint.h>

/* The control registers of a thread. */
typedef struct HdFloatEnv {
#if defined(__x86_64__)
    uint32_t mxcsr;
    uint16_t x87;
#else
    uint64_t fpcr;
#endif
} HdFloatEnv;

#if defined(__x86_64__)

#define HD_MXCSR_FLAGS   0x3fu /* exceptions that were raised: no control */
#define HD_MXCSR_DEFAULT 0x1f80u
#define HD_MXCSR_FLUSH   0x8040u
#define HD_X87_DEFAULT   0x37fu

static inline void hd_float_env_set(HdFloatEnv e)
{
    __asm__ volatile("ldmxcsr %0; fldcw %1" : : "m"(e.mxcsr), "m"(e.x87));
}

/* Enter the environment in which denormals are zeros, as operands and as results; returns the one
 * before. */
static inline HdFloatEnv hd_float_env_flush(void)
{
    HdFloatEnv before;

    __asm__ volatile("stmxcsr %0; fnstcw %1" : "=m"(before.mxcsr), "=m"(before.x87));
    hd_float_env_set((HdFloatEnv){.mxcsr = HD_MXCSR_DEFAULT | HD_MXCSR_FLUSH, .x87 = before.x87});
    return before;
}

/* Enter the default environment; returns the one before. A few cycles where that was the default.
 */
static inline HdFloatEnv hd_float_env_enter(void)
{
    HdFloatEnv before;

    __asm__ volatile("stmxcsr %0; fnstcw %1" : "=m"(before.mxcsr), "=m"(before.x87));
    if ((before.mxcsr & ~HD_MXCSR_FLAGS) != HD_MXCSR_DEFAULT || before.x87 != HD_X87_DEFAULT)
        hd_float_env_set((HdFloatEnv){.mxcsr = HD_MXCSR_DEFAULT, .x87 = HD_X87_DEFAULT});
    return before;
}

static inline void hd_float_env_leave(const HdFloatEnv *before)
{
    if ((before->mxcsr & ~HD_MXCSR_FLAGS) != HD_MXCSR_DEFAULT || before->x87 != HD_X87_DEFAULT)
        hd_float_env_set(*before);
}

#elif defined(__aarch64__)

static inline HdFloatEnv hd_float_env_enter(void)
{
    HdFloatEnv before;

    __asm__ volatile("mrs %0, fpcr" : "=r"(before.fpcr));
    if (before.fpcr != 0)
        __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0));
    return before;
}

static inline HdFloatEnv hd_float_env_flush(void)
{
    const HdFloatEnv before = hd_float_env_enter();

    __asm__ volatile("msr fpcr, %0" : : "r"(UINT64_C(1) << 24));
    return before;
}

static inline void hd_float_env_leave(const HdFloatEnv *before)
{
    if (before->fpcr != 0)
        __asm__ volatile("msr fpcr, %0" : : "r"(before->fpcr));
}

#else
#error "no floating-point environment for this processor"
#endif

/* Leave it. */
static inline void hd_float_env_restore(HdFloatEnv before)
{
#if defined(__x86_64__)
    hd_float_env_set(before);
#else
    __asm__ volatile("msr fpcr, %0" : : "r"(before.fpcr));
#endif
}

/* The default environment until the end of the block. */
#define HD_FLOAT_ENV                                                                     \
    __attribute__((cleanup(hd_float_env_leave), unused)) const HdFloatEnv hd_float_env = \
        hd_float_env_enter()

#endif
