/* xform/repair.c -- slips of shipping producers, mended before validation.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/repair.h"

#include <string.h>

#include "base/array.h"
#include "base/bitset.h"
#include "gen/extinst.h"
#include "module/cfg.h"
#include "module/constant.h"
#include "module/type.h"

typedef enum Slip {
    BLOCK_ORDER,
    PHI,
    SHIFT,
    WIDTH,
    NULL_INDEX,
    COPY_SIZE,
    COPY_TYPE,
    VARIABLE,
    COUNT,
    SHUFFLE,
    INITIALIZER,
    OFFSET,
    POINTEE,
    EQUAL,
    BROADCAST,
    WEAK,
    SINGLE,
    SLIP_COUNT
} Slip;

#define LLVM_BACK_END 43u /* the tool's number in a module's generator word */

/* A type that the module lacks: a pointer, or the half that it leads to. */
typedef struct NewType {
    uint32_t storage;
    HdId pointee, id;
} NewType;

typedef struct Repair {
    const HdModule *m;
    HdArena *a;
    HdDiags *d;
    HdWriter *out;
    uint32_t bound;
    uint32_t where[SLIP_COUNT]; /* word of the first of its kind; 0 = none */
    uint64_t *null_index;       /* set of ids: integer nulls that choose a member */
    uint32_t **order;           /* [functions] blocks in the order to write, NULL = as they are */
    bool *hoist;                /* [functions] variables go to the front of the first block */
    HD_ARRAY(NewType) types;    /* written behind the module's own */
    HdId half;                  /* that is new, or 0 */
} Repair;

static void note(Repair *r, Slip slip, uint32_t word)
{
    if (r->where[slip] == 0)
        r->where[slip] = word;
}

/* ---- finding ------------------------------------------------------------------------------------
 */

static bool is_shift(enum HdOpix op)
{
    return op == HD_OPIX_ShiftLeftLogical || op == HD_OPIX_ShiftRightLogical ||
           op == HD_OPIX_ShiftRightArithmetic;
}

/* Operations whose low bits depend on nothing but their operands' low bits. */
static bool is_low(enum HdOpix op)
{
    return op == HD_OPIX_BitwiseAnd || op == HD_OPIX_BitwiseOr || op == HD_OPIX_BitwiseXor ||
           op == HD_OPIX_IAdd || op == HD_OPIX_ISub || op == HD_OPIX_IMul;
}

/* Is an operand a wider integer than the result? Then the producer dropped a truncation. */
static bool is_wide(const HdModule *m, const HdInst *in, unsigned operand)
{
    const HdType *result, *wide;

    if (!is_low(in->opix) && !(is_shift(in->opix) && operand == 3))
        return false;
    result = hd_module_type(m, in->w[1]);
    wide = hd_module_type_of(m, in->w[operand]);
    return result != NULL && wide != NULL && hd_type_scalar(result)->kind == HD_T_INT &&
           hd_type_scalar(wide)->kind == HD_T_INT && hd_type_lanes(result) == hd_type_lanes(wide) &&
           hd_type_scalar(wide)->bits > hd_type_scalar(result)->bits;
}

static bool has_wide(const HdModule *m, const HdInst *in)
{
    return is_wide(m, in, 3) || is_wide(m, in, 4);
}

/* Number of elements and stride of an asynchronous copy in two widths: the narrower is to grow. */
static bool is_mixed_copy(const HdModule *m, const HdInst *in)
{
    const HdType *count, *stride;

    if (in->opix != HD_OPIX_GroupAsyncCopy)
        return false;
    count = hd_module_type_of(m, in->w[6]);
    stride = hd_module_type_of(m, in->w[7]);
    return count != NULL && stride != NULL && count->kind == HD_T_INT && stride->kind == HD_T_INT &&
           count->bits != stride->bits;
}

static bool is_numbers(const HdType *t)
{
    const HdType *scalar = t != NULL ? hd_type_scalar(t) : NULL;

    return scalar != NULL && (scalar->kind == HD_T_INT || scalar->kind == HD_T_FLOAT);
}

