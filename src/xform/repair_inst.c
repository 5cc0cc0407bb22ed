/* xform/repair_inst.c -- defects of single instructions, and the table of repairs by opcode.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "gen/extinst.h"
#include "module/constant.h"
#include "module/decoration.h"
#include "module/type.h"
#include "xform/repair_state.h"

/* ---- operands that are wider than the result ----------------------------------------------------
 */

static bool is_shift(enum HdOpix op)
{
    return op == HD_OPIX_ShiftLeftLogical || op == HD_OPIX_ShiftRightLogical ||
           op == HD_OPIX_ShiftRightArithmetic;
}

/* Is an operand a wider integer than the result? Then the producer dropped a truncation. The low
 * bits of these operations depend on nothing but their operands' low bits. */
static bool is_wide(const HdModule *m, const HdInst *in, unsigned operand)
{
    const HdType *result, *wide;

    if (is_shift(in->opix) && operand == 4)
        return false; /* by how much may be of any width */
    result = hd_module_type(m, in->w[1]);
    wide = hd_module_type_of(m, in->w[operand]);
    return result != NULL && wide != NULL && hd_type_scalar(result)->kind == HD_T_INT &&
           hd_type_scalar(wide)->kind == HD_T_INT && hd_type_lanes(result) == hd_type_lanes(wide) &&
           hd_type_scalar(wide)->bits > hd_type_scalar(result)->bits;
}

static bool has_wide(const HdModule *m, const HdInst *in)
{
    return in->nwords == 5 && (is_wide(m, in, 3) || is_wide(m, in, 4));
}

static HdStatus find_wide(HdRepair *r, const HdInst *in)
{
    if (is_shift(in->opix) && hd_repair_is_funnel(r, in))
        hd_repair_note_funnel(r, in);
    if (has_wide(r->m, in))
        hd_repair_note(r, is_shift(in->opix) ? HD_SLIP_SHIFT : HD_SLIP_WIDTH, in->word);
    return HD_OK;
}

static bool write_narrowed(HdRepair *r, const HdInst *in)
{
    uint32_t words[4] = {in->w[1], in->w[2], in->w[3], in->w[4]};

    if (is_shift(in->opix) && hd_repair_is_funnel(r, in)) {
        hd_repair_write_funnel(r, in);
        return true;
    }
    if (!has_wide(r->m, in))
        return false;
    for (unsigned i = 3; i <= 4; i++)
        if (is_wide(r->m, in, i))
            words[i - 1] = hd_repair_cast(r, SpvOpUConvert, in->w[1], in->w[i]);
    hd_writer_inst(r->out, in->opcode, words, 4);
    return true;
}

/* Two integers of different widths are compared: the wider operand's number, else 0. There, too,
 * the producer dropped a truncation: of `(uchar)(long)x < 167`. */
static unsigned wider_compared(const HdRepair *r, const HdInst *in)
{
    const HdType *a, *b;

    if (!hd_repair_is_of_llvm(r) || in->nwords != 5)
        return 0;
    a = hd_module_type_of(r->m, in->w[3]);
    b = hd_module_type_of(r->m, in->w[4]);
    if (a == NULL || b == NULL || hd_type_lanes(a) != hd_type_lanes(b) ||
        hd_type_scalar(a)->kind != HD_T_INT || hd_type_scalar(b)->kind != HD_T_INT ||
        hd_type_scalar(a)->bits == hd_type_scalar(b)->bits)
        return 0;
    return hd_type_scalar(a)->bits > hd_type_scalar(b)->bits ? 3 : 4;
}

static HdStatus find_compared(HdRepair *r, const HdInst *in)
{
    if (wider_compared(r, in) != 0)
        hd_repair_note(r, HD_SLIP_COMPARED, in->word);
    return in->opix == HD_OPIX_IEqual ? hd_repair_find_bits_equal(r, in) : HD_OK;
}

static bool write_compared(HdRepair *r, const HdInst *in)
{
    const unsigned wider = wider_compared(r, in);
    uint32_t words[4] = {in->w[1], in->w[2], in->w[3], in->w[4]};

    if (wider == 0)
        return in->opix == HD_OPIX_IEqual && hd_repair_write_bits_equal(r, in);
    words[wider - 1] =
        hd_repair_cast(r, SpvOpUConvert, hd_module_type_id(r->m, in->w[7 - wider]), in->w[wider]);
    hd_writer_inst(r->out, in->opcode, words, 4);
    return true;
}

