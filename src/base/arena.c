/* base/arena.c -- chunks of growing size, bumped.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/round.h"
#include "base/memory.h"
#include "base/pages.h"

#define FIRST_CHUNK_BYTES ((size_t)4096)
#define MAX_CHUNK_BYTES   ((size_t)1 << 20)

/* An arena of this size gets large pages one by one. */
#define MANY_BYTES        (8 * MAX_CHUNK_BYTES)
#define LARGE_CHUNK_BYTES (2 * MAX_CHUNK_BYTES)

/* Less is not lent. */
#define LEAST_LENT ((size_t)1 << 16)

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
    size_t first_bytes; /* of the first chunk; 0: it is as all others */
    size_t first_certain;
    size_t total;    /* bytes of all chunks */
    HdArena *lender; /* of `borrowed`; NULL: nothing is borrowed */
    Chunk *borrowed; /* inside one of the lender's chunks */
};

HdArena *hd_arena_open(void)
{
    HdArena *a = hd_alloc_zero(sizeof *a);

    if (a != NULL)
        a->next_size = FIRST_CHUNK_BYTES;
    return a;
}

HdArena *hd_arena_open_for(size_t bytes, size_t certain)
{
    HdArena *a = hd_arena_open();

    if (a != NULL && bytes > MAX_CHUNK_BYTES) {
        a->first_bytes = bytes;
        a->first_certain = certain;
    }
    return a;
}

static size_t left_in(const HdArena *a, const Chunk *c)
{
    return c != NULL ? c->size - a->used : 0;
}

HdArena *hd_arena_open_in(HdArena *lender)
{
    size_t left = left_in(lender, lender->chunks);
    HdArena *a = hd_arena_open();
    Chunk *c;

    if (a == NULL || left < LEAST_LENT)
        return a;
    c = (Chunk *)(lender->chunks->bytes + lender->used);
    c->next = NULL;
    c->size = left - sizeof *c;
    lender->used += left;
    a->lender = lender;
    a->borrowed = a->chunks = c;
    return a;
}

static void free_from(const HdArena *a, Chunk *c)
{
    while (c != NULL) {
        Chunk *next = c->next;

        if (c != a->borrowed)
            hd_free(c);
        c = next;
    }
}

/* The lender goes on where it was, unless it has a newer chunk with more left. */
static void give_back(HdArena *a)
{
    HdArena *lender = a->lender;
    Chunk **at = &lender->chunks, *c;
    size_t used;

    while ((unsigned char *)a->borrowed < (*at)->bytes ||
           (unsigned char *)a->borrowed >= (*at)->bytes + (*at)->size)
        at = &(*at)->next;
    c = *at;
    used = (size_t)((unsigned char *)a->borrowed - c->bytes);
    if (c != lender->chunks && left_in(lender, lender->chunks) > c->size - used)
        return;
    *at = c->next;
    c->next = lender->chunks;
    lender->chunks = c;
    lender->used = used;
}

void hd_arena_drop(HdArena *a)
{
    if (a == NULL)
        return;
    free_from(a, a->chunks);
    if (a->borrowed != NULL)
        give_back(a);
    hd_free(a);
}

/* The newest chunk is kept, or what was borrowed if that is larger. */
void hd_arena_clear(HdArena *a)
{
    Chunk *kept = a->chunks;

    if (kept == NULL)
        return;
    if (a->borrowed != NULL && a->borrowed->size >= kept->size)
        kept = a->borrowed;
    for (Chunk **at = &a->chunks; *at != NULL;) {
        if (*at == kept)
            *at = kept->next;
        else
            at = &(*at)->next;
    }
    free_from(a, a->chunks);
    kept->next = NULL;
    a->chunks = kept;
    a->used = 0;
    a->total = kept->size;
}

void hd_arena_empty(HdArena *a)
{
    free_from(a, a->chunks);
    if (a->borrowed != NULL)
        a->borrowed->next = NULL;
    a->chunks = a->borrowed;
    a->used = 0;
    a->total = 0;
}

/* A large one is for one array. It is not aligned to large pages: where many are freed and made,
 * what aligned ones leave between them would not be used again. */
static Chunk *make_chunk(HdArena *a, size_t bytes)
{
    size_t size = sizeof(Chunk) + bytes;
    Chunk *c = hd_alloc(size);

    if (c == NULL)
        return NULL;
    if (size > MAX_CHUNK_BYTES)
        hd_pages_use_all(c, size);
    c->next = NULL;
    c->size = bytes;
    a->total += bytes;
    return c;
}

/* A chunk for an array of its own stays below the newest one when that has more left. */
static void *take_from_new(HdArena *a, size_t bytes)
{
    size_t most = a->total < MANY_BYTES ? MAX_CHUNK_BYTES : LARGE_CHUNK_BYTES - sizeof(Chunk);
    size_t size = bytes > a->next_size ? bytes : a->next_size;
    Chunk *newest = a->chunks, *c = make_chunk(a, size);

    if (c == NULL)
        return NULL;
    if (a->next_size < most)
        a->next_size = a->next_size * 2 < most ? a->next_size * 2 : most;
    if (left_in(a, newest) > c->size - bytes) {
        c->next = newest->next;
        newest->next = c;
        return c->bytes;
    }
    c->next = newest;
    a->chunks = c;
    a->used = bytes;
    return c->bytes;
}

/* Begin with the chunk that was asked for. Without memory for it, it begins as always. */
static void begin_large(HdArena *a)
{
    Chunk *c = hd_pages_alloc(a->first_bytes, a->first_certain);

    if (c != NULL) {
        c->next = NULL;
        c->size = a->first_bytes - sizeof *c;
        a->total = c->size;
        a->chunks = c;
    }
    a->first_bytes = 0;
}

void *hd_arena_take(HdArena *a, size_t bytes)
{
    void *at;

    if (bytes > SIZE_MAX / 2 || hd_test_alloc_fails())
        return NULL;
    bytes = hd_round_up(bytes, 16);
    if (a->first_bytes != 0)
        begin_large(a);
    if (a->chunks == NULL || left_in(a, a->chunks) < bytes)
        return take_from_new(a, bytes);
    at = a->chunks->bytes + a->used;
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
