/* xform/declared.c -- types and constants by their definition.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/declared.h"

#include <string.h>

#define SHORT_KEY 16u

/* The id that is known for these words, 0 when there is none; then they become `id`. */
static HdId find_or_note(HdDeclared *d, uint32_t opcode, const uint32_t *operands, size_t count,
                         HdId id)
{
    size_t bytes = (count + 1) * sizeof *operands;
    uint32_t room[SHORT_KEY], *key = room;
    uint64_t found;

    if (count + 1 > SHORT_KEY)
        key = hd_arena_take(d->arena, bytes);
    if (key != NULL) {
        key[0] = opcode;
        if (count != 0)
            memcpy(key + 1, operands, count * sizeof *operands);
        if (hd_strmap_get(&d->known, (const char *)key, bytes, &found))
            return (HdId)found;
    }
    if (key == room)
        key = hd_arena_copy(d->arena, room, bytes);
    if (key == NULL || !hd_strmap_put(d->arena, &d->known, (const char *)key, bytes, id))
        d->failed = true;
    return 0;
}

HdId hd_declared_note(HdDeclared *d, enum HdOpix opix, const uint32_t *words)
{
    const HdForm *form = &hd_gram_forms[opix];
    uint32_t room[SHORT_KEY], *operands = room, n = 0, count = words[0] >> 16;

    if ((!form->is_type && opix != HD_OPIX_Constant) || opix == HD_OPIX_TypeStruct ||
        opix == HD_OPIX_TypeForwardPointer || opix == HD_OPIX_TypeArray)
        return 0;
    if (count > SHORT_KEY)
        operands = hd_arena_take(d->arena, count * sizeof *operands);
    if (operands == NULL) {
        d->failed = true;
        return 0;
    }
    for (uint32_t i = 1; i < count; i++)
        if (i != form->result_at)
            operands[n++] = words[i];
    return find_or_note(d, words[0] & 0xffff, operands, n, words[form->result_at]);
}

void hd_declared_know(HdDeclared *d, const HdModule *m)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);)
        (void)hd_declared_note(d, in.opix, in.w);
}

/* The id follows so many operands. */
static HdId declare(HdDeclared *d, uint32_t opcode, const uint32_t *operands, size_t count,
                    size_t before)
{
    HdId id = find_or_note(d, opcode, operands, count, *d->next);

    if (id != 0)
        return id;
    id = (*d->next)++;
    hd_writer_begin(d->out, opcode);
    hd_writer_words(d->out, operands, before);
    hd_writer_word(d->out, id);
    hd_writer_words(d->out, operands + before, count - before);
    hd_writer_end(d->out);
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
