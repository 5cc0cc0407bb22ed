/* codegen/runs.c -- loads and stores of adjacent elements at addresses that differ per lane.
 *
 * A gather takes hardly longer for two adjacent elements than for one, so they are gathered
 * together: p[i] and p[i + 1], the components of an indexed float2 or uchar4. Two are scattered
 * together likewise; sixteen bytes are sorted by shuffles and stored with one store per lane,
 * instead of four scatters. Loading them that way takes half the time of four gathers on Zen 4, and
 * 1.4 times that of four gathers on a Xeon; if interleaved.c does not split them, they are loaded
 * and stored whole on either.
 *
 * Nothing is read but what is between the first and the last byte that a lane accesses, and nothing
 * else is written. Which accesses those are is found in runs_find.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "codegen/runs.h"

#include "codegen/access.h"
#include "codegen/emit.h"
#include "codegen/interleaved.h"
#include "codegen/strided.h"
#include "codegen/values.h"
#include "ir/edit.h"
#include "rt/abi.h"

/* index + also + by */
static LLVMValueRef narrow_sum(HdGen *g, const HdRunPath *p, int64_t by)
{
    LLVMValueRef v =
        LLVMBuildAdd(g->b, hd_gen_v(g, p->index), hd_gen_splat(g, hd_gen_u32(g, (uint32_t)by)), "");

    return p->also != 0 ? LLVMBuildAdd(g->b, v, hd_gen_v(g, p->also), "") : v;
}

static unsigned alignment(const HdGen *g, const HdRun *x)
{
    return hd_gen_least_align(g, x->member, x->count, x->bytes);
}

/* Does index + constant wrap in no active lane, from the lowest to the highest member? NULL: never.
 */
static LLVMValueRef no_wrap(HdGen *g, const HdRun *x)
{
    int64_t low = x->at[0].narrow, high = low;
    bool is_signed = x->at[0].widen == HD_IR_SEXT, safe = true;
    LLVMValueRef v, most, ok;

    for (unsigned i = 0; i < x->count; i++) {
        low = x->at[i].narrow < low ? x->at[i].narrow : low;
        high = x->at[i].narrow > high ? x->at[i].narrow : high;
        safe = safe && x->at[i].is_safe;
    }
    if (low == high || safe)
        return NULL;
    v = narrow_sum(g, &x->at[0], low);
    most = hd_gen_u32(g, (uint32_t)((is_signed ? INT32_MAX : UINT32_MAX) - (high - low)));
    ok = LLVMBuildICmp(g->b, is_signed ? LLVMIntSLE : LLVMIntULE, v, hd_gen_splat(g, most), "");
    if (x->mask != NULL)
        ok = LLVMBuildOr(g->b, ok, LLVMBuildNot(g->b, x->mask, ""), "");
    return hd_gen_full(g, ok, NULL);
}

/* Bytes from the run's first one to member r. */
static int64_t member_offset(const HdRun *x, HdIrRef r)
{
    unsigned i = 0;

    while (x->member[i] != r)
        i++;
    return x->at[i].distance - x->at[0].distance;
}

/* Lane addresses of the run's first byte. */
static LLVMValueRef start_of(HdGen *g, const HdRun *x)
{
    return hd_gen_offset(g, hd_gen_v(g, hd_ir_arg(g->f, x->first, 0)),
                         hd_gen_u64(g, (uint64_t)-member_offset(x, x->first)));
}

/* The address of one member, computed by its own instructions, which may be further down. */
static LLVMValueRef address_of(HdGen *g, const HdRun *x, unsigned i)
{
    const HdRunPath *p = &x->at[i];
    int64_t rest = p->distance - (int64_t)((uint64_t)p->narrow << p->scale);
    LLVMValueRef v, by;

    if (p->widen == 0)
        return hd_gen_offset(g, start_of(g, x),
                             hd_gen_u64(g, (uint64_t)(p->distance - x->at[0].distance)));
    v = narrow_sum(g, p, p->narrow);
    v = p->widen == HD_IR_SEXT ? LLVMBuildSExt(g->b, v, g->vector[HD_IR_I64], "")
                               : LLVMBuildZExt(g->b, v, g->vector[HD_IR_I64], "");
    by = hd_gen_splat(g, hd_gen_u64(g, p->scale));
    v = LLVMBuildShl(g->b, v, by, "");
    v = LLVMBuildAdd(g->b, v, hd_gen_splat(g, hd_gen_u64(g, (uint64_t)rest)), "");
    return hd_gen_offset(g, hd_gen_v(g, p->base), v);
}

