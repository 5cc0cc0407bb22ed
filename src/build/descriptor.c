/* build/descriptor.c -- addresses and sizes of what is bound to a shader, from its argument block.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stddef.h>

#include "build/emit.h"
#include "build/guard.h"
#include "module/resource.h"

static HdIrRef block_word(HdBuild *b, HdIrOp op, HdIrType t, unsigned sub, uint64_t offset)
{
    return hd_ir_emit_sub(b->fn, b->block, op, t, sub, offset, NULL, 0);
}

/* A field of a descriptor that an index selects. */
static HdIrRef field(HdBuild *b, HdIrRef descriptors, HdIrRef index, uint64_t offset, HdIrType t)
{
    const HdBuildAccess how = {.space = HD_SPACE_CONSTANT, .align = 8, .flags = HD_IR_INVARIANT};
    HdIrRef step =
        hd_build_op2(b, HD_IR_MUL, HD_IR_I64, hd_build_resize(b, index, HD_IR_I64, false),
                     hd_build_const(b, HD_IR_I64, sizeof(HdBinding)));

    return hd_build_load1(b, hd_build_op2(b, HD_IR_PTRADD, HD_IR_PTR, descriptors, step), offset, t,
                          &how);
}

HdIrRef hd_build_select_descriptor(HdBuild *b, HdIrRef descriptors, HdIrRef index)
{
    return field(b, descriptors, index, offsetof(HdBinding, at), HD_IR_PTR);
}

HdIrRef hd_build_move_descriptor(HdBuild *b, HdIrRef descriptors, HdIrRef index)
{
    HdIrRef step =
        hd_build_op2(b, HD_IR_MUL, HD_IR_I64, hd_build_resize(b, index, HD_IR_I64, false),
                     hd_build_const(b, HD_IR_I64, sizeof(HdBinding)));

    return hd_build_op2(b, HD_IR_PTRADD, HD_IR_PTR, descriptors, step);
}

/* A word of a descriptor: that of an argument is read where it lies. */
static HdIrRef opaque_word(HdBuild *b, HdIrRef at, uint64_t offset)
{
    const HdBuildAccess how = {.space = HD_SPACE_CONSTANT, .align = 8, .flags = HD_IR_INVARIANT};
    const HdIrInst *in = &b->fn->insts.at[at];

    if (in->op == HD_IR_KARG_ADDR)
        return block_word(b, HD_IR_KARG, HD_IR_I64, 0, in->imm + offset);
    return hd_build_load1(b, at, offset, HD_IR_I64, &how);
}

/* Of a heap: nothing may be bound there. */
static HdIrRef image_word(HdBuild *b, HdIrRef descriptor)
{
    HdIrRef at = opaque_word(b, descriptor, offsetof(HdBinding, at)), is_bound;

    if (b->kernel->none_offset == 0 || b->fn->insts.at[descriptor].op == HD_IR_KARG_ADDR)
        return at;
    is_bound = hd_build_icmp(
        b, HD_IR_ULT, hd_build_op2(b, HD_IR_SUB, HD_IR_I64, at, hd_build_const(b, HD_IR_I64, 1)),
        hd_build_const(b, HD_IR_I64,
                       HD_UNBOUND_BIT - 1)); /* no null, and nothing that is unbound */
    return hd_build_select(b, HD_IR_I64, is_bound, at,
                           block_word(b, HD_IR_KARG, HD_IR_I64, 0, b->kernel->none_offset));
}

uint32_t hd_build_opaque(HdBuild *b, HdIrRef descriptor, const HdType *t, HdIrRef out[2])
{
    uint32_t count = 0;

    if (t->kind != HD_T_SAMPLER)
        out[count++] = image_word(b, descriptor);
    if (t->kind != HD_T_IMAGE)
        out[count++] = opaque_word(b, descriptor, offsetof(HdBinding, bytes));
    return count;
}

HdStatus hd_build_heap_field(HdBuild *b, HdId descriptor, bool bytes, HdIrRef *out)
{
    HdIrRef at;

    HD_TRY(hd_build_use1(b, descriptor, &at));
    *out = field(b, at, hd_build_const(b, HD_IR_I64, 0),
                 bytes ? offsetof(HdBinding, bytes) : offsetof(HdBinding, at),
                 bytes ? HD_IR_I64 : HD_IR_PTR);
    return HD_OK;
}

HdStatus hd_build_block_bytes(HdBuild *b, const HdInst *in, HdId pointer, HdIrRef *out)
{
    HdId index, variable = hd_module_block_variable(b->m, pointer, &index);
    HdId descriptor = hd_module_block_descriptor(b->m, pointer);
    const HdArgInfo *arg;
    HdIrRef i;

    if (descriptor != 0)
        return hd_build_heap_field(b, descriptor, true, out);
    if (variable == 0 || b->layout->resource[variable] == UINT32_MAX || !b->kernel->is_shader)
        return hd_build_unsupported(b, in,
                                    "the pointer does not lead back to a variable that "
                                    "memory is bound to");
    arg = &b->kernel->args[b->layout->resource[variable]];
    if (index == 0) {
        *out = block_word(b, HD_IR_KARG, HD_IR_I64, 0, arg->offset + offsetof(HdBinding, bytes));
        return HD_OK;
    }
    HD_TRY(hd_build_use1(b, index, &i));
    *out = field(b, block_word(b, HD_IR_KARG_ADDR, HD_IR_PTR, 0, arg->offset), i,
                 offsetof(HdBinding, bytes), HD_IR_I64);
    return HD_OK;
}
