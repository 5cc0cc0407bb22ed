/* xform/lower_group.c -- sub-group and work-group operations in terms of older ones.
 *
 * A rotation is a shuffle by computed ids. What SPV_KHR_uniform_group_instructions adds becomes a
 * loop that broadcasts each work-item's value to all and combines them in order: slow, but it needs
 * only SPIR-V 1.0, and the order is that of a scan.
 *
 * Spec: SPV_KHR_subgroup_rotate; SPV_KHR_uniform_group_instructions; OpGroupNonUniformShuffle,
 * OpGroupBroadcast.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/constant.h"
#include "module/operands.h"
#include "xform/lower_state.h"

#define OP HD_LOWER_OP

/* ---- which instructions --------------------------------------------------------------------- */

static bool is_rotation(const HdLower *l, const HdInst *in)
{
    return in->opix == HD_OPIX_GroupNonUniformRotateKHR && (l->o->what & HD_LOWER_ROTATE) != 0;
}

bool hd_lower_is_uniform(const HdLower *l, const HdInst *in)
{
    return hd_operands_is_uniform_group(in->opix) && (l->o->what & HD_LOWER_UNIFORM) != 0;
}

static bool is_subgroup(const HdLower *l, const HdInst *in)
{
    uint64_t scope = 0;

    return hd_module_constant_u64(l->m, in->w[3], &scope) && scope == SpvScopeSubgroup;
}

void hd_lower_plan_group(HdLower *l, const HdInst *in)
{
    hd_lower_plan_subgroup(l, in);
    if (is_rotation(l, in)) {
        hd_lower_want(l, HD_LOWER_LANE);
        if (in->nwords <= 6)
            hd_lower_want(l, HD_LOWER_MOST_LANES);
    } else if (hd_lower_is_uniform(l, in)) {
        hd_lower_want(l, is_subgroup(l, in) ? HD_LOWER_LANE : HD_LOWER_LOCAL_ID);
        hd_lower_want(l, is_subgroup(l, in) ? HD_LOWER_LANES : HD_LOWER_LOCAL_SIZE);
    }
}

/* ---- rotations ------------------------------------------------------------------------------ */

/* Words: 1 type, 2 result, 3 scope, 4 value, 5 delta, 6 cluster size or nothing. */
static void rotate(HdLower *l, const HdInst *in)
{
    HdId u32 = hd_lower_int(l, 32), lane = hd_lower_load(l, HD_LOWER_LANE), sum;
    HdId delta = hd_lower_use(l, in->w[5]);
    const HdType *t = hd_module_type_of(l->m, in->w[5]);

    if (t != NULL && t->bits != 32)
        delta = OP(l, 0, SpvOpUConvert, u32, delta);
    sum = OP(l, 0, SpvOpIAdd, u32, lane, delta);
    if (in->nwords <= 6) {
        sum = OP(l, 0, SpvOpUMod, u32, sum, hd_lower_load(l, HD_LOWER_MOST_LANES));
    } else { /* a power of two: the id's place in its cluster moves, the cluster stays */
        HdId mask =
            OP(l, 0, SpvOpISub, u32, hd_lower_use(l, in->w[6]), hd_lower_constant(l, 32, 1));

        sum = OP(l, 0, SpvOpBitwiseAnd, u32, sum, mask);
        mask = OP(l, 0, SpvOpNot, u32, mask);
        lane = OP(l, 0, SpvOpBitwiseAnd, u32, lane, mask);
        sum = OP(l, 0, SpvOpBitwiseOr, u32, lane, sum);
    }
    hd_lower_need(l, HD_LOWER_SHUFFLE);
    OP(l, in->w[2], SpvOpGroupNonUniformShuffle, hd_lower_use(l, in->w[1]),
       hd_lower_use(l, in->w[3]), hd_lower_use(l, in->w[4]), sum);
}

/* ---- uniform arithmetic --------------------------------------------------------------------- */

