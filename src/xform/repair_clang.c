/* xform/repair_clang.c -- built-ins that LLVM's back end (clang-22) translates wrongly.
 *
 * Heddle's own compilation keeps sources from meeting these, so they concern only modules that
 * were compiled elsewhere. Where a form has two meanings, it gets what both of them need.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/bitset.h"
#include "module/constant.h"
#include "module/decoration.h"
#include "module/type.h"
#include "xform/repair_state.h"

static bool is_of_llvm_22(const HdRepair *r)
{
    return r->m->generator == HD_LLVM_22 && !r->is_compiled;
}

static HdId number(HdRepair *r, HdId like, uint32_t value)
{
    return hd_repair_number(r, hd_module_type_of(r->m, like), value);
}

static bool is_int32(const HdModule *m, HdId id)
{
    const HdType *t = hd_module_type_of(m, id);

    return t != NULL && t->kind == HD_T_INT && t->bits == 32;
}

/* ---- loads --------------------------------------------------------------------------------------
 *
 * atomic_load_explicit(p, order) has OpenCL C's order as its scope and SequentiallyConsistent;
 * atomic_load_explicit(p, order, scope) has OpenCL C's order and scope as scope and semantics.
 */

enum { C_ACQUIRE = 2, C_SEQ_CST = 5, C_SCOPES = 5 };

/* What OpenCL C's scopes are: of the work-item (which no load may have), work-group, device, all
 * devices, sub-group. */
static const uint32_t scopes[C_SCOPES] = {SpvScopeWorkgroup, SpvScopeWorkgroup, SpvScopeDevice,
                                          SpvScopeCrossDevice, SpvScopeSubgroup};

#define SEQ_CST SpvMemorySemanticsSequentiallyConsistentMask
#define ACQUIRE SpvMemorySemanticsAcquireMask

/* The order of a load in OpenCL C; one that it must not have is taken as the strongest. */
static uint32_t semantics_of(uint64_t order)
{
    return order == 0 ? 0 : order == C_ACQUIRE ? ACQUIRE : SEQ_CST;
}

/* The scope and semantics that a load ought to have; false: nothing is wrong. */
static bool wrong_load(const HdRepair *r, const HdInst *in, uint32_t *scope, uint32_t *semantics)
{
    uint64_t first, second;

    if (!is_of_llvm_22(r) || !is_int32(r->m, in->w[4]) || !is_int32(r->m, in->w[5]))
        return false;
    *scope = SpvScopeCrossDevice;
    *semantics = SEQ_CST;
    if (!hd_module_constant_u64(r->m, in->w[4], &first) ||
        !hd_module_constant_u64(r->m, in->w[5], &second))
        return true;
    *scope = SpvScopeDevice;
    if (second == SEQ_CST) /* an order alone; the one given is not weakened */
        return first == C_ACQUIRE || first == C_SEQ_CST;
    if (second >= C_SCOPES)
        return false;
    *scope = scopes[second];
    *semantics = semantics_of(first);
    if ((second & 1) != 0 || second == 4 || first == C_SEQ_CST)
        return true; /* nothing that SPIR-V has */
    return first == C_ACQUIRE && second == C_ACQUIRE;
}

HdStatus hd_repair_find_load(HdRepair *r, const HdInst *in)
{
    uint32_t scope, semantics;

    if (!wrong_load(r, in, &scope, &semantics))
        return HD_OK;
    hd_repair_note(r, HD_SLIP_LOAD, in->word);
    (void)number(r, in->w[4], scope);
    (void)number(r, in->w[5], semantics);
    return HD_OK;
}

bool hd_repair_write_load(HdRepair *r, const HdInst *in)
{
    uint32_t words[5] = {in->w[1], in->w[2], in->w[3]}, scope, semantics;

    if (!wrong_load(r, in, &scope, &semantics))
        return false;
    words[3] = number(r, in->w[4], scope);
    words[4] = number(r, in->w[5], semantics);
    hd_writer_inst(r->out, in->opcode, words, 5);
    return true;
}

/* ---- barriers and fences ------------------------------------------------------------------------
 *
 * Flags that are not constant are left out, as if they were 0.
 */

