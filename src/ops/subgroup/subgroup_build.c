/* ops/subgroup/subgroup_build.c -- operations of the lanes that reach them together.
 *
 * Composite values take part component by component. Masks of lanes are four 32-bit integers in
 * SPIR-V and one of 64 bits here: sub-groups have at most 64 lanes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ops/build_fns.h"
#include "ops/subgroup/collective_build.h"

static const HdCollective collectives[] = {
    {HD_OPIX_GroupIAdd, HD_COLL_ADD, HD_IR_ADD},
    {HD_OPIX_GroupUMin, HD_COLL_UMIN, HD_IR_UMIN},
    {HD_OPIX_GroupSMin, HD_COLL_SMIN, HD_IR_SMIN},
    {HD_OPIX_GroupUMax, HD_COLL_UMAX, HD_IR_UMAX},
    {HD_OPIX_GroupSMax, HD_COLL_SMAX, HD_IR_SMAX},
    {HD_OPIX_GroupIMulKHR, HD_COLL_MUL, HD_IR_MUL},
    {HD_OPIX_GroupBitwiseAndKHR, HD_COLL_AND, HD_IR_AND},
    {HD_OPIX_GroupBitwiseOrKHR, HD_COLL_OR, HD_IR_OR},
    {HD_OPIX_GroupBitwiseXorKHR, HD_COLL_XOR, HD_IR_XOR},
    {HD_OPIX_GroupFAdd, HD_COLL_FADD, HD_IR_FADD},
    {HD_OPIX_GroupFMin, HD_COLL_FMIN, HD_IR_FMIN},
    {HD_OPIX_GroupFMax, HD_COLL_FMAX, HD_IR_FMAX},
    {HD_OPIX_GroupFMulKHR, HD_COLL_FMUL, HD_IR_FMUL},
    {HD_OPIX_GroupLogicalAndKHR, HD_COLL_AND, HD_IR_AND},
    {HD_OPIX_GroupLogicalOrKHR, HD_COLL_OR, HD_IR_OR},
    {HD_OPIX_GroupLogicalXorKHR, HD_COLL_XOR, HD_IR_XOR},
    {HD_OPIX_GroupNonUniformIAdd, HD_COLL_ADD, HD_IR_ADD},
    {HD_OPIX_GroupNonUniformIMul, HD_COLL_MUL, HD_IR_MUL},
    {HD_OPIX_GroupNonUniformSMin, HD_COLL_SMIN, HD_IR_SMIN},
    {HD_OPIX_GroupNonUniformUMin, HD_COLL_UMIN, HD_IR_UMIN},
    {HD_OPIX_GroupNonUniformSMax, HD_COLL_SMAX, HD_IR_SMAX},
    {HD_OPIX_GroupNonUniformUMax, HD_COLL_UMAX, HD_IR_UMAX},
    {HD_OPIX_GroupNonUniformBitwiseAnd, HD_COLL_AND, HD_IR_AND},
    {HD_OPIX_GroupNonUniformBitwiseOr, HD_COLL_OR, HD_IR_OR},
    {HD_OPIX_GroupNonUniformBitwiseXor, HD_COLL_XOR, HD_IR_XOR},
    {HD_OPIX_GroupNonUniformFAdd, HD_COLL_FADD, HD_IR_FADD},
    {HD_OPIX_GroupNonUniformFMul, HD_COLL_FMUL, HD_IR_FMUL},
    {HD_OPIX_GroupNonUniformFMin, HD_COLL_FMIN, HD_IR_FMIN},
    {HD_OPIX_GroupNonUniformFMax, HD_COLL_FMAX, HD_IR_FMAX},
    {HD_OPIX_GroupNonUniformLogicalAnd, HD_COLL_AND, HD_IR_AND},
    {HD_OPIX_GroupNonUniformLogicalOr, HD_COLL_OR, HD_IR_OR},
    {HD_OPIX_GroupNonUniformLogicalXor, HD_COLL_XOR, HD_IR_XOR},
};

const HdCollective *hd_build_collective_of(enum HdOpix opix)
{
    for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++)
        if (collectives[i].opix == opix)
            return &collectives[i];
    return NULL;
}

HdIrRef hd_build_collective(HdBuild *b, HdIrCollective what, HdIrType result, uint64_t imm,
                            const HdIrRef *args, unsigned count)
{
    return hd_ir_emit_sub(b->fn, b->block, HD_IR_COLLECTIVE, result, what, imm, args, count);
}

HdStatus hd_build_group_operation(HdBuild *b, const HdInst *in, uint32_t operation, unsigned *how)
{
    switch (operation) {
    case SpvGroupOperationReduce:
    case SpvGroupOperationClusteredReduce: *how = HD_COLL_REDUCE; return HD_OK;
    case SpvGroupOperationInclusiveScan: *how = HD_COLL_INCLUSIVE; return HD_OK;
    case SpvGroupOperationExclusiveScan: *how = HD_COLL_EXCLUSIVE; return HD_OK;
    case SpvGroupOperationPartitionedReduceEXT:
        *how = HD_COLL_REDUCE | HD_COLL_PARTED;
        return HD_OK;
    case SpvGroupOperationPartitionedInclusiveScanEXT:
        *how = HD_COLL_INCLUSIVE | HD_COLL_PARTED;
        return HD_OK;
    case SpvGroupOperationPartitionedExclusiveScanEXT:
        *how = HD_COLL_EXCLUSIVE | HD_COLL_PARTED;
        return HD_OK;
    default: return hd_build_unsupported(b, in, "group operation");
    }
}

/* Non-uniform operations exist for sub-groups only. */
static HdStatus check_scope(HdBuild *b, const HdInst *in, HdId scope)
{
    uint64_t value;

    if (!hd_module_constant_u64(b->m, scope, &value) || value != SpvScopeSubgroup)
        return hd_build_unsupported(b, in, "scope is not Subgroup");
    return HD_OK;
}

