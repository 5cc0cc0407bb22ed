/* xform/repair_constant.c -- defects of constants: parts and start values of other types,
 * addresses.
 *
 * clang-22 derives the type of each constant from its contents: a pointer to a string has that
 * string's type, and a structure of pointers is another structure wherever they lead elsewhere. So
 * tables have parts of other types than they declare. In memory all of them are alike.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/bitset.h"
#include "module/constant.h"
#include "xform/repair_state.h"

/* Tools' numbers in a module's generator word: LLVM's back end, llvm-spirv. */
#define LLVM_BACK_END 43u
#define TRANSLATOR    6u
#define DEPTH         64u /* of composites in each other that are gone through */

/* ---- constants of another type than their place -------------------------------------------------
 */

/* A constant composite whose parts are all in one instruction. */
static bool is_composite(const HdInst *in, const HdType *t)
{
    return (in->opix == HD_OPIX_ConstantComposite || in->opix == HD_OPIX_SpecConstantComposite) &&
           (t->kind == HD_T_ARRAY || t->kind == HD_T_STRUCT) && in->nwords - 3u == hd_type_parts(t);
}

/* So many parts are looked at, and as many written: a constant that is a part of many others is
 * gone through once for each. */
static bool may_look(HdRepair *r, uint32_t parts)
{
    const uint64_t most = 65536 + 4 * (uint64_t)r->m->nwords;

    r->looked += parts + 1;
    return r->looked <= most;
}

/* Can a constant be written as one of this type: does it differ in nothing but in what pointers
 * lead to, and in which null it is? */
static bool can_conform(HdRepair *r, HdId id, const HdType *t, unsigned depth)
{
    const HdType *have = hd_module_type_of(r->m, id);
    HdInst in;

    if (have == t)
        return true;
    if (have == NULL || depth == 0 || !hd_module_def(r->m, id, &in))
        return false;
    if (in.opix == HD_OPIX_ConstantNull)
        return true;
    if (t->kind == HD_T_POINTER && have->kind == HD_T_POINTER)
        return t->storage == have->storage && hd_type_element(t) != NULL &&
               hd_type_element(have) != NULL;
    if (t->kind != have->kind || !is_composite(&in, have) || hd_type_parts(t) != in.nwords - 3u ||
        !may_look(r, in.nwords))
        return false;
    for (uint32_t i = 3; i < in.nwords; i++)
        if (!can_conform(r, in.w[i], hd_type_part(r->m, t, i - 3), depth - 1))
            return false;
    return true;
}

/* The same, for what is no null: these have slips of their own. */
static bool is_foreign(HdRepair *r, HdId id, const HdType *t)
{
    return hd_module_type_of(r->m, id) != t && hd_module_opix(r->m, id) != HD_OPIX_ConstantNull &&
           can_conform(r, id, t, DEPTH);
}

static HdId conform(HdRepair *r, HdId id, const HdType *t);

/* Its parts, then itself: word 0 of its own is left out. */
static HdId conform_parts(HdRepair *r, const HdInst *in, const HdType *t)
{
    uint32_t count = in->nwords - 1u, *words = HD_NEW(r->a, uint32_t, count);

    if (words == NULL) {
        r->out->failed = true;
        return in->w[2];
    }
    for (uint32_t i = 3; i < in->nwords; i++)
        words[i - 1] = conform(r, in->w[i], hd_type_part(r->m, t, i - 3));
    words[0] = t->id;
    words[1] = r->bound++;
    hd_writer_inst(r->out, SpvOpSpecConstantComposite, words, count);
    return words[1];
}

/* The id of a constant in another type: written once for each type. can_conform says that it can
 * be. */
