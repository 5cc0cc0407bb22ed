/* launch/bytes.c -- copying and filling large memory at full bandwidth.
 *
 * Large blocks are split into parts that idle workers help with. Fills that exceed the caches use
 * non-temporal stores, which avoids reading what is overwritten; copies gain nothing from that.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdint.h>
#include <string.h>

#include "launch/bytes.h"
#include "launch/launch.h"
#include "launch/pool_state.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define PART_BYTES  ((size_t)2 << 20) /* that one thread takes at a time */
#define SHARE_BYTES (8 * PART_BYTES)  /* below, waking somebody does not pay */
#define BLOCK_BYTES 256u              /* a multiple of every pattern's size and of a cache line */

typedef struct Work {
    HdWorkSlot offer; /* first: the pool hands it back */
    unsigned char *to;
    const unsigned char *from; /* NULL: a fill */
    size_t bytes;
    const unsigned char *block; /* BLOCK_BYTES of the pattern */
    bool is_streamed;
    _Atomic size_t next; /* byte not taken yet */
} Work;

static void fill_cached(unsigned char *to, size_t bytes, const unsigned char *block)
{
    for (; bytes >= BLOCK_BYTES; bytes -= BLOCK_BYTES, to += BLOCK_BYTES)
        memcpy(to, block, BLOCK_BYTES);
    memcpy(to, block, bytes);
}

#if defined(__SSE2__)
/* The same past the caches. The pattern's start moves along with the first whole cache line. */
static void fill_streamed(unsigned char *to, size_t bytes, const unsigned char *block)
{
    size_t skip = (64 - ((uintptr_t)to & 63)) & 63;
    unsigned char turned[BLOCK_BYTES];
    __m128i v[BLOCK_BYTES / 16];

    memcpy(to, block, skip);
    to += skip;
    bytes -= skip;
    for (size_t i = 0; i < BLOCK_BYTES; i++)
        turned[i] = block[(i + skip) % BLOCK_BYTES];
    memcpy(v, turned, sizeof v);
    for (; bytes >= BLOCK_BYTES; bytes -= BLOCK_BYTES, to += BLOCK_BYTES) {
        for (size_t i = 0; i < BLOCK_BYTES / 16; i++)
            _mm_stream_si128((__m128i *)(void *)to + i, v[i]);
    }
    _mm_sfence(); /* other threads may read it as soon as it is marked as done */
    memcpy(to, turned, bytes);
}
#else
#define fill_streamed fill_cached
#endif

static void do_part(const Work *w, size_t at, size_t bytes)
{
    if (w->from != NULL)
        memcpy(w->to + at, w->from + at, bytes);
    else if (w->is_streamed)
        fill_streamed(w->to + at, bytes, w->block);
    else
        fill_cached(w->to + at, bytes, w->block);
}

static void help(HdWorkSlot *o, HdRtWorker **own)
{
    Work *w = (Work *)o;
    size_t at;

    (void)own;
    while ((at = atomic_fetch_add_explicit(&w->next, PART_BYTES, memory_order_relaxed)) < w->bytes)
        do_part(w, at, w->bytes - at < PART_BYTES ? w->bytes - at : PART_BYTES);
}

static bool has_more(const HdWorkSlot *o)
{
    const Work *w = (const Work *)o;

    return atomic_load_explicit(&w->next, memory_order_relaxed) < w->bytes;
}

static void run(HdPool *pool, Work *w)
{
    if (pool == NULL || w->bytes < SHARE_BYTES || hd_pool_threads(pool) < 2 ||
        !hd_pool_is_alive(pool)) {
        do_part(w, 0, w->bytes);
        return;
    }
    w->offer = (HdWorkSlot){.help = help,
                            .has_more = has_more,
                            .max_helpers = hd_pool_threads(pool) - 1,
                            .worth_waking = hd_pool_threads(pool) - 1};
    atomic_init(&w->next, 0);
    hd_pool_offer(pool, &w->offer);
    help(&w->offer, NULL);
    hd_pool_withdraw(pool, &w->offer);
}

void hd_bytes_note_read(HdPool *pool, const void *at, size_t bytes)
{
    if (pool != NULL)
        hd_reuse_read(&pool->reuse, at, bytes);
}

void hd_bytes_copy(HdPool *pool, void *to, const void *from, size_t bytes)
{
    uintptr_t a = (uintptr_t)to, b = (uintptr_t)from;
    Work w = {.to = to, .from = from, .bytes = bytes};

    if (a == b)
        return;
    hd_bytes_note_read(pool, from, bytes);
    if ((a < b ? b - a : a - b) < bytes)
        memmove(to, from, bytes);
    else
        run(pool, &w);
}

void hd_bytes_fill(HdPool *pool, void *to, size_t bytes, const void *pattern, size_t pattern_bytes)
{
    unsigned char block[BLOCK_BYTES];
    Work w = {.to = to,
              .bytes = bytes,
              .block = block,
              .is_streamed = pool != NULL && bytes >= pool->fill_bytes};

    memcpy(block, pattern, pattern_bytes);
    for (size_t n = pattern_bytes; n < BLOCK_BYTES && n < bytes; n *= 2)
        memcpy(block + n, block, n);
    run(pool, &w);
}
