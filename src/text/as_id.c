/* text/as_id.c -- names of ids to numbers.
 *
 * Names that are plain decimal numbers, which is what disassembled text mostly has, go through a
 * table indexed by that number; all others through a hash table of slices of the text.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/array.h"
#include "base/bitset.h"
#include "base/memory.h"
#include "text/as_private.h"
#include "text/literal.h"

#define MAX_BY_NUMBER 0x1000000u

/* The value of a name that is digits without a leading zero; UINT32_MAX for all others. */
static uint32_t plain_number(HdAsToken t)
{
    uint32_t v = 0;

    if (t.len == 0 || t.len > 8 || t.s[0] == '0')
        return UINT32_MAX;
    for (size_t i = 0; i < t.len; i++) {
        if (t.s[i] < '0' || t.s[i] > '9')
            return UINT32_MAX;
        v = v * 10 + (uint32_t)(t.s[i] - '0');
    }
    return v;
}

/* Seeded with an address, so that a text cannot be made to collide. */
static uint32_t hash_name(const HdAs *as, HdAsToken t)
{
    return (uint32_t)hd_hash_name(t.s, t.len, (uintptr_t)as->text);
}

/* Growing moves the hashes only: neither names nor the text are looked at. */
static bool grow_slots(HdAs *as)
{
    size_t room = as->name_slot_room == 0 ? 512 : as->name_slot_room * 2;
    uint64_t *bigger = hd_alloc_zero(room * sizeof *bigger);

    if (bigger == NULL)
        return false;
    for (size_t i = 0; i < as->name_slot_room; i++) {
        size_t at = (size_t)(as->name_slots[i] >> 32);

        if (as->name_slots[i] == 0)
            continue;
        while (bigger[at & (room - 1)] != 0)
            at++;
        bigger[at & (room - 1)] = as->name_slots[i];
    }
    hd_free(as->name_slots);
    as->name_slots = bigger;
    as->name_slot_room = room;
    return true;
}

static bool is_name(const HdAs *as, uint64_t slot, uint64_t hash, HdAsToken t)
{
    const HdAsName *n;

    if (slot == 0 || slot >> 32 != hash)
        return false;
    n = &as->names[(slot & UINT32_MAX) - 1];
    return n->len == t.len && hd_same_text(n->s, t.s, t.len);
}

bool hd_as_recent(const HdAs *as, HdAsToken name, uint32_t *id)
{
    uint64_t hash = hash_name(as, name), recent = as->recent[hash % HD_AS_RECENT];

    if (!is_name(as, recent, hash, name))
        return false;
    *id = as->names[(recent & UINT32_MAX) - 1].id;
    return *id != 0;
}

/* The id of a name that is no plain number; 0 marks a new name. */
static HdStatus find_name(HdAs *as, HdAsToken t, uint32_t **id)
{
    uint64_t hash, *recent;

    if (t.len > UINT32_MAX || as->name_count >= UINT32_MAX - 1)
        return hd_as_fail(as, "as.id", NULL, "the name of an id is too long");
    if (as->name_count * 4 >= as->name_slot_room * 3 && !grow_slots(as))
        return HD_NO_MEMORY;
    hash = hash_name(as, t);
    recent = &as->recent[hash % HD_AS_RECENT];
    if (is_name(as, *recent, hash, t)) {
        *id = &as->names[(*recent & UINT32_MAX) - 1].id;
        return HD_OK;
    }
    for (size_t at = (size_t)hash;; at++) {
        uint64_t *slot = &as->name_slots[at & (as->name_slot_room - 1)];

        if (*slot == 0) {
            if (as->name_count == as->name_room &&
                !hd_array_grow(NULL, (void **)&as->names, as->name_count, &as->name_room, 1,
                               sizeof *as->names))
                return HD_NO_MEMORY;
            as->names[as->name_count++] = (HdAsName){t.s, (uint32_t)t.len, 0};
            *slot = hash << 32 | as->name_count;
        } else if (!is_name(as, *slot, hash, t)) {
            continue;
        }
        *recent = *slot;
        *id = &as->names[(*slot & UINT32_MAX) - 1].id;
        return HD_OK;
    }
}

static HdStatus find_number(HdAs *as, uint32_t number, uint32_t **id)
{
    if (number >= as->by_number_room) {
        uint32_t room = as->by_number_room == 0 ? 1024 : as->by_number_room;
        uint32_t *bigger;

        while (room <= number)
            room *= 2;
        HD_TAKE(bigger, hd_realloc(as->by_number, (size_t)room * sizeof *bigger));
        memset(bigger + as->by_number_room, 0,
               (size_t)(room - as->by_number_room) * sizeof *bigger);
        as->by_number = bigger;
        as->by_number_room = room;
    }
    *id = &as->by_number[number];
    return HD_OK;
}

/* ---- ids that keep their number ------------------------------------------------------------- */

