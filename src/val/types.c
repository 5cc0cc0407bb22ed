/* val/types.c -- rules of types as a whole: no duplicates, how deep structures are nested, and
 * narrow types that can only be stored.
 *
 * Spec: SPIR-V, "Types and Variables", "Universal Validation Rules" (8- and 16-bit storage),
 * capability Float16Buffer.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/bitset.h"
#include "base/map.h"
#include "module/decoration.h"
#include "module/extset.h"
#include "val/rule.h"

#define SPEC             "Universal Validation Rules"
#define MAX_STRUCT_DEPTH 255u

/* The same opcode and operands, the result id (word 1) aside. */
static bool same_type(const HdInst *a, const HdInst *b)
{
    return a->w[0] == b->w[0] && memcmp(a->w + 2, b->w + 2, (a->nwords - 2u) * sizeof *a->w) == 0;
}

/* Words of types that must not come twice, by their hash. The last few types are looked for when
 * their places in a large table have arrived from memory. */
#define MOST_WAITING 8u
typedef struct Seen {
    uint32_t *words; /* 0: free */
    uint32_t room;   /* a power of two */
    uint32_t waiting_count;
    struct {
        uint32_t word, at;
    } waiting[MOST_WAITING];
} Seen;

static HdStatus open_seen(HdVal *v, Seen *seen)
{
    uint32_t word = HD_MODULE_FIRST_WORD, count = 0;

    for (HdInst in; word < v->m->first_function && hd_module_next(v->m, &word, &in);)
        count += !hd_type_may_repeat(in.opix);
    seen->waiting_count = 0;
    seen->room = (uint32_t)hd_hash_room(count);
    HD_TAKE(seen->words, HD_NEW(v->pass, uint32_t, seen->room));
    return HD_OK;
}

static void check_duplicate(HdVal *v, const HdInst *in, const Seen *seen, uint32_t at)
{
    for (; seen->words[at] != 0; at = (at + 1) & (seen->room - 1)) {
        HdInst old = hd_module_inst(v->m, seen->words[at]);

        if (!same_type(in, &old))
            continue;
        (void)hd_val_fail_spec(v, in, "type.duplicate", "Types and Variables",
                               "id %u is the same type: only aggregates and pointers may be "
                               "declared twice",
                               (unsigned)old.w[1]);
        hd_bit_add(v->failed, in->w[1]);
        return;
    }
    seen->words[at] = in->word;
}

static void check_waiting(HdVal *v, Seen *seen)
{
    for (uint32_t i = 0; i < seen->waiting_count; i++) {
        HdInst in = hd_module_inst(v->m, seen->waiting[i].word);

        check_duplicate(v, &in, seen, seen->waiting[i].at);
    }
    seen->waiting_count = 0;
}

/* Hashes are seeded with an address, so that a module cannot be made to collide. */
static void let_wait(HdVal *v, const HdInst *in, Seen *seen)
{
    uint64_t hash = hd_hash_u64((uintptr_t)seen->words ^ in->w[0]);
    uint32_t at;

    for (uint32_t i = 2; i < in->nwords; i++)
        hash = hd_hash_add(hash, in->w[i]);
    at = (uint32_t)hd_hash_u64(hash) & (seen->room - 1);
    __builtin_prefetch(&seen->words[at]);
    if (seen->waiting_count == MOST_WAITING)
        check_waiting(v, seen);
    seen->waiting[seen->waiting_count].word = in->word;
    seen->waiting[seen->waiting_count++].at = at;
}

/* A number that the declared capabilities only store. */
static bool is_limited(const HdVal *v, const HdType *t)
{
    if (t->kind == HD_T_INT && t->bits == 8)
        return v->shader && !hd_val_cap(v, SpvCapabilityInt8);
    if (t->kind == HD_T_INT && t->bits == 16)
        return v->shader && !hd_val_cap(v, SpvCapabilityInt16);
    if (t->kind == HD_T_FLOAT && t->bits == 16 && t->encoding == 0)
        return (v->shader || v->kernel) && !hd_val_cap(v, SpvCapabilityFloat16);
    return false;
}

