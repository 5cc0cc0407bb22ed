/* launch/choose.c -- sizes of groups, the dimension of lanes, rows together, variants of code.
 *
 * A kernel that cannot observe its groups runs in groups of whole sub-groups, whatever size the
 * host gives; where neighbours in x access places far apart, in groups a sub-group wide and some
 * rows long, so that lines of the cache are completed by the next rows. Work-items in loops that
 * are no more than threads run alone, each on a thread.
 *
 * Spec: OpenCL API, "Executing Kernels"; SPV_INTEL_kernel_attributes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launch/choose.h"

#include "base/option.h"
#include "launch/size.h"

/* Work-items of a group at most whose size is free: what a call of the kernel costs is then
 * small beside them. Not fitted. */
#define FREE_ITEMS 2048u
/* Groups that a thread gets of a launch whose groups are free, so that all threads end together. */
#define GROUPS_PER_THREAD 8u
/* Sub-groups in a row: of longer rows the lanes left over at the end are few. */
#define SHORT_ROW 16u
/* Rows of a group that goes through columns: a line of the cache holds as many floats. */
#define COLUMN_ROWS 16u
/* Rows of a launch, at least, whose work-items may do several (docs/adr/0031). */
#define JAM_ROWS 32u
/* The same for tiles: a multiple of this number of rows will do as well. */
#define TILE_ROWS 4u
/* Rows of a launch, at least, that is narrow in x and may be folded (docs/adr/0026): with fewer
 * the division of ids is not paid back. */
#define NARROW_ROWS 16u
/* Groups in x from which on code of its own for their size is worth compiling; fewer mostly are
 * the last step of a reduction. */
#define MANY_GROUPS 8u
/* Numbers of four bytes in half a page. Places a multiple of it apart share few sets of a first
 * cache of 4 KB for each way. */
#define HALF_PAGE_ITEMS 512u

HdStatus hd_launch_resolve(const HdLaunch *from, HdLaunch *l, bool *is_empty, HdDiags *d)
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
    l->tests.dispatch = l->tests.dispatch || hd_option_number(HD_OPTION_DISPATCH) != 0;
    l->tests.fibers = l->tests.fibers || hd_option_number(HD_OPTION_FIBERS) != 0;
    l->tests.calls = l->tests.calls || hd_option_number(HD_OPTION_CALLS) != 0;
    l->form.against = l->form.against != (hd_option_number(HD_OPTION_TRIAL) >= 2);
    if (l->lane_dim == 0)
        l->lane_dim = (uint8_t)hd_option_number(HD_OPTION_LANE_DIM);
    if (l->width == 0)
        l->width = hd_variant_width(hd_program_cpu(l->program), l->kernel);
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

/* Is every global id below 2^31? */
static bool is_small(const HdLaunch *l)
{
    bool fits = true;

    for (int i = 0; i < 3; i++)
        fits = fits && l->global_offset[i] <= INT32_MAX &&
               l->global_size[i] <= INT32_MAX - l->global_offset[i];
    return fits;
}

/* Are rows done together that are all of a group, in one sub-group along x? Code that relies on it
 * is made for nothing else, so that other kernels with barriers are not made twice. */
static bool is_single(const HdLaunch *l, const uint64_t size[3], bool by_rows)
{
    return l->form.coarsen != 0 && l->form.coarsen != HD_COARSEN_BY_COST && !by_rows &&
           size[0] <= l->width && size[1] == 1 && size[2] == 1;
}

/* What code may rely on in groups of one shape. */
static HdVariant variant_of(const HdLaunch *l, unsigned shape)
{
    HdVariant v;
    uint64_t size[3];

    hd_ndrange_shape_size(l, shape, size);
    v = hd_variant_of_size(l->width, size, is_small(l), l->may_by_rows);
    v.launch = hd_launch_facts_of_any(v.launch, l->of_args);
    v.launch.single = is_single(l, size, v.launch.by_rows);
    v.form = l->form;
    v.tests = l->tests;
    v.spare = l->spare;
    return v;
}

