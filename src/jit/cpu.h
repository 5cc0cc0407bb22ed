/* jit/cpu.h -- the processor that code is compiled for.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_JIT_CPU_H
#define HD_JIT_CPU_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "codegen/codegen.h"

typedef struct HdCpu {
    const char *name;        /* LLVM's name of a baseline: "x86-64-v4" */
    const char *features;    /* what matters beyond it, for LLVM */
    uint32_t width;          /* 32-bit lanes of a vector register: 16, 8 or 4 */
    const HdCpuCosts *costs; /* never NULL */
} HdCpu;

/* The machine we run on, or the one that HEDDLE_CPU names. */
HdCpu hd_jit_cpu(void);
/* Has it instructions for dot products of bytes? */
bool hd_jit_cpu_has_dots(void);
/* What this machine lacks to run code for a processor: "AVX-512"; NULL: it can run it. */
const char *hd_jit_cpu_lacks(const HdCpu *cpu);
/* A line when HEDDLE_CPU names none that is known. */
void hd_jit_cpu_complain(FILE *to);

#endif
