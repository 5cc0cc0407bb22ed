/* jit/form.c -- the search for the form that a kernel is compiled in.
 *
 * A kernel is translated and optimised once, as what one work-item does. Candidates are copies of
 * that, each of which gives a lane other work-items: those of a folded NDRange, of tiles, of 2, 4 …
 * rows. What a candidate costs is estimated from its wide function. The lanes are chosen for the
 * form that is taken: as many as the launch's sub-groups have, half or twice as many, or one
 * (docs/adr/0052-forms.md).
 *
 * SPDX-License-Identifier: MIT
 */
#include "jit/form.h"

#include <math.h>
#include <stdatomic.h>

#include "base/memory.h"
#include "base/option.h"
#include "base/trace.h"
#include "build/build.h"
#include "build/guard.h"
#include "ir/clone.h"
#include "ir/graph.h"
#include "ir/text.h"
#include "jit/cost.h"
#include "lanes/coarsen.h"
#include "lanes/fold.h"
#include "lanes/lanes.h"
#include "lanes/vector_dim.h"
#include "opt/pass.h"

/* ---- candidates ---------------------------------------------------------------------------------
 */

/* What is done to a kernel before widening: x and y become one dimension if `fold` is not 0, a
 * work-item computes so many rows if `coarsen` is not 0, of y or, if tiles.count is not 0, of
 * those. */
typedef struct Form {
    uint8_t fold, coarsen;
    HdTiles tiles;
} Form;

typedef struct Candidate {
    const char *name;
    Form form;
    HdIrFunc *kernel; /* in that form and optimised; rows are all there (hd_lanes_coarsen) */
    HdIrFunc *wide;   /* a copy of it for the launch's lanes; NULL: was not needed */
    double cost;      /* of one row in lanes, in cycles; 0: was not needed */
} Candidate;

/* As written, 2, 4, 8, 16 rows, as many as a group has, tiles, folded. */
#define MOST_CANDIDATES 8u

/* Does a kernel run item by item instead of in lanes? */
typedef struct Alone {
    bool may_be, is_chosen;
    double cost;  /* in the time that lanes take; INFINITY: it may not be, or is not known */
    double doubt; /* as HdCodeFacts.doubt */
} Alone;

typedef struct Search {
    const HdCompile *c;
    HdArena *arena;
    HdDiags *d;
    const HdIrModule *shared; /* HdShared.ir: what all candidates begin with */
    HdLaneTarget target;      /* the launch's lanes */
    Candidate of[MOST_CANDIDATES];
    unsigned count;
    Alone alone;           /* of the kernel as it is written, where rows are chosen by cost */
    uint8_t rows_of_group; /* HdCodeFacts.coarsen_group */
} Search;

bool hd_jit_dumps(const HdCompile *c, const char *stage)
{
    return c->dump_to != NULL && hd_pass_lists(c->dump, stage);
}

void hd_jit_print(const HdIrFunc *f, HdStrbuf *to)
{
    const HdIrModule *m = f->module;

    hd_ir_print(f, to);
    for (size_t i = 0; f->width == 0 && i < m->called.count; i++)
        hd_ir_print(m->funcs.at[m->called.at[i]], to);
    for (uint32_t i = 0; i < f->lanes.callee_count; i++)
        if (f->lanes.callees[i] != NULL)
            hd_ir_print(f->lanes.callees[i], to);
}

static HdStatus check(const HdIrFunc *f, const char *stage, HdDiags *d)
{
    HdStatus st = hd_ir_verify(f, d);

    if (st != HD_OK && hd_diags_last(d) != NULL)
        hd_diags_last(d)->hint = hd_diags_string(d, stage);
    return st;
}

/* ---- what all of them begin with ----------------------------------------------------------------
 */

/* What waits for other sub-groups; a function that does cannot be called. */
static HdStatus find_waits(HdIrFunc *kernel, HdDiags *d, bool *in_called)
{
    HdIrModule *ir = kernel->module;
    bool ignored = false;

    for (size_t i = 0; i < ir->called.count; i++)
        HD_TRY(
            hd_pass_run(HD_PASS_wait, hd_opt_wait, ir->funcs.at[ir->called.at[i]], d, in_called));
    return hd_pass_run(HD_PASS_wait, hd_opt_wait, kernel, d, &ignored);
}

