/* build/layout_state.h -- shared by the files that compute a layout.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BUILD_LAYOUT_STATE_H
#define HD_BUILD_LAYOUT_STATE_H

#include "base/bitset.h"
#include "base/reach.h"
#include "build/layout.h"
#include "module/calls.h"

/* What functions mention of local memory and of resources, and whom they call. Such variables are
 * numbered from 1, in the order of their instructions. */
typedef struct HdMentions {
    HdReach reach;        /* the graph of calls, by indexes in m->functions */
    uint32_t local_count; /* all of storage classes that are numbered */
    uint32_t *end;        /* [local_count + 1] where in function the list of a number ends; 0: 0 */
    uint32_t *function;   /* functions that mention the variable */
} HdMentions;

/* Look at every function that kernels of the layout reach, and note there which of them use groups
 * and sub-groups. `d` gets a warning for each function without a body that a kernel reaches. */
HdStatus hd_mentions_open(const HdModule *m, HdArena *a, HdBuildLayout *l, HdDiags *d,
                          HdMentions *out);
/* Let reach.mask say which of 64 local variables, the first of that number, functions reach. */
void hd_mentions_spread(HdMentions *r, uint32_t first);

static inline uint32_t hd_mentions_vertex(const HdModule *m, const HdKernelInfo *k)
{
    return hd_module_function_index(m, k->entry->function);
}

/* Can the host launch it? Some producers make entry points of what kernels enqueue. */
bool hd_layout_is_host_kernel(const HdModule *m, const HdEntryPoint *entry);
/* Functions that kernels enqueue or ask about, once each. */
HdStatus hd_layout_find_children(const HdModule *m, HdArena *a, HdBuildLayout *l, HdId **functions);
/* A function as an entry point. */
HdStatus hd_layout_child(const HdModule *m, HdArena *a, HdDiags *d, HdId function,
                         HdKernelInfo *out);
/* Arguments of one entry point. */
HdStatus hd_layout_kernel(const HdModule *m, HdArena *a, HdDiags *d, const HdEntryPoint *entry,
                          HdKernelInfo *out);
/* Resources and Private variables of a module, and those that are a shader's arguments. */
HdStatus hd_layout_resources(const HdModule *m, HdArena *a, HdBuildLayout *l, HdDiags *d);
HdStatus hd_layout_shader(const HdModule *m, HdArena *a, const HdBuildLayout *l, HdDiags *d,
                          HdKernelInfo *k);
/* Variables of shaders that only ever hold one constant. */
HdStatus hd_layout_tables(const HdModule *m, HdArena *a, HdBuildLayout *l);
/* The kernel reaches a variable that has a number but no place in local memory. */
void hd_layout_use(const HdBuildLayout *l, HdKernelInfo *k, HdId variable);
/* Is it noted which kernels reach variables of that class? */
bool hd_layout_is_numbered(const HdModule *m, uint32_t storage);
/* Execution modes of all kernels; initializers and finalizers are put last. */
HdStatus hd_layout_modes(const HdModule *m, HdArena *a, HdBuildLayout *l, HdDiags *d);
/* Names of all kernels' arguments and of their types. */
HdStatus hd_layout_name_arguments(const HdModule *m, HdArena *a, HdBuildLayout *l);

#endif