/* What a pointer led to before it was cast to one to something that is no number; NULL. */
static const HdType *copied_element(const HdModule *m, HdId pointer)
{
    const HdType *t = hd_module_type_of(m, pointer);
    HdInst in;

    while (t != NULL && t->kind == HD_T_POINTER && !is_numbers(t->element) &&
           hd_module_def(m, pointer, &in) && in.opix == HD_OPIX_Bitcast) {
        pointer = in.w[3];
        t = hd_module_type_of(m, pointer);
    }
    return t != NULL && t->kind == HD_T_POINTER && is_numbers(t->element) ? t->element : NULL;
}

/* The producer gave both pointers of an asynchronous copy the type of a whole array or struct, or
 * one of them: what the elements are, NULL when nothing is wrong or that cannot be told. */
static const HdType *wrong_copy(const HdModule *m, const HdInst *in)
{
    const HdType *t[2], *element[2];

    if (in->opix != HD_OPIX_GroupAsyncCopy)
        return NULL;
    for (unsigned i = 0; i < 2; i++) {
        t[i] = hd_module_type_of(m, in->w[4 + i]);
        if (t[i] == NULL || t[i]->kind != HD_T_POINTER || t[i]->element == NULL)
            return NULL;
        element[i] = copied_element(m, in->w[4 + i]);
    }
    if (is_numbers(t[0]->element) && is_numbers(t[1]->element))
        return NULL;
    return is_numbers(t[1]->element) || element[0] == NULL ? element[1] : element[0];
}

/* A vector that only capability VectorAnyINTEL allows, in a module without it: the producer made
 * a load shorter. */
static bool is_odd_vector(const HdModule *m, const HdInst *in)
{
    static const uint32_t usual = 1u << 2 | 1u << 3 | 1u << 4 | 1u << 8 | 1u << 16;

    return in->opix == HD_OPIX_TypeVector && in->w[3] > 1 && in->w[3] < 16 &&
           (usual >> in->w[3] & 1) == 0 &&
           !hd_module_has_capability(m, SpvCapabilityVectorAnyINTEL);
}

/* A vector of one component. The producer casts pointers to and from pointers to such ones; a
 * struct lies in memory alike. */
static bool is_single(const HdInst *in)
{
    return in->opix == HD_OPIX_TypeVector && in->w[3] == 1;
}

/* A shuffle that takes nothing from one of its vectors, which has other components: word of that
 * operand, or 0. */
static unsigned foreign_vector(const HdModule *m, const HdInst *in)
{
    const HdType *result, *first;
    uint32_t lanes;

    if (in->opix != HD_OPIX_VectorShuffle)
        return 0;
    result = hd_type_scalar(hd_module_type(m, in->w[1]));
    first = hd_module_type_of(m, in->w[3]);
    if (result == NULL || first == NULL)
        return 0;
    lanes = hd_type_lanes(first);
    for (unsigned side = 0; side < 2; side++) {
        const HdType *t = hd_type_scalar(hd_module_type_of(m, in->w[3 + side]));
        bool used = false;

        for (unsigned i = 5; i < in->nwords; i++)
            used = used || (in->w[i] != UINT32_MAX && (in->w[i] >= lanes) == (side == 1));
        if (t != NULL && t != result && !used)
            return 3 + side;
    }
    return 0;
}

/* What the pointer of an extended instruction has to lead to: word of the pointer, 0 when it is
 * none of those; *pointee is NULL where that is a half. */
static unsigned pointer_of(const HdModule *m, const HdInst *in, const HdType **pointee)
{
    *pointee = NULL;
    if (in->opix != HD_OPIX_ExtInst || in->nwords < 7 ||
        hd_module_extset(m, in->w[3]) != HD_EXTSET_OpenCL_std)
        return 0;
    switch (in->w[4]) {
    case OpenCLstd_vload_half:
    case OpenCLstd_vload_halfn:
    case OpenCLstd_vloada_halfn: return 6;
    case OpenCLstd_vstore_half:
    case OpenCLstd_vstore_half_r:
    case OpenCLstd_vstore_halfn:
    case OpenCLstd_vstore_halfn_r:
    case OpenCLstd_vstorea_halfn:
    case OpenCLstd_vstorea_halfn_r: return in->nwords > 7 ? 7 : 0;
    case OpenCLstd_vloadn: *pointee = hd_type_scalar(hd_module_type(m, in->w[1])); break;
    case OpenCLstd_vstoren: *pointee = hd_type_scalar(hd_module_type_of(m, in->w[5])); break;
    case OpenCLstd_fract:
    case OpenCLstd_modf:
    case OpenCLstd_sincos: *pointee = hd_module_type(m, in->w[1]); break;
    default: return 0;
    }
    if (*pointee == NULL)
        return 0;
    return in->w[4] == OpenCLstd_vstoren ? (in->nwords > 7 ? 7 : 0) : 6;
}