/* One collective for each component of the value at word `at`; `extra`: a second operand, or 0. */
static HdStatus each(HdBuild *b, const HdInst *in, unsigned at, HdIrCollective what, uint64_t imm,
                     HdIrRef extra)
{
    HdBuildValue v;
    HdIrRef *refs;

    HD_TRY(hd_build_use(b, in->w[at], &v));
    HD_TRY(hd_build_room(b, v.count, &refs));
    for (uint32_t i = 0; i < v.count; i++) {
        const HdIrRef args[2] = {v.at[i], extra};

        refs[i] =
            hd_build_collective(b, what, hd_build_type_at(b, v.at[i]), imm, args, extra ? 2 : 1);
    }
    return hd_build_bind(b, in->w[2], refs, v.count);
}

/* An integer operand as I32. */
static HdStatus lane_operand(HdBuild *b, const HdInst *in, HdId id, HdIrRef *out)
{
    HdIrType t;

    HD_TRY(hd_build_use1(b, id, out));
    t = hd_build_type_at(b, *out);
    if (t < HD_IR_I8 || t > HD_IR_I64)
        return hd_build_bad(b, in, "lane is not an integer");
    *out = hd_build_resize(b, *out, HD_IR_I32, false);
    return HD_OK;
}

static HdStatus cluster_of(HdBuild *b, const HdInst *in, unsigned at, uint64_t *cluster)
{
    *cluster = 0;
    if (at >= in->nwords)
        return HD_OK;
    if (!hd_module_constant_u64(b->m, in->w[at], cluster) || *cluster == 0 || *cluster > 128 ||
        (*cluster & (*cluster - 1)) != 0)
        return hd_build_unsupported(b, in, "cluster size is not a power of two up to 128");
    return HD_OK;
}

static HdStatus mask_of(HdBuild *b, const HdInst *in, HdId id, HdIrRef *bits);

