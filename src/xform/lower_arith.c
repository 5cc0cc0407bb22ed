/* xform/lower_arith.c -- bit fields, dot products, float atomics, and minimum, maximum and
 * middle of three in terms of the core.
 *
 * SPDX-License-Identifier: MIT
 */
#include "gen/extinst.h"
#include "xform/lower_state.h"

#define OP HD_LOWER_OP

/* ---- constants of a type ------------------------------------------------------------------- */

/* `value` in each lane of an integer type. */
static HdId splat_constant(HdLower *l, HdId type, uint32_t bits, uint32_t lanes, uint64_t value)
{
    HdId one = hd_lower_constant(l, bits, value);
    HdWriter *at = l->at;
    uint32_t parts[16];
    HdId id;

    if (lanes == 1)
        return one;
    for (uint32_t i = 0; i < lanes && i < 16; i++)
        parts[i] = one;
    l->at = &l->globals;
    id = hd_lower_emit(l, 0, SpvOpConstantComposite, type, parts, lanes);
    l->at = at;
    return id;
}

/* ---- bits ---------------------------------------------------------------------------------- */

static void reverse(HdLower *l, const HdInst *in, HdId type, uint32_t bits, uint32_t lanes)
{
    HdId x = hd_lower_use(l, in->w[3]);

    for (uint32_t step = 1; step < bits; step *= 2) {
        uint64_t mask = 0;
        HdId by, low, high;

        for (uint32_t i = 0; i < bits; i++)
            mask |= (uint64_t)((i / step) % 2 == 0) << i;
        by = splat_constant(l, type, bits, lanes, step);
        low = splat_constant(l, type, bits, lanes, mask);
        high = OP(l, 0, SpvOpShiftRightLogical, type, x, by);
        high = OP(l, 0, SpvOpBitwiseAnd, type, high, low);
        x = OP(l, 0, SpvOpBitwiseAnd, type, x, low);
        x = OP(l, 0, SpvOpShiftLeftLogical, type, x, by);
        x = OP(l, step * 2 >= bits ? in->w[2] : 0, SpvOpBitwiseOr, type, x, high);
    }
}

/* Offset or count as an integer of `bits` bits. */
static HdId sized(HdLower *l, HdId id, uint32_t bits)
{
    const HdType *t = hd_module_type_of(l->m, id);

    return t != NULL && t->bits != bits
               ? OP(l, 0, SpvOpUConvert, hd_lower_int(l, bits), hd_lower_use(l, id))
               : hd_lower_use(l, id);
}

/* `count` low bits set, also for none and for all. */
static HdId low_bits(HdLower *l, HdId type, uint32_t bits, HdId count)
{
    HdId width = hd_lower_constant(l, bits, bits), one = hd_lower_constant(l, bits, 1), all, some;
    HdId full = OP(l, 0, SpvOpUGreaterThanEqual, hd_lower_bool(l), count, width);
    HdId safe = OP(l, 0, SpvOpSelect, type, full, hd_lower_constant(l, bits, 0), count);

    all = hd_lower_constant(l, bits, UINT64_MAX);
    some = OP(l, 0, SpvOpShiftLeftLogical, type, one, safe);
    some = OP(l, 0, SpvOpISub, type, some, one);
    return OP(l, 0, SpvOpSelect, type, full, all, some);
}

/* Offset + count is at most the width, else the result is undefined: only a shift by the whole
 * width, when the offset is that and the count 0, has to be kept from happening. */
static HdId safe_shift(HdLower *l, HdId type, uint32_t bits, HdId by)
{
    HdId ok = OP(l, 0, SpvOpULessThan, hd_lower_bool(l), by, hd_lower_constant(l, bits, bits));

    return OP(l, 0, SpvOpSelect, type, ok, by, hd_lower_constant(l, bits, 0));
}

static void insert(HdLower *l, const HdInst *in, HdId type, HdId scalar, uint32_t bits,
                   uint32_t lanes)
{
    HdId offset = safe_shift(l, scalar, bits, sized(l, in->w[5], bits));
    HdId mask = low_bits(l, scalar, bits, sized(l, in->w[6], bits)), value, kept;

    mask = OP(l, 0, SpvOpShiftLeftLogical, scalar, mask, offset);
    offset = hd_lower_splat(l, type, lanes, offset);
    mask = hd_lower_splat(l, type, lanes, mask);
    value = OP(l, 0, SpvOpShiftLeftLogical, type, hd_lower_use(l, in->w[4]), offset);
    value = OP(l, 0, SpvOpBitwiseAnd, type, value, mask);
    mask = OP(l, 0, SpvOpNot, type, mask);
    kept = OP(l, 0, SpvOpBitwiseAnd, type, hd_lower_use(l, in->w[3]), mask);
    OP(l, in->w[2], SpvOpBitwiseOr, type, kept, value);
}

