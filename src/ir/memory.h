/* ir/memory.h -- which memory an instruction may read or write, as far as passes care.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_IR_MEMORY_H
#define HD_IR_MEMORY_H

#include "ir/ir.h"

/* Kinds of memory that never overlap; sets of them are bit masks. */
enum { HD_IR_MEM_GLOBAL, HD_IR_MEM_LOCAL, HD_IR_MEM_PRIVATE, HD_IR_MEM_KINDS };
#define HD_IR_MEM_ALL 7u

/* Kinds that an address may be of; 0 for memory that nothing writes. */
unsigned hd_ir_memory_at(const HdIrFunc *f, HdIrRef address, unsigned space);
/* Kinds whose content may differ behind an instruction, for this work-item to see. */
unsigned hd_ir_memory_written(const HdIrFunc *f, HdIrRef r);

#endif
