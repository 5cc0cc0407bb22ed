/* ops/block/block_build.c -- two-dimensional sub-group block reads and writes to lane IR.
 *
 * A block is a part of an image in memory: rows have a pitch, and what is outside the image is read
 * as zero and not written. Its columns are distributed over the lanes, several rows at a time if it
 * is narrower than the sub-group; a transposed block exchanges rows and columns first. So each
 * element has a coordinate `across`, which depends on the lane, and `down`, which hardly does:
 * whether `across` is inside is tested once for all that a lane reads there, and for `down` the
 * nearest row inside is read, then replaced by zero. That keeps rows contiguous loads.
 *
 * Spec: SPV_INTEL_2d_block_io, "Mapping Block Data to Invocations", "Out-of-Bounds Behavior".
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/build_fns.h"

/* One direction: I64 but for extent. */
typedef struct Axis {
    HdIrRef first;   /* index of the block's first element in memory */
    HdIrRef limit;   /* elements that memory has */
    HdIrRef step;    /* bytes to the next */
    uint32_t extent; /* elements that the block has */
} Axis;

typedef struct Block {
    uint32_t bytes;   /* of an element */
    uint32_t pack;    /* elements one below the other that make one word of a lane's; else 1 */
    uint32_t padded;  /* across: a power of two */
    uint32_t each;    /* elements of a row that are one lane's */
    uint32_t at_once; /* rows that the lanes have at a time */
    uint32_t rows;    /* times that they have some */
    uint32_t run;     /* neighbouring elements that are accessed as one */
    uint32_t blocks;
    Axis across, down;
    HdIrRef base, own; /* memory; the lane's own part */
    HdIrRef lane;
} Block;

static HdIrRef number(HdBuild *b, uint64_t value)
{
    return hd_build_const(b, HD_IR_I64, value);
}

static HdIrRef plus(HdBuild *b, HdIrRef x, HdIrRef y)
{
    return hd_build_op2(b, HD_IR_ADD, HD_IR_I64, x, y);
}

static HdIrRef both(HdBuild *b, HdIrRef x, HdIrRef y)
{
    return x == 0 ? y : hd_build_op2(b, HD_IR_AND, HD_IR_BOOL, x, y);
}

static uint32_t power_above(uint32_t x)
{
    uint32_t p = 1;

    while (p < x)
        p *= 2;
    return p;
}

static uint32_t least(uint32_t x, uint32_t y)
{
    return x < y ? x : y;
}

/* Constants of words 1 to 4: bytes, width, height, number of blocks. */
static HdStatus sizes(HdBuild *b, const HdInst *in, uint32_t size[4])
{
    for (unsigned i = 0; i < 4; i++) {
        uint64_t value;

        if (!hd_module_constant_u64(b->m, in->w[1 + i], &value) || value == 0 || value > 64)
            return hd_build_unsupported(b, in, "a block of such a size");
        size[i] = (uint32_t)value;
    }
    if (size[0] > 8 || (size[0] & (size[0] - 1)) != 0)
        return hd_build_unsupported(b, in, "elements of such a size");
    return HD_OK;
}

/* How the block is shared out among the lanes. */
static HdStatus share_out(HdBuild *b, const HdInst *in, Block *k)
{
    uint32_t lanes = hd_build_lanes(b), rows = (k->down.extent + k->pack - 1) / k->pack;

    if (lanes == 0 || (lanes & (lanes - 1)) != 0)
        return hd_build_unsupported(b, in, "a block for a sub-group of that size");
    k->padded = power_above(k->across.extent);
    k->each = k->padded > lanes ? k->padded / lanes : 1;
    k->at_once = k->padded < lanes ? lanes / k->padded : 1;
    k->rows = (rows + k->at_once - 1) / k->at_once;
    /* Rows begin and end at multiples of four bytes. */
    k->run = k->pack == 1 && in->opix != HD_OPIX_Subgroup2DBlockLoadTransposeINTEL && k->bytes < 4
                 ? least(k->each, 4 / k->bytes)
                 : 1;
    return HD_OK;
}

