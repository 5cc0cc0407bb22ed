/* ops/subgroup/subgroup_eval.c -- operations of the lanes that reach them, in the interpreter.
 *
 * Reading from an inactive lane is undefined: a lane gets its own value.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/memory.h"
#include "ops/evals.h"
#include "ops/subgroup/collective_eval.h"
#include "rt/image.h"

static uint64_t number_at(const HdSlot *s, unsigned lane)
{
    return hd_bits_get(hd_slot_at(s, lane), hd_type_size(hd_type_scalar(s->type)));
}

static bool is_active(const HdEval *e, uint64_t lane)
{
    return lane < e->width && (e->mask >> lane & 1) != 0;
}

/* A cluster size at word `at`. */
static HdStatus cluster_of(HdEval *e, const HdInst *in, unsigned at, uint64_t *cluster)
{
    if (!hd_module_constant_u64(e->m, in->w[at], cluster))
        return hd_eval_unsupported(e, "the cluster size is not a constant");
    if (*cluster == 0 || (*cluster & (*cluster - 1)) != 0)
        return hd_eval_bad(e, HD_EVAL_LANES, "check.cluster",
                           "the cluster size is not a power of two");
    if (*cluster <= e->width || !e->is_checked)
        return HD_OK;
    return hd_eval_defect(
        e, e->mask, "check.cluster", "a cluster can be as large as a sub-group at most",
        "a cluster of %u work-items in sub-groups of %u", (unsigned)*cluster, (unsigned)e->width);
}

/* Arithmetic.
 * Words: 1 type, 2 result, 3 scope, 4 operation, 5 value, 6 cluster size. */
HdStatus hd_eval_nu_reduce(HdEval *e, const HdInst *in)
{
    uint64_t cluster = 0;
    HdGiven given = {0};
    HdSlot r, x;
    HdStatus st;
    bool done;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[5], &x));
    if (in->w[4] >= SpvGroupOperationPartitionedReduceEXT)
        return hd_eval_reduce_parts(e, in, &x, &r);
    if (in->nwords > 6)
        HD_TRY(cluster_of(e, in, 6, &cluster));
    HD_TRY(hd_eval_gather(e, in->w[3], &x, &given, &done));
    if (!done)
        return HD_OK;
    st = hd_eval_reduce(e, in, in->w[4], cluster > e->width ? 0 : (uint32_t)cluster, &given, &r);
    hd_free(given.at);
    return st;
}

/* Words: 1 type, 2 result, 3 scope. */
HdStatus hd_eval_nu_elect(HdEval *e, const HdInst *in)
{
    HdSlot r;

    HD_TRY(hd_eval_result(e, in, &r));
    for (HD_EACH_LANE(lane, e->mask))
        *hd_slot_at(&r, lane) = lane == hd_lane_first(e->mask);
    return HD_OK;
}

/* Operations of SPV_KHR_subgroup_vote and SPV_KHR_shader_ballot have no scope. */
static unsigned value_word(const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_SubgroupAllKHR:
    case HD_OPIX_SubgroupAnyKHR:
    case HD_OPIX_SubgroupAllEqualKHR:
    case HD_OPIX_SubgroupBallotKHR:
    case HD_OPIX_SubgroupFirstInvocationKHR:
    case HD_OPIX_SubgroupReadInvocationKHR:
    case HD_OPIX_SubgroupShuffleINTEL:
    case HD_OPIX_SubgroupShuffleXorINTEL:
    case HD_OPIX_SubgroupShuffleDownINTEL:
    case HD_OPIX_SubgroupShuffleUpINTEL: return 3;
    default: return 4;
    }
}

/* Equal as numbers: 0 and -0 are, NaN and NaN are not. */
static bool equals(const HdType *t, const unsigned char *x, const unsigned char *y)
{
    uint64_t bytes = hd_type_size(hd_type_scalar(t));

    for (uint32_t i = 0; i < hd_type_lanes(t); i++, x += bytes, y += bytes) {
        if (hd_type_scalar(t)->kind == HD_T_FLOAT
                ? !(hd_float_get(x, bytes) == hd_float_get(y, bytes))
                : hd_bits_get(x, bytes) != hd_bits_get(y, bytes))
            return false;
    }
    return true;
}