static bool ids_are_affine(HdLaunchFacts f)
{
    return f.x_divisible || f.by_rows;
}

/* Is the variant of whole groups right for others as well? */
static bool fits(HdLaunchFacts whole, HdLaunchFacts f)
{
    if (whole.by_rows)
        return ids_are_affine(f);
    return f.x_divisible == whole.x_divisible && f.by_rows == whole.by_rows &&
           f.full == whole.full && f.twice == whole.twice && f.single >= whole.single;
}

/* What holds for two shapes. Rows that begin sub-groups have affine ids as well. */
static HdLaunchFacts of_both(HdLaunchFacts a, HdLaunchFacts b)
{
    HdLaunchFacts both = hd_launch_facts_of_both(a, b);

    both.by_rows = ids_are_affine(a) && ids_are_affine(b) && !both.x_divisible;
    both.one_row = both.by_rows && both.one_row;
    return both;
}

static HdStatus code_of(const HdLaunch *l, HdVariant v, HdDiags *d, const HdKernelCode **out)
{
    if (l->is_made && !hd_program_is_ready(l->program, l->kernel, v))
        return HD_UNSUPPORTED;
    return hd_program_code(l->program, l->kernel, v, d, out);
}

/* What is known of a variant: code that the launch does not run is not generated for it. */
static HdStatus facts_of(const HdLaunch *l, HdVariant v, HdDiags *d, HdCodeFacts *out)
{
    if (l->is_made && !hd_program_is_known(l->program, l->kernel, v))
        return HD_UNSUPPORTED;
    return hd_program_facts(l->program, l->kernel, v, d, out);
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
        if (fits(main.launch, v.launch)) {
            if (n->code[first] == NULL)
                HD_TRY(code_of(l, main, d, &n->code[first]));
            n->code[shape] = n->code[first];
            continue;
        }
        if (odd != 0)
            v.launch = of_both(v.launch, other.launch);
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

/* Are neighbours in x likely to access places that lie a multiple of half a page apart, so that
 * they share few sets of the cache? Arrays mostly are as large as the launch. */
static bool shares_sets(const HdLaunch *l)
{
    return l->global_size[1] * l->global_size[2] % HALF_PAGE_ITEMS == 0;
}

/* A sub-group wide, and some rows long along `dim`. */
static void narrow_groups(HdLaunch *l, unsigned dim)
{
    l->local_size[0] = l->width;
    l->local_size[1] = l->local_size[2] = 1;
    l->local_size[dim] = l->global_size[dim] < COLUMN_ROWS ? l->global_size[dim] : COLUMN_ROWS;
}

/* Groups of a kernel that walks through columns: narrow, so that the next rows find the cache lines
 * of this one still there. That may be why the host asked for what it did, but where sub-groups
 * side by side share sets of the cache few rows do. */
static void column_groups(HdLaunch *l)
{
    bool is_plane = l->global_size[2] == 1;

    if (l->local_size[1] * l->local_size[2] > 1 && l->local_size[0] % l->width == 0 &&
        !(is_plane && shares_sets(l)))
        return;
    narrow_groups(l, 1);
}

/* That of whole groups in whole sub-groups. */
static HdVariant whole_variant(const HdLaunch *l)
{
    const HdLaunchFacts of_sizes = {.x_divisible = true,
                                    .full = true,
                                    .twice = true,
                                    .single = is_single(l, l->local_size, false)};

    return (HdVariant){.width = (uint8_t)l->width,
                       .spare = l->spare,
                       .launch = hd_launch_facts_of_any(of_sizes, l->of_args),
                       .form = l->form,
                       .tests = l->tests};
}

static void exchange(HdLaunch *l, unsigned one, unsigned other)
{
    uint64_t *const sizes[] = {l->global_offset, l->global_size, l->local_size};

    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t size = sizes[i][one];

        sizes[i][one] = sizes[i][other];
        sizes[i][other] = size;
    }
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
    HdCodeFacts facts;
    unsigned dim = 0;

    for (l->form.dims = dims_of(l); l->form.dims != 1; l->form.dims &= (uint8_t) ~(1u << dim)) {
        bool is_fixed = l->kernel->required_local[0] != 0;

        HD_TRY(facts_of(l, is_fixed ? variant_of(l, 0) : whole_variant(l), d, &facts));
        dim = facts.dims.taken;
        if (dim == 0)
            return HD_OK;
        if (facts.is_flat || (suit >> dim & 1) != 0)
            break;
    }
    if (l->form.dims == 1)
        return HD_OK;
    l->form.dims = (uint8_t)(1u << dim);
    exchange(l, 0, dim);
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
    HdCodeFacts facts;

    l->form.fold = 0;
    l->form.dims = HD_ALL_DIMS;
    if (!is_narrow(l))
        return HD_OK;
    HD_TRY(facts_of(l, whole_variant(l), d, &facts));
    if (!facts.is_flat || !facts.may_fold)
        return HD_OK;
    l->form.dims = 1;
    l->form.fold = (uint8_t)l->global_size[0];
    HD_TRY(facts_of(l, whole_variant(l), d, &facts));
    if (facts.fold == 0) {
        l->form.fold = 0;
        return HD_OK;
    }
    l->global_size[0] *= l->global_size[1];
    l->global_size[1] = l->global_size[2];
    l->global_size[2] = 1;
    l->local_size[0] = l->local_size[1] = l->local_size[2] = 1;
    return HD_OK;
}