static void note_limited(HdVal *v, const HdType *t)
{
    bool limited = is_limited(v, t);

    switch (t->kind) {
    case HD_T_VECTOR:
    case HD_T_MATRIX:
    case HD_T_ARRAY:
    case HD_T_RUNTIME_ARRAY: limited = hd_bit_has(v->limited, hd_type_element(t)->id); break;
    case HD_T_STRUCT:
        for (uint32_t i = 0; i < t->count && !limited; i++)
            limited = hd_bit_has(v->limited, hd_type_member(v->m, t, i)->id);
        break;
    default: break;
    }
    if (limited) {
        hd_bit_add(v->limited, t->id);
        v->any_limited = true;
    }
}

/* Integers of SPV_INTEL_int4, unless integers have any width. */
static bool is_int4(const HdVal *v, const HdType *t)
{
    return t->kind == HD_T_INT && t->bits == 4 && hd_val_cap(v, SpvCapabilityInt4TypeINTEL) &&
           !hd_val_cap(v, SpvCapabilityArbitraryPrecisionIntegersALTERA);
}

/* Numbers that are stored and converted, and not computed with: encodings of floats, 4-bit
 * integers. */
static bool is_small(const HdVal *v, const HdType *t)
{
    return (t->kind == HD_T_FLOAT && t->encoding != 0) || is_int4(v, t);
}

/* Pairs of 4-bit integers fill bytes. */
static bool fills_bytes(const HdType *t)
{
    return t->kind == HD_T_VECTOR && hd_type_element(t)->kind == HD_T_INT && t->count % 2 == 0;
}

static void note_small(HdVal *v, const HdType *t)
{
    bool small = is_small(v, t), nibbles = small && t->bits < 8;

    switch (t->kind) {
    case HD_T_VECTOR:
    case HD_T_MATRIX:
    case HD_T_ARRAY:
    case HD_T_RUNTIME_ARRAY:
        small = hd_bit_has(v->small, hd_type_element(t)->id);
        nibbles = hd_bit_has(v->nibbles, hd_type_element(t)->id) && !fills_bytes(t);
        break;
    case HD_T_STRUCT:
        for (uint32_t i = 0; i < t->count && !(small && nibbles); i++) {
            small |= hd_bit_has(v->small, hd_type_member(v->m, t, i)->id);
            nibbles |= hd_bit_has(v->nibbles, hd_type_member(v->m, t, i)->id);
        }
        break;
    case HD_T_OTHER:
        if ((hd_type_words(t)[0] & 0xffff) == SpvOpTypeCooperativeMatrixKHR)
            small = hd_bit_has(v->small, hd_type_words(t)[2]);
        break;
    default: break;
    }
    if (small) {
        hd_bit_add(v->small, t->id);
        v->any_small = true;
    }
    if (nibbles)
        hd_bit_add(v->nibbles, t->id);
}

/* Spec: SPIR-V, "Explicit Layout": Offset and ArrayStride say where the parts of a type are, and
 * MatrixStride those of a member. */
static bool has_places(const HdVal *v, const HdType *t)
{
    switch (t->kind) {
    case HD_T_ARRAY:
    case HD_T_RUNTIME_ARRAY:
        return hd_bit_has(v->laid_out, hd_type_element(t)->id) &&
               (hd_module_decoration(v->m, t->id, SpvDecorationArrayStride) != NULL ||
                hd_module_decoration(v->m, t->id, SpvDecorationArrayStrideIdEXT) != NULL);
    case HD_T_STRUCT:
        for (uint32_t i = 0; i < t->count; i++) {
            const HdType *member = hd_type_member(v->m, t, i);

            if (!hd_bit_has(v->laid_out, member->id) ||
                (hd_module_member_decoration(v->m, t->id, i, SpvDecorationOffset) == NULL &&
                 hd_module_member_decoration(v->m, t->id, i, SpvDecorationOffsetIdEXT) == NULL))
                return false;
            while (member->kind == HD_T_ARRAY || member->kind == HD_T_RUNTIME_ARRAY)
                member = hd_type_element(member);
            if (member->kind == HD_T_MATRIX &&
                hd_module_member_decoration(v->m, t->id, i, SpvDecorationMatrixStride) == NULL)
                return false;
        }
        return true;
    default: return true;
    }
}