/* Words: 1 type, 2 result, 3 scope, 4 operation, 5 value [, 6 cluster size, or ballot]. */
HdStatus hd_build_nu_combine(HdBuild *b, const HdInst *in)
{
    const HdCollective *c = hd_build_collective_of(in->opix);
    uint64_t cluster;
    unsigned how = HD_COLL_REDUCE;
    HdIrRef ballot;

    if (c == NULL)
        return HD_BUG;
    HD_TRY(check_scope(b, in, in->w[3]));
    HD_TRY(hd_build_group_operation(b, in, in->w[4], &how));
    if ((how & HD_COLL_PARTED) != 0 && in->nwords > 6) {
        HD_TRY(mask_of(b, in, in->w[6], &ballot));
        return each(b, in, 5, c->collective, HD_IR_COLL_IMM(how, 0), ballot);
    }
    HD_TRY(cluster_of(b, in, 6, &cluster));
    return each(b, in, 5, c->collective, HD_IR_COLL_IMM(how, cluster), 0);
}

/* Words: 1 type, 2 result, 3 scope. */
HdStatus hd_build_nu_elect(HdBuild *b, const HdInst *in)
{
    HdIrRef r;

    HD_TRY(check_scope(b, in, in->w[3]));
    r = hd_build_collective(b, HD_COLL_ELECT, HD_IR_BOOL, 0, NULL, 0);
    return hd_build_bind(b, in->w[2], &r, 1);
}

/* OpGroupNonUniformAll, Any, BroadcastFirst. Words: 1 type, 2 result, 3 scope, 4 value. */
HdStatus hd_build_nu_value(HdBuild *b, const HdInst *in)
{
    HdIrCollective what = in->opix == HD_OPIX_GroupNonUniformAll   ? HD_COLL_ALL
                          : in->opix == HD_OPIX_GroupNonUniformAny ? HD_COLL_ANY
                                                                   : HD_COLL_BROADCAST_FIRST;

    HD_TRY(check_scope(b, in, in->w[3]));
    return each(b, in, 4, what, 0, 0);
}

static HdStatus all_equal(HdBuild *b, const HdInst *in, unsigned at)
{
    HdBuildValue v;
    HdIrRef r = 0;

    HD_TRY(hd_build_use(b, in->w[at], &v));
    for (uint32_t i = 0; i < v.count; i++) {
        HdIrRef same = hd_build_collective(b, HD_COLL_ALL_EQUAL, HD_IR_BOOL, 0, &v.at[i], 1);

        r = i == 0 ? same : hd_build_op2(b, HD_IR_AND, HD_IR_BOOL, r, same);
    }
    return hd_build_bind(b, in->w[2], &r, 1);
}

HdStatus hd_build_nu_all_equal(HdBuild *b, const HdInst *in)
{
    HD_TRY(check_scope(b, in, in->w[3]));
    return all_equal(b, in, 4);
}

static HdIrCollective two_operands(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_GroupNonUniformShuffle:
    case HD_OPIX_SubgroupShuffleINTEL: return HD_COLL_SHUFFLE;
    case HD_OPIX_GroupNonUniformShuffleXor:
    case HD_OPIX_SubgroupShuffleXorINTEL: return HD_COLL_SHUFFLE_XOR;
    case HD_OPIX_GroupNonUniformShuffleUp: return HD_COLL_SHUFFLE_UP;
    case HD_OPIX_GroupNonUniformShuffleDown: return HD_COLL_SHUFFLE_DOWN;
    case HD_OPIX_GroupNonUniformRotateKHR: return HD_COLL_ROTATE;
    default: /* OpGroupNonUniformBroadcast, OpSubgroupReadInvocationKHR */ return HD_COLL_BROADCAST;
    }
}

