/* ops/block/block_eval.c -- two-dimensional sub-group block reads, writes and prefetches in the
 * interpreter.
 *
 * The block's elements are visited in memory order; for each one the specification defines which
 * lane has it, and where. Components without an element are unchanged.
 *
 * check.block: what a block or the memory that it is of must keep, but does not.
 *
 * Spec: SPV_INTEL_2d_block_io, "Mapping Block Data to Invocations", "Out-of-Bounds Behavior",
 * "Restrictions"; SPV_INTEL_subgroup_buffer_prefetch.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/evals.h"

/* Words of the operands: a store has what it stores before the memory's base. */
enum { BYTES = 1, WIDTH = 2, HEIGHT = 3, BLOCKS = 4 };

typedef struct Picture {
    uint64_t base;
    int64_t width, height, pitch; /* bytes, rows, bytes */
    int64_t x, y;                 /* in elements and rows */
} Picture;

typedef struct Block {
    uint64_t bytes, width, height, count;
    uint64_t pack; /* elements of a column that a transformation puts into one word */
    bool is_transposed;
    Picture p;
} Block;

static HdStatus size_at(HdEval *e, const HdInst *in, unsigned at, uint64_t *size)
{
    if (!hd_module_constant_u64(e->m, in->w[at], size) || *size == 0 || *size > 1024)
        return hd_eval_unsupported(e, "a block of such a size");
    return HD_OK;
}

/* An operand that is the same in all lanes. */
static HdStatus same(HdEval *e, HdId id, HdSlot *s)
{
    HD_TRY(hd_eval_needs(e, id, "which block is meant depends on"));
    HD_TRY(hd_eval_use(e, id, s));
    return hd_eval_needs_uniform(e, s, "a place of a block");
}

static HdStatus same_int(HdEval *e, HdId id, unsigned component, int64_t *to)
{
    uint64_t bytes;
    HdSlot s;

    HD_TRY(same(e, id, &s));
    bytes = hd_type_size(hd_type_scalar(s.type));
    *to = hd_int_get(hd_slot_at(&s, hd_lane_first(e->mask)) + component * bytes, bytes);
    return HD_OK;
}

/* memory: word of the base. */
static HdStatus open_picture(HdEval *e, const HdInst *in, unsigned memory, Picture *p)
{
    HdSlot base;

    HD_TRY(same(e, in->w[memory], &base));
    p->base = hd_bits_get(hd_slot_at(&base, hd_lane_first(e->mask)), 8);
    HD_TRY(same_int(e, in->w[memory + 1], 0, &p->width));
    HD_TRY(same_int(e, in->w[memory + 2], 0, &p->height));
    HD_TRY(same_int(e, in->w[memory + 3], 0, &p->pitch));
    HD_TRY(same_int(e, in->w[memory + 4], 0, &p->x));
    return same_int(e, in->w[memory + 4], 1, &p->y);
}

/* The restriction that is not kept; NULL: all are. */
static const char *broken(const Block *k)
{
    const int64_t most = INT64_C(1) << 24, unit = k->bytes < 4 ? 4 : (int64_t)k->bytes;
    const Picture *p = &k->p;

    if (p->base % 64 != 0)
        return "the memory of a block begins at a multiple of 64 bytes";
    if (p->width < 64 || p->width > most || p->width % unit != 0)
        return "the memory of a block has rows of 64 to 16777216 bytes, a multiple of four and of "
               "the element's";
    if (p->height < 1 || p->height > most)
        return "the memory of a block has 1 to 16777216 rows";
    if (p->pitch < p->width || p->pitch % 16 != 0)
        return "the pitch of a block's memory is its width or more, a multiple of 16 bytes";
    if (p->x * (int64_t)k->bytes % 4 != 0)
        return "a block begins at a multiple of four bytes of its row";
    return NULL;
}

static HdStatus open_block(HdEval *e, const HdInst *in, unsigned memory, Block *k)
{
    const char *wrong;

    HD_TRY(hd_eval_needs_all(e));
    HD_TRY(size_at(e, in, BYTES, &k->bytes));
    HD_TRY(size_at(e, in, WIDTH, &k->width));
    HD_TRY(size_at(e, in, HEIGHT, &k->height));
    HD_TRY(size_at(e, in, BLOCKS, &k->count));
    HD_TRY(open_picture(e, in, memory, &k->p));
    k->pack =
        in->opix == HD_OPIX_Subgroup2DBlockLoadTransformINTEL && k->bytes < 4 ? 4 / k->bytes : 1;
    k->is_transposed = in->opix == HD_OPIX_Subgroup2DBlockLoadTransposeINTEL;
    wrong = e->is_checked ? broken(k) : NULL;
    return wrong == NULL ? HD_OK
                         : hd_eval_defect(e, e->mask, "check.block", wrong,
                                          "a block at (%lld, %lld) of %lld rows of %lld bytes at a "
                                          "pitch of %lld from 0x%llx",
                                          (long long)k->p.x, (long long)k->p.y,
                                          (long long)k->p.height, (long long)k->p.width,
                                          (long long)k->p.pitch, (unsigned long long)k->p.base);
}

static uint64_t power_above(uint64_t x)
{
    return x <= 1 ? 1 : UINT64_C(1) << (64 - __builtin_clzll(x - 1));
}

