/* rt/device.c -- device-side enqueue: from compiled code to the launch's HdRtDevice.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/device.h"

#include "rt/group.h"

#define AT(type, address) ((type *)(uintptr_t)(address))

uint64_t hd_rt_enqueue(HdRtGroup *g, const uint64_t *operands)
{
    int64_t result = HD_RT_ENQUEUE_FAILURE;

    if (g->device != NULL)
        result = g->device->enqueue(g->device, AT(const HdRtEnqueue, operands[0]));
    return (uint64_t)result;
}

uint64_t hd_rt_default_queue(HdRtGroup *g, const uint64_t *operands)
{
    (void)operands;
    return g->device != NULL ? g->device->default_queue : 0;
}

uint64_t hd_rt_group_items(HdRtGroup *g, const uint64_t *operands)
{
    HdRtDevice *d = g->device;

    return d != NULL ? d->group_items(d, operands[0], AT(const HdRtRange, operands[1])) : 1;
}

uint64_t hd_rt_new_user_event(HdRtGroup *g, const uint64_t *operands)
{
    (void)operands;
    return g->device != NULL ? g->device->new_user_event(g->device) : 0;
}

uint64_t hd_rt_is_event(HdRtGroup *g, const uint64_t *operands)
{
    return g->device != NULL && g->device->is_event(g->device, operands[0]);
}

uint64_t hd_rt_retain_event(HdRtGroup *g, const uint64_t *operands)
{
    return g->device != NULL && g->device->retain(g->device, operands[0]);
}

uint64_t hd_rt_release_event(HdRtGroup *g, const uint64_t *operands)
{
    return g->device != NULL && g->device->release(g->device, operands[0]);
}

uint64_t hd_rt_event_status(HdRtGroup *g, const uint64_t *operands)
{
    return g->device != NULL &&
           g->device->set_status(g->device, operands[0], (int32_t)(uint32_t)operands[1]);
}

uint64_t hd_rt_event_profile(HdRtGroup *g, const uint64_t *operands)
{
    return g->device != NULL &&
           g->device->capture_profile(g->device, operands[0], AT(uint64_t, operands[1]));
}