struct HdShared {
    atomic_uint holds;
    HdArena *arena;
    const HdIrModule *ir;
    uint8_t width; /* HdVariant.width, .launch, .tests.calls that it was made for */
    bool apart, bound, filled, calls;
};

bool hd_jit_suits_shared(const HdShared *s, HdVariant v)
{
    return (s->width == v.width || !s->ir->is_for_width) && s->apart == v.launch.apart &&
           s->bound == v.launch.bound && s->filled == v.launch.filled && s->calls == v.tests.calls;
}

HdShared *hd_jit_hold_shared(HdShared *s)
{
    atomic_fetch_add_explicit(&s->holds, 1, memory_order_relaxed);
    return s;
}

void hd_jit_drop_shared(HdShared *s)
{
    if (s == NULL || atomic_fetch_sub_explicit(&s->holds, 1, memory_order_acq_rel) != 1)
        return;
    hd_arena_drop(s->arena);
    hd_free(s);
}

/* Of indices that cannot leave their arrays of descriptors most are known once they are values. */
static HdStatus make_values(HdIrModule *ir, HdDiags *d)
{
    bool ignored = false;

    for (size_t i = 0; i < ir->funcs.count; i++) {
        HD_TRY(hd_pass_run(HD_PASS_sroa, hd_opt_sroa, ir->funcs.at[i], d, &ignored));
        HD_TRY(hd_pass_run(HD_PASS_fold, hd_opt_fold, ir->funcs.at[i], d, &ignored));
    }
    return HD_OK;
}

static HdStatus guard(const HdCompile *c, HdIrModule *ir, HdDiags *d)
{
    const HdLaunchFacts *l = &c->variant.launch;

    if (!c->kernel->is_shader || (l->bound && l->filled && !ir->may_miss))
        return HD_OK;
    if (ir->may_miss)
        HD_TRY(make_values(ir, d));
    return hd_build_guard(ir, c->kernel, l->bound, l->filled);
}

static HdStatus translate(const Search *s, HdIrCalls calls, HdArena *a, HdIrModule **out,
                          bool *waits)
{
    const HdCompile *c = s->c;
    bool ignored = false;
    HdIrFunc *kernel;
    HdIrModule *ir;
    HD_TRACE("build", "translate, optimise");

    hd_trace_text(&hd_span, "kernel", c->kernel->name);
    HD_TRY(hd_build_kernel(c->module, c->layout, c->kernel->entry, c->variant.width, c->fast_math,
                           a, s->d, &ir));
    HD_TRY(guard(c, ir, s->d));
    ir->no_offset = c->kernel->is_shader || c->kernel->no_offset;
    ir->calls = calls;
    ir->log = c->log;
    kernel = ir->funcs.at[0];
    ir->apart =
        c->variant.launch.apart && hd_option_number(HD_OPTION_APART) != 0 && hd_jit_may_mix(kernel);
    HD_TRY(hd_opt_optimize(ir, kernel, s->d));
    *waits = false;
    if (!c->no_progress)
        HD_TRY(find_waits(kernel, s->d, waits));
    HD_TRY(hd_pass_run(HD_PASS_grid_stride, hd_opt_grid_stride, kernel, s->d, &ignored));
    for (size_t i = 0; i < ir->called.count; i++)
        HD_TRY(check(ir->funcs.at[ir->called.at[i]], "after optimisation", s->d));
    *out = ir;
    return check(kernel, "after optimisation", s->d);
}

/* All memory of the translation goes, but for its result. */
static HdStatus translate_into(const Search *s, HdArena *scratch, HdShared *shared)
{
    HdIrCalls calls = s->c->variant.tests.calls ? HD_IR_CALLS_ALL : HD_IR_CALLS_LARGE;
    HdIrModule *ir, *kept;
    bool waits;

    if (scratch == NULL || shared->arena == NULL)
        return HD_NO_MEMORY;
    HD_TRY(translate(s, calls, scratch, &ir, &waits));
    if (waits)
        HD_TRY(translate(s, HD_IR_CALLS_NONE, scratch, &ir, &waits));
    HD_TRY(hd_ir_clone(ir, shared->arena, &kept));
    kept->log = NULL; /* this draft's */
    shared->ir = kept;
    return HD_OK;
}