/* ---- each for itself --------------------------------------------------------------------------
 */

static void access_each(HdGen *g, const HdRun *x, LLVMValueRef *v)
{
    unsigned align = alignment(g, x);

    for (unsigned i = 0; i < x->count; i++) {
        LLVMValueRef at = address_of(g, x, i);

        if (x->stores)
            hd_gen_store_at(g, v[i], at, x->mask, align);
        else
            v[i] = hd_gen_gather(g, x->type, at, x->mask, align);
    }
}

/* ---- words and pairs of words -----------------------------------------------------------------
 */

static LLVMTypeRef piece_type(HdGen *g, unsigned bytes)
{
    return g->vector[hd_ir_int_of(bytes)];
}

/* A run of two or three bytes, with what is around it in the word of memory, or between two words
 * that it has a byte in: no page is touched that it is not in. Its first byte is byte 0 of the
 * result. */
static LLVMValueRef load_in_word(HdGen *g, const HdRun *x, LLVMValueRef start)
{
    LLVMTypeRef words = g->vector[HD_IR_I32], wide = g->vector[HD_IR_I64];
    LLVMValueRef address = LLVMBuildPtrToInt(g->b, start, wide, ""), in, most, args[2], word;

    in = LLVMBuildAnd(g->b, address, hd_gen_splat(g, hd_gen_u64(g, HD_RUN_WORD - 1)), "");
    args[0] = in;
    args[1] = most = hd_gen_splat(g, hd_gen_u64(g, HD_RUN_WORD - x->span));
    in = x->span == 3 ? LLVMBuildAnd(g->b, in, most, "")
                      : hd_gen_intrinsic(g, "llvm.umin", &wide, 1, args, 2);
    address = LLVMBuildSub(g->b, address, in, "");
    word = hd_gen_load_at(g, words, LLVMBuildIntToPtr(g->b, address, g->vector[HD_IR_PTR], ""),
                          x->mask, 1);
    in = LLVMBuildShl(g->b, LLVMBuildTrunc(g->b, in, words, ""), hd_gen_splat(g, hd_gen_u32(g, 3)),
                      "");
    return LLVMBuildLShr(g->b, word, in, "");
}

static void load_pieces(HdGen *g, const HdRun *x, LLVMValueRef start, LLVMValueRef *v)
{
    unsigned bytes = hd_run_piece_bytes(g, x);
    LLVMValueRef piece = NULL;

    if (x->span < HD_RUN_WORD)
        piece = load_in_word(g, x, start);
    for (unsigned i = 0; i < x->count; i++) {
        unsigned at = (unsigned)(x->at[i].distance - x->at[0].distance);
        unsigned from = x->span < HD_RUN_WORD ? 0 : hd_run_piece(g, x, i);

        if (x->span >= HD_RUN_WORD && (i == 0 || from != hd_run_piece(g, x, i - 1)))
            piece = hd_gen_load_at(g, piece_type(g, bytes),
                                   hd_gen_offset(g, start, hd_gen_u64(g, from)), x->mask,
                                   alignment(g, x));
        v[i] = hd_gen_part(g, piece, at - from, x->type);
    }
}

static void store_pieces(HdGen *g, const HdRun *x, LLVMValueRef start, LLVMValueRef *v)
{
    LLVMValueRef all = hd_gen_join(g, v, x->count, x->type, piece_type(g, x->span));

    if (x->mask == NULL && hd_gen_may_evict(g, x->first))
        hd_gen_scatter_in_turn(g, all, start, alignment(g, x));
    else
        hd_gen_store_at(g, all, start, x->mask, alignment(g, x));
}

/* ---- sixteen bytes at a time ------------------------------------------------------------------
 */

/* Lane addresses in memory, for scalar_of: extracting from a vector uses the shuffle port, which is
 * the bottleneck. */
static LLVMValueRef scalars_of(HdGen *g, LLVMValueRef start)
{
    LLVMValueRef room = hd_gen_stack(g, g->width * 8ull), x;

    x = LLVMBuildStore(g->b, LLVMBuildPtrToInt(g->b, start, g->vector[HD_IR_I64], ""), room);
    LLVMSetVolatile(x, 1);
    return room;
}

static LLVMValueRef scalar_of(HdGen *g, LLVMValueRef room, unsigned lane)
{
    LLVMValueRef x =
        LLVMBuildLoad2(g->b, g->ptr, hd_gen_offset(g, room, hd_gen_u64(g, lane * 8ull)), "");

    LLVMSetVolatile(x, 1);
    return x;
}

