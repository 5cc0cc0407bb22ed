/* interp/shadow.c -- uninitialised bits, propagated from operands to results.
 *
 * Exact for moves, also from lane to lane, and bitwise operations; sums and products are undefined
 * from the lowest such bit up (a carry may come from there); for all other operations a component
 * is undefined if an operand has one such bit, in any of the lanes that it is taken from. A run
 * without such bits only tests its operands' marks.
 *
 * check.uninitialised: a value is used that comes from memory that nobody wrote.
 * check.shift: a value is used that comes from a shift by its width or more.
 * check.bit-field: a value is used that comes from bits outside the number.
 * check.wrap: a value is used that wrapped where the program promised that it does not.
 * check.conversion: a value is used that comes from a number outside the integer's range.
 * check.vector-index: a value is used that comes from a component outside its vector.
 * check.inactive-lane: a value is used that comes from a lane that takes no part.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/shadow.h"

#include "base/memory.h"
#include "gen/extinst.h"
#include "interp/info.h"
#include "interp/registers.h"
#include "interp/report.h"
#include "module/decoration.h"

/* The register of an id; UINT32_MAX: none. */
static uint32_t slot_of(const HdEval *e, HdId id)
{
    const HdPlace *place = id < e->m->bound ? &e->run->p->places[id] : NULL;

    return place != NULL && place->kind == HD_PLACE_VALUE ? (uint32_t)(place->offset / 16)
                                                          : UINT32_MAX;
}

bool hd_shadow_of(const HdEval *e, const HdSlot *s, HdSlot *shadow)
{
    const HdInterpFrame *f = e->frame;
    uint64_t room = f->code->value_bytes * e->width;

    if (s->at < f->values || s->at >= f->values + room)
        return false;
    *shadow = *s;
    shadow->at += f->shadow;
    return true;
}

static bool any_of(const unsigned char *at, uint64_t bytes)
{
    unsigned char any = 0;

    for (uint64_t i = 0; i < bytes; i++)
        any |= at[i];
    return any != 0;
}

/* Is there a bit without a value in a slot's lane? */
static bool is_any_set(const HdEval *e, const HdSlot *shadow, unsigned lane)
{
    const unsigned char *at = hd_slot_at(shadow, lane);
    const HdType *t = shadow->type;
    uint64_t bytes = hd_is_cooperative(t)
                         ? hd_eval_components(e, t) * hd_type_size(hd_type_element(t))
                         : hd_type_size(t);

    return any_of(at, bytes);
}

static uint64_t any_lanes(const HdEval *e, const HdSlot *shadow, uint64_t mask)
{
    uint64_t lanes = 0;

    for (HD_EACH_LANE(lane, mask))
        lanes |= (uint64_t)is_any_set(e, shadow, lane) << lane;
    return lanes;
}

uint64_t hd_shadow_lanes(const HdEval *e, const HdSlot *s, uint64_t mask)
{
    HdSlot shadow;

    return hd_shadow_of(e, s, &shadow) ? any_lanes(e, &shadow, mask) : 0;
}

/* Set or clear lanes of a result: bits are in its shadow already. */
static void mark_origin(HdEval *e, uint32_t slot, uint32_t origin)
{
    uint32_t *was = &e->frame->origin[slot];

    if (*was == 0 && origin != 0)
        e->frame->dirty++;
    else if (*was != 0 && origin == 0)
        e->frame->dirty--;
    *was = origin;
}

/* ---- results ------------------------------------------------------------------------------- */

static uint64_t all_ones(uint64_t bytes)
{
    return bytes >= 8 ? ~UINT64_C(0) : (UINT64_C(1) << (bytes * 8)) - 1;
}

static bool is_scalar(const HdType *t)
{
    t = hd_type_scalar(t);
    return hd_type_size(t) == 1 || hd_type_size(t) == 2 || hd_type_size(t) == 4 ||
           hd_type_size(t) == 8;
}