#define ORDERS \
    (ACQUIRE | SEQ_CST | SpvMemorySemanticsReleaseMask | SpvMemorySemanticsAcquireReleaseMask)
#define ALL_MEMORY                                                                        \
    (SpvMemorySemanticsWorkgroupMemoryMask | SpvMemorySemanticsCrossWorkgroupMemoryMask | \
     SpvMemorySemanticsImageMemoryMask)

/* The semantics of a barrier that orders no memory, with all of it; 0: it is none. */
static uint32_t all_memory(const HdRepair *r, HdId semantics)
{
    uint64_t mask;

    if (!is_of_llvm_22(r) || !is_int32(r->m, semantics) ||
        !hd_module_constant_u64(r->m, semantics, &mask) || (mask & ORDERS) == 0 ||
        (mask & ~(uint64_t)ORDERS) != 0)
        return 0;
    return (uint32_t)mask | ALL_MEMORY;
}

HdId hd_repair_semantics(HdRepair *r, HdId semantics)
{
    uint32_t mask = all_memory(r, semantics);

    return mask != 0 ? number(r, semantics, mask) : semantics;
}

/* The word of a barrier's or fence's semantics. */
static unsigned semantics_at(const HdInst *in)
{
    return in->opix == HD_OPIX_MemoryBarrier ? 2 : 3;
}

void hd_repair_note_barrier(HdRepair *r, const HdInst *in)
{
    HdId semantics = in->w[semantics_at(in)];

    if (all_memory(r, semantics) == 0)
        return;
    hd_repair_note(r, HD_SLIP_NO_MEMORY, in->word);
    (void)hd_repair_semantics(r, semantics);
}

HdStatus hd_repair_find_fence(HdRepair *r, const HdInst *in)
{
    hd_repair_note_barrier(r, in);
    return HD_OK;
}

bool hd_repair_write_fence(HdRepair *r, const HdInst *in)
{
    const uint32_t words[2] = {in->w[1], hd_repair_semantics(r, in->w[2])};

    if (words[1] == in->w[2])
        return false;
    hd_writer_inst(r->out, in->opcode, words, 2);
    return true;
}

/* ---- any and all of integers --------------------------------------------------------------------
 *
 * OpenCL C asks for the highest bits; SPIR-V's instructions take booleans.
 */

static const HdType *tested_integers(const HdModule *m, const HdInst *in)
{
    const HdType *t = hd_module_type_of(m, in->w[3]);

    return t != NULL && (t->kind == HD_T_INT || t->kind == HD_T_VECTOR) &&
                   hd_type_scalar(t)->kind == HD_T_INT
               ? t
               : NULL;
}

static HdId null_of(HdRepair *r, const HdType *t)
{
    return hd_declared_constant(hd_repair_declared(r), SpvOpConstantNull, &t->id, 1);
}

static HdId truths(HdRepair *r, HdId boolean, const HdType *t)
{
    const uint32_t words[2] = {boolean, hd_type_lanes(t)};

    return words[1] == 1 ? boolean
                         : hd_declared_type(hd_repair_declared(r), SpvOpTypeVector, words, 2);
}

HdStatus hd_repair_find_any(HdRepair *r, const HdInst *in)
{
    const HdType *t = tested_integers(r->m, in);

    if (t == NULL)
        return HD_OK;
    hd_repair_note(r, HD_SLIP_ANY, in->word);
    (void)null_of(r, t);
    (void)truths(r, in->w[1], t);
    return HD_OK;
}

bool hd_repair_write_any(HdRepair *r, const HdInst *in)
{
    const HdType *t = tested_integers(r->m, in);
    uint32_t less[4] = {0, 0, in->w[3]}, test[3] = {in->w[1], in->w[2]};

    if (t == NULL)
        return false;
    less[0] = truths(r, in->w[1], t);
    less[1] = less[0] == in->w[1] ? in->w[2] : r->bound++;
    less[3] = null_of(r, t);
    hd_writer_inst(r->out, SpvOpSLessThan, less, 4);
    test[2] = less[1];
    if (less[0] != in->w[1])
        hd_writer_inst(r->out, in->opcode, test, 3);
    return true;
}