static HdStatus share(Search *s, HdShared **out)
{
    const HdVariant *v = &s->c->variant;
    HdArena *scratch;
    HdStatus st;

    if (s->c->shared != NULL) {
        *out = hd_jit_hold_shared(s->c->shared);
        s->shared = (*out)->ir;
        return HD_OK;
    }
    HD_TAKE(*out, hd_alloc_zero(sizeof **out));
    atomic_init(&(*out)->holds, 1);
    (*out)->width = v->width;
    (*out)->apart = v->launch.apart;
    (*out)->bound = v->launch.bound;
    (*out)->filled = v->launch.filled;
    (*out)->calls = v->tests.calls;
    (*out)->arena = hd_arena_open();
    scratch = hd_arena_open();
    st = translate_into(s, scratch, *out);
    hd_arena_drop(scratch);
    s->shared = (*out)->ir;
    return st;
}

/* ---- making a candidate -------------------------------------------------------------------------
 */

/* Is a group one sub-group, of work-items in a row that do all its rows, by what the launch or the
 * kernel says of its size? */
static bool is_single(const HdCompile *c, Form form)
{
    const uint32_t *local = c->kernel->required_local;

    return c->variant.launch.single ||
           (form.coarsen != 0 && local[0] != 0 && local[0] <= c->variant.width &&
            local[1] == form.coarsen && local[2] == 1);
}

static HdStatus copy(const Search *s, const HdIrModule *from, HdIrFunc **kernel)
{
    HdIrModule *m;

    HD_TRY(hd_ir_clone(from, s->arena, &m));
    m->log = s->c->log;
    *kernel = m->funcs.at[0];
    return HD_OK;
}

/* `is_whole`: for an estimate, as for hd_lanes_coarsen. */
static HdStatus change(const Search *s, Form form, bool is_whole, HdIrFunc *kernel)
{
    HdPassRun run;
    HdStatus st;

    if (form.fold != 0) {
        run = hd_pass_begin(s->c->log, HD_PASS_fold_xy, kernel);
        st = hd_lanes_fold(kernel, form.fold, s->arena);
    } else {
        run = hd_pass_begin(s->c->log, HD_PASS_coarsen, kernel);
        st = hd_lanes_coarsen(kernel, form.coarsen, is_whole, is_single(s->c, form), s->arena);
    }
    return hd_pass_end(&run, st, kernel, true, s->d);
}

static HdStatus in_form(const Search *s, Form form, bool is_whole, HdIrFunc **kernel)
{
    HD_TRY(copy(s, s->shared, kernel));
    if (form.fold == 0 && form.coarsen == 0)
        return HD_OK;
    if (form.tiles.count != 0)
        hd_lanes_take_tiles(*kernel, form.tiles);
    HD_TRY(change(s, form, is_whole, *kernel));
    HD_TRY(hd_opt_optimize((*kernel)->module, *kernel, s->d));
    return check(*kernel,
                 form.fold != 0 ? "after x and y were folded" : "after rows were coarsened", s->d);
}

static HdStatus add(Search *s, const char *name, Form form, Candidate **out)
{
    Candidate *x = &s->of[s->count];

    if (s->count == MOST_CANDIDATES)
        return HD_BUG;
    *x = (Candidate){.name = name, .form = form};
    HD_TRY(in_form(s, form, true, &x->kernel));
    s->count++;
    *out = x;
    return HD_OK;
}

/* The launch's lanes where a work-item is of that form. */
static HdLaneTarget target_of(const Search *s, Form form)
{
    HdLaneTarget t = s->target;

    t.dims = form.coarsen != 0 ? 1 : t.dims;
    t.tiles = form.tiles.count != 0;
    return t;
}

static HdStatus widen(const Search *s, HdIrFunc *kernel, HdLaneTarget target, HdIrFunc **wide)
{
    HdPassRun run = hd_pass_begin(s->c->log, HD_PASS_widen, kernel);
    HdStatus st = hd_lanes_widen(kernel, target, s->arena, s->d, wide);

    return hd_pass_end(&run, st, st == HD_OK ? *wide : kernel, true, s->d);
}

/* For an estimate, once: widening changes the copy that it is made from. */
static HdStatus need_wide(const Search *s, Candidate *x)
{
    HdIrFunc *kernel;

    if (x->wide != NULL)
        return HD_OK;
    HD_TRY(copy(s, x->kernel->module, &kernel));
    return widen(s, kernel, target_of(s, x->form), &x->wide);
}

/* ---- what candidates cost -----------------------------------------------------------------------
 */