/* Such a pointer that leads to another type: word of it, or 0. */
static unsigned wrong_pointee(const HdModule *m, const HdInst *in, const HdType **pointee)
{
    unsigned at = pointer_of(m, in, pointee);
    const HdType *have = at != 0 ? hd_module_type_of(m, in->w[at]) : NULL;

    if (have == NULL || have->kind != HD_T_POINTER || have->element == NULL)
        return 0;
    if (*pointee == NULL)
        return have->element->kind == HD_T_FLOAT && have->element->bits == 16 ? 0 : at;
    return have->element == *pointee ? 0 : at;
}

/* Pointers that are compared though they lead to different types. */
static bool compares_pointees(const HdModule *m, const HdInst *in)
{
    const HdType *x, *y;

    if (in->opix != HD_OPIX_PtrEqual && in->opix != HD_OPIX_PtrNotEqual)
        return false;
    x = hd_module_type_of(m, in->w[3]);
    y = hd_module_type_of(m, in->w[4]);
    return x != NULL && y != NULL && x != y && x->kind == HD_T_POINTER && y->kind == HD_T_POINTER &&
           x->storage == y->storage;
}

/* A variable at module scope that starts with the null of another type. */
static bool has_foreign_null(const HdModule *m, const HdInst *in)
{
    const HdType *t;

    if (in->opix != HD_OPIX_Variable || in->nwords < 5 || in->w[3] == SpvStorageClassFunction ||
        hd_module_opix(m, in->w[4]) != HD_OPIX_ConstantNull)
        return false;
    t = hd_module_type(m, in->w[1]);
    return t != NULL && t->kind == HD_T_POINTER && t->element != NULL &&
           t->element != hd_module_type_of(m, in->w[4]);
}

/* LLVM's back end writes a constant address as the chain of one index behind a zero, and means
 * bytes whatever the base points to. Where that is bytes, or what they lead to, nothing is wrong.
 */
static bool is_byte_offset(const HdModule *m, const HdInst *in)
{
    const HdType *result, *base;
    uint64_t element;

    if (in->opix != HD_OPIX_SpecConstantOp || m->generator >> 16 != LLVM_BACK_END ||
        in->nwords != 7 ||
        (in->w[3] != SpvOpInBoundsPtrAccessChain && in->w[3] != SpvOpPtrAccessChain) ||
        !hd_module_constant_u64(m, in->w[5], &element) || element != 0)
        return false;
    result = hd_module_type(m, in->w[1]);
    base = hd_module_type_of(m, in->w[4]);
    if (result == NULL || base == NULL || base->kind != HD_T_POINTER || base->element == NULL ||
        result->kind != HD_T_POINTER || result->element == NULL ||
        result->element->kind != HD_T_INT || result->element->bits != 8)
        return false;
    return base->element->kind != HD_T_ARRAY || base->element->element != result->element;
}

static bool repeats_predecessor(const HdInst *in)
{
    if (in->opix != HD_OPIX_Phi)
        return false;
    for (unsigned i = 4; i < in->nwords; i += 2)
        for (unsigned k = 4; k < i; k += 2)
            if (in->w[i] == in->w[k])
                return true;
    return false;
}

static unsigned first_index(enum HdOpix op)
{
    switch (op) {
    case HD_OPIX_AccessChain:
    case HD_OPIX_InBoundsAccessChain: return 4;
    case HD_OPIX_PtrAccessChain:
    case HD_OPIX_InBoundsPtrAccessChain: return 5;
    default: return 0;
    }
}

static void find_null_indexes(Repair *r, const HdInst *in)
{
    unsigned first = first_index(in->opix);

    for (unsigned i = first; first != 0 && i < in->nwords; i++) {
        const HdType *t;

        if (hd_module_opix(r->m, in->w[i]) != HD_OPIX_ConstantNull)
            continue;
        t = hd_module_type_of(r->m, in->w[i]);
        if (t == NULL || t->kind != HD_T_INT)
            continue;
        hd_bit_add(r->null_index, in->w[i]);
        note(r, NULL_INDEX, in->word);
    }
}