/* memory: word of the base pointer, followed by width, height, pitch and coordinate. */
static HdStatus open_block(HdBuild *b, const HdInst *in, unsigned memory, unsigned own, Block *k)
{
    bool transposes = in->opix == HD_OPIX_Subgroup2DBlockLoadTransposeINTEL;
    Axis x = {0}, y = {0};
    uint32_t size[4];
    HdBuildValue at;
    HdIrRef m[3];

    HD_TRY(sizes(b, in, size));
    HD_TRY(hd_build_use1(b, in->w[memory], &k->base));
    HD_TRY(hd_build_use1(b, in->w[own], &k->own));
    HD_TRY(hd_build_use(b, in->w[memory + 4], &at));
    for (unsigned i = 0; i < 3; i++) {
        HD_TRY(hd_build_use1(b, in->w[memory + 1 + i], &m[i]));
        m[i] = hd_build_resize(b, m[i], HD_IR_I64, true);
    }
    k->bytes = size[0];
    k->blocks = size[3];
    k->pack = in->opix == HD_OPIX_Subgroup2DBlockLoadTransformINTEL ? 4 / least(k->bytes, 4) : 1;
    x.first = hd_build_resize(b, at.at[0], HD_IR_I64, true);
    x.limit =
        hd_build_op2(b, HD_IR_ASHR, HD_IR_I64, m[0], number(b, (uint64_t)__builtin_ctz(k->bytes)));
    x.step = number(b, k->bytes);
    x.extent = size[1];
    y = (Axis){hd_build_resize(b, at.at[1], HD_IR_I64, true), m[1], m[2], size[2]};
    k->across = transposes ? y : x;
    k->down = transposes ? x : y;
    k->lane = hd_build_resize(b, hd_build_id(b, HD_BUILTIN_SUBGROUP_LOCAL_ID, 0), HD_IR_I64, false);
    return share_out(b, in, k);
}

/* The axis along which one block follows the other: that of the columns in memory. */
static void next_block(HdBuild *b, const HdInst *in, Block *k)
{
    Axis *x = in->opix == HD_OPIX_Subgroup2DBlockLoadTransposeINTEL ? &k->down : &k->across;

    x->first = plus(b, x->first, number(b, x->extent));
}

/* Index across of the lane's element s of a row, in the block. */
static HdIrRef across_of(HdBuild *b, const Block *k, uint32_t s)
{
    if (k->at_once > 1)
        return hd_build_op2(b, HD_IR_AND, HD_IR_I64, k->lane, number(b, k->padded - 1));
    return plus(b, hd_build_op2(b, HD_IR_MUL, HD_IR_I64, k->lane, number(b, k->each)),
                number(b, s));
}

/* Is that inside, with all of the run? */
static HdIrRef is_inside(HdBuild *b, const Block *k, HdIrRef index)
{
    HdIrRef at = plus(b, k->across.first, index), zero = number(b, 0);
    HdIrRef is = both(b, hd_build_icmp(b, HD_IR_SGE, at, zero),
                      hd_build_icmp(b, HD_IR_SLE, plus(b, at, number(b, k->run)), k->across.limit));

    if (k->padded != k->across.extent)
        is = both(b, is, hd_build_icmp(b, HD_IR_ULT, index, number(b, k->across.extent)));
    return both(b, is, hd_build_icmp(b, HD_IR_SGT, k->down.limit, zero));
}

/* Index down, in memory, of the lane's row r, of its packed element i; *fits: it is inside, and of
 * the block. false: no lane's is of the block. */
static bool down_of(HdBuild *b, const Block *k, uint32_t r, uint32_t i, HdIrRef *index,
                    HdIrRef *fits)
{
    uint32_t row = r * k->at_once * k->pack + i;
    HdIrRef at = number(b, row);

    if (row >= k->down.extent)
        return false;
    *fits = 0;
    if (k->at_once > 1) {
        HdIrRef part = hd_build_op2(b, HD_IR_LSHR, HD_IR_I64, k->lane,
                                    number(b, (uint64_t)__builtin_ctz(k->padded)));

        at = plus(b, at, hd_build_op2(b, HD_IR_MUL, HD_IR_I64, part, number(b, k->pack)));
        if (row + (k->at_once - 1) * k->pack >= k->down.extent)
            *fits = hd_build_icmp(b, HD_IR_ULT, at, number(b, k->down.extent));
    }
    *index = plus(b, k->down.first, at);
    *fits = both(b, *fits,
                 both(b, hd_build_icmp(b, HD_IR_SGE, *index, number(b, 0)),
                      hd_build_icmp(b, HD_IR_SLT, *index, k->down.limit)));
    return true;
}

static HdIrRef place(HdBuild *b, const Block *k, HdIrRef across, HdIrRef down)
{
    HdIrRef at = hd_build_op2(b, HD_IR_MUL, HD_IR_I64, down, k->down.step);

    at = hd_build_op2(b, HD_IR_PTRADD, HD_IR_PTR, k->base, at);
    across = plus(b, k->across.first, across);
    return hd_build_op2(b, HD_IR_PTRADD, HD_IR_PTR, at,
                        hd_build_op2(b, HD_IR_MUL, HD_IR_I64, across, k->across.step));
}

