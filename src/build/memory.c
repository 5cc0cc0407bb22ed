/* build/memory.c -- loads, stores and copies of values that split.
 *
 * SPDX-License-Identifier: MIT
 */
#include "build/emit.h"

HdIrRef hd_build_offset(HdBuild *b, HdIrRef address, uint64_t bytes)
{
    if (bytes == 0)
        return address;
    return hd_build_op2(b, HD_IR_PTRADD, HD_IR_PTR, address, hd_build_const(b, HD_IR_I64, bytes));
}

uint64_t hd_build_align_at(uint64_t align, uint64_t offset)
{
    uint64_t of_offset = offset & (~offset + 1);

    return offset == 0 || align < of_offset ? align : of_offset;
}

static uint64_t align_of(const HdBuildAccess *how, uint64_t offset, HdIrType t)
{
    return how->align ? hd_build_align_at(how->align, offset) : hd_ir_type_bytes(t);
}

HdIrRef hd_build_load1(HdBuild *b, HdIrRef address, uint64_t offset, HdIrType t,
                       const HdBuildAccess *how)
{
    HdIrType as = t == HD_IR_BOOL ? HD_IR_I8 : t;
    HdIrRef from = hd_build_offset(b, address, offset);
    HdIrRef r = hd_ir_emit_sub(b->fn, b->block, HD_IR_LOAD, as, how->space,
                               align_of(how, offset, as), &from, 1);

    if (r)
        hd_ir_inst(b->fn, r)->flags = how->flags;
    if (t == HD_IR_BOOL)
        r = hd_build_icmp(b, HD_IR_NE, r, hd_build_const(b, HD_IR_I8, 0));
    return r;
}

void hd_build_store1(HdBuild *b, HdIrRef address, uint64_t offset, HdIrRef value,
                     const HdBuildAccess *how)
{
    HdIrRef args[2] = {hd_build_offset(b, address, offset), value};
    HdIrRef r;

    if (hd_build_type_at(b, value) == HD_IR_BOOL)
        args[1] = hd_build_from_bool(b, value, HD_IR_I8, 1);
    r = hd_ir_emit_sub(b->fn, b->block, HD_IR_STORE, HD_IR_VOID, how->space,
                       align_of(how, offset, hd_build_type_at(b, args[1])), args, 2);
    if (r)
        hd_ir_inst(b->fn, r)->flags = how->flags;
}

/* Without a stated alignment an aggregate has that of its type: packed ones are known to be so. */
static HdBuildAccess of_type(const HdType *t, const HdBuildAccess *how)
{
    HdBuildAccess known = *how;

    if (known.align == 0)
        known.align = t->align;
    return known;
}

HdStatus hd_build_load(HdBuild *b, HdIrRef address, const HdType *t, const HdBuildAccess *how,
                       HdIrRef *to)
{
    const HdBuildAccess known = of_type(t, how);
    const HdBuildFlat *flat;

    HD_TRY(hd_build_flatten_in(b, t, how->matrix, &flat));
    for (uint32_t i = 0; i < flat->count; i++)
        to[i] = hd_build_load1(b, address, flat->offsets[i], flat->types[i], &known);
    return b->ir->failed ? HD_NO_MEMORY : HD_OK;
}

HdStatus hd_build_store(HdBuild *b, HdIrRef address, const HdType *t, const HdIrRef *values,
                        const HdBuildAccess *how)
{
    const HdBuildAccess known = of_type(t, how);
    const HdBuildFlat *flat;

    HD_TRY(hd_build_flatten_in(b, t, how->matrix, &flat));
    for (uint32_t i = 0; i < flat->count; i++)
        hd_build_store1(b, address, flat->offsets[i], values[i], &known);
    return b->ir->failed ? HD_NO_MEMORY : HD_OK;
}

void hd_build_copy(HdBuild *b, HdIrRef to, HdIrRef from, HdIrRef bytes, const HdBuildAccess *to_how,
                   const HdBuildAccess *from_how)
{
    const HdIrRef args[3] = {to, from, bytes};
    uint64_t align = to_how->align < from_how->align ? to_how->align : from_how->align;
    HdIrSpace space = to_how->space == from_how->space ? to_how->space : HD_SPACE_GENERIC;
    HdIrRef r = hd_ir_emit_sub(b->fn, b->block, HD_IR_MEMCPY, HD_IR_VOID, space, align ? align : 1,
                               args, 3);

    if (r)
        hd_ir_inst(b->fn, r)->flags =
            (HdIrFlags)((to_how->flags | from_how->flags) & ~HD_IR_INVARIANT);
}

HdIrRef hd_build_alloca(HdBuild *b, uint64_t bytes, uint64_t align)
{
    unsigned log2 = 0;

    while (log2 < 12 && (uint64_t)1 << (log2 + 1) <= align)
        log2++;
    return hd_ir_emit_sub(b->fn, 0, HD_IR_ALLOCA, HD_IR_PTR, log2, bytes ? bytes : 1, NULL, 0);
}

HdStatus hd_build_size(HdBuild *b, const HdType *t, uint64_t *bytes)
{
    const HdBuildFlat *flat;

    if (hd_type_size(t) > 0) {
        *bytes = hd_type_size(t);
        return HD_OK;
    }
    HD_TRY(hd_build_flatten(b, t, &flat));
    *bytes = 1;
    for (uint32_t i = 0; i < flat->count; i++) {
        uint64_t end = flat->offsets[i] + hd_ir_type_bytes(flat->types[i]);

        *bytes = end > *bytes ? end : *bytes;
    }
    return HD_OK;
}