/* Elements of a and b in turn, from each 16 bytes the lower or the upper half. */
static LLVMValueRef zip(HdGen *g, LLVMValueRef a, LLVMValueRef b, unsigned per, unsigned unit,
                        unsigned upper)
{
    LLVMValueRef index[64];
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(a));

    /* `per` elements in 16 bytes, moved by `unit` together. */
    for (unsigned i = 0; i < n; i++) {
        unsigned in = i % per, k = in / unit, from = upper * per / 2 + k / 2 * unit + in % unit;

        index[i] = hd_gen_u32(g, i - in + from + (k & 1) * n);
    }
    return LLVMBuildShuffleVector(g->b, a, b, LLVMConstVector(index, n), "");
}

/* Squares of 4 x 4 words, or of 2 x 2 pairs, in every 16 bytes of the vectors. */
static void turn(HdGen *g, LLVMValueRef *v, unsigned per)
{
    LLVMValueRef t[4];

    if (per == 2) {
        t[0] = zip(g, v[0], v[1], 2, 1, 0);
        v[1] = zip(g, v[0], v[1], 2, 1, 1);
        v[0] = t[0];
        return;
    }
    t[0] = zip(g, v[0], v[1], 4, 1, 0);
    t[1] = zip(g, v[0], v[1], 4, 1, 1);
    t[2] = zip(g, v[2], v[3], 4, 1, 0);
    t[3] = zip(g, v[2], v[3], 4, 1, 1);
    for (unsigned k = 0; k < 2; k++) {
        v[2 * k] = zip(g, t[k], t[k + 2], 4, 2, 0);
        v[2 * k + 1] = zip(g, t[k], t[k + 2], 4, 2, 1);
    }
}

/* Where the lanes' bytes are: at a constant stride, or at each lane's address, which is in memory
 * or in a register. */
typedef struct Places {
    LLVMValueRef first, room, addresses;
    int64_t stride;
} Places;

static bool has_steps(const HdGen *g, HdIrRef address)
{
    unsigned shape = g->f->insts.at[address].shape;

    return hd_gen_has_s(g, address) && (shape == HD_SHAPE_AFFINE || shape == HD_SHAPE_ADDRESS);
}

/* Stores are handled here only with all lanes active and, for strided addresses, a known stride.
 * Inactive lanes read memory that always exists. `unsure`: LLVM shall remove all of it if
 * unused. */
static Places places_of(HdGen *g, const HdRun *x, LLVMValueRef start, bool unsure)
{
    HdIrRef a = hd_ir_arg(g->f, x->first, 0);
    const HdIrInst *in = &g->f->insts.at[a];
    uint64_t back = (uint64_t)-member_offset(x, x->first);

    if (has_steps(g, a) && (x->stores || (x->mask == NULL && hd_gen_is_always_ok(g, a))))
        return (Places){.first = hd_gen_offset(g, hd_gen_s(g, a), hd_gen_u64(g, back)),
                        .stride = in->stride};
    if (x->mask != NULL)
        start = LLVMBuildSelect(g->b, x->mask, start, hd_gen_splat(g, g->group), "");
    if (unsure)
        return (Places){.addresses = start};
    return (Places){.room = scalars_of(g, start)};
}

static LLVMValueRef place_of(HdGen *g, const Places *p, unsigned lane)
{
    if (p->addresses != NULL)
        return LLVMBuildExtractElement(g->b, p->addresses, hd_gen_u32(g, lane), "");
    return p->room != NULL ? scalar_of(g, p->room, lane)
                           : hd_gen_offset(g, p->first, hd_gen_u64(g, (uint64_t)p->stride * lane));
}

/* Elements from number `from` on. */
static LLVMValueRef slice(HdGen *g, LLVMValueRef x, unsigned from, unsigned count)
{
    LLVMValueRef index[4];

    for (unsigned k = 0; k < count; k++)
        index[k] = hd_gen_u32(g, from + k);
    return LLVMBuildShuffleVector(g->b, x, LLVMGetPoison(LLVMTypeOf(x)),
                                  LLVMConstVector(index, count), "");
}

static void store_whole(HdGen *g, const HdRun *x, LLVMValueRef start, LLVMValueRef *v)
{
    unsigned per = HD_RUN_WINDOW / x->bytes;
    Places places = places_of(g, x, start, false);
    LLVMValueRef row[4], one;

    for (unsigned j = 0; j < per; j++)
        row[j] = v[j];
    if (x->all == NULL)
        turn(g, row, per);
    for (unsigned l = 0; l < g->width; l++) {
        one = x->all != NULL ? slice(g, x->all, l * per, per)
                             : slice(g, row[l % per], l / per * per, per);
        LLVMSetAlignment(LLVMBuildStore(g->b, one, place_of(g, &places, l)), alignment(g, x));
    }
}

