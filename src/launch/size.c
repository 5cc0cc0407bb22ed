/* launch/size.c -- the local size of a launch that does not specify one.
 *
 * Whole sub-groups in x, sizes that divide the global ones where such exist (programs written for
 * OpenCL 1.x may compute ids from get_local_size), groups large enough to make the cost of a group
 * small, and enough groups for many threads.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/limits.h"
#include "launch/launch.h"
#include "launch/ndrange.h"
#include "launch/size.h"

/* Work-items of a group that the driver sizes: sixteen sub-groups of AVX-512. */
#define TARGET_ITEMS 256u
/* Groups of a launch, at least: work for all threads of a machine (docs/performance.md, "Many
 * threads"). */
#define TARGET_GROUPS 64u

static uint64_t largest_divisor(uint64_t n, uint64_t limit, uint64_t step)
{
    for (uint64_t d = limit / step * step; d >= step && d > 0; d -= step) {
        if (n % d == 0)
            return d;
    }
    return 0;
}

/* The size in x: at best a multiple of the width that divides. */
static uint64_t choose_x(uint64_t global, uint64_t limit, uint64_t width, bool is_uniform)
{
    uint64_t best;

    if (global <= limit)
        return global;
    best = largest_divisor(global, limit, width);
    if (best != 0)
        return best;
    best = largest_divisor(global, limit, 1);
    if (is_uniform) /* rather few large groups than very many of a few work-items */
        return best >= width ? best : largest_divisor(global, hd_limits_group_items(), 1);
    /* Half-empty sub-groups everywhere cost more than an edge. */
    return best >= 2 * width || limit < width ? best : limit / width * width;
}

static bool divides(const HdLaunch *l, const uint32_t local[3])
{
    uint64_t items = 1;

    for (int i = 0; i < 3; i++) {
        if (local[i] == 0 || l->global_size[i] % local[i] != 0)
            return false;
        items *= local[i];
        if (items > hd_limits_group_items())
            return false;
    }
    return true;
}

static void choose(const HdLaunch *l, uint64_t local[3])
{
    const HdKernelInfo *k = l->kernel;
    uint32_t width = l->width != 0 ? l->width : hd_variant_width(hd_program_cpu(l->program), k);
    uint64_t total = 1, limit;

    for (uint32_t i = 0; i < 3; i++) {
        uint64_t n = i < l->work_dim ? l->global_size[i] : 1;

        local[i] = 1;
        total = n != 0 && total > UINT64_MAX / n ? UINT64_MAX : total * n;
    }
    if (k->required_local[0] != 0 || (l->work_dim == 3 && divides(l, k->hint_local))) {
        const uint32_t *from = k->required_local[0] != 0 ? k->required_local : k->hint_local;

        for (int i = 0; i < 3; i++)
            local[i] = from[i] != 0 ? from[i] : 1;
        return;
    }
    if (k->subgroups_per_group != 0) {
        local[0] = (uint64_t)k->subgroups_per_group * width;
        return;
    }
    if (total == 0)
        return;
    limit = total / TARGET_GROUPS;
    limit = limit > TARGET_ITEMS ? TARGET_ITEMS : limit < 2u * width ? 2u * width : limit;
    limit = limit > hd_limits_group_items() ? hd_limits_group_items() : limit;
    local[0] = choose_x(l->global_size[0], limit, width, l->is_uniform);
    limit /= local[0]; /* 0: it is larger */
    for (uint32_t i = 1; i < l->work_dim && limit > 1; i++) {
        uint64_t most = l->global_size[i] < limit ? l->global_size[i] : limit;

        local[i] = largest_divisor(l->global_size[i], most, 1);
        limit /= local[i];
    }
}

void hd_launch_local_size(const HdLaunch *l, uint64_t local[3])
{
    choose(l, local);
    for (uint32_t i = 0; i < 3; i++)
        if (!hd_kernel_allows_local(l->kernel, i, local[i]))
            local[i] = largest_divisor(l->global_size[i], l->kernel->most_local[i], 1);
}