/* All, Any, AllEqual.
 * Words: 1 type, 2 result, [scope,] predicate or value. */
HdStatus hd_eval_nu_vote(HdEval *e, const HdInst *in)
{
    bool any = in->opix == HD_OPIX_GroupNonUniformAny || in->opix == HD_OPIX_SubgroupAnyKHR;
    bool equal =
        in->opix == HD_OPIX_GroupNonUniformAllEqual || in->opix == HD_OPIX_SubgroupAllEqualKHR;
    bool vote = !any;
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    if (e->is_shadow)
        return hd_eval_shade_vote(e, in->w[value_word(in)],
                                  equal ? HD_VOTE_LAST
                                  : any ? HD_VOTE_FIRST_TRUE
                                        : HD_VOTE_FIRST_FALSE,
                                  e->mask, &r);
    HD_TRY(hd_eval_operands(e, in, value_word(in), 1, &x));
    for (HD_EACH_LANE(lane, e->mask)) {
        const unsigned char *first = hd_slot_at(&x, hd_lane_first(e->mask));

        if (equal)
            vote = vote && equals(x.type, hd_slot_at(&x, lane), first);
        else if ((*hd_slot_at(&x, lane) != 0) == any)
            vote = any;
    }
    for (HD_EACH_LANE(lane, e->mask))
        *hd_slot_at(&r, lane) = vote;
    return HD_OK;
}

/* ---- reading other lanes ------------------------------------------------------------------- */

/* The lane that `lane` reads. */
static uint64_t source_of(const HdInst *in, const HdEval *e, unsigned lane, uint64_t n,
                          uint64_t cluster)
{
    switch (in->opix) {
    case HD_OPIX_GroupNonUniformBroadcastFirst:
    case HD_OPIX_SubgroupFirstInvocationKHR: return hd_lane_first(e->mask);
    case HD_OPIX_GroupNonUniformShuffleXor:
    case HD_OPIX_SubgroupShuffleXorINTEL: return lane ^ n;
    case HD_OPIX_GroupNonUniformShuffleUp: return lane - n;
    case HD_OPIX_GroupNonUniformShuffleDown: return lane + n;
    case HD_OPIX_GroupNonUniformRotateKHR:
        return (lane & ~(cluster - 1)) | ((lane + n) & (cluster - 1));
    case HD_OPIX_GroupNonUniformQuadBroadcast: return n < 4 ? (lane & ~3u) + n : UINT64_MAX;
    case HD_OPIX_GroupNonUniformQuadSwap: return lane ^ (n + 1);
    default: return n;
    }
}

/* Broadcast, Shuffle and their like, Rotate.
 * Words: 1 type, 2 result, [scope,] value, [id, mask or delta, [cluster size]]. */
HdStatus hd_eval_nu_read(HdEval *e, const HdInst *in)
{
    unsigned at = value_word(in);
    bool rotates = in->opix == HD_OPIX_GroupNonUniformRotateKHR;
    uint64_t cluster = 1;
    unsigned char *values;
    HdSlot r, x, id = {0};

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, at, 1, &x));
    if (in->nwords > at + 1)
        HD_TRY(hd_eval_use_control(e, in->w[at + 1], &id));
    while (cluster < e->width)
        cluster *= 2;
    if (rotates && in->nwords > at + 2)
        HD_TRY(cluster_of(e, in, at + 2, &cluster));
    HD_TAKE(values, hd_alloc_zero((size_t)hd_type_size(r.type) * e->width));
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t from = source_of(in, e, lane, id.at != NULL ? number_at(&id, lane) : 0, cluster);

        if (!is_active(e, from)) {
            hd_eval_spoil(e, UINT64_C(1) << lane);
            from = lane;
        }
        memcpy(values + lane * hd_type_size(r.type), hd_slot_at(&x, (unsigned)from),
               (size_t)hd_type_size(r.type));
    }
    for (HD_EACH_LANE(lane, e->mask))
        memcpy(hd_slot_at(&r, lane), values + lane * hd_type_size(r.type),
               (size_t)hd_type_size(r.type));
    hd_free(values);
    if (rotates)
        return hd_eval_needs_uniform(e, &id, "the distance of a rotation");
    if (in->opix == HD_OPIX_GroupNonUniformBroadcast ||
        in->opix == HD_OPIX_GroupNonUniformQuadBroadcast)
        return hd_eval_needs_uniform(e, &id, "the source of a broadcast");
    return HD_OK;
}