/* Words: 1 type, 2 result, 3 scope, 4 value, 5 lane, mask or delta [, 6 cluster size]. */
HdStatus hd_build_nu_shuffle(HdBuild *b, const HdInst *in)
{
    uint64_t cluster;
    HdIrRef lane;

    HD_TRY(check_scope(b, in, in->w[3]));
    HD_TRY(lane_operand(b, in, in->w[5], &lane));
    HD_TRY(cluster_of(b, in, 6, &cluster));
    return each(b, in, 4, two_operands(in->opix), HD_IR_COLL_IMM(0, cluster), lane);
}

/* ---- quads ------------------------------------------------------------------------------- */

static HdIrRef own_lane32(HdBuild *b)
{
    return hd_build_resize(b, hd_build_id(b, HD_BUILTIN_SUBGROUP_LOCAL_ID, 0), HD_IR_I32, false);
}

/* Words: 1 type, 2 result, 3 scope, 4 value, 5 index. */
HdStatus hd_build_nu_quad_broadcast(HdBuild *b, const HdInst *in)
{
    HdIrRef lane, first;

    HD_TRY(check_scope(b, in, in->w[3]));
    HD_TRY(lane_operand(b, in, in->w[5], &lane));
    first = hd_build_op2(b, HD_IR_AND, HD_IR_I32, own_lane32(b),
                         hd_build_const(b, HD_IR_I32, 0xfffffffcu));
    lane = hd_build_op2(b, HD_IR_AND, HD_IR_I32, lane, hd_build_const(b, HD_IR_I32, 3));
    lane = hd_build_op2(b, HD_IR_OR, HD_IR_I32, first, lane);
    return each(b, in, 4, HD_COLL_SHUFFLE, HD_IR_COLL_IMM(0, 0), lane);
}

/* Directions are 0, horizontal; 1, vertical; 2, diagonal.
 * Words: 1 type, 2 result, 3 scope, 4 value, 5 direction. */
HdStatus hd_build_nu_quad_swap(HdBuild *b, const HdInst *in)
{
    HdIrRef mask;

    HD_TRY(check_scope(b, in, in->w[3]));
    HD_TRY(lane_operand(b, in, in->w[5], &mask));
    mask = hd_build_op2(b, HD_IR_ADD, HD_IR_I32, mask, hd_build_const(b, HD_IR_I32, 1));
    return each(b, in, 4, HD_COLL_SHUFFLE_XOR, HD_IR_COLL_IMM(0, 0), mask);
}

/* OpGroupNonUniformQuadAllKHR, …QuadAnyKHR. Words: 1 type, 2 result, 3 predicate. */
HdStatus hd_build_nu_quad_vote(HdBuild *b, const HdInst *in)
{
    return each(b, in, 3, in->opix == HD_OPIX_GroupNonUniformQuadAllKHR ? HD_COLL_AND : HD_COLL_OR,
                HD_IR_COLL_IMM(HD_COLL_REDUCE, 4), 0);
}

/* ---- ballots ----------------------------------------------------------------------------- */

/* 64 bits as four 32-bit integers. */
static HdStatus bind_mask(HdBuild *b, const HdInst *in, HdIrRef bits)
{
    HdIrRef high, refs[4];

    high = hd_build_op2(b, HD_IR_LSHR, HD_IR_I64, bits, hd_build_const(b, HD_IR_I64, 32));
    refs[0] = hd_build_op1(b, HD_IR_TRUNC, HD_IR_I32, bits);
    refs[1] = hd_build_op1(b, HD_IR_TRUNC, HD_IR_I32, high);
    refs[2] = refs[3] = hd_build_const(b, HD_IR_I32, 0);
    return hd_build_bind(b, in->w[2], refs, 4);
}

static HdStatus ballot(HdBuild *b, const HdInst *in, unsigned at)
{
    HdIrRef predicate;

    HD_TRY(hd_build_use1(b, in->w[at], &predicate));
    return bind_mask(b, in, hd_build_collective(b, HD_COLL_BALLOT, HD_IR_I64, 0, &predicate, 1));
}

