/* xform/repair_whole.c -- variables that are declared with a part of their type.
 *
 * clang-22 declares an array of pointers, also one of arrays of them, as its first element, and a
 * pointer that is read byte by byte as a byte. What gives the whole away: the bytes that begin to
 * live (OpLifetimeStart), and casts to arrays of what is declared.
 *
 * The variable gets a new id, an array's type, its names and decorations; a cast behind the
 * variables of the function has the old id, so that no use changes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/repair_state.h"

#define MOST_BYTES (UINT64_C(1) << 30)

/* The variable of a function that a pointer is, maybe cast; 0: another thing. */
static HdId local_variable(const HdModule *m, HdId id, const HdType **declared)
{
    const HdType *pointer;
    HdInst in;

    id = hd_repair_variable_of(m, id);
    if (!hd_module_def(m, id, &in) || in.opix != HD_OPIX_Variable || in.nwords != 4 ||
        in.w[3] != SpvStorageClassFunction)
        return 0;
    pointer = hd_module_type(m, in.w[1]);
    *declared = pointer != NULL && pointer->kind == HD_T_POINTER ? hd_type_element(pointer) : NULL;
    return *declared != NULL && hd_type_size(*declared) != 0 ? id : 0;
}

/* Take that so many bytes are the variable's: the elements of its array, its new id and the type
 * of a pointer to it. */
static HdStatus note_bytes(HdRepair *r, const HdInst *in, HdId variable, const HdType *declared,
                           uint64_t bytes)
{
    uint64_t size = hd_type_size(declared), count = (bytes + size - 1) / size, known = 0;
    uint32_t number[2] = {0}, array[2] = {declared->id};

    if (count < 2 || bytes > MOST_BYTES ||
        (hd_map_get(&r->whole_count, variable, &known) && known >= count))
        return HD_OK;
    hd_repair_note(r, HD_SLIP_WHOLE, in->word);
    number[0] = hd_repair_int(r, 32);
    number[1] = (uint32_t)count;
    array[1] = hd_declared_constant(hd_repair_declared(r), SpvOpConstant, number, 2);
    array[0] = hd_declared_type(hd_repair_declared(r), SpvOpTypeArray, array, 2);
    if (!hd_map_put(r->a, &r->whole_count, variable, count) ||
        !hd_map_put(r->a, &r->whole_type, variable,
                    hd_repair_pointer(r, SpvStorageClassFunction, array[0])))
        return HD_NO_MEMORY;
    return known != 0 || hd_map_put(r->a, &r->whole_id, variable, r->bound++) ? HD_OK
                                                                              : HD_NO_MEMORY;
}

/* OpLifetimeStart. Words: 1 pointer, 2 bytes. */
HdStatus hd_repair_find_life(HdRepair *r, const HdInst *in)
{
    const HdType *declared;
    HdId variable = local_variable(r->m, in->w[1], &declared);

    return variable != 0 ? note_bytes(r, in, variable, declared, in->w[2]) : HD_OK;
}

static const HdType *innermost(const HdType *t)
{
    while (t->kind == HD_T_ARRAY && hd_type_element(t) != NULL)
        t = hd_type_element(t);
    return t;
}

/* A cast of a variable of pointers to an array of what it is declared as. */
HdStatus hd_repair_find_whole(HdRepair *r, const HdInst *in)
{
    const HdType *to = hd_module_type(r->m, in->w[1]), *declared, *part;
    HdId variable = local_variable(r->m, in->w[3], &declared);

    if (variable == 0 || to == NULL || to->kind != HD_T_POINTER || hd_type_element(to) == NULL ||
        innermost(declared)->kind != HD_T_POINTER)
        return HD_OK;
    to = part = hd_type_element(to);
    while (part != declared && part->kind == HD_T_ARRAY && hd_type_element(part) != NULL)
        part = hd_type_element(part);
    return part == declared ? note_bytes(r, in, variable, declared, hd_type_size(to)) : HD_OK;
}

HdId hd_repair_whole_id(const HdRepair *r, HdId variable)
{
    uint64_t id = 0;

    return hd_map_get(&r->whole_id, variable, &id) ? (HdId)id : 0;
}

bool hd_repair_write_whole(HdRepair *r, const HdInst *in)
{
    HdId id = hd_repair_whole_id(r, in->w[2]);
    uint64_t type = 0;

    if (id == 0 || !hd_map_get(&r->whole_type, in->w[2], &type))
        return false;
    hd_writer_inst(r->out, SpvOpVariable,
                   (const uint32_t[]){(HdId)type, id, SpvStorageClassFunction}, 3);
    return true;
}

void hd_repair_write_whole_cast(HdRepair *r, const HdInst *in)
{
    HdId id = hd_repair_whole_id(r, in->w[2]);

    if (id != 0)
        hd_writer_inst(r->out, SpvOpBitcast, (const uint32_t[]){in->w[1], in->w[2], id}, 3);
}

/* OpName and decorations, whose first operand is their target. */
bool hd_repair_write_whole_target(HdRepair *r, const HdInst *in)
{
    HdId id = hd_repair_whole_id(r, in->w[1]);

    if (id == 0)
        return false;
    hd_writer_begin(r->out, in->opcode);
    hd_writer_word(r->out, id);
    hd_writer_words(r->out, in->w + 2, in->nwords - 2u);
    hd_writer_end(r->out);
    return true;
}
