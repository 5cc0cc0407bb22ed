/* interp/counters.h -- counters of a checked launch: instructions, branches, bytes.
 *
 * Blocks are counted as lanes enter them, not instructions one by one. What a block did not execute
 * because its work-group ended early is taken off afterwards.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_COUNTERS_H
#define HD_INTERP_COUNTERS_H

#include "check/counts.h"
#include "interp/eval.h"
#include "interp/plan.h"

/* Of a group. */
typedef struct HdCounters {
    uint64_t *blocks; /* [blocks of the module] lanes that entered */
    uint64_t *edges;  /* [edge_count] lanes that took an edge */
    HdCountBytes memory[HD_COUNT_MEMORIES];
} HdCounters;

/* Of a launch; the lock of its HdInterpCheck guards it. */
typedef struct HdLaunchCounters {
    HdCounts *total; /* the check's, to which it is added in the end */
    HdCounts own;    /* insts: lanes that did not execute them although they entered the block */
    uint64_t *blocks;
} HdLaunchCounters;

/* count_launch.c. c->counters: NULL if nothing is counted. */
HdStatus hd_counters_open(const HdInterpProgram *p, const HdKernelInfo *k, HdInterpCheck *c);
/* Add what has been counted to the check's. */
void hd_counters_close(HdInterpCheck *c);

/* counters.c. *out: NULL if nothing is counted. */
HdStatus hd_counters_begin(struct HdInterpRun *r, HdCounters **out);
/* The group is over; its frames are those that it was stopped in. */
void hd_counters_end(struct HdInterpRun *r);

/* The lanes of a frame's mask enter its block; those of a mask go on to another. */
void hd_counters_enter(HdCounters *n, const struct HdInterpFrame *f);
void hd_counters_goto(HdCounters *n, const struct HdInterpFrame *f, uint64_t mask, uint32_t block);
/* Lanes have access to so many bytes in all; `memory` is none of several. */
void hd_counters_access(HdCounters *n, const HdEval *e, uint32_t storage, HdMemory memory,
                        HdEvalAccess how, uint64_t bytes);

/* The memory that a pointer of a storage class leads to; `memory`: where, none of several. */
HdCountMemory hd_counters_memory(const HdEval *e, uint32_t storage, HdMemory memory);

/* count_code.c: what is counted, with names and lines: the check's, made when it is not there. */
HdStatus hd_count_code(const HdInterpProgram *p, HdCheck *check, HdCountCode **out);

#endif