/* The run's bytes at one place, as words or pairs; where they are fewer than sixteen, no more. */
static LLVMValueRef load_window_at(HdGen *g, const HdRun *x, LLVMValueRef at)
{
    unsigned bytes = x->bytes < 8 && x->span == HD_RUN_WINDOW ? 4 : x->bytes,
             n = HD_RUN_WINDOW / bytes;
    LLVMTypeRef type = LLVMVectorType(g->scalar[hd_ir_int_of(bytes)], n);
    LLVMTypeRef words = LLVMVectorType(bytes == 8 ? g->i64 : g->i32, bytes == 8 ? 2 : 4);
    LLVMValueRef there[HD_RUN_WINDOW], mask = NULL, one;

    for (unsigned i = 0; i < n; i++)
        there[i] = LLVMConstInt(g->i1, i * bytes < x->span, 0);
    if (x->span < HD_RUN_WINDOW)
        mask = LLVMConstVector(there, n);
    one = hd_gen_load_at(g, type, at, mask, alignment(g, x));
    return LLVMBuildBitCast(g->b, one, words, "");
}

/* v[0], v[step] … of count vectors, concatenated. */
static LLVMValueRef chain(HdGen *g, LLVMValueRef *v, unsigned count, unsigned step)
{
    if (count == 1)
        return v[0];
    return hd_gen_joined(g, chain(g, v, count / 2, step),
                         chain(g, v + count / 2 * step, count / 2, step));
}

/* The concatenated bytes of all lanes, for interleaved.c; NULL: with gaps. */
static LLVMValueRef as_it_lies(HdGen *g, const HdRun *x, LLVMValueRef *one)
{
    if (x->count * x->bytes != HD_RUN_WINDOW)
        return NULL;
    return LLVMBuildBitCast(g->b, chain(g, one, g->width, 1),
                            LLVMVectorType(g->scalar[x->type], g->width * x->count), "");
}

static void load_windows(HdGen *g, const HdRun *x, const Places *places, LLVMValueRef *one)
{
    for (unsigned l = 0; l < g->width; l++)
        one[l] = load_window_at(g, x, place_of(g, places, l));
}

static void load_whole(HdGen *g, HdRun *x, LLVMValueRef start, LLVMValueRef *v)
{
    unsigned unit = x->bytes == 8 ? 8 : 4, per = HD_RUN_WINDOW / unit;
    Places places = places_of(g, x, start, false);
    LLVMValueRef one[HD_MAX_WIDTH], row[4];

    load_windows(g, x, &places, one);
    for (unsigned k = 0; k < per; k++)
        row[k] = chain(g, one + k, g->width / per, per);
    x->all = as_it_lies(g, x, one);
    turn(g, row, per);
    for (unsigned i = 0; i < x->count; i++) {
        unsigned at = (unsigned)member_offset(x, x->member[i]);

        v[i] = unit == 8 ? LLVMBuildBitCast(g->b, row[at / 8], g->vector[x->type], "")
                         : hd_gen_part(g, row[at / 4], at % 4, x->type);
    }
}

/* Words gathered for components, and, if these are not split, sixteen bytes of each lane: later
 * uses decide which are needed, and the others are removed. */
static void load_either(HdGen *g, HdRun *x, LLVMValueRef start, LLVMValueRef *v)
{
    LLVMValueRef one[HD_MAX_WIDTH];
    Places places;

    load_pieces(g, x, start, v);
    if (x->count * x->bytes != HD_RUN_WINDOW || g->width < 4)
        return;
    places = places_of(g, x, start, true);
    load_windows(g, x, &places, one);
    x->all = as_it_lies(g, x, one);
}

/* ---- the run ----------------------------------------------------------------------------------
 */

static void access_near(HdGen *g, HdRun *x, LLVMValueRef *v)
{
    LLVMValueRef start = start_of(g, x);

    if (hd_run_is_whole(g, x) && x->stores)
        store_whole(g, x, start, v);
    else if (hd_run_is_whole(g, x))
        load_whole(g, x, start, v);
    else if (x->stores)
        store_pieces(g, x, start, v);
    else
        load_either(g, x, start, v);
}