/* Bits of one component's result; x and y are operands, sx and sy their bits without a value. */
static uint64_t component(HdShadowKind kind, const HdInst *in, uint64_t x, uint64_t sx, uint64_t y,
                          uint64_t sy, uint64_t bytes)
{
    uint64_t both = sx | sy, ones = all_ones(bytes);

    switch (kind) {
    case HD_SHADOW_CARRIES: return both == 0 ? 0 : (both | (0 - both)) & ones;
    case HD_SHADOW_AND: return both & (x | sx) & (y | sy);
    case HD_SHADOW_OR: return both & (~x | sx) & (~y | sy);
    case HD_SHADOW_XOR: return both;
    case HD_SHADOW_SHIFTS:
        if (sy != 0)
            return ones;
        y %= bytes * 8;
        if (in->opix == HD_OPIX_ShiftLeftLogical)
            return sx << y & ones;
        if (in->opix == HD_OPIX_ShiftRightArithmetic)
            return (uint64_t)((int64_t)(sx << (64 - bytes * 8)) >> (64 - bytes * 8) >> y) & ones;
        return sx >> y;
    case HD_SHADOW_EQUALS: return both != 0 && ((x ^ y) & ~both) == 0 ? ~UINT64_C(0) : 0;
    default: return both != 0 ? ~UINT64_C(0) : 0;
    }
}

typedef struct Operand {
    HdSlot value, shadow;
    bool has_shadow;
    uint64_t bytes;
    uint32_t count;
} Operand;

static HdStatus operand(HdEval *e, HdId id, Operand *x)
{
    HD_TRY(hd_eval_use(e, id, &x->value));
    x->has_shadow = hd_shadow_of(e, &x->value, &x->shadow);
    x->bytes = hd_type_size(hd_type_scalar(x->value.type));
    x->count = hd_type_lanes(x->value.type);
    return HD_OK;
}

static uint64_t part_of(const HdSlot *s, const Operand *x, unsigned lane, uint32_t i)
{
    return hd_bits_get(hd_slot_at(s, lane) + i * x->bytes, x->bytes);
}

/* By component: operands are words 3 and 4. */
static HdStatus by_component(HdEval *e, const HdInst *in, HdShadowKind kind, const HdSlot *r)
{
    uint64_t bytes = hd_type_size(hd_type_scalar(r->type));
    Operand x[2] = {0};
    unsigned count = in->nwords > 4 ? 2 : 1;
    bool is_bool;

    for (unsigned k = 0; k < count; k++)
        HD_TRY(operand(e, in->w[3 + k], &x[k]));
    is_bool = hd_type_scalar(x[0].value.type)->kind == HD_T_BOOL;
    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < hd_type_lanes(r->type); i++) {
            uint64_t v[2] = {0}, s[2] = {0};

            for (unsigned k = 0; k < count; k++) {
                v[k] = part_of(&x[k].value, &x[k], lane, i);
                s[k] = x[k].has_shadow ? part_of(&x[k].shadow, &x[k], lane, i) : 0;
                s[k] &= is_bool ? 1 : ~UINT64_C(0); /* a boolean is its lowest bit */
            }
            v[0] = component(kind, in, v[0], s[0], v[1], s[1], bytes);
            hd_bits_put(hd_slot_at(r, lane) + i * bytes, bytes,
                        is_bool && kind != HD_SHADOW_EQUALS ? v[0] & 1 : v[0]);
        }
    return HD_OK;
}

/* Does a use have a bit without a value in a component (all of it, when counts differ)? */
static bool taints(const HdEval *e, const HdSlot *shadow, unsigned lane, uint32_t i, uint32_t count)
{
    uint64_t bytes = hd_type_size(hd_type_scalar(shadow->type));

    if (hd_type_lanes(shadow->type) != count || shadow->type->kind == HD_T_STRUCT ||
        shadow->type->kind == HD_T_ARRAY || !is_scalar(shadow->type))
        return is_any_set(e, shadow, lane);
    return hd_bits_get(hd_slot_at(shadow, lane) + i * bytes, bytes) != 0;
}

