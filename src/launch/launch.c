/* launch/launch.c -- from a launch as its caller describes it to groups that run.
 *
 * Spec: OpenCL API, "Executing Kernels".
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/launch.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/option.h"
#include "interp/interp.h"
#include "launch/checked.h"
#include "launch/device.h"
#include "launch/ndrange.h"
#include "launch/other.h"
#include "launch/trial.h"

#define FREE_ITEMS        2048u
#define GROUPS_PER_THREAD 8u
#define SHORT_ROW         16u
#define COLUMN_ROWS       16u
#define JAM_ROWS          32u /* of a launch whose work-items may do several */
#define NARROW_ROWS       16u

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
    l->dispatch = l->dispatch || hd_option_number(HD_OPTION_DISPATCH) != 0;
    l->fibers = l->fibers || hd_option_number(HD_OPTION_FIBERS) != 0;
    l->calls = l->calls || hd_option_number(HD_OPTION_CALLS) != 0;
    l->against = l->against != (hd_option_number(HD_OPTION_TRIAL) == 2);
    if (l->lane_dim == 0)
        l->lane_dim = (uint8_t)hd_option_number(HD_OPTION_LANE_DIM);
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

/* Is every global id below 2^31? */
static bool is_small(const HdLaunch *l)
{
    bool fits = true;

    for (int i = 0; i < 3; i++)
        fits = fits && l->global_offset[i] <= INT32_MAX &&
               l->global_size[i] <= INT32_MAX - l->global_offset[i];
    return fits;
}

/* Are rows done together that are all of a group, in one sub-group? Code that relies on it is made
 * for nothing else, so that other kernels with barriers are not made twice. */
static bool is_single(const HdLaunch *l, const uint64_t size[3], bool by_rows)
{
    return l->jam != 0 && l->jam != HD_JAM_BY_COST && !by_rows &&
           size[0] * size[1] * size[2] <= l->width;
}

/* What code may rely on in groups of one shape. */
static HdVariant variant_of(const HdLaunch *l, unsigned shape)
{
    HdVariant v;
    uint64_t size[3];

    hd_ndrange_shape_size(l, shape, size);
    v = hd_variant_of_size(l->width, size, is_small(l), l->may_by_rows);
    v.dispatch = l->dispatch;
    v.fibers = l->fibers;
    v.calls = l->calls;
    v.apart = l->apart;
    v.against = l->against;
    v.dims = l->dims;
    v.fold = l->fold;
    v.jam = l->jam;
    v.single = is_single(l, size, v.by_rows);
    return v;
}

static bool ids_are_affine(HdVariant v)
{
    return v.x_divisible || v.by_rows;
}

/* Is the variant of whole groups right for others as well? */
static bool fits(HdVariant whole, HdVariant v)
{
    if (whole.by_rows)
        return ids_are_affine(v);
    return v.x_divisible == whole.x_divisible && v.by_rows == whole.by_rows &&
           v.full == whole.full && v.twice == whole.twice && v.single >= whole.single;
}

static HdStatus code_of(const HdLaunch *l, HdVariant v, HdDiags *d, const HdKernelCode **out)
{
    if (l->is_made && !hd_program_is_made(l->program, l->kernel, v))
        return HD_UNSUPPORTED;
    return hd_program_code(l->program, l->kernel, v, d, out);
}

/* At most two variants, so that odd sizes do not compile a kernel over and over: that of whole
 * groups, and one that fits all shapes which that one does not. */