uint8_t hd_launch_coarsen(void)
{
    uint64_t asked = hd_option_number(HD_OPTION_JAM);

    return asked == 1 ? HD_COARSEN_BY_COST : asked <= HD_COARSEN_MOST ? (uint8_t)asked : 0;
}

/* May a work-item do several of its rows in some dimension? */
static bool may_coarsen(const HdLaunch *l)
{
    return l->form.fold == 0 && l->lane_dim == 0 && !l->tests.dispatch && l->work_dim > 1 &&
           l->width > 1 && l->kernel->subgroups_per_group == 0 && is_small(l) &&
           hd_launch_coarsen() != 0;
}

/* In this one, if they are a multiple of `unit`? Where there are few others, too many would be left
 * over. */
static bool has_rows(const HdLaunch *l, unsigned dim, unsigned unit)
{
    bool is_asked = hd_launch_coarsen() != HD_COARSEN_BY_COST;
    uint64_t size = l->global_size[dim];

    return l->global_offset[dim] == 0 && size <= INT32_MAX - HD_COARSEN_MOST &&
           (is_asked || size >= JAM_ROWS || (unit != 0 && size % unit == 0));
}

/* The rows that may be done together, as far as the sizes say. */
static void allow_coarsening(HdLaunch *l)
{
    l->form.coarsen = l->form.rows = 0;
    if (!may_coarsen(l))
        return;
    if (l->global_size[0] >= l->width && has_rows(l, 1, 0))
        l->form.coarsen = hd_launch_coarsen();
    for (unsigned i = 0; i < l->work_dim; i++)
        if (has_rows(l, i, TILE_ROWS))
            l->form.rows |= (uint8_t)(1u << i);
}

/* Rows that work-items do together, `most` at most, where none may be left over in any group. */
static uint8_t rows_of_groups(const HdLaunch *l, uint8_t most)
{
    while (most > 1 && (l->local_size[1] % most != 0 || l->global_size[1] % most != 0))
        most--;
    return most > 1 ? most : 0;
}

/* The dimension of the rows, once x and that of the lanes have been exchanged. */
static unsigned row_dim_of(const HdCodeFacts *facts)
{
    return facts->row_dim == 0 ? facts->dims.taken : facts->row_dim;
}