static HdStatus spread(HdEval *e, const HdSlot *r)
{
    const HdInstInfo *info = e->info;
    uint32_t count = hd_type_lanes(r->type);
    bool whole = r->type->kind == HD_T_STRUCT || r->type->kind == HD_T_ARRAY;
    uint64_t bytes = whole ? hd_type_size(r->type) : hd_type_size(hd_type_scalar(r->type));

    for (HD_EACH_LANE(lane, e->mask))
        for (uint32_t i = 0; i < (whole ? 1 : count); i++) {
            bool tainted = false;

            for (uint32_t k = 0; k < info->use_count && !tainted; k++) {
                uint32_t slot = e->run->p->info.uses.at[info->first_use + k];

                if (e->frame->origin[slot] != 0) {
                    const HdType *t = e->frame->code->slot_types[slot];
                    HdSlot shadow = {.at = e->frame->values + e->frame->shadow +
                                           (uint64_t)slot * 16 * e->width,
                                     .stride = hd_type_size(t),
                                     .type = t};

                    tainted = taints(e, &shadow, lane, i, count);
                }
            }
            memset(hd_slot_at(r, lane) + i * bytes, tainted ? 0xff : 0, (size_t)bytes);
        }
    return HD_OK;
}

uint32_t hd_shadow_origin(const HdEval *e)
{
    for (uint32_t k = 0; k < e->info->use_count; k++) {
        uint32_t origin = e->frame->origin[e->run->p->info.uses.at[e->info->first_use + k]];

        if (origin != 0)
            return origin;
    }
    return e->brought != 0 ? e->brought : e->info->number + 1;
}

/* The same, but of an uninitialised variable: it is reported where it is read. */
static uint32_t origin_of(const HdEval *e, const HdInst *in)
{
    uint32_t origin = hd_shadow_origin(e);

    return hd_registers_is_load(e->m, in) &&
                   hd_registers_is_variable(e->m, hd_report_inst(e, origin - 1))
               ? e->info->number + 1
               : origin;
}

void hd_shadow_settle(HdEval *e, const HdSlot *r, uint32_t slot, uint32_t origin)
{
    uint64_t width = e->width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << e->width) - 1;

    if (any_lanes(e, r, e->mask) != 0)
        mark_origin(e, slot, origin);
    else if (e->frame->origin[slot] != 0 && any_lanes(e, r, width) == 0)
        mark_origin(e, slot, 0);
}

static void clear(HdEval *e, const HdSlot *r, uint32_t slot)
{
    for (HD_EACH_LANE(lane, e->mask))
        memset(hd_slot_at(r, lane), 0, (size_t)hd_type_size(r->type));
    hd_shadow_settle(e, r, slot, 0);
}

static HdStatus move(HdEval *e, HdEvalFn *fn, const HdInst *in)
{
    HdEvalNext next = e->next;
    uint32_t skip = e->skip;
    HdStatus st;

    e->is_shadow = true;
    e->is_checked = false;
    st = fn(e, in);
    e->is_shadow = false;
    e->is_checked = true;
    e->next = next;
    e->skip = skip;
    return st;
}

static bool is_dirty(const HdEval *e)
{
    const HdInstInfo *info = e->info;
    bool dirty = e->brought != 0;

    for (uint32_t k = 0; k < info->use_count; k++)
        dirty = dirty || e->frame->origin[e->run->p->info.uses.at[info->first_use + k]] != 0;
    return dirty;
}

/* Phis are done as a group by the first of them. */
static HdStatus after_phis(HdEval *e, HdEvalFn *fn, const HdInst *in)
{
    uint32_t origins[64], count = e->skip + 1;
    const HdInstInfo *first = e->info;
    bool dirty = false;

    for (uint32_t i = 0; i < count; i++) {
        e->info = first + i;
        origins[i % 64] = hd_shadow_origin(e);
        dirty = dirty || is_dirty(e) || e->frame->origin[e->info->result - 1] != 0;
    }
    if (dirty)
        HD_TRY(move(e, fn, in));
    for (uint32_t i = 0; i < count && dirty; i++) {
        HdSlot r;

        e->info = first + i;
        HD_TRY(hd_eval_use(e, in[i].w[2], &r));
        r.at += e->frame->shadow;
        hd_shadow_settle(e, &r, e->info->result - 1, origins[i % 64]);
    }
    e->info = first;
    return HD_OK;
}

