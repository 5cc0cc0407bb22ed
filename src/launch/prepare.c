/* launch/prepare.c -- does a launch fit its kernel: arguments, sizes, code.
 *
 * Spec: OpenCL API, "Executing Kernels".
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/prepare.h"

#include "base/float_env.h"
#include "base/limits.h"
#include "launch/args.h"
#include "launch/choose.h"
#include "launch/unbound.h"

HdStatus hd_launch_check_args(const HdLaunch *l, HdDiags *d)
{
    uint32_t missing = hd_args_missing(l->args);

    if (l->args->kernel != l->kernel)
        return hd_fail(d, HD_BUG, HD_NO_PLACE, "launch.args",
                       "the arguments belong to another kernel");
    if (missing != UINT32_MAX)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.args",
                       "argument %u of kernel '%s' is not set", (unsigned)missing, l->kernel->name);
    return HD_OK;
}

/* The device's own limit is the driver's matter: `heddle run` takes what fits into memory. A
 * checked run reports either limit as a finding. */
HdStatus hd_launch_check_local(const HdLaunch *l, HdDiags *d)
{
    uint64_t bytes = hd_args_local_bytes(l->kernel, l->args->local_sizes);
    uint32_t most = hd_limits_local_bytes();

    if (l->check == NULL && most < HD_MAX_LOCAL_BYTES && bytes > most)
        return hd_fail(d, HD_NO_MEMORY, HD_NO_PLACE, "launch.memory",
                       "a work-group takes %llu bytes of local memory, more than the %u that there "
                       "are",
                       (unsigned long long)bytes, (unsigned)most);
    return HD_OK;
}

/* Work-groups are counted in 64 bits. */
static HdStatus check_groups(const HdLaunch *l, HdDiags *d)
{
    uint64_t all = 1;

    for (uint32_t i = 0; i < 3; i++) {
        uint64_t groups = (l->global_size[i] - 1) / l->local_size[i] + 1;

        if (all > UINT64_MAX / 2 / groups)
            return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.groups",
                           l->kernel->is_shader ? "the dispatch has more than 2^63 workgroups"
                                                : "the NDRange has more than 2^63 work-groups");
        all *= groups;
    }
    return HD_OK;
}

HdStatus hd_launch_check_sizes(const HdLaunch *l, HdDiags *d)
{
    const HdKernelInfo *k = l->kernel;
    uint64_t items = 1, subgroups;

    HD_TRY(hd_layout_check_resources(hd_program_module(l->program), k, d));
    HD_TRY(hd_layout_check_modes(hd_program_module(l->program), k, d));
    for (uint32_t i = 0; i < 3; i++) {
        if (l->local_size[i] == 0)
            return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.local-size",
                           "the local size of dimension %u is 0", (unsigned)i);
        if (k->required_local[0] != 0 && k->required_local[i] != l->local_size[i])
            return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.local-size",
                           "kernel '%s' requires a local size of %u, %u, %u", k->name,
                           (unsigned)k->required_local[0], (unsigned)k->required_local[1],
                           (unsigned)k->required_local[2]);
        if (l->local_size[i] > hd_limits_group_items())
            return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.local-size",
                           "a work-group may have at most %u work-items", hd_limits_group_items());
        if (!hd_kernel_allows_local(k, i, l->local_size[i]))
            return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.local-size",
                           "kernel '%s' allows a local size of %u at most in dimension %u", k->name,
                           (unsigned)k->most_local[i], (unsigned)i);
        if (!hd_kernel_allows_global(k, i, l->global_size[i]))
            return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.dimensions",
                           "kernel '%s' has %u dimensions at most", k->name,
                           (unsigned)k->most_dims);
        if (!hd_kernel_allows_offset(k, l->global_offset[i]))
            return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.offset",
                           "kernel '%s' allows no global offset", k->name);
        items *= l->local_size[i];
    }
    HD_TRY(check_groups(l, d));
    if (k->quads != HD_QUADS_NONE && k->uses_subgroups && l->width < 4)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.width",
                       "shader '%s' has derivatives, of quads: sub-groups need four lanes at least",
                       k->name);
    subgroups = (items + l->width - 1) / l->width;
    if (k->subgroups_per_group != 0 && subgroups != k->subgroups_per_group)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.local-size",
                       "kernel '%s' requires %u sub-groups in a work-group; this local size makes "
                       "%llu",
                       k->name, (unsigned)k->subgroups_per_group, (unsigned long long)subgroups);
    if (k->subgroup_size != 0 && k->subgroup_size != l->width)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.width",
                       "kernel '%s' requires sub-groups of %u lanes, not %u", k->name,
                       (unsigned)k->subgroup_size, (unsigned)l->width);
    return HD_OK;
}

HdStatus hd_launch_prepare(const HdLaunch *from, unsigned threads, HdDiags *d)
{
    HD_FLOAT_ENV;
    HdLaunch with = *from, l;
    bool is_empty;
    HdNdrange n;

    hd_unbound_look(&with);
    HD_TRY(hd_launch_resolve(&with, &l, &is_empty, d));
    if (is_empty)
        return HD_OK;
    HD_TRY(hd_launch_check_sizes(&l, d));
    if (l.engine == HD_ENGINE_INTERPRETED)
        return HD_OK;
    return hd_launch_choose(&with, &l, threads, d, &n);
}
