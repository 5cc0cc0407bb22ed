/* module/calls.h -- which functions call which.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_CALLS_H
#define HD_MODULE_CALLS_H

#include "module/module.h"

/* Functions are named by their index in m->functions. */
typedef struct HdCalls {
    uint32_t *first; /* [functions + 1] into to and word */
    uint32_t *to;    /* called functions */
    uint32_t *word;  /* of the calls */
} HdCalls;

/* Find all calls of the module's functions. All memory from `a`. */
HdStatus hd_module_calls(const HdModule *m, HdArena *a, HdCalls *out);

/* A function's index; UINT32_MAX: the id names none. */
static inline uint32_t hd_module_function_index(const HdModule *m, HdId id)
{
    const HdFunction *f = hd_module_function(m, id);

    return f == NULL ? UINT32_MAX : (uint32_t)(f - m->functions);
}

/* The address of a function as a program sees it: a number that is no address of memory, nor null,
 * and divisible by 16. The same in all launches of a program and in both engines. */
static inline uint64_t hd_module_function_address(uint32_t index)
{
    return UINT64_C(0xfc00000000000000) + (uint64_t)index * 16;
}

#endif
