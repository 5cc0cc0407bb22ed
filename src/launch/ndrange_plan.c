/* launch/ndrange_plan.c -- what all launches of the same sizes and code have in common.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/limits.h"
#include "base/map.h"
#include "launch/ndrange.h"

_Static_assert(HD_MAX_GROUP_ITEMS <= HD_IR_MOST_LOCAL_ID + 1, "code relies on it");

static uint64_t groups_in(const HdLaunch *l, int i)
{
    return (l->global_size[i] - 1) / l->local_size[i] + 1;
}

static uint64_t last_size(const HdLaunch *l, int i)
{
    return l->global_size[i] - (groups_in(l, i) - 1) * l->local_size[i];
}

bool hd_ndrange_has_shape(const HdLaunch *l, unsigned shape)
{
    for (int i = 0; i < 3; i++) {
        bool has_cut = last_size(l, i) != l->local_size[i];

        if ((shape >> i & 1) != 0 ? !has_cut : has_cut && groups_in(l, i) == 1)
            return false;
    }
    return true;
}

void hd_ndrange_shape_size(const HdLaunch *l, unsigned shape, uint64_t size[3])
{
    for (int i = 0; i < 3; i++)
        size[i] = (shape >> i & 1) != 0 ? last_size(l, i) : l->local_size[i];
}

/* By which the time of a group is found again. */
static uint64_t cost_key(const HdNdrange *n, uint32_t items)
{
    const HdKernelCode *code = NULL;
    const void *what;

    for (int i = 0; i < HD_NDRANGE_SHAPES && code == NULL; i++)
        code = n->code[i];
    what = code != NULL ? (const void *)(uintptr_t)code->fn : n->launch->kernel;
    return hd_hash_u64((uint64_t)(uintptr_t)what ^ (uint64_t)items << 48);
}

static HdStatus set_sizes(const HdLaunch *l, HdDiags *d, HdNdrangePlan *p)
{
    HdRtGroup *g = &p->base;
    uint64_t items = 1;

    p->total = 1;
    p->is_even = true;
    for (int i = 0; i < 3; i++) {
        uint64_t groups = groups_in(l, i);

        if (l->local_size[i] > hd_limits_group_items() ||
            (items *= l->local_size[i]) > hd_limits_group_items())
            return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.local-size",
                           "a work-group may have at most %u work-items", hd_limits_group_items());
        if (p->total > UINT64_MAX / 2 / groups)
            return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.groups",
                           "the NDRange has more than 2^63 work-groups");
        p->total *= groups;
        p->whole[i] = l->local_size[i];
        p->last[i] = last_size(l, i);
        p->is_even = p->is_even && p->last[i] == p->whole[i];
        g->global_offset[i] = l->global_offset[i];
        g->global_size[i] = l->global_size[i];
        g->num_groups[i] = groups;
        g->local_size[i] = l->local_size[i];
        g->enqueued_local_size[i] = l->local_size[i];
    }
    if (l->form.coarsen != 0)
        g->global_size[1] = l->global_size[1] * l->form.coarsen - l->spare_rows;
    g->work_dim = l->work_dim;
    g->width = l->width;
    g->items = (uint32_t)items;
    return HD_OK;
}

/* In groups of each shape: of rows, or of all items in their order. */
static void set_subgroups(const HdLaunch *l, HdNdrangePlan *p)
{
    for (unsigned i = 0; i < HD_NDRANGE_SHAPES; i++) {
        const HdKernelCode *code = p->code[i];
        uint64_t size[3], rows, row;
        bool by_rows = code != NULL && code->facts.needs.by_rows;

        hd_ndrange_shape_size(l, i, size);
        row = by_rows ? size[0] : size[0] * size[1] * size[2];
        rows = by_rows ? size[1] * size[2] : 1;
        p->subgroups[i] = (uint32_t)((row + l->width - 1) / l->width * rows);
        if (p->subgroups[i] > p->base.enqueued_subgroups)
            p->base.enqueued_subgroups = p->subgroups[i];
    }
    p->base.subgroups = p->subgroups[0];
}

static void set_code(const HdNdrange *n, HdNdrangePlan *p)
{
    p->fibers = 1;
    for (int i = 0; i < HD_NDRANGE_SHAPES; i++) {
        const HdKernelCode *code = n->code[i];

        p->code[i] = code;
        if (code == NULL)
            continue;
        p->needs_fibers |= code->facts.needs_fibers;
        p->has_arrays |= code->facts.has_arrays;
        p->groups_wait |= code->facts.groups_wait;
        if (code->facts.dims.taken == 0 && code->facts.fold == 0)
            p->stride = code->facts.stride;
        if (code->facts.streams.bytes > p->streams.bytes)
            p->streams = code->facts.streams;
        p->ahead |= code->facts.ahead;
        if (code->facts.named > p->named)
            p->named = code->facts.named;
        if (code->facts.private_bytes > p->private_bytes)
            p->private_bytes = code->facts.private_bytes;
        if (code->facts.context_bytes > p->context_bytes)
            p->context_bytes = code->facts.context_bytes;
        if (code->facts.context_align > p->context_align)
            p->context_align = code->facts.context_align;
    }
    set_subgroups(n->launch, p);
    if (p->needs_fibers)
        p->fibers = p->base.enqueued_subgroups;
}

static const HdCodeFacts *facts_of(const HdNdrangePlan *p)
{
    for (int i = 0; i < HD_NDRANGE_SHAPES; i++)
        if (p->code[i] != NULL)
            return &p->code[i]->facts;
    return NULL;
}

/* Rows that a work-item does. */
static uint64_t rows_of(const HdCodeFacts *f)
{
    return f->coarsen != 0 ? f->coarsen : 1;
}

bool hd_ndrange_has_same_groups(const HdNdrangePlan *a, const HdNdrangePlan *b)
{
    const HdCodeFacts *fa = facts_of(a), *fb = facts_of(b);
    bool is_same;

    if (fa == NULL || fb == NULL)
        return false;
    is_same =
        fa->fold == fb->fold && fa->dims.taken == fb->dims.taken &&
        (!(fa->tiles || fb->tiles) || (fa->row_dim == fb->row_dim && fa->coarsen == fb->coarsen)) &&
        a->whole[1] * rows_of(fa) == b->whole[1] * rows_of(fb);
    for (int i = 0; i < 3; i++)
        is_same = is_same && a->base.num_groups[i] == b->base.num_groups[i] &&
                  a->base.global_offset[i] == b->base.global_offset[i] &&
                  (i == 1 || a->whole[i] == b->whole[i]);
    return is_same;
}

HdStatus hd_ndrange_plan(const HdNdrange *n, HdDiags *d, HdNdrangePlan *out)
{
    *out = (HdNdrangePlan){0};
    HD_TRY(set_sizes(n->launch, d, out));
    set_code(n, out);
    out->cost_key = cost_key(n, out->base.items);
    return HD_OK;
}
