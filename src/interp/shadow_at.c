/* interp/shadow_at.c -- where the bytes are that say which bits of memory have no value.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/shadow_at.h"

#include "interp/state.h"

unsigned char *hd_shadow_at(HdEval *e, uint64_t address, bool create, unsigned char *flip)
{
    const HdInterpRun *r = e->run;
    HdRegion *region;
    unsigned char *shadow;

    *flip = 0;
    if (hd_is_in_block(address, r->subs[0].private_at, r->private_bytes))
        return (unsigned char *)(uintptr_t)(address + r->private_bytes);
    if (hd_is_in_block(address, r->local, e->g->local_bytes))
        return e->watch->local_shadow + (address - (uint64_t)(uintptr_t)r->local);
    region = hd_check_find(&e->watch->c->map, address);
    if (region == NULL)
        return NULL;
    *flip = region->is_undefined ? 0xff : 0;
    shadow = atomic_load_explicit(&region->shadow, memory_order_acquire);
    if (shadow == NULL && (create || region->is_undefined))
        shadow = hd_region_shadow(region);
    return shadow != NULL ? shadow + (address - region->at) : NULL;
}