/* A wider integer is put into a vector: the type that it should have, else 0. */
static HdId narrow_part(const HdRepair *r, const HdInst *in)
{
    const HdType *whole = hd_module_type(r->m, in->w[1]), *wide, *part;

    if (!hd_repair_is_of_llvm(r) || whole == NULL || whole->kind != HD_T_VECTOR || in->nwords != 6)
        return 0;
    wide = hd_module_type_of(r->m, in->w[3]);
    part = hd_type_scalar(whole);
    return wide != NULL && wide->kind == HD_T_INT && part->kind == HD_T_INT &&
                   wide->bits > part->bits
               ? part->id
               : 0;
}

static HdStatus find_insert(HdRepair *r, const HdInst *in)
{
    if (narrow_part(r, in) != 0)
        hd_repair_note(r, HD_SLIP_WIDE_PART, in->word);
    return HD_OK;
}

static bool write_insert(HdRepair *r, const HdInst *in)
{
    const HdId part = narrow_part(r, in);
    uint32_t words[5] = {in->w[1], in->w[2], 0, in->w[4], in->w[5]};

    if (part == 0)
        return false;
    words[2] = hd_repair_cast(r, SpvOpUConvert, part, in->w[3]);
    hd_writer_inst(r->out, in->opcode, words, 5);
    return true;
}

/* ---- phis ---------------------------------------------------------------------------------------
 */

#define FEW_PREDECESSORS 8u /* are compared with each other */

static bool has_many(const HdInst *in)
{
    return in->nwords > 3 + 2 * FEW_PREDECESSORS;
}

/* Does a pair before this one name the same predecessor? All pairs are asked for in order, from the
 * first one on. */
static bool is_repetition(HdRepair *r, const HdInst *in, unsigned pair)
{
    HdId predecessor = in->w[pair + 1];
    bool met;

    if (!has_many(in)) {
        for (unsigned k = 3; k < pair; k += 2)
            if (in->w[k + 1] == predecessor)
                return true;
        return false;
    }
    r->phi_scan += pair == 3;
    met = r->met[predecessor] == r->phi_scan;
    r->met[predecessor] = r->phi_scan;
    return met;
}

static bool repeats_predecessor(HdRepair *r, const HdInst *in)
{
    for (unsigned i = 3; i + 1 < in->nwords; i += 2)
        if (is_repetition(r, in, i))
            return true;
    return false;
}

static HdStatus find_phi(HdRepair *r, const HdInst *in)
{
    if (has_many(in) && r->met == NULL)
        HD_TAKE(r->met, HD_NEW(r->a, uint32_t, r->m->bound));
    if (repeats_predecessor(r, in))
        hd_repair_note(r, HD_SLIP_PHI, in->word);
    return HD_OK;
}

static bool write_phi(HdRepair *r, const HdInst *in)
{
    if (!repeats_predecessor(r, in))
        return false;
    hd_writer_begin(r->out, in->opcode);
    hd_writer_word(r->out, in->w[1]);
    hd_writer_word(r->out, in->w[2]);
    for (unsigned i = 3; i + 1 < in->nwords; i += 2) {
        if (is_repetition(r, in, i))
            continue;
        hd_writer_word(r->out, in->w[i]);
        hd_writer_word(r->out, in->w[i + 1]);
    }
    hd_writer_end(r->out);
    return true;
}

/* ---- vectors ------------------------------------------------------------------------------------
 */

/* A vector that only capabilities VectorAnyINTEL and LongVectorEXT allow, in a module without them:
 * the producer made a load shorter. */
static bool is_odd_vector(const HdModule *m, const HdInst *in)
{
    static const uint32_t usual = 1u << 2 | 1u << 3 | 1u << 4 | 1u << 8 | 1u << 16;

    return in->w[3] > 1 && in->w[3] < 16 && (usual >> in->w[3] & 1) == 0 &&
           !hd_module_has_capability(m, SpvCapabilityVectorAnyINTEL) &&
           !hd_module_has_capability(m, SpvCapabilityLongVectorEXT);
}

/* Of one component, which only LongVectorEXT allows. */
static bool is_single(const HdModule *m, const HdInst *in)
{
    return in->w[3] == 1 && !hd_module_has_capability(m, SpvCapabilityLongVectorEXT);
}

static HdStatus find_vector(HdRepair *r, const HdInst *in)
{
    if (is_odd_vector(r->m, in))
        hd_repair_note(r, HD_SLIP_VECTOR_COUNT, in->word);
    if (is_single(r->m, in))
        hd_repair_note(r, HD_SLIP_SINGLE, in->word);
    return HD_OK;
}

/* A shuffle that takes nothing from one of its vectors, which has other components: word of that
 * operand, or 0. */
