/* text/as_id.c -- names of ids to numbers.
 *
 * Names that are plain decimal numbers, which is what disassembled text mostly has, are looked up
 * in a table indexed by that number, and so are names that end in a number, with a table for each
 * prefix; all others in a hash table of slices of the text.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/array.h"
#include "base/bitset.h"
#include "base/memory.h"
#include "base/pages.h"
#include "text/as_state.h"
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

/* What is known of a name already: its hash, and that it has no characters but those of names. */
static const HdAsExpected *expected(const HdAs *as, HdAsToken t)
{
    for (unsigned i = 0; i < 2; i++)
        if (t.s == as->expected[i].s && t.len == as->expected[i].len)
            return &as->expected[i];
    return NULL;
}

/* Part a name at the number at its end, which has no leading zeros and up to eight digits. False
 * when there is none. */
static bool part_name(const HdAs *as, HdAsToken t, HdAsToken *prefix, uint32_t *number)
{
    uint64_t v = 0, other;
    unsigned digits;

    if (t.len == 0 || t.s[t.len - 1] < '0' || t.s[t.len - 1] > '9')
        return false;
    /* The last eight characters, the last of them highest. */
    if (t.s + t.len - as->text >= 8)
        memcpy(&v, t.s + t.len - 8, 8);
    else
        memcpy((char *)&v + (8 - t.len), t.s, t.len);
    v ^= 0x3030303030303030u;
    other = ((v + 0x7676767676767676u) | v) & 0x8080808080808080u;
    digits = other == 0 ? 8 : (unsigned)__builtin_clzll(other) / 8;
    if (digits > t.len)
        digits = (unsigned)t.len;
    v &= UINT64_MAX << (64 - 8 * digits);
    digits =
        v == 0 ? 1 : 8 - (unsigned)__builtin_ctzll(v) / 8; /* zeros in front are the prefix's */
    *number = hd_decimal_join_eight(v);
    *prefix = (HdAsToken){t.s, t.len - digits};
    return true;
}

/* Seeded with an address, so that a text cannot be made to collide. */
static HdAsParts parts_of(const HdAs *as, HdAsToken t)
{
    const HdAsExpected *known = expected(as, t);
    HdAsToken prefix = t;
    HdAsParts p = {0};

    if (known != NULL)
        return known->parts;
    p.is_numbered = part_name(as, t, &prefix, &p.number);
    p.prefix_len = prefix.len;
    p.prefix_hash = hd_hash_name(prefix.s, prefix.len, (uintptr_t)as->text);
    p.hash = (uint32_t)(hd_hash_add(p.prefix_hash, p.number) * 0x9e3779b97f4a7c15u >> 32);
    return p;
}

/* Slots are in the order of hashes, whatever their number is, so growing walks through both. */
static size_t first_slot(uint32_t hash, size_t room)
{
    return (size_t)((uint64_t)hash * room >> 32);
}

/* How many slots to have next, by how many names the text may have when it continues as it began at
 * `at`; at most eight times as many as there are. */
static size_t next_room(const HdAs *as, const char *at)
{
    size_t room = as->name_room;
    double share = (double)(at - as->text + 1) / (double)(as->end - as->text + 1);
    double slots = (double)as->name_count / share * 1.5;

    if (room < 4096)
        return room == 0 ? 512 : room * 4;
    if (slots > (double)room * 8)
        return room * 8;
    return slots < (double)room * 1.5 ? room + room / 2 : (size_t)slots;
}

/* Growing uses the hashes only, not the text. */
static bool grow_names(HdAs *as, const char *at_text)
{
    size_t room = next_room(as, at_text);
    size_t bytes = room * sizeof(HdAsName);
    HdAsName *bigger = hd_pages_alloc(bytes, bytes);

    if (bigger == NULL)
        return false;
    memset(bigger, 0, bytes);
    for (size_t i = 0; i < as->name_room; i++) {
        size_t at = first_slot(as->names[i].hash, room);

        if (as->names[i].id == 0)
            continue;
        while (bigger[at].id != 0)
            at = at + 1 < room ? at + 1 : 0;
        bigger[at] = as->names[i];
    }
    hd_free(as->names);
    as->names = bigger;
    as->name_room = room;
    memset(as->recent, 0, sizeof as->recent);
    return true;
}

