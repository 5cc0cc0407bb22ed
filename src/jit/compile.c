/* jit/compile.c -- one kernel from module to object code: all passes in order.
 *
 * SPDX-License-Identifier: MIT
 */
#include "jit/compile.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/option.h"
#include "base/trace.h"
#include "build/build.h"
#include "codegen/codegen.h"
#include "group/regions.h"
#include "group/single.h"
#include "ir/graph.h"
#include "ir/text.h"
#include "jit/cost.h"
#include "jit/facts.h"
#include "jit/generator.h"
#include "lanes/coarsen.h"
#include "lanes/elements.h"
#include "lanes/fold.h"
#include "lanes/lanes.h"
#include "lanes/registers.h"
#include "lanes/vector_dim.h"
#include "module/source.h"
#include "opt/pass.h"

/* ---- the passes ---------------------------------------------------------------------------------
 */

static bool wants(const HdCompile *c, const char *stage)
{
    return c->dump_to != NULL && hd_pass_lists(c->dump, stage);
}

static HdStatus check(const HdIrFunc *f, const char *stage, HdDiags *d)
{
    HdStatus st = hd_ir_verify(f, d);

    if (st != HD_OK && hd_diags_last(d) != NULL)
        hd_diags_last(d)->hint = hd_diags_string(d, stage);
    return st;
}

static bool place_of(void *user, uint32_t place, HdCodegenPlace *out)
{
    HdSourcePlace source = hd_module_source(user, place);

    *out = (HdCodegenPlace){source.file, source.line, source.column};
    return source.file != NULL && source.line != 0;
}

/* Is each row of a group one sub-group? */
static bool has_one_row(const HdCompile *c, const HdIrFunc *wide)
{
    return c->variant.one_row && wide->by_rows && wide->width == c->variant.width;
}

/* What code for these lanes relies on of a launch. */
static HdCodeNeeds needs_of(const HdCompile *c, HdLaneTarget target, const HdIrFunc *wide,
                            bool is_single)
{
    return (HdCodeNeeds){.x_divisible = target.x_divisible,
                         .full = target.full,
                         .by_rows = wide->by_rows,
                         .one_row = has_one_row(c, wide),
                         .twice = wide->merged != 0,
                         .single = is_single,
                         .apart = wide->module->apart};
}

static bool has_named_waits(const HdIrFunc *f)
{
    for (HdIrRef r = 1; r < f->insts.count; r++)
        if (f->insts.at[r].op == HD_IR_NAMED_WAIT && f->insts.at[r].block != HD_IR_NOWHERE)
            return true;
    return false;
}

/* hd_jit_draft's result, in an arena of its own. */
struct HdDraft {
    HdArena *arena;
    HdIrFunc *wide;
    HdCodeFacts facts;
    HdStrbuf dumped; /* of the stages before code generation */
    HdPassLog log;
};

HdStatus hd_jit_finish(const HdCompile *c, const HdDraft *draft, HdDiags *d, HdCacheEntry *out)
{
    const HdIrFunc *wide = draft->wide;
    HdCodegenEntry *codegen;
    HdCodegenRequest q = {.wide = wide,
                          .cpu = c->cpu.name,
                          .features = c->cpu.features,
                          .costs = c->cpu.costs,
                          .one_row = has_one_row(c, wide),
                          .quick = c->quick,
                          .want_llvm = wants(c, "llvm"),
                          .want_asm = wants(c, "asm"),
                          .place_of = c->module->has_lines ? place_of : NULL,
                          .user = (void *)(uintptr_t)c->module};
    HdCodegenResult r = {0};
    HdStatus st;
    HD_TRACE("build", "LLVM");

    hd_trace_text(&hd_span, "kernel", c->kernel->name);
    *out = (HdCacheEntry){.facts = draft->facts};
    if (c->dump_to != NULL)
        hd_strbuf_add_bytes(c->dump_to, draft->dumped.at, draft->dumped.count);
    HD_TRY(hd_jit_generator(d, &codegen));
    st = codegen(&q, &r);
    if (st != HD_OK) {
        st = hd_fail(d, st, HD_NO_PLACE, "jit.codegen", "kernel '%s': %s", c->kernel->name,
                     r.error[0] != '\0' ? r.error : hd_status_name(st));
    } else {
        hd_jit_note_compiled();
        if (r.llvm_text != NULL)
            hd_strbuf_add(c->dump_to, r.llvm_text);
        if (r.asm_text != NULL)
            hd_strbuf_add(c->dump_to, r.asm_text);
        out->object = hd_alloc(r.object_bytes);
        if (out->object == NULL)
            st = HD_NO_MEMORY;
        else
            memcpy(out->object, r.object, r.object_bytes);
        out->object_bytes = r.object_bytes;
        out->facts.private_bytes = r.private_bytes;
        out->facts.compile_ms = r.apart_ms;
    }
    if (r.release != NULL)
        r.release(&r);
    return st;
}

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

