/* base/arena.c -- chunks of growing size, bumped.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/pages.h"

#define FIRST_CHUNK_BYTES ((size_t)4096)
#define MAX_CHUNK_BYTES   ((size_t)1 << 20)

typedef struct Chunk Chunk;
struct Chunk {
    Chunk *next;
    size_t size;
    _Alignas(16) unsigned char bytes[];
};

struct HdArena {
    Chunk *chunks; /* newest first; the newest is bumped */
    size_t used;   /* in the newest chunk */
    size_t next_size;
};

HdArena *hd_arena_open(void)
{
    HdArena *a = hd_alloc_zero(sizeof *a);

    if (a != NULL)
        a->next_size = FIRST_CHUNK_BYTES;
    return a;
}

static void free_from(Chunk *c)
{
    while (c != NULL) {
        Chunk *next = c->next;

        hd_free(c);
        c = next;
    }
}

void hd_arena_drop(HdArena *a)
{
    if (a == NULL)
        return;
    free_from(a->chunks);
    hd_free(a);
}

void hd_arena_clear(HdArena *a)
{
    if (a->chunks == NULL)
        return;
    free_from(a->chunks->next);
    a->chunks->next = NULL;
    a->used = 0;
}

void hd_arena_empty(HdArena *a)
{
    free_from(a->chunks);
    a->chunks = NULL;
    a->used = 0;
}

static Chunk *add_chunk(HdArena *a, size_t at_least)
{
    size_t size = at_least > a->next_size ? at_least : a->next_size;
    Chunk *c = hd_alloc(sizeof *c + size);

    if (c == NULL)
        return NULL;
    if (size > MAX_CHUNK_BYTES) /* of one array */
        hd_pages_use_all(c, sizeof *c + size);
    c->size = size;
    c->next = a->chunks;
    a->chunks = c;
    a->used = 0;
    if (a->next_size < MAX_CHUNK_BYTES)
        a->next_size *= 2;
    return c;
}

void *hd_arena_take(HdArena *a, size_t bytes)
{
    Chunk *c = a->chunks;
    void *at;

    if (bytes > SIZE_MAX / 2 || hd_test_alloc_fails())
        return NULL;
    bytes = (bytes + 15) & ~(size_t)15;
    if (c == NULL || c->size - a->used < bytes) {
        c = add_chunk(a, bytes);
        if (c == NULL)
            return NULL;
    }
    at = c->bytes + a->used;
    a->used += bytes;
    return at;
}

void *hd_arena_zero(HdArena *a, size_t bytes)
{
    void *at = hd_arena_take(a, bytes);

    if (at != NULL)
        memset(at, 0, bytes);
    return at;
}

void *hd_arena_zero_array(HdArena *a, size_t size, size_t count)
{
    size_t bytes;

    if (__builtin_mul_overflow(size, count, &bytes))
        return NULL;
    return hd_arena_zero(a, bytes);
}

void *hd_arena_copy(HdArena *a, const void *from, size_t bytes)
{
    void *at = hd_arena_take(a, bytes);

    if (at != NULL && bytes != 0)
        memcpy(at, from, bytes);
    return at;
}

char *hd_arena_string(HdArena *a, const char *s, size_t len)
{
    char *at = hd_arena_take(a, len + 1);

    if (at != NULL) {
        memcpy(at, s, len);
        at[len] = '\0';
    }
    return at;
}

char *hd_arena_printf(HdArena *a, const char *fmt, ...)
{
    va_list args;
    int len;
    char *at;

    va_start(args, fmt);
    len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (len < 0)
        return NULL;
    at = hd_arena_take(a, (size_t)len + 1);
    if (at == NULL)
        return NULL;
    va_start(args, fmt);
    vsnprintf(at, (size_t)len + 1, fmt, args);
    va_end(args);
    return at;
}
