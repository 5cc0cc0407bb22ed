/* jit/cache.c -- compiled kernels on disk.
 *
 * SPDX-License-Identifier: MIT
 */
#include "jit/cache.h"

#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"

/* What stands in front of the object. */
typedef struct Header {
    uint64_t private_bytes, context_bytes;
    uint32_t needs_fibers, has_arrays, named, is_flat;
} Header;

bool hd_cache_get(const HdStoreKey *k, HdCacheEntry *out)
{
    char *bytes;
    size_t count;
    Header h;

    if (!hd_store_get(k, &bytes, &count))
        return false;
    if (count < sizeof h) {
        hd_free(bytes);
        return false;
    }
    memcpy(&h, bytes, sizeof h);
    memmove(bytes, bytes + sizeof h, count - sizeof h);
    *out = (HdCacheEntry){.private_bytes = h.private_bytes,
                          .context_bytes = h.context_bytes,
                          .needs_fibers = h.needs_fibers != 0,
                          .has_arrays = h.has_arrays != 0,
                          .named = h.named,
                          .is_flat = h.is_flat != 0,
                          .object = (unsigned char *)bytes,
                          .object_bytes = count - sizeof h};
    return true;
}

void hd_cache_put(const HdStoreKey *k, const HdCacheEntry *e)
{
    Header h = {e->private_bytes, e->context_bytes, e->needs_fibers,
                e->has_arrays,    e->named,         e->is_flat};
    HdStrbuf content = {0};

    hd_strbuf_add_bytes(&content, &h, sizeof h);
    hd_strbuf_add_bytes(&content, e->object, e->object_bytes);
    if (!content.failed)
        hd_store_put(k, content.at, content.count);
    hd_strbuf_free(&content);
}
