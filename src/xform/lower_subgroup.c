/* xform/lower_subgroup.c -- SPIR-V 1.3's sub-group operations in terms of 1.0.
 *
 * OpGroup instructions are used where they suffice. All else becomes a loop over the lanes that
 * broadcasts the value of each: it needs all work-items of the sub-group (lower_flow.c), so that
 * the first active one is lane 0, and the active ones are all.
 *
 * Spec: SPIR-V, "Non-Uniform Instructions", "Group and Subgroup Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "gen/extinst.h"
#include "module/constant.h"
#include "module/decoration.h"
#include "xform/lower_state.h"

#define OP HD_LOWER_OP

/* ---- which instructions --------------------------------------------------------------------- */

/* Is there an OpGroup instruction that does it? 0: none. */
static uint32_t group_op(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_GroupNonUniformIAdd: return SpvOpGroupIAdd;
    case HD_OPIX_GroupNonUniformFAdd: return SpvOpGroupFAdd;
    case HD_OPIX_GroupNonUniformFMin: return SpvOpGroupFMin;
    case HD_OPIX_GroupNonUniformUMin: return SpvOpGroupUMin;
    case HD_OPIX_GroupNonUniformSMin: return SpvOpGroupSMin;
    case HD_OPIX_GroupNonUniformFMax: return SpvOpGroupFMax;
    case HD_OPIX_GroupNonUniformUMax: return SpvOpGroupUMax;
    case HD_OPIX_GroupNonUniformSMax: return SpvOpGroupSMax;
    default: return 0;
    }
}

static bool is_arithmetic(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_GroupNonUniformIMul:
    case HD_OPIX_GroupNonUniformFMul:
    case HD_OPIX_GroupNonUniformBitwiseAnd:
    case HD_OPIX_GroupNonUniformBitwiseOr:
    case HD_OPIX_GroupNonUniformBitwiseXor:
    case HD_OPIX_GroupNonUniformLogicalAnd:
    case HD_OPIX_GroupNonUniformLogicalOr:
    case HD_OPIX_GroupNonUniformLogicalXor: return true;
    default: return group_op(opix) != 0;
    }
}

static bool is_shuffle(enum HdOpix opix)
{
    return opix == HD_OPIX_GroupNonUniformShuffle || opix == HD_OPIX_GroupNonUniformShuffleXor ||
           opix == HD_OPIX_GroupNonUniformShuffleUp || opix == HD_OPIX_GroupNonUniformShuffleDown ||
           opix == HD_OPIX_GroupNonUniformRotateKHR;
}

static bool is_small(const HdType *t)
{
    return t != NULL && t->kind == HD_T_INT && t->bits < 32;
}

bool hd_lower_subgroup_loops(const HdLower *l, const HdInst *in)
{
    if ((l->o->what & HD_LOWER_NON_UNIFORM) == 0)
        return false;
    return is_shuffle(in->opix) ||
           (is_arithmetic(in->opix) &&
            (group_op(in->opix) == 0 || in->w[4] == SpvGroupOperationClusteredReduce ||
             is_small(hd_module_type(l->m, in->w[1]))));
}

void hd_lower_plan_subgroup(HdLower *l, const HdInst *in)
{
    if (in->opix == HD_OPIX_Load && hd_lower_is_mask(l, in->w[3])) {
        hd_lower_want(l, HD_LOWER_LANE);
        hd_lower_want(l, HD_LOWER_MOST_LANES);
    }
    if ((l->o->what & HD_LOWER_NON_UNIFORM) == 0 || !hd_gram_insts[in->opix].name ||
        strncmp(hd_gram_insts[in->opix].name, "OpGroupNonUniform", 17) != 0)
        return;
    hd_lower_want(l, HD_LOWER_LANE);
    hd_lower_want(l, HD_LOWER_LANES);
    hd_lower_want(l, HD_LOWER_MOST_LANES);
}

/* ---- pieces --------------------------------------------------------------------------------- */

typedef struct Piece {
    const HdInst *in;
    const HdType *t; /* of the value */
    HdId type, scope, value, u32, lane;
} Piece;

