/* ops/vla/vla_build.c -- variable-length arrays to lane IR.
 *
 * A work-item's part of the array memory is a stack whose top is an ordinary private variable
 * (build/params.c): an array moves it up, saving and restoring read and write it, so diverged lanes
 * cannot free each other's. Only an array that ends after the freely usable share calls the
 * runtime, which ends the kernel if there is no space.
 *
 * Spec: SPV_INTEL_variable_length_array.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/type.h"
#include "ops/build_fns.h"
#include "rt/abi.h"

static const HdBuildAccess own = {.space = HD_SPACE_PRIVATE};

static HdIrRef number(HdBuild *b, uint64_t value)
{
    return hd_build_const(b, HD_IR_I64, value);
}

static HdIrRef op2(HdBuild *b, HdIrOp op, HdIrRef x, HdIrRef y)
{
    return hd_build_op2(b, op, HD_IR_I64, x, y);
}

/* Ask the runtime when an array of `count` elements at `start` leaves the work-item's share. */
static void check_room(HdBuild *b, HdIrRef start, HdIrRef count, uint64_t size)
{
    HdIrRef part = hd_build_array_part(b), used = op2(b, HD_IR_SUB, start, part);
    HdIrRef soft = hd_ir_emit_sub(b->fn, b->block, HD_IR_BUILTIN, HD_IR_I64, HD_BUILTIN_ARRAY_SOFT,
                                  0, NULL, 0);
    HdIrRef least = op2(b, HD_IR_UMIN, used, soft);
    HdIrRef fitting = op2(b, HD_IR_UDIV, op2(b, HD_IR_SUB, soft, least), number(b, size));
    HdIrRef is_more = hd_build_icmp(b, HD_IR_ULT, fitting, count);
    HdIrRef operands[4] = {part, start, count, 0};
    uint32_t after = hd_build_where(b, is_more);

    operands[3] = number(b, size);
    hd_ir_emit_sub(b->fn, b->block, HD_IR_RTCALL, HD_IR_I64, HD_RTFN_array_room, 0, operands, 4);
    hd_build_end_where(b, after);
}

/* Words: 1 type, 2 result, [element type,] length. */
HdStatus hd_build_vla(HdBuild *b, const HdInst *in)
{
    bool untyped = in->opix == HD_OPIX_UntypedVariableLengthArrayINTEL;
    const HdType *element = hd_module_vla_element(b->m, in);
    HdIrRef count, start, result;
    uint64_t align;

    if (element == NULL || hd_type_size(element) == 0 || !b->has_arrays)
        return hd_build_unsupported(b, in, "the element type has no size");
    align = hd_module_alignment(b->m, in->w[2], element->align);
    HD_TRY(hd_build_use1(b, in->w[untyped ? 4 : 3], &count));
    count = hd_build_resize(b, count, HD_IR_I64, false);
    start = hd_build_load1(b, b->array_top, 0, HD_IR_I64, &own);
    start = op2(b, HD_IR_AND, op2(b, HD_IR_ADD, start, number(b, align - 1)), number(b, -align));
    check_room(b, start, count, hd_type_size(element));
    hd_build_store1(
        b, b->array_top, 0,
        op2(b, HD_IR_ADD, start, op2(b, HD_IR_MUL, count, number(b, hd_type_size(element)))), &own);
    result = hd_build_bitcast(b, start, HD_IR_PTR);
    return hd_build_bind(b, in->w[2], &result, 1);
}

/* Words: 1 type, 2 result. */
HdStatus hd_build_vla_save(HdBuild *b, const HdInst *in)
{
    HdIrRef top;

    if (!b->has_arrays)
        return hd_build_unsupported(b, in, NULL);
    top = hd_build_load1(b, b->array_top, 0, HD_IR_I64, &own);
    top = hd_build_bitcast(b, top, HD_IR_PTR);
    return hd_build_bind(b, in->w[2], &top, 1);
}

/* Words: 1 pointer that OpSaveMemoryINTEL gave. */
HdStatus hd_build_vla_restore(HdBuild *b, const HdInst *in)
{
    HdIrRef top;

    if (!b->has_arrays)
        return hd_build_unsupported(b, in, NULL);
    HD_TRY(hd_build_use1(b, in->w[1], &top));
    hd_build_store1(b, b->array_top, 0, hd_build_bitcast(b, top, HD_IR_I64), &own);
    return HD_OK;
}
