/* ops/subgroup/collective_eval.c -- reductions and scans over work-items.
 *
 * The specification leaves the order of float additions open; this is the order of compiled code,
 * so that both engines agree: within a sub-group upper halves onto lower ones (a scan from 1, 2, 4
 * … below), sub-groups in order.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/subgroup/collective_eval.h"

#include <math.h>

#include "base/memory.h"

typedef enum Kind {
    KIND_NONE,
    KIND_ADD,
    KIND_MUL,
    KIND_SMIN,
    KIND_UMIN,
    KIND_SMAX,
    KIND_UMAX,
    KIND_AND,
    KIND_OR,
    KIND_XOR,
    KIND_FADD,
    KIND_FMUL,
    KIND_FMIN,
    KIND_FMAX,
    KIND_LAND,
    KIND_LOR,
    KIND_LXOR
} Kind;

static Kind kind_of(const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_GroupIAdd:
    case HD_OPIX_GroupNonUniformIAdd: return KIND_ADD;
    case HD_OPIX_GroupIMulKHR:
    case HD_OPIX_GroupNonUniformIMul: return KIND_MUL;
    case HD_OPIX_GroupSMin:
    case HD_OPIX_GroupNonUniformSMin: return KIND_SMIN;
    case HD_OPIX_GroupUMin:
    case HD_OPIX_GroupNonUniformUMin: return KIND_UMIN;
    case HD_OPIX_GroupSMax:
    case HD_OPIX_GroupNonUniformSMax: return KIND_SMAX;
    case HD_OPIX_GroupUMax:
    case HD_OPIX_GroupNonUniformUMax: return KIND_UMAX;
    case HD_OPIX_GroupBitwiseAndKHR:
    case HD_OPIX_GroupNonUniformBitwiseAnd: return KIND_AND;
    case HD_OPIX_GroupBitwiseOrKHR:
    case HD_OPIX_GroupNonUniformBitwiseOr: return KIND_OR;
    case HD_OPIX_GroupBitwiseXorKHR:
    case HD_OPIX_GroupNonUniformBitwiseXor: return KIND_XOR;
    case HD_OPIX_GroupFAdd:
    case HD_OPIX_GroupNonUniformFAdd: return KIND_FADD;
    case HD_OPIX_GroupFMulKHR:
    case HD_OPIX_GroupNonUniformFMul: return KIND_FMUL;
    case HD_OPIX_GroupFMin:
    case HD_OPIX_GroupNonUniformFMin: return KIND_FMIN;
    case HD_OPIX_GroupFMax:
    case HD_OPIX_GroupNonUniformFMax: return KIND_FMAX;
    case HD_OPIX_GroupLogicalAndKHR:
    case HD_OPIX_GroupNonUniformLogicalAnd: return KIND_LAND;
    case HD_OPIX_GroupLogicalOrKHR:
    case HD_OPIX_GroupNonUniformLogicalOr: return KIND_LOR;
    case HD_OPIX_GroupLogicalXorKHR:
    case HD_OPIX_GroupNonUniformLogicalXor: return KIND_LXOR;
    default: return KIND_NONE;
    }
}

static uint64_t float_bits(double x, uint64_t bytes)
{
    uint64_t bits = 0;

    hd_float_put(&bits, bytes, x);
    return bits;
}

static uint64_t identity(Kind kind, uint64_t bytes)
{
    unsigned top = (unsigned)bytes * 8 - 1;

    switch (kind) {
    case KIND_MUL:
    case KIND_LAND: return 1;
    case KIND_SMIN: return (UINT64_C(1) << top) - 1;
    case KIND_SMAX: return UINT64_C(1) << top;
    case KIND_UMIN:
    case KIND_AND: return ~UINT64_C(0);
    case KIND_FMUL: return float_bits(1, bytes);
    case KIND_FMIN: return float_bits(INFINITY, bytes);
    case KIND_FMAX: return float_bits(-INFINITY, bytes);
    default: return 0;
    }
}

/* Each step is rounded in the type. */
static uint64_t float_step(Kind kind, uint64_t x, uint64_t y, uint64_t bytes)
{
    double a = hd_float_get(&x, bytes), b = hd_float_get(&y, bytes);

    switch (kind) {
    case KIND_FADD: return float_bits(a + b, bytes);
    case KIND_FMUL: return float_bits(a * b, bytes);
    case KIND_FMIN: return float_bits(fmin(a, b), bytes);
    default: return float_bits(fmax(a, b), bytes);
    }
}