/* A lane's value for all. OpenCL broadcasts numbers of 32 and 64 bits and floats. */
static HdId broadcast(HdLower *l, const Piece *p, const HdType *t, HdId type, HdId value, HdId i)
{
    HdId one = hd_lower_constant(l, 32, 1), none = hd_lower_constant(l, 32, 0);
    uint32_t parts[16];

    if (t->kind == HD_T_BOOL) {
        value = OP(l, 0, SpvOpSelect, p->u32, value, one, none);
        value = OP(l, 0, SpvOpGroupBroadcast, p->u32, p->scope, value, i);
        return OP(l, 0, SpvOpINotEqual, type, value, none);
    }
    if (is_small(t)) {
        value = OP(l, 0, SpvOpUConvert, p->u32, value);
        value = OP(l, 0, SpvOpGroupBroadcast, p->u32, p->scope, value, i);
        return OP(l, 0, SpvOpUConvert, type, value);
    }
    if (t->kind != HD_T_VECTOR)
        return OP(l, 0, SpvOpGroupBroadcast, type, p->scope, value, i);
    for (uint32_t k = 0; k < t->count && k < 16; k++) {
        HdId element = hd_lower_use(l, hd_type_element(t)->id);

        parts[k] = OP(l, 0, SpvOpCompositeExtract, element, value, k);
        parts[k] = broadcast(l, p, hd_type_element(t), element, parts[k], i);
    }
    return hd_lower_emit(l, 0, SpvOpCompositeConstruct, type, parts, t->count);
}

/*     loop: i = phi 0, next; total = phi start, kept
 *           kept = …
 *           next = i + 1; if next < count loop else behind */
typedef struct Loop {
    HdId i, total, kept, next, first;
    uint64_t behind;
} Loop;

static void branch(HdLower *l, uint32_t opcode, const uint32_t *operands, size_t count)
{
    hd_writer_inst(l->at, opcode, operands, count);
}

static void begin_loop(HdLower *l, const Piece *p, HdId type, HdId start, Loop *loop)
{
    HdId before = l->next++, none = hd_lower_constant(l, 32, 0);

    *loop = (Loop){.first = l->next++};
    loop->next = l->next++;
    loop->kept = l->next++;
    (void)hd_map_get(&l->split, p->in->word, &loop->behind);
    branch(l, SpvOpBranch, (const uint32_t[]){before}, 1);
    branch(l, SpvOpLabel, (const uint32_t[]){before}, 1);
    branch(l, SpvOpBranch, (const uint32_t[]){loop->first}, 1);
    branch(l, SpvOpLabel, (const uint32_t[]){loop->first}, 1);
    loop->i = OP(l, 0, SpvOpPhi, p->u32, none, before, loop->next, loop->first);
    loop->total = OP(l, 0, SpvOpPhi, type, start, before, loop->kept, loop->first);
}

static void end_loop(HdLower *l, const Piece *p, HdId type, HdId count, const Loop *loop)
{
    HdId more;

    OP(l, loop->next, SpvOpIAdd, p->u32, loop->i, hd_lower_constant(l, 32, 1));
    more = OP(l, 0, SpvOpULessThan, hd_lower_bool(l), loop->next, count);
    branch(l, SpvOpBranchConditional, (const uint32_t[]){more, loop->first, (HdId)loop->behind}, 3);
    branch(l, SpvOpLabel, (const uint32_t[]){(HdId)loop->behind}, 1);
    OP(l, p->in->w[2], SpvOpCopyObject, type, loop->kept);
}

/* ---- votes and reads ------------------------------------------------------------------------ */

static void all_equal(HdLower *l, const Piece *p)
{
    HdId none = hd_lower_constant(l, 32, 0), flag = hd_lower_bool(l);
    HdId first = broadcast(l, p, p->t, p->type, p->value, none);
    HdId same = OP(l, 0,
                   p->t->kind == HD_T_FLOAT  ? SpvOpFOrdEqual
                   : p->t->kind == HD_T_BOOL ? SpvOpLogicalEqual
                                             : SpvOpIEqual,
                   flag, p->value, first);

    OP(l, p->in->w[2], SpvOpGroupAll, flag, p->scope, same);
}

/* The value of the lane that `id` is. */
static void read_lane(HdLower *l, const Piece *p, HdId id)
{
    HdId count = hd_lower_load(l, HD_LOWER_LANES), value, is;
    Loop loop;

    begin_loop(l, p, p->type, p->value, &loop);
    value = broadcast(l, p, p->t, p->type, p->value, loop.i);
    is = OP(l, 0, SpvOpIEqual, hd_lower_bool(l), loop.i, id);
    OP(l, loop.kept, SpvOpSelect, p->type, is, value, loop.total);
    end_loop(l, p, p->type, count, &loop);
}