/* Lanes of a processor on which two sub-groups may run together. With AVX2 the estimate does not
 * tell where they are slower: by four and six times in own_transpose and gs_double (Zen 3). */
#define LEAST_MERGED 16u

/* May two sub-groups of a kernel run as one? */
static bool may_merge(const HdCompile *c, const HdIrFunc *kernel)
{
    return c->variant.launch.twice && !c->variant.tests.dispatch && c->cpu.width >= LEAST_MERGED &&
           c->variant.width == c->cpu.width && hd_cost_may_be_merged(kernel);
}

/* So many times as fast as lanes, or as slow: work-items alone may be either where they are thought
 * to be in between. How often loops go around, and for which lanes, the code does not say: with
 * loops no estimate is certain. */
#define MOST_DOUBT    5.0
#define LOOPS_DOUBT   1000.0
#define JAM_WIDTH     8u  /* lanes of a processor that iterations of loops run together on */
#define BARRIER_DOUBT 3.5 /* with barriers, where beyond that hardly any kernel gains */

/* Sub-groups may wait for others. Then the estimate is no good: lanes are chosen, and the other
 * form has sub-groups of one work-item. */
static bool waits_for_others(const HdIrFunc *wide)
{
    return wide->waits.has_barrier || wide->waits.needs_fibers;
}

static bool may_be_alone(const HdCompile *c, const HdIrFunc *kernel)
{
    return !c->variant.tests.dispatch && hd_cost_may_be_alone(kernel, c->cpu.costs);
}

static Alone choose_alone(const Search *s, const Candidate *x)
{
    const HdIrFunc *wide = x->wide;
    unsigned width = s->target.width;
    bool may_be = may_be_alone(s->c, x->kernel);
    Alone alone = {.may_be = may_be && !waits_for_others(wide), .cost = INFINITY};
    double most = waits_for_others(wide)    ? BARRIER_DOUBT
                  : hd_cost_has_loops(wide) ? LOOPS_DOUBT
                                            : MOST_DOUBT;
    double parted = INFINITY, factor;

    if (may_be && width > 1)
        alone.cost = hd_cost_alone(wide, width, s->c->cpu.costs, &parted);
    if (alone.cost > 1 && alone.cost < width && s->c->cpu.width >= JAM_WIDTH)
        alone.cost *= hd_cost_jammed(x->kernel);
    factor = alone.cost < 1 ? 1 / alone.cost : alone.cost;
    if (alone.cost > 1 && parted < factor)
        factor = fmax(parted, 1);
    alone.doubt = factor < most ? factor : 0;
    if (alone.may_be && hd_cost_is_task(x->kernel)) {
        alone.is_chosen = true;
        alone.doubt = 0;
        return alone;
    }
    alone.is_chosen =
        alone.may_be && (alone.cost < 1) != (s->c->variant.form.against && alone.doubt != 0);
    return alone;
}

/* Registers for the operands of sums of rows between barriers, which are counted most precisely. */
#define GROUP_SPARE 4u

/* `merges`: of the kernel as it is written. */
static HdStatus estimate(const Search *s, bool merges, bool has_barrier, Candidate *x)
{
    unsigned registers = s->c->cpu.costs->cycles->registers - (has_barrier ? GROUP_SPARE : 0);
    unsigned rows = x->form.coarsen != 0 ? x->form.coarsen : 1;

    HD_TRY(need_wide(s, x));
    x->cost = hd_cost_of_items(x->wide, s->target.width, s->c->cpu.costs, merges, registers) / rows;
    return HD_OK;
}

/* ---- forms --------------------------------------------------------------------------------------
 */

/* A way to give lanes other work-items. *found stays as it is where that does not pay, or may not
 * be. The first candidate is the kernel as it is written. */
typedef HdStatus WayFn(Search *s, Candidate **found);

/* x and y are one dimension. */
static HdStatus fold(Search *s, Candidate **found)
{
    Form form = {.fold = s->c->variant.form.fold};
    bool pays = false;
    HdIrFunc *kernel;

    if (form.fold == 0)
        return HD_OK;
    HD_TRY(copy(s, s->shared, &kernel));
    HD_TRY(hd_lanes_fold_pays(kernel, form.fold, s->arena, &pays));
    return pays ? add(s, "folded", form, found) : HD_OK;
}