static uint64_t step(Kind kind, uint64_t x, uint64_t y, uint64_t bytes)
{
    unsigned drop = 64 - (unsigned)bytes * 8;
    int64_t sx = (int64_t)(x << drop), sy = (int64_t)(y << drop);

    switch (kind) {
    case KIND_ADD: return x + y;
    case KIND_MUL: return x * y;
    case KIND_SMIN: return sx < sy ? x : y;
    case KIND_SMAX: return sx > sy ? x : y;
    case KIND_UMIN: return x < y ? x : y;
    case KIND_UMAX: return x > y ? x : y;
    case KIND_AND: return x & y;
    case KIND_OR: return x | y;
    case KIND_XOR: return x ^ y;
    case KIND_LAND: return (x != 0) && (y != 0);
    case KIND_LOR: return (x != 0) || (y != 0);
    case KIND_LXOR: return (x != 0) != (y != 0);
    default: return float_step(kind, x, y, bytes);
    }
}

static uint64_t keep(uint64_t x, uint64_t bytes)
{
    return bytes == 8 ? x : x & ((UINT64_C(1) << (bytes * 8)) - 1);
}

/* Give a result to a work-item, if it is an active lane of this sub-group. */
static void give(const HdEval *e, const HdSlot *r, const HdGiven *g, uint32_t item, uint64_t at,
                 uint64_t bytes, uint64_t value)
{
    uint32_t lane = item - g->first;

    if (item >= g->first && lane < e->width && (e->mask >> lane & 1) != 0)
        hd_bits_put(hd_slot_at(r, lane) + at, bytes, value);
}

#define MOST_LANES 64u

/* What some neighbouring work-items give, at most as many as a sub-group or cluster has. */
typedef struct Given {
    Kind kind;
    uint64_t bytes;
    uint32_t count;
    uint64_t x[MOST_LANES];
} Given;

/* Missing work-items take part with a neutral value: -0.0 in sums, but 0 as the start of a scan.
 */
static uint64_t neutral(Kind kind, uint32_t operation, uint64_t bytes)
{
    if (kind == KIND_FADD && operation != SpvGroupOperationExclusiveScan)
        return float_bits(-0.0, bytes);
    return keep(identity(kind, bytes), bytes);
}

static void take(const HdGiven *g, uint32_t from, uint32_t to, uint64_t at, uint64_t none, Given *v)
{
    for (uint32_t i = 0; i < v->count; i++)
        v->x[i] = from + i < to && g->at[from + i] != NULL
                      ? hd_bits_get((const unsigned char *)g->at[from + i] + at, v->bytes)
                      : none;
}

/* Lanes that take part: those of a sub-group, or of a checked run's whole group, that many or more,
 * a power of two. */
static uint32_t lanes_of(uint32_t count)
{
    uint32_t lanes = 1;

    while (lanes < count && lanes < MOST_LANES)
        lanes *= 2;
    return lanes;
}

/* The upper half onto the lower one until one is left. */
static uint64_t total(Given v)
{
    for (uint32_t n = v.count / 2; n != 0; n /= 2)
        for (uint32_t i = 0; i < n; i++)
            v.x[i] = keep(step(v.kind, v.x[i], v.x[n + i], v.bytes), v.bytes);
    return v.x[0];
}

/* Each with what lies 1, 2, 4 … below. */
static void scan(Given *v, bool is_exclusive, uint64_t none)
{
    for (uint32_t n = 1; n < v->count; n *= 2)
        for (uint32_t i = v->count; i-- > n;)
            v->x[i] = keep(step(v->kind, v->x[i - n], v->x[i], v->bytes), v->bytes);
    if (!is_exclusive)
        return;
    for (uint32_t i = v->count; i-- > 1;)
        v->x[i] = v->x[i - 1];
    v->x[0] = none;
}

