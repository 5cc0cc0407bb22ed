/* ops/subgroup/image_block_build.c -- blocks of images.
 *
 * A sub-group reads or writes bytes row by row, in memory order: component i of lane l is the l-th
 * number of row y + i, from byte x on. What is outside is not written; the nearest that is inside
 * is read.
 *
 * Media blocks have a width and a height of their own: number n = i * W + l (W lanes) belongs to
 * row n / P and column n % P, where P is the width made a power of two.
 *
 * Spec: SPV_INTEL_subgroups, SPV_INTEL_media_block_io; OpenCL extensions cl_intel_subgroups,
 * cl_intel_media_block_io, cl_intel_spirv_media_block_io.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/build_fns.h"
#include "ops/subgroup/collective_build.h"
#include "rt/image.h"

/* A block of numbers of so many bytes; I64 but for `at`. */
typedef struct Block {
    HdIrRef at;                /* of the row 0 */
    HdIrRef pitch, height;     /* of rows */
    HdIrRef x, y;              /* this lane's first byte, the first row */
    HdIrRef most;              /* where in a row its last number begins */
    HdIrRef has_any;           /* rows hold one number at least */
    HdIrRef left, lane, texel; /* the block's first byte; this lane; bytes of a texel */
    uint64_t bytes;
    /* media blocks: */
    bool is_media;
    uint64_t width, rows; /* in numbers */
    HdIrRef lanes;
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
    out->bytes = bytes;
    out->texel = field(b, descriptor, offsetof(HdImage, texel_bytes));
    row = hd_build_op2(b, HD_IR_MUL, HD_IR_I64,
                       field(b, descriptor, offsetof(HdImage, level[0].width)), out->texel);
    out->has_any = hd_build_icmp(b, HD_IR_UGE, row, number(b, bytes));
    out->most = hd_build_op2(b, HD_IR_SUB, HD_IR_I64, row, number(b, bytes));
    lane = hd_build_resize(b, hd_build_id(b, HD_BUILTIN_SUBGROUP_LOCAL_ID, 0), HD_IR_I64, false);
    out->lane = lane;
    out->left = hd_build_resize(b, hd_build_of_block(b, at.at[0]), HD_IR_I64, true);
    lane = hd_build_op2(b, HD_IR_MUL, HD_IR_I64, lane, number(b, bytes));
    out->x = hd_build_op2(b, HD_IR_ADD, HD_IR_I64, out->left, lane);
    out->y = hd_build_resize(b, hd_build_of_block(b, at.at[1]), HD_IR_I64, true);
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

/* The width and height of a media block. */
static HdStatus open_media(HdBuild *b, const HdInst *in, unsigned image, Block *k)
{
    if (!hd_module_constant_u64(b->m, in->w[image + 2], &k->width) ||
        !hd_module_constant_u64(b->m, in->w[image + 3], &k->rows))
        return hd_build_bad(b, in, "width and height are not constants");
    k->is_media = true;
    k->lanes =
        hd_build_resize(b, hd_build_id(b, HD_BUILTIN_SUBGROUP_MAX_SIZE, 0), HD_IR_I64, false);
    return HD_OK;
}

/* Where component i of the lane is; `is`: it is part of the block. */
typedef struct Place {
    HdIrRef x, y, is;
} Place;

static Place place_of(HdBuild *b, const Block *k, uint32_t i)
{
    HdIrRef n, column, row;
    uint64_t shift = 0;
    Place p;

    if (!k->is_media)
        return (Place){k->x, row_of(b, k, i), hd_build_const(b, HD_IR_BOOL, 1)};
    while (k->width > UINT64_C(1) << shift && shift < 32)
        shift++;
    n = hd_build_op2(b, HD_IR_ADD, HD_IR_I64, k->lane,
                     hd_build_op2(b, HD_IR_MUL, HD_IR_I64, k->lanes, number(b, i)));
    column = hd_build_op2(b, HD_IR_AND, HD_IR_I64, n, number(b, (UINT64_C(1) << shift) - 1));
    row = hd_build_op2(b, HD_IR_LSHR, HD_IR_I64, n, number(b, shift));
    p.x = hd_build_op2(b, HD_IR_ADD, HD_IR_I64, k->left,
                       hd_build_op2(b, HD_IR_MUL, HD_IR_I64, column, number(b, k->bytes)));
    p.y = hd_build_op2(b, HD_IR_ADD, HD_IR_I64, k->y, row);
    p.is = hd_build_op2(b, HD_IR_AND, HD_IR_BOOL,
                        hd_build_icmp(b, HD_IR_ULT, column, number(b, k->width)),
                        hd_build_icmp(b, HD_IR_ULT, row, number(b, k->rows)));
    return p;
}

/* Media blocks: what is left or right of the image is its first or last texel, again and again if
 * that is smaller than a number. */
static HdIrRef repeated(HdBuild *b, const Block *k, HdIrRef x, HdIrRef read, HdIrType t)
{
    HdIrRef left = hd_build_icmp(b, HD_IR_SLT, x, number(b, 0));
    HdIrRef right = hd_build_icmp(b, HD_IR_SGT, x, k->most), r = read;
    uint64_t bits = k->bytes * 8, all = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;

    for (uint64_t texel = 8; texel < bits; texel *= 2) {
        uint64_t ones = (UINT64_C(1) << texel) - 1;
        HdIrRef is = hd_build_icmp(b, HD_IR_EQ, k->texel, number(b, texel / 8));
        HdIrRef times = hd_build_const(b, t, all / ones);
        HdIrRef first = hd_build_op2(b, HD_IR_AND, t, read, hd_build_const(b, t, ones));
        HdIrRef last = hd_build_op2(b, HD_IR_LSHR, t, read, hd_build_const(b, t, bits - texel));

        first = hd_build_op2(b, HD_IR_MUL, t, first, times);
        last = hd_build_op2(b, HD_IR_MUL, t, last, times);
        r = hd_build_select(b, t, hd_build_op2(b, HD_IR_AND, HD_IR_BOOL, is, left), first, r);
        r = hd_build_select(b, t, hd_build_op2(b, HD_IR_AND, HD_IR_BOOL, is, right), last, r);
    }
    return r;
}

static HdIrRef read_one(HdBuild *b, const Block *k, uint32_t i, HdIrRef last, HdIrType t)
{
    Place p = place_of(b, k, i);
    HdIrRef r = hd_build_load1(b, place(b, k, clamped(b, p.x, k->most), clamped(b, p.y, last)), 0,
                               t, &in_image);

    if (!k->is_media)
        return r;
    return hd_build_select(b, t, p.is, repeated(b, k, p.x, r, t), hd_build_const(b, t, 0));
}

static HdStatus read_block(HdBuild *b, const HdInst *in, bool is_media)
{
    HdIrRef last, *refs, *nothing;
    uint32_t before, part, after;
    const HdBuildFlat *flat;
    const HdType *t;
    Block k = {0};

    HD_TRY(hd_build_type(b, in->w[1], &t));
    HD_TRY(hd_build_flatten(b, t, &flat));
    HD_TRY(hd_build_room(b, flat->count, &refs));
    HD_TRY(hd_build_room(b, flat->count, &nothing));
    HD_TRY(open_block(b, in, 3, hd_ir_type_bytes(flat->types[0]), &k));
    if (is_media)
        HD_TRY(open_media(b, in, 3, &k));
    for (uint32_t i = 0; i < flat->count; i++)
        nothing[i] = hd_build_const(b, flat->types[0], 0);
    before = b->block;
    after = hd_build_where(b, k.has_any);
    part = b->block;
    last = hd_build_op2(b, HD_IR_SUB, HD_IR_I64, k.height, number(b, 1));
    for (uint32_t i = 0; i < flat->count; i++)
        refs[i] = read_one(b, &k, i, last, flat->types[0]);
    hd_build_end_where(b, after);
    for (uint32_t i = 0; i < flat->count; i++) {
        const HdIrRef ways[4] = {before, nothing[i], part, refs[i]};

        refs[i] = hd_ir_emit(b->fn, after, HD_IR_PHI, flat->types[0], ways, 4);
    }
    return hd_build_bind(b, in->w[2], refs, flat->count);
}

static HdStatus write_block(HdBuild *b, const HdInst *in, HdId data, bool is_media)
{
    HdBuildValue v;
    Block k = {0};

    HD_TRY(hd_build_use(b, data, &v));
    HD_TRY(open_block(b, in, 1, hd_ir_type_bytes(hd_build_type_at(b, v.at[0])), &k));
    if (is_media)
        HD_TRY(open_media(b, in, 1, &k));
    for (uint32_t i = 0; i < v.count; i++) {
        Place p = place_of(b, &k, i);
        HdIrRef fits = hd_build_op2(b, HD_IR_AND, HD_IR_BOOL, k.has_any,
                                    hd_build_icmp(b, HD_IR_ULE, p.x, k.most));
        uint32_t after;

        fits = hd_build_op2(b, HD_IR_AND, HD_IR_BOOL, fits, p.is);
        fits = hd_build_op2(b, HD_IR_AND, HD_IR_BOOL, fits,
                            hd_build_icmp(b, HD_IR_ULT, p.y, k.height));
        after = hd_build_where(b, fits);
        hd_build_store1(b, place(b, &k, p.x, p.y), 0, v.at[i], &in_image);
        hd_build_end_where(b, after);
    }
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 image, 4 coordinate. */
HdStatus hd_build_image_block_read(HdBuild *b, const HdInst *in)
{
    return read_block(b, in, false);
}

/* Words: 1 image, 2 coordinate, 3 data. */
HdStatus hd_build_image_block_write(HdBuild *b, const HdInst *in)
{
    return write_block(b, in, in->w[3], false);
}

/* Words: 1 type, 2 result, 3 image, 4 coordinate, 5 width, 6 height. */
HdStatus hd_build_media_block_read(HdBuild *b, const HdInst *in)
{
    return read_block(b, in, true);
}

/* Words: 1 image, 2 coordinate, 3 width, 4 height, 5 data. */
HdStatus hd_build_media_block_write(HdBuild *b, const HdInst *in)
{
    return write_block(b, in, in->w[5], true);
}