/* The word of the condition, component or lane that says what an instruction moves; 0: none. */
static unsigned control_word(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_Select: return 3;
    case HD_OPIX_VectorExtractDynamic:
    case HD_OPIX_SubgroupShuffleINTEL:
    case HD_OPIX_SubgroupShuffleXorINTEL:
    case HD_OPIX_SubgroupReadInvocationKHR: return 4;
    case HD_OPIX_VectorInsertDynamic:
    case HD_OPIX_SubgroupShuffleUpINTEL:
    case HD_OPIX_SubgroupShuffleDownINTEL:
    case HD_OPIX_GroupNonUniformShuffle:
    case HD_OPIX_GroupNonUniformShuffleXor:
    case HD_OPIX_GroupNonUniformShuffleUp:
    case HD_OPIX_GroupNonUniformShuffleDown:
    case HD_OPIX_GroupBroadcast:
    case HD_OPIX_GroupNonUniformBroadcast:
    case HD_OPIX_GroupNonUniformQuadBroadcast:
    case HD_OPIX_GroupNonUniformRotateKHR:
    case HD_OPIX_GroupNonUniformBallotBitExtract: return 5;
    default: return 0;
    }
}

/* A result that depends on a condition or index without a value has none. */
static HdStatus spread_control(HdEval *e, const HdInst *in, const HdSlot *r)
{
    unsigned word = control_word((enum HdOpix)in->opix);
    uint32_t slot = word != 0 ? slot_of(e, in->w[word]) : UINT32_MAX;
    HdSlot control;

    if (slot == UINT32_MAX || e->frame->origin[slot] == 0)
        return HD_OK;
    HD_TRY(hd_eval_use(e, in->w[word], &control));
    control.at += e->frame->shadow;
    for (HD_EACH_LANE(lane, any_lanes(e, &control, e->mask)))
        memset(hd_slot_at(r, lane), 0xff, (size_t)hd_type_size(r->type));
    return HD_OK;
}

/* What the instruction has found to have no value. */
static void spoil(HdEval *e, const HdSlot *r, uint32_t slot)
{
    const uint64_t bytes = hd_type_size(hd_type_scalar(r->type));

    for (HD_EACH_LANE(lane, e->spoiled & e->mask))
        memset(hd_slot_at(r, lane), 0xff, (size_t)hd_type_size(r->type));
    for (uint32_t i = 0; e->torn != 0 && i < hd_type_lanes(r->type) && i < 16; i++)
        for (HD_EACH_LANE(lane, e->parts[i] & e->mask))
            memset(hd_slot_at(r, lane) + i * bytes, 0xff, (size_t)bytes);
    mark_origin(e, slot, e->info->number + 1);
    e->spoiled = e->torn = 0;
}

HdStatus hd_shadow_after(HdEval *e, HdEvalFn *fn, const HdInst *in)
{
    const HdInstInfo *info = e->info;
    HdShadowKind kind = info->shadow;
    uint32_t slot = info->result - 1;
    bool dirty;
    HdSlot r;

    if (e->frame->dirty == 0 && (e->spoiled | e->torn | e->brought) == 0)
        return HD_OK;
    if (in->opix == HD_OPIX_Phi)
        return after_phis(e, fn, in);
    if (info->result == 0) {
        e->spoiled = e->torn = 0;
        return HD_OK;
    }
    dirty = kind != HD_SHADOW_OWN && kind != HD_SHADOW_FREEZES && is_dirty(e);
    if (!dirty && (e->spoiled | e->torn) == 0 && e->frame->origin[slot] == 0)
        return HD_OK;
    HD_TRY(hd_eval_use(e, in->w[2], &r));
    r.at += e->frame->shadow;
    if (dirty) {
        if (kind == HD_SHADOW_MOVES) {
            HD_TRY(move(e, fn, in));
            HD_TRY(spread_control(e, in, &r));
        } else if (kind == HD_SHADOW_SPREADS || !is_scalar(r.type)) {
            HD_TRY(spread(e, &r));
        } else {
            HD_TRY(by_component(e, in, kind, &r));
        }
        hd_shadow_settle(e, &r, slot, origin_of(e, in));
    } else if (kind != HD_SHADOW_OWN && e->frame->origin[slot] != 0) {
        clear(e, &r, slot);
    }
    if ((e->spoiled | e->torn) != 0)
        spoil(e, &r, slot);
    return HD_OK;
}

