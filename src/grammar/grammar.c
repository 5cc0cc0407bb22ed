/* grammar/grammar.c -- look-ups in the generated tables.
 *
 * SPDX-License-Identifier: MIT
 */
#include "grammar/tables.h"

#include <string.h>

/* The same hash as generate.py's fnv(). */
static uint32_t hash_name(const char *name, size_t len, uint32_t seed)
{
    uint32_t h = 0x811c9dc5u ^ seed;

    for (size_t i = 0; i < len; i++)
        h = (h ^ (uint8_t)name[i]) * 0x01000193u;
    return h ^ h >> 15;
}

static bool same(const char *entry, const char *name, size_t len)
{
    return strncmp(entry, name, len) == 0 && entry[len] == '\0';
}

enum HdOpix hd_gram_find_name(const char *name, size_t len)
{
    if (len > 2 && name[0] == 'O' && name[1] == 'p') {
        name += 2;
        len -= 2;
    }
    for (uint32_t at = hash_name(name, len, 0);; at++) {
        uint16_t slot = hd_gram_op_slots[at & hd_gram_op_mask];

        if (slot == 0)
            return HD_OPIX_NONE;
        if (same(hd_gram_op_names[slot - 1].name + 2, name, len))
            return (enum HdOpix)hd_gram_op_names[slot - 1].opix;
    }
}

/* The same as generate.py's mix(). */
static uint32_t hash_value(uint32_t value, uint16_t kind)
{
    return (value * 0x9e3779b1u ^ kind * 0x85ebca6bu) >> 15;
}

const HdEnumerant *hd_gram_enumerant(uint16_t kind, uint32_t value)
{
    const HdEnumerant *rows;

    if (kind >= hd_gram_kind_count)
        return NULL;
    rows = hd_gram_kinds[kind].enumerants;
    if (value < hd_gram_kinds[kind].count && rows[value].value == value &&
        (value == 0 || rows[value - 1].value < value))
        return rows + value; /* most kinds count from 0 without gaps */
    for (uint32_t at = hash_value(value, kind);; at++) {
        uint16_t slot = hd_gram_value_slots[at & hd_gram_value_mask];

        if (slot == 0)
            return NULL;
        if (hd_gram_enumerants[slot - 1].value == value && hd_gram_enumerant_kind[slot - 1] == kind)
            return hd_gram_enumerants + slot - 1;
    }
}

const HdEnumerant *hd_gram_enumerant_name(uint16_t kind, const char *name, size_t len)
{
    for (uint32_t at = hash_name(name, len, kind);; at++) {
        uint16_t slot = hd_gram_enumerant_slots[at & hd_gram_enumerant_mask];

        if (slot == 0)
            return NULL;
        if (hd_gram_enumerant_kind[slot - 1] == kind &&
            same(hd_gram_enumerants[slot - 1].name, name, len))
            return hd_gram_enumerants + slot - 1;
    }
}

static bool begins(const char *name, size_t len, const char *with)
{
    size_t n = strlen(with);

    return len >= n && memcmp(name, with, n) == 0;
}

unsigned hd_gram_extset(const char *name, size_t len)
{
    for (unsigned i = 1; i < HD_EXTSET_COUNT; i++)
        if (hd_gram_extsets[i].name_len == len && memcmp(hd_gram_extsets[i].name, name, len) == 0)
            return i;
    /* These carry a revision in the name that they are imported by. */
    if (begins(name, len, "NonSemantic.Shader.DebugInfo."))
        return HD_EXTSET_NonSemantic_Shader_DebugInfo_100;
    if (begins(name, len, "NonSemantic.ClspvReflection."))
        return HD_EXTSET_NonSemantic_ClspvReflection;
    if (begins(name, len, "NonSemantic.VkspReflection."))
        return HD_EXTSET_NonSemantic_VkspReflection;
    return HD_EXTSET_UNKNOWN;
}

const HdExtInst *hd_gram_extinst(unsigned set, uint32_t number)
{
    const HdExtInst *rows;
    size_t low = 0, high;

    if (set >= HD_EXTSET_COUNT)
        return NULL;
    rows = hd_gram_extsets[set].insts;
    high = hd_gram_extsets[set].count;
    while (low < high) {
        size_t mid = (low + high) / 2;

        if (rows[mid].number < number)
            low = mid + 1;
        else
            high = mid;
    }
    return low < hd_gram_extsets[set].count && rows[low].number == number ? rows + low : NULL;
}

const HdExtInst *hd_gram_extinst_name(unsigned set, const char *name, size_t len)
{
    for (uint32_t at = hash_name(name, len, set);; at++) {
        uint16_t slot = hd_gram_ext_inst_slots[at & hd_gram_ext_inst_mask];

        if (slot == 0)
            return NULL;
        if (hd_gram_ext_inst_set[slot - 1] == set &&
            same(hd_gram_ext_insts[slot - 1].name, name, len))
            return hd_gram_ext_insts + slot - 1;
    }
}

int hd_gram_extension(const char *name, size_t len)
{
    for (uint32_t at = hash_name(name, len, 0);; at++) {
        uint16_t slot = hd_gram_extension_slots[at & hd_gram_extension_mask];

        if (slot == 0)
            return -1;
        if (same(hd_gram_extension_names[slot - 1], name, len))
            return slot - 1;
    }
}

const char *hd_gram_extension_name(unsigned index)
{
    return index < HD_EXT_COUNT ? hd_gram_extension_names[index] : NULL;
}