/* May a work-item do several rows, as far as the launch and the kernel's group size say? */
static bool may_have_rows(const HdCompile *c, const HdIrFunc *kernel)
{
    const uint32_t *local = c->kernel->required_local;

    return !c->variant.tests.dispatch &&
           (local[0] == 0 || (kernel->waits.has_barrier && local[0] % c->variant.width == 0));
}

/* Where there are loops: do lanes gain at all? */
static HdStatus suits_lanes(const Search *s, Candidate *written, bool *does)
{
    double parted;
    HdIrGraph *g;

    HD_TRY(hd_ir_graph(written->kernel, s->arena, &g));
    *does = true;
    if (g->loop_count == 0 || !may_be_alone(s->c, written->kernel))
        return HD_OK;
    HD_TRY(need_wide(s, written));
    *does = hd_cost_alone(written->wide, s->target.width, s->c->cpu.costs, &parted) >= 1;
    return HD_OK;
}

/* Work-items access tiles of memory, in several rows of the NDRange. */
static HdStatus tiles(Search *s, Candidate **found)
{
    const HdFormRequest *asked = &s->c->variant.form;
    Candidate *written = &s->of[0];
    bool may, shares;
    HdIrFunc *kernel;
    Form form = {0};

    if (!may_have_rows(s->c, written->kernel))
        return HD_OK;
    HD_TRY(hd_lanes_tiles(written->kernel, asked->dims, asked->rows, s->arena, &form.tiles));
    if (form.tiles.count == 0)
        return HD_OK;
    HD_TRY(suits_lanes(s, written, &may));
    if (!may)
        return HD_OK;
    HD_TRY(copy(s, s->shared, &kernel));
    hd_lanes_take_tiles(kernel, form.tiles);
    HD_TRY(hd_lanes_may_coarsen(kernel, s->arena, &may, &shares));
    if (!may)
        return HD_OK;
    form.coarsen = asked->coarsen != 0 && asked->coarsen != HD_COARSEN_BY_COST ? asked->coarsen
                                                                               : form.tiles.count;
    return add(s, "tiles", form, found);
}

/* Rows of a work-group that can be done together, `most` at most, if it has so many. */
static uint8_t rows_of_group(uint32_t of_group, uint8_t most)
{
    while (most > 1 && of_group % most != 0)
        most--;
    return most > 1 ? most : 0;
}

#define JAM_GAIN 0.92 /* of the cycles of a row, at most, where a work-item does several */

/* The cheapest number of rows: a candidate for each, the kernel as it is written included. */
static HdStatus cheapest_rows(Search *s, Candidate **found)
{
    static const struct {
        const char *name;
        uint8_t rows;
    } numbers[] = {{"2 rows", 2}, {"4 rows", 4}, {"8 rows", 8}, {"16 rows", 16}};
    Candidate *written = &s->of[0], *x;
    bool merges = may_merge(s->c, written->kernel), in_groups = written->kernel->waits.has_barrier;
    double least;

    HD_TRY(need_wide(s, written));
    s->alone = choose_alone(s, written);
    if (written->wide->lanes.dims.taken != 0 || s->alone.is_chosen)
        return HD_OK;
    HD_TRY(estimate(s, merges, in_groups, written));
    least = JAM_GAIN * written->cost;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i].rows > (in_groups ? HD_COARSEN_MOST : HD_COARSEN_ROWS))
            break;
        HD_TRY(add(s, numbers[i].name, (Form){.coarsen = numbers[i].rows}, &x));
        HD_TRY(estimate(s, merges, in_groups, x));
        if (x->cost == HUGE_VAL) /* more rows need more registers */
            break;
        if (x->cost < least) {
            least = x->cost;
            *found = x;
        }
    }
    return HD_OK;
}

/* A work-item computes several rows of the NDRange. With barriers the launch must know how many
 * rows of a work-group that is before it can use them, unless the kernel declares its group
 * size. */
