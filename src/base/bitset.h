/* base/bitset.h -- sets of small integers.
 *
 * A set of `bits` members is HD_BITSET_WORDS(bits) words, from an arena or anywhere, zeroed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_BITSET_H
#define HD_BASE_BITSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"

#define HD_BITSET_WORDS(bits) (((size_t)(bits) + 63) / 64)

static inline bool hd_bit_has(const uint64_t *set, size_t i)
{
    return (set[i / 64] >> (i % 64)) & 1;
}

static inline void hd_bit_add(uint64_t *set, size_t i)
{
    set[i / 64] |= (uint64_t)1 << (i % 64);
}

static inline void hd_bit_remove(uint64_t *set, size_t i)
{
    set[i / 64] &= ~((uint64_t)1 << (i % 64));
}

/* into |= from, over `words` words; true when into changed. */
static inline bool hd_bit_unite(uint64_t *into, const uint64_t *from, size_t words)
{
    uint64_t changed = 0;

    for (size_t i = 0; i < words; i++) {
        changed |= from[i] & ~into[i];
        into[i] |= from[i];
    }
    return changed != 0;
}

/* Let a heap set that has grown as it was used, with room for *room members, have member i as well.
 * False without memory; the set is as it was. hd_free it. */
static inline bool hd_bits_reach(uint64_t **set, uint32_t *room, uint32_t i)
{
    uint32_t more = *room < 4096 ? 4096 : *room;
    uint64_t *bigger;

    if (i < *room)
        return true;
    while (more <= i)
        more *= 2;
    bigger = hd_realloc(*set, more / 8);
    if (bigger == NULL)
        return false;
    memset((char *)bigger + *room / 8, 0, (more - *room) / 8);
    *set = bigger;
    *room = more;
    return true;
}

#endif
