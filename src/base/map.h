/* base/map.h -- hash maps from 64-bit keys and from strings to 64-bit values.
 *
 * Open addressing, power-of-two size, all memory from the arena given at the first put. A zeroed
 * map is empty. Not thread-safe. Keys of string maps are borrowed: they must outlive the map.
 * Hashes are seeded with an address, so that an input cannot be made to collide.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_MAP_H
#define HD_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

typedef struct HdMap {
    struct HdMapSlot *slots;
    size_t count, room;
} HdMap;

typedef struct HdStrMap {
    struct HdStrMapSlot *slots;
    size_t count, room;
} HdStrMap;

/* Mix a 64-bit value well enough to use its low bits (splitmix64). */
uint64_t hd_hash_u64(uint64_t x);
/* Hash bytes (FNV-1a with a final mix); chain calls by passing the last result as seed. */
uint64_t hd_hash_bytes(const void *bytes, size_t count, uint64_t seed);

/* Slots of an open-addressed table with so many entries: a power of two, a quarter of them free at
 * least. */
static inline size_t hd_hash_room(size_t count)
{
    size_t room = 16;

    while (room * 3 < count * 4)
        room *= 2;
    return room;
}

/* Add a word to a hash. Not mixed well until hd_hash_u64 finishes it, unless all 64 bits of it are
 * compared. */
static inline uint64_t hd_hash_add(uint64_t h, uint64_t word)
{
    h = (h ^ word) * 0xff51afd7ed558ccdu;
    return h ^ h >> 32;
}

/* Up to eight bytes of a text as one number, the first one lowest, zeros after them. */
static inline uint64_t hd_load_text(const char *s, size_t len)
{
    uint64_t x = 0;
    uint32_t low, high;

    if (len >= 8) {
        memcpy(&x, s, 8);
    } else if (len >= 4) { /* the two halves may overlap */
        memcpy(&low, s, 4);
        memcpy(&high, s + len - 4, 4);
        x = low | (uint64_t)high << 8 * (len - 4);
    } else if (len != 0) { /* some of the three may be the same */
        x = (uint64_t)(unsigned char)s[0] | (uint64_t)(unsigned char)s[len / 2] << 8 * (len / 2) |
            (uint64_t)(unsigned char)s[len - 1] << 8 * (len - 1);
    }
    return x;
}
/* Hash a name: fast, and names that differ in a last digit only stay neighbours, so that tables of
 * numbered names are walked in order. Seed with something that an input cannot know. */
static inline uint64_t hd_hash_name(const char *s, size_t len, uint64_t seed)
{
    bool numbered = len > 1 && s[len - 1] >= '0' && s[len - 1] <= '9';
    size_t n = len - numbered;
    uint64_t h = (seed ^ len) * 0x9e3779b97f4a7c15u;

    for (; n > 8; n -= 8, s += 8)
        h = hd_hash_add(h, hd_load_text(s, 8));
    h = hd_hash_add(h, hd_load_text(s, n));
    h *= 0xc4ceb9fe1a85ec53u;
    h ^= h >> 29;
    return numbered ? (h & ~(uint64_t)15) | (uint64_t)(s[n] - '0') : h;
}
/* memcmp(a, b, len) == 0, for short texts. */
static inline bool hd_same_text(const char *a, const char *b, size_t len)
{
    for (; len > 8; len -= 8, a += 8, b += 8)
        if (hd_load_text(a, 8) != hd_load_text(b, 8))
            return false;
    return hd_load_text(a, len) == hd_load_text(b, len);
}

/* memcpy for short texts, instead of a call. */
static inline void hd_copy_text(char *to, const char *from, size_t len)
{
    uint64_t first, last;
    uint32_t low, high;

    if (len >= 8) { /* the last eight may have been copied in part */
        memcpy(&last, from + len - 8, 8);
        for (size_t i = 0; i + 8 < len; i += 8) {
            memcpy(&first, from + i, 8);
            memcpy(to + i, &first, 8);
        }
        memcpy(to + len - 8, &last, 8);
    } else if (len >= 4) {
        memcpy(&low, from, 4);
        memcpy(&high, from + len - 4, 4);
        memcpy(to, &low, 4);
        memcpy(to + len - 4, &high, 4);
    } else if (len != 0) {
        to[0] = from[0];
        to[len / 2] = from[len / 2];
        to[len - 1] = from[len - 1];
    }
}

/* Set key to value. False when there is no memory. */
bool hd_map_put(HdArena *a, HdMap *m, uint64_t key, uint64_t value);
/* The value of key, 0 if it was absent, to be read and set before the next put; NULL when there is
 * no memory. */
uint64_t *hd_map_at(HdArena *a, HdMap *m, uint64_t key);
/* Find the value of key; false when absent. value may be NULL. */
bool hd_map_get(const HdMap *m, uint64_t key, uint64_t *value);

bool hd_strmap_put(HdArena *a, HdStrMap *m, const char *key, size_t len, uint64_t value);
bool hd_strmap_get(const HdStrMap *m, const char *key, size_t len, uint64_t *value);

#endif
