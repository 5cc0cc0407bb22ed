/* ir/memory.h -- which memory an instruction may read or write, as far as passes care.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_IR_MEMORY_H
#define HD_IR_MEMORY_H

#include "ir/ir.h"

/* Kinds of memory that never overlap; sets of them are bit masks. If arguments are known not to
 * alias (HdIrModule.apart), the memory of each pointer argument is a kind of its own, as long as
 * there are kinds; otherwise it is like all other global memory. */
#define HD_IR_MEM_ARGS 13u
enum {
    HD_IR_MEM_GLOBAL,
    HD_IR_MEM_LOCAL,
    HD_IR_MEM_PRIVATE,
    HD_IR_MEM_ARG,
    HD_IR_MEM_KINDS = HD_IR_MEM_ARG + HD_IR_MEM_ARGS
};
#define HD_IR_MEM_ALL ((1u << HD_IR_MEM_KINDS) - 1u)

/* The kind of an argument that is so many bytes into the block of arguments, if it is one's own;
 * arguments beyond the last kind share it. */
static inline unsigned hd_ir_memory_of_arg(uint64_t offset)
{
    return 1u << (HD_IR_MEM_ARG + offset / 8 % HD_IR_MEM_ARGS);
}

/* Kinds that memory of an HdIrSpace may be of. */
unsigned hd_ir_memory_of_space(unsigned space);
/* Kinds that an address may be of; 0 for memory that nothing writes. */
unsigned hd_ir_memory_at(const HdIrFunc *f, HdIrRef address, unsigned space);
/* Kinds whose contents may have changed after an instruction, as this work-item can observe. */
unsigned hd_ir_memory_written(const HdIrFunc *f, HdIrRef r);

/* Whether a pass knows an integer's value, and which it is. */
typedef bool HdIrKnown(const void *pass, HdIrRef r, uint64_t *bits);
/* Is r a load from the program's constants, at steps that are known? Then at which offset. */
bool hd_ir_table_at(const HdIrFunc *f, HdIrRef r, HdIrKnown *known, const void *pass, uint64_t *at);
/* The value of such a load; false if it is known only to a launch. */
bool hd_ir_table_read(const HdIrFunc *f, HdIrRef r, uint64_t at, uint64_t *bits);

#endif