static unsigned foreign_vector(const HdModule *m, const HdInst *in)
{
    const HdType *result, *first;
    uint32_t lanes;

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

static HdStatus find_shuffle(HdRepair *r, const HdInst *in)
{
    if (foreign_vector(r->m, in) != 0)
        hd_repair_note(r, HD_SLIP_SHUFFLE, in->word);
    return HD_OK;
}

static bool write_shuffle(HdRepair *r, const HdInst *in)
{
    unsigned foreign = foreign_vector(r->m, in);

    if (foreign == 0)
        return false;
    hd_writer_begin(r->out, in->opcode);
    for (unsigned i = 1; i < in->nwords; i++)
        hd_writer_word(r->out, i == foreign ? in->w[7 - foreign] : in->w[i]);
    hd_writer_end(r->out);
    return true;
}

/* ---- what a later version of SPIR-V allows, or no longer ----------------------------------------
 */

/* OpenCL C lets any value select the lane; SPIR-V requires a constant before 1.5. */
static HdStatus find_broadcast(HdRepair *r, const HdInst *in)
{
    enum HdOpix id;

    if (in->nwords < 6 || r->m->version >= 0x10500)
        return HD_OK;
    id = hd_module_opix(r->m, in->w[5]);
    if (id != HD_OPIX_NONE && hd_gram_insts[id].klass != HD_CLASS_Constant_Creation)
        hd_repair_note(r, HD_SLIP_BROADCAST, in->word);
    return HD_OK;
}

/* work_group_barrier, or half of a split one, with a memory scope: the producer uses it as the
 * execution scope, too. (No barrier has such an execution scope.) */
static bool is_too_wide(const HdModule *m, const HdInst *in)
{
    uint64_t scope;

    return hd_module_constant_u64(m, in->w[1], &scope) && scope != SpvScopeWorkgroup &&
           scope != SpvScopeSubgroup;
}

static HdStatus find_barrier(HdRepair *r, const HdInst *in)
{
    HdInst scope;

    hd_repair_note_barrier(r, in);
    if (!is_too_wide(r->m, in) || !hd_module_def(r->m, in->w[1], &scope))
        return HD_OK;
    hd_repair_note(r, HD_SLIP_BARRIER, in->word);
    (void)hd_repair_work_group(r, scope.w[1]);
    return HD_OK;
}

static bool write_barrier(HdRepair *r, const HdInst *in)
{
    uint32_t words[3] = {in->w[1], in->w[2], hd_repair_semantics(r, in->w[3])};
    bool is_wide = is_too_wide(r->m, in);
    HdInst scope;

    if ((!is_wide && words[2] == in->w[3]) || !hd_module_def(r->m, in->w[1], &scope))
        return false;
    if (is_wide)
        words[0] = hd_repair_work_group(r, scope.w[1]);
    hd_writer_inst(r->out, in->opcode, words, 3);
    return true;
}

/* ---- extended instructions ----------------------------------------------------------------------
 */

#define CLASS 6u /* word of DebugTypePointer */

static bool lacks_class(const HdModule *m, const HdInst *in)
{
    return in->nwords > CLASS && in->w[4] == OpenCLDebugInfo100DebugTypePointer &&
           in->w[CLASS] == UINT32_MAX &&
           hd_module_extset(m, in->w[3]) == HD_EXTSET_OpenCL_DebugInfo_100;
}

#define EXPONENT 6u /* word of ldexp's */

/* ldexp of a vector and one integer, which OpenCL C has and the extended set has not. */
static bool has_one_exponent(const HdModule *m, const HdInst *in)
{
    const HdType *result, *exponent;

    if (in->nwords != EXPONENT + 1 || in->w[4] != OpenCLstd_ldexp ||
        hd_module_extset(m, in->w[3]) != HD_EXTSET_OpenCL_std)
        return false;
    result = hd_module_type(m, in->w[1]);
    exponent = hd_module_type_of(m, in->w[EXPONENT]);
    return result != NULL && result->kind == HD_T_VECTOR && exponent != NULL &&
           exponent->kind == HD_T_INT;
}

/* Component by component: the module may have no vector of such integers. */
static void write_exponent(HdRepair *r, const HdInst *in)
{
    const HdType *result = hd_module_type(r->m, in->w[1]);
    uint32_t first = r->bound, lanes = hd_type_lanes(result), scalar = hd_type_element(result)->id;

    r->bound += 2 * lanes;
    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t component[4] = {scalar, first + i, in->w[5], i};
        uint32_t scaled[6] = {scalar,   first + lanes + i, in->w[3],
                              in->w[4], first + i,         in->w[EXPONENT]};

        hd_writer_inst(r->out, SpvOpCompositeExtract, component, 4);
        hd_writer_inst(r->out, SpvOpExtInst, scaled, 6);
    }
    hd_writer_begin(r->out, SpvOpCompositeConstruct);
    hd_writer_word(r->out, in->w[1]);
    hd_writer_word(r->out, in->w[2]);
    for (uint32_t i = 0; i < lanes; i++)
        hd_writer_word(r->out, first + lanes + i);
    hd_writer_end(r->out);
}