/* ---- funnel shifts -----------------------------------------------------------------------------
 *
 * LLVM's intrinsics (its optimiser makes them of `(uchar)(a << n | b >> (8 - n))`) become functions
 * that shift by `width - n % width`: by the whole width, which is undefined, where n % width is 0.
 * Less one, behind a shift by one, it is nothing that is left.
 */

#define MOST_LANES 16u /* of vectors that clang makes */

/* Is each component this number? */
static bool is_number(const HdModule *m, HdId id, uint64_t number)
{
    uint64_t value;
    HdInst in;

    if (hd_module_constant_u64(m, id, &value))
        return value == number;
    if (!hd_module_def(m, id, &in) || in.opix != HD_OPIX_ConstantComposite)
        return false;
    for (unsigned i = 3; i < in.nwords; i++)
        if (!hd_module_constant_u64(m, in.w[i], &value) || value != number)
            return false;
    return true;
}

/* The remainder of `width - n % width`, numbers of the shifted type; 0: it is another shift. */
static HdId rest_of_width(const HdModule *m, const HdInst *in)
{
    const HdType *t = hd_module_type(m, in->w[1]);
    HdInst less, rest;
    uint32_t bits;

    if (t == NULL || hd_type_scalar(t)->kind != HD_T_INT || hd_type_lanes(t) > MOST_LANES ||
        !hd_module_def(m, in->w[4], &less) || less.opix != HD_OPIX_ISub ||
        !hd_module_def(m, less.w[4], &rest) || rest.opix != HD_OPIX_UMod)
        return 0;
    bits = hd_type_scalar(t)->bits;
    return hd_module_type_id(m, in->w[3]) == t->id && less.w[1] == t->id && rest.w[1] == t->id &&
                   (bits & (bits - 1)) == 0 && is_number(m, less.w[3], bits) &&
                   is_number(m, rest.w[4], bits)
               ? less.w[4]
               : 0;
}

bool hd_repair_is_funnel(const HdRepair *r, const HdInst *in)
{
    return hd_repair_is_of_llvm(r) && rest_of_width(r->m, in) != 0;
}

/* This number, in each component. */
static HdId splat(HdRepair *r, const HdType *t, uint32_t value)
{
    const HdId one = hd_repair_number(r, hd_type_scalar(t), value);
    uint32_t words[1 + MOST_LANES] = {t->id};

    if (hd_type_lanes(t) == 1)
        return one;
    for (unsigned i = 0; i < hd_type_lanes(t); i++)
        words[1 + i] = one;
    return hd_declared_constant(hd_repair_declared(r), SpvOpConstantComposite, words,
                                1 + hd_type_lanes(t));
}

void hd_repair_note_funnel(HdRepair *r, const HdInst *in)
{
    const HdType *t = hd_module_type(r->m, in->w[1]);

    hd_repair_note(r, HD_SLIP_FUNNEL, in->word);
    (void)splat(r, t, 1);
    (void)splat(r, t, hd_type_scalar(t)->bits - 1);
}

/* The difference as an exclusive or, by which LLVM knows funnel shifts and rotations. */
void hd_repair_write_funnel(HdRepair *r, const HdInst *in)
{
    const HdType *t = hd_module_type(r->m, in->w[1]);
    const HdId base = r->bound++, by = r->bound++;
    const uint32_t first[4] = {t->id, base, in->w[3], splat(r, t, 1)};
    const uint32_t rest[4] = {t->id, by, rest_of_width(r->m, in),
                              splat(r, t, hd_type_scalar(t)->bits - 1)};

    hd_writer_inst(r->out, in->opcode, first, 4);
    hd_writer_inst(r->out, SpvOpBitwiseXor, rest, 4);
    hd_writer_inst(r->out, in->opcode, (const uint32_t[]){t->id, in->w[2], base, by}, 4);
}

/* ---- the data type of an image's channels -------------------------------------------------------
 *
 * get_image_channel_data_type is SPIR-V's enumerant instead of OpenCL's, which is larger by
 * FIRST_TYPE. A module whose code adds that, or compares with SPIR-V's, is right.
 */

