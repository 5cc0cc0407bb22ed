/* jit/cache.h -- compiled kernels on disk (base/store.h), an entry per variant.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_JIT_CACHE_H
#define HD_JIT_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/store.h"
#include "jit/facts.h"

typedef struct HdCacheEntry {
    HdCodeFacts facts;
    unsigned char *object; /* heap; hd_free */
    size_t object_bytes;
} HdCacheEntry;

/* False when there is none, it is damaged, or the store is off. */
bool hd_cache_get(const HdStoreKey *k, HdCacheEntry *out);
/* Keep an entry; failures are silent. */
void hd_cache_put(const HdStoreKey *k, const HdCacheEntry *e);

#endif
