/* build/descriptor.c -- addresses and sizes of what is bound to a shader, from its argument block.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stddef.h>

#include "build/emit.h"
#include "build/guard.h"
#include "ir/edit.h"
#include "module/resource.h"

#define MOST_DEPTH 6u /* operations that are looked at for the largest index */

static HdIrRef block_word(HdBuild *b, HdIrOp op, HdIrType t, unsigned sub, uint64_t offset)
{
    return hd_ir_emit_sub(b->fn, b->block, op, t, sub, offset, NULL, 0);
}

static HdIrRef argument_at(HdBuild *b, uint32_t offset)
{
    return block_word(b, HD_IR_KARG_ADDR, HD_IR_PTR, 0, offset);
}

/* Of a descriptor in memory. */
static HdIrRef field(HdBuild *b, HdIrRef descriptor, uint64_t offset, HdIrType t)
{
    const HdBuildAccess how = {.space = HD_SPACE_CONSTANT, .align = 8, .flags = HD_IR_INVARIANT};

    return hd_build_load1(b, descriptor, offset, t, &how);
}

static HdIrRef element(HdBuild *b, HdIrRef descriptors, HdIrRef index)
{
    HdIrRef step = hd_build_op2(b, HD_IR_MUL, HD_IR_I64, index,
                                hd_build_const(b, HD_IR_I64, sizeof(HdBinding)));

    return hd_build_op2(b, HD_IR_PTRADD, HD_IR_PTR, descriptors, step);
}

/* Does an index lead to one of so many descriptors? 0: it always does. */
static HdIrRef leads(HdBuild *b, HdIrRef index, uint64_t count)
{
    if (hd_ir_most(b->fn, index, MOST_DEPTH) < count)
        return 0;
    return hd_build_icmp(b, HD_IR_ULT, index, hd_build_const(b, HD_IR_I64, count));
}

/* The number of the argument whose descriptor lies there, if that is known. */
static uint32_t number_of(const HdBuild *b, HdIrRef descriptors)
{
    const HdIrInst *in = &b->fn->insts.at[descriptors];

    return in->op == HD_IR_KARG_ADDR ? (uint32_t)(in->imm / sizeof(HdBinding)) : HD_UNBOUND_MOST;
}

/* The address of a buffer, where `exists`; else one that guards find. */
static HdIrRef guarded(HdBuild *b, HdIrRef exists, HdIrRef at, uint32_t first)
{
    HdIrRef none = hd_build_const(b, HD_IR_I64, hd_unbound_address(first, true));

    b->ir->may_miss = true;
    return hd_build_select(b, HD_IR_PTR, exists, at,
                           hd_build_op1(b, HD_IR_BITCAST, HD_IR_PTR, none));
}

HdIrRef hd_build_select_descriptor(HdBuild *b, HdIrRef descriptors, HdIrRef index, uint64_t count)
{
    HdIrRef i = hd_build_resize(b, index, HD_IR_I64, false), exists = leads(b, i, count), at;

    if (exists != 0)
        i = hd_build_select(b, HD_IR_I64, exists, i, hd_build_const(b, HD_IR_I64, 0));
    at = field(b, element(b, descriptors, i), offsetof(HdBinding, at), HD_IR_PTR);
    return exists == 0 ? at : guarded(b, exists, at, number_of(b, descriptors));
}

HdIrRef hd_build_move_descriptor(HdBuild *b, HdIrRef descriptors, HdIrRef index, uint64_t count)
{
    HdIrRef i = hd_build_resize(b, index, HD_IR_I64, false), exists = leads(b, i, count);
    HdIrRef at = element(b, descriptors, i);

    b->ir->may_miss |= exists != 0;
    return exists == 0
               ? at
               : hd_build_select(b, HD_IR_PTR, exists, at, argument_at(b, b->kernel->none_offset));
}

/* ---- heaps ------------------------------------------------------------------------------------
 */

/* Constant bytes, and others, from the argument block to a descriptor. */
typedef struct Way {
    uint64_t bytes;
    bool is_known; /* that is all */
    bool is_heap;  /* it begins in a heap, or may */
} Way;

static Way way_to(const HdBuild *b, HdIrRef descriptor)
{
    const HdKernelInfo *k = b->kernel;
    Way w = {.is_known = true};
    uint64_t step;

    while (b->fn->insts.at[descriptor].op == HD_IR_PTRADD) {
        if (hd_ir_is_const(b->fn, hd_ir_arg(b->fn, descriptor, 1), &step))
            w.bytes += step;
        else
            w.is_known = false;
        descriptor = hd_ir_arg(b->fn, descriptor, 0);
    }
    w.is_heap = k->heap_bytes != 0;
    if (b->fn->insts.at[descriptor].op == HD_IR_KARG_ADDR) {
        w.bytes += b->fn->insts.at[descriptor].imm;
        w.is_heap = w.is_heap && b->fn->insts.at[descriptor].imm - k->heap_offset < k->heap_bytes;
    } else {
        w.is_known = false;
    }
    return w;
}