static HdStatus find_ext_inst(HdRepair *r, const HdInst *in)
{
    if (lacks_class(r->m, in))
        hd_repair_note(r, HD_SLIP_DEBUG_CLASS, in->word);
    if (has_one_exponent(r->m, in))
        hd_repair_note(r, HD_SLIP_EXPONENT, in->word);
    return hd_repair_find_pointee(r, in);
}

static bool write_ext_inst(HdRepair *r, const HdInst *in)
{
    if (has_one_exponent(r->m, in)) {
        write_exponent(r, in);
        return true;
    }
    if (!lacks_class(r->m, in))
        return hd_repair_write_pointee(r, in);
    hd_writer_begin(r->out, in->opcode);
    for (unsigned i = 1; i < in->nwords; i++)
        hd_writer_word(r->out, i == CLASS ? SpvStorageClassFunction : in->w[i]);
    hd_writer_end(r->out);
    return true;
}

/* ---- decorations --------------------------------------------------------------------------------
 */

/* convert_uchar_rte(int): the producer takes any _rte and the like for a float's. */
static bool rounds_integer(const HdModule *m, const HdInst *in)
{
    return in->w[2] == SpvDecorationFPRoundingMode &&
           hd_opix_converts_integers(hd_module_opix(m, in->w[1]));
}

/* The id of a group that has all decorations of this one but the rounding mode; 0: there is none.
 */
static HdId unrounded(const HdRepair *r, HdId group)
{
    uint64_t id = 0;

    return hd_map_get(&r->unrounded, group, &id) ? (HdId)id : 0;
}

static bool is_alignment(const HdInst *in)
{
    return in->opix == HD_OPIX_Decorate && in->nwords == 4 && in->w[2] == SpvDecorationAlignment;
}

/* An alignment of 128 bytes as a negative byte. */
static bool is_negative_alignment(const HdInst *in)
{
    return is_alignment(in) && in->w[3] > UINT32_MAX - 128;
}

#define TYPE_ALIGNMENT 128u /* the most of any type */

/* The producer keeps a vector of, say, five components of which a variable chooses one in an array
 * of its own, and leaves its alignment to chance. Of an alignment of 256 bytes and more it writes
 * the lowest byte. */
static bool is_chance_alignment(const HdModule *m, const HdInst *in)
{
    return is_alignment(in) && m->generator == HD_LLVM_22 &&
           (in->w[3] == 0 || (in->w[3] & (in->w[3] - 1)) != 0) &&
           hd_module_opix(m, in->w[1]) == HD_OPIX_Variable;
}

/* The most, but for a work-item's own vectors. */
static uint32_t safe_alignment(const HdModule *m, const HdInst *in)
{
    HdInst variable;

    return in->w[3] != 0 && hd_module_def(m, in->w[1], &variable) &&
                   variable.w[3] == SpvStorageClassFunction
               ? TYPE_ALIGNMENT
               : HD_MOST_ALIGN;
}

/* The variable of the program that a pointer leads into; 0: another thing. */
static HdId object_of(const HdModule *m, HdId id)
{
    HdInst in;

    for (unsigned depth = 0; depth < HD_MOST_STEPS && hd_module_def(m, id, &in); depth++) {
        if (in.opix == HD_OPIX_Variable)
            return in.w[3] == SpvStorageClassCrossWorkgroup ? id : 0;
        switch (in.opix) {
        case HD_OPIX_SpecConstantOp: id = in.nwords > 4 ? in.w[4] : 0; break;
        case HD_OPIX_Bitcast:
        case HD_OPIX_PtrCastToGeneric:
        case HD_OPIX_InBoundsPtrAccessChain: id = in.w[3]; break;
        default: return 0;
        }
    }
    return 0;
}

/* The first object that a function stores to or passes on; 0: none. */
static HdId object_in(const HdModule *m, const HdFunction *fn)
{
    uint32_t word = fn->word;
    HdId object;

    for (HdInst in; word < fn->end && hd_module_next(m, &word, &in);) {
        if (in.opix == HD_OPIX_Store && (object = object_of(m, in.w[1])) != 0)
            return object;
        for (uint32_t i = 4; in.opix == HD_OPIX_FunctionCall && i < in.nwords; i++)
            if ((object = object_of(m, in.w[i])) != 0)
                return object;
    }
    return 0;
}