static HdStatus choose_code(const HdLaunch *l, HdDiags *d, HdNdrange *n)
{
    unsigned first = 0, odd = 0;
    HdVariant main, other = {0};

    while (!hd_ndrange_has_shape(l, first))
        first++;
    main = variant_of(l, first);
    for (unsigned shape = first; shape < HD_NDRANGE_SHAPES; shape++) {
        HdVariant v;

        if (!hd_ndrange_has_shape(l, shape))
            continue;
        v = variant_of(l, shape);
        if (fits(main, v)) {
            if (n->code[first] == NULL)
                HD_TRY(code_of(l, main, d, &n->code[first]));
            n->code[shape] = n->code[first];
            continue;
        }
        if (odd != 0) {
            v.by_rows = ids_are_affine(v) && ids_are_affine(other);
            v.x_divisible = v.x_divisible && other.x_divisible;
            v.by_rows = v.by_rows && !v.x_divisible;
            v.full = v.full && other.full;
            v.twice = v.twice && other.twice;
            v.single = v.single && other.single;
        }
        other = v;
        odd |= 1u << shape;
    }
    for (unsigned shape = 0; shape < HD_NDRANGE_SHAPES; shape++) {
        if ((odd >> shape & 1) != 0)
            HD_TRY(code_of(l, other, d, &n->code[shape]));
    }
    return HD_OK;
}

/* Items of a group for a kernel that does not see its groups: enough to hide what a call costs, and
 * groups enough for all threads to end together. */
static uint64_t free_items(const HdLaunch *l, unsigned threads)
{
    uint64_t items = 1, most = (uint64_t)FREE_ITEMS * GROUPS_PER_THREAD * threads;

    for (int i = 0; i < 3 && items < most; i++)
        items *= l->global_size[i];
    items = (items < most ? items : most) / GROUPS_PER_THREAD / threads;
    if (items >= 2u * l->width)
        return items - items % (2u * l->width);
    return items < l->width ? l->width : items - items % l->width;
}

/* Groups of a kernel that walks through columns: narrow, so that the next rows find the cache lines
 * of this one still there. That may be why the host asked for what it did. */
static void narrow_groups(HdLaunch *l)
{
    if (l->local_size[1] * l->local_size[2] > 1 && l->local_size[0] % l->width == 0)
        return;
    l->local_size[0] = l->width;
    l->local_size[1] = COLUMN_ROWS;
    l->local_size[2] = 1;
}

/* That of whole groups in whole sub-groups. */
static HdVariant whole_variant(const HdLaunch *l)
{
    return (HdVariant){.width = (uint8_t)l->width,
                       .x_divisible = true,
                       .full = true,
                       .twice = true,
                       .single = is_single(l, l->local_size, false),
                       .dispatch = l->dispatch,
                       .fibers = l->fibers,
                       .calls = l->calls,
                       .apart = l->apart,
                       .against = l->against,
                       .dims = l->dims,
                       .fold = l->fold,
                       .jam = l->jam};
}

static void exchange(uint64_t sizes[3], unsigned dim)
{
    uint64_t x = sizes[0];

    sizes[0] = sizes[dim];
    sizes[dim] = x;
}

/* The dimensions that lanes may count along, as far as the sizes say: not x where it is shorter
 * than a sub-group and another one is not. */
static uint8_t dims_of(const HdLaunch *l)
{
    uint8_t dims = l->global_size[0] >= l->width;

    if (l->lane_dim != 0)
        return (uint8_t)(l->lane_dim <= l->work_dim ? 1u << (l->lane_dim - 1) : 1u);
    for (unsigned i = 1; i < l->work_dim && is_small(l); i++)
        if (l->global_size[i] >= l->width)
            dims |= (uint8_t)(1u << i);
    if (l->kernel->required_local[0] != 0)
        dims &= hd_variant_dims(l->width, l->local_size);
    return dims != 0 ? dims : 1;
}

/* Let the dimension that the kernel's lanes count along change places with x, if it is another one.
 * Groups that the kernel can tell apart must have room for lanes in it. */