/* The lanes with the same value, in all components. Words: 1 type, 2 result, 3 value. */
HdStatus hd_build_nu_partition(HdBuild *b, const HdInst *in)
{
    HdIrRef bits = 0, one;
    HdBuildValue v;

    HD_TRY(hd_build_use(b, in->w[3], &v));
    for (uint32_t i = 0; i < v.count; i++) {
        one = hd_build_collective(b, HD_COLL_MATCH, HD_IR_I64, 0, &v.at[i], 1);
        bits = i == 0 ? one : hd_build_op2(b, HD_IR_AND, HD_IR_I64, bits, one);
    }
    return bind_mask(b, in, bits);
}

/* Words: 1 type, 2 result, 3 scope, 4 predicate. */
HdStatus hd_build_nu_ballot(HdBuild *b, const HdInst *in)
{
    HD_TRY(check_scope(b, in, in->w[3]));
    return ballot(b, in, 4);
}

/* Four 32-bit integers as the 64 bits that matter. */
static HdStatus mask_of(HdBuild *b, const HdInst *in, HdId id, HdIrRef *bits)
{
    HdIrRef low, high;
    HdBuildValue v;

    HD_TRY(hd_build_use(b, id, &v));
    if (v.count != 4 || hd_build_type_at(b, v.at[0]) != HD_IR_I32)
        return hd_build_bad(b, in, "a ballot must be a vector of four 32-bit integers");
    low = hd_build_op1(b, HD_IR_ZEXT, HD_IR_I64, v.at[0]);
    high = hd_build_op2(b, HD_IR_SHL, HD_IR_I64, hd_build_op1(b, HD_IR_ZEXT, HD_IR_I64, v.at[1]),
                        hd_build_const(b, HD_IR_I64, 32));
    *bits = hd_build_op2(b, HD_IR_OR, HD_IR_I64, low, high);
    return HD_OK;
}

static HdIrRef own_lane(HdBuild *b)
{
    return hd_build_resize(b, hd_build_id(b, HD_BUILTIN_SUBGROUP_LOCAL_ID, 0), HD_IR_I64, false);
}

static HdIrRef is_set(HdBuild *b, HdIrRef bits, HdIrRef index)
{
    HdIrRef one = hd_build_const(b, HD_IR_I64, 1);
    HdIrRef bit = hd_build_op2(b, HD_IR_LSHR, HD_IR_I64, bits, index);

    return hd_build_icmp(b, HD_IR_NE, hd_build_op2(b, HD_IR_AND, HD_IR_I64, bit, one),
                         hd_build_const(b, HD_IR_I64, 0));
}

/* OpGroupNonUniformInverseBallot, BallotBitExtract.
 * Words: 1 type, 2 result, 3 scope, 4 value [, 5 index]. */
HdStatus hd_build_nu_bit(HdBuild *b, const HdInst *in)
{
    HdIrRef bits, index, r;

    HD_TRY(check_scope(b, in, in->w[3]));
    HD_TRY(mask_of(b, in, in->w[4], &bits));
    if (in->opix == HD_OPIX_GroupNonUniformBallotBitExtract) {
        HD_TRY(lane_operand(b, in, in->w[5], &index));
        index = hd_build_resize(b, index, HD_IR_I64, false);
    } else {
        index = own_lane(b);
    }
    r = is_set(b, bits, index);
    return hd_build_bind(b, in->w[2], &r, 1);
}

/* Bits of the lanes that a sub-group can have. */
static HdIrRef possible(HdBuild *b)
{
    HdIrRef size =
        hd_build_resize(b, hd_build_id(b, HD_BUILTIN_SUBGROUP_MAX_SIZE, 0), HD_IR_I64, false);
    HdIrRef rest = hd_build_op2(b, HD_IR_SUB, HD_IR_I64, hd_build_const(b, HD_IR_I64, 64), size);

    return hd_build_op2(b, HD_IR_LSHR, HD_IR_I64, hd_build_const(b, HD_IR_I64, UINT64_MAX), rest);
}

