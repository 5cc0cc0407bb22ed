/* base/store.h -- expensive results, cached on disk for later processes.
 *
 * One file per entry, named by a 128-bit key of all its inputs. Files are written under a temporary
 * name and renamed, and contain their key and a checksum, so several processes may share a folder
 * and a damaged file is a cache miss. When the folder exceeds its limit (HEDDLE_CACHE_MB), the
 * least recently used quarter of the files is removed, and what writers that were stopped left
 * behind. HEDDLE_CACHE=0 turns it off, HEDDLE_CACHE=2 for kernels only; HEDDLE_CACHE_DIR moves it.
 *
 * Threads: re-entrant.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_STORE_H
#define HD_BASE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum HdStoreKind { HD_STORE_KERNEL, HD_STORE_SOURCE } HdStoreKind;

typedef struct HdStoreKey {
    uint64_t word[2];
    HdStoreKind kind;
} HdStoreKey;

/* Start the key of an entry, and mix bytes into it. */
HdStoreKey hd_store_key(HdStoreKind kind);
void hd_store_mix(HdStoreKey *k, const void *bytes, size_t count);
/* Mix in what distinguishes versions of a file without reading it: its size and time. Nothing if
 * there is no such file. */
void hd_store_mix_file(HdStoreKey *k, const char *path);

/* An entry's bytes, heap, hd_free'd by the caller. False when there is none, it is damaged, or the
 * store is off. */
bool hd_store_get(const HdStoreKey *k, char **bytes, size_t *count);
/* Is there likely an entry? It is not read. */
bool hd_store_has(const HdStoreKey *k);
/* Keep an entry. Failures (no space, no folder) are silent: the store is only ever a help. */
void hd_store_put(const HdStoreKey *k, const void *bytes, size_t count);

#endif
