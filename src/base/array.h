/* base/array.h -- growable arrays of one type.
 *
 * HD_ARRAY(T) declares a struct { T *at; size_t count, room; }. A zeroed one is empty. Growth
 * doubles; storage comes from hd_realloc and is given back by HD_ARRAY_FREE, or, when the array
 * was grown with an arena, goes with the arena (never mix the two on one array).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BASE_ARRAY_H
#define HD_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/memory.h"

#define HD_ARRAY(T)         \
    struct {                \
        T *at;              \
        size_t count, room; \
    }

/* Make room for `extra` more elements. `arena` NULL: heap. False when there is no memory. */
bool hd_array_grow(HdArena *arena, void **at, size_t count, size_t *room, size_t extra,
                   size_t element_bytes);

#define HD_ARRAY_RESERVE(arena, a, extra)                                               \
    ((a)->room - (a)->count >= (size_t)(extra) ||                                       \
     hd_array_grow((arena), (void **)&(a)->at, (a)->count, &(a)->room, (size_t)(extra), \
                   sizeof *(a)->at))

/* Append a value; false when there is no memory. */
#define HD_PUSH(arena, a, value) \
    (HD_ARRAY_RESERVE((arena), (a), 1) ? ((a)->at[(a)->count++] = (value), true) : false)

/* Append or return HD_NO_MEMORY from the calling function. */
#define HD_TRY_PUSH(arena, a, value)         \
    do {                                     \
        if (!HD_PUSH((arena), (a), (value))) \
            return HD_NO_MEMORY;             \
    } while (0)

#define HD_ARRAY_FREE(a)            \
    do {                            \
        hd_free((a)->at);           \
        (a)->at = NULL;             \
        (a)->count = (a)->room = 0; \
    } while (0)

#endif