static HdStatus build_with(const HdCompile *c, HdIrCalls calls, HdArena *a, HdDiags *d,
                           HdIrFunc **kernel, bool *waits)
{
    bool ignored = false;
    HdIrModule *ir;
    HD_TRACE("build", "translate, optimise");

    hd_trace_text(&hd_span, "kernel", c->kernel->name);
    HD_TRY(hd_build_kernel(c->module, c->layout, c->kernel->entry, c->variant.width, c->fast_math,
                           a, d, &ir));
    ir->calls = calls;
    ir->log = c->log;
    *kernel = ir->funcs.at[0];
    ir->apart =
        c->variant.apart && hd_option_number(HD_OPTION_APART) != 0 && hd_jit_may_mix(*kernel);
    HD_TRY(hd_opt_optimize(ir, *kernel, d));
    *waits = false;
    if (!c->no_progress)
        HD_TRY(find_waits(*kernel, d, waits));
    HD_TRY(hd_pass_run(HD_PASS_grid_stride, hd_opt_grid_stride, *kernel, d, &ignored));
    for (size_t i = 0; i < ir->called.count; i++)
        HD_TRY(check(ir->funcs.at[ir->called.at[i]], "after optimisation", d));
    return check(*kernel, "after optimisation", d);
}

static HdStatus build(const HdCompile *c, HdArena *a, HdDiags *d, HdIrFunc **kernel)
{
    HdIrCalls calls = c->variant.calls ? HD_IR_CALLS_ALL : HD_IR_CALLS_LARGE;
    bool waits;

    HD_TRY(build_with(c, calls, a, d, kernel, &waits));
    return waits ? build_with(c, HD_IR_CALLS_NONE, a, d, kernel, &waits) : HD_OK;
}

/* Would it gain if x and y were one dimension? */
static HdStatus choose_fold(const HdCompile *c, HdArena *a, HdDiags *d, uint8_t *fold)
{
    HdIrFunc *kernel;
    bool pays = false;

    *fold = 0;
    if (c->variant.fold == 0)
        return HD_OK;
    HD_TRY(build(c, a, d, &kernel));
    HD_TRY(hd_lanes_fold_pays(kernel, c->variant.fold, a, &pays));
    *fold = pays ? c->variant.fold : 0;
    return HD_OK;
}

/* Transformations before widening: x and y become one dimension if `fold` is not 0, a work-item
 * computes so many rows if `coarsen` is not 0, of y or, if tiles.count is not 0, of those. */
typedef struct Form {
    uint8_t fold, coarsen;
    HdTiles tiles;
} Form;

/* Is a group one sub-group, of work-items in a row that do all its rows, by what the launch or the
 * kernel says of its size? */
static bool is_single(const HdCompile *c, Form form)
{
    const uint32_t *local = c->kernel->required_local;

    return c->variant.single ||
           (form.coarsen != 0 && local[0] != 0 && local[0] <= c->variant.width &&
            local[1] == form.coarsen && local[2] == 1);
}