static HdId conform(HdRepair *r, HdId id, const HdType *t)
{
    const uint64_t key = (uint64_t)id << 32 | t->id;
    const uint32_t cast[4] = {t->id, r->bound, SpvOpBitcast, id};
    uint64_t made;
    HdInst in;

    if (hd_module_type_of(r->m, id) == t || !hd_module_def(r->m, id, &in))
        return id;
    if (hd_map_get(&r->conformed, key, &made))
        return (HdId)made;
    if (in.opix == HD_OPIX_ConstantNull) {
        made = r->bound++;
        hd_writer_inst(r->out, SpvOpConstantNull, cast, 2);
    } else if (t->kind == HD_T_POINTER) {
        made = r->bound++;
        hd_writer_inst(r->out, SpvOpSpecConstantOp, cast, 4);
    } else {
        made = conform_parts(r, &in, t);
    }
    if (!hd_map_put(r->a, &r->conformed, key, made))
        r->out->failed = true;
    return (HdId)made;
}

/* ---- addresses as integers ----------------------------------------------------------------------
 *
 * clang-22 casts such an address from its integer type to the same one, and defines the address of
 * a part in a function, behind the constants that contain it.
 */

/* The pointer that an integer is the address of; 0: it is something else. */
static HdId pointer_of(const HdModule *m, HdId id)
{
    HdInst in;

    if (!hd_module_def(m, id, &in))
        return 0;
    if (in.opix == HD_OPIX_ConvertPtrToU && in.nwords == 4)
        return in.w[3];
    return in.opix == HD_OPIX_SpecConstantOp && in.nwords == 5 && in.w[3] == SpvOpConvertPtrToU
               ? in.w[4]
               : 0;
}

/* Is a constant's part, or a start value, such an address that a function defines? */
static bool is_defined_late(const HdModule *m, HdId id)
{
    return hd_module_opix(m, id) == HD_OPIX_ConvertPtrToU && pointer_of(m, id) != 0;
}

/* A cast of an address to its own type. */
static bool is_address_cast(const HdModule *m, const HdInst *in)
{
    return in->nwords == 5 && in->w[3] == SpvOpBitcast && pointer_of(m, in->w[4]) != 0 &&
           hd_module_type(m, in->w[1]) == hd_module_type_of(m, in->w[4]);
}

static void write_address(HdRepair *r, HdId type, HdId result, HdId address)
{
    const uint32_t words[4] = {type, result, SpvOpConvertPtrToU, pointer_of(r->m, address)};

    hd_writer_inst(r->out, SpvOpSpecConstantOp, words, 4);
}

/* The same address as a constant that is written here. */
static HdId early_address(HdRepair *r, HdId id)
{
    const HdId made = r->bound++;

    write_address(r, hd_module_type_of(r->m, id)->id, made, id);
    return made;
}

/* ---- start values -------------------------------------------------------------------------------
 */

/* What a variable at module scope starts with if that has another type; NULL: nothing is wrong. */
static const HdType *foreign_start(HdRepair *r, const HdInst *in, HdSlip *slip)
{
    const HdType *t;

    if (in->nwords < 5 || in->w[3] == SpvStorageClassFunction)
        return NULL;
    t = hd_module_type(r->m, in->w[1]);
    if (t == NULL || t->kind != HD_T_POINTER || hd_type_element(t) == NULL)
        return NULL;
    t = hd_type_element(t);
    *slip = hd_module_opix(r->m, in->w[4]) == HD_OPIX_ConstantNull ? HD_SLIP_INITIALIZER
                                                                   : HD_SLIP_POINTER_PART;
    return hd_module_type_of(r->m, in->w[4]) != t && can_conform(r, in->w[4], t, DEPTH) ? t : NULL;
}

static bool starts_with_address(const HdRepair *r, const HdInst *in)
{
    return in->nwords == 5 && in->w[3] != SpvStorageClassFunction &&
           is_defined_late(r->m, in->w[4]);
}

HdStatus hd_repair_find_initializer(HdRepair *r, const HdInst *in)
{
    HdSlip slip;

    if (starts_with_address(r, in))
        hd_repair_note(r, HD_SLIP_ADDRESS, in->word);
    else if (foreign_start(r, in, &slip) != NULL)
        hd_repair_note(r, slip, in->word);
    return HD_OK;
}