static HdStatus turn(HdLaunch *l, HdDiags *d)
{
    uint8_t suit = l->lane_dim != 0 ? HD_ALL_DIMS : hd_variant_dims(l->width, l->local_size);
    const HdKernelCode *code;
    unsigned dim = 0;

    for (l->dims = dims_of(l); l->dims != 1; l->dims &= (uint8_t) ~(1u << dim)) {
        bool is_fixed = l->kernel->required_local[0] != 0;

        HD_TRY(code_of(l, is_fixed ? variant_of(l, 0) : whole_variant(l), d, &code));
        dim = code->facts.dims.taken;
        if (dim == 0)
            return HD_OK;
        if (code->facts.is_flat || (suit >> dim & 1) != 0)
            break;
    }
    if (l->dims == 1)
        return HD_OK;
    l->dims = (uint8_t)(1u << dim);
    exchange(l->global_offset, dim);
    exchange(l->global_size, dim);
    exchange(l->local_size, dim);
    return HD_OK;
}

/* Is it a few work-items wide, of which lanes would be left over, and many rows long? */
static bool is_narrow(const HdLaunch *l)
{
    bool has_offset =
        l->global_offset[0] != 0 || l->global_offset[1] != 0 || l->global_offset[2] != 0;

    return l->lane_dim == 0 && !has_offset && l->width > 1 && l->global_size[0] > 1 &&
           l->global_size[0] <= HD_FOLD_MOST && l->global_size[0] % l->width != 0 &&
           l->global_size[1] >= NARROW_ROWS && l->global_size[1] <= INT32_MAX / HD_FOLD_MOST &&
           l->kernel->required_local[0] == 0 && l->kernel->subgroups_per_group == 0 && is_small(l);
}

/* Let x and y be one dimension, if the launch is narrow and the kernel gains. */
static HdStatus fold(HdLaunch *l, HdDiags *d)
{
    const HdKernelCode *code;

    l->fold = 0;
    l->dims = HD_ALL_DIMS;
    if (!is_narrow(l))
        return HD_OK;
    HD_TRY(code_of(l, whole_variant(l), d, &code));
    if (!code->facts.is_flat || !code->facts.may_fold)
        return HD_OK;
    l->dims = 1;
    l->fold = (uint8_t)l->global_size[0];
    HD_TRY(code_of(l, whole_variant(l), d, &code));
    if (code->facts.fold == 0) {
        l->fold = 0;
        return HD_OK;
    }
    l->global_size[0] *= l->global_size[1];
    l->global_size[1] = l->global_size[2];
    l->global_size[2] = 1;
    l->local_size[0] = l->local_size[1] = l->local_size[2] = 1;
    return HD_OK;
}

uint8_t hd_launch_jam(void)
{
    uint64_t asked = hd_option_number(HD_OPTION_JAM);

    return asked == 1 ? HD_JAM_BY_COST : asked <= HD_JAM_MOST ? (uint8_t)asked : 0;
}

/* May a work-item do several rows of it? Where there are few, some would be left over. */
static bool may_jam(const HdLaunch *l)
{
    bool is_asked = hd_launch_jam() != HD_JAM_BY_COST;

    return l->fold == 0 && l->lane_dim == 0 && !l->dispatch && l->work_dim > 1 && l->width > 1 &&
           l->global_offset[1] == 0 && (is_asked || l->global_size[1] >= JAM_ROWS) &&
           l->global_size[0] >= l->width && l->kernel->subgroups_per_group == 0 && is_small(l);
}

/* Rows that work-items do together, `most` at most, where none may be left over in any group. */
static uint8_t rows_of_groups(const HdLaunch *l, uint8_t most)
{
    while (most > 1 && (l->local_size[1] % most != 0 || l->global_size[1] % most != 0))
        most--;
    return most > 1 ? most : 0;
}