/* OpGroupNonUniformQuadAllKHR, …QuadAnyKHR. Words: 1 type, 2 result, 3 predicate. */
HdStatus hd_eval_nu_quad_vote(HdEval *e, const HdInst *in)
{
    bool any = in->opix == HD_OPIX_GroupNonUniformQuadAnyKHR;
    uint64_t yes = 0;
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    for (HD_EACH_LANE(lane, e->is_shadow ? e->mask : 0))
        HD_TRY(hd_eval_shade_vote(e, in->w[3], any ? HD_VOTE_FIRST_TRUE : HD_VOTE_FIRST_FALSE,
                                  e->mask & UINT64_C(15) << (lane & ~3u), &r));
    if (e->is_shadow)
        return HD_OK;
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    for (HD_EACH_LANE(lane, e->mask))
        yes |= (uint64_t)(*hd_slot_at(&x, lane) != 0) << lane;
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t quad = e->mask & UINT64_C(15) << (lane & ~3u);

        *hd_slot_at(&r, lane) = any ? (yes & quad) != 0 : (yes & quad) == quad;
    }
    return HD_OK;
}

/* Lanes of two values as if one followed the other, from a distance.
 * Down: words 3 current, 4 next, 5 delta. Up: 3 previous, 4 current, 5 delta. */
HdStatus hd_eval_intel_shift(HdEval *e, const HdInst *in)
{
    bool down = in->opix == HD_OPIX_SubgroupShuffleDownINTEL;
    unsigned char *values;
    HdSlot r, x[2], delta;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, 3, 2, x));
    HD_TRY(hd_eval_use_control(e, in->w[5], &delta));
    HD_TAKE(values, hd_alloc_zero((size_t)hd_type_size(r.type) * e->width));
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t n = number_at(&delta, lane);
        uint64_t at = down ? lane + n : lane + e->width - n;
        unsigned which = at >= e->width ? 1 : 0, from = (unsigned)(at % e->width);

        if (at >= 2 * e->width || !is_active(e, from)) {
            which = down ? 0 : 1;
            from = lane;
            hd_eval_spoil(e, UINT64_C(1) << lane);
        }
        memcpy(values + lane * hd_type_size(r.type), hd_slot_at(&x[which], from),
               (size_t)hd_type_size(r.type));
    }
    for (HD_EACH_LANE(lane, e->mask))
        memcpy(hd_slot_at(&r, lane), values + lane * hd_type_size(r.type),
               (size_t)hd_type_size(r.type));
    hd_free(values);
    return HD_OK;
}

/* ---- ballots: four 32-bit words, of which 64 lanes fill two --------------------------------- */

static uint64_t ballot_at(const HdSlot *x, unsigned lane)
{
    const unsigned char *at = hd_slot_at(x, lane);

    return hd_bits_get(at, 4) | hd_bits_get(at + 4, 4) << 32;
}

/* Words: 1 type, 2 result, [scope,] predicate. */
HdStatus hd_eval_nu_ballot(HdEval *e, const HdInst *in)
{
    uint64_t ballot[2] = {0, 0};
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, value_word(in), 1, &x));
    if (hd_type_size(r.type) != sizeof ballot)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.type", "a ballot is four 32-bit integers");
    for (HD_EACH_LANE(lane, e->mask))
        ballot[0] |= (uint64_t)(*hd_slot_at(&x, lane) != 0) << lane;
    for (HD_EACH_LANE(lane, e->mask))
        memcpy(hd_slot_at(&r, lane), ballot, sizeof ballot);
    return HD_OK;
}