static HdStatus find_block_order(Repair *r, uint32_t f)
{
    const HdFunction *fn = &r->m->functions[f];
    HdDiags quiet;
    HdCfg *g = NULL;
    bool wrong = false;
    uint32_t n = 0;
    HdStatus st;

    if (fn->block_count == 0)
        return HD_OK;
    hd_diags_init(&quiet);
    st = hd_cfg_build(r->m, fn, r->a, &quiet, &g);
    hd_diags_drop(&quiet);
    if (st == HD_NO_MEMORY)
        return st;
    if (st != HD_OK)
        return HD_OK; /* validation will say what is wrong */
    for (uint32_t b = 0; b < g->count; b++)
        if (g->idom[b] != HD_NO_BLOCK && g->idom[b] > b)
            wrong = true;
    if (!wrong)
        return HD_OK;
    HD_TAKE(r->order[f], HD_NEW(r->a, uint32_t, g->count));
    for (uint32_t i = 0; i < g->reachable; i++)
        r->order[f][n++] = g->order[i];
    for (uint32_t b = 0; b < g->count; b++)
        if (g->rank[b] == HD_NO_BLOCK)
            r->order[f][n++] = b;
    note(r, BLOCK_ORDER, fn->word);
    return HD_OK;
}

static bool is_variable(enum HdOpix op)
{
    return op == HD_OPIX_Variable || op == HD_OPIX_UntypedVariableKHR;
}

/* A variable behind another instruction of the first block. */
static void find_late_variables(Repair *r, uint32_t f)
{
    const HdFunction *fn = &r->m->functions[f];
    bool behind = false;
    uint32_t word, end;

    if (fn->block_count == 0)
        return;
    word = r->m->blocks[fn->first_block].word;
    end = hd_block_end(r->m, &r->m->blocks[fn->first_block]);
    for (HdInst in; word < end && hd_module_next(r->m, &word, &in);) {
        if (is_variable(in.opix) && behind) {
            r->hoist[f] = true;
            note(r, VARIABLE, in.word);
        }
        behind = behind || !(is_variable(in.opix) || in.opix == HD_OPIX_Label ||
                             in.opix == HD_OPIX_Line || in.opix == HD_OPIX_NoLine);
    }
}

/* The half type and pointer types of a module, or 0. New ones are added while looking for slips. */
static HdId half_type(const Repair *r)
{
    for (HdId id = 1; id < r->m->bound; id++) {
        const HdType *t = hd_module_type(r->m, id);

        if (t != NULL && t->kind == HD_T_FLOAT && t->bits == 16 && t->encoding == 0)
            return id;
    }
    return r->half;
}

static HdId pointer_type(const Repair *r, uint32_t storage, HdId pointee)
{
    for (HdId id = 1; id < r->m->bound; id++) {
        const HdType *t = hd_module_type(r->m, id);

        if (t != NULL && t->kind == HD_T_POINTER && t->storage == storage && t->element != NULL &&
            t->element->id == pointee)
            return id;
    }
    for (size_t i = 0; i < r->types.count; i++)
        if (r->types.at[i].pointee == pointee && r->types.at[i].storage == storage)
            return r->types.at[i].id;
    return 0;
}

static HdStatus need_pointer(Repair *r, uint32_t storage, HdId pointee)
{
    NewType made = {.storage = storage, .pointee = pointee};

    if (pointer_type(r, storage, pointee) != 0)
        return HD_OK;
    made.id = r->bound++;
    HD_TRY_PUSH(r->a, &r->types, made);
    return HD_OK;
}

static HdStatus find_wrong_copy(Repair *r, const HdInst *in)
{
    const HdType *element = wrong_copy(r->m, in);

    if (element == NULL)
        return HD_OK;
    note(r, COPY_TYPE, in->word);
    HD_TRY(need_pointer(r, hd_module_type_of(r->m, in->w[4])->storage, element->id));
    return need_pointer(r, hd_module_type_of(r->m, in->w[5])->storage, element->id);
}