/* Where an element of block number n is kept: the lane, and the byte in its own memory. */
static unsigned keeper(const HdEval *e, const Block *k, uint64_t n, uint64_t row, uint64_t column,
                       uint64_t *byte)
{
    uint64_t rows = (k->is_transposed ? k->width : (k->height + k->pack - 1) / k->pack);
    uint64_t columns = power_above(k->is_transposed ? k->height : k->width);
    uint64_t r = k->is_transposed ? column : row / k->pack;
    uint64_t c = k->is_transposed ? row : column;
    uint64_t each = columns > e->width ? columns / e->width : 1;
    uint64_t at_once = columns < e->width ? e->width / columns : 1;
    uint64_t part = r / at_once * each + c % each;

    part += n * ((rows + at_once - 1) / at_once) * each;
    *byte = part * k->bytes * k->pack + row % k->pack * k->bytes;
    return (unsigned)(r % at_once * columns + c / each);
}

/* Where in memory an element of block number n is; false: outside. */
static bool find(const Block *k, uint64_t n, uint64_t row, uint64_t column, uint64_t *address)
{
    int64_t x = k->p.x + (int64_t)(n * k->width + column), y = k->p.y + (int64_t)row;

    *address = k->p.base + (uint64_t)(y * k->p.pitch + x * (int64_t)k->bytes);
    return column < k->width && row < k->height && x >= 0 && y >= 0 && y < k->p.height &&
           (x + 1) * (int64_t)k->bytes <= k->p.width;
}

/* Rows and columns, with those that padding adds. */
static uint64_t all_rows(const Block *k)
{
    return k->is_transposed ? power_above(k->height)
                            : (k->height + k->pack - 1) / k->pack * k->pack;
}

static uint64_t all_columns(const Block *k)
{
    return k->is_transposed ? k->width : power_above(k->width);
}

/* own: word of the pointer to the lanes' memory; memory: of the other */
static HdStatus move_block(HdEval *e, const HdInst *in, const Block *k, unsigned memory,
                           unsigned own, bool loads)
{
    static const unsigned char zeros[8] = {0};
    uint64_t total = k->count * all_rows(k) * all_columns(k), address, byte;
    HdEvalSide far = {.pointer = in->w[memory], .align = k->bytes};
    HdEvalSide near = {.pointer = in->w[own], .align = k->bytes};
    HdSlot p;

    HD_TRY(hd_eval_use(e, in->w[own], &p));
    HD_TRY(hd_eval_storage(e, in->w[memory], &far.storage));
    HD_TRY(hd_eval_storage(e, in->w[own], &near.storage));
    for (uint64_t i = 0; i < total; i++) {
        uint64_t column = i % all_columns(k), row = i / all_columns(k) % all_rows(k);
        uint64_t n = i / all_columns(k) / all_rows(k);
        unsigned lane = keeper(e, k, n, row, column, &byte);
        bool exists = find(k, n, row, column, &address);

        if ((e->mask >> lane & 1) == 0)
            continue;
        near.address = hd_bits_get(hd_slot_at(&p, lane), 8) + byte;
        far.address = address;
        e->pointer = exists && !loads ? far.pointer : near.pointer;
        if (exists)
            HD_TRY(hd_eval_move(e, lane, loads ? &near : &far, loads ? &far : &near, k->bytes));
        else if (loads)
            HD_TRY(hd_eval_write(e, lane, near.storage, near.address, near.align, zeros, k->bytes));
    }
    return HD_OK;
}

/* Words: 1 … 4 sizes, 5 base, 6 … 8 width, height, pitch, 9 coordinate [, 10 destination]. */
HdStatus hd_eval_block_load(HdEval *e, const HdInst *in)
{
    Block k;

    if (in->opix == HD_OPIX_Subgroup2DBlockPrefetchINTEL && !e->is_checked)
        return HD_OK;
    HD_TRY(open_block(e, in, 5, &k));
    return in->opix == HD_OPIX_Subgroup2DBlockPrefetchINTEL ? HD_OK
                                                            : move_block(e, in, &k, 5, 10, true);
}

/* Words: 1 … 4 sizes, 5 source, 6 base, 7 … 9 width, height, pitch, 10 coordinate. */
HdStatus hd_eval_block_store(HdEval *e, const HdInst *in)
{
    Block k;

    HD_TRY(open_block(e, in, 6, &k));
    return move_block(e, in, &k, 6, 5, false);
}

/* Nothing is fetched; a checked run looks whether it could be. Words: 1 pointer, 2 bytes for each
 * lane. */
HdStatus hd_eval_block_prefetch(HdEval *e, const HdInst *in)
{
    uint32_t storage;
    uint64_t bytes;
    HdSlot p;

    if (!e->is_checked)
        return HD_OK;
    HD_TRY(same(e, in->w[1], &p));
    HD_TRY(hd_eval_storage(e, in->w[1], &storage));
    if (!hd_module_constant_u64(e->m, in->w[2], &bytes))
        return HD_OK;
    hd_eval_prefetch(e, hd_lane_first(e->mask),
                     hd_bits_get(hd_slot_at(&p, hd_lane_first(e->mask)), 8), bytes * e->width,
                     false);
    return HD_OK;
}
