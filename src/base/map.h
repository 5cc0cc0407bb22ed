/* base/map.h -- hash maps from 64-bit keys and from strings to 64-bit values.
 *
 * Open addressing, power-of-two size, all memory from the arena given at the first put. A zeroed
 * map is empty. Not thread-safe. Keys of string maps are borrowed: they must outlive the map.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_MAP_H
#define HD_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Hash a name: fast, and names that differ in a last digit only stay neighbours, so that tables of
 * numbered names are walked in order. Seed with something that an input cannot know. */
uint64_t hd_hash_name(const char *s, size_t len, uint64_t seed);

/* Set key to value. False when there is no memory. */
bool hd_map_put(HdArena *a, HdMap *m, uint64_t key, uint64_t value);
/* Find the value of key; false when absent. value may be NULL. */
bool hd_map_get(const HdMap *m, uint64_t key, uint64_t *value);

bool hd_strmap_put(HdArena *a, HdStrMap *m, const char *key, size_t len, uint64_t value);
bool hd_strmap_get(const HdStrMap *m, const char *key, size_t len, uint64_t *value);

#endif