static uint64_t of_ballot(const HdInst *in, const HdEval *e, unsigned lane, uint64_t ballot,
                          uint64_t index)
{
    uint64_t upto = (UINT64_C(2) << lane) - 1;

    ballot &= e->width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << e->width) - 1;
    switch (in->opix) {
    case HD_OPIX_GroupNonUniformInverseBallot: return ballot >> lane & 1;
    case HD_OPIX_GroupNonUniformBallotBitExtract: return index < 64 ? ballot >> index & 1 : 0;
    case HD_OPIX_GroupNonUniformBallotFindLSB:
        return ballot ? (uint64_t)__builtin_ctzll(ballot) : 0;
    case HD_OPIX_GroupNonUniformBallotFindMSB:
        return ballot ? 63 - (uint64_t)__builtin_clzll(ballot) : 0;
    default: break;
    }
    if (in->w[4] == SpvGroupOperationInclusiveScan)
        ballot &= upto;
    else if (in->w[4] == SpvGroupOperationExclusiveScan)
        ballot &= upto >> 1;
    return (uint64_t)__builtin_popcountll(ballot);
}

/* Has that operation a result? */
static bool has_result(const HdInst *in, const HdEval *e, uint64_t ballot, uint64_t index)
{
    switch (in->opix) {
    case HD_OPIX_GroupNonUniformBallotFindLSB:
    case HD_OPIX_GroupNonUniformBallotFindMSB:
        return (ballot & (e->width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << e->width) - 1)) != 0;
    case HD_OPIX_GroupNonUniformBallotBitExtract: return index < e->width;
    default: return true;
    }
}

/* The same value: as a number; a NaN is the same as one with its bits. */
static bool is_same(const HdType *t, const unsigned char *x, const unsigned char *y)
{
    uint64_t bytes = hd_type_size(hd_type_scalar(t));

    for (uint32_t i = 0; i < hd_type_lanes(t); i++, x += bytes, y += bytes)
        if (memcmp(x, y, (size_t)bytes) != 0 && !(hd_type_scalar(t)->kind == HD_T_FLOAT &&
                                                  hd_float_get(x, bytes) == hd_float_get(y, bytes)))
            return false;
    return true;
}

/* The lanes with the same value. Words: 1 type, 2 result, 3 value. */
HdStatus hd_eval_nu_partition(HdEval *e, const HdInst *in)
{
    HdSlot r, x;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_use(e, in->w[3], &x));
    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t ballot[2] = {0, 0};

        for (HD_EACH_LANE(other, e->mask))
            ballot[0] |= (uint64_t)is_same(x.type, hd_slot_at(&x, lane), hd_slot_at(&x, other))
                         << other;
        memcpy(hd_slot_at(&r, lane), ballot, sizeof ballot);
    }
    return HD_OK;
}

/* InverseBallot, BallotBitExtract, BallotBitCount, BallotFindLSB, BallotFindMSB.
 * Words: 1 type, 2 result, 3 scope, [operation,] ballot, [index]. */
HdStatus hd_eval_nu_of_ballot(HdEval *e, const HdInst *in)
{
    unsigned at = in->opix == HD_OPIX_GroupNonUniformBallotBitCount ? 5 : 4;
    HdSlot r, x, index = {0};

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(hd_eval_operands(e, in, at, 1, &x));
    if (in->opix == HD_OPIX_GroupNonUniformBallotBitExtract)
        HD_TRY(hd_eval_use_control(e, in->w[5], &index));
    if (hd_type_size(x.type) != 16)
        return hd_eval_bad(e, HD_EVAL_LANES, "interp.type", "a ballot is four 32-bit integers");
    for (HD_EACH_LANE(lane, e->mask)) {
        const uint64_t ballot = ballot_at(&x, lane);
        const uint64_t i = index.at != NULL ? number_at(&index, lane) : 0;

        if (!has_result(in, e, ballot, i))
            hd_eval_spoil(e, UINT64_C(1) << lane);
        hd_bits_put(hd_slot_at(&r, lane), hd_type_size(r.type), of_ballot(in, e, lane, ballot, i));
    }
    if (in->opix == HD_OPIX_GroupNonUniformInverseBallot)
        return hd_eval_needs_uniform(e, &x, "a ballot to be inverted");
    return HD_OK;
}

/* ---- blocks of memory ---------------------------------------------------------------------- */

/* A block has one place, the first lane's. No specification says so, nor that lanes have to agree.
 */
static void note_places(HdEval *e, const HdSlot *places)
{
    const uint64_t odd = e->is_checked ? hd_eval_odd(e, places) : 0;

    if (odd != 0)
        hd_eval_note(e, odd, "check.block-place",
                     "give all lanes the address of the block's first byte",
                     "a block whose place differs in the sub-group: the first lane's is taken");
}

