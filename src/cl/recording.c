/* cl/recording.c -- the commands of a command buffer as enqueues run them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/recording.h"

#include "base/memory.h"

HdRecording *hd_recording_new(const cl_event *commands, size_t count)
{
    HdRecording *r = hd_alloc(sizeof *r + count * sizeof *r->at);

    if (r == NULL)
        return NULL;
    atomic_init(&r->refs, 1);
    r->count = count;
    for (size_t i = 0; i < count; i++) {
        r->at[i] = commands[i];
        hd_object_hold(&r->at[i]->object);
    }
    return r;
}

void hd_recording_hold(HdRecording *r)
{
    atomic_fetch_add_explicit(&r->refs, 1, memory_order_relaxed);
}

void hd_recording_drop(HdRecording *r)
{
    /* acq_rel: the thread that frees it must see all uses */
    if (r == NULL || atomic_fetch_sub_explicit(&r->refs, 1, memory_order_acq_rel) != 1)
        return;
    for (size_t i = 0; i < r->count; i++)
        hd_object_drop(&r->at[i]->object);
    hd_free(r);
}