/* Let work-items do several rows each, if that gains. */
static HdStatus jam(HdLaunch *l, HdDiags *d)
{
    const HdKernelCode *code;
    uint64_t rows;

    if (l->jam == 0)
        return HD_OK;
    l->jam = 0;
    if ((l->dims & 1) == 0) /* rows are columns by now */
        return HD_OK;
    l->jam = hd_launch_jam();
    HD_TRY(code_of(l, l->kernel->required_local[0] != 0 ? variant_of(l, 0) : whole_variant(l), d,
                   &code));
    l->jam = code->facts.jam;
    if (code->facts.group_jam != 0)
        l->jam = rows_of_groups(l, code->facts.group_jam);
    if (l->jam == 0)
        return HD_OK;
    rows = l->global_size[1];
    l->global_size[1] = (rows - 1) / l->jam + 1;
    l->spare_rows = (uint8_t)(l->global_size[1] * l->jam - rows);
    l->local_size[1] = (l->local_size[1] - 1) / l->jam + 1;
    return HD_OK;
}

/* Whole rows, which leave lanes over: each group costs as much as some dozen work-items. */
static void take_rows(HdLaunch *l, uint64_t count)
{
    l->local_size[0] = l->global_size[0];
    l->local_size[1] = count < l->global_size[1] ? count : l->global_size[1];
    count /= l->local_size[1];
    l->local_size[2] = count < l->global_size[2] ? count : l->global_size[2];
}

/* A kernel in which nothing tells groups apart may run in groups of another size: larger ones, made
 * of whole sub-groups in x, so that ids are affine whatever size was asked for. */
static HdStatus regroup(HdLaunch *l, unsigned threads, HdDiags *d)
{
    uint64_t room = free_items(l, threads), rows = l->local_size[1] * l->local_size[2];
    uint64_t x = l->global_size[0];
    const HdKernelCode *code;

    /* Rows much shorter than a sub-group waste more than affine ids gain. */
    if (l->kernel->required_local[0] != 0 || l->kernel->subgroups_per_group != 0 || !is_small(l) ||
        (x < l->width / 2 && (l->global_size[1] > 1 || l->global_size[2] > 1)))
        return HD_OK;
    HD_TRY(code_of(l, whole_variant(l), d, &code));
    if (!code->facts.is_flat)
        return HD_OK;
    if (code->facts.has_columns && l->global_size[1] >= COLUMN_ROWS) {
        narrow_groups(l);
        return HD_OK;
    }
    /* Smaller groups than were asked for only cost. */
    if (room < rows * l->local_size[0])
        room = rows * l->local_size[0];
    /* Of longer ones what is left over is little, and their groups fill pairs of sub-groups. */
    if (x % l->width != 0 && x <= room / 2 && x < SHORT_ROW * l->width &&
        hd_program_goes_by_rows(l->kernel, l->width, l->global_size)) {
        take_rows(l, room / x);
        return HD_OK;
    }
    if (x % l->width != 0 || rows > room / l->width) {
        rows = 1;
        l->local_size[1] = l->local_size[2] = 1;
    }
    room = room / rows - room / rows % l->width;
    room -= room >= 2u * l->width ? room % (2u * l->width) : 0;
    l->local_size[0] = room < x ? room : x;
    return HD_OK;
}

/* Sizes of groups and sub-groups, where the caller leaves them open. */
static HdStatus choose_groups(const HdLaunch *from, HdLaunch *l, unsigned threads, HdDiags *d)
{
    l->jam = 0;
    HD_TRY(fold(l, d));
    l->jam = may_jam(l) ? hd_launch_jam() : 0;
    if (l->fold == 0)
        HD_TRY(turn(l, d));
    HD_TRY(jam(l, d));
    HD_TRY(regroup(l, threads, d));
    if (from->width == 0)
        l->width = hd_program_width_for(l->program, l->kernel, l->local_size);
    l->may_by_rows = hd_program_goes_by_rows(l->kernel, l->width, l->local_size);
    return HD_OK;
}

static HdStatus plan_form(const HdLaunch *from, HdLaunch *l, unsigned threads, HdDiags *d,
                          HdNdrangePlan *plan)
{
    HdNdrange n = {.launch = l};

    HD_TRY(choose_groups(from, l, threads, d));
    HD_TRY(choose_code(l, d, &n));
    return hd_ndrange_plan(&n, d, plan);
}

