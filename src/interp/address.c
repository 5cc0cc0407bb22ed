/* interp/address.c -- where variables are in memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "interp/state.h"
#include "module/calls.h"

uint64_t hd_interp_resource(const HdInterpRun *r, HdId variable)
{
    const HdArgInfo *arg = &r->g->kernel->args[r->p->layout->resource[variable]];
    HdBinding bound;

    if (arg->resource.elements != 0 || arg->resource.opaque != HD_OPAQUE_NONE)
        return (uint64_t)(uintptr_t)(r->g->args + arg->offset);
    memcpy(&bound, r->g->args + arg->offset, sizeof bound);
    return bound.at;
}

uint64_t hd_interp_address(void *user, HdId id)
{
    const HdInterpRun *r = user;
    const HdBuildLayout *l = r->p->layout;
    uint32_t function = hd_module_function_index(r->p->m, id);

    if (function != UINT32_MAX)
        return hd_module_function_address(function);
    if (id >= l->bound)
        return 0;
    if (l->resource[id] != UINT32_MAX && r->g->kernel->is_shader)
        return hd_interp_resource(r, id);
    if (l->local_offset[id] != UINT64_MAX)
        return (uint64_t)(uintptr_t)(r->local + l->local_offset[id]);
    if (l->program_offset[id] != UINT64_MAX)
        return (uint64_t)(uintptr_t)(r->g->program + l->program_offset[id]);
    return 0;
}
