/* xform/declared.c -- types and constants by their definition.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/declared.h"

#include "module/decoration.h"

#include <string.h>

#define IN_OUT 0x80000000u /* of a place: in what is written, not in the module */

/* What defines an id: opcode, and operands before and after the id. */
typedef struct Definition {
    uint32_t opcode;
    const uint32_t *before, *after;
    size_t before_count, after_count;
} Definition;

/* Seeded with an address, so that a module cannot be made to collide. Those that differ in the last
 * operand only, as constants do that come one after the other, become neighbours. */
static uint32_t hash_of(const HdDeclared *d, const Definition *x)
{
    uint64_t h = hd_hash_u64((uintptr_t)d->arena ^ x->opcode);
    uint32_t last = 0;

    for (size_t i = 0; i < x->before_count + x->after_count; i++) {
        h = hd_hash_add(h, last);
        last = i < x->before_count ? x->before[i] : x->after[i - x->before_count];
    }
    h = hd_hash_u64(h ^ last >> 4);
    return (uint32_t)((h & ~(uint64_t)15) | (last & 15));
}

static const uint32_t *words_at(const HdDeclared *d, uint32_t place)
{
    return (place & IN_OUT) != 0 ? d->out->words + (place & ~IN_OUT) : d->m->words + place;
}

static bool is_same(const Definition *x, const uint32_t *w)
{
    const size_t count = x->before_count + x->after_count + 2;

    return w[0] == (uint32_t)(count << 16 | x->opcode) &&
           memcmp(w + 1, x->before, x->before_count * sizeof *w) == 0 &&
           memcmp(w + 2 + x->before_count, x->after, x->after_count * sizeof *w) == 0;
}

/* Slots for one more. */
static bool make_room(HdDeclared *d)
{
    const size_t room = d->room;
    HdDeclaredSlot *old = d->slots;

    if ((d->count + 1) * 4 <= room * 3)
        return true;
    d->room = room == 0 ? 64 : room * 2;
    d->slots = HD_NEW(d->arena, HdDeclaredSlot, d->room);
    for (size_t i = 0, k; d->slots != NULL && i < room; i++) {
        if (old[i].place == 0)
            continue;
        for (k = old[i].hash & (d->room - 1); d->slots[k].place != 0; k = (k + 1) & (d->room - 1))
            ;
        d->slots[k] = old[i];
    }
    return d->slots != NULL;
}

/* The id that is known for a definition, 0 when there is none; then it is at that place. */
static HdId find_or_note(HdDeclared *d, const Definition *x, uint32_t place)
{
    const uint32_t hash = hash_of(d, x);
    size_t i;

    if (d->failed || !make_room(d)) {
        d->failed = true;
        return 0;
    }
    for (i = hash & (d->room - 1); d->slots[i].place != 0; i = (i + 1) & (d->room - 1)) {
        const uint32_t *w = words_at(d, d->slots[i].place);

        if (d->slots[i].hash == hash && is_same(x, w))
            return w[1 + x->before_count];
    }
    d->slots[i] = (HdDeclaredSlot){.hash = hash, .place = place};
    d->count++;
    return 0;
}

static HdId note(HdDeclared *d, enum HdOpix opix, const uint32_t *words, uint32_t place)
{
    const HdForm *form = &hd_gram_forms[opix];
    const uint32_t count = words[0] >> 16;

    /* Some that are named like types only say more of one. */
    if ((!form->is_type && opix != HD_OPIX_Constant) || form->result_at == 0 ||
        opix == HD_OPIX_TypeStruct || opix == HD_OPIX_TypeArray || opix == HD_OPIX_TypeRuntimeArray)
        return 0;
    return find_or_note(d,
                        &(Definition){.opcode = words[0] & 0xffff,
                                      .before = words + 1,
                                      .after = words + form->result_at + 1,
                                      .before_count = form->result_at - 1u,
                                      .after_count = count - 1u - form->result_at},
                        place);
}

HdId hd_declared_note(HdDeclared *d, enum HdOpix opix, size_t at)
{
    return d->out->failed ? 0 : note(d, opix, d->out->words + at, (uint32_t)at | IN_OUT);
}

void hd_declared_know(HdDeclared *d, const HdModule *m)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    d->m = m;
    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);)
        if (in.opix != HD_OPIX_TypePointer ||
            hd_module_decoration(m, in.w[1], SpvDecorationArrayStride) == NULL)
            (void)note(d, in.opix, in.w, in.word);
}

/* The id follows so many operands. */
static HdId declare(HdDeclared *d, uint32_t opcode, const uint32_t *operands, size_t count,
                    size_t before)
{
    static const uint32_t none;
    Definition x = {.opcode = opcode, .before_count = before, .after_count = count - before};
    HdId id;

    x.before = operands != NULL ? operands : &none;
    x.after = x.before + before;
    id = find_or_note(d, &x, (uint32_t)d->out->count | IN_OUT);

    if (id != 0)
        return id;
    id = (*d->next)++;
    hd_writer_begin(d->out, opcode);
    hd_writer_words(d->out, operands, before);
    hd_writer_word(d->out, id);
    hd_writer_words(d->out, operands + before, count - before);
    hd_writer_end(d->out);
    d->failed = d->failed || d->out->failed;
    return id;
}

HdId hd_declared_type(HdDeclared *d, uint32_t opcode, const uint32_t *operands, size_t count)
{
    return declare(d, opcode, operands, count, 0);
}

HdId hd_declared_int(HdDeclared *d, uint32_t bits)
{
    const uint32_t operands[] = {bits, 0};

    return declare(d, SpvOpTypeInt, operands, 2, 0);
}

HdId hd_declared_pointer(HdDeclared *d, uint32_t storage, HdId pointee)
{
    const uint32_t operands[] = {storage, pointee};

    return declare(d, SpvOpTypePointer, operands, 2, 0);
}

HdId hd_declared_constant(HdDeclared *d, uint32_t opcode, const uint32_t *operands, size_t count)
{
    return declare(d, opcode, operands, count, 1);
}
