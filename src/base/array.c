/* base/array.c -- growth of HD_ARRAY.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/array.h"

#include <string.h>

bool hd_array_grow(HdArena *arena, void **at, size_t count, size_t *room, size_t extra,
                   size_t element_bytes)
{
    size_t want, bytes;
    void *grown;

    if (__builtin_add_overflow(count, extra, &want))
        return false;
    if (want < *room * 2)
        want = *room * 2;
    if (want < 8)
        want = 8;
    if (__builtin_mul_overflow(want, element_bytes, &bytes))
        return false;
    if (arena == NULL) {
        grown = hd_realloc(*at, bytes);
        if (grown == NULL)
            return false;
    } else {
        grown = hd_arena_take(arena, bytes);
        if (grown == NULL)
            return false;
        if (count != 0)
            memcpy(grown, *at, count * element_bytes);
    }
    *at = grown;
    *room = want;
    return true;
}