static void extract(HdLower *l, const HdInst *in, HdId type, HdId scalar, uint32_t bits,
                    uint32_t lanes)
{
    HdId count = sized(l, in->w[5], bits), mask = low_bits(l, scalar, bits, count), value, up;
    HdId offset =
        hd_lower_splat(l, type, lanes, safe_shift(l, scalar, bits, sized(l, in->w[4], bits)));

    value = OP(l, 0, SpvOpShiftRightLogical, type, hd_lower_use(l, in->w[3]), offset);
    if (in->opix == HD_OPIX_BitFieldUExtract) {
        OP(l, in->w[2], SpvOpBitwiseAnd, type, value, hd_lower_splat(l, type, lanes, mask));
        return;
    }
    /* Up against the top, and down again with the sign; of no bits nothing. */
    value = OP(l, 0, SpvOpBitwiseAnd, type, value, hd_lower_splat(l, type, lanes, mask));
    up = OP(l, 0, SpvOpISub, scalar, hd_lower_constant(l, bits, bits), count);
    up = hd_lower_splat(l, type, lanes, safe_shift(l, scalar, bits, up));
    value = OP(l, 0, SpvOpShiftLeftLogical, type, value, up);
    OP(l, in->w[2], SpvOpShiftRightArithmetic, type, value, up);
}

HdStatus hd_lower_bits(HdLower *l, const HdInst *in, bool *done)
{
    const HdType *t;
    uint32_t bits, lanes;
    HdId type, scalar;

    if (in->opix != HD_OPIX_BitReverse && in->opix != HD_OPIX_BitFieldInsert &&
        in->opix != HD_OPIX_BitFieldSExtract && in->opix != HD_OPIX_BitFieldUExtract)
        return HD_OK;
    t = hd_module_type(l->m, in->w[1]);
    if (t == NULL || hd_type_scalar(t)->kind != HD_T_INT || hd_type_lanes(t) > 16)
        return hd_lower_fail(l, in, " for this type");
    *done = true;
    bits = hd_type_scalar(t)->bits;
    lanes = hd_type_lanes(t);
    type = hd_lower_use(l, in->w[1]);
    scalar = hd_lower_int(l, bits);
    if (in->opix == HD_OPIX_BitReverse)
        reverse(l, in, type, bits, lanes);
    else if (in->opix == HD_OPIX_BitFieldInsert)
        insert(l, in, type, scalar, bits, lanes);
    else
        extract(l, in, type, scalar, bits, lanes);
    return HD_OK;
}

/* ---- dot products -------------------------------------------------------------------------- */

static bool dot_of(enum HdOpix opix, bool *first_signed, bool *second_signed, bool *saturates)
{
    *saturates =
        opix == HD_OPIX_SDotAccSat || opix == HD_OPIX_UDotAccSat || opix == HD_OPIX_SUDotAccSat;
    *first_signed = opix != HD_OPIX_UDot && opix != HD_OPIX_UDotAccSat;
    *second_signed = opix == HD_OPIX_SDot || opix == HD_OPIX_SDotAccSat;
    return *saturates || opix == HD_OPIX_SDot || opix == HD_OPIX_UDot || opix == HD_OPIX_SUDot;
}

/* Component i of a vector, or byte i of a packed scalar, in `bits` bits. */
static HdId component(HdLower *l, HdId value, const HdType *t, uint32_t i, uint32_t bits,
                      bool is_signed)
{
    uint32_t from = t->kind == HD_T_VECTOR ? hd_type_element(t)->bits : 8;
    HdId x = hd_lower_use(l, value), narrow = hd_lower_int(l, from);

    if (t->kind == HD_T_VECTOR)
        x = OP(l, 0, SpvOpCompositeExtract, hd_lower_use(l, hd_type_element(t)->id), x, i);
    else {
        x = OP(l, 0, SpvOpShiftRightLogical, hd_lower_int(l, 32), x,
               hd_lower_constant(l, 32, 8 * i));
        x = OP(l, 0, SpvOpUConvert, narrow, x);
    }
    return from == bits
               ? x
               : OP(l, 0, is_signed ? SpvOpSConvert : SpvOpUConvert, hd_lower_int(l, bits), x);
}

