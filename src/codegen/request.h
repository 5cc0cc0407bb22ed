/* codegen/request.h -- what the generator is asked for.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_REQUEST_H
#define HD_CODEGEN_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include "codegen/costs.h"
#include "ir/ir.h"

/* The function in the object has the kernel's name with this suffix, so that debuggers and
 * profilers show it, and it cannot clash with a called name. */
#define HD_CODEGEN_SUFFIX ".kernel"

/* The source location of an instruction. */
typedef struct HdCodegenPlace {
    const char *file; /* outlives the call of the generator */
    uint32_t line, column;
} HdCodegenPlace;

typedef struct HdCodegenRequest {
    const HdIrFunc *wide;
    const char *triple;   /* NULL: this machine's */
    const char *cpu;      /* LLVM's name, "x86-64-v4" */
    const char *features; /* "+avx512fp16,…", "" for none */
    const HdCpuCosts *costs;
    bool one_row;   /* wide->by_rows, and no row of a group is longer than a sub-group */
    bool quick;     /* without optimisation */
    bool want_llvm; /* also give the LLVM IR after passes as text */
    bool want_asm;  /* also give assembly */
    /* Looks up an instruction's HdIrInst.place; false when it has no line. NULL: no lines are
     * known, no DWARF is made. */
    bool (*place_of)(void *user, uint32_t place, HdCodegenPlace *out);
    void *user;
} HdCodegenRequest;

#endif
