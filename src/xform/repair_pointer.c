/* xform/repair_pointer.c -- defects of single instructions concerning pointee types.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/bitset.h"
#include "gen/extinst.h"
#include "module/constant.h"
#include "xform/repair_state.h"

/* ---- types that the module lacks ----------------------------------------------------------------
 */

/* Few modules need any. */
HdDeclared *hd_repair_declared(HdRepair *r)
{
    if (!r->knows)
        hd_declared_know(&r->declared, r->m);
    r->knows = true;
    return &r->declared;
}

static HdId half_type(HdRepair *r)
{
    HdId id = hd_declared_type(hd_repair_declared(r), SpvOpTypeFloat, (const uint32_t[]){16}, 1);

    r->new_half = id >= r->m->bound;
    return id;
}

HdId hd_repair_int(HdRepair *r, uint32_t bits)
{
    HdId id = hd_declared_int(hd_repair_declared(r), bits);

    if (bits == 64)
        r->new_int64 = id >= r->m->bound;
    return id;
}

HdId hd_repair_pointer(HdRepair *r, uint32_t storage, HdId pointee)
{
    return hd_declared_pointer(hd_repair_declared(r), storage, pointee);
}

HdId hd_repair_number(HdRepair *r, const HdType *t, uint32_t value)
{
    const uint32_t words[3] = {t->id, value, 0};

    return hd_declared_constant(hd_repair_declared(r), SpvOpConstant, words, t->bits > 32 ? 3 : 2);
}

HdId hd_repair_work_group(HdRepair *r, HdId type)
{
    return hd_declared_constant(hd_repair_declared(r), SpvOpConstant,
                                (const uint32_t[]){type, SpvScopeWorkgroup}, 2);
}

HdId hd_repair_cast(HdRepair *r, SpvOp cast, HdId type, HdId operand)
{
    uint32_t words[3] = {type, r->bound, operand};

    if (hd_module_type_id(r->m, operand) == type)
        return operand;
    r->bound++;
    hd_writer_inst(r->out, cast, words, 3);
    return words[1];
}

/* ---- asynchronous copies ------------------------------------------------------------------------
 */

/* Number of elements and stride of an asynchronous copy in two widths: the narrower is to grow. */
static bool is_mixed_copy(const HdModule *m, const HdInst *in)
{
    const HdType *count, *stride;

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

    for (unsigned depth = 0; depth < HD_MOST_STEPS; depth++) {
        if (t == NULL || t->kind != HD_T_POINTER || is_numbers(hd_type_element(t)) ||
            !hd_module_def(m, pointer, &in) || in.opix != HD_OPIX_Bitcast)
            break;
        pointer = in.w[3];
        t = hd_module_type_of(m, pointer);
    }
    return t != NULL && t->kind == HD_T_POINTER && is_numbers(hd_type_element(t))
               ? hd_type_element(t)
               : NULL;
}

/* The producer gave one or both pointers of an asynchronous copy the type of a whole array or
 * struct: returns the element type, NULL if nothing is wrong or it cannot be determined. */
static const HdType *wrong_copy(const HdModule *m, const HdInst *in)
{
    const HdType *t[2], *element[2];

    for (unsigned i = 0; i < 2; i++) {
        t[i] = hd_module_type_of(m, in->w[4 + i]);
        if (t[i] == NULL || t[i]->kind != HD_T_POINTER || hd_type_element(t[i]) == NULL)
            return NULL;
        element[i] = copied_element(m, in->w[4 + i]);
    }
    if (is_numbers(hd_type_element(t[0])) && is_numbers(hd_type_element(t[1])))
        return NULL;
    return is_numbers(hd_type_element(t[1])) || element[0] == NULL ? element[1] : element[0];
}

HdStatus hd_repair_find_copy(HdRepair *r, const HdInst *in)
{
    const HdType *element = wrong_copy(r->m, in);

    if (is_mixed_copy(r->m, in))
        hd_repair_note(r, HD_SLIP_COPY_SIZE, in->word);
    if (element == NULL)
        return HD_OK;
    hd_repair_note(r, HD_SLIP_COPY_TYPE, in->word);
    (void)hd_repair_pointer(r, hd_module_type_of(r->m, in->w[4])->storage, element->id);
    (void)hd_repair_pointer(r, hd_module_type_of(r->m, in->w[5])->storage, element->id);
    return HD_OK;
}