static bool is_preserved(const HdAs *as, uint32_t id)
{
    if (id < as->preserved_low_room)
        return hd_bit_has(as->preserved_low, id);
    return hd_map_get(&as->preserved, id, NULL);
}

static HdStatus preserve(HdAs *as, uint32_t id)
{
    if (id >= MAX_BY_NUMBER)
        return hd_map_put(as->arena, &as->preserved, id, 1) ? HD_OK : HD_NO_MEMORY;
    if (id >= as->preserved_low_room) {
        uint32_t room = as->preserved_low_room < 4096 ? 4096 : as->preserved_low_room;
        uint64_t *bigger;

        while (room <= id)
            room *= 2;
        HD_TAKE(bigger, hd_realloc(as->preserved_low, room / 8));
        memset((char *)bigger + as->preserved_low_room / 8, 0, (room - as->preserved_low_room) / 8);
        as->preserved_low = bigger;
        as->preserved_low_room = room;
    }
    hd_bit_add(as->preserved_low, id);
    return HD_OK;
}

HdStatus hd_as_id(HdAs *as, HdAsToken name, uint32_t *id)
{
    uint32_t number = plain_number(name), *slot = NULL;

    if (as->preserve) {
        uint32_t kept = number;

        if ((number != UINT32_MAX || hd_literal_parse_u32(name.s, name.len, &kept)) &&
            is_preserved(as, kept)) {
            if (kept >= as->bound)
                as->bound = kept == UINT32_MAX ? kept : kept + 1;
            *id = kept;
            return HD_OK;
        }
    }
    /* A number far above the size of the text is not worth a table of its size. */
    if (number < MAX_BY_NUMBER && (number < 65536 || number < (size_t)(as->end - as->text)))
        HD_TRY(find_number(as, number, &slot));
    else
        HD_TRY(find_name(as, name, &slot));
    if (*slot == 0) {
        *slot = as->next_id++;
        while (as->preserve && is_preserved(as, *slot))
            *slot = as->next_id++;
        if (*slot >= as->bound)
            as->bound = *slot + 1;
    }
    *id = *slot;
    return HD_OK;
}

static bool is_id_class(uint8_t klass)
{
    return klass == HD_OPERAND_ID || klass == HD_OPERAND_TYPE_ID || klass == HD_OPERAND_SCOPE_ID ||
           klass == HD_OPERAND_SEMANTICS_ID;
}

HdStatus hd_as_plain_ids(HdAs *as)
{
    const HdOperand *row;

    while ((row = hd_pattern_peek(&as->pattern)) != NULL && is_id_class(row->klass)) {
        const char *s = as->at + 1, *p = s, *next, *was = as->at;
        uint32_t number = 0, id;
        bool digits = true;

        if (as->end - as->at < 4 || *as->at != '%')
            return HD_OK;
        if (as->opix == HD_OPIX_ExtInst && as->count - as->open == 3)
            return HD_OK; /* the import is looked at */
        for (; p < as->end && hd_as_id_char[(unsigned char)*p]; p++) {
            digits &= *p <= '9';
            number = number * 10 + (uint32_t)(*p - '0');
        }
        if (p == s || p == as->end || (*p != ' ' && *p != '\n'))
            return HD_OK;
        for (next = p + 1; next < as->end && *next == ' '; next++)
            ;
        if (next == as->end || *next == '=' || *next == '\t' || *next == '\r' ||
            (*next == ';' && *p == ' '))
            return HD_OK;
        if (*p == '\n' || *next == '\n') { /* the id of the next instruction may stand there */
            as->at = p;
            if (!hd_as_skip(as) || *as->at == '=') {
                as->at = was;
                return HD_OK;
            }
            next = as->at;
        }
        as->at = was;
        digits &= p - s < 8 && *s != '0';
        if (digits && !as->preserve && number < as->by_number_room && as->by_number[number] != 0) {
            id = as->by_number[number];
        } else {
            HD_TRY(hd_as_id(as, (HdAsToken){s, (size_t)(p - s)}, &id));
        }
        hd_pattern_take(&as->pattern);
        HD_TRY(hd_as_push(as, id));
        as->at = next;
        if (*next != '%')
            return HD_OK;
    }
    return HD_OK;
}

HdStatus hd_as_collect_numeric_ids(HdAs *as)
{
    as->preserve = true;
    while (hd_as_skip(as)) {
        HdAsToken t = hd_as_word(as, as->at);
        uint32_t id;

        if (t.len > 1 && t.s[0] == '%') {
            id = plain_number((HdAsToken){t.s + 1, t.len - 1});
            if (id != UINT32_MAX || hd_literal_parse_u32(t.s + 1, t.len - 1, &id))
                HD_TRY(preserve(as, id));
        }
        as->at = t.s + t.len;
    }
    as->at = as->text;
    return HD_OK;
}