static HdId sum(HdLower *l, const HdInst *in, const HdType *t, uint32_t bits, bool s1, bool s2,
                HdId result)
{
    uint32_t lanes = t->kind == HD_T_VECTOR ? t->count : 4;
    const HdType *other = hd_module_type_of(l->m, in->w[4]);
    HdId type = hd_lower_int(l, bits), total = 0;

    for (uint32_t i = 0; i < lanes; i++) {
        HdId a = component(l, in->w[3], t, i, bits, s1);
        HdId b = component(l, in->w[4], other, i, bits, s2);
        bool last = i + 1 == lanes;

        if (total == 0) {
            total = OP(l, last ? result : 0, SpvOpIMul, type, a, b);
            continue;
        }
        a = OP(l, 0, SpvOpIMul, type, a, b);
        total = OP(l, last ? result : 0, SpvOpIAdd, type, total, a);
    }
    return total;
}

/* Only the last addition saturates: when one before it overflows the result has no meaning.
 * Spec: OpSDotAccSat. */
static void saturate(HdLower *l, const HdInst *in, const HdType *t, uint32_t bits, bool is_signed,
                     bool s2)
{
    HdId x = sum(l, in, t, bits, is_signed, s2, 0);

    OP(l, in->w[2], SpvOpExtInst, hd_lower_int(l, bits), hd_lower_std(l),
       is_signed ? OpenCLstd_s_add_sat : OpenCLstd_u_add_sat, x, hd_lower_use(l, in->w[5]));
}

HdStatus hd_lower_dot(HdLower *l, const HdInst *in, bool *done)
{
    const HdType *t, *result;
    bool s1, s2, saturates;

    if (!dot_of(in->opix, &s1, &s2, &saturates))
        return HD_OK;
    t = hd_module_type_of(l->m, in->w[3]);
    result = hd_module_type(l->m, in->w[1]);
    if (t == NULL || result == NULL || hd_module_type_of(l->m, in->w[4]) == NULL ||
        result->kind != HD_T_INT)
        return hd_lower_fail(l, in, " for these types");
    *done = true;
    if (saturates)
        saturate(l, in, t, result->bits, s1, s2);
    else
        (void)sum(l, in, t, result->bits, s1, s2, in->w[2]);
    return HD_OK;
}

/* ---- atomics of floats --------------------------------------------------------------------- */

bool hd_lower_splits(const HdLower *l, const HdInst *in)
{
    return ((l->o->what & HD_LOWER_FLOAT_ATOMICS) != 0 && hd_lower_is_float_atomic(in)) ||
           hd_lower_is_uniform(l, in) || hd_lower_subgroup_loops(l, in);
}

static void branch(HdLower *l, uint32_t opcode, const uint32_t *operands, size_t count)
{
    hd_writer_inst(l->at, opcode, operands, count);
}

/* An atomic of a float by those of the integer whose memory it is in: itself, or for a half the
 * aligned word of 32 bits around it. */
typedef struct Cell {
    uint32_t bits;   /* of the float */
    HdId type, word; /* of the float, and of the integer */
    HdId pointer;    /* to the integer */
    HdId shift;      /* of a half in its word */
} Cell;

/* A half is in the lower or the upper part of its word, as its address has bit 1. */
static void find_word(HdLower *l, Cell *c, uint32_t storage, HdId pointer)
{
    bool far = l->m->addressing != SpvAddressingModelPhysical32;
    uint32_t bits = far ? 64 : 32;
    HdId size = hd_lower_int(l, bits), address, upper;

    address = OP(l, 0, SpvOpConvertPtrToU, size, pointer);
    upper = OP(l, 0, SpvOpBitwiseAnd, size, address, hd_lower_constant(l, bits, 2));
    address = OP(l, 0, SpvOpISub, size, address, upper);
    c->pointer = OP(l, 0, SpvOpConvertUToPtr, hd_lower_pointer(l, storage, c->word), address);
    if (far)
        upper = OP(l, 0, SpvOpUConvert, c->word, upper);
    c->shift = OP(l, 0, SpvOpShiftLeftLogical, c->word, upper, hd_lower_constant(l, 32, 3));
}

/* The float in a word. */
static HdId unpack(HdLower *l, HdId result, const Cell *c, HdId word)
{
    if (c->bits == 16) {
        word = OP(l, 0, SpvOpShiftRightLogical, c->word, word, c->shift);
        word = OP(l, 0, SpvOpUConvert, hd_lower_int(l, 16), word);
    }
    return OP(l, result, SpvOpBitcast, c->type, word);
}