/* `is_whole`: for an estimate, as for hd_lanes_coarsen. */
static HdStatus change_form(const HdCompile *c, Form form, bool is_whole, HdArena *a, HdDiags *d,
                            HdIrFunc *kernel)
{
    HdPassRun run;
    HdStatus st;

    if (form.fold != 0) {
        run = hd_pass_begin(c->log, HD_PASS_fold_xy, kernel);
        st = hd_lanes_fold(kernel, form.fold, a);
    } else {
        run = hd_pass_begin(c->log, HD_PASS_coarsen, kernel);
        st = hd_lanes_coarsen(kernel, form.coarsen, is_whole, is_single(c, form), a);
    }
    return hd_pass_end(&run, st, kernel, true, d);
}

static HdStatus build_form(const HdCompile *c, Form form, bool is_whole, HdArena *a, HdDiags *d,
                           HdIrFunc **kernel)
{
    HD_TRY(build(c, a, d, kernel));
    if (form.fold == 0 && form.coarsen == 0)
        return HD_OK;
    if (form.tiles.count != 0)
        hd_lanes_take_tiles(*kernel, form.tiles);
    HD_TRY(change_form(c, form, is_whole, a, d, *kernel));
    HD_TRY(hd_opt_optimize((*kernel)->module, *kernel, d));
    return check(*kernel,
                 form.fold != 0 ? "after x and y were folded" : "after rows were coarsened", d);
}

static HdStatus widen(HdIrFunc *kernel, HdLaneTarget target, HdArena *a, HdDiags *d,
                      HdIrFunc **wide)
{
    HdPassRun run = hd_pass_begin(kernel->module->log, HD_PASS_widen, kernel);
    HdStatus st = hd_lanes_widen(kernel, target, a, d, wide);

    return hd_pass_end(&run, st, st == HD_OK ? *wide : kernel, true, d);
}

/* A kernel, or a wide one, and what it calls. */
static void print(const HdIrFunc *f, HdStrbuf *to)
{
    const HdIrModule *m = f->module;

    hd_ir_print(f, to);
    for (size_t i = 0; f->width == 0 && i < m->called.count; i++)
        hd_ir_print(m->funcs.at[m->called.at[i]], to);
    for (uint32_t i = 0; i < f->callee_count; i++)
        if (f->callees[i] != NULL)
            hd_ir_print(f->callees[i], to);
}

/* Lanes of two sub-groups of 16. Narrower ones have half the registers to do it with. */
#define MERGED_WIDTH 32u

/* May two sub-groups of a kernel run as one? */
static bool may_merge(const HdCompile *c, const HdIrFunc *kernel)
{
    return c->variant.twice && !c->variant.dispatch && c->cpu.width == MERGED_WIDTH / 2 &&
           c->variant.width == c->cpu.width && hd_cost_may_be_merged(kernel);
}

/* So many times as fast as lanes, or as slow: work-items alone may be either where they are thought
 * to be in between. How often loops go around, and for which lanes, the code does not say: with
 * loops no estimate is certain. */
#define MOST_DOUBT    5.0
#define LOOPS_DOUBT   1000.0
#define BARRIER_DOUBT 3.5 /* with barriers, where beyond that hardly any kernel gains */

/* Does a kernel run item by item instead of in lanes? */
typedef struct Alone {
    bool may_be, is_chosen;
    double doubt; /* as HdCodeFacts.doubt */
} Alone;

/* Sub-groups may wait for others. Then the estimate is no good: lanes are chosen, and the other
 * form has sub-groups of one work-item. */
static bool waits_for_others(const HdIrFunc *wide)
{
    return wide->has_barrier || wide->needs_fibers;
}

