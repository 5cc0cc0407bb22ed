/* codegen/regions.h -- functions of regions.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_REGIONS_H
#define HD_CODEGEN_REGIONS_H

#include "codegen/gen.h"

/* The address of byte `at` of this sub-group's context. */
LLVMValueRef hd_gen_record(HdGen *g, uint64_t at);
typedef struct HdGenRegion {
    LLVMBasicBlockRef begin, latch; /* before the loop over sub-groups, at its end */
    LLVMValueRef subgroup, first[3], record;
} HdGenRegion;

/* From the entry block on: the ways between regions, and a loop over sub-groups for each. */
void hd_gen_regions(HdGen *g, HdArena *scratch);
/* Blocks are made in order; one of the next region may begin here. */
void hd_gen_enter_region(HdGen *g, uint32_t block);
/* At the end of a block: record the next region of this sub-group. */
void hd_gen_next(HdGen *g, HdIrRef r);

#endif