#define FIRST_TYPE 0x10d0u
#define LEAST_TYPE 0x1000u /* more than any enumerant of SPIR-V */

static bool is_query(const HdModule *m, HdId id)
{
    return hd_module_opix(m, id) == HD_OPIX_ImageQueryFormat;
}

/* The constant that an instruction's other operand is, sign extended. */
static bool other_operand(const HdModule *m, const HdInst *in, HdId *query, int64_t *value)
{
    if (in->nwords != 5)
        return false;
    for (unsigned i = 3; i <= 4; i++)
        if (is_query(m, in->w[i]) && hd_module_constant_i64(m, in->w[7 - i], value)) {
            *query = in->w[i];
            return true;
        }
    return false;
}

/* Does this instruction take a query's result for SPIR-V's enumerant? */
static bool takes_enumerant(const HdModule *m, const HdInst *in, HdId *query)
{
    int64_t value;

    switch (in->opix) {
    case HD_OPIX_IAdd: return other_operand(m, in, query, &value) && value > -(int64_t)LEAST_TYPE;
    case HD_OPIX_ISub:
    case HD_OPIX_IEqual:
    case HD_OPIX_INotEqual:
    case HD_OPIX_ULessThan:
    case HD_OPIX_ULessThanEqual:
    case HD_OPIX_UGreaterThan:
    case HD_OPIX_UGreaterThanEqual:
    case HD_OPIX_SLessThan:
    case HD_OPIX_SLessThanEqual:
    case HD_OPIX_SGreaterThan:
    case HD_OPIX_SGreaterThanEqual:
        return other_operand(m, in, query, &value) && value < (int64_t)LEAST_TYPE;
    case HD_OPIX_Switch:
        *query = in->w[1];
        return is_query(m, *query) && in->nwords > 4 && in->w[3] < LEAST_TYPE;
    default: return false;
    }
}

/* All queries whose results the module takes for what they are. */
static HdStatus find_enumerants(HdRepair *r)
{
    uint32_t word = r->m->first_function;
    HdId query;

    HD_TAKE(r->enumerants, HD_NEW(r->a, uint64_t, HD_BITSET_WORDS(r->m->bound)));
    for (HdInst in; hd_module_next(r->m, &word, &in);)
        if (takes_enumerant(r->m, &in, &query))
            hd_bit_add(r->enumerants, query);
    return HD_OK;
}

static bool is_wrong_query(const HdRepair *r, const HdInst *in)
{
    return r->enumerants != NULL && !hd_bit_has(r->enumerants, in->w[2]);
}

HdStatus hd_repair_find_query(HdRepair *r, const HdInst *in)
{
    if (!is_of_llvm_22(r) || !is_int32(r->m, in->w[2]))
        return HD_OK;
    if (r->enumerants == NULL)
        HD_TRY(find_enumerants(r));
    if (!is_wrong_query(r, in))
        return HD_OK;
    hd_repair_note(r, HD_SLIP_CHANNEL_TYPE, in->word);
    (void)number(r, in->w[2], FIRST_TYPE);
    return HD_OK;
}

bool hd_repair_write_query(HdRepair *r, const HdInst *in)
{
    const uint32_t query[3] = {in->w[1], r->bound, in->w[3]};
    uint32_t sum[4] = {in->w[1], in->w[2], r->bound};

    if (!is_wrong_query(r, in) || !is_int32(r->m, in->w[2]))
        return false;
    r->bound++;
    sum[3] = number(r, in->w[2], FIRST_TYPE);
    hd_writer_inst(r->out, in->opcode, query, 3);
    hd_writer_inst(r->out, SpvOpIAdd, sum, 4);
    return true;
}

/* ---- copies ------------------------------------------------------------------------------------
 *
 * A local variable that starts with a constant is copied from a variable of the program: with its
 * own alignment, where that one may be decorated with a smaller one. One that starts with zeros,
 * and what lies between members, is copied from an array of zero bytes without a decoration.
 */