/* The word with another float in it. */
static HdId pack(HdLower *l, const Cell *c, HdId word, HdId number)
{
    HdId mask;

    if (c->bits != 16)
        return OP(l, 0, SpvOpBitcast, c->word, number);
    number = OP(l, 0, SpvOpBitcast, hd_lower_int(l, 16), number);
    number = OP(l, 0, SpvOpUConvert, c->word, number);
    number = OP(l, 0, SpvOpShiftLeftLogical, c->word, number, c->shift);
    mask = OP(l, 0, SpvOpShiftLeftLogical, c->word, hd_lower_constant(l, 32, 0xffff), c->shift);
    mask = OP(l, 0, SpvOpNot, c->word, mask);
    word = OP(l, 0, SpvOpBitwiseAnd, c->word, word, mask);
    return OP(l, 0, SpvOpBitwiseOr, c->word, word, number);
}

static HdId compute(HdLower *l, const HdInst *in, HdId type, HdId number)
{
    HdId value = hd_lower_use(l, in->w[6]);

    if (in->opix == HD_OPIX_AtomicFAddEXT)
        return OP(l, 0, SpvOpFAdd, type, number, value);
    if (hd_module_is_opencl(l->m))
        return OP(l, 0, SpvOpExtInst, type, hd_lower_std(l),
                  in->opix == HD_OPIX_AtomicFMinEXT ? OpenCLstd_fmin : OpenCLstd_fmax, number,
                  value);
    return OP(l, 0, SpvOpExtInst, type, hd_lower_glsl(l),
              in->opix == HD_OPIX_AtomicFMinEXT ? GLSLstd450NMin : GLSLstd450NMax, number, value);
}

/* Words: 1 type, 2 result, 3 pointer, 4 scope, 5 semantics, 6 value.
 *
 *          first = load; branch loop
 *     loop: old = phi first, seen; new = old with (its float op value)
 *          seen = compare-exchange new, old; if seen == old behind else loop
 *     behind: result = the float in old
 *
 * Loops of shaders say where they end, and go back from a block of their own.
 *
 * The exchange that fails has no ordering: the one that succeeds has the instruction's. */
static void write_exchange(HdLower *l, const HdInst *in, const Cell *c, HdId behind)
{
    HdId before = l->next++, loop = l->next++, seen = l->next++, first, old, made, same;
    bool is_shader = !hd_module_is_opencl(l->m);
    HdId again = is_shader ? l->next++ : loop;
    HdId none = hd_lower_constant(l, 32, 0), scope = hd_lower_use(l, in->w[4]);

    first = OP(l, 0, SpvOpAtomicLoad, c->word, c->pointer, scope, none);
    branch(l, SpvOpBranch, (const uint32_t[]){before}, 1);
    branch(l, SpvOpLabel, (const uint32_t[]){before}, 1);
    branch(l, SpvOpBranch, (const uint32_t[]){loop}, 1);
    branch(l, SpvOpLabel, (const uint32_t[]){loop}, 1);
    old = OP(l, 0, SpvOpPhi, c->word, first, before, seen, again);
    made = pack(l, c, old, compute(l, in, c->type, unpack(l, 0, c, old)));
    OP(l, seen, SpvOpAtomicCompareExchange, c->word, c->pointer, scope, hd_lower_use(l, in->w[5]),
       none, made, old);
    same = OP(l, 0, SpvOpIEqual, hd_lower_bool(l), seen, old);
    if (is_shader)
        branch(l, SpvOpLoopMerge, (const uint32_t[]){behind, again, SpvLoopControlMaskNone}, 3);
    branch(l, SpvOpBranchConditional, (const uint32_t[]){same, behind, again}, 3);
    if (is_shader) {
        branch(l, SpvOpLabel, (const uint32_t[]){again}, 1);
        branch(l, SpvOpBranch, (const uint32_t[]){loop}, 1);
    }
    branch(l, SpvOpLabel, (const uint32_t[]){behind}, 1);
    (void)unpack(l, in->w[2], c, old);
}