/* Does an address lead to a descriptor of a heap? 0: it does. */
static HdIrRef leads_into_heap(HdBuild *b, HdIrRef descriptor)
{
    const HdKernelInfo *k = b->kernel;
    const Way w = way_to(b, descriptor);
    const uint64_t known = w.bytes - k->heap_offset;
    HdIrRef far, inside, whole;

    if (w.is_known && known < k->heap_bytes && known % sizeof(HdBinding) == 0)
        return 0;
    far =
        hd_build_op2(b, HD_IR_SUB, HD_IR_I64, hd_build_op1(b, HD_IR_BITCAST, HD_IR_I64, descriptor),
                     hd_build_op1(b, HD_IR_BITCAST, HD_IR_I64, argument_at(b, k->heap_offset)));
    inside = hd_build_icmp(b, HD_IR_ULT, far, hd_build_const(b, HD_IR_I64, k->heap_bytes));
    far = hd_build_op2(b, HD_IR_AND, HD_IR_I64, far,
                       hd_build_const(b, HD_IR_I64, sizeof(HdBinding) - 1));
    whole = hd_build_icmp(b, HD_IR_EQ, far, hd_build_const(b, HD_IR_I64, 0));
    return hd_build_op2(b, HD_IR_AND, HD_IR_BOOL, inside, whole);
}

/* That descriptor, or one that nothing is bound to. */
static HdIrRef heap_descriptor(HdBuild *b, HdIrRef descriptor, HdIrRef exists)
{
    return exists == 0 ? descriptor
                       : hd_build_select(b, HD_IR_PTR, exists, descriptor,
                                         argument_at(b, b->kernel->none_offset));
}

/* The image of a descriptor in a heap. */
static HdIrRef heap_image(HdBuild *b, HdIrRef descriptor)
{
    HdIrRef at = field(b, descriptor, offsetof(HdBinding, at), HD_IR_I64), far, is_image;

    at = hd_build_op2(b, HD_IR_SUB, HD_IR_I64, at, hd_build_const(b, HD_IR_I64, HD_HEAP_IMAGE));
    far = hd_build_op2(b, HD_IR_SUB, HD_IR_I64, at, hd_build_const(b, HD_IR_I64, 1));
    is_image = hd_build_icmp(b, HD_IR_ULT, far, hd_build_const(b, HD_IR_I64, HD_HEAP_IMAGE_BYTES));
    return hd_build_select(b, HD_IR_I64, is_image, at,
                           block_word(b, HD_IR_KARG, HD_IR_I64, 0, b->kernel->none_offset));
}

HdStatus hd_build_heap_field(HdBuild *b, HdId descriptor, bool bytes, HdIrRef *out)
{
    HdIrRef at, exists, there;

    HD_TRY(hd_build_use1(b, descriptor, &at));
    exists = leads_into_heap(b, at);
    there = heap_descriptor(b, at, exists);
    if (bytes) {
        *out = field(b, there, offsetof(HdBinding, bytes), HD_IR_I64);
        return HD_OK;
    }
    *out = field(b, there, offsetof(HdBinding, at), HD_IR_PTR);
    if (exists != 0)
        *out = guarded(b, exists, *out, b->kernel->heap_offset / (uint32_t)sizeof(HdBinding));
    return HD_OK;
}

/* ---- all ----------------------------------------------------------------------------------------
 */

/* A word of a descriptor: that of an argument is read where it lies. */
static HdIrRef opaque_word(HdBuild *b, HdIrRef at, uint64_t offset)
{
    const HdIrInst *in = &b->fn->insts.at[at];

    if (in->op == HD_IR_KARG_ADDR)
        return block_word(b, HD_IR_KARG, HD_IR_I64, 0, in->imm + offset);
    return field(b, at, offset, HD_IR_I64);
}

uint32_t hd_build_opaque(HdBuild *b, HdIrRef descriptor, const HdType *t, HdIrRef out[2])
{
    const bool is_heap = way_to(b, descriptor).is_heap;
    const HdIrRef exists = is_heap ? leads_into_heap(b, descriptor) : 0;
    uint32_t count = 0;

    if (is_heap)
        descriptor = heap_descriptor(b, descriptor, exists);
    b->ir->may_miss |= exists != 0;
    if (t->kind != HD_T_SAMPLER)
        out[count++] = is_heap ? heap_image(b, descriptor)
                               : opaque_word(b, descriptor, offsetof(HdBinding, at));
    if (t->kind != HD_T_IMAGE)
        out[count++] = opaque_word(b, descriptor, offsetof(HdBinding, bytes));
    return count;
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
    i = hd_build_move_descriptor(b, argument_at(b, arg->offset), i, arg->resource.elements);
    *out = field(b, i, offsetof(HdBinding, bytes), HD_IR_I64);
    return HD_OK;
}
