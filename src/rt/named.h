/* rt/named.h -- named barriers: some sub-groups of a work-group wait for each other.
 *
 * An instruction that initialises one creates a new one each time it is executed, the same one for
 * all sub-groups that have executed it equally often; in a function with several call sites it
 * counts as one instruction per call site. Each instruction keeps a ring of its last barriers.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_NAMED_H
#define HD_RT_NAMED_H

#include "base/status.h"
#include "rt/abi.h"

typedef struct HdRtNamed {
    uint32_t made; /* the how-manieth of its instruction, from 1; 0: none yet */
    uint32_t subgroups, arrived;
    uint32_t phase; /* how often it opened */
} HdRtNamed;

typedef struct HdRtNamedTable {
    HdRtNamed *at;  /* [count][HD_MAX_NAMED] */
    uint32_t *made; /* [subgroups][count] */
    uint32_t count; /* instructions */
    uint32_t subgroups;
} HdRtNamedTable;

/* Room for `count` instructions and `subgroups` sub-groups, all as before any was executed.
 * Errors: HD_NO_MEMORY. A zeroed table is closed. */
HdStatus hd_rt_named_open(HdRtNamedTable *t, uint32_t count, uint32_t subgroups);
void hd_rt_named_clear(HdRtNamedTable *t);
void hd_rt_named_close(HdRtNamedTable *t);

/* For HdRtGroup.named_make and .named_wait. */
HdRtNamedMakeFn hd_rt_named_make;
HdRtNamedWaitFn hd_rt_named_wait;

#endif