/* ---- plans ----------------------------------------------------------------------------------- */

struct HdLaunchPlan {
    uint32_t work_dim, width;
    bool dispatch, fibers, calls, apart;
    uint8_t lane_dim;
    unsigned threads;
    uint64_t global_offset[3], global_size[3], local_size[3]; /* as asked for; 0 = left open */
    _Atomic uint32_t runs;
    _Atomic uint64_t ns; /* that one took lately; UINT64_MAX = not known */
    HdTrial trial;
    HdOther *other; /* being made for it; NULL: nothing is */
};

static bool same_sizes(const HdLaunchPlan *p, const HdLaunch *l)
{
    for (uint32_t i = 0; i < l->work_dim; i++) {
        if (p->global_size[i] != l->global_size[i] || p->local_size[i] != l->local_size[i] ||
            p->global_offset[i] != l->global_offset[i])
            return false;
    }
    return true;
}

static HdLaunchPlan *find_plan(const HdLaunch *l, unsigned threads)
{
    HdLaunchPlan *p;

    for (unsigned i = 0; i < HD_LAUNCH_PLANS; i++) {
        /* acquire: what it holds was written before it was put there */
        p = atomic_load_explicit(&l->plans->at[i], memory_order_acquire);
        if (p == NULL)
            return NULL;
        if (p->work_dim == l->work_dim && p->threads == threads && p->width == l->width &&
            p->dispatch == l->dispatch && p->fibers == l->fibers && p->calls == l->calls &&
            p->apart == l->apart && p->lane_dim == l->lane_dim && same_sizes(p, l))
            return p;
    }
    return NULL;
}

/* Keep a plan for launches to come, where there is room; that there is none harms nobody.
 *   against  of the other form, if that is the better one; NULL */
static void keep_plan(const HdLaunch *l, unsigned threads, const HdNdrangePlan *of,
                      const HdNdrangePlan *against, uint32_t times)
{
    unsigned i = 0;
    HdLaunchPlan *p, *none = NULL;

    while (i < HD_LAUNCH_PLANS && atomic_load(&l->plans->at[i]) != NULL)
        i++;
    p = i < HD_LAUNCH_PLANS ? hd_alloc_zero(sizeof *p) : NULL;
    if (p == NULL)
        return;
    p->work_dim = l->work_dim;
    p->width = l->width;
    p->dispatch = l->dispatch;
    p->fibers = l->fibers;
    p->calls = l->calls;
    p->apart = l->apart;
    p->lane_dim = l->lane_dim;
    p->threads = threads;
    for (uint32_t k = 0; k < l->work_dim; k++) {
        p->global_offset[k] = l->global_offset[k];
        p->global_size[k] = l->global_size[k];
        p->local_size[k] = l->local_size[k];
    }
    hd_trial_init(&p->trial, of, against, times);
    atomic_init(&p->ns, UINT64_MAX);
    if (!atomic_compare_exchange_strong(&l->plans->at[i], &none, p))
        hd_free(p);
}

void hd_launch_find_plan(HdLaunch *l, unsigned threads)
{
    if (l->plans != NULL && l->engine == HD_ENGINE_COMPILED)
        l->plan = find_plan(l, threads);
}

uint64_t hd_launch_guess_ns(const HdLaunch *l)
{
    return l->plan != NULL ? atomic_load_explicit(&l->plan->ns, memory_order_relaxed) : UINT64_MAX;
}

/* A thread that lost its processor meanwhile says nothing about the kernel: grow slowly. */
static void note_time(HdLaunchPlan *p, uint64_t took)
{
    uint64_t most = atomic_load_explicit(&p->ns, memory_order_relaxed);

    if (most < UINT64_MAX / 2)
        took = took < most + most / 4 + 100 ? took : most + most / 4 + 100;
    atomic_store_explicit(&p->ns, took, memory_order_relaxed);
}