static bool is_name(const HdAs *as, const HdAsName *name, uint32_t hash, HdAsToken t)
{
    const char *s = as->text + name->at, *end = s + t.len;

    return name->hash == hash && name->id != 0 && end <= as->end && hd_same_text(s, t.s, t.len) &&
           (end == as->end || !hd_as_id_char[(unsigned char)*end]);
}

/* ---- names that end in a number ------------------------------------------------------------ */

static HdAsPrefix *prefix_of(HdAs *as, const HdAsParts *parts)
{
    return &as->prefixes[(parts->prefix_hash ^ parts->prefix_hash >> 32) % HD_AS_PREFIXES];
}

static bool is_prefix(const HdAsPrefix *p, HdAsToken t)
{
    return p->s != NULL && p->len == t.len && hd_same_text(p->s, t.s, t.len);
}

/* May a number have room? Not where that would be much more than there are names. */
static bool fits_prefix(const HdAsPrefix *p, uint32_t number)
{
    return number >= p->base && number - p->base < 64 + 2 * (uint64_t)p->count;
}

/* Is the name, which ends in a number, to be looked up only among the others? */
static bool is_elsewhere(const HdAsPrefix *p, HdAsToken prefix, uint32_t number)
{
    if (p->room == 0)
        return false;
    return !is_prefix(p, prefix) || (p->has_spilled && !fits_prefix(p, number));
}

/* Room for a number, when it may have it. */
static bool grow_prefix(const HdAs *as, HdAsPrefix *p, uint32_t number, bool *has_room)
{
    uint32_t room, *bigger;

    if (p->room == 0)
        p->base = number & ~63u;
    *has_room = fits_prefix(p, number);
    if (!*has_room || number - p->base < p->room)
        return true;
    room = hd_as_next_room(as, p->room, number - p->base);
    bigger = hd_realloc(p->ids, (size_t)room * sizeof *bigger);
    if (bigger == NULL)
        return false;
    memset(bigger + p->room, 0, (size_t)(room - p->room) * sizeof *bigger);
    p->ids = bigger;
    p->room = room;
    return true;
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
    if (!hd_bits_reach(&as->preserved_low, &as->preserved_low_room, id))
        return HD_NO_MEMORY;
    hd_bit_add(as->preserved_low, id);
    return HD_OK;
}

/* ---- other names --------------------------------------------------------------------------- */

/* Where the name is, or is to come: then the id there is 0. There is a free slot. */
static HdAsName *find_slot(HdAs *as, HdAsToken t, uint32_t hash)
{
    uint32_t *recent = &as->recent[hash % HD_AS_RECENT];
    size_t at = *recent;

    if (is_name(as, &as->names[at], hash, t))
        return &as->names[at];
    for (at = first_slot(hash, as->name_room);
         as->names[at].id != 0 && !is_name(as, &as->names[at], hash, t);)
        at = at + 1 < as->name_room ? at + 1 : 0;
    *recent = (uint32_t)at;
    return &as->names[at];
}

static bool has_free_slot(const HdAs *as)
{
    return as->name_count * 4 < as->name_room * 3;
}

static uint32_t next_id(HdAs *as)
{
    uint32_t id = as->next_id++;

    while (as->preserve && is_preserved(as, id))
        id = as->next_id++;
    if (id >= as->bound)
        as->bound = id + 1;
    return id;
}

/* The name comes into its slot, with a new id. */
static uint32_t add_name(HdAs *as, HdAsName *slot, HdAsToken t, uint32_t hash)
{
    *slot = (HdAsName){hash, (uint32_t)(t.s - as->text), next_id(as)};
    as->name_count++;
    return slot->id;
}