HdId hd_repair_variable_of(const HdModule *m, HdId id)
{
    for (unsigned depth = 0; depth < HD_MOST_STEPS; depth++) {
        HdInst in;

        if (!hd_module_def(m, id, &in))
            return 0;
        if (hd_inst_is_variable(&in))
            return id;
        if (in.opix != HD_OPIX_Bitcast && in.opix != HD_OPIX_CopyObject &&
            in.opix != HD_OPIX_PtrCastToGeneric && in.opix != HD_OPIX_GenericCastToPtr)
            return 0;
        id = in.w[3];
    }
    return 0;
}

uint32_t hd_repair_variable_alignment(const HdModule *m, HdId variable)
{
    const HdDecoration *own = hd_module_decoration(m, variable, SpvDecorationAlignment);
    const HdType *t = hd_module_type_of(m, variable);

    if (own != NULL)
        return own->operand_count == 1 ? *hd_decoration_operands(m, own) : 0;
    t = t != NULL && t->kind == HD_T_POINTER && !t->is_untyped ? hd_type_element(t) : NULL;
    return t != NULL ? t->align : 0;
}

/* Which word of a copy states one alignment for both sides that its source does not have, and what
 * that one has; 0: none does. */
static unsigned find_alignment(const HdRepair *r, const HdInst *in, uint32_t *least)
{
    unsigned at = in->opix == HD_OPIX_CopyMemory ? 3 : 4;
    HdId variable = hd_repair_variable_of(r->m, in->w[2]);

    if (r->m->generator != HD_LLVM_22 || variable == 0 || in->nwords != at + 2 ||
        (in->w[at] & SpvMemoryAccessAlignedMask) == 0 ||
        (in->w[at] &
         (SpvMemoryAccessAliasScopeINTELMaskMask | SpvMemoryAccessNoAliasINTELMaskMask |
          SpvMemoryAccessMakePointerAvailableMask | SpvMemoryAccessMakePointerVisibleMask)) != 0)
        return 0;
    *least = hd_repair_variable_alignment(r->m, variable);
    return *least != 0 && in->w[at + 1] > *least ? at + 1 : 0;
}

/* The word with an alignment of 0, which llvm.memcpy without an alignment became; 0: none. */
static unsigned zero_alignment(const HdInst *in)
{
    unsigned at = in->opix == HD_OPIX_CopyMemory ? 3 : 4;

    return in->nwords > at + 1 && (in->w[at] & SpvMemoryAccessAlignedMask) != 0 &&
                   in->w[at + 1] == 0
               ? at + 1
               : 0;
}

HdStatus hd_repair_find_copy_alignment(HdRepair *r, const HdInst *in)
{
    uint32_t least;

    if (zero_alignment(in) != 0)
        hd_repair_note(r, HD_SLIP_ZERO_ALIGNMENT, in->word);
    if (find_alignment(r, in, &least) != 0)
        hd_repair_note(r, HD_SLIP_COPY_ALIGNMENT, in->word);
    return HD_OK;
}

bool hd_repair_write_copy_alignment(HdRepair *r, const HdInst *in)
{
    uint32_t least = 1;
    const unsigned zero = zero_alignment(in), at = zero != 0 ? zero : find_alignment(r, in, &least);
    bool apart;

    if (at == 0)
        return false;
    apart = zero == 0 && hd_repair_version(r) >= 0x10400; /* operands of both sides */
    hd_writer_begin(r->out, in->opcode);
    for (unsigned i = 1; i < in->nwords; i++)
        hd_writer_word(r->out, i == at && !apart ? least : in->w[i]);
    if (apart) { /* the source's */
        hd_writer_word(r->out, in->w[at - 1]);
        hd_writer_word(r->out, least);
    }
    hd_writer_end(r->out);
    return true;
}

/* ---- conversions --------------------------------------------------------------------------------
 */

/* convert_…_sat between integers takes its argument's sign for the other one than its result's;
 * the module does not say which it has. */
HdStatus hd_repair_find_saturation(HdRepair *r, const HdInst *in)
{
    if (is_of_llvm_22(r))
        hd_repair_note(r, HD_SLIP_SATURATION, in->word);
    return HD_OK;
}