HdStatus hd_lower_float_atomic(HdLower *l, const HdInst *in, bool *done)
{
    const HdType *t, *p;
    HdId pointer;
    bool is_logical;
    Cell c = {0};
    uint64_t behind = 0;

    if (!hd_lower_is_float_atomic(in))
        return HD_OK;
    t = hd_module_type(l->m, in->w[1]);
    p = hd_module_type_of(l->m, in->w[3]);
    if (t == NULL || p == NULL || p->kind != HD_T_POINTER || t->kind != HD_T_FLOAT)
        return HD_OK;
    c.type = hd_lower_use(l, in->w[1]);
    if (t->bits == 64)
        hd_lower_need(l, HD_LOWER_INT64_ATOMICS);
    *done = true;
    is_logical = !hd_module_is_opencl(l->m) && p->storage != SpvStorageClassPhysicalStorageBuffer;
    if (is_logical)
        HD_TRY(hd_lower_atomic_word(l, in, t->bits, &c.pointer, &c.shift));
    (void)hd_map_get(&l->split, in->word, &behind);
    c.bits = t->bits;
    c.word = hd_lower_int(l, t->bits == 16 ? 32 : t->bits);
    pointer = hd_lower_use(l, in->w[3]);
    if (t->bits == 16 && !is_logical)
        find_word(l, &c, p->storage, pointer);
    else if (!is_logical)
        c.pointer = OP(l, 0, SpvOpBitcast, hd_lower_pointer(l, p->storage, c.word), pointer);
    write_exchange(l, in, &c, (HdId)behind);
    return HD_OK;
}

/* ---- of three: SPV_AMD_shader_trinary_minmax ----------------------------------------------- */

/* GLSL.std.450's functions of two, by number of the other set. */
static const struct {
    uint32_t least, most;
    bool is_least, is_most; /* neither: the middle */
} trinary[] = {
    [SPV_AMD_shader_trinary_minmaxFMin3AMD] = {GLSLstd450FMin, GLSLstd450FMax, true, false},
    [SPV_AMD_shader_trinary_minmaxUMin3AMD] = {GLSLstd450UMin, GLSLstd450UMax, true, false},
    [SPV_AMD_shader_trinary_minmaxSMin3AMD] = {GLSLstd450SMin, GLSLstd450SMax, true, false},
    [SPV_AMD_shader_trinary_minmaxFMax3AMD] = {GLSLstd450FMin, GLSLstd450FMax, false, true},
    [SPV_AMD_shader_trinary_minmaxUMax3AMD] = {GLSLstd450UMin, GLSLstd450UMax, false, true},
    [SPV_AMD_shader_trinary_minmaxSMax3AMD] = {GLSLstd450SMin, GLSLstd450SMax, false, true},
    [SPV_AMD_shader_trinary_minmaxFMid3AMD] = {GLSLstd450FMin, GLSLstd450FMax, false, false},
    [SPV_AMD_shader_trinary_minmaxUMid3AMD] = {GLSLstd450UMin, GLSLstd450UMax, false, false},
    [SPV_AMD_shader_trinary_minmaxSMid3AMD] = {GLSLstd450SMin, GLSLstd450SMax, false, false},
};

/* Words: 1 type, 2 result, 3 set, 4 number, 5 … 7 operands. */
void hd_lower_trinary(HdLower *l, const HdInst *in, bool *done)
{
    HdId glsl, type, x, y, z, low, high;
    uint32_t least, most, number;

    if ((in->opix != HD_OPIX_ExtInst && in->opix != HD_OPIX_ExtInstWithForwardRefsKHR) ||
        hd_module_extset(l->m, in->w[3]) != HD_EXTSET_SPV_AMD_shader_trinary_minmax ||
        in->w[4] >= sizeof trinary / sizeof *trinary)
        return;
    *done = true;
    glsl = hd_lower_glsl(l);
    type = hd_lower_use(l, in->w[1]);
    x = hd_lower_use(l, in->w[5]);
    y = hd_lower_use(l, in->w[6]);
    z = hd_lower_use(l, in->w[7]);
    least = trinary[in->w[4]].least;
    most = trinary[in->w[4]].most;
    if (trinary[in->w[4]].is_least || trinary[in->w[4]].is_most) {
        number = trinary[in->w[4]].is_least ? least : most;
        low = OP(l, 0, SpvOpExtInst, type, glsl, number, x, y);
        OP(l, in->w[2], SpvOpExtInst, type, glsl, number, low, z);
        return;
    }
    low = OP(l, 0, SpvOpExtInst, type, glsl, least, x, y);
    high = OP(l, 0, SpvOpExtInst, type, glsl, most, x, y);
    high = OP(l, 0, SpvOpExtInst, type, glsl, least, high, z);
    OP(l, in->w[2], SpvOpExtInst, type, glsl, most, low, high);
}