static HdStatus find_wrong_pointee(Repair *r, const HdInst *in)
{
    const HdType *pointee;
    unsigned at = wrong_pointee(r->m, in, &pointee);
    NewType made = {0};

    if (at == 0)
        return HD_OK;
    note(r, POINTEE, in->word);
    made.storage = hd_module_type_of(r->m, in->w[at])->storage;
    made.pointee = pointee != NULL ? pointee->id : half_type(r);
    if (made.pointee == 0) {
        made.pointee = r->half = r->bound++;
        HD_TRY_PUSH(r->a, &r->types, ((NewType){.id = r->half}));
    }
    return need_pointer(r, made.storage, made.pointee);
}

/* OpenCL C lets any value choose the lane; SPIR-V asks for a constant before 1.5. */
static bool is_variable_broadcast(const HdModule *m, const HdInst *in)
{
    enum HdOpix id;

    if (in->opix != HD_OPIX_GroupNonUniformBroadcast || in->nwords < 6 || m->version >= 0x10500)
        return false;
    id = hd_module_opix(m, in->w[5]);
    return id != HD_OPIX_NONE && hd_gram_insts[id].klass != HD_CLASS_Constant_Creation;
}

/* That of the module that is written. */
static uint32_t version(const Repair *r)
{
    return r->where[BROADCAST] != 0 ? 0x10500 : r->m->version;
}

/* The weak form is gone since SPIR-V 1.4; the other one is one that never fails without a reason.
 */
static bool is_late_weak(const Repair *r, const HdInst *in)
{
    return in->opix == HD_OPIX_AtomicCompareExchangeWeak && version(r) >= 0x10400;
}

static HdStatus find_slips(Repair *r)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    HD_TAKE(r->null_index, HD_NEW(r->a, uint64_t, HD_BITSET_WORDS(r->m->bound)));
    HD_TAKE(r->order, HD_NEW(r->a, uint32_t *, r->m->function_count + 1u));
    for (HdInst in; hd_module_next(r->m, &word, &in);) {
        if (in.nwords == 5 && has_wide(r->m, &in))
            note(r, is_shift(in.opix) ? SHIFT : WIDTH, in.word);
        if (repeats_predecessor(&in))
            note(r, PHI, in.word);
        if (is_mixed_copy(r->m, &in))
            note(r, COPY_SIZE, in.word);
        if (is_odd_vector(r->m, &in))
            note(r, COUNT, in.word);
        if (is_single(&in))
            note(r, SINGLE, in.word);
        if (foreign_vector(r->m, &in) != 0)
            note(r, SHUFFLE, in.word);
        if (has_foreign_null(r->m, &in))
            note(r, INITIALIZER, in.word);
        if (is_byte_offset(r->m, &in))
            note(r, OFFSET, in.word);
        if (compares_pointees(r->m, &in))
            note(r, EQUAL, in.word);
        if (is_variable_broadcast(r->m, &in))
            note(r, BROADCAST, in.word);
        if (is_late_weak(r, &in))
            note(r, WEAK, in.word);
        HD_TRY(find_wrong_copy(r, &in));
        HD_TRY(find_wrong_pointee(r, &in));
        find_null_indexes(r, &in);
    }
    HD_TAKE(r->hoist, HD_NEW(r->a, bool, r->m->function_count + 1u));
    for (uint32_t f = 0; f < r->m->function_count; f++) {
        find_late_variables(r, f);
        HD_TRY(find_block_order(r, f));
    }
    return HD_OK;
}

/* ---- writing ------------------------------------------------------------------------------------
 */

static void write_phi(Repair *r, const HdInst *in)
{
    hd_writer_begin(r->out, in->opcode);
    hd_writer_word(r->out, in->w[1]);
    hd_writer_word(r->out, in->w[2]);
    for (unsigned i = 3; i + 1 < in->nwords; i += 2) {
        bool seen = false;

        for (unsigned k = 3; k < i; k += 2)
            seen = seen || in->w[k + 1] == in->w[i + 1];
        if (seen)
            continue;
        hd_writer_word(r->out, in->w[i]);
        hd_writer_word(r->out, in->w[i + 1]);
    }
    hd_writer_end(r->out);
}

