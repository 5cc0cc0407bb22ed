/* ops/subgroup/image_block_build.c -- SPV_INTEL_subgroups: blocks of images.
 *
 * A sub-group reads or writes bytes row by row, in memory order: component i of lane l is the l-th
 * number of row y + i, from byte x on. What is outside is not written; the nearest that is inside
 * is read.
 *
 * Spec: SPV_INTEL_subgroups; OpenCL extension cl_intel_subgroups.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/build_fns.h"
#include "rt/image.h"

/* A block of numbers of so many bytes; I64 but for `at`. */
typedef struct Block {
    HdIrRef at;            /* of the row 0 */
    HdIrRef pitch, height; /* of rows */
    HdIrRef x, y;          /* this lane's first byte, the first row */
    HdIrRef most;          /* where in a row its last number begins */
    HdIrRef has_any;       /* rows hold one number at least */
} Block;

static const HdBuildAccess in_descriptor = {.space = HD_SPACE_CONSTANT, .flags = HD_IR_INVARIANT};
static const HdBuildAccess in_image = {.space = HD_SPACE_GLOBAL, .align = 1};

static HdIrRef number(HdBuild *b, uint64_t value)
{
    return hd_build_const(b, HD_IR_I64, value);
}

/* A 32-bit field of the descriptor as 64 bits. */
static HdIrRef field(HdBuild *b, HdIrRef address, size_t at)
{
    return hd_build_resize(b, hd_build_load1(b, address, at, HD_IR_I32, &in_descriptor), HD_IR_I64,
                           false);
}

static HdStatus open_block(HdBuild *b, const HdInst *in, unsigned image, uint64_t bytes, Block *out)
{
    HdIrRef descriptor, lane, row;
    HdBuildValue at;

    HD_TRY(hd_build_use1(b, in->w[image], &descriptor));
    HD_TRY(hd_build_use(b, in->w[image + 1], &at));
    if (at.count != 2)
        return hd_build_bad(b, in, "the coordinate has not two components");
    descriptor = hd_build_op1(b, HD_IR_BITCAST, HD_IR_PTR, descriptor);
    out->at = hd_build_load1(b, descriptor, offsetof(HdImage, at), HD_IR_PTR, &in_descriptor);
    out->pitch =
        hd_build_load1(b, descriptor, offsetof(HdImage, level[0].row), HD_IR_I64, &in_descriptor);
    out->height = field(b, descriptor, offsetof(HdImage, level[0].height));
    row = hd_build_op2(b, HD_IR_MUL, HD_IR_I64,
                       field(b, descriptor, offsetof(HdImage, level[0].width)),
                       field(b, descriptor, offsetof(HdImage, texel_bytes)));
    out->has_any = hd_build_icmp(b, HD_IR_UGE, row, number(b, bytes));
    out->most = hd_build_op2(b, HD_IR_SUB, HD_IR_I64, row, number(b, bytes));
    lane = hd_build_resize(b, hd_build_id(b, HD_BUILTIN_SUBGROUP_LOCAL_ID, 0), HD_IR_I64, false);
    lane = hd_build_op2(b, HD_IR_MUL, HD_IR_I64, lane, number(b, bytes));
    out->x =
        hd_build_op2(b, HD_IR_ADD, HD_IR_I64, hd_build_resize(b, at.at[0], HD_IR_I64, true), lane);
    out->y = hd_build_resize(b, at.at[1], HD_IR_I64, true);
    return HD_OK;
}

static HdIrRef row_of(HdBuild *b, const Block *k, uint32_t i)
{
    return hd_build_op2(b, HD_IR_ADD, HD_IR_I64, k->y, number(b, i));
}

static HdIrRef place(HdBuild *b, const Block *k, HdIrRef x, HdIrRef y)
{
    HdIrRef at = hd_build_op2(b, HD_IR_MUL, HD_IR_I64, y, k->pitch);

    at = hd_build_op2(b, HD_IR_PTRADD, HD_IR_PTR, k->at, at);
    return hd_build_op2(b, HD_IR_PTRADD, HD_IR_PTR, at, x);
}

static HdIrRef clamped(HdBuild *b, HdIrRef x, HdIrRef most)
{
    x = hd_build_op2(b, HD_IR_SMAX, HD_IR_I64, x, number(b, 0));
    return hd_build_op2(b, HD_IR_SMIN, HD_IR_I64, x, most);
}

/* Words: 1 type, 2 result, 3 image, 4 coordinate. */
HdStatus hd_build_image_block_read(HdBuild *b, const HdInst *in)
{
    HdIrRef last, *refs, *nothing;
    uint32_t before, part, after;
    const HdBuildFlat *flat;
    const HdType *t;
    Block k;

    HD_TRY(hd_build_type(b, in->w[1], &t));
    HD_TRY(hd_build_flatten(b, t, &flat));
    HD_TRY(hd_build_room(b, flat->count, &refs));
    HD_TRY(hd_build_room(b, flat->count, &nothing));
    HD_TRY(open_block(b, in, 3, hd_ir_type_bytes(flat->types[0]), &k));
    for (uint32_t i = 0; i < flat->count; i++)
        nothing[i] = hd_build_const(b, flat->types[0], 0);
    before = b->block;
    after = hd_build_where(b, k.has_any);
    part = b->block;
    last = hd_build_op2(b, HD_IR_SUB, HD_IR_I64, k.height, number(b, 1));
    for (uint32_t i = 0; i < flat->count; i++)
        refs[i] = hd_build_load1(
            b, place(b, &k, clamped(b, k.x, k.most), clamped(b, row_of(b, &k, i), last)), 0,
            flat->types[0], &in_image);
    hd_build_end_where(b, after);
    for (uint32_t i = 0; i < flat->count; i++) {
        const HdIrRef ways[4] = {before, nothing[i], part, refs[i]};

        refs[i] = hd_ir_emit(b->fn, after, HD_IR_PHI, flat->types[0], ways, 4);
    }
    return hd_build_bind(b, in->w[2], refs, flat->count);
}

/* Words: 1 image, 2 coordinate, 3 data. */
HdStatus hd_build_image_block_write(HdBuild *b, const HdInst *in)
{
    HdIrRef fits;
    HdBuildValue v;
    Block k;

    HD_TRY(hd_build_use(b, in->w[3], &v));
    HD_TRY(open_block(b, in, 1, hd_ir_type_bytes(hd_build_type_at(b, v.at[0])), &k));
    fits =
        hd_build_op2(b, HD_IR_AND, HD_IR_BOOL, k.has_any, hd_build_icmp(b, HD_IR_ULE, k.x, k.most));
    for (uint32_t i = 0; i < v.count; i++) {
        HdIrRef y = row_of(b, &k, i);
        uint32_t after = hd_build_where(b, hd_build_op2(b, HD_IR_AND, HD_IR_BOOL, fits,
                                                        hd_build_icmp(b, HD_IR_ULT, y, k.height)));

        hd_build_store1(b, place(b, &k, k.x, y), 0, v.at[i], &in_image);
        hd_build_end_where(b, after);
    }
    return HD_OK;
}