void hd_shadow_pass(HdEval *e, HdInterpFrame *to, HdId to_id, HdInterpFrame *from, HdId from_id,
                    uint64_t mask)
{
    uint32_t slot = slot_of(e, to_id), source = slot_of(e, from_id);
    uint32_t origin = source != UINT32_MAX ? from->origin[source] : 0;
    HdInterpFrame *frame = e->frame;
    const HdPlace *place;
    HdSlot s;

    if (slot == UINT32_MAX || (origin == 0 && to->origin[slot] == 0))
        return;
    place = &e->run->p->places[to_id];
    s = (HdSlot){.at = to->values + to->shadow + place->offset * e->width,
                 .stride = place->stride,
                 .type = place->type};
    for (HD_EACH_LANE(lane, mask)) {
        if (origin == 0)
            memset(hd_slot_at(&s, lane), 0, (size_t)place->stride);
        else
            memcpy(hd_slot_at(&s, lane),
                   from->values + from->shadow + e->run->p->places[from_id].offset * e->width +
                       lane * place->stride,
                   (size_t)place->stride);
    }
    e->frame = to;
    if (origin != 0)
        mark_origin(e, slot, origin);
    e->frame = frame;
}

bool hd_shadow_lane(const HdEval *e, unsigned lane)
{
    const HdInterpFrame *f = e->frame;

    for (uint32_t k = 0; f->dirty > 0 && k < e->info->use_count; k++) {
        uint32_t slot = e->run->p->info.uses.at[e->info->first_use + k];
        const HdType *t = f->code->slot_types[slot];
        HdSlot s = {.at = f->values + f->shadow + (uint64_t)slot * 16 * e->width,
                    .stride = hd_type_size(t),
                    .type = t};

        if (f->origin[slot] != 0 && is_any_set(e, &s, lane))
            return true;
    }
    return false;
}

/* ---- uses ---------------------------------------------------------------------------------- */

static bool promises_no_wrap(const HdModule *m, HdId id)
{
    return hd_module_decoration(m, id, SpvDecorationNoSignedWrap) != NULL ||
           hd_module_decoration(m, id, SpvDecorationNoUnsignedWrap) != NULL;
}

/* Does an instruction of OpenCL.std load? */
static bool reads_memory(const HdInst *in)
{
    return in->w[4] == OpenCLstd_vloadn || in->w[4] == OpenCLstd_vload_half ||
           in->w[4] == OpenCLstd_vload_halfn || in->w[4] == OpenCLstd_vloada_halfn;
}