static bool takes_small(const HdVal *v, const HdInst *in)
{
    if (in->opix == HD_OPIX_ExtInst && hd_extset_computes(hd_module_extset(v->m, in->w[3])))
        return false; /* mathematics */
    switch (hd_gram_insts[in->opix].klass) {
    case HD_CLASS_Constant_Creation:
    case HD_CLASS_Memory:
    case HD_CLASS_Function:
    case HD_CLASS_Conversion:
    case HD_CLASS_Composite:
    case HD_CLASS_Annotation:
    case HD_CLASS_Debug:
    case HD_CLASS_Miscellaneous:
    case HD_CLASS_Extension:
    case HD_CLASS_Mode_Setting:
    case HD_CLASS_Reserved: /* vendors' extensions say for themselves */
    case HD_CLASS_Type_Declaration: return in->opix != HD_OPIX_FmaKHR;
    default: break;
    }
    switch (in->opix) {
    case HD_OPIX_BFloat16MulAddQCOM:
    case HD_OPIX_CooperativeMatrixMulAddKHR:
    case HD_OPIX_Select:
    case HD_OPIX_Phi:
    case HD_OPIX_ReturnValue:
    case HD_OPIX_LifetimeStart:
    case HD_OPIX_LifetimeStop:
    case HD_OPIX_TensorReadARM:
    case HD_OPIX_TensorWriteARM: return true;
    case HD_OPIX_Dot: return hd_val_cap(v, SpvCapabilityBFloat16DotProductKHR);
    default: return false;
    }
}

/* Arithmetic that SPV_INTEL_bfloat16_arithmetic gives to bfloat16 alone, SPV_INTEL_sigmoid too. */
static bool computes_bfloat(const HdVal *v, const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_FSigmoidINTEL: return true;
    case HD_OPIX_FNegate:
    case HD_OPIX_FAdd:
    case HD_OPIX_FSub:
    case HD_OPIX_FMul:
    case HD_OPIX_FDiv:
    case HD_OPIX_FRem:
    case HD_OPIX_FMod:
    case HD_OPIX_VectorTimesScalar:
    case HD_OPIX_Dot:
    case HD_OPIX_IsNan:
    case HD_OPIX_IsInf:
    case HD_OPIX_IsFinite:
    case HD_OPIX_IsNormal:
    case HD_OPIX_SignBitSet:
    case HD_OPIX_LessOrGreater:
    case HD_OPIX_Ordered:
    case HD_OPIX_Unordered: return hd_val_cap(v, SpvCapabilityBFloat16ArithmeticINTEL);
    default:
        return in->opix >= HD_OPIX_FOrdEqual && in->opix <= HD_OPIX_FUnordGreaterThanEqual &&
               hd_val_cap(v, SpvCapabilityBFloat16ArithmeticINTEL);
    }
}

/* Is this a type of small floats, or of bfloat16 where those do not compute? */
static bool is_not_computed(const HdVal *v, HdId type, bool bfloats)
{
    const HdType *t;

    if (type == 0 || !hd_bit_has(v->small, type))
        return false;
    t = bfloats ? hd_module_type(v->m, type) : NULL;
    t = t != NULL ? hd_type_scalar(t) : NULL;
    return t == NULL || t->kind != HD_T_FLOAT || !hd_is_bfloat16(t);
}