/* `may_be` was determined from the kernel before `wide` was built. */
static Alone choose_alone(const HdCompile *c, bool may_be, const HdIrFunc *wide, unsigned width)
{
    Alone alone = {.may_be = may_be && !waits_for_others(wide)};
    double most = waits_for_others(wide)    ? BARRIER_DOUBT
                  : hd_cost_has_loops(wide) ? LOOPS_DOUBT
                                            : MOST_DOUBT;
    double parted = INFINITY;
    double cost =
        may_be && width > 1 ? hd_cost_alone(wide, width, &c->cpu.costs->alone, &parted) : INFINITY;
    double factor = cost < 1 ? 1 / cost : cost;

    if (cost > 1 && parted < factor)
        factor = fmax(parted, 1);
    alone.doubt = factor < most ? factor : 0;
    alone.is_chosen = alone.may_be && (cost < 1) != (c->variant.against && alone.doubt != 0);
    return alone;
}

static bool may_be_alone(const HdCompile *c, const HdIrFunc *kernel)
{
    return !c->variant.dispatch && hd_cost_may_be_alone(kernel, &c->cpu.costs->alone);
}

#define JAM_GAIN 0.92 /* of the cycles of a row, at most, where a work-item does several */

/* Registers for the operands of sums of rows between barriers, which are counted most precisely. */
#define GROUP_SPARE 4u

/* Rows of a work-group that can be done together, `most` at most, if it has so many. */
static uint8_t rows_of_group(uint32_t of_group, uint8_t most)
{
    while (most > 1 && of_group % most != 0)
        most--;
    return most > 1 ? most : 0;
}

/* The cheapest number of rows per work-item. `kernel` computes one row; `alone` receives its
 * estimate. */
static HdStatus cheapest_coarsening(const HdCompile *c, HdLaneTarget target, HdIrFunc *kernel,
                                    HdArena *a, HdDiags *d, uint8_t *rows, Alone *alone)
{
    unsigned registers = (c->cpu.width >= 16 ? 32 : 16) - (kernel->has_barrier ? GROUP_SPARE : 0);
    bool merges = may_merge(c, kernel), may_alone = may_be_alone(c, kernel);
    uint8_t most = kernel->has_barrier ? HD_COARSEN_MOST : HD_COARSEN_ROWS;
    HdIrFunc *wide;
    double least;

    HD_TRY(widen(kernel, target, a, d, &wide));
    *alone = choose_alone(c, may_alone, wide, target.width);
    if (wide->dims.taken != 0 || alone->is_chosen)
        return HD_OK;
    least = JAM_GAIN * hd_cost_of_items(wide, target.width, merges, registers);
    target.dims = 1;
    for (uint8_t n = 2; n <= most; n *= 2) {
        double cost;

        HD_TRY(build_form(c, (Form){.coarsen = n}, true, a, d, &kernel));
        HD_TRY(widen(kernel, target, a, d, &wide));
        cost = hd_cost_of_items(wide, target.width, merges, registers) / n;
        if (cost == HUGE_VAL) /* more rows need more registers */
            break;
        if (cost < least) {
            least = cost;
            *rows = n;
        }
    }
    return HD_OK;
}

/* Where there are loops: do lanes gain at all? `kernel` is not changed. */
static HdStatus suits_lanes(const HdCompile *c, HdLaneTarget target, HdIrFunc *kernel, HdArena *a,
                            HdDiags *d, bool *does)
{
    HdIrFunc *wide;
    double parted;
    bool may_alone;
    HdIrGraph *g;

    HD_TRY(hd_ir_graph(kernel, a, &g));
    *does = true;
    if (g->loop_count == 0)
        return HD_OK;
    HD_TRY(build(c, a, d, &kernel));
    may_alone = may_be_alone(c, kernel);
    HD_TRY(widen(kernel, target, a, d, &wide));
    *does = !may_alone || hd_cost_alone(wide, target.width, &c->cpu.costs->alone, &parted) >= 1;
    return HD_OK;
}

/* Would it gain if a work-item accessed tiles of memory, in several rows of the NDRange? `kernel`
 * has the form chosen before. */
