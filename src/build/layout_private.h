/* build/layout_private.h -- what the files that make a layout share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BUILD_LAYOUT_PRIVATE_H
#define HD_BUILD_LAYOUT_PRIVATE_H

#include "base/bitset.h"
#include "build/layout.h"

/* What each kernel reaches through calls. */
typedef struct HdReach {
    const uint32_t *numbers; /* [bound] of module-scope variables, from 1; 0: none */
    const uint64_t **seen;   /* [kernel] bit set: numbers of those that its functions mention */
    bool *uses_group;        /* [kernel] work-group collectives */
    bool *uses_subgroups;    /* [kernel] sub-group built-ins or operations */
} HdReach;

/* Follow calls from every kernel of the layout. `d` gets a warning for each function without a body
 * that a kernel reaches. */
HdStatus hd_reach_open(const HdModule *m, HdArena *a, const HdBuildLayout *l, HdDiags *d,
                       HdReach *out);

static inline bool hd_reach_has(const HdReach *r, uint32_t kernel, HdId id)
{
    return hd_bit_has(r->seen[kernel], r->numbers[id]); /* nobody mentions 0 */
}

/* Can the host launch it? Some producers make entry points of what kernels enqueue. */
bool hd_layout_is_host_kernel(const HdModule *m, const HdEntryPoint *entry);
/* Functions that kernels enqueue or ask about, once each. */
HdStatus hd_layout_find_children(const HdModule *m, HdArena *a, HdBuildLayout *l, HdId **functions);
/* A function as an entry point. */
HdStatus hd_layout_child(const HdModule *m, HdArena *a, HdDiags *d, HdId function,
                         HdKernelInfo *out);
/* Arguments and execution modes of one entry point. */
HdStatus hd_layout_kernel(const HdModule *m, HdArena *a, HdDiags *d, const HdEntryPoint *entry,
                          HdKernelInfo *out);
/* Names of all kernels' arguments and of their types. */
HdStatus hd_layout_name_arguments(const HdModule *m, HdArena *a, HdBuildLayout *l);

#endif