HdStatus hd_val_small_uses(HdVal *v, const HdInst *in)
{
    HdId type = hd_inst_type(in);
    HdOperandWalk walk;
    HdOperandPart part;
    bool bfloats;

    if (takes_small(v, in))
        return HD_OK;
    bfloats = computes_bfloat(v, in);
    if (is_not_computed(v, type, bfloats))
        return hd_val_fail_spec(v, in, "type.small-float", SPEC,
                                "such numbers are stored and converted, not computed with");
    hd_operands_start(&walk, &v->m->operand_types, in->w, in->nwords);
    while (hd_operands_next(&walk, &part)) {
        type = part.klass == HD_OPERAND_ID ? hd_module_type_id(v->m, in->w[part.at]) : 0;
        if (is_not_computed(v, type, bfloats))
            return hd_val_fail_spec(v, in, "type.small-float", SPEC,
                                    "numbers such as %u are stored and converted, not "
                                    "computed with",
                                    (unsigned)in->w[part.at]);
    }
    return HD_OK;
}

/* `nested`: how deep structures are nested in each structure, 0 where there are none; NULL before
 * there are some. */
static HdStatus check_depth(HdVal *v, const HdInst *in, uint8_t **nested)
{
    unsigned depth = 0;

    for (uint32_t i = 2; i < in->nwords; i++)
        if (hd_module_opix(v->m, in->w[i]) == HD_OPIX_TypeStruct) {
            unsigned below = *nested != NULL ? (*nested)[in->w[i]] : 0;

            depth = depth > below ? depth : below + 1;
        }
    if (depth == 0)
        return HD_OK;
    if (*nested == NULL)
        HD_TAKE(*nested, HD_NEW(v->pass, uint8_t, v->m->bound));
    if (depth < MAX_STRUCT_DEPTH)
        (*nested)[in->w[1]] = (uint8_t)depth;
    else /* reported once: counting restarts in what contains it */
        (void)hd_val_fail_spec(v, in, "type.struct-depth", "Universal Limits",
                               "structures are nested more than %u deep", MAX_STRUCT_DEPTH);
    return HD_OK;
}

HdStatus hd_val_types(HdVal *v)
{
    uint32_t word = HD_MODULE_FIRST_WORD;
    Seen seen;
    uint8_t *nested = NULL;
    bool ignore = hd_module_has_extension(v->m, "SPV_VALIDATOR_ignore_type_decl_unique");

    if (v->shader && !v->kernel &&
        (hd_val_cap(v, SpvCapabilityUntypedPointersKHR) || hd_val_cap(v, SpvCapabilityAbortKHR)))
        HD_TAKE(v->laid_out, HD_NEW(v->a, uint64_t, HD_BITSET_WORDS(v->m->bound)));
    HD_TRY(open_seen(v, &seen));
    for (HdInst in; word < v->m->first_function && hd_module_next(v->m, &word, &in);) {
        const HdType *t;

        if (!hd_gram_forms[in.opix].is_type)
            continue;
        if (!ignore && !hd_type_may_repeat(in.opix))
            let_wait(v, &in, &seen);
        /* What is built may be nested deeper: implementations may support larger limits. */
        if (in.opix == HD_OPIX_TypeStruct && !v->options->to_build)
            HD_TRY(check_depth(v, &in, &nested));
        t = hd_module_type(v->m, in.w[1]);
        if (t != NULL && in.opix != HD_OPIX_TypeForwardPointer)
            note_limited(v, t);
        if (t != NULL && v->laid_out != NULL && has_places(v, t))
            hd_bit_add(v->laid_out, t->id);
        if (t != NULL && v->small == NULL && is_small(v, t)) {
            HD_TAKE(v->small, HD_NEW(v->a, uint64_t, HD_BITSET_WORDS(v->m->bound)));
            HD_TAKE(v->nibbles, HD_NEW(v->a, uint64_t, HD_BITSET_WORDS(v->m->bound)));
        }
        if (t != NULL && v->small != NULL && in.opix != HD_OPIX_TypeForwardPointer)
            note_small(v, t);
    }
    check_waiting(v, &seen);
    return HD_OK;
}

