/* rt/pipe.c -- pipes for compiled kernels.
 *
 * Reading and writing move a packet under a lock; reserving, which only counts, takes the lock too.
 * Reserved packets belong to the holder of the reservation and are moved without it. Commits may
 * come in any order: what is committed before its turn waits, so that packets stay in the order in
 * which they were reserved.
 *
 * Spec: OpenCL C, "Pipe Functions"; SPIR-V, "Pipe Instructions".
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/pipe.h"

#include <sched.h>
#include <string.h>

#include "rt/group.h"

/* Looks at a lock that is taken before others get the processor. */
#define SPINS 100u

static void lock(HdPipe *p)
{
    unsigned spins = 0;

    while (__atomic_exchange_n(&p->lock, 1, __ATOMIC_ACQUIRE) != 0)
        while (__atomic_load_n(&p->lock, __ATOMIC_RELAXED) != 0)
            if (++spins % SPINS == 0)
                sched_yield();
}

static void unlock(HdPipe *p)
{
    __atomic_store_n(&p->lock, 0, __ATOMIC_RELEASE);
}

/* Packets to be read, or places to write them. */
static uint64_t available(const HdPipe *p, bool writes)
{
    return writes ? p->max_packets - (p->writes.taken - p->reads.done)
                  : p->writes.done - p->reads.taken;
}

static HdPipeEnd *end_of(HdPipe *p, bool writes)
{
    return writes ? &p->writes : &p->reads;
}

static void take(HdPipeEnd *e, uint64_t count)
{
    __atomic_store_n(&e->taken, e->taken + count, __ATOMIC_RELEASE);
}

/* Packets first … first + count - 1 are done; with them later ones that were already done. */
static void finish(HdPipe *p, HdPipeEnd *e, uint64_t first, uint32_t count)
{
    uint32_t *early = hd_pipe_early(p), next;
    uint64_t done = e->done;

    early[first % p->max_packets] = count;
    while (done != e->taken && (next = early[done % p->max_packets]) != 0) {
        early[done % p->max_packets] = 0;
        done += next;
    }
    __atomic_store_n(&e->done, done, __ATOMIC_RELEASE);
}

/* A packet at most as long as both sides say. */
static void move(HdPipe *p, uint64_t number, bool writes, void *packet, uint64_t bytes)
{
    unsigned char *own = hd_pipe_packet(p, number);
    size_t n = bytes < p->packet_bytes ? (size_t)bytes : p->packet_bytes;

    if (writes)
        memcpy(own, packet, n);
    else
        memcpy(packet, own, n);
}

/* The first packet of a reservation that is held; false when it is none. */
static bool held(HdPipe *p, bool writes, uint64_t id, uint64_t *first)
{
    const HdPipeEnd *e;

    if (p == NULL || (id & HD_PIPE_VALID) == 0 || ((id & HD_PIPE_WRITES) != 0) != writes)
        return false;
    e = end_of(p, writes);
    *first = hd_pipe_first(__atomic_load_n(&e->done, __ATOMIC_ACQUIRE), id);
    return *first + HD_PIPE_COUNT(id) <= __atomic_load_n(&e->taken, __ATOMIC_ACQUIRE);
}

uint64_t hd_rt_pipe_move(HdRtGroup *g, const uint64_t *o)
{
    HdPipe *p = (HdPipe *)(uintptr_t)o[0];
    bool writes = o[1] != 0, is_there;
    HdPipeEnd *e;

    (void)g;
    if (p == NULL)
        return UINT64_MAX;
    e = end_of(p, writes);
    lock(p);
    is_there = available(p, writes) > 0;
    if (is_there) {
        uint64_t number = e->taken;

        move(p, number, writes, (void *)(uintptr_t)o[2], o[3]);
        take(e, 1);
        finish(p, e, number, 1);
    }
    unlock(p);
    return is_there ? 0 : UINT64_MAX;
}

uint64_t hd_rt_pipe_move_at(HdRtGroup *g, const uint64_t *o)
{
    HdPipe *p = (HdPipe *)(uintptr_t)o[0];
    bool writes = o[1] != 0;
    uint32_t index = (uint32_t)o[3];
    uint64_t first;

    (void)g;
    if (!held(p, writes, o[2], &first) || index >= HD_PIPE_COUNT(o[2]))
        return UINT64_MAX;
    move(p, first + index, writes, (void *)(uintptr_t)o[4], o[5]);
    return 0;
}

uint64_t hd_rt_pipe_reserve(HdRtGroup *g, const uint64_t *o)
{
    HdPipe *p = (HdPipe *)(uintptr_t)o[0];
    bool writes = o[1] != 0;
    uint32_t count = (uint32_t)o[2];
    uint64_t id = 0;

    (void)g;
    if (p == NULL)
        return 0;
    lock(p);
    if (count <= available(p, writes)) {
        HdPipeEnd *e = end_of(p, writes);

        id = HD_PIPE_ID(e->taken, count) | (writes ? HD_PIPE_WRITES : 0);
        take(e, count);
    }
    unlock(p);
    return id;
}

uint64_t hd_rt_pipe_commit(HdRtGroup *g, const uint64_t *o)
{
    HdPipe *p = (HdPipe *)(uintptr_t)o[0];
    bool writes = o[1] != 0;
    uint64_t first;

    (void)g;
    if (HD_PIPE_COUNT(o[2]) == 0 || !held(p, writes, o[2], &first))
        return 0;
    lock(p);
    finish(p, end_of(p, writes), first, HD_PIPE_COUNT(o[2]));
    unlock(p);
    return 0;
}

uint64_t hd_rt_pipe_packets(HdRtGroup *g, const uint64_t *o)
{
    HdPipe *p = (HdPipe *)(uintptr_t)o[0];
    uint64_t packets = 0;

    (void)g;
    if (p != NULL) {
        lock(p);
        packets = available(p, false);
        unlock(p);
    }
    return packets;
}
