/* rt/pipe.h -- a pipe as kernels see it: what a pipe argument points to, also in program-scope
 * memory if a module has its own pipes.
 *
 * A pipe is one block of memory: this header, a word for each packet, the packets. The creator of a
 * pipe (cl/, tool/, build/) writes the header into zeroed memory; compiled code's runtime and the
 * interpreter do the rest, independently. See docs/adr/0016-pipes.md.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_RT_PIPE_H
#define HD_RT_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Packets since the pipe was made: numbers that only grow. Packet n is in slot n % max_packets.
 * Between `done` and `taken` lie those that reservations hold. */
typedef struct HdPipeEnd {
    uint64_t taken; /* reserved, or read or written directly */
    uint64_t done;  /* all before this have been committed */
} HdPipeEnd;

/* Both ends change under the lock alone; who only looks may do so without. */
typedef struct HdPipe {
    uint32_t packet_bytes, max_packets;
    uint32_t lock; /* 0: free */
    uint32_t unused;
    HdPipeEnd reads, writes;
} HdPipe;

/* The most that a pipe holds: a reservation has its number of packets in 30 bits. */
#define HD_PIPE_MOST_PACKETS ((UINT32_C(1) << 30) - 1)

/* Reservations: one word, 0 = none.
 *   bits 0 … 31   the lower half of the first packet's number
 *   bits 32 … 61  packets
 *   bit  62       to write them
 *   bit  63       set */
#define HD_PIPE_VALID          (UINT64_C(1) << 63)
#define HD_PIPE_WRITES         (UINT64_C(1) << 62)
#define HD_PIPE_COUNT(id)      ((uint32_t)((id) >> 32) & HD_PIPE_MOST_PACKETS)
#define HD_PIPE_FIRST_HALF(id) ((uint32_t)(id))
#define HD_PIPE_ID(first, count) \
    (HD_PIPE_VALID | (uint64_t)(count) << 32 | ((first)&UINT64_C(0xffffffff)))

/* After the header: by slot of its first packet, the length of a reservation that was committed
 * before the preceding ones; else 0. */
static inline uint32_t *hd_pipe_early(HdPipe *p)
{
    return (uint32_t *)(void *)(p + 1);
}

/* Where the packets begin. */
static inline uint64_t hd_pipe_head_bytes(uint64_t max_packets)
{
    return (sizeof(HdPipe) + 4 * max_packets + 63) / 64 * 64;
}

static inline uint64_t hd_pipe_bytes(uint32_t packet_bytes, uint32_t max_packets)
{
    return hd_pipe_head_bytes(max_packets) + (uint64_t)packet_bytes * max_packets;
}

static inline unsigned char *hd_pipe_packet(HdPipe *p, uint64_t number)
{
    return (unsigned char *)p + hd_pipe_head_bytes(p->max_packets) +
           number % p->max_packets * p->packet_bytes;
}

/* The number of a reservation's first packet. It is held: not further from `done` than the pipe is
 * long. */
static inline uint64_t hd_pipe_first(uint64_t done, uint64_t id)
{
    return done + (uint32_t)(HD_PIPE_FIRST_HALF(id) - (uint32_t)done);
}

#endif