/* Component c of lane l is at element c * (size of the sub-group) + l. */
static HdStatus block(HdEval *e, HdId pointer, const HdSlot *value, bool write)
{
    uint64_t bytes = hd_type_size(hd_type_scalar(value->type));
    uint32_t storage;
    HdSlot p;

    HD_TRY(hd_eval_use(e, pointer, &p));
    HD_TRY(hd_eval_storage(e, pointer, &storage));
    note_places(e, &p);
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t c = 0; c < hd_type_lanes(value->type); c++) {
            uint64_t address = hd_bits_get(hd_slot_at(&p, hd_lane_first(e->mask)), 8) +
                               ((uint64_t)c * e->width + lane) * bytes;
            unsigned char *at = hd_slot_at(value, lane) + c * bytes;

            if (write)
                HD_TRY(hd_eval_write(e, lane, storage, address, 1, at, bytes));
            else
                HD_TRY(hd_eval_read(e, lane, storage, address, 1, at, bytes));
        }
    return HD_OK;
}

/* Words: 1 type, 2 result, 3 pointer. */
HdStatus hd_eval_intel_block_read(HdEval *e, const HdInst *in)
{
    HdSlot r;

    HD_TRY(hd_eval_result(e, in, &r));
    return block(e, in->w[3], &r, false);
}

/* Words: 1 pointer, 2 data. */
HdStatus hd_eval_intel_block_write(HdEval *e, const HdInst *in)
{
    HdSlot x;

    HD_TRY(hd_eval_use(e, in->w[2], &x));
    return block(e, in->w[1], &x, true);
}

/* A block of an image: bytes of a number, the block's first byte and row. */
typedef struct Block {
    const HdImage *im;
    int64_t bytes, row, left, top;
    bool is_media;
    uint64_t width, height; /* of a media block, in numbers */
} Block;

/* Words from `image` on: image, coordinate, of a media block width and height. */
static HdStatus block_of(HdEval *e, const HdInst *in, unsigned image, const HdSlot *value,
                         bool is_media, Block *k)
{
    const unsigned first = hd_lane_first(e->mask);
    HdSlot images, at;

    HD_TRY(hd_eval_use(e, in->w[image], &images));
    HD_TRY(hd_eval_use(e, in->w[image + 1], &at));
    *k = (Block){.bytes = (int64_t)hd_type_size(hd_type_scalar(value->type)), .is_media = is_media};
    k->im = (const HdImage *)(uintptr_t)hd_bits_get(hd_slot_at(&images, first), 8);
    if (k->im == NULL)
        return hd_eval_bad(e, first, "interp.image", "there is no image");
    e->pointer = in->w[image];
    note_places(e, &at);
    k->row = (int64_t)k->im->level[0].width * k->im->texel_bytes;
    k->left = hd_int_get(hd_slot_at(&at, first), 4);
    k->top = hd_int_get(hd_slot_at(&at, first) + 4, 4);
    if (is_media && (!hd_module_constant_u64(e->m, in->w[image + 2], &k->width) ||
                     !hd_module_constant_u64(e->m, in->w[image + 3], &k->height)))
        return hd_eval_unsupported(e, "a media block whose width or height is no constant");
    return HD_OK;
}

/* Where component c of a lane is: number l of row top + c, from byte `left` on; in a media block
 * the numbers of all lanes fill rows of as many as the width, made a power of two. False: it is not
 * part of the block. */
static bool place_of(const HdEval *e, const Block *k, unsigned lane, uint32_t c, int64_t *x,
                     int64_t *y)
{
    uint64_t number = (uint64_t)c * e->width + lane, room = 1;

    if (!k->is_media) {
        *x = k->left + (int64_t)lane * k->bytes;
        *y = k->top + c;
        return true;
    }
    while (room < k->width)
        room *= 2;
    *x = k->left + (int64_t)(number % room) * k->bytes;
    *y = k->top + (int64_t)(number / room);
    return number % room < k->width && number / room < k->height;
}

/* What is beside the image is the texel at its edge, in a media block repeated where it is smaller
 * than a number. */
