/* xform/repair_builtin.c -- built-in variables in storage classes of memory, what is derived from
 * their addresses, and dimensions that work-items do not have.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/bitset.h"
#include "module/constant.h"
#include "module/decoration.h"
#include "module/operands.h"
#include "module/type.h"
#include "xform/repair_state.h"

#define TRANSLATOR 6u /* llvm-spirv's number in a module's generator word */

/* ---- variables and the interfaces that name them ------------------------------------------------
 */

/* A built-in variable as translators had it before they agreed on Input, or as those have it whose
 * variables are all in memory; an entry point need not name it. */
static bool is_in_memory(const HdModule *m, const HdInst *in)
{
    const HdType *t = hd_module_type(m, in->w[1]);

    return in->w[3] != SpvStorageClassInput && in->w[3] != SpvStorageClassFunction &&
           !hd_module_has_capability(m, SpvCapabilityShader) && t != NULL &&
           t->kind == HD_T_POINTER && hd_type_element(t) != NULL &&
           hd_module_decoration(m, in->w[2], SpvDecorationBuiltIn) != NULL;
}

/* Pointers to such variables, and those derived from them. */
static HdStatus add_moved(HdRepair *r, HdId id)
{
    if (r->moved == NULL)
        HD_TAKE(r->moved, HD_NEW(r->a, uint64_t, HD_BITSET_WORDS(r->m->bound)));
    hd_bit_add(r->moved, id);
    return HD_OK;
}

static bool is_moved(const HdRepair *r, HdId id)
{
    return r->moved != NULL && id < r->m->bound && hd_bit_has(r->moved, id);
}

HdStatus hd_repair_find_variable(HdRepair *r, const HdInst *in)
{
    if (in->w[3] == SpvStorageClassStorageBuffer && r->m->version < 0x10300 &&
        !hd_module_has_extension(r->m, HD_STORAGE_EXTENSION) &&
        !hd_module_has_extension(r->m, "SPV_KHR_variable_pointers"))
        hd_repair_note(r, HD_SLIP_STORAGE_BUFFER, in->word);
    if (!is_in_memory(r->m, in))
        return hd_repair_find_initializer(r, in);
    hd_repair_note(r, HD_SLIP_BUILTIN, in->word);
    return add_moved(r, in->w[2]);
}

bool hd_repair_write_variable(HdRepair *r, const HdInst *in)
{
    uint32_t pointer[3] = {r->bound, SpvStorageClassInput};
    uint32_t variable[3] = {r->bound, in->w[2], SpvStorageClassInput};

    if (!is_in_memory(r->m, in))
        return hd_repair_write_whole(r, in) || hd_repair_write_initializer(r, in);
    r->bound++;
    pointer[2] = hd_type_element(hd_module_type(r->m, in->w[1]))->id;
    hd_writer_inst(r->out, SpvOpTypePointer, pointer, 3);
    hd_writer_inst(r->out, SpvOpVariable, variable, 3);
    return true;
}

/* May this version's interfaces hold a variable? */
static bool may_be_listed(const HdRepair *r, uint32_t version, const HdInst *in)
{
    return version >= 0x10400 || in->w[3] == SpvStorageClassInput ||
           in->w[3] == SpvStorageClassOutput || is_in_memory(r->m, in);
}

HdStatus hd_repair_find_entry_point(HdRepair *r, const HdInst *in)
{
    HdInst v;

    for (uint32_t i = 3 + hd_inst_string_words(in, 3); i < in->nwords; i++)
        if (hd_module_def(r->m, in->w[i], &v) && hd_inst_is_variable(&v) &&
            !may_be_listed(r, r->m->version, &v))
            hd_repair_note(r, HD_SLIP_INTERFACE, in->word);
    return HD_OK;
}

/* Since SPIR-V 1.4 an interface names all variables of module scope that are used, in any class,
 * before that those in Input; it may name more. */
