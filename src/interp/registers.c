/* interp/registers.c -- variables that need no memory.
 *
 * Unoptimised code keeps everything in variables. One that is only loaded and stored as a whole,
 * and whose address does not escape, becomes a mutable value of the function: its loads and stores
 * become copies. One that is set once before it is read is replaced by that value. Neither can be
 * accessed from elsewhere, so no check of a checked run is lost: such a value is undefined where
 * its lifetime begins, as memory is.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/registers.h"

#include "module/decoration.h"
#include "module/operands.h"
#include "module/source.h"

/* What is known of a variable. */
struct HdRegister {
    uint8_t state;
    bool is_read_early, is_set_late; /* before its first store; after the first block */
    bool has_ended;                  /* its lifetime, before what was examined last */
    uint32_t stores;
    HdId object; /* last stored; of an ALIAS: the variable */
};

enum { MEMORY, REGISTER, ONCE, ALIAS /* the address of one as another type */ };

static bool is_number(const HdType *t)
{
    t = hd_type_scalar(t);
    return t->kind == HD_T_INT || t->kind == HD_T_FLOAT || t->kind == HD_T_BOOL;
}

static const HdType *content_type(const HdModule *m, const HdInst *variable)
{
    const HdType *t = hd_module_type(m, variable->w[1]);

    return t != NULL && t->kind == HD_T_POINTER && !t->is_untyped ? hd_type_element(t) : NULL;
}

static bool may_be(const HdModule *m, const HdInst *in)
{
    const HdType *t;

    if (in->opix != HD_OPIX_Variable || in->w[3] != SpvStorageClassFunction ||
        hd_module_decoration(m, in->w[2], SpvDecorationVolatile) != NULL)
        return false;
    t = content_type(m, in);
    return t != NULL && hd_type_size(t) != 0 && (is_number(t) || t->kind == HD_T_POINTER);
}

/* Memory operands from word `at` on that promise nothing a variable does not keep anyway. */
static bool is_plain(const HdInst *in, unsigned at, const HdType *t)
{
    uint32_t mask = at < in->nwords ? in->w[at] : 0;

    if ((mask & ~(uint32_t)(SpvMemoryAccessAlignedMask | SpvMemoryAccessNontemporalMask)) != 0)
        return false;
    return (mask & SpvMemoryAccessAlignedMask) == 0 ||
           (at + 1 < in->nwords && in->w[at + 1] <= t->align);
}

static bool is_lifetime(const HdInst *in, const HdType *t)
{
    return (in->opix == HD_OPIX_LifetimeStart || in->opix == HD_OPIX_LifetimeStop) &&
           (in->w[2] == 0 || in->w[2] == hd_type_size(t));
}

/* May a variable of type t be loaded or stored as another one? Compilers call pointers now this,
 * now that. */
static bool is_same(const HdType *t, const HdType *other)
{
    return t == other || (other != NULL && t->kind == HD_T_POINTER && other->kind == HD_T_POINTER &&
                          t->storage == other->storage);
}

/* Look at word `at` of an instruction, which names a variable. */
static void look_at(const HdInterpProgram *p, const HdInst *in, unsigned at, bool is_first)
{
    struct HdRegister *r = &p->registers[in->w[at]];
    bool is_alias = r->state == ALIAS;
    HdId id = is_alias ? r->object : in->w[at];
    const HdModule *m = p->m;
    const HdType *t;
    HdInst variable;

    r = &p->registers[id];
    if (r->state == MEMORY || !hd_module_def(m, id, &variable))
        return;
    t = content_type(m, &variable);
    if (is_lifetime(in, t)) {
        r->has_ended = in->opix == HD_OPIX_LifetimeStop;
        return;
    }
    if (in->opix == HD_OPIX_Bitcast && !is_alias) {
        p->registers[in->w[2]] = (struct HdRegister){.state = ALIAS, .object = id};
    } else if (in->opix == HD_OPIX_Load && is_plain(in, 4, t) &&
               is_same(t, hd_module_type(m, in->w[1]))) {
        r->is_read_early = r->is_read_early || r->stores == 0 || r->has_ended;
    } else if (in->opix == HD_OPIX_Store && at == 1 && in->w[2] != in->w[1] && is_plain(in, 3, t) &&
               is_same(t, hd_module_type_of(m, in->w[2]))) {
        r->stores++;
        r->object = in->w[2];
        r->is_set_late = r->is_set_late || !is_first;
    } else {
        r->state = MEMORY;
    }
}

static void look_at_all(const HdInterpProgram *p, const HdInst *in, bool is_first)
{
    HdOperandWalk walk;
    HdOperandPart part;

    hd_operands_start(&walk, &p->m->operand_types, in->w, in->nwords);
    while (hd_operands_next(&walk, &part))
        if ((part.klass == HD_OPERAND_ID || part.klass == HD_OPERAND_SCOPE_ID ||
             part.klass == HD_OPERAND_SEMANTICS_ID) &&
            in->w[part.at] < p->m->bound)
            look_at(p, in, part.at, is_first);
}

/* A pointer is a value of a register only where it is known which: where it points must be known.
 */
static void settle(HdInterpProgram *p, const HdInst *variable)
{
    struct HdRegister *r = &p->registers[variable->w[2]];

    if (r->state == MEMORY)
        return;
    if (r->stores == 1 && !r->is_read_early && !r->is_set_late && variable->nwords == 4)
        r->state = ONCE;
    else if (!is_number(content_type(p->m, variable)))
        r->state = MEMORY;
}