static void shuffle(HdLower *l, const Piece *p)
{
    const HdInst *in = p->in;
    HdId by = hd_lower_use(l, in->w[5]), id, mask;
    const HdType *t = hd_module_type_of(l->m, in->w[5]);

    if (t != NULL && t->bits != 32)
        by = OP(l, 0, SpvOpUConvert, p->u32, by);
    switch (in->opix) {
    case HD_OPIX_GroupNonUniformShuffleXor:
        id = OP(l, 0, SpvOpBitwiseXor, p->u32, p->lane, by);
        break;
    case HD_OPIX_GroupNonUniformShuffleUp: id = OP(l, 0, SpvOpISub, p->u32, p->lane, by); break;
    case HD_OPIX_GroupNonUniformShuffleDown: id = OP(l, 0, SpvOpIAdd, p->u32, p->lane, by); break;
    case HD_OPIX_GroupNonUniformRotateKHR:
        id = OP(l, 0, SpvOpIAdd, p->u32, p->lane, by);
        if (in->nwords <= 6) {
            id = OP(l, 0, SpvOpUMod, p->u32, id, hd_lower_load(l, HD_LOWER_MOST_LANES));
            break;
        }
        mask = OP(l, 0, SpvOpISub, p->u32, hd_lower_use(l, in->w[6]), hd_lower_constant(l, 32, 1));
        id = OP(l, 0, SpvOpBitwiseAnd, p->u32, id, mask);
        mask = OP(l, 0, SpvOpNot, p->u32, mask);
        id = OP(l, 0, SpvOpBitwiseOr, p->u32, id, OP(l, 0, SpvOpBitwiseAnd, p->u32, p->lane, mask));
        break;
    default: id = by;
    }
    read_lane(l, p, id);
}

/* ---- ballots -------------------------------------------------------------------------------- */

/* Different bits add up to all of them. */
static void ballot(HdLower *l, const Piece *p)
{
    HdId none = hd_lower_constant(l, 32, 0), one = hd_lower_constant(l, 32, 1), parts[4];
    HdId bit = OP(l, 0, SpvOpBitwiseAnd, p->u32, p->lane, hd_lower_constant(l, 32, 31));
    HdId word = OP(l, 0, SpvOpShiftRightLogical, p->u32, p->lane, hd_lower_constant(l, 32, 5));

    bit = OP(l, 0, SpvOpShiftLeftLogical, p->u32, one, bit);
    bit = OP(l, 0, SpvOpSelect, p->u32, p->value, bit, none);
    for (uint32_t k = 0; k < 4; k++) {
        HdId here = OP(l, 0, SpvOpIEqual, hd_lower_bool(l), word, hd_lower_constant(l, 32, k));

        here = OP(l, 0, SpvOpSelect, p->u32, here, bit, none);
        parts[k] = OP(l, 0, SpvOpGroupIAdd, p->u32, p->scope, SpvGroupOperationReduce, here);
    }
    OP(l, p->in->w[2], SpvOpCompositeConstruct, hd_lower_use(l, p->in->w[1]), parts[0], parts[1],
       parts[2], parts[3]);
}

/* Bit `index` of a ballot. */
static void extract(HdLower *l, const Piece *p, HdId index)
{
    HdId word = OP(l, 0, SpvOpShiftRightLogical, p->u32, index, hd_lower_constant(l, 32, 5));
    HdId bit = OP(l, 0, SpvOpBitwiseAnd, p->u32, index, hd_lower_constant(l, 32, 31));

    word = OP(l, 0, SpvOpVectorExtractDynamic, p->u32, p->value, word);
    word = OP(l, 0, SpvOpShiftRightLogical, p->u32, word, bit);
    word = OP(l, 0, SpvOpBitwiseAnd, p->u32, word, hd_lower_constant(l, 32, 1));
    OP(l, p->in->w[2], SpvOpINotEqual, hd_lower_bool(l), word, hd_lower_constant(l, 32, 0));
}