/* The rule that made a value undefined: that of what its origin did. */
static const char *rule_of(const HdModule *m, const HdInst *origin, const char **what,
                           const char **hint)
{
    enum HdOpix opix = origin != NULL ? (enum HdOpix)origin->opix : HD_OPIX_NONE;

    if (opix == HD_OPIX_ShiftLeftLogical && promises_no_wrap(m, origin->w[2]))
        opix = HD_OPIX_IMul;
    if (origin != NULL && hd_info_finite(m, hd_inst_result(origin)) != 0) {
        *what = "the value comes from a NaN or an infinity that the program promised not to have,";
        *hint = "look for the NaN or infinity, or compile without -cl-finite-math-only";
        return "check.finite";
    }
    *what = "the value comes from memory that nobody wrote,";
    *hint = "give the variable or buffer a value before it is read";
    switch (opix) {
    case HD_OPIX_ShiftLeftLogical:
    case HD_OPIX_ShiftRightLogical:
    case HD_OPIX_ShiftRightArithmetic:
        *what = "the value comes from a shift by its width or more,";
        *hint = "mask the amount of the shift";
        return "check.shift";
    case HD_OPIX_BitFieldInsert:
    case HD_OPIX_BitFieldSExtract:
    case HD_OPIX_BitFieldUExtract:
        *what = "the value comes from a field of bits that reaches outside the number,";
        *hint = "keep offset and count together within the width";
        return "check.bit-field";
    case HD_OPIX_IAdd:
    case HD_OPIX_ISub:
    case HD_OPIX_IMul:
    case HD_OPIX_SNegate:
        *what = "the value comes from arithmetic that wraps where the program promised that it "
                "does not,";
        *hint = "use a wider type, or unsigned arithmetic";
        return "check.wrap";
    case HD_OPIX_SDiv:
    case HD_OPIX_SRem:
    case HD_OPIX_SMod:
    case HD_OPIX_UDiv:
    case HD_OPIX_UMod:
        *what = "the value comes from a division by zero, or one that overflows,";
        *hint = "test the divisor first";
        return "check.division";
    case HD_OPIX_SDot:
    case HD_OPIX_UDot:
    case HD_OPIX_SUDot:
    case HD_OPIX_SDotAccSat:
    case HD_OPIX_UDotAccSat:
    case HD_OPIX_SUDotAccSat:
        *what = "the value comes from a dot product that its type cannot hold,";
        *hint = "use a wider type for the result";
        return "check.wrap";
    case HD_OPIX_ExtInst:
        if (reads_memory(origin))
            return "check.uninitialised";
        *what = "the value comes from a function that has no result for its arguments,";
        *hint = "keep the arguments in the function's range";
        return "check.domain";
    case HD_OPIX_GroupNonUniformBallotFindLSB:
    case HD_OPIX_GroupNonUniformBallotFindMSB:
        *what = "the value comes from a ballot that nobody has voted in,";
        *hint = "ask whether the ballot is empty first";
        return "check.domain";
    case HD_OPIX_GroupNonUniformBallotBitExtract:
        *what = "the value comes from a bit of a ballot behind the sub-group's last,";
        *hint = "compare the index with the size of the sub-group";
        return "check.domain";
    case HD_OPIX_ConvertFToS:
    case HD_OPIX_ConvertFToU:
        *what = "the value comes from a number outside the integer's range,";
        *hint = "use a saturating conversion";
        return "check.conversion";
    case HD_OPIX_VectorExtractDynamic:
    case HD_OPIX_VectorInsertDynamic:
        *what = "the value comes from a component outside its vector,";
        *hint = "check the index";
        return "check.vector-index";
    case HD_OPIX_GroupNonUniformShuffle:
    case HD_OPIX_GroupNonUniformShuffleXor:
    case HD_OPIX_GroupNonUniformShuffleUp:
    case HD_OPIX_GroupNonUniformShuffleDown:
    case HD_OPIX_GroupNonUniformBroadcast:
    case HD_OPIX_GroupNonUniformRotateKHR:
    case HD_OPIX_GroupNonUniformQuadBroadcast:
    case HD_OPIX_GroupNonUniformQuadSwap:
    case HD_OPIX_SubgroupShuffleINTEL:
    case HD_OPIX_SubgroupShuffleXorINTEL:
    case HD_OPIX_SubgroupShuffleUpINTEL:
    case HD_OPIX_SubgroupShuffleDownINTEL:
    case HD_OPIX_SubgroupReadInvocationKHR:
        *what = "the value comes from a lane that takes no part,";
        *hint = "read lanes that are active only";
        return "check.inactive-lane";
    case HD_OPIX_ConstantComposite:
    case HD_OPIX_SpecConstantComposite:
    case HD_OPIX_VectorShuffle:
    case HD_OPIX_PoisonKHR:
    case HD_OPIX_Undef: *what = "the value is undefined,"; return "check.uninitialised";
    default: return "check.uninitialised";
    }
}

