/* tests/lanes/lanes_eval.h -- runs lane IR on the host, before and after lanes/.
 *
 * Before: each lane keeps the block that it waits for, and of these the first of the order runs;
 * that is the execution rule itself (docs/execution-model.md). Afterwards: a wide function, whose
 * values are rows of W lanes that keep to what their shapes say.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_LANES_LANES_EVAL_H
#define TESTS_LANES_LANES_EVAL_H

#include "ir/ir.h"
#include "rt/abi.h"

typedef struct LanesRun {
    HdRtGroup *group;
    unsigned char *memory; /* all that kernels may touch beside their private memory */
    uint64_t memory_bytes;
    uint64_t steps;    /* instructions done */
    const char *error; /* NULL when all went well */
    HdIrRef at;        /* instruction done last */
} LanesRun;

/* Run all sub-groups of the group, `width` lanes each, of a function of one work-item that has one
 * exit (hd_lanes_one_exit). */
void lanes_run_narrow(const HdIrFunc *f, unsigned width, LanesRun *run);
/* The same for a function that hd_lanes_widen has made. */
void lanes_run_wide(const HdIrFunc *f, LanesRun *run);

#endif