static HdStatus run_timed(HdPool *pool, const HdLaunch *l, const HdNdrangePlan *of, HdDiags *d,
                          uint64_t *took)
{
    HdNdrange n = {.launch = l};
    uint64_t start = hd_clock_ns();
    HdStatus st = hd_ndrange_run_planned(pool, &n, of, d);

    *took = hd_clock_ns() - start;
    return st;
}

/* One form (HdVariant.against) of a launch, unless something is left to compile for it. */
static bool plan_made(const HdLaunch *from, unsigned threads, bool against, HdNdrangePlan *plan)
{
    HdLaunch form = *from, l;
    bool done, is_empty;
    HdDiags d; /* the launch does well without it */

    form.against = against;
    form.is_made = true;
    hd_diags_init(&d);
    done = resolve(&form, &l, &is_empty, &d) == HD_OK &&
           plan_form(&form, &l, threads, &d, plan) == HD_OK;
    hd_diags_drop(&d);
    return done;
}

/* The form that is not the best one of a plan is asked for when it is due, and tried when it is
 * there. The launch is alone with the trial. */
static void see_to_other(HdPool *pool, const HdLaunch *l, HdLaunchPlan *p)
{
    HdTrialNeed need = hd_trial_need(&p->trial);
    HdLaunch other = *l;
    HdNdrangePlan plan;
    HdOtherState state;

    if (need == HD_TRIAL_NOTHING)
        return;
    other.against = hd_trial_needs_against(&p->trial);
    if (p->other == NULL)
        p->other = hd_other_open(&other, p->threads);
    state = p->other != NULL ? hd_other_ask(p->other, pool, need == HD_TRIAL_CODE_NOW)
                             : HD_OTHER_FAILED;
    if (state == HD_OTHER_PENDING)
        return;
    hd_trial_open(&p->trial,
                  state == HD_OTHER_MADE && plan_made(l, p->threads, other.against, &plan) ? &plan
                                                                                           : NULL);
    hd_other_close(p->other);
    p->other = NULL;
}

static HdStatus run_plan(HdPool *pool, const HdLaunch *l, HdLaunchPlan *p, HdDiags *d)
{
    HdNdrange n = {.launch = l};
    const HdNdrangePlan *of = hd_trial_best(&p->trial);
    uint32_t run = atomic_load_explicit(&p->runs, memory_order_relaxed);
    bool is_alone, is_over;
    HdOutcome outcome;
    uint64_t took;
    HdStatus st;

    /* Two threads may count one run: it is about how many. */
    atomic_store_explicit(&p->runs, run + 1, memory_order_relaxed);
    if ((run & (atomic_load_explicit(&p->trial.every, memory_order_relaxed) - 1)) != 0)
        return hd_ndrange_run_planned(pool, &n, of, d);
    is_alone = hd_trial_enter(&p->trial);
    if (is_alone) {
        see_to_other(pool, l, p);
        of = hd_trial_plan(&p->trial);
    }
    st = run_timed(pool, l, of, d, &took);
    note_time(p, took);
    if (!is_alone)
        return st;
    hd_trial_leave(&p->trial, st == HD_OK ? took : 0, &is_over, &outcome);
    if (is_over)
        hd_program_keep_outcome(l->program, hd_trial_code(&p->trial.forms[0]), outcome);
    return st;
}

void hd_launch_plans_close(HdLaunchPlans *plans)
{
    for (unsigned i = 0; i < HD_LAUNCH_PLANS; i++) {
        HdLaunchPlan *p = atomic_exchange(&plans->at[i], NULL);

        if (p != NULL)
            hd_other_close(p->other);
        hd_free(p);
    }
}

