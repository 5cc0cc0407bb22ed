/* jit/cache.h -- compiled kernels on disk.
 *
 * One file per variant, named by a 128-bit key. Files are written beside their name and renamed,
 * and carry a checksum, so several processes may share a folder and a damaged file is a miss. When
 * the folder passes its limit (HEDDLE_CACHE_MB) the files used longest ago go.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_JIT_CACHE_H
#define HD_JIT_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct HdCacheKey {
    uint64_t word[2];
} HdCacheKey;

typedef struct HdCacheEntry {
    uint64_t private_bytes;
    bool has_barrier;
    bool is_flat;          /* as in HdKernelCode */
    unsigned char *object; /* heap; hd_free */
    size_t object_bytes;
} HdCacheEntry;

/* Start a key, and mix bytes into it. */
HdCacheKey hd_cache_key(void);
void hd_cache_mix(HdCacheKey *k, const void *bytes, size_t count);

/* False when there is none, it is damaged, or the cache is off. */
bool hd_cache_get(const HdCacheKey *k, HdCacheEntry *out);
/* Keep an entry. Failures (no space, no folder) are silent: the cache is only ever a help. */
void hd_cache_put(const HdCacheKey *k, const HdCacheEntry *e);

#endif
