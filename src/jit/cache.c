/* jit/cache.c -- compiled kernels on disk.
 *
 * SPDX-License-Identifier: MIT
 */
#include "jit/cache.h"

#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"

bool hd_cache_get(const HdStoreKey *k, HdCacheEntry *out)
{
    char *bytes;
    size_t count;
    HdCodeFacts facts; /* before the object */

    if (!hd_store_get(k, &bytes, &count))
        return false;
    if (count < sizeof facts) {
        hd_free(bytes);
        return false;
    }
    memcpy(&facts, bytes, sizeof facts);
    memmove(bytes, bytes + sizeof facts, count - sizeof facts);
    *out = (HdCacheEntry){
        .facts = facts, .object = (unsigned char *)bytes, .object_bytes = count - sizeof facts};
    return true;
}

void hd_cache_put(const HdStoreKey *k, const HdCacheEntry *e)
{
    HdStrbuf content = {0};

    hd_strbuf_add_bytes(&content, &e->facts, sizeof e->facts);
    hd_strbuf_add_bytes(&content, e->object, e->object_bytes);
    if (!content.failed)
        hd_store_put(k, content.at, content.count);
    hd_strbuf_free(&content);
}