static HdStatus choose_tiles(const HdCompile *c, HdLaneTarget target, HdArena *a, HdDiags *d,
                             Form *form, HdIrFunc *kernel)
{
    bool may, shares;
    HdTiles t;

    HD_TRY(hd_lanes_tiles(kernel, c->variant.dims, c->variant.rows, a, &t));
    if (t.count == 0)
        return HD_OK;
    HD_TRY(suits_lanes(c, target, kernel, a, d, &may));
    if (!may)
        return HD_OK;
    HD_TRY(build(c, a, d, &kernel));
    hd_lanes_take_tiles(kernel, t);
    HD_TRY(hd_lanes_may_coarsen(kernel, a, &may, &shares));
    if (!may)
        return HD_OK;
    form->tiles = t;
    form->coarsen = c->variant.coarsen != 0 && c->variant.coarsen != HD_COARSEN_BY_COST
                        ? c->variant.coarsen
                        : t.count;
    return HD_OK;
}

/* Would it gain if a work-item computed several rows of the NDRange? `kernel` has the form chosen
 * before, and the new one afterwards. With barriers the launch must know how many rows of a
 * work-group that is, in *of_group, before it can use them, unless the kernel declares its group
 * size. If the rows are chosen by cost, `alone` receives the estimate. */
static HdStatus choose_coarsening(const HdCompile *c, HdLaneTarget target, HdArena *a, HdDiags *d,
                                  Form *form, HdIrFunc **kernel, Alone *alone, uint8_t *of_group)
{
    const uint32_t *local = c->kernel->required_local;
    bool may, shares, in_groups = (*kernel)->has_barrier;

    if (c->variant.dispatch || form->fold != 0 ||
        (local[0] != 0 && (!in_groups || local[0] % c->variant.width != 0)))
        return HD_OK;
    HD_TRY(choose_tiles(c, target, a, d, form, *kernel));
    if (form->tiles.count != 0)
        return build_form(c, *form, true, a, d, kernel);
    if (c->variant.coarsen == 0)
        return HD_OK;
    HD_TRY(hd_lanes_may_coarsen(*kernel, a, &may, &shares));
    if (c->variant.coarsen != HD_COARSEN_BY_COST)
        form->coarsen = may ? c->variant.coarsen : 0;
    else if (shares)
        HD_TRY(cheapest_coarsening(c, target, *kernel, a, d, &form->coarsen,
                                   alone)); /* makes it wide */
    else
        return HD_OK;
    *of_group = in_groups ? form->coarsen : 0;
    if (in_groups && c->variant.coarsen == HD_COARSEN_BY_COST)
        form->coarsen = local[0] != 0 ? rows_of_group(local[1], form->coarsen) : 0;
    return build_form(c, *form, true, a, d, kernel);
}

/* A wide function of other lanes than the launch's sub-groups have. */
static HdStatus widen_anew(const HdCompile *c, HdLaneTarget target, Form form, HdArena *a,
                           HdDiags *d, HdIrFunc **wide)
{
    unsigned width = target.width;
    HdIrFunc *kernel;

    HD_TRY(build_form(c, form, false, a, d, &kernel));
    if (width == 1)
        HD_TRY(hd_opt_prepare_alone(kernel, c->cpu.width >= 16, d));
    HD_TRY(widen(kernel, target, a, d, wide));
    (*wide)->parts = width < c->variant.width ? c->variant.width / width : 0;
    (*wide)->merged = width > c->variant.width ? width / c->variant.width : 0;
    return HD_OK;
}

/* Lanes that suit a kernel better than those which the launch's sub-groups have, which `wide` is
 * made for. One item at a time fits any launch. */
static HdLaneTarget better_target(const HdCompile *c, HdLaneTarget t, const HdIrFunc *wide,
                                  Alone alone, bool merges)
{
    t.dims = (uint8_t)(1u << wide->dims.taken);
    if (alone.is_chosen)
        return (HdLaneTarget){.width = 1, .dispatch = t.dispatch, .dims = t.dims};
    /* Rows are mostly a power of two apart: the lines of sixteen evict each other from the cache.
     */
    if (alone.may_be && wide->rows_once && !t.by_rows && c->cpu.costs->rows_evict &&
        t.width == c->cpu.width)
        t.width /= 2;
    else if (merges && hd_cost_is_better_merged(wide, t.width))
        t.width = MERGED_WIDTH;
    if (t.full && hd_cost_hides_mask(wide))
        t.full = false;
    return t;
}