/* The name of an object that the module's constructors make; "an object" where none shows. */
static const char *constructed_object(const HdModule *m)
{
    static const char *const begins[] = {"_GLOBAL__sub_I_", "__cxx_global_var_init"};

    for (uint32_t f = 0; f < m->function_count; f++) {
        HdInst in;
        uint32_t word = m->functions[f].word;
        const char *name;
        HdId object;

        if (!hd_module_next(m, &word, &in))
            continue;
        name = hd_module_name(m, in.w[2]);
        for (unsigned i = 0; i < 2; i++) {
            if (name == NULL || strncmp(name, begins[i], strlen(begins[i])) != 0)
                continue;
            object = object_in(m, &m->functions[f]);
            if (object != 0 && hd_module_name(m, object) != NULL)
                return hd_module_name(m, object);
        }
    }
    return "an object";
}

/* The producer lists what constructs and destroys objects at program scope in a variable of each
 * function. NULL: this is not the list's decoration. */
static const char *hook_list(const HdModule *m, const HdInst *in)
{
    static const char *const lists[] = {"llvm.global_ctors", "llvm.global_dtors"};

    if (m->generator != HD_LLVM_22 || in->nwords < 8 || in->w[2] != SpvDecorationLinkageAttributes)
        return NULL;
    for (unsigned i = 0; i < 2; i++)
        if (strcmp(hd_inst_string(in, 3), lists[i]) == 0)
            return lists[i];
    return NULL;
}

/* The list is an array; one that is empty, as all has been computed, is something else. */
static HdStatus find_hooks(HdRepair *r, const HdInst *in)
{
    const char *list = hook_list(r->m, in);
    const HdType *t = list != NULL ? hd_module_type_of(r->m, in->w[1]) : NULL;

    if (list == NULL)
        return HD_OK;
    hd_repair_note(r, HD_SLIP_NO_HOOKS, in->word);
    if (t == NULL || t->kind != HD_T_POINTER || hd_type_element(t) == NULL ||
        hd_type_element(t)->kind != HD_T_ARRAY)
        return HD_OK;
    return hd_fail(r->d, HD_BAD_INPUT, in->word, "repair.constructors",
                   "%s has a constructor, a destructor or a computed start value at program scope; "
                   "the module of clang-22 does not say that it is to be run (%s): give Heddle the "
                   "source, or set the object in a kernel",
                   constructed_object(r->m), list);
}

/* A promise not to wrap that is an extension's, which the module does not declare. */
static bool lacks_no_wrap(const HdModule *m, const HdInst *in)
{
    return (in->w[2] == SpvDecorationNoSignedWrap || in->w[2] == SpvDecorationNoUnsignedWrap) &&
           m->version < 0x10400 && !hd_module_has_extension(m, HD_NO_WRAP_EXTENSION);
}

static HdStatus find_decoration(HdRepair *r, const HdInst *in)
{
    HD_TRY(find_hooks(r, in));
    if (is_negative_alignment(in))
        hd_repair_note(r, HD_SLIP_ALIGNMENT, in->word);
    else if (is_chance_alignment(r->m, in))
        hd_repair_note(r, HD_SLIP_NO_ALIGNMENT, in->word);
    if (rounds_integer(r->m, in))
        hd_repair_note(r, HD_SLIP_ROUNDING, in->word);
    if (lacks_no_wrap(r->m, in))
        hd_repair_note(r, HD_SLIP_NO_WRAP, in->word);
    return HD_OK;
}

static bool write_decoration(HdRepair *r, const HdInst *in)
{
    HdId without = unrounded(r, in->w[1]);

    if (rounds_integer(r->m, in) || hook_list(r->m, in) != NULL)
        return true; /* nothing is written in its place */
    if (hd_repair_write_whole_target(r, in))
        return true;
    if (is_negative_alignment(in)) {
        hd_writer_inst(r->out, SpvOpDecorate,
                       (const uint32_t[]){in->w[1], in->w[2], in->w[3] & 0xff}, 3);
        return true;
    }
    if (is_chance_alignment(r->m, in)) {
        hd_writer_inst(r->out, SpvOpDecorate,
                       (const uint32_t[]){in->w[1], in->w[2], safe_alignment(r->m, in)}, 3);
        return true;
    }
    hd_writer_copy(r->out, in);
    if (without != 0 && in->w[2] != SpvDecorationFPRoundingMode) {
        hd_writer_begin(r->out, in->opcode);
        hd_writer_word(r->out, without);
        hd_writer_words(r->out, in->w + 2, in->nwords - 2u);
        hd_writer_end(r->out);
    }
    return true;
}