/* Let work-items do several rows each, if that gains. */
static HdStatus coarsen(HdLaunch *l, HdDiags *d)
{
    HdCodeFacts facts;
    uint64_t rows;
    bool is_allowed;

    if (l->form.coarsen == 0 && l->form.rows == 0)
        return HD_OK;
    if ((l->form.dims & 1) == 0) /* rows are columns by now */
        l->form.coarsen = 0;
    is_allowed = l->form.coarsen != 0;
    HD_TRY(facts_of(l, l->kernel->required_local[0] != 0 ? variant_of(l, 0) : whole_variant(l), d,
                    &facts));
    l->form.coarsen = facts.coarsen;
    if (facts.coarsen_group != 0)
        l->form.coarsen = !is_allowed ? 0 : rows_of_groups(l, facts.coarsen_group);
    if (l->form.coarsen == 0) {
        l->form.rows = 0;
        return HD_OK;
    }
    l->form.rows = (uint8_t)(1u << facts.row_dim);
    if (facts.tiles)
        exchange(l, 1, row_dim_of(&facts));
    rows = l->global_size[1];
    l->global_size[1] = (rows - 1) / l->form.coarsen + 1;
    l->spare_rows = (uint8_t)(l->global_size[1] * l->form.coarsen - rows);
    l->local_size[1] = (l->local_size[1] - 1) / l->form.coarsen + 1;
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
static HdStatus regroup(HdLaunch *l, bool is_asked, unsigned threads, HdDiags *d)
{
    uint64_t room = free_items(l, threads), rows = l->local_size[1] * l->local_size[2];
    uint64_t x = l->global_size[0];
    HdCodeFacts facts;

    /* Rows much shorter than a sub-group waste more than affine ids gain. */
    if (l->kernel->required_local[0] != 0 || l->kernel->subgroups_per_group != 0 || !is_small(l) ||
        (x < l->width / 2 && (l->global_size[1] > 1 || l->global_size[2] > 1)))
        return HD_OK;
    HD_TRY(facts_of(l, whole_variant(l), d, &facts));
    if (!facts.is_flat)
        return HD_OK;
    if (facts.has_columns && l->global_size[1] >= COLUMN_ROWS) {
        column_groups(l);
        return HD_OK;
    }
    /* Planes: along the dimension in which each row uses other sets of the cache. The next cache
     * still has the lines when their neighbours come. */
    if (facts.planes != 0 && l->form.fold == 0 && l->form.coarsen == 0 && shares_sets(l)) {
        narrow_groups(l, 3u - facts.planes);
        return HD_OK;
    }
    /* Smaller groups than were asked for only cost; those that were chosen here may be much larger,
     * where few sizes divide. */
    if (is_asked && room < rows * l->local_size[0])
        room = rows * l->local_size[0];
    /* Of longer ones what is left over is little, and their groups fill pairs of sub-groups. */
    if (x % l->width != 0 && x <= room / 2 && x < SHORT_ROW * l->width &&
        hd_variant_goes_by_rows(l->kernel, l->width, l->global_size)) {
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

/* Do sub-groups that fit the groups save more than other code costs? What is launched in a few
 * small groups, such as the last step of a reduction, is mostly launched in large ones as well. */
static bool may_fit_groups(const HdLaunch *l)
{
    bool is_short = l->local_size[1] * l->local_size[2] <= 1;

    return !is_short || l->kernel->required_local[0] != 0 ||
           l->global_size[0] / l->local_size[0] >= MANY_GROUPS;
}

/* Sizes of groups and sub-groups, where the caller leaves them open. */
static HdStatus choose_groups(const HdLaunch *from, HdLaunch *l, unsigned threads, HdDiags *d)
{
    l->form.coarsen = l->form.rows = 0;
    HD_TRY(fold(l, d));
    allow_coarsening(l);
    if (l->form.fold == 0)
        HD_TRY(turn(l, d));
    HD_TRY(coarsen(l, d));
    HD_TRY(regroup(l, from->local_size[0] != 0, threads, d));
    if (from->width == 0 && l->width != 1 && may_fit_groups(l))
        l->width = hd_variant_width_for(hd_program_cpu(l->program), l->kernel, l->local_size);
    l->may_by_rows = hd_variant_goes_by_rows(l->kernel, l->width, l->local_size);
    return HD_OK;
}

/* With barriers the other form of code that is in doubt has sub-groups of one work-item: nothing
 * but barriers holds work-items of a group together then. */
static HdStatus narrow(const HdLaunch *from, HdLaunch *l, unsigned threads, HdDiags *d)
{
    HdLaunch lanes = *l;
    HdNdrange n = {.launch = &lanes};
    bool is_narrow = false;

    if (!l->form.against || from->width != 0 || l->width == 1 ||
        !hd_variant_hides_subgroups(l->kernel))
        return HD_OK;
    lanes.form.against = false;
    HD_TRY(choose_groups(from, &lanes, threads, d));
    HD_TRY(choose_code(&lanes, d, &n));
    for (unsigned i = 0; i < HD_NDRANGE_SHAPES; i++)
        is_narrow = is_narrow || (n.code[i] != NULL && n.code[i]->facts.is_narrow_against);
    if (!is_narrow)
        return HD_OK;
    l->width = 1;
    l->form.against = false;
    return HD_OK;
}

/* Is there a thread for each work-item? Programs for CPUs are written so: a work-item goes through
 * a large part of the data. */
static bool is_for_threads(const HdLaunch *l, unsigned threads)
{
    return l->global_size[0] <= threads && l->global_size[1] <= threads / l->global_size[0] &&
           l->global_size[2] <= threads / l->global_size[0] / l->global_size[1];
}

/* Work-items that go through loops, and of which each can have a thread, are faster so than as
 * lanes of one. */
static HdStatus spread(const HdLaunch *from, HdLaunch *l, unsigned threads, HdDiags *d)
{
    HdCodeFacts facts;

    if (!is_for_threads(l, threads) || from->width != 0 || l->width == 1 || l->lane_dim != 0 ||
        !hd_variant_hides_subgroups(l->kernel))
        return HD_OK;
    HD_TRY(facts_of(l, whole_variant(l), d, &facts));
    if (facts.is_flat && facts.has_loops && !facts.needs_fibers)
        l->width = 1;
    return HD_OK;
}

static bool has_lanes_that_wait(const HdNdrange *n)
{
    bool wait = false;

    for (unsigned i = 0; i < HD_NDRANGE_SHAPES; i++)
        wait = wait || (n->code[i] != NULL && n->code[i]->facts.lanes_wait);
    return wait;
}

/* Code for another processor can be looked at, and is not run. */
static HdStatus check_processor(const HdProgram *p, HdDiags *d)
{
    const HdCpu *cpu = hd_program_cpu(p);
    const char *lacks = hd_jit_cpu_lacks(cpu);

    if (lacks == NULL)
        return HD_OK;
    return hd_fail(d, HD_UNSUPPORTED, HD_NO_PLACE, "launch.processor",
                   "code for HEDDLE_CPU=%.40s does not run here: this processor lacks %s",
                   hd_option_text(HD_OPTION_CPU), lacks);
}

HdStatus hd_launch_choose(const HdLaunch *from, HdLaunch *l, unsigned threads, HdDiags *d,
                          HdNdrange *n)
{
    HdLaunch before;

    *n = (HdNdrange){.launch = l};
    HD_TRY(check_processor(l->program, d));
    hd_program_begin_choice(l->program, l->kernel);
    HD_TRY(narrow(from, l, threads, d));
    HD_TRY(spread(from, l, threads, d));
    before = *l;
    HD_TRY(choose_groups(from, l, threads, d));
    HD_TRY(choose_code(l, d, n));
    /* What takes a lock might wait for a lane that has it and that its lanes have left behind. */
    if (has_lanes_that_wait(n) && from->width == 0 && l->width != 1 &&
        hd_variant_hides_subgroups(l->kernel)) {
        *l = before;
        l->width = 1;
        l->form.against = false;
        *n = (HdNdrange){.launch = l};
        HD_TRY(choose_groups(from, l, threads, d));
        HD_TRY(choose_code(l, d, n));
    }
    hd_program_end_choice(l->program, l->kernel);
    return HD_OK;
}
