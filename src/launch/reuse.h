/* launch/reuse.h -- is what large launches write read again, or overwritten first?
 *
 * Decides which of them store past the caches (docs/adr/0025).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_LAUNCH_REUSE_H
#define HD_LAUNCH_REUSE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "build/layout.h"
#include "jit/facts.h"

/* Ranges of memory that were written last and are looked for in what is read: a chain of kernels
 * has a few arrays. */
#define HD_REUSE_RANGES 8u

typedef struct HdReuse {
    uint64_t least, most;      /* bytes, see hd_reuse_open */
    _Atomic unsigned watching; /* so many further launches are looked at */
    pthread_mutex_t lock;      /* what follows */
    unsigned next;             /* range that the next new one replaces */
    struct {
        uint64_t at, bytes; /* written by a large launch */
        bool is_read;       /* since */
    } range[HD_REUSE_RANGES];
} HdReuse;

/* Launches that move fewer than `least` bytes leave what they write in the caches, those that move
 * `most` or more never do. */
void hd_reuse_open(HdReuse *r, uint64_t least, uint64_t most);
void hd_reuse_close(HdReuse *r);

/* A launch begins: does it better store past the caches what it streams? That of `least` bytes or
 * more does if the same memory was written before and nobody has read it since. Any thread.
 *   block     its arguments
 *   streams   of each of its work-items
 *   items     of a group */
bool hd_reuse_launch(HdReuse *r, const HdKernelInfo *k, const unsigned char *block,
                     const HdIrStreams *streams, uint64_t groups, uint32_t items);
/* Something else reads memory. */
void hd_reuse_read(HdReuse *r, const void *at, size_t bytes);

#endif