static bool write_group(HdRepair *r, const HdInst *in)
{
    HdId without = unrounded(r, in->w[1]);

    hd_writer_copy(r->out, in);
    if (without != 0)
        hd_writer_inst(r->out, SpvOpDecorationGroup, &without, 1);
    return true;
}

/* Does the group's i-th target convert between integers? */
static bool converts_integers(const HdRepair *r, const HdInst *in, unsigned i)
{
    return hd_opix_converts_integers(hd_module_opix(r->m, in->w[i]));
}

static HdStatus find_group_decorate(HdRepair *r, const HdInst *in)
{
    uint64_t *without;
    unsigned i = 2;

    while (i < in->nwords && !converts_integers(r, in, i))
        i++;
    if (i == in->nwords ||
        hd_module_decoration(r->m, in->w[1], SpvDecorationFPRoundingMode) == NULL)
        return HD_OK;
    hd_repair_note(r, HD_SLIP_ROUNDING, in->word);
    HD_TAKE(without, hd_map_at(r->a, &r->unrounded, in->w[1]));
    if (*without == 0)
        *without = r->bound++;
    return HD_OK;
}

/* The targets of a group that convert between integers, or all others. */
static void write_targets(HdRepair *r, const HdInst *in, HdId group, bool integers)
{
    hd_writer_begin(r->out, in->opcode);
    hd_writer_word(r->out, group);
    for (unsigned i = 2; i < in->nwords; i++)
        if (converts_integers(r, in, i) == integers)
            hd_writer_word(r->out, in->w[i]);
    hd_writer_end(r->out);
}

static bool write_group_decorate(HdRepair *r, const HdInst *in)
{
    HdId without = unrounded(r, in->w[1]);

    if (without == 0)
        return false;
    write_targets(r, in, in->w[1], false);
    write_targets(r, in, without, true);
    return true;
}

/* ---- conversions of a type to itself ------------------------------------------------------------
 */

/* Zig's back end has one type for all integers of up to 32 bits, and converts between them. */
static bool keeps_type(const HdModule *m, const HdInst *in)
{
    return hd_module_type_of(m, in->w[3]) == hd_module_type(m, in->w[1]) &&
           hd_module_decoration(m, in->w[2], SpvDecorationSaturatedConversion) == NULL &&
           hd_module_decoration(m, in->w[2], SpvDecorationFPRoundingMode) == NULL;
}

static HdStatus find_same(HdRepair *r, const HdInst *in)
{
    if (keeps_type(r->m, in))
        hd_repair_note(r, HD_SLIP_SAME_TYPE, in->word);
    return HD_OK;
}

static bool write_same(HdRepair *r, const HdInst *in)
{
    if (!keeps_type(r->m, in))
        return false;
    hd_writer_inst(r->out, SpvOpCopyObject, in->w + 1, 3);
    return true;
}

/* ---- media blocks -------------------------------------------------------------------------------
 */

/* The producer leaves the operands in the order of the OpenCL C function, the image last. */
static bool has_image_last(const HdModule *m, const HdInst *in)
{
    uint32_t first = in->opix == HD_OPIX_SubgroupImageMediaBlockReadINTEL ? 3 : 1;
    const HdType *t = hd_module_type_of(m, in->w[first]);
    const HdType *last = hd_module_type_of(m, in->w[in->nwords - 1]);

    return t != NULL && t->kind != HD_T_IMAGE && last != NULL && last->kind == HD_T_IMAGE;
}

static HdStatus find_media(HdRepair *r, const HdInst *in)
{
    if (has_image_last(r->m, in))
        hd_repair_note(r, HD_SLIP_MEDIA, in->word);
    return HD_OK;
}

static bool write_media(HdRepair *r, const HdInst *in)
{
    uint32_t first = in->opix == HD_OPIX_SubgroupImageMediaBlockReadINTEL ? 3 : 1, words[7];

    if (!has_image_last(r->m, in) || in->nwords > 7)
        return false;
    for (uint32_t i = 1; i < first; i++)
        words[i] = in->w[i];
    words[first] = in->w[in->nwords - 1];
    for (uint32_t i = first + 1; i < in->nwords; i++)
        words[i] = in->w[i - 1];
    hd_writer_inst(r->out, in->w[0] & 0xffff, words + 1, in->nwords - 1);
    return true;
}