/* The id of a name that is in no other table; 0 when it is new and not to be made. */
static HdStatus find_name(HdAs *as, HdAsToken t, bool make, uint32_t *id)
{
    HdAsName *slot;
    uint32_t hash;

    *id = 0;
    if (!has_free_slot(as)) {
        if (as->name_room == 0 && !make)
            return HD_OK;
        if (!grow_names(as, t.s))
            return HD_NO_MEMORY;
    }
    hash = parts_of(as, t).hash;
    slot = find_slot(as, t, hash);
    *id = slot->id != 0 || !make ? slot->id : add_name(as, slot, t, hash);
    return HD_OK;
}

bool hd_as_quick_name(HdAs *as, HdAsToken name, uint32_t *id)
{
    HdAsParts parts = parts_of(as, name);
    HdAsToken prefix = {name.s, parts.prefix_len};
    uint32_t number = parts.number;
    bool is_numbered = parts.is_numbered;
    HdAsName *slot;

    if (is_numbered) {
        HdAsPrefix *p = prefix_of(as, &parts);

        if (number - p->base < p->room && is_prefix(p, prefix)) {
            uint32_t *at = &p->ids[number - p->base];

            if (*at == 0 && !p->has_spilled) {
                *at = next_id(as);
                p->count++;
            }
            *id = *at;
            return *id != 0;
        }
        is_numbered = !is_elsewhere(p, prefix, number);
    }
    if (!has_free_slot(as))
        return false;
    slot = find_slot(as, name, parts.hash);
    if (slot->id == 0 &&
        (is_numbered || (expected(as, name) == NULL && !hd_as_is_id_name(name.s, name.len))))
        return false;
    *id = slot->id != 0 ? slot->id : add_name(as, slot, name, parts.hash);
    return true;
}

/* A hash table above this size does not stay in the processor's caches. */
#define FAR_SLOTS 65536u

void hd_as_expect(HdAs *as, const char *from)
{
    size_t left = (size_t)(as->end - from), len = 0;
    const char *s;
    HdAsParts parts;

    if (as->name_room < FAR_SLOTS)
        return;
    s = memchr(from, '\n', left < 256 ? left : 256);
    if (s == NULL)
        return;
    for (s++; s < as->end && *s == ' '; s++)
        ;
    if (s == as->end || *s++ != '%')
        return;
    while (s + len < as->end && hd_as_id_char[(unsigned char)s[len]])
        len++;
    parts = parts_of(as, (HdAsToken){s, len});
    as->expected[1] = as->expected[0]; /* of the line that is being read */
    as->expected[0] = (HdAsExpected){s, len, parts};
    __builtin_prefetch(&as->names[first_slot(parts.hash, as->name_room)]);
}

/* The slot for the id of a name that ends in a number; NULL if it is to be looked up among the
 * others, unless *id is what was found there. */
static HdStatus find_numbered(HdAs *as, HdAsToken t, uint32_t **at, uint32_t *id)
{
    HdAsParts parts = parts_of(as, t);
    HdAsToken prefix = {t.s, parts.prefix_len};
    uint32_t number = parts.number;
    HdAsPrefix *p = prefix_of(as, &parts);
    bool has_room;

    if (!parts.is_numbered)
        return HD_OK;
    if (!is_prefix(p, prefix)) {
        if (p->room != 0)
            return HD_OK;
        *p = (HdAsPrefix){.s = prefix.s, .len = (uint32_t)prefix.len, .has_spilled = p->s != NULL};
    }
    if (number - p->base < p->room && p->ids[number - p->base] != 0) {
        *at = &p->ids[number - p->base];
        return HD_OK;
    }
    if (p->has_spilled)
        HD_TRY(find_name(as, t, false, id));
    if (*id != 0)
        return HD_OK;
    if (!grow_prefix(as, p, number, &has_room))
        return HD_NO_MEMORY;
    if (has_room) {
        p->count++;
        *at = &p->ids[number - p->base];
    }
    p->has_spilled |= !has_room;
    return HD_OK;
}