static HdStatus bind_int(HdBuild *b, const HdInst *in, HdIrRef r)
{
    const HdType *t;

    HD_TRY(hd_build_type(b, in->w[1], &t));
    if (t->kind != HD_T_INT)
        return hd_build_bad(b, in, "result is not an integer");
    r = hd_build_resize(b, r, hd_build_scalar(t), false);
    return hd_build_bind(b, in->w[2], &r, 1);
}

/* Words: 1 type, 2 result, 3 scope, 4 operation, 5 value. */
HdStatus hd_build_nu_bit_count(HdBuild *b, const HdInst *in)
{
    HdIrRef bits, below, own;
    unsigned how = HD_COLL_REDUCE;

    HD_TRY(check_scope(b, in, in->w[3]));
    HD_TRY(hd_build_group_operation(b, in, in->w[4], &how));
    HD_TRY(mask_of(b, in, in->w[5], &bits));
    if (how == HD_COLL_REDUCE) {
        bits = hd_build_op2(b, HD_IR_AND, HD_IR_I64, bits, possible(b));
    } else {
        own = hd_build_op2(b, HD_IR_SHL, HD_IR_I64, hd_build_const(b, HD_IR_I64, 1), own_lane(b));
        below = hd_build_op2(b, HD_IR_SUB, HD_IR_I64, own, hd_build_const(b, HD_IR_I64, 1));
        if (how == HD_COLL_INCLUSIVE)
            below = hd_build_op2(b, HD_IR_OR, HD_IR_I64, below, own);
        bits = hd_build_op2(b, HD_IR_AND, HD_IR_I64, bits, below);
    }
    return bind_int(b, in, hd_build_op1(b, HD_IR_POPCOUNT, HD_IR_I64, bits));
}

/* OpGroupNonUniformBallotFindLSB, FindMSB. Words: 1 type, 2 result, 3 scope, 4 value. */
HdStatus hd_build_nu_bit_find(HdBuild *b, const HdInst *in)
{
    HdIrRef bits, r;

    HD_TRY(check_scope(b, in, in->w[3]));
    HD_TRY(mask_of(b, in, in->w[4], &bits));
    bits = hd_build_op2(b, HD_IR_AND, HD_IR_I64, bits, possible(b));
    if (in->opix == HD_OPIX_GroupNonUniformBallotFindLSB)
        r = hd_build_op1(b, HD_IR_CTZ, HD_IR_I64, bits);
    else
        r = hd_build_op2(b, HD_IR_SUB, HD_IR_I64, hd_build_const(b, HD_IR_I64, 63),
                         hd_build_op1(b, HD_IR_CLZ, HD_IR_I64, bits));
    return bind_int(b, in, r);
}

/* ---- SPV_KHR_shader_ballot, SPV_KHR_subgroup_vote ---------------------------------------- */

/* Words: 1 type, 2 result, 3 predicate. */
HdStatus hd_build_khr_ballot(HdBuild *b, const HdInst *in)
{
    return ballot(b, in, 3);
}

/* Words: 1 type, 2 result, 3 value [, 4 lane]. */
HdStatus hd_build_khr_read(HdBuild *b, const HdInst *in)
{
    HdIrRef lane;

    if (in->opix == HD_OPIX_SubgroupFirstInvocationKHR)
        return each(b, in, 3, HD_COLL_BROADCAST_FIRST, 0, 0);
    HD_TRY(lane_operand(b, in, in->w[4], &lane));
    return each(b, in, 3, HD_COLL_BROADCAST, 0, lane);
}

/* Words: 1 type, 2 result, 3 predicate. */
HdStatus hd_build_khr_vote(HdBuild *b, const HdInst *in)
{
    if (in->opix == HD_OPIX_SubgroupAllEqualKHR)
        return all_equal(b, in, 3);
    return each(b, in, 3, in->opix == HD_OPIX_SubgroupAllKHR ? HD_COLL_ALL : HD_COLL_ANY, 0, 0);
}