/* What the source calls the variable that a value without a meaning was read from; NULL. */
static const char *variable_of(const HdEval *e, const HdInst *from, char room[HD_REPORT_NAME])
{
    HdInst in = *from;
    HdId root;

    /* A component outside is that of a vector. */
    if ((from->opix == HD_OPIX_VectorExtractDynamic || from->opix == HD_OPIX_VectorInsertDynamic) &&
        !hd_module_def(e->m, from->w[3], &in))
        return NULL;
    in = hd_module_inst(e->m, in.word); /* not as the interpreter has it */
    if (in.opix == HD_OPIX_Load) {
        root = hd_info_root(e->run->p, in.w[3]).id;
        return hd_report_variable(e, root != 0 ? root : in.w[3], room);
    }
    return in.word != from->word ? hd_report_variable(e, hd_inst_result(&in), room) : NULL;
}

/* Report that lanes use an undefined value. at, bytes: memory that it is stored to, reported
 * later. */
HdStatus hd_shadow_report(HdEval *e, uint64_t lanes, uint32_t origin, const char *use, uint64_t at,
                          uint64_t bytes)
{
    const HdInst *from = origin != 0 ? hd_report_inst(e, origin - 1) : NULL;
    const char *what, *hint, *rule = rule_of(e->m, from, &what, &hint);
    HdStrbuf message = {0}, inst = {0};
    HdDefect d = {.severity = HD_ERROR, .rule = rule, .hint = hint};
    char name[HD_REPORT_NAME];

    d.other_place.word = HD_NO_PLACE;
    hd_strbuf_printf(&message, "%s a value that is undefined", use);
    d.message = hd_strbuf_text(&message);
    if (from != NULL) {
        d.other = what;
        hd_report_place(e, from, &d.other_place, &inst);
        d.variable = variable_of(e, from, name);
    }
    if (bytes > 0)
        hd_report_spoiled(e, lanes, at, bytes, &d);
    else
        hd_report(e, HD_ERROR, lanes, rule, hint, d.message, &d);
    hd_strbuf_free(&message);
    hd_strbuf_free(&inst);
    return HD_OK;
}

/* Lanes whose vectors have bits without a value in these components; of scalars, in the value. */
static uint64_t part_lanes(const HdSlot *shadow, uint64_t mask, uint32_t parts)
{
    uint64_t size = hd_type_size(hd_type_scalar(shadow->type)), lanes = 0;
    uint32_t count = hd_type_lanes(shadow->type);

    for (HD_EACH_LANE(lane, mask))
        for (uint32_t c = 0; c < count; c++)
            if (count == 1 || (parts >> c & 1) != 0)
                lanes |= (uint64_t)any_of(hd_slot_at(shadow, lane) + c * size, size) << lane;
    return lanes;
}

HdStatus hd_eval_needs(HdEval *e, HdId id, const char *what)
{
    return hd_eval_needs_parts(e, id, UINT32_MAX, what);
}

HdStatus hd_eval_needs_parts(HdEval *e, HdId id, uint32_t parts, const char *what)
{
    uint32_t slot;
    HdSlot s;
    uint64_t lanes;

    if (e->watch == NULL || e->frame->dirty == 0)
        return HD_OK;
    slot = slot_of(e, id);
    if (slot == UINT32_MAX || e->frame->origin[slot] == 0)
        return HD_OK;
    HD_TRY(hd_eval_use(e, id, &s));
    s.at += e->frame->shadow;
    lanes = parts == UINT32_MAX ? any_lanes(e, &s, e->mask) : part_lanes(&s, e->mask, parts);
    if (lanes == 0)
        return HD_OK;
    HD_TRY(hd_shadow_report(e, lanes, e->frame->origin[slot], what, 0, 0));
    /* Told once: what follows from it is no further defect. */
    for (HD_EACH_LANE(lane, lanes))
        memset(hd_slot_at(&s, lane), 0, (size_t)hd_type_size(s.type));
    return HD_OK;
}