static void repeat(const Block *k, int64_t x, unsigned char *own)
{
    int64_t texel = k->im->texel_bytes;
    unsigned char edge[8];

    if (!k->is_media || texel >= k->bytes || k->bytes % texel != 0)
        return;
    memcpy(edge, own + (x < 0 ? 0 : k->bytes - texel), (size_t)texel);
    for (int64_t i = 0; i < k->bytes; i++)
        own[i] = edge[i % texel];
}

static HdStatus read_one(HdEval *e, const Block *k, unsigned lane, int64_t x, int64_t y,
                         unsigned char *own)
{
    int64_t most = k->row - k->bytes, last = (int64_t)k->im->level[0].height - 1;
    int64_t column = x < 0 ? 0 : x > most ? most : x, row = y < 0 ? 0 : y > last ? last : y;

    memset(own, 0, (size_t)k->bytes);
    if (most < 0)
        return HD_OK;
    HD_TRY(hd_eval_read(e, lane, SpvStorageClassCrossWorkgroup,
                        (uint64_t)(uintptr_t)k->im->at + (uint64_t)row * k->im->level[0].row +
                            (uint64_t)column,
                        1, own, (uint64_t)k->bytes));
    if (column != x)
        repeat(k, x, own);
    return HD_OK;
}

static HdStatus read_block(HdEval *e, const HdInst *in, bool is_media)
{
    HdSlot r;
    Block k;

    HD_TRY(hd_eval_result(e, in, &r));
    HD_TRY(block_of(e, in, 3, &r, is_media, &k));
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t c = 0; c < hd_type_lanes(r.type); c++) {
            unsigned char *own = hd_slot_at(&r, lane) + (int64_t)c * k.bytes;
            int64_t x, y;

            if (place_of(e, &k, lane, c, &x, &y)) {
                HD_TRY(read_one(e, &k, lane, x, y, own));
            } else {
                memset(own, 0, (size_t)k.bytes);
                hd_eval_spoil_part(e, UINT64_C(1) << lane, c);
            }
        }
    return HD_OK;
}

static HdStatus write_block(HdEval *e, const HdInst *in, HdId data, bool is_media)
{
    uint64_t outside = 0;
    HdSlot v;
    Block k;

    HD_TRY(hd_eval_use(e, data, &v));
    HD_TRY(block_of(e, in, 1, &v, is_media, &k));
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t c = 0; c < hd_type_lanes(v.type); c++) {
            int64_t x, y;

            if (!place_of(e, &k, lane, c, &x, &y))
                continue;
            if (x < 0 || x + k.bytes > k.row || y < 0 || y >= k.im->level[0].height) {
                outside |= UINT64_C(1) << lane;
                continue;
            }
            HD_TRY(hd_eval_write(
                e, lane, SpvStorageClassCrossWorkgroup,
                (uint64_t)(uintptr_t)k.im->at + (uint64_t)y * k.im->level[0].row + (uint64_t)x, 1,
                hd_slot_at(&v, lane) + (int64_t)c * k.bytes, (uint64_t)k.bytes));
        }
    /* A media block may extend beyond the image if that has narrower texels. */
    if (outside == 0 || !e->is_checked || (is_media && k.im->texel_bytes < k.bytes))
        return HD_OK;
    return hd_eval_defect(e, outside, "check.image-outside",
                          "coordinates of blocks are bytes and rows, inside the image",
                          "a block is written outside of the image");
}

/* Words: 1 type, 2 result, 3 image, 4 coordinate. */
HdStatus hd_eval_image_block_read(HdEval *e, const HdInst *in)
{
    return read_block(e, in, false);
}

/* Words: 1 image, 2 coordinate, 3 data. */
HdStatus hd_eval_image_block_write(HdEval *e, const HdInst *in)
{
    return write_block(e, in, in->w[3], false);
}

/* Words: 1 type, 2 result, 3 image, 4 coordinate, 5 width, 6 height. */
HdStatus hd_eval_media_block_read(HdEval *e, const HdInst *in)
{
    return read_block(e, in, true);
}

/* Words: 1 image, 2 coordinate, 3 width, 4 height, 5 data. */
HdStatus hd_eval_media_block_write(HdEval *e, const HdInst *in)
{
    return write_block(e, in, in->w[5], true);
}