bool hd_repair_write_entry_point(HdRepair *r, const HdInst *in)
{
    uint32_t named = 3 + hd_inst_string_words(in, 3), word = HD_MODULE_FIRST_WORD;
    uint32_t version = hd_repair_version(r);

    if (r->where[HD_SLIP_BUILTIN] == 0 && r->where[HD_SLIP_INTERFACE] == 0 &&
        (r->m->version >= 0x10400 || version < 0x10400))
        return false;
    hd_writer_begin(r->out, SpvOpEntryPoint);
    for (uint32_t i = 1; i < named; i++)
        hd_writer_word(r->out, in->w[i]);
    for (HdInst v; word < r->m->first_function && hd_module_next(r->m, &word, &v);)
        if (hd_inst_is_variable(&v) && may_be_listed(r, version, &v))
            hd_writer_word(r->out, v.w[2]);
    hd_writer_end(r->out);
    return true;
}

/* ---- pointers derived from them ---------------------------------------------------------------
 */

static const HdType *pointee_of(const HdModule *m, HdId type)
{
    const HdType *t = hd_module_type(m, type);

    return t != NULL && t->kind == HD_T_POINTER ? hd_type_element(t) : NULL;
}

/* A chain, a cast or a copy of a pointer: its operand is word 3. */
HdStatus hd_repair_find_builtin(HdRepair *r, const HdInst *in)
{
    const HdType *pointee = pointee_of(r->m, in->w[1]);

    if (!is_moved(r, in->w[3]) || pointee == NULL)
        return HD_OK;
    (void)hd_repair_pointer(r, SpvStorageClassInput, pointee->id);
    return add_moved(r, in->w[2]);
}

HdStatus hd_repair_find_cast(HdRepair *r, const HdInst *in)
{
    HD_TRY(hd_repair_find_builtin(r, in));
    return hd_repair_find_whole(r, in);
}

HdStatus hd_repair_find_chain(HdRepair *r, const HdInst *in)
{
    HD_TRY(hd_repair_find_builtin(r, in));
    if (!is_moved(r, in->w[3]))
        HD_TRY(hd_repair_find_result(r, in));
    return hd_repair_find_index(r, in);
}

/* The same in Input. A cast that changes nothing any more is a chain without indexes. */
bool hd_repair_write_builtin(HdRepair *r, const HdInst *in)
{
    const HdType *pointee = pointee_of(r->m, in->w[1]);
    uint32_t opcode = in->opcode;

    if (!is_moved(r, in->w[3]) || pointee == NULL)
        return false;
    if (!hd_operands_is_chain(in->opix))
        opcode = pointee == pointee_of(r->m, hd_module_type_id(r->m, in->w[3]))
                     ? SpvOpInBoundsAccessChain
                     : SpvOpBitcast;
    hd_writer_begin(r->out, opcode);
    hd_writer_word(r->out, hd_repair_pointer(r, SpvStorageClassInput, pointee->id));
    hd_writer_words(r->out, in->w + 2, in->nwords - 2u);
    hd_writer_end(r->out);
    return true;
}

bool hd_repair_write_chain(HdRepair *r, const HdInst *in)
{
    return hd_repair_write_builtin(r, in) || hd_repair_write_result(r, in);
}

/* ---- components that are not there --------------------------------------------------------------
 *
 * v.hi.y of a vector of three has no value; get_global_size(5) is 1, get_global_id(5) is 0.
 */

/* Is a value a built-in variable's, with so many dimensions? `rest`: what all others are. */
static bool is_of_builtin(const HdModule *m, HdId value, uint32_t *rest)
{
    const HdDecoration *d;
    HdInst load;

    if (!hd_module_def(m, value, &load) || load.opix != HD_OPIX_Load)
        return false;
    d = hd_module_decoration(m, load.w[3], SpvDecorationBuiltIn);
    if (d == NULL || d->operand_count < 1)
        return false;
    switch (hd_decoration_value(m, d)) {
    case SpvBuiltInGlobalSize:
    case SpvBuiltInWorkgroupSize:
    case SpvBuiltInEnqueuedWorkgroupSize:
    case SpvBuiltInNumWorkgroups: *rest = 1; return true;
    case SpvBuiltInGlobalInvocationId:
    case SpvBuiltInLocalInvocationId:
    case SpvBuiltInWorkgroupId:
    case SpvBuiltInGlobalOffset: *rest = 0; return true;
    default: return false;
    }
}