/* ---- what may alias ----------------------------------------------------------------------------
 *
 * The producer writes lists, the scopes in them and the domains of these in no order.
 */

static HdStatus find_aliases(HdRepair *r, const HdInst *in)
{
    HdInst part;

    if (r->aliases == 0)
        r->aliases = in->word;
    for (unsigned i = 2; i < in->nwords; i++)
        if (hd_module_def(r->m, in->w[i], &part) && part.word > in->word)
            hd_repair_note(r, HD_SLIP_ALIAS_ORDER, in->word);
    return HD_OK;
}

/* All of them stand where the first one stood. */
static bool write_aliases(HdRepair *r, const HdInst *in)
{
    static const enum HdOpix order[] = {HD_OPIX_AliasDomainDeclINTEL, HD_OPIX_AliasScopeDeclINTEL,
                                        HD_OPIX_AliasScopeListDeclINTEL};

    if (r->where[HD_SLIP_ALIAS_ORDER] == 0)
        return false;
    for (size_t i = 0; i < sizeof order / sizeof *order && in->word == r->aliases; i++) {
        uint32_t word = in->word;

        for (HdInst next; word < r->m->first_function && hd_module_next(r->m, &word, &next);)
            if (next.opix == order[i])
                hd_writer_copy(r->out, &next);
    }
    return true;
}

/* ---- the table ----------------------------------------------------------------------------------
 */

#define COMPARED                      \
    {                                 \
        find_compared, write_compared \
    }
#define LOW                       \
    {                             \
        find_wide, write_narrowed \
    }
#define CHAIN                                       \
    {                                               \
        hd_repair_find_chain, hd_repair_write_chain \
    }