/* Word k of the ballot of those lanes whose number is below `bits`. */
static HdId word_below(HdLower *l, uint32_t k, HdId bits)
{
    HdId from = hd_lower_constant(l, 32, 32 * k), one = hd_lower_constant(l, 32, 1);
    HdId u32 = hd_lower_int(l, 32), flag = hd_lower_bool(l), mask, all, some, left;

    left = OP(l, 0, SpvOpISub, u32, bits, from);
    all = OP(l, 0, SpvOpUGreaterThanEqual, flag, bits, hd_lower_constant(l, 32, 32 * k + 32));
    some = OP(l, 0, SpvOpUGreaterThan, flag, bits, from);
    left = OP(l, 0, SpvOpBitwiseAnd, u32, left, hd_lower_constant(l, 32, 31));
    mask = OP(l, 0, SpvOpShiftLeftLogical, u32, one, left);
    mask = OP(l, 0, SpvOpISub, u32, mask, one);
    mask = OP(l, 0, SpvOpSelect, u32, some, mask, hd_lower_constant(l, 32, 0));
    return OP(l, 0, SpvOpSelect, u32, all, hd_lower_constant(l, 32, UINT32_MAX), mask);
}

/* Word k of a ballot with its bits below `bits` only. */
static HdId bits_below(HdLower *l, const Piece *p, uint32_t k, HdId bits)
{
    HdId word = OP(l, 0, SpvOpCompositeExtract, p->u32, p->value, k);

    return OP(l, 0, SpvOpBitwiseAnd, p->u32, word, word_below(l, k, bits));
}

static void count_bits(HdLower *l, const Piece *p)
{
    HdId bits, total = 0;

    if (p->in->w[4] == SpvGroupOperationReduce)
        bits = hd_lower_load(l, HD_LOWER_MOST_LANES);
    else if (p->in->w[4] == SpvGroupOperationInclusiveScan)
        bits = OP(l, 0, SpvOpIAdd, p->u32, p->lane, hd_lower_constant(l, 32, 1));
    else
        bits = p->lane;
    for (uint32_t k = 0; k < 4; k++) {
        HdId word = OP(l, 0, SpvOpBitCount, p->u32, bits_below(l, p, k, bits));

        total = k == 0 ? word : OP(l, k == 3 ? p->in->w[2] : 0, SpvOpIAdd, p->u32, total, word);
    }
}