static HdStatus run_compiled(HdPool *pool, const HdLaunch *from, HdLaunch *l, HdDiags *d)
{
    unsigned threads = pool != NULL ? hd_pool_threads(pool) : 1;
    HdNdrange n = {.launch = from};
    HdOutcome outcome = {0};
    HdNdrangePlan plan, against;
    const HdKernelCode *code;
    bool is_against;

    HD_TRY(plan_form(from, l, threads, d, &plan));
    code = from->plans != NULL ? hd_trial_code(&plan) : NULL;
    if (code != NULL)
        outcome = hd_program_outcome(code);
    is_against = outcome.against && plan_made(from, threads, true, &against);
    if (outcome.against && !is_against)
        outcome.times = 0; /* to be tried again */
    if (from->plans != NULL)
        keep_plan(from, threads, &plan, is_against ? &against : NULL, outcome.times);
    return hd_ndrange_run_planned(pool, &n, is_against ? &against : &plan, d);
}

/* ---- interpreted ------------------------------------------------------------------------------
 */

typedef struct Interpreted {
    const HdInterpProgram *program;
    const HdLaunch *launch;
    uint64_t local_bytes;
    uint64_t groups;
    HdInterpCheck *check; /* NULL: a plain run */
    HdInterpRooms *rooms;
} Interpreted;

/* Nothing in the kernel tells sub-groups: as many lanes as the interpreter can take. */
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
                        .zeroes_local = (in->launch->zeroes & HD_ZEROES_LOCAL) != 0,
                        .width = g->width,
                        .subgroup_width = g->width,
                        .check = in->check,
                        .rooms = in->rooms,
                        .work_dim = g->work_dim,
                        .print = print_interpreted,
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
    return hd_interp_group(in->program, &ig, d);
}

static HdStatus run_interpreted(HdPool *pool, const HdLaunch *l, HdDiags *d)
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
                          l->check != NULL && l->check->hook != NULL, d, &program));
    in.program = program;
    st = hd_interp_rooms_open(program, &in.rooms);
    if (st != HD_OK) {
        hd_interp_close(program);
        return st;
    }
    if (l->check != NULL) {
        in.groups = 1;
        for (int i = 0; i < 3; i++)
            in.groups *= (l->global_size[i] - 1) / l->local_size[i] + 1;
        st = hd_checked_open(l, program, in.groups, in.local_bytes, &checked);
        in.check = &checked.of;
        if (checked.of.seed != 0)
            pool = NULL; /* one thread: the same order each time */
        st = st == HD_OK ? hd_ndrange_run(pool, &n, d) : st;
        hd_checked_close(&checked);
    } else {
        st = hd_ndrange_run(pool, &n, d);
    }
    hd_interp_rooms_close(in.rooms);
    hd_interp_close(program);
    return st;
}

HdStatus hd_launch_prepare(const HdLaunch *from, unsigned threads, HdDiags *d)
{
    HdNdrange n = {0};
    HdLaunch l;
    bool is_empty;

    HD_TRY(resolve(from, &l, &is_empty, d));
    if (is_empty)
        return HD_OK;
    HD_TRY(check_sizes(&l, d));
    if (l.engine == HD_ENGINE_INTERPRETED)
        return HD_OK;
    HD_TRY(choose_groups(from, &l, threads, d));
    return choose_code(&l, d, &n);
}

HdStatus hd_launch_run(HdPool *pool, const HdLaunch *from, HdDiags *d)
{
    HdLaunchPlan *plan = from->plan;
    HdLaunch l;
    bool is_empty;

    if (hd_launch_has_device(from))
        return hd_launch_run_family(pool, from, d);
    if (plan == NULL && from->plans != NULL && from->engine == HD_ENGINE_COMPILED)
        plan = find_plan(from, pool != NULL ? hd_pool_threads(pool) : 1);
    if (plan != NULL) {
        HD_TRY(check_args(from, d));
        return run_plan(pool, from, plan, d);
    }
    HD_TRY(resolve(from, &l, &is_empty, d));
    HD_TRY(check_args(&l, d));
    if (is_empty)
        return HD_OK;
    HD_TRY(check_sizes(&l, d));
    return l.engine == HD_ENGINE_INTERPRETED ? run_interpreted(pool, &l, d)
                                             : run_compiled(pool, from, &l, d);
}