static HdIrRef clamped(HdBuild *b, HdIrRef x, HdIrRef limit)
{
    x = hd_build_op2(b, HD_IR_SMAX, HD_IR_I64, x, number(b, 0));
    return hd_build_op2(b, HD_IR_SMIN, HD_IR_I64, x, plus(b, limit, number(b, UINT64_MAX)));
}

/* Where in the lane's own part a row's element s of a block lies. */
static uint64_t own_place(const Block *k, uint32_t block, uint32_t r, uint32_t s)
{
    return (((uint64_t)block * k->rows + r) * k->each + s) * k->bytes * k->pack;
}

/* What the lane has in a row: a number, or several packed into a word. */
static HdIrRef read_row(HdBuild *b, const Block *k, uint32_t r, HdIrRef across, HdIrType t)
{
    const HdBuildAccess how = {.space = HD_SPACE_GLOBAL, .align = k->bytes};
    const HdIrType whole = k->pack > 1 ? HD_IR_I32 : t;
    HdIrRef sum = 0, zero = hd_build_const(b, t, 0);

    for (uint32_t i = 0; i < k->pack; i++) {
        HdIrRef down, fits, x;

        if (!down_of(b, k, r, i, &down, &fits))
            break;
        x = hd_build_load1(b, place(b, k, across, clamped(b, down, k->down.limit)), 0, t, &how);
        x = hd_build_resize(b, hd_build_select(b, t, fits, x, zero), whole, false);
        if (i > 0)
            x = hd_build_op2(b, HD_IR_SHL, whole, x,
                             hd_build_const(b, whole, (uint64_t)8 * k->bytes * i));
        sum = i == 0 ? x : hd_build_op2(b, HD_IR_OR, whole, sum, x);
    }
    return sum;
}

/* Words: 1 … 4 sizes, 5 base, 6 … 8 width, height, pitch, 9 coordinate, 10 destination. */
HdStatus hd_build_block_load(HdBuild *b, const HdInst *in)
{
    HdIrType t, whole;
    HdBuildAccess own;
    Block k = {0};

    HD_TRY(open_block(b, in, 5, 10, &k));
    t = hd_build_int(8 * k.bytes * k.run);
    whole = k.pack > 1 ? HD_IR_I32 : t;
    own = (HdBuildAccess){.space = HD_SPACE_PRIVATE, .align = k.bytes};
    for (uint32_t block = 0; block < k.blocks; block++) {
        for (uint32_t s = 0; s < k.each; s += k.run) {
            HdIrRef across = across_of(b, &k, s);
            uint32_t after;

            for (uint32_t r = 0; r < k.rows; r++)
                hd_build_store1(b, k.own, own_place(&k, block, r, s), hd_build_const(b, whole, 0),
                                &own);
            after = hd_build_where(b, is_inside(b, &k, across));
            for (uint32_t r = 0; r < k.rows; r++)
                hd_build_store1(b, k.own, own_place(&k, block, r, s), read_row(b, &k, r, across, t),
                                &own);
            hd_build_end_where(b, after);
        }
        next_block(b, in, &k);
    }
    return HD_OK;
}

/* Words: 1 … 4 sizes, 5 source, 6 base, 7 … 9 width, height, pitch, 10 coordinate. */
HdStatus hd_build_block_store(HdBuild *b, const HdInst *in)
{
    HdBuildAccess own, how;
    Block k = {0};
    HdIrType t;

    HD_TRY(open_block(b, in, 6, 5, &k));
    t = hd_build_int(8 * k.bytes * k.run);
    own = (HdBuildAccess){.space = HD_SPACE_PRIVATE, .align = k.bytes};
    how = (HdBuildAccess){.space = HD_SPACE_GLOBAL, .align = k.bytes};
    for (uint32_t block = 0; block < k.blocks; block++) {
        for (uint32_t s = 0; s < k.each; s += k.run) {
            HdIrRef across = across_of(b, &k, s), inside = is_inside(b, &k, across);

            for (uint32_t r = 0; r < k.rows; r++) {
                HdIrRef down, fits, x;
                uint32_t after;

                if (!down_of(b, &k, r, 0, &down, &fits))
                    break;
                x = hd_build_load1(b, k.own, own_place(&k, block, r, s), t, &own);
                after = hd_build_where(b, both(b, inside, fits));
                hd_build_store1(b, place(b, &k, across, down), 0, x, &how);
                hd_build_end_where(b, after);
            }
        }
        next_block(b, in, &k);
    }
    return HD_OK;
}