static HdStatus rows(Search *s, Candidate **found)
{
    const HdCompile *c = s->c;
    const uint32_t *local = c->kernel->required_local;
    Candidate *written = &s->of[0], *best = NULL;
    bool in_groups = written->kernel->waits.has_barrier, may, shares;
    uint8_t fits;

    if (c->variant.form.coarsen == 0 || !may_have_rows(c, written->kernel))
        return HD_OK;
    HD_TRY(hd_lanes_may_coarsen(written->kernel, s->arena, &may, &shares));
    if (c->variant.form.coarsen != HD_COARSEN_BY_COST) {
        s->rows_of_group = in_groups && may ? c->variant.form.coarsen : 0;
        return may ? add(s, "rows as asked", (Form){.coarsen = c->variant.form.coarsen}, found)
                   : HD_OK;
    }
    if (shares)
        HD_TRY(cheapest_rows(s, &best));
    if (best == NULL || !in_groups) {
        *found = best != NULL ? best : *found;
        return HD_OK;
    }
    s->rows_of_group = best->form.coarsen;
    fits = local[0] != 0 ? rows_of_group(local[1], best->form.coarsen) : 0;
    if (fits == best->form.coarsen)
        *found = best;
    else if (fits != 0)
        return add(s, "rows of a group", (Form){.coarsen = fits}, found);
    return HD_OK;
}

/* The first way that pays is taken. */
static HdStatus choose_form(Search *s, Candidate **best)
{
    static WayFn *const ways[] = {fold, tiles, rows};
    Candidate *found = NULL, *written;

    HD_TRY(add(s, "as written", (Form){0}, &written));
    for (size_t i = 0; found == NULL && i < sizeof ways / sizeof *ways; i++)
        HD_TRY(ways[i](s, &found));
    *best = found != NULL ? found : written;
    return HD_OK;
}

/* ---- lanes --------------------------------------------------------------------------------------
 */

/* Lanes that suit a kernel better than those which the launch's sub-groups have, which x->wide is
 * made for. One item at a time fits any launch. */
static HdLaneTarget better_target(const Search *s, const Candidate *x, HdLaneTarget t, Alone alone)
{
    const HdIrFunc *wide = x->wide;

    t.dims = (uint8_t)(1u << wide->lanes.dims.taken);
    if (alone.is_chosen)
        return (HdLaneTarget){.width = 1, .dispatch = t.dispatch, .dims = t.dims};
    /* Rows are mostly a power of two apart: the lines of sixteen evict each other from the cache.
     */
    if (alone.may_be && wide->lanes.rows_once && !t.by_rows && s->c->cpu.costs->rows_evict &&
        t.width == s->c->cpu.width)
        t.width /= 2;
    else if (may_merge(s->c, x->kernel) && hd_cost_is_better_merged(wide, t.width, s->c->cpu.costs))
        t.width *= 2;
    if (t.full && hd_cost_hides_mask(wide))
        t.full = false;
    return t;
}

/* Work-items alone are prepared first. */
static HdStatus widen_prepared(const Search *s, HdIrFunc *kernel, HdLaneTarget target,
                               HdIrFunc **wide)
{
    if (target.width == 1)
        HD_TRY(hd_opt_prepare_alone(kernel, s->c->cpu.width >= JAM_WIDTH, s->d));
    return widen(s, kernel, target, wide);
}

/* A wide function of other lanes than the launch's sub-groups have, or of rows some of which may be
 * missing. */
static HdStatus widen_anew(const Search *s, Form form, HdLaneTarget target, HdIrFunc **wide)
{
    unsigned width = target.width, launched = s->c->variant.width;
    HdIrFunc *kernel;

    HD_TRY(in_form(s, form, false, &kernel));
    HD_TRY(widen_prepared(s, kernel, target, wide));
    (*wide)->lanes.parts = width < launched ? launched / width : 0;
    (*wide)->lanes.merged = width > launched ? width / launched : 0;
    return HD_OK;
}

/* ---- all of it ----------------------------------------------------------------------------------
 */

/* What code for these lanes relies on of a launch. */
static HdLaunchFacts needs_of(const HdCompile *c, HdLaneTarget target, const HdIrFunc *wide)
{
    return (HdLaunchFacts){.x_divisible = target.x_divisible,
                           .full = target.full,
                           .by_rows = wide->lanes.by_rows,
                           .one_row = c->variant.launch.one_row && wide->lanes.by_rows &&
                                      wide->width == c->variant.width,
                           .twice = wide->lanes.merged != 0,
                           .apart = wide->module->apart,
                           .bound = c->kernel->is_shader && c->variant.launch.bound,
                           .filled = c->kernel->is_shader && c->variant.launch.filled};
}

static void note_form(const Search *s, const Candidate *x, HdCodeFacts *facts)
{
    bool has_tiles = x->form.tiles.count != 0;

    facts->fold = x->form.fold;
    facts->coarsen = x->form.coarsen;
    facts->tiles = has_tiles;
    facts->row_dim = has_tiles ? x->form.tiles.row : 1;
    facts->coarsen_group = s->rows_of_group;
    facts->may_fold = hd_lanes_may_fold(x->kernel);
}