const HdMender hd_repair_menders[HD_OPIX_COUNT] = {
    [HD_OPIX_Capability] = {hd_repair_find_capability, NULL},
    [HD_OPIX_EntryPoint] = {hd_repair_find_entry_point, hd_repair_write_entry_point},
    [HD_OPIX_Name] = {NULL, hd_repair_write_whole_target},
    [HD_OPIX_Decorate] = {find_decoration, write_decoration},
    [HD_OPIX_DecorateId] = {NULL, write_decoration},
    [HD_OPIX_DecorateString] = {NULL, write_decoration},
    [HD_OPIX_DecorationGroup] = {NULL, write_group},
    [HD_OPIX_GroupDecorate] = {find_group_decorate, write_group_decorate},
    [HD_OPIX_ExecutionMode] = {hd_repair_find_mode, NULL},
    [HD_OPIX_ExecutionModeId] = {hd_repair_find_mode, NULL},
    [HD_OPIX_AliasDomainDeclINTEL] = {find_aliases, write_aliases},
    [HD_OPIX_AliasScopeDeclINTEL] = {find_aliases, write_aliases},
    [HD_OPIX_AliasScopeListDeclINTEL] = {find_aliases, write_aliases},
    [HD_OPIX_TypeVector] = {find_vector, NULL},
    [HD_OPIX_ConstantComposite] = {hd_repair_find_part, hd_repair_write_part},
    [HD_OPIX_SpecConstantComposite] = {hd_repair_find_part, hd_repair_write_part},
    [HD_OPIX_ConstantNull] = {NULL, hd_repair_write_null},
    [HD_OPIX_SpecConstantOp] = {hd_repair_find_address, hd_repair_write_address},
    [HD_OPIX_Variable] = {hd_repair_find_variable, hd_repair_write_variable},
    [HD_OPIX_AccessChain] = CHAIN,
    [HD_OPIX_InBoundsAccessChain] = CHAIN,
    [HD_OPIX_PtrAccessChain] = CHAIN,
    [HD_OPIX_InBoundsPtrAccessChain] = CHAIN,
    [HD_OPIX_PtrEqual] = {hd_repair_find_equal, hd_repair_write_equal},
    [HD_OPIX_PtrNotEqual] = {hd_repair_find_equal, hd_repair_write_equal},
    [HD_OPIX_ShiftLeftLogical] = LOW,
    [HD_OPIX_ShiftRightLogical] = LOW,
    [HD_OPIX_ShiftRightArithmetic] = LOW,
    [HD_OPIX_BitwiseAnd] = LOW,
    [HD_OPIX_BitwiseOr] = LOW,
    [HD_OPIX_BitwiseXor] = LOW,
    [HD_OPIX_IAdd] = LOW,
    [HD_OPIX_ISub] = LOW,
    [HD_OPIX_IMul] = LOW,
    [HD_OPIX_CompositeInsert] = {find_insert, write_insert},
    [HD_OPIX_CompositeExtract] = {hd_repair_find_component, hd_repair_write_component},
    [HD_OPIX_VectorExtractDynamic] = {hd_repair_find_dimension, hd_repair_write_dimension},
    [HD_OPIX_Bitcast] = {hd_repair_find_cast, hd_repair_write_builtin},
    [HD_OPIX_LifetimeStart] = {hd_repair_find_life, NULL},
    [HD_OPIX_CopyObject] = {hd_repair_find_builtin, hd_repair_write_builtin},
    [HD_OPIX_PtrCastToGeneric] = {hd_repair_find_builtin, hd_repair_write_builtin},
    [HD_OPIX_GenericCastToPtr] = {hd_repair_find_builtin, hd_repair_write_builtin},
    [HD_OPIX_VectorShuffle] = {find_shuffle, write_shuffle},
    [HD_OPIX_Phi] = {find_phi, write_phi},
    [HD_OPIX_GroupNonUniformBroadcast] = {find_broadcast, NULL},
    [HD_OPIX_IEqual] = COMPARED,
    [HD_OPIX_INotEqual] = COMPARED,
    [HD_OPIX_ULessThan] = COMPARED,
    [HD_OPIX_ULessThanEqual] = COMPARED,
    [HD_OPIX_UGreaterThan] = COMPARED,
    [HD_OPIX_UGreaterThanEqual] = COMPARED,
    [HD_OPIX_SLessThan] = COMPARED,
    [HD_OPIX_SLessThanEqual] = COMPARED,
    [HD_OPIX_SGreaterThan] = COMPARED,
    [HD_OPIX_SGreaterThanEqual] = COMPARED,
    [HD_OPIX_AtomicCompareExchange] = {hd_repair_find_exchange, hd_repair_write_exchange},
    [HD_OPIX_AtomicCompareExchangeWeak] = {hd_repair_find_weak, hd_repair_write_weak},
    [HD_OPIX_ControlBarrier] = {find_barrier, write_barrier},
    [HD_OPIX_ControlBarrierArriveINTEL] = {find_barrier, write_barrier},
    [HD_OPIX_ControlBarrierWaitINTEL] = {find_barrier, write_barrier},
    [HD_OPIX_MemoryBarrier] = {hd_repair_find_fence, hd_repair_write_fence},
    [HD_OPIX_Load] = {hd_repair_find_aligned, hd_repair_write_aligned},
    [HD_OPIX_Store] = {hd_repair_find_aligned, hd_repair_write_aligned},
    [HD_OPIX_AtomicLoad] = {hd_repair_find_load, hd_repair_write_load},
    [HD_OPIX_Any] = {hd_repair_find_any, hd_repair_write_any},
    [HD_OPIX_All] = {hd_repair_find_any, hd_repair_write_any},
    [HD_OPIX_ImageQueryFormat] = {hd_repair_find_query, hd_repair_write_query},
    [HD_OPIX_SConvert] = {find_same, write_same},
    [HD_OPIX_UConvert] = {find_same, write_same},
    [HD_OPIX_FConvert] = {find_same, write_same},
    [HD_OPIX_SatConvertSToU] = {hd_repair_find_saturation, NULL},
    [HD_OPIX_SatConvertUToS] = {hd_repair_find_saturation, NULL},
    [HD_OPIX_CopyMemory] = {hd_repair_find_copy_alignment, hd_repair_write_copy_alignment},
    [HD_OPIX_CopyMemorySized] = {hd_repair_find_copy_alignment, hd_repair_write_copy_alignment},
    [HD_OPIX_GroupAsyncCopy] = {hd_repair_find_copy, hd_repair_write_copy},
    [HD_OPIX_SubgroupBlockReadINTEL] = {hd_repair_find_pointee, hd_repair_write_pointee},
    [HD_OPIX_SubgroupBlockWriteINTEL] = {hd_repair_find_pointee, hd_repair_write_pointee},
    [HD_OPIX_Subgroup2DBlockLoadTransformINTEL] = {hd_repair_find_pointee, hd_repair_write_pointee},
    [HD_OPIX_SubgroupImageMediaBlockReadINTEL] = {find_media, write_media},
    [HD_OPIX_SubgroupImageMediaBlockWriteINTEL] = {find_media, write_media},
    [HD_OPIX_ExtInst] = {find_ext_inst, write_ext_inst},
    [HD_OPIX_Label] = {hd_repair_find_label, NULL},
    [HD_OPIX_LoopMerge] = {hd_repair_find_merge, hd_repair_write_merge},
    [HD_OPIX_LoopControlINTEL] = {hd_repair_find_loop_control, hd_repair_write_merge},
};