bool hd_repair_write_initializer(HdRepair *r, const HdInst *in)
{
    uint32_t variable[4] = {in->w[1], in->w[2], in->w[3]};
    HdSlip slip;
    const HdType *t = NULL;

    if (starts_with_address(r, in)) {
        variable[3] = early_address(r, in->w[4]);
    } else {
        t = foreign_start(r, in, &slip);
        if (t == NULL)
            return false;
        variable[3] = conform(r, in->w[4], t);
    }
    hd_writer_inst(r->out, in->opcode, variable, 4);
    return true;
}

/* ---- parts of constants -------------------------------------------------------------------------
 */

/* The type that a part of a constant array or struct should have if its value has another; NULL:
 * nothing is wrong. The producer has one null for integers and pointers of the same size. */
static const HdType *foreign_part(HdRepair *r, const HdInst *in, uint32_t part, HdSlip *slip)
{
    const HdType *whole = hd_module_type(r->m, in->w[1]), *t;

    if (whole == NULL || (whole->kind != HD_T_ARRAY && whole->kind != HD_T_STRUCT) ||
        part >= hd_type_parts(whole))
        return NULL;
    t = hd_type_part(r->m, whole, part);
    if (t == hd_module_type_of(r->m, in->w[3 + part]))
        return NULL;
    *slip = HD_SLIP_NULL_PART;
    if (hd_module_opix(r->m, in->w[3 + part]) == HD_OPIX_ConstantNull)
        return t;
    *slip = HD_SLIP_POINTER_PART;
    return is_foreign(r, in->w[3 + part], t) ? t : NULL;
}

/* An address is an OpSpecConstantOp, and so is what a part is cast by: then the whole is one of
 * specialisation constants, and so is every one that it is a part of. */
static bool is_computed(const HdRepair *r, HdId id)
{
    return hd_module_opix(r->m, id) == HD_OPIX_SpecConstantOp || hd_bit_has(r->computed, id);
}

HdStatus hd_repair_find_part(HdRepair *r, const HdInst *in)
{
    bool is_plain = in->opix == HD_OPIX_ConstantComposite;
    HdSlip slip;

    for (uint32_t i = 0; i + 3 < in->nwords; i++) {
        bool foreign = foreign_part(r, in, i, &slip) != NULL;

        const bool is_late = is_defined_late(r->m, in->w[3 + i]);

        if (is_late)
            hd_repair_note(r, HD_SLIP_ADDRESS, in->word);
        if (foreign)
            hd_repair_note(r, slip, in->word);
        if (!is_plain ||
            !(is_late || is_computed(r, in->w[3 + i]) || (foreign && slip == HD_SLIP_POINTER_PART)))
            continue;
        hd_bit_add(r->computed, in->w[2]);
        hd_repair_note(r, HD_SLIP_COMPUTED_PART, in->word);
    }
    return HD_OK;
}

bool hd_repair_write_part(HdRepair *r, const HdInst *in)
{
    uint32_t count = in->nwords - 1u, *words = NULL;
    HdSlip slip;

    if (r->where[HD_SLIP_NULL_PART] == 0 && r->where[HD_SLIP_POINTER_PART] == 0 &&
        r->where[HD_SLIP_COMPUTED_PART] == 0)
        return false;
    words = HD_NEW(r->a, uint32_t, count);
    if (words == NULL) {
        r->out->failed = true;
        return true;
    }
    memcpy(words, in->w + 1, count * sizeof *words);
    for (uint32_t i = 0; i + 3 < in->nwords; i++) {
        const HdType *t = foreign_part(r, in, i, &slip);

        if (is_defined_late(r->m, in->w[3 + i]))
            words[2 + i] = early_address(r, in->w[3 + i]);
        else if (t != NULL)
            words[2 + i] = conform(r, in->w[3 + i], t);
    }
    hd_writer_inst(r->out,
                   hd_bit_has(r->computed, in->w[2]) ? SpvOpSpecConstantComposite : in->opcode,
                   words, count);
    return true;
}