typedef struct Joining {
    HdId type;            /* of the values that are joined: bools are joined as numbers */
    HdId size, one, none; /* type of indexes, its 1 and 0 */
    HdId count, me;       /* work-items, and this one's index among them */
    HdId extent[2];       /* work-group: sizes in x and y */
    bool subgroup, logical;
} Joining;

/* How two values are joined, and the number that changes none: 1, all ones, or 0. */
static uint32_t joins(enum HdOpix opix, uint64_t *neutral)
{
    *neutral = 0;
    switch (opix) {
    case HD_OPIX_GroupIMulKHR: *neutral = 1; return SpvOpIMul;
    case HD_OPIX_GroupFMulKHR: *neutral = 1; return SpvOpFMul;
    case HD_OPIX_GroupBitwiseAndKHR: *neutral = UINT64_MAX; return SpvOpBitwiseAnd;
    case HD_OPIX_GroupLogicalAndKHR: *neutral = 1; return SpvOpBitwiseAnd;
    case HD_OPIX_GroupBitwiseOrKHR:
    case HD_OPIX_GroupLogicalOrKHR: return SpvOpBitwiseOr;
    default: return SpvOpBitwiseXor;
    }
}

static HdId part(HdLower *l, const Joining *j, HdId vector, uint32_t i)
{
    return OP(l, 0, SpvOpCompositeExtract, j->size, vector, i);
}

/* The number of work-items, and the index of this one. */
static void find_places(HdLower *l, Joining *j)
{
    uint32_t bits = j->subgroup ? 32 : hd_module_address_bits(l->m);
    HdId id, sizes;

    j->size = hd_lower_int(l, bits);
    j->one = hd_lower_constant(l, bits, 1);
    j->none = hd_lower_constant(l, bits, 0);
    if (j->subgroup) {
        j->count = hd_lower_load(l, HD_LOWER_LANES);
        j->me = hd_lower_load(l, HD_LOWER_LANE);
        return;
    }
    sizes = hd_lower_load(l, HD_LOWER_LOCAL_SIZE);
    id = hd_lower_load(l, HD_LOWER_LOCAL_ID);
    for (uint32_t i = 0; i < 2; i++)
        j->extent[i] = part(l, j, sizes, i);
    j->count = OP(l, 0, SpvOpIMul, j->size, j->extent[0], j->extent[1]);
    j->me = OP(l, 0, SpvOpIMul, j->size, j->count, part(l, j, id, 2));
    j->count = OP(l, 0, SpvOpIMul, j->size, j->count, part(l, j, sizes, 2));
    id = OP(l, 0, SpvOpIAdd, j->size, part(l, j, id, 0),
            OP(l, 0, SpvOpIMul, j->size, part(l, j, id, 1), j->extent[0]));
    j->me = OP(l, 0, SpvOpIAdd, j->size, j->me, id);
}

/* The value of work-item i for all. */
static HdId broadcast(HdLower *l, const Joining *j, HdId scope, HdId value, HdId i)
{
    HdId at = i, x, y, z;

    if (!j->subgroup) {
        x = OP(l, 0, SpvOpUMod, j->size, i, j->extent[0]);
        y = OP(l, 0, SpvOpUDiv, j->size, i, j->extent[0]);
        z = OP(l, 0, SpvOpUDiv, j->size, y, j->extent[1]);
        y = OP(l, 0, SpvOpUMod, j->size, y, j->extent[1]);
        at = OP(l, 0, SpvOpCompositeConstruct, hd_lower_vector(l, j->size, 3), x, y, z);
    }
    return OP(l, 0, SpvOpGroupBroadcast, j->type, scope, value, at);
}

static HdId neutral_of(HdLower *l, const Joining *j, const HdType *t, uint64_t number)
{
    if (j->logical)
        return hd_lower_constant(l, 32, number);
    if (t->kind == HD_T_FLOAT)
        return OP(l, 0, SpvOpConvertUToF, j->type, hd_lower_constant(l, 32, number));
    return hd_lower_constant(l, t->bits, number);
}

