/* tests/ir/lane_eval.h -- runs lane IR for one work-item, to judge passes.
 *
 * Written apart from ir/eval.c, so that the two can disagree.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_IR_LANE_EVAL_H
#define TESTS_IR_LANE_EVAL_H

#include "ir/ir.h"

#define EVAL_MEMORY_BYTES 4096u
#define EVAL_BASE         0x100000u /* address of the first byte of `memory` */
#define EVAL_MAX_RESULTS  8

typedef struct EvalRun {
    uint64_t params[8];
    unsigned char memory[EVAL_MEMORY_BYTES]; /* what the function can see, then its ALLOCAs */
    uint32_t visible_bytes;
    uint64_t results[EVAL_MAX_RESULTS];
    uint64_t steps;    /* instructions done */
    const char *error; /* NULL when it returned */
} EvalRun;

/* Run a function that has been verified. Calls run too. */
void eval_run(const HdIrFunc *f, EvalRun *run);

#endif