static void write_narrowed(Repair *r, const HdInst *in)
{
    uint32_t words[4] = {in->w[1], in->w[2], in->w[3], in->w[4]};

    for (unsigned i = 3; i <= 4; i++) {
        uint32_t convert[3] = {in->w[1], r->bound, in->w[i]};

        if (!is_wide(r->m, in, i))
            continue;
        hd_writer_inst(r->out, SpvOpUConvert, convert, 3);
        words[i - 1] = r->bound++;
    }
    hd_writer_inst(r->out, in->opcode, words, 4);
}

/* The operand, in the type that it should have. */
static HdId write_cast(Repair *r, SpvOp cast, HdId type, HdId operand)
{
    uint32_t words[3] = {type, r->bound, operand};

    if (hd_module_type_id(r->m, operand) == type)
        return operand;
    r->bound++;
    hd_writer_inst(r->out, cast, words, 3);
    return words[1];
}

static void write_copy(Repair *r, const HdInst *in)
{
    const HdType *element = wrong_copy(r->m, in);
    uint32_t words[8];

    memcpy(words, in->w + 1, sizeof words);
    for (unsigned i = 4; element != NULL && i <= 5; i++)
        words[i - 1] = write_cast(
            r, SpvOpBitcast,
            pointer_type(r, hd_module_type_of(r->m, in->w[i])->storage, element->id), in->w[i]);
    if (is_mixed_copy(r->m, in)) {
        const HdType *count = hd_module_type_of(r->m, in->w[6]);
        const HdType *stride = hd_module_type_of(r->m, in->w[7]);
        HdId wide = count->bits < stride->bits ? stride->id : count->id;

        for (unsigned i = 6; i <= 7; i++)
            words[i - 1] = write_cast(r, SpvOpUConvert, wide, in->w[i]);
    }
    hd_writer_inst(r->out, in->opcode, words, 8);
}

static void write_zero(Repair *r, const HdInst *in)
{
    const HdType *t = hd_module_type(r->m, in->w[1]);
    uint32_t operands[4] = {in->w[1], in->w[2], 0, 0};

    hd_writer_inst(r->out, SpvOpConstant, operands, t->bits > 32 ? 4 : 3);
}

static void write_shuffle(Repair *r, const HdInst *in)
{
    unsigned foreign = foreign_vector(r->m, in);

    hd_writer_begin(r->out, in->opcode);
    for (unsigned i = 1; i < in->nwords; i++)
        hd_writer_word(r->out, i == foreign ? in->w[7 - foreign] : in->w[i]);
    hd_writer_end(r->out);
}

static void write_initializer(Repair *r, const HdInst *in)
{
    uint32_t null[2] = {hd_module_type(r->m, in->w[1])->element->id, r->bound++};
    uint32_t variable[4] = {in->w[1], in->w[2], in->w[3], null[1]};

    hd_writer_inst(r->out, SpvOpConstantNull, null, 2);
    hd_writer_inst(r->out, in->opcode, variable, 4);
}

static void write_offset(Repair *r, const HdInst *in)
{
    uint32_t cast[4] = {in->w[1], r->bound++, SpvOpBitcast, in->w[4]};
    uint32_t chain[5] = {in->w[1], in->w[2], in->w[3], cast[1], in->w[6]};

    hd_writer_inst(r->out, SpvOpSpecConstantOp, cast, 4);
    hd_writer_inst(r->out, SpvOpSpecConstantOp, chain, 5);
}

static void write_pointee(Repair *r, const HdInst *in)
{
    const HdType *pointee;
    unsigned at = wrong_pointee(r->m, in, &pointee);
    HdId want = pointee != NULL ? pointee->id : half_type(r);
    uint32_t storage = hd_module_type_of(r->m, in->w[at])->storage;
    uint32_t cast[3] = {pointer_type(r, storage, want), r->bound, in->w[at]};

    r->bound++;
    hd_writer_inst(r->out, SpvOpBitcast, cast, 3);
    hd_writer_begin(r->out, in->opcode);
    for (unsigned i = 1; i < in->nwords; i++)
        hd_writer_word(r->out, i == at ? cast[1] : in->w[i]);
    hd_writer_end(r->out);
}

static void write_equal(Repair *r, const HdInst *in)
{
    uint32_t cast[3] = {hd_module_type_id(r->m, in->w[3]), r->bound++, in->w[4]};
    uint32_t compare[4] = {in->w[1], in->w[2], in->w[3], cast[1]};

    hd_writer_inst(r->out, SpvOpBitcast, cast, 3);
    hd_writer_inst(r->out, in->opcode, compare, 4);
}