/* Instructions that may take such values, and those that may make them. */
static bool moves_only(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_Store:
    case HD_OPIX_CopyObject:
    case HD_OPIX_FConvert:
    case HD_OPIX_UConvert:
    case HD_OPIX_SConvert: return true;
    default: return false;
    }
}

static bool is_limited_value(const HdVal *v, HdId id)
{
    HdId type = hd_module_type_id(v->m, id);

    return type != 0 && hd_bit_has(v->limited, type);
}

/* Numbers, vectors and matrices of them are moved one by one, never inside structures or arrays. */
static HdStatus limited_move(HdVal *v, const HdInst *in, const HdType *t)
{
    if (t == NULL || !hd_bit_has(v->limited, t->id))
        return HD_OK;
    if (hd_is_numeric(t) || t->kind == HD_T_MATRIX)
        return HD_OK;
    return hd_val_fail_spec(v, in, "type.limited-move", SPEC,
                            "the declared capabilities move narrow numbers and vectors, not what "
                            "holds them");
}

static HdStatus limited_result(HdVal *v, const HdInst *in, const HdType *t)
{
    enum HdInstClass klass = hd_gram_insts[in->opix].klass;

    if (klass == HD_CLASS_Constant_Creation)
        return hd_val_fail_spec(v, in, "type.limited-constant", SPEC,
                                "the declared capabilities store this type but have no "
                                "constants of it");
    if (in->opix == HD_OPIX_Load)
        return limited_move(v, in, t);
    if (moves_only(in->opix) || in->opix == HD_OPIX_Function ||
        in->opix == HD_OPIX_FunctionParameter)
        return HD_OK;
    return hd_val_fail_spec(v, in, "type.limited-use", SPEC,
                            "the declared capabilities store values of this type but do not "
                            "compute them");
}

HdStatus hd_val_limited_uses(HdVal *v, const HdInst *in, const HdOperandTypes *types)
{
    HdId type = hd_inst_type(in);
    enum HdInstClass klass = hd_gram_insts[in->opix].klass;
    bool computes = klass == HD_CLASS_Arithmetic || klass == HD_CLASS_Conversion;
    HdOperandWalk walk;
    HdOperandPart part;

    if (klass == HD_CLASS_Annotation || klass == HD_CLASS_Debug || klass == HD_CLASS_Extension ||
        klass == HD_CLASS_Mode_Setting || klass == HD_CLASS_Type_Declaration)
        return HD_OK;
    if (type != 0 && hd_bit_has(v->limited, type)) {
        if (v->shader)
            HD_TRY(limited_result(v, in, hd_module_type(v->m, type)));
        /* Shipping producers make constants of it. */
        else if (v->kernel && hd_val_opencl(v))
            return (!computes || v->options->to_build ? hd_val_warn : hd_val_fail)(
                v, in, "type.half-value",
                "capability Float16Buffer has pointers to half only; values need Float16");
    }
    if (!v->shader || moves_only(in->opix))
        return HD_OK;
    if (in->opix == HD_OPIX_CopyMemory) {
        const HdType *p = hd_module_type_of(v->m, in->w[1]);

        return limited_move(v, in, hd_is_pointer(p) ? hd_type_element(p) : NULL);
    }
    hd_operands_start(&walk, types, in->w, in->nwords);
    while (hd_operands_next(&walk, &part))
        if (part.klass == HD_OPERAND_ID && is_limited_value(v, in->w[part.at]))
            return hd_val_fail_spec(v, in, "type.limited-use", SPEC,
                                    "the declared capabilities store values such as %u but do "
                                    "not compute with them",
                                    (unsigned)in->w[part.at]);
    return HD_OK;
}
