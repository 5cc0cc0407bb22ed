/* rt/named.c -- named barriers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rt/named.h"

#include <string.h>

#include "base/memory.h"
#include "rt/group.h"

void hd_rt_named_close(HdRtNamedTable *t)
{
    hd_free(t->at);
    hd_free(t->made);
    *t = (HdRtNamedTable){0};
}

HdStatus hd_rt_named_open(HdRtNamedTable *t, uint32_t count, uint32_t subgroups)
{
    if (count <= t->count && subgroups <= t->subgroups)
        return HD_OK;
    hd_rt_named_close(t);
    t->at = hd_alloc_zero((size_t)count * HD_MAX_NAMED * sizeof *t->at);
    t->made = hd_alloc_zero((size_t)count * subgroups * sizeof *t->made);
    if (t->at == NULL || t->made == NULL) {
        hd_rt_named_close(t);
        return HD_NO_MEMORY;
    }
    t->count = count;
    t->subgroups = subgroups;
    return HD_OK;
}

void hd_rt_named_clear(HdRtNamedTable *t)
{
    if (t->count == 0)
        return;
    memset(t->at, 0, (size_t)t->count * HD_MAX_NAMED * sizeof *t->at);
    memset(t->made, 0, (size_t)t->count * t->subgroups * sizeof *t->made);
}

/* A handle is the instruction's number and, in the lower half, the how-manieth it is. */
uint64_t hd_rt_named_make(HdRtGroup *g, uint32_t number, uint32_t subgroups)
{
    HdRtWorker *w = g->worker;
    HdRtNamedTable *t = &w->named;
    uint32_t made = ++t->made[(size_t)g->current * t->count + number];
    HdRtNamed *n = &t->at[number * HD_MAX_NAMED + made % HD_MAX_NAMED];

    if (subgroups == 0)
        hd_rt_fail(g, HD_UNSUPPORTED, "launch.named-barrier",
                   "a named barrier is for 0 sub-groups");
    /* The first sub-group to arrive creates it; for the others it exists. */
    if (n->made < made)
        *n = (HdRtNamed){.made = made, .subgroups = subgroups};
    return (uint64_t)number << 32 | made;
}

void hd_rt_named_wait(HdRtGroup *g, uint64_t handle)
{
    HdRtWorker *w = g->worker;
    HdRtNamedTable *t = &w->named;
    uint64_t number = handle >> 32;
    uint32_t made = (uint32_t)handle;
    HdRtNamed *n;

    if (number >= t->count || made == 0 ||
        t->at[number * HD_MAX_NAMED + made % HD_MAX_NAMED].made != made)
        hd_rt_fail(g, HD_UNSUPPORTED, "launch.named-barrier",
                   "a wait at a named barrier that does not exist, or was made before %u others",
                   HD_MAX_NAMED);
    n = &t->at[number * HD_MAX_NAMED + made % HD_MAX_NAMED];
    if (++n->arrived < n->subgroups) {
        hd_rt_stand(g, n);
        return;
    }
    n->arrived = 0;
    n->phase++;
}