static bool is_behind(const HdModule *m, const HdInst *in)
{
    const HdType *t = in->nwords == 5 ? hd_module_type_of(m, in->w[3]) : NULL;
    uint32_t rest;

    return t != NULL && t->kind == HD_T_VECTOR && hd_type_lanes(t) == 3 && in->w[4] >= 3 &&
           (in->w[4] == 3 || is_of_builtin(m, in->w[3], &rest));
}

/* A constant of an integer type. */
static const HdType *int_of(const HdModule *m, HdId type)
{
    const HdType *t = hd_module_type(m, type);

    return t != NULL && t->kind == HD_T_INT ? t : NULL;
}

HdStatus hd_repair_find_component(HdRepair *r, const HdInst *in)
{
    const HdType *t = int_of(r->m, in->w[1]);
    uint32_t rest;

    if (!is_behind(r->m, in))
        return HD_OK;
    hd_repair_note(r, HD_SLIP_COMPONENT, in->word);
    if (t != NULL && is_of_builtin(r->m, in->w[3], &rest))
        (void)hd_repair_number(r, t, rest);
    return HD_OK;
}

bool hd_repair_write_component(HdRepair *r, const HdInst *in)
{
    const HdType *t = int_of(r->m, in->w[1]);
    uint32_t copy[3] = {in->w[1], in->w[2]}, rest;

    if (!is_behind(r->m, in))
        return false;
    if (t == NULL || !is_of_builtin(r->m, in->w[3], &rest)) {
        hd_writer_inst(r->out, SpvOpUndef, copy, 2);
        return true;
    }
    copy[2] = hd_repair_number(r, t, rest);
    hd_writer_inst(r->out, SpvOpCopyObject, copy, 3);
    return true;
}

/* Does the translator take a dimension that is not known, of which only the first three have
 * components? Then the type of its number. */
static const HdType *open_dimension(const HdRepair *r, const HdInst *in, uint32_t *rest)
{
    uint64_t known;

    if (r->m->generator >> 16 != TRANSLATOR || int_of(r->m, in->w[1]) == NULL ||
        (hd_module_constant_u64(r->m, in->w[4], &known) && known < 3) ||
        !is_of_builtin(r->m, in->w[3], rest))
        return NULL;
    return int_of(r->m, hd_module_type_id(r->m, in->w[4]));
}

static HdId bool_type(HdRepair *r)
{
    return hd_declared_type(hd_repair_declared(r), SpvOpTypeBool, NULL, 0);
}

HdStatus hd_repair_find_dimension(HdRepair *r, const HdInst *in)
{
    uint32_t rest;
    const HdType *t = open_dimension(r, in, &rest);

    if (t == NULL)
        return HD_OK;
    hd_repair_note(r, HD_SLIP_COMPONENT, in->word);
    (void)bool_type(r);
    (void)hd_repair_number(r, t, 3);
    (void)hd_repair_number(r, t, 0);
    (void)hd_repair_number(r, int_of(r->m, in->w[1]), rest);
    return HD_OK;
}

bool hd_repair_write_dimension(HdRepair *r, const HdInst *in)
{
    uint32_t rest = 0, first = r->bound;
    const HdType *t = open_dimension(r, in, &rest);

    if (t == NULL)
        return false;
    r->bound += 3;
    hd_writer_inst(r->out, SpvOpULessThan,
                   (const uint32_t[]){bool_type(r), first, in->w[4], hd_repair_number(r, t, 3)}, 4);
    hd_writer_inst(r->out, SpvOpSelect,
                   (const uint32_t[]){t->id, first + 1, first, in->w[4], hd_repair_number(r, t, 0)},
                   5);
    hd_writer_inst(r->out, in->opcode, (const uint32_t[]){in->w[1], first + 2, in->w[3], first + 1},
                   4);
    hd_writer_inst(r->out, SpvOpSelect,
                   (const uint32_t[]){in->w[1], in->w[2], first, first + 2,
                                      hd_repair_number(r, int_of(r->m, in->w[1]), rest)},
                   5);
    return true;
}
