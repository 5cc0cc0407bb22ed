/* cl/object.c -- reference counts.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/object.h"

#include "base/memory.h"
#include "cl/checked.h"

/* Written before the first object exists and never again. */
static const void *dispatch_table;

void hd_object_set_dispatch(const void *table)
{
    dispatch_table = table;
}

/* What a checked run calls an object that the host has to release. */
static HdCheckedKind kind_of(HdMagic magic)
{
    switch (magic) {
    case HD_MAGIC_CONTEXT: return HD_CHECKED_CONTEXT;
    case HD_MAGIC_QUEUE: return HD_CHECKED_QUEUE;
    case HD_MAGIC_MEM: return HD_CHECKED_MEM;
    case HD_MAGIC_SAMPLER: return HD_CHECKED_SAMPLER;
    case HD_MAGIC_PROGRAM: return HD_CHECKED_PROGRAM;
    case HD_MAGIC_KERNEL: return HD_CHECKED_KERNEL;
    case HD_MAGIC_EVENT: return HD_CHECKED_EVENT;
    case HD_MAGIC_SEMAPHORE: return HD_CHECKED_SEMAPHORE;
    case HD_MAGIC_COMMAND_BUFFER: return HD_CHECKED_COMMAND_BUFFER;
    default: return HD_CHECKED_KINDS;
    }
}

void hd_object_init(HdObject *o, HdMagic magic, void (*destroy)(HdObject *))
{
    o->dispatch = dispatch_table;
    o->magic = (uint32_t)magic;
    o->destroy = destroy;
    atomic_init(&o->api_refs, 1);
    atomic_init(&o->refs, 1);
    hd_checked_born(o, kind_of(magic), &o->api_refs);
}

void hd_object_hold(HdObject *o)
{
    atomic_fetch_add_explicit(&o->refs, 1, memory_order_relaxed);
}

void hd_object_own(HdObject *o)
{
    hd_object_hold(o);
    hd_object_release(o);
}

bool hd_object_try_hold(HdObject *o)
{
    unsigned now = atomic_load_explicit(&o->refs, memory_order_relaxed);

    while (now != 0)
        if (atomic_compare_exchange_weak_explicit(&o->refs, &now, now + 1, memory_order_relaxed,
                                                  memory_order_relaxed))
            return true;
    return false;
}

void hd_object_drop(HdObject *o)
{
    /* acq_rel: the last owner must see every write made by earlier owners. */
    if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_acq_rel) == 1) {
        hd_checked_died(o);
        o->destroy(o);
    }
}

void hd_object_free(void *o)
{
    hd_free(hd_checked_keep(o));
}

void hd_object_retain(HdObject *o)
{
    /* The host's references together hold one of ours; it comes back when a host retains an object
     * that it had released and that a callback gave it once more. */
    if (atomic_fetch_add_explicit(&o->api_refs, 1, memory_order_relaxed) == 0)
        hd_object_hold(o);
}

bool hd_object_release(HdObject *o)
{
    unsigned now = atomic_load_explicit(&o->api_refs, memory_order_relaxed);

    do {
        if (now == 0)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&o->api_refs, &now, now - 1,
                                                    memory_order_acq_rel, memory_order_relaxed));
    if (now == 1)
        hd_object_drop(o);
    return true;
}

unsigned hd_object_api_refs(const HdObject *o)
{
    return atomic_load_explicit(&o->api_refs, memory_order_relaxed);
}
