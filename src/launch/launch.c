/* launch/launch.c -- from a launch as its caller describes it to groups that run.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/launch.h"

#include "interp/interp.h"
#include "launch/ndrange.h"

static HdStatus check_args(const HdLaunch *l, HdDiags *d)
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

/* Fill what the caller left open; true in *is_empty when there is nothing to run. */
static HdStatus resolve(const HdLaunch *from, HdLaunch *l, bool *is_empty, HdDiags *d)
{
    bool is_chosen = true;

    *l = *from;
    *is_empty = false;
    if (l->work_dim < 1 || l->work_dim > 3)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.dimensions",
                       "an NDRange has 1 to 3 dimensions, not %u", (unsigned)l->work_dim);
    for (uint32_t i = 0; i < 3; i++) {
        if (i >= l->work_dim) {
            l->global_size[i] = 1;
            l->global_offset[i] = 0;
        }
        if (l->global_size[i] == 0)
            *is_empty = true;
        if (i < l->work_dim && l->local_size[i] != 0)
            is_chosen = false;
    }
    if (l->width == 0)
        l->width = hd_program_width(l->program, l->kernel);
    if (l->width == 0 || l->width > HD_MAX_WIDTH)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.width",
                       "a sub-group cannot have %u lanes", (unsigned)l->width);
    if (is_chosen)
        hd_launch_local_size(l, l->local_size);
    for (uint32_t i = l->work_dim; i < 3; i++) {
        if (l->local_size[i] == 0)
            l->local_size[i] = 1;
    }
    return HD_OK;
}

static HdStatus check_sizes(const HdLaunch *l, HdDiags *d)
{
    const HdKernelInfo *k = l->kernel;
    uint64_t items = 1, subgroups;

    for (uint32_t i = 0; i < 3; i++) {
        if (l->local_size[i] == 0)
            return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.local-size",
                           "the local size of dimension %u is 0", (unsigned)i);
        if (k->required_local[0] != 0 && k->required_local[i] != l->local_size[i])
            return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.local-size",
                           "kernel '%s' requires a local size of %u, %u, %u", k->name,
                           (unsigned)k->required_local[0], (unsigned)k->required_local[1],
                           (unsigned)k->required_local[2]);
        if (l->local_size[i] > HD_LAUNCH_MAX_ITEMS)
            return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.local-size",
                           "a work-group may have at most %u work-items", HD_LAUNCH_MAX_ITEMS);
        items *= l->local_size[i];
    }
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

static HdStatus code_for(const HdLaunch *l, uint64_t local_x, HdDiags *d, const HdKernelCode **out)
{
    HdVariant v = {.width = (uint8_t)l->width,
                   .x_divisible = local_x % l->width == 0,
                   .dispatch = l->dispatch};

    return hd_program_code(l->program, l->kernel, v, d, out);
}

static HdStatus run_compiled(HdPool *pool, const HdLaunch *l, HdDiags *d)
{
    HdNdrange n = {.launch = l};

    if (hd_ndrange_has_full(l))
        HD_TRY(code_for(l, l->local_size[0], d, &n.full));
    if (hd_ndrange_has_edge(l))
        HD_TRY(code_for(l, l->global_size[0] % l->local_size[0], d, &n.edge));
    return hd_ndrange_run(pool, &n, d);
}

typedef struct Interpreted {
    const HdInterpProgram *program;
    const HdLaunch *launch;
    uint64_t local_bytes;
} Interpreted;

static void print_interpreted(void *user, const char *text, size_t len)
{
    const HdRtGroup *g = user;

    hd_ndrange_print(g, text, len);
}

static HdStatus interpret_group(void *user, const HdRtGroup *g, HdDiags *d)
{
    const Interpreted *in = user;
    HdInterpGroup ig = {.kernel = in->launch->kernel,
                        .args = g->args,
                        .program = g->program,
                        .local_bytes = in->local_bytes,
                        .width = g->width,
                        .work_dim = g->work_dim,
                        .print = print_interpreted,
                        .user = (void *)(uintptr_t)g,
                        .cancel = in->launch->cancel};

    for (int i = 0; i < 3; i++) {
        ig.global_offset[i] = g->global_offset[i];
        ig.global_size[i] = g->global_size[i];
        ig.group_id[i] = g->group_id[i];
        ig.num_groups[i] = g->num_groups[i];
        ig.local_size[i] = g->local_size[i];
        ig.enqueued_local_size[i] = g->enqueued_local_size[i];
    }
    return hd_interp_group(in->program, &ig, d);
}

static HdStatus run_interpreted(HdPool *pool, const HdLaunch *l, HdDiags *d)
{
    Interpreted in = {.launch = l};
    HdNdrange n = {.launch = l, .group = interpret_group, .user = &in};
    HdInterpProgram *program;
    HdStatus st;

    HD_TRY(
        hd_interp_open(hd_program_module(l->program), hd_program_layout(l->program), d, &program));
    in.program = program;
    in.local_bytes = hd_ndrange_local_bytes(l->kernel, l->args, NULL);
    st = hd_ndrange_run(pool, &n, d);
    hd_interp_close(program);
    return st;
}

HdStatus hd_launch_run(HdPool *pool, const HdLaunch *from, HdDiags *d)
{
    HdLaunch l;
    bool is_empty;

    HD_TRY(resolve(from, &l, &is_empty, d));
    HD_TRY(check_args(&l, d));
    if (is_empty)
        return HD_OK;
    HD_TRY(check_sizes(&l, d));
    return l.engine == HD_ENGINE_INTERPRETED ? run_interpreted(pool, &l, d)
                                             : run_compiled(pool, &l, d);
}