/* One cluster, one component at byte `at`; `lanes` at a time, a power of two. */
static void reduce(const HdEval *e, Kind kind, uint32_t operation, const HdGiven *g, uint32_t from,
                   uint32_t to, uint32_t lanes, const HdSlot *r, uint64_t at)
{
    uint64_t bytes = hd_type_size(hd_type_scalar(r->type)), sum = 0, all;
    uint64_t none = neutral(kind, operation, bytes);
    bool reduces =
        operation == SpvGroupOperationReduce || operation == SpvGroupOperationClusteredReduce;
    Given v = {.kind = kind, .bytes = bytes, .count = lanes};

    for (uint32_t first = from; first < to; first += lanes) {
        take(g, first, to, at, neutral(kind, SpvGroupOperationReduce, bytes), &v);
        all = total(v);
        if (!reduces) {
            take(g, first, to, at, none, &v);
            scan(&v, operation == SpvGroupOperationExclusiveScan, none);
            for (uint32_t i = 0; i < lanes && first + i < to; i++)
                give(e, r, g, first + i, at, bytes,
                     first == from ? v.x[i] : keep(step(kind, sum, v.x[i], bytes), bytes));
        }
        sum = first == from ? all : keep(step(kind, sum, all, bytes), bytes);
    }
    for (uint32_t i = from; i < to && reduces; i++)
        give(e, r, g, i, at, bytes, sum);
}

/* Of bits without a value, a result has those that any of its work-items has. */
static Kind kind_in(const HdEval *e, const HdInst *in)
{
    return e->is_shadow ? KIND_OR : kind_of(in);
}

/* A component of a result that has one bit without a value has no value. */
static void widen(const HdEval *e, const HdSlot *r)
{
    const uint64_t bytes = hd_type_size(hd_type_scalar(r->type));

    for (HD_EACH_LANE(lane, e->is_shadow ? e->mask : 0))
        for (uint32_t c = 0; c < hd_type_lanes(r->type); c++) {
            unsigned char *at = hd_slot_at(r, lane) + c * bytes;

            if (hd_bits_get(at, bytes) != 0)
                memset(at, 0xff, (size_t)bytes);
        }
}

HdStatus hd_eval_reduce(HdEval *e, const HdInst *in, uint32_t operation, uint32_t cluster,
                        const HdGiven *given, const HdSlot *r)
{
    Kind kind = kind_in(e, in);
    uint64_t bytes = hd_type_size(hd_type_scalar(r->type));

    if (kind == KIND_NONE)
        return HD_BUG;
    if (operation > SpvGroupOperationClusteredReduce)
        return hd_eval_unsupported(e, "this group operation");
    if (cluster == 0 || cluster > given->count)
        cluster = given->count;
    for (uint32_t c = 0; c < hd_type_lanes(r->type); c++)
        for (uint32_t from = 0; from < given->count; from += cluster) {
            uint32_t to = from + cluster < given->count ? from + cluster : given->count;
            uint32_t lanes = lanes_of(cluster < e->width ? cluster : e->width);

            reduce(e, kind, operation, given, from, to, lanes, r, c * bytes);
        }
    widen(e, r);
    return HD_OK;
}

HdStatus hd_eval_gather(HdEval *e, HdId scope, const HdSlot *x, HdGiven *given, bool *done)
{
    uint64_t of;

    *done = true;
    if (!hd_module_constant_u64(e->m, scope, &of))
        return hd_eval_unsupported(e, "the execution scope is not a constant");
    if (of != SpvScopeWorkgroup && of != SpvScopeSubgroup)
        return hd_eval_unsupported(e, "this execution scope");
    if (of == SpvScopeWorkgroup) {
        HD_TRY(hd_eval_meet(e, x, done));
        if (!*done)
            return HD_OK;
    }
    given->count = of == SpvScopeWorkgroup ? e->items : e->width;
    given->first = of == SpvScopeWorkgroup ? e->first : 0;
    HD_TAKE(given->at, hd_alloc_zero(given->count * sizeof *given->at));
    for (uint32_t i = 0; of == SpvScopeWorkgroup && i < e->items; i++)
        given->at[i] = e->is_shadow ? hd_eval_lacking(e, i) : hd_eval_given(e, i);
    if (of == SpvScopeSubgroup)
        for (HD_EACH_LANE(lane, e->mask))
            given->at[lane] = hd_slot_at(x, lane);
    return HD_OK;
}

