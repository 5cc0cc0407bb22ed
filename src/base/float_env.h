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
#define HD_FLOAT_DEFAULT ((HdFloatEnv){.mxcsr = 0x1f80u, .x87 = 0x37fu})
#define HD_FLOAT_FLUSH   ((HdFloatEnv){.mxcsr = 0x1f80u | 0x8040u, .x87 = 0x37fu})

static inline HdFloatEnv hd_float_env_get(void)
{
    HdFloatEnv e;

    __asm__ volatile("stmxcsr %0; fnstcw %1" : "=m"(e.mxcsr), "=m"(e.x87));
    return e;
}

static inline void hd_float_env_set(HdFloatEnv e)
{
    __asm__ volatile("ldmxcsr %0; fldcw %1" : : "m"(e.mxcsr), "m"(e.x87));
}

static inline bool hd_float_env_is(HdFloatEnv a, HdFloatEnv b)
{
    return ((a.mxcsr ^ b.mxcsr) & ~HD_MXCSR_FLAGS) == 0 && a.x87 == b.x87;
}

#elif defined(__aarch64__)

#define HD_FLOAT_DEFAULT ((HdFloatEnv){.fpcr = 0})
#define HD_FLOAT_FLUSH   ((HdFloatEnv){.fpcr = UINT64_C(1) << 24})

static inline HdFloatEnv hd_float_env_get(void)
{
    HdFloatEnv e;

    __asm__ volatile("mrs %0, fpcr" : "=r"(e.fpcr));
    return e;
}

static inline void hd_float_env_set(HdFloatEnv e)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(e.fpcr));
}

static inline bool hd_float_env_is(HdFloatEnv a, HdFloatEnv b)
{
    return a.fpcr == b.fpcr;
}

#else
#error "no floating-point environment for this processor"
#endif

/* Enter an environment: HD_FLOAT_DEFAULT, or HD_FLOAT_FLUSH, in which denormals are zeros as
 * operands and as results. Returns the one before. A few cycles where that is the same. */
static inline HdFloatEnv hd_float_env_enter(HdFloatEnv e)
{
    const HdFloatEnv before = hd_float_env_get();

    if (!hd_float_env_is(before, e))
        hd_float_env_set(e);
    return before;
}

/* Leave `e` for the one before. */
static inline void hd_float_env_leave(HdFloatEnv e, HdFloatEnv before)
{
    if (!hd_float_env_is(before, e))
        hd_float_env_set(before);
}

static inline void hd_float_env_leave_default(const HdFloatEnv *before)
{
    hd_float_env_leave(HD_FLOAT_DEFAULT, *before);
}

/* The default environment until the end of the block. */
#define HD_FLOAT_ENV                                                                             \
    __attribute__((cleanup(hd_float_env_leave_default), unused)) const HdFloatEnv hd_float_env = \
        hd_float_env_enter(HD_FLOAT_DEFAULT)

#endif
