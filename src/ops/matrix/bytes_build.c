/* ops/matrix/bytes_build.c -- products of bytes, four at a time, for all matrices.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/matrix/bytes_build.h"

#include "ops/subgroup/collective_build.h"

#define TURNED      0x80808080u
#define TURNED_BYTE 0x80u
#define ONES        0x01010101u

HdByteProduct hd_build_byte_product(bool left_signed, bool right_signed, bool are_small)
{
    HdByteProduct p = {.left_signed = left_signed,
                       .turns = left_signed == right_signed && (left_signed || !are_small)};

    p.dot =
        (p.turns ? !left_signed : left_signed && !right_signed) ? HD_IR_DOT_LEFT : HD_IR_DOT_RIGHT;
    return p;
}

HdIrRef hd_build_byte_left(HdBuild *b, const HdByteProduct *p, HdIrRef bytes)
{
    HdIrType type = hd_build_type_at(b, bytes);
    HdIrRef turned = hd_build_const(b, type, type == HD_IR_I8 ? TURNED_BYTE : TURNED);

    return p->turns ? hd_build_op2(b, HD_IR_XOR, type, bytes, turned) : bytes;
}

HdIrRef hd_build_byte_dot(HdBuild *b, const HdByteProduct *p, HdIrRef left, HdIrRef right,
                          HdIrRef sum)
{
    const HdIrRef args[3] = {left, right, sum};

    return hd_ir_emit_sub(b->fn, b->block, HD_IR_DOT4, HD_IR_I32, p->dot, 0, args, 3);
}

HdIrRef hd_build_byte_start(HdBuild *b, const HdByteProduct *p, const HdIrRef *right,
                            uint32_t count)
{
    HdIrRef zero = hd_build_const(b, HD_IR_I32, 0), ones, sum = zero;

    if (!p->turns)
        return zero;
    ones = hd_build_const(b, HD_IR_I32, ONES);
    for (uint32_t i = 0; i < count; i++)
        sum = hd_build_byte_dot(b, p, ones, right[i], sum);
    sum = hd_build_op2(b, HD_IR_SHL, HD_IR_I32, sum, hd_build_const(b, HD_IR_I32, 7));
    return p->left_signed ? hd_build_op2(b, HD_IR_SUB, HD_IR_I32, zero, sum) : sum;
}

HdIrRef hd_build_joined(HdBuild *b, HdIrRef x, uint32_t bits)
{
    x = hd_build_resize(b, x, HD_IR_I32, false);
    for (uint32_t lanes = 1; bits < 32; bits *= 2, lanes *= 2) {
        const HdIrRef args[2] = {x, hd_build_const(b, HD_IR_I32, lanes)};
        HdIrRef next = hd_build_collective(b, HD_COLL_SHUFFLE_DOWN, HD_IR_I32, 0, args, 2);

        next = hd_build_op2(b, HD_IR_SHL, HD_IR_I32, next, hd_build_const(b, HD_IR_I32, bits));
        x = hd_build_op2(b, HD_IR_OR, HD_IR_I32, x, next);
    }
    return x;
}