static bool any_set(const HdSlot *s, unsigned lane)
{
    const unsigned char *at = hd_slot_at(s, lane);
    unsigned char any = 0;

    for (uint64_t i = 0; i < hd_type_size(s->type); i++)
        any |= at[i];
    return any != 0;
}

HdStatus hd_eval_shade_vote(HdEval *e, HdId id, HdVoteEnd end, uint64_t lanes, const HdSlot *r)
{
    bool lacks = false, ends = false;
    HdSlot shadow, value;

    HD_TRY(hd_eval_use(e, id, &shadow));
    HD_TRY(hd_eval_use_control(e, id, &value));
    for (HD_EACH_LANE(lane, lanes)) {
        bool lane_lacks = any_set(&shadow, lane);

        lacks = lacks || lane_lacks;
        ends = ends || (end != HD_VOTE_LAST && !lane_lacks &&
                        (*hd_slot_at(&value, lane) != 0) == (end == HD_VOTE_FIRST_TRUE));
    }
    for (HD_EACH_LANE(lane, lanes))
        *hd_slot_at(r, lane) = lacks && !ends;
    return HD_OK;
}

/* ---- parts --------------------------------------------------------------------------------- */

/* The active lanes that a lane's ballot names. */
static uint64_t part_of(const HdEval *e, const HdSlot *ballot, unsigned lane)
{
    const unsigned char *at = hd_slot_at(ballot, lane);

    return (hd_bits_get(at, 4) | hd_bits_get(at + 4, 4) << 32) & e->mask;
}

/* Each lane is in one part, whose lanes name the same one. */
static HdStatus check_parts(HdEval *e, const HdSlot *ballot)
{
    uint64_t wrong = 0;

    for (HD_EACH_LANE(lane, e->mask)) {
        uint64_t part = part_of(e, ballot, lane);

        if ((part >> lane & 1) == 0)
            wrong |= UINT64_C(1) << lane;
        for (HD_EACH_LANE(other, part))
            if (part_of(e, ballot, other) != part)
                wrong |= UINT64_C(1) << lane;
    }
    if (wrong == 0 || !e->is_checked)
        return HD_OK;
    return hd_eval_defect(e, wrong, "check.partition",
                          "take the ballot from a partition of the lanes that are active here",
                          "the ballots of a partitioned operation are no partition of the active "
                          "work-items");
}

HdStatus hd_eval_reduce_parts(HdEval *e, const HdInst *in, const HdSlot *x, const HdSlot *r)
{
    const uint32_t scans[] = {SpvGroupOperationReduce, SpvGroupOperationInclusiveScan,
                              SpvGroupOperationExclusiveScan};
    const uint32_t which = in->w[4] - SpvGroupOperationPartitionedReduceEXT;
    const uint64_t bytes = hd_type_size(hd_type_scalar(r->type));
    const Kind kind = kind_in(e, in);
    HdSlot ballot;

    if (which > 2 || in->nwords < 7)
        return hd_eval_unsupported(e, "this group operation");
    HD_TRY(hd_eval_use_control(e, in->w[6], &ballot));
    HD_TRY(check_parts(e, &ballot));
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t c = 0; c < hd_type_lanes(r->type); c++) {
            uint64_t below = (UINT64_C(1) << lane) - 1, part = part_of(e, &ballot, lane);
            uint64_t sum = neutral(kind, scans[which], bytes);

            part &= which == 0 ? ~UINT64_C(0) : which == 1 ? below | UINT64_C(1) << lane : below;
            for (HD_EACH_LANE(other, part))
                sum = keep(
                    step(kind, sum, hd_bits_get(hd_slot_at(x, other) + c * bytes, bytes), bytes),
                    bytes);
            hd_bits_put(hd_slot_at(r, lane) + c * bytes, bytes, sum);
        }
    widen(e, r);
    return HD_OK;
}