/* The kernel before widening; `kernel` may be one built for an estimate. */
static HdStatus print_form(const HdCompile *c, Form form, HdIrFunc *kernel, HdArena *a, HdDiags *d,
                           HdStrbuf *to)
{
    if (form.coarsen != 0)
        HD_TRY(build_form(c, form, false, a, d, &kernel));
    print(kernel, to);
    return HD_OK;
}

/* ---- passes over wide functions -----------------------------------------------------------------
 */

/* A kernel, or a function that it calls, at one of the table's passes. */
typedef struct Wide {
    HdIrFunc *f; /* a pass may replace it */
    HdArena *arena;
    bool barriers; /* to be replaced by regions */
    bool is_single;
} Wide;

typedef HdStatus WideFn(Wide *w);

static HdStatus run_elements(Wide *w)
{
    return hd_lanes_elements(w->f, w->arena);
}

static HdStatus run_single(Wide *w)
{
    return hd_group_single(w->f, w->arena);
}

static HdStatus run_regions(Wide *w)
{
    HdIrFunc *regions;

    HD_TRY(hd_group_regions(w->f, w->arena, &regions));
    w->f = regions != NULL ? regions : w->f;
    return HD_OK;
}

static HdStatus run_registers(Wide *w)
{
    return hd_lanes_registers(w->f, w->arena);
}

static WideFn *const wide_passes[HD_PASS_COUNT] = {[HD_PASS_elements] = run_elements,
                                                   [HD_PASS_single] = run_single,
                                                   [HD_PASS_regions] = run_regions,
                                                   [HD_PASS_registers] = run_registers};

static bool suits_wide(const Wide *w, unsigned needs)
{
    return ((needs & HD_PASS_BARRIERS) == 0 || w->barriers) &&
           ((needs & HD_PASS_ONE_SUBGROUP) == 0 || w->is_single) &&
           ((needs & HD_PASS_SUBGROUPS) == 0 || !w->is_single) &&
           ((needs & HD_PASS_MANY_SLOTS) == 0 || hd_lanes_has_many_slots(w->f));
}

static HdStatus run_wide(const HdCompile *c, unsigned id, Wide *w, HdDiags *d)
{
    HdPassRun run;

    if (!suits_wide(w, hd_pass_row(id)->needs))
        return HD_OK;
    run = hd_pass_begin(c->log, (HdPassId)id, w->f);
    if (run.goes)
        HD_TRY(hd_pass_end(&run, wide_passes[id](w), w->f, true, d));
    return HD_OK;
}

/* All of a wide kernel, and of what it calls. Costs were estimated without them. */
static HdStatus run_wide_phase(const HdCompile *c, Wide *w, HdDiags *d)
{
    for (unsigned id = 0; id < HD_PASS_COUNT; id++) {
        bool called_too = (hd_pass_row(id)->needs & HD_PASS_CALLED_TOO) != 0;

        if (!hd_pass_is_in(id, HD_PHASE_WIDE))
            continue;
        HD_TRY(run_wide(c, id, w, d));
        for (uint32_t i = 0; called_too && i < w->f->callee_count; i++) {
            Wide callee = {.f = w->f->callees[i], .arena = w->arena};

            if (callee.f != NULL)
                HD_TRY(run_wide(c, id, &callee, d));
        }
    }
    return HD_OK;
}

