/* base/map.c -- open-addressing hash maps in an arena.
 *
 * Tables double at 3/4 full; the outgrown one stays in the arena, which costs at most as much
 * again as the last one.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/map.h"

#include <string.h>

struct HdMapSlot {
    uint64_t key, value;
    bool used;
};

struct HdStrMapSlot {
    const char *key; /* NULL = free */
    size_t len;
    uint64_t value;
};

uint64_t hd_hash_u64(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t hd_hash_bytes(const void *bytes, size_t count, uint64_t seed)
{
    const unsigned char *p = bytes;
    uint64_t h = 0xcbf29ce484222325u ^ seed;

    for (size_t i = 0; i < count; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    return hd_hash_u64(h);
}

static struct HdMapSlot *find(const HdMap *m, uint64_t key)
{
    size_t i = (size_t)hd_hash_u64(key ^ (uintptr_t)m->slots) & (m->room - 1);

    while (m->slots[i].used && m->slots[i].key != key)
        i = (i + 1) & (m->room - 1);
    return &m->slots[i];
}

static bool grow(HdArena *a, HdMap *m)
{
    HdMap bigger = {.room = m->room ? m->room * 2 : 16, .count = m->count};

    bigger.slots = HD_NEW(a, struct HdMapSlot, bigger.room);
    if (bigger.slots == NULL)
        return false;
    for (size_t i = 0; i < m->room; i++)
        if (m->slots[i].used)
            *find(&bigger, m->slots[i].key) = m->slots[i];
    *m = bigger;
    return true;
}

uint64_t *hd_map_at(HdArena *a, HdMap *m, uint64_t key)
{
    struct HdMapSlot *slot;

    if ((m->count + 1) * 4 > m->room * 3 && !grow(a, m))
        return NULL;
    slot = find(m, key);
    if (!slot->used) {
        m->count++;
        *slot = (struct HdMapSlot){.key = key, .used = true};
    }
    return &slot->value;
}

bool hd_map_put(HdArena *a, HdMap *m, uint64_t key, uint64_t value)
{
    uint64_t *at = hd_map_at(a, m, key);

    if (at == NULL)
        return false;
    *at = value;
    return true;
}

bool hd_map_get(const HdMap *m, uint64_t key, uint64_t *value)
{
    const struct HdMapSlot *slot;

    if (m->count == 0)
        return false;
    slot = find(m, key);
    if (slot->used && value != NULL)
        *value = slot->value;
    return slot->used;
}

static struct HdStrMapSlot *find_string(const HdStrMap *m, const char *key, size_t len)
{
    size_t i = (size_t)hd_hash_bytes(key, len, (uintptr_t)m->slots) & (m->room - 1);

    while (m->slots[i].key != NULL &&
           (m->slots[i].len != len || memcmp(m->slots[i].key, key, len) != 0))
        i = (i + 1) & (m->room - 1);
    return &m->slots[i];
}

static bool grow_strings(HdArena *a, HdStrMap *m)
{
    HdStrMap bigger = {.room = m->room ? m->room * 2 : 16, .count = m->count};

    bigger.slots = HD_NEW(a, struct HdStrMapSlot, bigger.room);
    if (bigger.slots == NULL)
        return false;
    for (size_t i = 0; i < m->room; i++)
        if (m->slots[i].key != NULL)
            *find_string(&bigger, m->slots[i].key, m->slots[i].len) = m->slots[i];
    *m = bigger;
    return true;
}

bool hd_strmap_put(HdArena *a, HdStrMap *m, const char *key, size_t len, uint64_t value)
{
    struct HdStrMapSlot *slot;

    if ((m->count + 1) * 4 > m->room * 3 && !grow_strings(a, m))
        return false;
    slot = find_string(m, key, len);
    if (slot->key == NULL)
        m->count++;
    *slot = (struct HdStrMapSlot){.key = key, .len = len, .value = value};
    return true;
}

bool hd_strmap_get(const HdStrMap *m, const char *key, size_t len, uint64_t *value)
{
    const struct HdStrMapSlot *slot;

    if (m->count == 0)
        return false;
    slot = find_string(m, key, len);
    if (slot->key != NULL && value != NULL)
        *value = slot->value;
    return slot->key != NULL;
}
