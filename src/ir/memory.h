/* ir/memory.h -- which memory an instruction may read or write, as far as passes care.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_IR_MEMORY_H
#define HD_IR_MEMORY_H

#include "ir/ir.h"

/* Kinds of memory that never overlap; sets of them are bit masks. What pointer arguments lead to is
 * of a kind of its own for each where they are known to be apart (HdIrModule.apart), as long as
 * there are kinds; else it is like all other global memory. */
#define HD_IR_MEM_ARGS 13u
enum {
    HD_IR_MEM_GLOBAL,
    HD_IR_MEM_LOCAL,
    HD_IR_MEM_PRIVATE,
    HD_IR_MEM_ARG,
    HD_IR_MEM_KINDS = HD_IR_MEM_ARG + HD_IR_MEM_ARGS
};
#define HD_IR_MEM_ALL ((1u << HD_IR_MEM_KINDS) - 1u)

/* Kinds that an address may be of; 0 for memory that nothing writes. */
unsigned hd_ir_memory_at(const HdIrFunc *f, HdIrRef address, unsigned space);
/* Kinds whose content may differ behind an instruction, for this work-item to see. */
unsigned hd_ir_memory_written(const HdIrFunc *f, HdIrRef r);

/* Whether a pass knows an integer's value, and which it is. */
typedef bool HdIrKnown(const void *pass, HdIrRef r, uint64_t *bits);
/* Is r a load from the program's constants, at steps that are known? Then at which offset. */
bool hd_ir_table_at(const HdIrFunc *f, HdIrRef r, HdIrKnown *known, const void *pass, uint64_t *at);
/* What such a load finds there; false if only a launch can tell. */
bool hd_ir_table_read(const HdIrFunc *f, HdIrRef r, uint64_t at, uint64_t *bits);

#endif