static HdStatus draft_in(const HdCompile *c, HdArena *a, HdDiags *d, HdDraft *out)
{
    HdLaneTarget target = {.width = c->variant.width,
                           .x_divisible = c->variant.x_divisible,
                           .full = c->variant.full,
                           .by_rows = c->variant.by_rows,
                           .dispatch = c->variant.dispatch,
                           .long_rows = c->cpu.costs->gathers_slowly,
                           .dims = c->variant.dims};
    HdIrFunc *kernel, *wide;
    bool may_alone, merges;
    HdLaneTarget better;
    Wide w;
    Alone alone = {0};
    Form form = {0};

    HD_TRY(choose_fold(c, a, d, &form.fold));
    HD_TRY(build_form(c, form, true, a, d, &kernel));
    HD_TRY(choose_coarsening(c, target, a, d, &form, &kernel, &alone, &out->facts.coarsen_group));
    target.dims = form.coarsen != 0 ? 1 : target.dims;
    target.tiles = form.tiles.count != 0;
    out->facts.fold = form.fold;
    out->facts.coarsen = form.coarsen;
    out->facts.tiles = form.tiles.count != 0;
    out->facts.row_dim = form.tiles.count != 0 ? form.tiles.row : 1;
    out->facts.may_fold = hd_lanes_may_fold(kernel);
    may_alone = may_be_alone(c, kernel);
    if (wants(c, "ir"))
        HD_TRY(print_form(c, form, kernel, a, d, &out->dumped));
    merges = may_merge(c, kernel);
    if (target.width == 1)
        HD_TRY(hd_opt_prepare_alone(kernel, c->cpu.width >= 16, d));
    HD_TRY(widen(kernel, target, a, d, &wide));
    /* Rows are done together by lanes alone, and both forms have to agree on the doubt. */
    if (form.tiles.count == 0 && (form.coarsen == 0 || c->variant.coarsen != HD_COARSEN_BY_COST))
        alone = choose_alone(c, may_alone, wide, target.width);
    out->facts.doubt = alone.doubt;
    out->facts.is_narrow_against = alone.doubt != 0 && waits_for_others(wide);
    better = better_target(c, target, wide, alone, merges);
    if (better.width != target.width || better.full != target.full || form.coarsen != 0)
        HD_TRY(widen_anew(c, better, form, a, d, &wide));
    w = (Wide){.f = wide, .arena = a, .is_single = is_single(c, form)};
    w.barriers = wide->has_barrier && !has_named_waits(wide) && !c->variant.fibers;
    out->facts.needs = needs_of(c, better, wide, w.barriers && w.is_single);
    out->facts.dims = form.tiles.count != 0 ? form.tiles.lanes : wide->dims;
    HD_TRY(run_wide_phase(c, &w, d));
    wide = w.f;
    if (wants(c, "lanes"))
        print(wide, &out->dumped);
    hd_jit_facts(wide, &out->facts);
    out->wide = wide;
    return HD_OK;
}

HdStatus hd_jit_draft(const HdCompile *c, HdDiags *d, HdDraft **out)
{
    HdArena *a = hd_arena_open();
    HdDraft *draft = a != NULL ? HD_NEW(a, HdDraft, 1) : NULL;
    HdCompile logged = *c;
    HdStatus st;

    *out = NULL;
    if (draft == NULL) {
        hd_arena_drop(a);
        return HD_NO_MEMORY;
    }
    draft->arena = a;
    draft->log = hd_pass_log();
    draft->log.dump = c->dump_to != NULL ? c->dump : NULL;
    draft->log.dump_to = &draft->dumped;
    logged.log = &draft->log;
    st = draft_in(&logged, a, d, draft);
    if (st == HD_OK) {
        *out = draft;
        return HD_OK;
    }
    hd_jit_drop_draft(draft);
    if (d->errors == 0) /* passes have no words of their own */
        hd_fail(d, st, HD_NO_PLACE, "jit.draft", "%s while compiling kernel '%s'",
                hd_status_name(st), c->kernel->name);
    return st;
}

const HdCodeFacts *hd_jit_draft_facts(const HdDraft *draft)
{
    return &draft->facts;
}

void hd_jit_drop_draft(HdDraft *draft)
{
    if (draft == NULL)
        return;
    hd_strbuf_free(&draft->dumped);
    hd_arena_drop(draft->arena);
}