/* Which candidates there were, and which is taken. */
static void print_forms(const Search *s, const Candidate *best, const HdIrFunc *wide, Alone alone,
                        HdStrbuf *to)
{
    hd_strbuf_printf(to, "; forms of %s for sub-groups of %u\n", s->c->kernel->name,
                     s->target.width);
    for (const Candidate *x = s->of; x < s->of + s->count; x++) {
        hd_strbuf_printf(to, ";   %s", x->name);
        if (x->cost == HUGE_VAL)
            hd_strbuf_add(to, ": more registers than there are");
        else if (x->cost != 0)
            hd_strbuf_printf(to, ": %.1f cycles for a row in lanes", x->cost);
        hd_strbuf_add(to, x == best ? ", taken\n" : "\n");
    }
    if (alone.cost != INFINITY)
        hd_strbuf_printf(to, ";   item by item: %.2f of the time in lanes%s\n", alone.cost,
                         wide->width == 1 ? ", taken" : "");
    if (wide->width != s->target.width && wide->width != 1)
        hd_strbuf_printf(to, ";   %u lanes, taken\n", wide->width);
}

/* The kernel before widening; rows may be missing, unlike in what estimates are made of. */
static HdStatus print_kernel(const Search *s, const Candidate *x, HdStrbuf *to)
{
    HdIrFunc *kernel = x->kernel;

    if (x->form.coarsen != 0)
        HD_TRY(in_form(s, x->form, false, &kernel));
    hd_jit_print(kernel, to);
    return HD_OK;
}

/* Widen the candidate that was taken. */
static HdStatus choose_lanes(const Search *s, Candidate *x, HdCodeFacts *facts, HdIrFunc **wide,
                             Alone *alone)
{
    HdLaneTarget target = target_of(s, x->form), better;
    HdIrFunc *kernel;

    if (target.width == 1) {
        HD_TRY(copy(s, x->kernel->module, &kernel));
        HD_TRY(widen_prepared(s, kernel, target, &x->wide));
    }
    HD_TRY(need_wide(s, x));
    /* Rows are done together by lanes alone, and both forms have to agree on the doubt. */
    if (x->form.coarsen != 0 && s->c->variant.form.coarsen == HD_COARSEN_BY_COST)
        *alone = s->alone;
    else if (x->form.tiles.count == 0)
        *alone = choose_alone(s, x);
    facts->doubt = alone->doubt;
    facts->is_narrow_against = alone->doubt != 0 && waits_for_others(x->wide);
    better = better_target(s, x, target, *alone);
    *wide = x->wide;
    if (better.width != target.width || better.full != target.full || x->form.coarsen != 0)
        HD_TRY(widen_anew(s, x->form, better, wide));
    facts->needs = needs_of(s->c, better, *wide);
    facts->dims = x->form.tiles.count != 0 ? x->form.tiles.lanes : (*wide)->lanes.dims;
    return HD_OK;
}

HdStatus hd_jit_find_form(const HdCompile *c, HdArena *a, HdDiags *d, HdStrbuf *dumped,
                          HdCodeFacts *facts, HdFormed *out)
{
    Search s = {.c = c,
                .arena = a,
                .d = d,
                .target = {.width = c->variant.width,
                           .x_divisible = c->variant.launch.x_divisible,
                           .full = c->variant.launch.full,
                           .by_rows = c->variant.launch.by_rows,
                           .dispatch = c->variant.tests.dispatch,
                           .long_rows = c->cpu.costs->gathers_slowly,
                           .dims = c->variant.form.dims},
                .alone = {.cost = INFINITY}};
    Alone alone = {.cost = INFINITY};
    Candidate *best;

    HD_TRY(share(&s, &out->shared));
    HD_TRY(choose_form(&s, &best));
    note_form(&s, best, facts);
    if (hd_jit_dumps(c, "ir"))
        HD_TRY(print_kernel(&s, best, dumped));
    HD_TRY(choose_lanes(&s, best, facts, &out->wide, &alone));
    if (hd_jit_dumps(c, "forms"))
        print_forms(&s, best, out->wide, alone, dumped);
    out->is_single = is_single(c, best->form);
    return HD_OK;
}