bool hd_repair_write_copy(HdRepair *r, const HdInst *in)
{
    const HdType *element = wrong_copy(r->m, in);
    bool mixed = is_mixed_copy(r->m, in);
    uint32_t words[8];

    if (element == NULL && !mixed)
        return false;
    memcpy(words, in->w + 1, sizeof words);
    for (unsigned i = 4; element != NULL && i <= 5; i++)
        words[i - 1] = hd_repair_cast(
            r, SpvOpBitcast,
            hd_repair_pointer(r, hd_module_type_of(r->m, in->w[i])->storage, element->id),
            in->w[i]);
    if (mixed) {
        const HdType *count = hd_module_type_of(r->m, in->w[6]);
        const HdType *stride = hd_module_type_of(r->m, in->w[7]);
        HdId wide = count->bits < stride->bits ? stride->id : count->id;

        for (unsigned i = 6; i <= 7; i++)
            words[i - 1] = hd_repair_cast(r, SpvOpUConvert, wide, in->w[i]);
    }
    hd_writer_inst(r->out, in->opcode, words, 8);
    return true;
}

/* ---- vload…, vstore…, fract…, blocks through pointers to another type ---------------------------
 */

/* Of a block that a sub-group reads or writes: likewise. */
static unsigned block_pointer_of(const HdModule *m, const HdInst *in, const HdType **pointee)
{
    bool reads = in->opix == HD_OPIX_SubgroupBlockReadINTEL;
    const HdType *t;

    if (in->opix == HD_OPIX_Subgroup2DBlockLoadTransformINTEL) {
        *pointee = hd_module_type_of(m, in->w[1]); /* words, as the block's sizes are */
        return *pointee != NULL && in->nwords > 10 ? 10 : 0;
    }
    t = reads ? hd_module_type(m, in->w[1]) : hd_module_type_of(m, in->w[2]);

    *pointee = t != NULL ? hd_type_scalar(t) : NULL;
    if (*pointee == NULL)
        return 0;
    return reads ? 3 : 1;
}

/* What the pointer of an instruction has to lead to: word of the pointer, 0 when it is none of
 * those; *pointee is NULL where that is a half. */
static unsigned pointer_of(const HdModule *m, const HdInst *in, const HdType **pointee)
{
    if (in->opix != HD_OPIX_ExtInst)
        return block_pointer_of(m, in, pointee);
    *pointee = NULL;
    if (in->nwords < 7 || hd_module_extset(m, in->w[3]) != HD_EXTSET_OpenCL_std)
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

    if (have == NULL || have->kind != HD_T_POINTER || hd_type_element(have) == NULL)
        return 0;
    if (*pointee == NULL)
        return hd_type_element(have)->kind == HD_T_FLOAT && hd_type_element(have)->bits == 16 ? 0
                                                                                              : at;
    return hd_type_element(have) == *pointee ? 0 : at;
}

/* The type that the pointer should have; no pointee: a half. */
static HdId pointer_to(HdRepair *r, HdId pointer, const HdType *pointee)
{
    return hd_repair_pointer(r, hd_module_type_of(r->m, pointer)->storage,
                             pointee != NULL ? pointee->id : half_type(r));
}

HdStatus hd_repair_find_pointee(HdRepair *r, const HdInst *in)
{
    const HdType *pointee;
    unsigned at = wrong_pointee(r->m, in, &pointee);

    if (at == 0)
        return HD_OK;
    hd_repair_note(r, HD_SLIP_POINTEE, in->word);
    (void)pointer_to(r, in->w[at], pointee);
    return HD_OK;
}

bool hd_repair_write_pointee(HdRepair *r, const HdInst *in)
{
    const HdType *pointee;
    unsigned at = wrong_pointee(r->m, in, &pointee);
    HdId cast;

    if (at == 0)
        return false;
    cast = hd_repair_cast(r, SpvOpBitcast, pointer_to(r, in->w[at], pointee), in->w[at]);
    hd_writer_begin(r->out, in->opcode);
    for (unsigned i = 1; i < in->nwords; i++)
        hd_writer_word(r->out, i == at ? cast : in->w[i]);
    hd_writer_end(r->out);
    return true;
}

/* ---- pointers that are compared, indexes --------------------------------------------------------
 */

/* Pointers that are compared though they lead to different types. */
static bool compares_pointees(const HdModule *m, const HdInst *in)
{
    const HdType *x, *y;

    x = hd_module_type_of(m, in->w[3]);
    y = hd_module_type_of(m, in->w[4]);
    return x != NULL && y != NULL && x != y && x->kind == HD_T_POINTER && y->kind == HD_T_POINTER &&
           x->storage == y->storage;
}

