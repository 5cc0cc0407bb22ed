/* launch/interpreted.c -- launches that the reference interpreter runs, plain and checked.
 *
 * Spec: OpenCL API, "Executing Kernels".
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/interpreted.h"

#include "check/observer.h"
#include "interp/interp.h"
#include "launch/checked.h"
#include "launch/ndrange.h"

typedef struct Interpreted {
    const HdInterpProgram *program;
    const HdLaunch *launch;
    uint64_t local_bytes;
    uint64_t groups;
    HdInterpCheck *check; /* NULL: a plain run */
    HdInterpRooms *rooms;
    bool groups_wait; /* HdNdrange */
} Interpreted;

/* The kernel cannot observe sub-groups: as many lanes as the interpreter supports. */
#define WIDE_LANES 64u

/* The group that runs when it is the turn of one: in the seed's order, each once. */
static void reorder(const Interpreted *in, HdInterpGroup *g)
{
    uint64_t number = hd_interp_shuffled(in->check->seed, g->number, in->groups);

    g->number = number;
    g->group_id[0] = number % g->num_groups[0];
    g->group_id[1] = number / g->num_groups[0] % g->num_groups[1];
    g->group_id[2] = number / g->num_groups[0] / g->num_groups[1];
    for (int i = 0; i < 3; i++) {
        uint64_t rest = g->global_size[i] - g->group_id[i] * g->enqueued_local_size[i];

        g->local_size[i] = rest < g->enqueued_local_size[i] ? rest : g->enqueued_local_size[i];
    }
}

static bool wait_interpreted(void *user)
{
    return hd_ndrange_wait(user);
}

static void print_interpreted(void *user, const char *text, size_t len)
{
    const HdRtGroup *g = user;

    hd_ndrange_print(g, text, len);
}

/* A quick check leaves out all groups between the first and the last. */
static bool is_left_out(const Interpreted *in, uint64_t number)
{
    return in->check != NULL && in->launch->check->quick && number != 0 && number + 1 != in->groups;
}

static HdStatus interpret_group(void *user, const HdRtGroup *g, HdDiags *d)
{
    const Interpreted *in = user;
    HdInterpGroup ig = {.kernel = in->launch->kernel,
                        .args = g->args,
                        .program = g->program,
                        .local_bytes = in->local_bytes,
                        .zeroes_local = (in->launch->zeroes & HD_ZEROES_LOCAL) != 0 ||
                                        in->launch->kernel->zeroes_local,
                        .width = g->width,
                        .subgroup_width = g->width,
                        .check = in->check,
                        .rooms = in->rooms,
                        .work_dim = g->work_dim,
                        .print = print_interpreted,
                        .wait = in->groups_wait ? wait_interpreted : NULL,
                        .user = (void *)(uintptr_t)g,
                        .device = g->device,
                        .cancel = in->launch->cancel};

    for (int i = 0; i < 3; i++) {
        ig.global_offset[i] = g->global_offset[i];
        ig.global_size[i] = g->global_size[i];
        ig.group_id[i] = g->group_id[i];
        ig.num_groups[i] = g->num_groups[i];
        ig.local_size[i] = g->local_size[i];
        ig.enqueued_local_size[i] = g->enqueued_local_size[i];
    }
    ig.number =
        (g->group_id[2] * g->num_groups[1] + g->group_id[1]) * g->num_groups[0] + g->group_id[0];
    /* Plain runs keep to sub-groups, in their order: what compiled code is compared with. */
    if (in->check != NULL && in->check->seed == 0 && !in->launch->kernel->uses_subgroups)
        ig.width = WIDE_LANES;
    if (in->check != NULL && in->check->seed != 0 && in->groups > 1 && in->groups < UINT32_MAX)
        reorder(in, &ig);
    return is_left_out(in, ig.number) ? HD_OK : hd_interp_group(in->program, &ig, d);
}

/* What left-out groups would have written to arguments has values, as far as later launches are
 * concerned. */
static void take_as_written(const HdLaunch *l, const HdChecked *c)
{
    for (uint32_t i = 0; i < l->kernel->arg_count; i++) {
        const HdRegion *r = c->of.args[i];

        if (r != NULL && !r->is_read_only)
            hd_check_host_wrote(c->of.check, r->at, r->bytes);
    }
}

/* People look at variables, and observers at all accesses to them. */
static bool keeps_variables(const HdLaunchCheck *c)
{
    const heddle_observer *o = c != NULL ? hd_check_observer(c->check) : NULL;

    return c != NULL && (c->hook != NULL || (o != NULL && o->access != NULL));
}

HdStatus hd_launch_interpret(HdPool *pool, const HdLaunch *l, HdDiags *d)
{
    Interpreted in = {.launch = l};
    HdNdrange n = {.launch = l, .group = interpret_group, .user = &in};
    HdInterpProgram *program;
    HdChecked checked;
    HdStatus st;

    in.local_bytes = hd_ndrange_local_bytes(l->kernel, l->args, NULL);
    if (in.local_bytes > SIZE_MAX / 2)
        return hd_fail(d, HD_NO_MEMORY, HD_NO_PLACE, "launch.memory",
                       "no memory for a work-group: its local memory is larger than any");
    HD_TRY(hd_interp_open(hd_program_module(l->program), hd_program_layout(l->program),
                          keeps_variables(l->check), d, &program));
    in.program = program;
    in.groups = 1;
    for (int i = 0; i < 3; i++)
        in.groups *= (l->global_size[i] - 1) / l->local_size[i] + 1;
    /* People who step through a group stay in it. */
    n.groups_wait = in.groups_wait = in.groups > 1 && hd_interp_may_wait(program) &&
                                     (l->check == NULL || l->check->hook == NULL);
    st = hd_interp_rooms_open(program, &in.rooms);
    if (st != HD_OK) {
        hd_interp_close(program);
        return st;
    }
    if (l->check != NULL) {
        st = hd_checked_open(l, program, in.groups, &checked);
        in.check = &checked.of;
        if (checked.of.seed != 0)
            pool = NULL; /* one thread: the same order each time */
        st = st == HD_OK ? hd_ndrange_run(pool, &n, d) : st;
        if (st == HD_OK && l->check->quick && in.groups > 2)
            take_as_written(l, &checked);
        hd_checked_close(&checked);
    } else {
        st = hd_ndrange_run(pool, &n, d);
    }
    hd_interp_rooms_close(in.rooms);
    hd_interp_close(program);
    return st;
}
