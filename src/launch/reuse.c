/* launch/reuse.c -- is what large launches write read again, or overwritten first?
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/reuse.h"

#include <string.h>

#include "base/lock.h"

/* Small launches between one that writes and one that reads; looking at them takes time. */
#define PATIENCE 64u

void hd_reuse_open(HdReuse *r, uint64_t least, uint64_t most)
{
    *r = (HdReuse){.least = least, .most = most};
    hd_lock_init_short(&r->lock);
}

void hd_reuse_close(HdReuse *r)
{
    pthread_mutex_destroy(&r->lock);
}

static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t out;

    return __builtin_mul_overflow(a, b, &out) ? UINT64_MAX : out;
}

static bool is_streamed(const HdArgInfo *arg, const HdIrStreams *s)
{
    return arg->kind == HD_ARG_GLOBAL && hd_ir_is_streamed(s, arg->offset);
}

static uint64_t address(const HdArgInfo *arg, const unsigned char *block)
{
    uint64_t at;

    memcpy(&at, block + arg->offset, sizeof at);
    return at;
}

static void note_read(HdReuse *r, uint64_t at, uint64_t bytes)
{
    for (unsigned i = 0; i < HD_REUSE_RANGES; i++)
        if (at < r->range[i].at ? bytes > r->range[i].at - at
                                : at - r->range[i].at < r->range[i].bytes)
            r->range[i].is_read = true;
}

static void note_reads(HdReuse *r, const HdKernelInfo *k, const unsigned char *block,
                       const HdIrStreams *s)
{
    for (uint32_t i = 0; i < k->arg_count; i++)
        if ((k->args[i].kind == HD_ARG_GLOBAL || k->args[i].kind == HD_ARG_CONSTANT) &&
            !is_streamed(&k->args[i], s))
            note_read(r, address(&k->args[i], block), 1);
}

/* Was that range written before, and not read since? */
static bool note_write(HdReuse *r, uint64_t at, uint64_t bytes)
{
    unsigned i = 0;
    bool is_known, is_read;

    while (i < HD_REUSE_RANGES && r->range[i].at != at)
        i++;
    is_known = i < HD_REUSE_RANGES;
    if (!is_known) {
        i = r->next;
        r->next = (i + 1) % HD_REUSE_RANGES;
    }
    is_read = r->range[i].is_read;
    r->range[i].at = at;
    r->range[i].bytes = bytes;
    r->range[i].is_read = false;
    return is_known && !is_read;
}

static bool note_writes(HdReuse *r, const HdKernelInfo *k, const unsigned char *block,
                        const HdIrStreams *s, uint64_t groups, uint32_t items)
{
    uint64_t bytes =
        times((uint64_t)s->written * items, groups) / (unsigned)__builtin_popcount(s->kinds);
    bool is_past = true;

    for (uint32_t i = 0; i < k->arg_count; i++)
        if (is_streamed(&k->args[i], s))
            is_past = note_write(r, address(&k->args[i], block), bytes) && is_past;
    return is_past;
}

bool hd_reuse_launch(HdReuse *r, const HdKernelInfo *k, const unsigned char *block,
                     const HdIrStreams *s, uint64_t groups, uint32_t items)
{
    uint64_t bytes = times((uint64_t)s->bytes * items, groups);
    bool is_large = bytes != 0 && bytes >= r->least, is_past = false;
    unsigned watching = atomic_load_explicit(&r->watching, memory_order_relaxed);

    if (is_large ? bytes >= r->most : watching == 0)
        return is_large;
    pthread_mutex_lock(&r->lock);
    note_reads(r, k, block, s);
    if (is_large)
        is_past = note_writes(r, k, block, s, groups, items);
    atomic_store_explicit(&r->watching, is_large ? PATIENCE : watching - 1, memory_order_relaxed);
    pthread_mutex_unlock(&r->lock);
    return is_past;
}

void hd_reuse_read(HdReuse *r, const void *at, size_t bytes)
{
    if (atomic_load_explicit(&r->watching, memory_order_relaxed) == 0)
        return;
    pthread_mutex_lock(&r->lock);
    note_read(r, (uintptr_t)at, bytes);
    pthread_mutex_unlock(&r->lock);
}