HdStatus hd_repair_find_equal(HdRepair *r, const HdInst *in)
{
    if (compares_pointees(r->m, in))
        hd_repair_note(r, HD_SLIP_POINTER_TYPES, in->word);
    return HD_OK;
}

bool hd_repair_write_equal(HdRepair *r, const HdInst *in)
{
    uint32_t compare[4] = {in->w[1], in->w[2], in->w[3]};

    if (!compares_pointees(r->m, in))
        return false;
    compare[3] = hd_repair_cast(r, SpvOpBitcast, hd_module_type_id(r->m, in->w[3]), in->w[4]);
    hd_writer_inst(r->out, in->opcode, compare, 4);
    return true;
}

/* Word of an access chain's first index. */
static unsigned first_index(enum HdOpix op)
{
    return op == HD_OPIX_PtrAccessChain || op == HD_OPIX_InBoundsPtrAccessChain ? 5 : 4;
}

HdStatus hd_repair_find_index(HdRepair *r, const HdInst *in)
{
    for (unsigned i = first_index(in->opix); i < in->nwords; i++) {
        const HdType *t;

        if (hd_module_opix(r->m, in->w[i]) != HD_OPIX_ConstantNull)
            continue;
        t = hd_module_type_of(r->m, in->w[i]);
        if (t == NULL || t->kind != HD_T_INT)
            continue;
        hd_bit_add(r->null_index, in->w[i]);
        hd_repair_note(r, HD_SLIP_NULL_INDEX, in->word);
    }
    return HD_OK;
}

/* The part of `t` that an index leads to; NULL when that is not known. */
static const HdType *part_of(const HdModule *m, const HdType *t, HdId index)
{
    bool is_zero = hd_module_opix(m, index) == HD_OPIX_ConstantNull;
    uint64_t value = 0;

    if (t->kind != HD_T_STRUCT)
        return hd_type_element(t);
    if (!is_zero && !hd_module_constant_u64(m, index, &value))
        return NULL;
    return value < t->count ? hd_type_member(m, t, (uint32_t)value) : NULL;
}

/* Where the result of an access chain leads to another type than its indexes: what they lead to,
 * else NULL. clang-22 takes the type of the null that a pointer into an array is compared with. */
static const HdType *wrong_result(const HdModule *m, const HdInst *in)
{
    const HdType *result = hd_module_type(m, in->w[1]), *base = hd_module_type_of(m, in->w[3]);
    const HdType *part;

    if (m->addressing == SpvAddressingModelLogical || base == NULL || result == NULL ||
        base->kind != HD_T_POINTER || result->kind != HD_T_POINTER || base->is_untyped ||
        result->is_untyped || base->storage != result->storage)
        return NULL;
    part = hd_type_element(base);
    for (unsigned i = first_index(in->opix); i < in->nwords && part != NULL; i++)
        part = part_of(m, part, in->w[i]);
    return part != hd_type_element(result) ? part : NULL;
}

HdStatus hd_repair_find_result(HdRepair *r, const HdInst *in)
{
    const HdType *part = wrong_result(r->m, in);

    if (part == NULL)
        return HD_OK;
    hd_repair_note(r, HD_SLIP_RESULT, in->word);
    (void)hd_repair_pointer(r, hd_module_type(r->m, in->w[1])->storage, part->id);
    return HD_OK;
}

bool hd_repair_write_result(HdRepair *r, const HdInst *in)
{
    const HdType *part = wrong_result(r->m, in);
    uint32_t cast[3] = {in->w[1], in->w[2], r->bound};

    if (part == NULL)
        return false;
    hd_writer_begin(r->out, in->opcode);
    hd_writer_word(r->out, hd_repair_pointer(r, hd_module_type(r->m, in->w[1])->storage, part->id));
    hd_writer_word(r->out, r->bound++);
    hd_writer_words(r->out, in->w + 3, in->nwords - 3u);
    hd_writer_end(r->out);
    hd_writer_inst(r->out, SpvOpBitcast, cast, 3);
    return true;
}

/* A null that is an index somewhere: the zero of its type. */
bool hd_repair_write_null(HdRepair *r, const HdInst *in)
{
    uint32_t operands[4] = {in->w[1], in->w[2]};

    if (!hd_bit_has(r->null_index, in->w[2]))
        return false;
    hd_writer_inst(r->out, SpvOpConstant, operands,
                   hd_module_type(r->m, in->w[1])->bits > 32 ? 4 : 3);
    return true;
}
