/* tests/math/math_kernel.h -- a function of mathematics in a kernel of its own, compiled for
 * several processors.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TESTS_MATH_MATH_KERNEL_H
#define HD_TESTS_MATH_MATH_KERNEL_H

#include <stdbool.h>

#include "launch/launch.h"
#include "rt/math/math.h"

typedef struct MathRow {
    const char *instruction; /* of OpenCL.std */
    HdMathForm form;
    bool is_pair, is_second; /* of the instruction's results; the second goes through a pointer */
    bool is_glsl;            /* the body has instructions of GLSL.std.450, as %glsl */
    bool to_int;             /* the pair's second result is an int */
    const char *body; /* in place of an instruction of OpenCL.std: makes %r0 of %xa0, %xb0, %xc0,
                         which are of the type %f, and %one; one copy only */
} MathRow;

/* By function of math.def; call math_rows_open first. */
extern MathRow math_rows[HD_MATH_COUNT];
void math_rows_open(void);

typedef struct MathRun {
    unsigned bits; /* of the row's float type: 16, 32, 64 */
    unsigned items, operands;
    unsigned copies; /* of the function, each for items / copies work-items; 1 is usual */
    unsigned width;  /* of a sub-group */
    HdEngine engine;
    bool fast;         /* -cl-fast-relaxed-math */
    void *out, *in[3]; /* room for `items` elements each */
} MathRun;

/* out[i] = function(in[0][i], …). Says why and returns false if that does not work. */
bool math_kernel_run(const MathRow *row, const MathRun *run);

typedef struct MathMachine {
    const char *cpu; /* as HEDDLE_CPU names it */
    HdMathIsa isa;
    unsigned widths[6]; /* of sub-groups, the machine's own first; 0 ends them */
} MathMachine;

typedef struct MathCounts {
    unsigned passed, failed, skipped;
} MathCounts;

/* Call `test` for each machine that this one can be, each in a process of its own; what it counts
 * in *c is added up. */
void math_each_machine(MathCounts *c, void (*test)(const MathMachine *));

#endif