HdStatus hd_registers_find(HdInterpProgram *p, const HdFunction *f)
{
    const HdModule *m = p->m;
    const HdBlock *first = &m->blocks[f->first_block];
    uint32_t first_end = hd_block_end(m, first);
    HdInst in;

    if (p->registers == NULL)
        HD_TAKE(p->registers, HD_NEW(p->arena, struct HdRegister, m->bound));
    for (uint32_t b = 0; b < f->block_count; b++) {
        const HdBlock *block = first + b;
        uint32_t end = hd_block_end(m, block);

        for (uint32_t word = block->word; word < end && hd_module_next(m, &word, &in);)
            if (b == 0 && may_be(m, &in))
                p->registers[in.w[2]].state = REGISTER;
            else if (!hd_source_is_silent(m, &in))
                look_at_all(p, &in, b == 0);
    }
    for (uint32_t word = first->word; word < first_end && hd_module_next(m, &word, &in);)
        if (in.opix == HD_OPIX_Variable)
            settle(p, &in);
    return HD_OK;
}

/* ---- in other words ------------------------------------------------------------------------- */

static HdStatus say(HdInterpProgram *p, HdInst *in, enum HdOpix opix, SpvOp opcode,
                    const uint32_t *operands, uint16_t count)
{
    uint32_t *w;

    HD_TAKE(w, HD_NEW(p->arena, uint32_t, (size_t)count + 1));
    w[0] = ((uint32_t)count + 1) << 16 | (uint32_t)opcode;
    memcpy(w + 1, operands, count * sizeof *w);
    *in = (HdInst){.opix = opix,
                   .opcode = (uint16_t)opcode,
                   .nwords = (uint16_t)(count + 1),
                   .word = in->word,
                   .w = w};
    return HD_OK;
}

static HdStatus copy(HdInterpProgram *p, HdInst *in, HdId type, HdId to, HdId from)
{
    return say(p, in, HD_OPIX_CopyObject, SpvOpCopyObject, (const uint32_t[]){type, to, from}, 3);
}

/* The variable that an instruction is about; 0 = none that is no memory. */
static HdId subject(const HdInterpProgram *p, const HdInst *in)
{
    HdId id;

    switch (in->opix) {
    case HD_OPIX_Store:
    case HD_OPIX_LifetimeStart:
    case HD_OPIX_LifetimeStop: id = in->w[1]; break;
    case HD_OPIX_Variable: id = in->w[2]; break;
    case HD_OPIX_Load:
    case HD_OPIX_Bitcast: id = in->w[3]; break;
    default: return 0;
    }
    if (p->registers[id].state == ALIAS)
        id = p->registers[id].object;
    return p->registers[id].state != MEMORY ? id : 0;
}

HdStatus hd_registers_rewrite(HdInterpProgram *p, HdInst *in, bool *is_gone)
{
    HdId id = p->registers != NULL ? subject(p, in) : 0, type;
    const struct HdRegister *r;

    *is_gone = false;
    if (id == 0)
        return HD_OK;
    r = &p->registers[id];
    if (in->opix == HD_OPIX_Load)
        return copy(p, in, in->w[1], in->w[2], r->state == ONCE ? r->object : id);
    *is_gone = r->state == ONCE || in->opix == HD_OPIX_Bitcast;
    if (*is_gone)
        return HD_OK;
    type = hd_type_element(hd_module_type_of(p->m, id))->id;
    if (in->opix == HD_OPIX_Store)
        return copy(p, in, type, id, in->w[2]);
    if (in->opix == HD_OPIX_Variable && in->nwords > 4)
        return copy(p, in, type, id, in->w[4]);
    return say(p, in, HD_OPIX_Undef, SpvOpUndef, (const uint32_t[]){type, id}, 2);
}

HdId hd_registers_content(const HdInterpProgram *p, const HdInst *load)
{
    HdId id = p->registers != NULL && load->opix == HD_OPIX_Load ? subject(p, load) : 0;

    return id != 0 && p->registers[id].state == ONCE ? p->registers[id].object : 0;
}

/* A vector of 3 has no fourth component. */
static uint32_t accessed_bytes(const HdType *t)
{
    return (uint32_t)(t->kind == HD_T_VECTOR ? t->count * hd_type_size(hd_type_element(t))
                                             : hd_type_size(t));
}

void hd_registers_bytes(const HdInterpProgram *p, const HdInst *in, uint32_t *loaded,
                        uint32_t *stored)
{
    const HdId id = p->registers != NULL ? subject(p, in) : 0;
    const HdType *t = id != 0 ? hd_type_element(hd_module_type_of(p->m, id)) : NULL;

    *loaded = t != NULL && in->opix == HD_OPIX_Load ? accessed_bytes(t) : 0;
    *stored = t == NULL                                        ? 0
              : in->opix == HD_OPIX_Store                      ? accessed_bytes(t)
              : in->opix == HD_OPIX_Variable && in->nwords > 4 ? (uint32_t)hd_type_size(t)
                                                               : 0;
}

bool hd_registers_is_load(const HdModule *m, const HdInst *in)
{
    return in->opix == HD_OPIX_CopyObject && hd_module_inst(m, in->word).opix == HD_OPIX_Load;
}

bool hd_registers_is_variable(const HdModule *m, const HdInst *in)
{
    return in->opix == HD_OPIX_Undef && hd_module_inst(m, in->word).opix != HD_OPIX_Undef;
}