/* The lowest or highest bit that is set. */
static void find_bit(HdLower *l, const Piece *p)
{
    HdId most = hd_lower_load(l, HD_LOWER_MOST_LANES), none = hd_lower_constant(l, 32, 0);
    HdId one = hd_lower_constant(l, 32, 1), found = none, std = hd_lower_std(l);
    bool low = p->in->opix == HD_OPIX_GroupNonUniformBallotFindLSB;

    for (uint32_t n = 0; n < 4; n++) {
        uint32_t k = low ? 3 - n : n;
        HdId word = bits_below(l, p, k, most), at, is;

        is = OP(l, 0, SpvOpINotEqual, hd_lower_bool(l), word, none);
        if (low) { /* ones below the lowest bit */
            at = OP(l, 0, SpvOpISub, p->u32, word, one);
            word = OP(l, 0, SpvOpNot, p->u32, word);
            at = OP(l, 0, SpvOpBitwiseAnd, p->u32, word, at);
            at = OP(l, 0, SpvOpBitCount, p->u32, at);
        } else {
            at = OP(l, 0, SpvOpExtInst, p->u32, std, OpenCLstd_clz, word);
            at = OP(l, 0, SpvOpISub, p->u32, hd_lower_constant(l, 32, 31), at);
        }
        at = OP(l, 0, SpvOpIAdd, p->u32, at, hd_lower_constant(l, 32, 32 * k));
        found = OP(l, n == 3 ? p->in->w[2] : 0, SpvOpSelect, p->u32, is, at, found);
    }
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

static HdId combine(HdLower *l, const Piece *p, HdId a, HdId b)
{
    uint32_t how = 0, std = 0;

    switch (p->in->opix) {
    case HD_OPIX_GroupNonUniformIAdd: how = SpvOpIAdd; break;
    case HD_OPIX_GroupNonUniformFAdd: how = SpvOpFAdd; break;
    case HD_OPIX_GroupNonUniformIMul: how = SpvOpIMul; break;
    case HD_OPIX_GroupNonUniformFMul: how = SpvOpFMul; break;
    case HD_OPIX_GroupNonUniformBitwiseAnd: how = SpvOpBitwiseAnd; break;
    case HD_OPIX_GroupNonUniformBitwiseOr: how = SpvOpBitwiseOr; break;
    case HD_OPIX_GroupNonUniformBitwiseXor: how = SpvOpBitwiseXor; break;
    case HD_OPIX_GroupNonUniformLogicalAnd: how = SpvOpLogicalAnd; break;
    case HD_OPIX_GroupNonUniformLogicalOr: how = SpvOpLogicalOr; break;
    case HD_OPIX_GroupNonUniformLogicalXor: how = SpvOpLogicalNotEqual; break;
    case HD_OPIX_GroupNonUniformSMin: std = OpenCLstd_s_min; break;
    case HD_OPIX_GroupNonUniformUMin: std = OpenCLstd_u_min; break;
    case HD_OPIX_GroupNonUniformSMax: std = OpenCLstd_s_max; break;
    case HD_OPIX_GroupNonUniformUMax: std = OpenCLstd_u_max; break;
    case HD_OPIX_GroupNonUniformFMin: std = OpenCLstd_fmin; break;
    default: std = OpenCLstd_fmax; break;
    }
    return how != 0 ? OP(l, 0, how, p->type, a, b)
                    : OP(l, 0, SpvOpExtInst, p->type, hd_lower_std(l), std, a, b);
}

/* Bits of 0, 1 or infinity. */
static uint64_t float_bits(uint32_t bits, bool negative, bool infinite, bool one)
{
    unsigned mantissa = bits == 16 ? 10 : bits == 32 ? 23 : 52;
    uint64_t exponents = ((uint64_t)1 << (bits - 1 - mantissa)) - 1;

    return (uint64_t)negative << (bits - 1) | (infinite ? exponents
                                               : one    ? exponents >> 1
                                                        : 0)
                                                  << mantissa;
}

static HdId scalar_neutral(HdLower *l, enum HdOpix opix, const HdType *t)
{
    uint32_t bits = t->bits;

    switch (opix) {
    case HD_OPIX_GroupNonUniformIMul: return hd_lower_constant(l, bits, 1);
    case HD_OPIX_GroupNonUniformFMul:
        return hd_lower_float(l, t, float_bits(bits, false, false, true));
    case HD_OPIX_GroupNonUniformFAdd: /* 0 + -0 is 0, and -0 + -0 is -0 */
        return hd_lower_float(l, t, float_bits(bits, true, false, false));
    case HD_OPIX_GroupNonUniformFMin:
        return hd_lower_float(l, t, float_bits(bits, false, true, false));
    case HD_OPIX_GroupNonUniformFMax:
        return hd_lower_float(l, t, float_bits(bits, true, true, false));
    case HD_OPIX_GroupNonUniformUMin:
    case HD_OPIX_GroupNonUniformBitwiseAnd: return hd_lower_constant(l, bits, UINT64_MAX);
    case HD_OPIX_GroupNonUniformSMin:
        return hd_lower_constant(l, bits, ((uint64_t)1 << (bits - 1)) - 1);
    case HD_OPIX_GroupNonUniformSMax: return hd_lower_constant(l, bits, (uint64_t)1 << (bits - 1));
    case HD_OPIX_GroupNonUniformLogicalAnd: return hd_lower_true(l);
    case HD_OPIX_GroupNonUniformLogicalOr:
    case HD_OPIX_GroupNonUniformLogicalXor: return hd_lower_null(l, hd_lower_bool(l));
    default: return hd_lower_constant(l, bits, 0);
    }
}

HdId hd_lower_neutral(HdLower *l, enum HdOpix opix, HdId type, const HdType *t)
{
    return hd_lower_splat(l, type, hd_type_lanes(t), scalar_neutral(l, opix, hd_type_scalar(t)));
}

/* Words: 4 operation, 5 value, 6 cluster size. */
static void arithmetic(HdLower *l, const Piece *p)
{
    HdId count, made, flag = hd_lower_bool(l), is = 0, none = hd_lower_constant(l, 32, 0);
    uint32_t operation = p->in->w[4];
    Loop loop;

    if (!hd_lower_subgroup_loops(l, p->in)) {
        OP(l, p->in->w[2], group_op(p->in->opix), p->type, p->scope, operation, p->value);
        return;
    }
    count = hd_lower_load(l, HD_LOWER_LANES);
    begin_loop(l, p, p->type, hd_lower_neutral(l, p->in->opix, p->type, p->t), &loop);
    made = combine(l, p, loop.total, broadcast(l, p, p->t, p->type, p->value, loop.i));
    if (operation == SpvGroupOperationInclusiveScan) {
        is = OP(l, 0, SpvOpULessThanEqual, flag, loop.i, p->lane);
    } else if (operation == SpvGroupOperationExclusiveScan) {
        is = OP(l, 0, SpvOpULessThan, flag, loop.i, p->lane);
    } else if (operation == SpvGroupOperationClusteredReduce) {
        HdId mask = OP(l, 0, SpvOpISub, p->u32, none, hd_lower_use(l, p->in->w[6]));

        is = OP(l, 0, SpvOpBitwiseXor, p->u32, loop.i, p->lane);
        is = OP(l, 0, SpvOpBitwiseAnd, p->u32, is, mask);
        is = OP(l, 0, SpvOpIEqual, flag, is, none);
    }
    if (is != 0)
        OP(l, loop.kept, SpvOpSelect, p->type, is, made, loop.total);
    else
        OP(l, loop.kept, SpvOpCopyObject, p->type, made);
    end_loop(l, p, p->type, count, &loop);
}

/* ---- masks: built-in variables -------------------------------------------------------------- */

static uint32_t mask_of(const HdLower *l, HdId id)
{
    const HdDecoration *d = (l->o->what & HD_LOWER_NON_UNIFORM) != 0
                                ? hd_module_decoration(l->m, id, SpvDecorationBuiltIn)
                                : NULL;

    return d != NULL && d->operand_count != 0 &&
                   hd_decoration_value(l->m, d) >= SpvBuiltInSubgroupEqMask &&
                   hd_decoration_value(l->m, d) <= SpvBuiltInSubgroupLtMask
               ? hd_decoration_value(l->m, d)
               : 0;
}

bool hd_lower_is_mask(const HdLower *l, HdId id)
{
    return mask_of(l, id) != 0;
}

/* The ballot of the lanes from one number on and below another one; `from` 0: all below. */
static void lanes_between(HdLower *l, HdId result, HdId type, HdId from, HdId below)
{
    HdId u32 = hd_lower_int(l, 32), parts[4];

    for (uint32_t k = 0; k < 4; k++) {
        parts[k] = word_below(l, k, below);
        if (from != 0)
            parts[k] = OP(l, 0, SpvOpBitwiseXor, u32, parts[k], word_below(l, k, from));
    }
    (void)hd_lower_emit(l, result, SpvOpCompositeConstruct, type, parts, 4);
}

HdStatus hd_lower_mask(HdLower *l, const HdInst *in, bool *done)
{
    HdId result, type, lane, next;
    const HdType *t;

    if (in->opix != HD_OPIX_Load || !hd_lower_is_mask(l, in->w[3]))
        return HD_OK;
    *done = true;
    result = in->w[2];
    t = hd_module_type(l->m, in->w[1]);
    if (t == NULL || t->kind != HD_T_VECTOR || t->count != 4 || hd_type_element(t)->bits != 32)
        return hd_lower_fail(l, in, " for this type of a mask");
    type = hd_lower_use(l, in->w[1]);
    lane = hd_lower_load(l, HD_LOWER_LANE);
    next = OP(l, 0, SpvOpIAdd, hd_lower_int(l, 32), lane, hd_lower_constant(l, 32, 1));
    switch (mask_of(l, in->w[3])) {
    case SpvBuiltInSubgroupEqMask: lanes_between(l, result, type, lane, next); break;
    case SpvBuiltInSubgroupLtMask: lanes_between(l, result, type, 0, lane); break;
    case SpvBuiltInSubgroupLeMask: lanes_between(l, result, type, 0, next); break;
    case SpvBuiltInSubgroupGeMask:
        lanes_between(l, result, type, lane, hd_lower_load(l, HD_LOWER_MOST_LANES));
        break;
    default: lanes_between(l, result, type, next, hd_lower_load(l, HD_LOWER_MOST_LANES)); break;
    }
    return HD_OK;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static void write_piece(HdLower *l, const Piece *p)
{
    const HdInst *in = p->in;
    HdId flag = hd_lower_bool(l), none = hd_lower_constant(l, 32, 0), id;

    switch (in->opix) {
    case HD_OPIX_GroupNonUniformElect: OP(l, in->w[2], SpvOpIEqual, flag, p->lane, none); return;
    case HD_OPIX_GroupNonUniformAll:
        OP(l, in->w[2], SpvOpGroupAll, flag, p->scope, p->value);
        return;
    case HD_OPIX_GroupNonUniformAny:
        OP(l, in->w[2], SpvOpGroupAny, flag, p->scope, p->value);
        return;
    case HD_OPIX_GroupNonUniformAllEqual: all_equal(l, p); return;
    case HD_OPIX_GroupNonUniformBroadcast:
    case HD_OPIX_GroupNonUniformBroadcastFirst:
        id = in->nwords > 5 ? hd_lower_use(l, in->w[5]) : none;
        OP(l, in->w[2], SpvOpCopyObject, p->type, broadcast(l, p, p->t, p->type, p->value, id));
        return;
    case HD_OPIX_GroupNonUniformBallot: ballot(l, p); return;
    case HD_OPIX_GroupNonUniformInverseBallot: extract(l, p, p->lane); return;
    case HD_OPIX_GroupNonUniformBallotBitExtract: extract(l, p, hd_lower_use(l, in->w[5])); return;
    case HD_OPIX_GroupNonUniformBallotBitCount: count_bits(l, p); return;
    case HD_OPIX_GroupNonUniformBallotFindLSB:
    case HD_OPIX_GroupNonUniformBallotFindMSB: find_bit(l, p); return;
    default: break;
    }
    if (is_shuffle(in->opix))
        shuffle(l, p);
    else
        arithmetic(l, p);
}

/* Operations that only read a ballot: each work-item separately. */
static bool reads_ballot(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_GroupNonUniformInverseBallot:
    case HD_OPIX_GroupNonUniformBallotBitExtract:
    case HD_OPIX_GroupNonUniformBallotBitCount:
    case HD_OPIX_GroupNonUniformBallotFindLSB:
    case HD_OPIX_GroupNonUniformBallotFindMSB: return true;
    default: return false;
    }
}

bool hd_lower_sees_others(const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_GroupNonUniformElect:
    case HD_OPIX_GroupNonUniformAll:
    case HD_OPIX_GroupNonUniformAny:
    case HD_OPIX_GroupNonUniformAllEqual:
    case HD_OPIX_GroupNonUniformBroadcast:
    case HD_OPIX_GroupNonUniformBroadcastFirst:
    case HD_OPIX_GroupNonUniformBallot: return true;
    default: return is_shuffle(in->opix) || is_arithmetic(in->opix);
    }
}

