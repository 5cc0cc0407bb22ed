/* codegen/request.h -- what the generator is asked for, and what it is told about the processor.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_REQUEST_H
#define HD_CODEGEN_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include "ir/ir.h"

/* The function in the object has the kernel's name with this suffix, so that debuggers and
 * profilers show it, and it cannot clash with a called name. */
#define HD_CODEGEN_SUFFIX ".kernel"

/* The source location of an instruction. */
typedef struct HdCodegenPlace {
    const char *file; /* outlives the call of the generator */
    uint32_t line, column;
} HdCodegenPlace;

/* What the estimate of lanes against work-items alone (jit/cost.c) counts with, in units of a
 * vector instruction. */
typedef struct HdAloneCosts {
    double plain;  /* a work-item's instruction */
    double free;   /* the same in a loop of which no round waits for the one before */
    double busy;   /* of the lanes, in a loop that they leave at different times */
    double wait;   /* a work-item alone, for each cycle that all lanes wait for a result */
    bool foresees; /* a work-item's branches: what decides which lanes continue is not such a
                    * result */
    double gather; /* a lane of a gather, of 32 bits and of 64 */
    double gather_long;
    double near; /* share of that for a load with neighbours, which are loaded together; 1: all */
    double scatter, scatter_long;
    double scatter_again; /* a lane's store, more than that, where the loop gathers from there */
    double narrow_load, narrow_store; /* of elements below 32 bits */
    double own;       /* a lane of a private array: what was scattered is not forwarded */
    double own_again; /* a lane's store, more than that, where the loop loads from there */
    double step;      /* an access of elements at most 16 apart, for each register */
    double math; /* a call of mathematics, for lanes and for a work-item alone; 0: never alone */
    double call; /* a lane of an atomic or a call, and to find it and its operands in memory */
    double find;
} HdAloneCosts;

/* What operations cost on a family of processors, as far as code is chosen by it. jit/cpu.c has the
 * table. */
typedef struct HdCpuCosts {
    const char *name; /* of the family, in the cache's keys */
    HdAloneCosts alone;
    bool unrolled_clash; /* consecutive additions to memory at addresses in registers are often
                          * mispredicted as dependent and replayed */
    bool gathers_slowly; /* sixteen bytes of each lane are sooner loaded one lane after the other */
    bool half_is_half;   /* a vector of half the width takes half the time */
    bool rows_evict;     /* each other from the cache, sixteen that are a power of two apart */
    bool stores_evict;   /* the same, while they wait for their lines: codegen/access.c */
    bool streams_past;   /* what the caches cannot hold is sooner stored past them */
    bool looks_ahead;    /* lines asked for into the second cache arrive sooner than by loads */
    unsigned unordered_bytes; /* loads of more than that go up through memory; 0: in any order */
} HdCpuCosts;

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
