/* ir/stream.h -- memory that a kernel only writes, and writes through.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_IR_STREAM_H
#define HD_IR_STREAM_H

#include "ir/ir.h"

typedef struct HdIrStreams {
    unsigned kinds;      /* of memory (ir/memory.h), one for each argument that is such a stream */
    const bool *in_loop; /* [blocks] it is part of some loop */
    uint32_t bytes; /* that a work-item writes to them outside of loops, and about as much for each
                       other argument that it reads */
} HdIrStreams;

/* The arguments to which a kernel writes outside of loops, and whose memory nothing in it reads:
 * what these stores leave in the caches is of no use to it. None where work-items wait for each
 * other or order memory, and where arguments are not known to be apart; nor without memory for the
 * question. */
HdIrStreams hd_ir_streams(const HdIrFunc *f, HdArena *a);

#endif