/* Since SPIR-V 1.4 an interface names all variables of module scope that are used, in any class; it
 * may name more. */
static void write_entry_point(Repair *r, const HdInst *in)
{
    uint32_t named = 3 + hd_inst_string_words(in, 3), word = HD_MODULE_FIRST_WORD;

    hd_writer_begin(r->out, SpvOpEntryPoint);
    for (uint32_t i = 1; i < named; i++)
        hd_writer_word(r->out, in->w[i]);
    for (HdInst v; word < r->m->first_function && hd_module_next(r->m, &word, &v);)
        if (is_variable(v.opix))
            hd_writer_word(r->out, v.w[2]);
    hd_writer_end(r->out);
}

static void write_types(Repair *r)
{
    for (size_t i = 0; i < r->types.count; i++) {
        const NewType *t = &r->types.at[i];
        uint32_t half[2] = {t->id, 16}, pointer[3] = {t->id, t->storage, t->pointee};

        if (t->pointee == 0)
            hd_writer_inst(r->out, SpvOpTypeFloat, half, 2);
        else
            hd_writer_inst(r->out, SpvOpTypePointer, pointer, 3);
    }
}

static void write_inst(Repair *r, const HdInst *in)
{
    const HdType *pointee;

    if (in->nwords == 5 && has_wide(r->m, in))
        write_narrowed(r, in);
    else if (repeats_predecessor(in))
        write_phi(r, in);
    else if (is_mixed_copy(r->m, in) || wrong_copy(r->m, in) != NULL)
        write_copy(r, in);
    else if (foreign_vector(r->m, in) != 0)
        write_shuffle(r, in);
    else if (has_foreign_null(r->m, in))
        write_initializer(r, in);
    else if (is_byte_offset(r->m, in))
        write_offset(r, in);
    else if (wrong_pointee(r->m, in, &pointee) != 0)
        write_pointee(r, in);
    else if (compares_pointees(r->m, in))
        write_equal(r, in);
    else if (is_single(in))
        hd_writer_inst(r->out, SpvOpTypeStruct, in->w + 1, 2);
    else if (is_late_weak(r, in))
        hd_writer_inst(r->out, SpvOpAtomicCompareExchange, in->w + 1, in->nwords - 1u);
    else if (in->opix == HD_OPIX_EntryPoint && r->m->version < 0x10400 && version(r) >= 0x10400)
        write_entry_point(r, in);
    else if (in->opix == HD_OPIX_ConstantNull && hd_bit_has(r->null_index, in->w[2]))
        write_zero(r, in);
    else
        hd_writer_copy(r->out, in);
}

static void write_range(Repair *r, uint32_t from, uint32_t to)
{
    uint32_t word = from;

    for (HdInst in; word < to && hd_module_next(r->m, &word, &in);)
        write_inst(r, &in);
}

/* Of a range, only the variables and the label, or only the rest. */
static void write_some(Repair *r, uint32_t from, uint32_t to, bool variables)
{
    uint32_t word = from;

    for (HdInst in; word < to && hd_module_next(r->m, &word, &in);)
        if ((is_variable(in.opix) || in.opix == HD_OPIX_Label) == variables)
            write_inst(r, &in);
}

static void write_block(Repair *r, const HdBlock *b, bool hoist)
{
    uint32_t end = hd_block_end(r->m, b);

    if (!hoist) {
        write_range(r, b->word, end);
        return;
    }
    write_some(r, b->word, end, true);
    write_some(r, b->word, end, false);
}

static void write_function(Repair *r, uint32_t f)
{
    const HdFunction *fn = &r->m->functions[f];
    const HdBlock *blocks = &r->m->blocks[fn->first_block];

    if (fn->block_count == 0) {
        write_range(r, fn->word, fn->end);
        return;
    }
    write_range(r, fn->word, blocks[0].word);
    for (uint32_t i = 0; i < fn->block_count; i++) {
        uint32_t b = r->order[f] != NULL ? r->order[f][i] : i;

        write_block(r, &blocks[b], b == 0 && r->hoist[f]);
    }
    write_range(r, hd_block_end(r->m, &blocks[fn->block_count - 1]), fn->end);
}

