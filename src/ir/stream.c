/* ir/stream.c -- memory that a kernel only writes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/stream.h"

#include "ir/graph.h"

/* Each is made twice. */
#define MOST_STORES 8u

#define ARGS (HD_IR_MEM_ALL & ~((1u << HD_IR_MEM_ARG) - 1u))

typedef struct Use {
    unsigned read, streamed, other; /* kinds; other: by anything but plain stores */
    uint32_t bytes, stores;         /* that are streamed */
} Use;

static unsigned memory_of(const HdIrFunc *f, HdIrRef r)
{
    return hd_ir_memory_at(f, hd_ir_arg(f, r, 0), f->insts.at[r].sub);
}

/* To adjacent addresses, or with a stride; a store elsewhere is often the same store, in the
 * version for other launches than those the kernel has special code for. */
static bool goes_along(const HdIrFunc *f, HdIrRef store)
{
    return f->insts.at[hd_ir_arg(f, store, 0)].shape != HD_SHAPE_VARYING;
}

static void note_store(const HdIrFunc *f, HdIrRef r, bool in_loop, Use *u)
{
    const HdIrInst *in = &f->insts.at[r];
    unsigned kinds = hd_ir_memory_written(f, r);

    if ((kinds & ~ARGS) != 0 || (in->flags & HD_IR_NONTEMPORAL) != 0) {
        u->other |= kinds;
    } else if (!in_loop && (in->flags & HD_IR_MASKED) == 0 && goes_along(f, r)) {
        u->streamed |= kinds;
        u->stores++;
        u->bytes += hd_ir_type_bytes((HdIrType)f->insts.at[hd_ir_arg(f, r, 1)].type);
    }
}

static void note(const HdIrFunc *f, HdIrRef r, bool in_loop, Use *u)
{
    switch ((HdIrOp)f->insts.at[r].op) {
    case HD_IR_LOAD: u->read |= memory_of(f, r) | hd_ir_memory_written(f, r); break;
    case HD_IR_STORE: note_store(f, r, in_loop, u); break;
    case HD_IR_NEXT: u->other |= HD_IR_MEM_ALL; break;
    default: u->other |= hd_ir_memory_written(f, r); break;
    }
}

HdIrStreams hd_ir_streams(const HdIrFunc *f, const bool *in_loop)
{
    HdIrStreams s = {0};
    Use u = {0};

    if (!f->module->apart || f->regions.count != 0)
        return s;
    for (HdIrRef r = 1; in_loop != NULL && r < f->insts.count; r++)
        if (f->insts.at[r].block != HD_IR_NOWHERE)
            note(f, r, in_loop[f->insts.at[r].block], &u);
    if (u.stores <= MOST_STORES)
        s.kinds = u.streamed & ~(u.read | u.other);
    if (s.kinds != 0) {
        s.written = u.bytes;
        s.bytes = u.bytes * (1u + (unsigned)__builtin_popcount(u.read & ARGS));
    }
    return s;
}