static void access_lanes(HdGen *g, HdRun *x, LLVMValueRef ok, LLVMValueRef *v)
{
    LLVMValueRef other[HD_RUN_MOST];
    HdGenWays w;

    if (hd_run_is_whole(g, x) && x->stores) {
        HdIrRef a = hd_ir_arg(g->f, x->first, 0);
        LLVMValueRef steps = has_steps(g, a) ? hd_gen_ok_for(g, a, x->mask) : NULL;

        ok = hd_gen_full(g, x->mask, ok);
        if (steps != NULL)
            ok = ok != NULL ? LLVMBuildAnd(g->b, ok, steps, "") : steps;
    }
    if (ok == NULL) {
        access_near(g, x, v);
        return;
    }
    for (unsigned i = 0; i < x->count; i++)
        other[i] = v[i];
    hd_gen_ways_begin(g, ok, &w);
    access_near(g, x, v);
    hd_gen_ways_next(g, &w);
    access_each(g, x, other);
    hd_gen_ways_end(g, &w);
    for (unsigned i = 0; i < x->count && !x->stores; i++)
        v[i] = hd_gen_either(g, &w, v[i], other[i]);
    x->all = NULL;
}

/* What all lanes load at one address. */
static void load_shared(HdGen *g, const HdRun *x, LLVMValueRef *v)
{
    LLVMValueRef at = hd_gen_s(g, hd_ir_arg(g->f, x->first, 0)), one;

    for (unsigned i = 0; i < x->count; i++) {
        int64_t from = member_offset(x, x->member[i]) - member_offset(x, x->first);

        one = LLVMBuildLoad2(g->b, g->scalar[x->type],
                             hd_gen_offset(g, at, hd_gen_u64(g, (uint64_t)from)), "");
        LLVMSetAlignment(one, alignment(g, x));
        v[i] = hd_gen_splat(g, one);
    }
}

static void access_run(HdGen *g, HdRun *x, LLVMValueRef *v)
{
    HdIrRef address = hd_ir_arg(g->f, x->first, 0);
    LLVMValueRef ok = no_wrap(g, x), one[HD_RUN_MOST];
    HdGenWays w;

    if (x->stores || ok != NULL || !hd_gen_is_shared(g, address)) {
        access_lanes(g, x, ok, v);
        return;
    }
    hd_gen_ways_begin(g, hd_gen_any(g, x->mask, hd_gen_ok_for(g, address, x->mask)), &w);
    load_shared(g, x, one);
    hd_gen_ways_next(g, &w);
    access_lanes(g, x, NULL, v);
    hd_gen_ways_end(g, &w);
    for (unsigned i = 0; i < x->count; i++)
        v[i] = hd_gen_either(g, &w, one[i], v[i]);
    x->all = NULL;
}

/* Values that need not be split; NULL: they are. */
static LLVMValueRef packed(HdGen *g, const HdRun *x, const HdIrRef *value)
{
    LLVMValueRef all = hd_gen_interleaved(g, value, x->count);

    return all == NULL
               ? NULL
               : LLVMBuildBitCast(g->b, all,
                                  LLVMVectorType(g->scalar[x->type], g->width * x->count), "");
}

bool hd_gen_runs(HdGen *g, HdIrRef r)
{
    bool stores = g->f->insts.at[r].op == HD_IR_STORE;
    LLVMValueRef v[HD_RUN_MOST] = {NULL};
    HdIrRef value[HD_RUN_MOST];
    HdRun x;

    if (!hd_run_find(g, r, &x))
        return false;
    x.type = hd_gen_common_type(g, x.member, x.count);
    x.mask = hd_gen_mask(g, &g->f->insts.at[r], r);
    if (stores && g->grouped[r] != r) {
        hd_gen_defer(g, r, x.member, x.count);
        return true;
    }
    for (unsigned i = 0; i < x.count && stores; i++) {
        value[i] = hd_ir_arg(g->f, x.member[i], 1);
        v[i] = LLVMBuildBitCast(g->b, hd_gen_v(g, value[i]), g->vector[x.type], "");
    }
    if (stores && hd_run_is_whole(g, &x))
        x.all = packed(g, &x, value);
    access_run(g, &x, v);
    for (unsigned i = 0; i < x.count && !stores; i++) {
        HdIrType t = hd_gen_access_type(g, x.member[i]);

        g->grouped[x.member[i]] = r;
        hd_gen_set(g, x.member[i], NULL, LLVMBuildBitCast(g->b, v[i], g->vector[t], ""));
        if (t == x.type)
            g->packs[x.member[i]] = (HdGenInterleaved){.all = x.all, .part = i, .parts = x.count};
    }
    return true;
}