/* ---- addresses ----------------------------------------------------------------------------------
 */

static bool points_to_bytes(const HdType *pointer)
{
    const HdType *t = hd_type_element(pointer);

    return t->kind == HD_T_INT && t->bits == 8;
}

/* The type of bytes if it is declared before an instruction; 0: it is not. */
static HdId bytes_before(HdRepair *r, uint32_t end)
{
    uint32_t word = HD_MODULE_FIRST_WORD;
    HdInst in = {0};

    while (r->bytes_at == 0 && word < r->m->first_function && hd_module_next(r->m, &word, &in))
        if (in.opix == HD_OPIX_TypeInt && in.w[2] == 8)
            r->bytes_at = in.word;
    if (r->bytes_at == 0)
        r->bytes_at = UINT32_MAX; /* there is none */
    return r->bytes_at < end ? r->m->words[r->bytes_at + 1] : 0;
}

/* May a chain with so many words count bytes? llvm-spirv writes bytes without a zero before them;
 * two indexes of its mean what they say. */
static bool may_count_bytes(const HdModule *m, uint32_t nwords)
{
    uint32_t tool = m->generator >> 16;

    return (tool == LLVM_BACK_END && (nwords == 6 || nwords == 7)) ||
           (tool == TRANSLATOR && nwords == 6);
}

/* The number of bytes that a chain counts; false: it has another form. */
static bool byte_offset(const HdModule *m, const HdInst *in, uint64_t *offset)
{
    uint64_t element;

    if (!may_count_bytes(m, in->nwords) ||
        (in->w[3] != SpvOpInBoundsPtrAccessChain && in->w[3] != SpvOpPtrAccessChain) ||
        !hd_module_constant_u64(m, in->w[5], &element))
        return false;
    if (in->nwords == 7)
        return element == 0 && hd_module_constant_u64(m, in->w[6], offset);
    *offset = element; /* as whole variables it would lead behind this one */
    return element != 0 && hd_module_opix(m, in->w[4]) == HD_OPIX_Variable;
}

/* LLVM's back end writes a constant address as a chain with one index, after a zero where the types
 * of base and result differ, and means bytes whatever they point to; llvm-spirv from 17 on does so
 * without a zero. If the base points to that
 * many bytes, nothing is wrong. */
static bool is_byte_offset(HdRepair *r, const HdInst *in)
{
    const HdType *result, *base, *whole;
    const HdModule *m = r->m;
    uint64_t offset;

    if (!byte_offset(m, in, &offset))
        return false;
    result = hd_module_type(m, in->w[1]);
    base = hd_module_type_of(m, in->w[4]);
    if (result == NULL || base == NULL || base->kind != HD_T_POINTER ||
        hd_type_element(base) == NULL || result->kind != HD_T_POINTER ||
        hd_type_element(result) == NULL || result->storage != base->storage)
        return false;
    whole = hd_type_element(base);
    if (m->generator >> 16 == TRANSLATOR && (base == result || !points_to_bytes(result)))
        return false; /* one behind a variable */
    return (whole->kind != HD_T_ARRAY || !points_to_bytes(result) ||
            hd_type_element(whole) != hd_type_element(result) || offset >= hd_type_parts(whole)) &&
           (points_to_bytes(result) || bytes_before(r, in->word) != 0);
}

/* A constant address is cast to or from a generic one, and to another pointee in the same step. */
static bool casts_pointee(const HdModule *m, const HdInst *in)
{
    const HdType *result, *base;

    if (in->nwords != 5 || (in->w[3] != SpvOpGenericCastToPtr && in->w[3] != SpvOpPtrCastToGeneric))
        return false;
    result = hd_module_type(m, in->w[1]);
    base = hd_module_type_of(m, in->w[4]);
    return result != NULL && base != NULL && result->kind == HD_T_POINTER &&
           base->kind == HD_T_POINTER && hd_type_element(result) != NULL &&
           hd_type_element(base) != NULL && hd_type_element(result) != hd_type_element(base);
}