static HdStatus find_number(HdAs *as, uint32_t number, uint32_t **id)
{
    if (number >= as->by_number_room) {
        uint32_t room = hd_as_next_room(as, as->by_number_room, number);
        uint32_t *bigger;

        HD_TAKE(bigger, hd_realloc(as->by_number, (size_t)room * sizeof *bigger));
        memset(bigger + as->by_number_room, 0,
               (size_t)(room - as->by_number_room) * sizeof *bigger);
        as->by_number = bigger;
        as->by_number_room = room;
    }
    *id = &as->by_number[number];
    return HD_OK;
}

/* ---- all of them ----------------------------------------------------------------------------- */

HdStatus hd_as_id(HdAs *as, HdAsToken name, uint32_t *id)
{
    uint32_t number = plain_number(name), *slot = NULL;

    *id = 0;
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
        HD_TRY(find_numbered(as, name, &slot, id));
    if (*id != 0)
        return HD_OK;
    if (slot == NULL)
        return find_name(as, name, true, id);
    if (*slot == 0)
        *slot = next_id(as);
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
            return HD_OK; /* the import is checked */
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
        if (*p == '\n' || *next == '\n') { /* the id of the next instruction may be there */
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

void hd_as_free_ids(HdAs *as)
{
    for (size_t i = 0; i < HD_AS_PREFIXES; i++)
        hd_free(as->prefixes[i].ids);
    hd_free(as->by_number);
    hd_free(as->names);
    hd_free(as->preserved_low);
}

/* ---- what ids are called --------------------------------------------------------------------- */

/* An id below the bound gets "%", `len` bytes, and a number unless that is UINT32_MAX. */
static void list_id(const HdAs *as, HdTextIds *out, uint32_t id, const char *s, size_t len,
                    uint32_t number)
{
    if (id == 0 || id >= as->bound)
        return;
    out->at[id] = (uint32_t)out->names.count;
    hd_strbuf_add_char(&out->names, '%');
    hd_strbuf_add_bytes(&out->names, s, len);
    if (number != UINT32_MAX)
        hd_strbuf_printf(&out->names, "%u", (unsigned)number);
    hd_strbuf_add_char(&out->names, '\0');
}

HdStatus hd_as_list_ids(const HdAs *as, HdTextIds *out)
{
    if (as->preserve)
        return HD_OK; /* any number may be the bound */
    HD_TAKE(out->at, hd_alloc_zero(as->bound * sizeof *out->at));
    out->count = as->bound;
    hd_strbuf_add_char(&out->names, '\0'); /* no name begins at 0 */
    for (uint32_t i = 0; i < as->by_number_room; i++)
        list_id(as, out, as->by_number[i], "", 0, i);
    for (size_t k = 0; k < HD_AS_PREFIXES; k++)
        for (uint32_t i = 0; i < as->prefixes[k].room; i++)
            list_id(as, out, as->prefixes[k].ids[i], as->prefixes[k].s, as->prefixes[k].len,
                    as->prefixes[k].base + i);
    for (size_t k = 0; k < as->name_room; k++) {
        const char *s = as->text + as->names[k].at, *end = s;

        while (end < as->end && hd_as_id_char[(unsigned char)*end])
            end++;
        list_id(as, out, as->names[k].id, s, (size_t)(end - s), UINT32_MAX);
    }
    return out->names.failed ? HD_NO_MEMORY : HD_OK;
}

void hd_text_ids_free(HdTextIds *ids)
{
    hd_free(ids->at);
    hd_strbuf_free(&ids->names);
    *ids = (HdTextIds){0};
}

const char *hd_text_ids_find(const HdTextIds *ids, uint32_t id)
{
    return id < ids->count && ids->at[id] != 0 ? ids->names.at + ids->at[id] : NULL;
}

/* ---- ids that are numbers -------------------------------------------------------------------- */

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