static void branch(HdLower *l, uint32_t opcode, const uint32_t *operands, size_t count)
{
    hd_writer_inst(l->at, opcode, operands, count);
}

/* Words: 1 type, 2 result, 3 scope, 4 operation, 5 X. The operation is uniform, so is the loop:
 *
 *     loop: i = phi 0, next; total = phi neutral, kept
 *           kept = total joined with i's value, in a scan only up to this work-item
 *           next = i + 1; if next < count loop else behind */
static HdStatus join(HdLower *l, const HdInst *in)
{
    const HdType *t = hd_module_type(l->m, in->w[1]);
    HdId before = l->next++, loop = l->next++, next = l->next++, kept = l->next++;
    Joining j = {.subgroup = is_subgroup(l, in), .type = hd_lower_use(l, in->w[1])};
    HdId scope = hd_lower_use(l, in->w[3]), value = hd_lower_use(l, in->w[5]), i, total, made, more;
    uint64_t number, behind = 0;
    uint32_t how = joins(in->opix, &number);

    if (t == NULL || (t->kind != HD_T_INT && t->kind != HD_T_FLOAT && t->kind != HD_T_BOOL))
        return hd_lower_fail(l, in, " for these types");
    (void)hd_map_get(&l->split, in->word, &behind);
    hd_lower_need(l, HD_LOWER_GROUPS);
    find_places(l, &j);
    j.logical = t->kind == HD_T_BOOL;
    if (j.logical) {
        j.type = hd_lower_int(l, 32);
        value = OP(l, 0, SpvOpSelect, j.type, value, hd_lower_constant(l, 32, 1),
                   hd_lower_constant(l, 32, 0));
    }
    made = neutral_of(l, &j, t, number);
    branch(l, SpvOpBranch, (const uint32_t[]){before}, 1);
    branch(l, SpvOpLabel, (const uint32_t[]){before}, 1);
    branch(l, SpvOpBranch, (const uint32_t[]){loop}, 1);
    branch(l, SpvOpLabel, (const uint32_t[]){loop}, 1);
    i = OP(l, 0, SpvOpPhi, j.size, j.none, before, next, loop);
    total = OP(l, 0, SpvOpPhi, j.type, made, before, kept, loop);
    made = OP(l, 0, how, j.type, total, broadcast(l, &j, scope, value, i));
    if (in->w[4] == SpvGroupOperationReduce) {
        OP(l, kept, SpvOpCopyObject, j.type, made);
    } else {
        more = OP(l, 0,
                  in->w[4] == SpvGroupOperationInclusiveScan ? SpvOpULessThanEqual : SpvOpULessThan,
                  hd_lower_bool(l), i, j.me);
        OP(l, kept, SpvOpSelect, j.type, more, made, total);
    }
    OP(l, next, SpvOpIAdd, j.size, i, j.one);
    more = OP(l, 0, SpvOpULessThan, hd_lower_bool(l), next, j.count);
    branch(l, SpvOpBranchConditional, (const uint32_t[]){more, loop, (HdId)behind}, 3);
    branch(l, SpvOpLabel, (const uint32_t[]){(HdId)behind}, 1);
    if (j.logical)
        OP(l, in->w[2], SpvOpINotEqual, hd_lower_use(l, in->w[1]), kept,
           hd_lower_constant(l, 32, 0));
    else
        OP(l, in->w[2], SpvOpCopyObject, j.type, kept);
    return HD_OK;
}

HdStatus hd_lower_group(HdLower *l, const HdInst *in, bool *done)
{
    if ((l->o->what & HD_LOWER_NON_UNIFORM) != 0)
        HD_TRY(hd_lower_subgroup(l, in, done));
    if (*done)
        return HD_OK;
    *done = true;
    if (hd_lower_is_uniform(l, in))
        return join(l, in);
    if (is_rotation(l, in))
        rotate(l, in);
    else
        *done = false;
    return HD_OK;
}
