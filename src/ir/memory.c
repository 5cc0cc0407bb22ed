/* ir/memory.c -- which memory an instruction may read or write, as far as passes care.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/memory.h"

#include <string.h>

#include "ir/linear.h"

/* All global memory. */
#define GLOBAL (HD_IR_MEM_ALL & ~(1u << HD_IR_MEM_LOCAL | 1u << HD_IR_MEM_PRIVATE))

unsigned hd_ir_memory_of_space(unsigned space)
{
    switch (space) {
    case HD_SPACE_GLOBAL: return GLOBAL;
    case HD_SPACE_LOCAL: return 1u << HD_IR_MEM_LOCAL;
    case HD_SPACE_PRIVATE: return 1u << HD_IR_MEM_PRIVATE;
    case HD_SPACE_CONSTANT: return 0;
    default: return HD_IR_MEM_ALL;
    }
}

/* The kind of a pointer argument's memory. */
static unsigned kind_of_argument(const HdIrFunc *f, const HdIrInst *karg)
{
    if (!f->module->apart || karg->sub != 0)
        return GLOBAL;
    return hd_ir_memory_of_arg(karg->imm);
}

/* What an address is derived from may say more than the access itself. */
unsigned hd_ir_memory_at(const HdIrFunc *f, HdIrRef address, unsigned space)
{
    if (space != HD_SPACE_GENERIC && space != HD_SPACE_GLOBAL)
        return hd_ir_memory_of_space(space);
    address = hd_linear_object(f, address);
    switch (f->insts.at[address].op) {
    case HD_IR_ALLOCA: return 1u << HD_IR_MEM_PRIVATE;
    case HD_IR_LOCAL_ADDR: return 1u << HD_IR_MEM_LOCAL;
    case HD_IR_PROGRAM_ADDR: return 1u << HD_IR_MEM_GLOBAL;
    case HD_IR_KARG_ADDR: return 0;
    case HD_IR_KARG: return kind_of_argument(f, &f->insts.at[address]);
    case HD_IR_IN_SPACE: return hd_ir_memory_of_space(f->insts.at[address].sub);
    default: return hd_ir_memory_of_space(space);
    }
}

/* Kinds that an instruction may change, for this work-item to see. */
unsigned hd_ir_memory_written(const HdIrFunc *f, HdIrRef r)
{
    const HdIrInst *in = &f->insts.at[r];
    unsigned order = (unsigned)(in->imm & 0xff), space = (unsigned)(in->imm >> 8 & 0xff);
    unsigned shared = GLOBAL | 1u << HD_IR_MEM_LOCAL;

    switch (in->op) {
    case HD_IR_LOAD: return (in->flags & HD_IR_VOLATILE) != 0 ? HD_IR_MEM_ALL : 0;
    case HD_IR_STORE:
        return (in->flags & HD_IR_VOLATILE) != 0 ? HD_IR_MEM_ALL
                                                 : hd_ir_memory_at(f, hd_ir_arg(f, r, 0), in->sub);
    case HD_IR_MEMCPY:
    case HD_IR_MEMSET: return hd_ir_memory_at(f, hd_ir_arg(f, r, 0), HD_SPACE_GENERIC);
    case HD_IR_ATOMIC_LOAD:
    case HD_IR_ATOMIC_STORE:
    case HD_IR_ATOMIC_RMW:
    case HD_IR_ATOMIC_CMPXCHG:
        return (order != HD_IR_RELAXED ? shared : 0) |
               hd_ir_memory_at(f, hd_ir_arg(f, r, 0), space);
    case HD_IR_FENCE:
    case HD_IR_BARRIER:
    case HD_IR_YIELD:
    case HD_IR_NAMED_WAIT:
    case HD_IR_COLLECTIVE: return shared;
    case HD_IR_IMAGE_PUT: return GLOBAL; /* it may be created from a buffer */
    case HD_IR_RTCALL:
    case HD_IR_CALL: return HD_IR_MEM_ALL;
    default: return 0;
    }
}

bool hd_ir_table_at(const HdIrFunc *f, HdIrRef r, HdIrKnown *known, const void *pass, uint64_t *at)
{
    const HdIrInst *in = &f->insts.at[r];
    HdIrRef from;
    uint64_t step;

    *at = 0;
    if (in->op != HD_IR_LOAD || in->sub != HD_SPACE_CONSTANT ||
        (in->flags & (HD_IR_INVARIANT | HD_IR_VOLATILE)) != HD_IR_INVARIANT)
        return false;
    from = f->args.at[in->args];
    for (unsigned steps = 0; f->insts.at[from].op == HD_IR_PTRADD && steps < 4; steps++) {
        if (!known(pass, hd_ir_arg(f, from, 1), &step))
            return false;
        *at += step;
        from = hd_ir_arg(f, from, 0);
    }
    *at += f->insts.at[from].imm;
    return f->insts.at[from].op == HD_IR_PROGRAM_ADDR;
}

bool hd_ir_table_read(const HdIrFunc *f, HdIrRef r, uint64_t at, uint64_t *bits)
{
    const HdIrProgram *p = &f->module->program;
    HdIrType type = (HdIrType)f->insts.at[r].type;
    uint64_t size = hd_ir_type_bits(type) / 8;

    *bits = 0;
    if (type == HD_IR_PTR || size == 0 || size > p->size || at > p->size - size)
        return false;
    for (size_t i = 0; i < p->address_count; i++)
        if (at < p->addresses[i] + 8 && p->addresses[i] < at + size)
            return false;
    memcpy(bits, p->bytes + at, (size_t)size);
    return true;
}