/* A type that stands before an instruction of the module's; written here when there is none. Asked
 * for in the order of instructions. */
static HdId pointer_before(HdRepair *r, uint32_t storage, HdId pointee, uint32_t end)
{
    const uint64_t key = (uint64_t)storage << 32 | pointee;
    uint32_t words[3] = {0, storage, pointee}, word = HD_MODULE_FIRST_WORD;
    uint64_t known;

    if (hd_map_get(&r->pointers, key, &known))
        return (HdId)known;
    for (HdInst in; words[0] == 0 && word < end && hd_module_next(r->m, &word, &in);)
        if (in.opix == HD_OPIX_TypePointer && in.w[2] == storage && in.w[3] == pointee)
            words[0] = in.w[1];
    if (words[0] == 0) {
        words[0] = r->bound++;
        hd_writer_inst(r->out, SpvOpTypePointer, words, 3);
    }
    if (!hd_map_put(r->a, &r->pointers, key, words[0]))
        r->out->failed = true;
    return words[0];
}

static void write_offset(HdRepair *r, const HdInst *in)
{
    const HdType *t = hd_module_type(r->m, in->w[1]);
    uint32_t to = points_to_bytes(t)
                      ? t->id
                      : pointer_before(r, t->storage, bytes_before(r, in->word), in->word);
    const uint32_t cast[4] = {to, r->bound, SpvOpBitcast, in->w[4]};
    uint32_t chain[5] = {to, in->w[2], in->w[3], r->bound, in->w[in->nwords - 1]};
    uint32_t back[4] = {t->id, in->w[2], SpvOpBitcast};

    r->bound++;
    hd_writer_inst(r->out, SpvOpSpecConstantOp, cast, 4);
    if (to != t->id)
        chain[1] = back[3] = r->bound++;
    hd_writer_inst(r->out, SpvOpSpecConstantOp, chain, 5);
    if (to != t->id)
        hd_writer_inst(r->out, SpvOpSpecConstantOp, back, 4);
}

static void write_cast(HdRepair *r, const HdInst *in)
{
    uint32_t storage = hd_module_type_of(r->m, in->w[4])->storage;
    HdId to =
        pointer_before(r, storage, hd_type_element(hd_module_type(r->m, in->w[1]))->id, in->word);
    const uint32_t cast[4] = {to, r->bound, SpvOpBitcast, in->w[4]};
    const uint32_t same[4] = {in->w[1], in->w[2], in->w[3], r->bound};

    r->bound++;
    hd_writer_inst(r->out, SpvOpSpecConstantOp, cast, 4);
    hd_writer_inst(r->out, SpvOpSpecConstantOp, same, 4);
}

HdStatus hd_repair_find_address(HdRepair *r, const HdInst *in)
{
    if (is_byte_offset(r, in))
        hd_repair_note(r, HD_SLIP_BYTE_OFFSET, in->word);
    if (casts_pointee(r->m, in))
        hd_repair_note(r, HD_SLIP_CONSTANT_CAST, in->word);
    if (is_address_cast(r->m, in))
        hd_repair_note(r, HD_SLIP_ADDRESS, in->word);
    return HD_OK;
}

bool hd_repair_write_address(HdRepair *r, const HdInst *in)
{
    bool counts = is_byte_offset(r, in), casts = casts_pointee(r->m, in);

    if (counts)
        write_offset(r, in);
    if (casts)
        write_cast(r, in);
    if (counts || casts || !is_address_cast(r->m, in))
        return counts || casts;
    write_address(r, in->w[1], in->w[2], in->w[4]);
    return true;
}
