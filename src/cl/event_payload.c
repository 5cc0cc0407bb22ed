/* cl/event_payload.c -- what a command keeps until it has run.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cl/event.h"

#include "base/memory.h"

void hd_event_drop_payload(cl_event e)
{
    if (e->drop != NULL)
        e->drop(e);
    e->drop = NULL;
    for (unsigned i = 0; i < e->held_count; i++)
        hd_object_drop(e->held[i]);
    e->held_count = 0;
    for (size_t i = 0; i < e->more_count; i++)
        hd_object_drop(e->more_held[i]);
    hd_free(e->more_held);
    e->more_held = NULL;
    e->more_count = 0;
}