/* Stands between capabilities and extensions: what new types and vectors of any size need. */
static void write_capabilities(Repair *r)
{
    static const char name[] = "SPV_INTEL_vector_compute";
    uint32_t half = SpvCapabilityFloat16Buffer, any = SpvCapabilityVectorAnyINTEL;

    if (r->half != 0)
        hd_writer_inst(r->out, SpvOpCapability, &half, 1);
    if (r->where[COUNT] == 0)
        return;
    hd_writer_inst(r->out, SpvOpCapability, &any, 1);
    hd_writer_begin(r->out, SpvOpExtension);
    hd_writer_string(r->out, name, strlen(name));
    hd_writer_end(r->out);
}

static void write_module(Repair *r)
{
    uint32_t at = r->m->first_function, word = HD_MODULE_FIRST_WORD;
    HdInst in;

    hd_writer_start(r->out, version(r), r->m->generator, r->bound);
    for (uint32_t next = word; hd_module_next(r->m, &next, &in); word = next)
        if (in.opix != HD_OPIX_Capability)
            break;
    write_range(r, HD_MODULE_FIRST_WORD, word);
    write_capabilities(r);
    write_range(r, word, at);
    write_types(r);
    for (uint32_t f = 0; f < r->m->function_count; f++) {
        /* Lines between functions go along. */
        write_range(r, at, r->m->functions[f].word);
        write_function(r, f);
        at = r->m->functions[f].end;
    }
    write_range(r, at, r->m->nwords);
    hd_writer_set_bound(r->out, r->bound);
}

static void warn(Repair *r, Slip slip)
{
    static const struct {
        const char *rule, *text;
    } texts[SLIP_COUNT] = {
        {"repair.block-order", "blocks stand before the blocks that dominate them; reordered"},
        {"repair.phi", "OpPhi names a predecessor several times; repetitions dropped"},
        {"repair.shift", "the base of a shift is wider than its result; truncated first"},
        {"repair.width", "an operand is wider than the result; taken modulo the result's width"},
        {"repair.null-index", "a struct member is chosen by OpConstantNull; taken as 0"},
        {"repair.copy-size", "number of elements and stride of a copy differ in width; widened"},
        {"repair.copy-type", "an asynchronous copy through pointers to arrays or structs; cast"},
        {"repair.variable", "a variable stands behind other instructions; moved to the front"},
        {"repair.vector-count", "a vector of neither 2, 3, 4, 8 nor 16 components; allowed"},
        {"repair.shuffle", "a vector that a shuffle takes nothing from has other components; left "
                           "out"},
        {"repair.initializer", "a variable starts with the null of another type; taken as its own"},
        {"repair.byte-offset", "a constant chain counts bytes in a larger type; cast first"},
        {"repair.pointee", "a pointer leads to another type than its instruction accesses; cast"},
        {"repair.pointer-types", "pointers to different types are compared; cast"},
        {"repair.broadcast", "the lane that is read from is no constant; taken as SPIR-V 1.5"},
        {"repair.weak", "OpAtomicCompareExchangeWeak behind SPIR-V 1.3; made the other one"},
        {"repair.single", "a vector of one component; taken as a struct of one member"}};
    HdDiag diag = {.severity = HD_WARNING, .rule = texts[slip].rule, .word = r->where[slip]};

    if (r->where[slip] != 0)
        hd_diags_add(r->d, &diag, "%s", texts[slip].text);
}

static HdStatus repair(Repair *r, bool *done)
{
    HD_TRY(find_slips(r));
    for (int s = 0; s < SLIP_COUNT; s++) {
        warn(r, (Slip)s);
        *done = *done || r->where[s] != 0;
    }
    if (!*done)
        return HD_OK;
    write_module(r);
    return r->out->failed ? HD_NO_MEMORY : HD_OK;
}

HdStatus hd_xform_repair(const HdModule *m, HdDiags *d, HdWriter *out, bool *done)
{
    Repair r = {.m = m, .a = hd_arena_open(), .d = d, .out = out, .bound = m->bound};
    HdStatus st;

    *done = false;
    *out = (HdWriter){0};
    if (r.a == NULL)
        return HD_NO_MEMORY;
    st = repair(&r, done);
    hd_arena_drop(r.a);
    if (st != HD_OK)
        hd_writer_free(out);
    return st;
}