HdStatus hd_lower_subgroup(HdLower *l, const HdInst *in, bool *done)
{
    bool counts = in->opix == HD_OPIX_GroupNonUniformBallotBitCount || is_arithmetic(in->opix);
    uint32_t at = counts ? 5 : 4;
    Piece p = {.in = in};

    if (!hd_lower_sees_others(in) && !reads_ballot(in->opix)) /* the validation of the result
                                                               * reports it */
        return HD_OK;
    if (hd_lower_sees_others(in) && !hd_lower_all_meet(l, in))
        return hd_lower_fail(l, in, " where work-items of a sub-group may have parted");
    *done = true;
    p.u32 = hd_lower_int(l, 32);
    p.lane = hd_lower_load(l, HD_LOWER_LANE);
    p.scope = hd_lower_use(l, in->w[3]);
    if (in->nwords > at) {
        p.value = hd_lower_use(l, in->w[at]);
        p.t = hd_module_type_of(l->m, in->w[at]);
        p.type = hd_lower_use(l, hd_module_type_id(l->m, in->w[at]));
        if (p.t == NULL ||
            (p.t->kind == HD_T_VECTOR && (is_shuffle(in->opix) || is_arithmetic(in->opix))))
            return hd_lower_fail(l, in, " for this type");
    }
    hd_lower_need(l, HD_LOWER_GROUPS);
    write_piece(l, &p);
    return HD_OK;
}
