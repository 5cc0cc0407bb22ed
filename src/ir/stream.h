/* ir/stream.h -- memory that a kernel only writes, as a stream.
 *
 * A launch that writes more than the caches hold stores such memory past them (non-temporal stores,
 * docs/adr/0025), unless a later launch reads it again (launch/reuse.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_IR_STREAM_H
#define HD_IR_STREAM_H

#include "ir/memory.h"

typedef struct HdIrStreams {
    unsigned kinds;   /* of memory (ir/memory.h), one for each argument that is such a stream */
    uint32_t written; /* bytes that a work-item writes to them outside of loops */
    uint32_t bytes;   /* the same, and about as much for each other argument that it reads */
} HdIrStreams;

/* The arguments that a kernel writes outside loops and never reads: caching these stores is of no
 * use to it. None if work-items wait for each other or order memory, or if arguments may alias; nor
 * if there is no memory for the analysis.
 *   in_loop   as of hd_ir_in_loops */
HdIrStreams hd_ir_streams(const HdIrFunc *f, const bool *in_loop);

/* Is the argument that is so many bytes into the block of arguments one of them? */
static inline bool hd_ir_is_streamed(const HdIrStreams *s, uint64_t offset)
{
    return (s->kinds & hd_ir_memory_of_arg(offset)) != 0;
}

#endif
