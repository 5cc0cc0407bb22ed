/* opt/optimize.c -- runs the passes of ir/passes.def, phase by phase.
 *
 * Inlining first, then promotion of private memory, so that everything later sees values. Folding
 * enables control-flow simplification and more promotion (addresses become constant), so these
 * repeat until nothing changes, a few times at most. Loops are unrolled from the innermost
 * outwards, each time followed by all of that; remaining loops are rotated likewise. Invariant code
 * moves last, because that creates blocks. The order is that of the table's rows.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/each.h"
#include "ir/edit.h"
#include "opt/pass.h"

/* Operations of a function at most after inlining (`ir.inline`, docs/limits.md). */
#define MAX_INSTS ((size_t)1 << 20)
/* Rounds of passes over a function until nothing changes: a bound of compile time. */
#define MAX_ROUNDS 6
#define MAX_NESTED 6 /* loops in each other that are unrolled or rotated */

HdPassFn *const hd_opt_passes[HD_PASS_COUNT] = {
#define PASS(name, function, phases, needs, what) [HD_PASS_##name] = function,
#include "ir/passes.def"
};

typedef struct Optimize {
    HdIrFunc *f;
    HdDiags *d;
    bool is_wide_cpu;
    bool pending; /* something has changed that no cleanup followed */
} Optimize;

static bool suits(const Optimize *o, unsigned id)
{
    return (hd_pass_row(id)->needs & HD_PASS_WIDE_CPU) == 0 || o->is_wide_cpu;
}

/* Each pass of a phase once. *changed: by what is not only tidied up. */
static HdStatus each_once(Optimize *o, HdPassPhase phase, bool *changed)
{
    bool until_idle = hd_pass_how(phase) == HD_PASS_UNTIL_IDLE;

    for (unsigned id = 0; id < HD_PASS_COUNT; id++) {
        bool did = false;

        if (!hd_pass_is_in(id, phase) || !suits(o, id))
            continue;
        HD_TRY(hd_pass_run((HdPassId)id, hd_opt_passes[id], o->f, o->d, &did));
        if ((hd_pass_row(id)->needs & HD_PASS_TIDIES) == 0)
            *changed = *changed || did;
        if (until_idle && !did)
            break;
    }
    return HD_OK;
}

static HdStatus clean_up(Optimize *o)
{
    bool again = true;

    for (unsigned round = 0; again && round < MAX_ROUNDS; round++) {
        again = false;
        HD_TRY(each_once(o, HD_PHASE_CLEANUP, &again));
    }
    return HD_OK;
}

/* For loops in each other: one nesting at a time, each with all that it makes possible. */
static HdStatus each_depth(Optimize *o, HdPassPhase phase)
{
    bool again = true;

    for (unsigned depth = 0; again && depth < MAX_NESTED; depth++) {
        again = false;
        HD_TRY(each_once(o, phase, &again));
        if (again)
            HD_TRY(clean_up(o));
    }
    return HD_OK;
}

static HdStatus run_phase(Optimize *o, HdPassPhase phase)
{
    HdPassHow how = hd_pass_how(phase);

    if (how == HD_PASS_EACH_DEPTH)
        return each_depth(o, phase);
    HD_TRY(each_once(o, phase, &o->pending));
    if (how != HD_PASS_THEN_CLEAN && (how != HD_PASS_CHANGE_CLEAN || !o->pending))
        return HD_OK;
    o->pending = false;
    return clean_up(o);
}

/* What is left of barriers. */
static void note_waits(HdIrFunc *f)
{
    f->waits.has_barrier = f->waits.needs_fibers = f->waits.lanes_wait = false;
    for (HdIrEach e = hd_ir_each(f); hd_ir_next(&e);) {
        unsigned op = f->insts.at[e.inst].op;

        f->waits.has_barrier = f->waits.has_barrier || op == HD_IR_BARRIER;
        f->waits.needs_fibers = f->waits.needs_fibers || op == HD_IR_NAMED_WAIT;
    }
}

static HdStatus run_all(HdIrFunc *f, HdDiags *d)
{
    static const HdPassPhase phases[] = {HD_PHASE_START,  HD_PHASE_EARLY,  HD_PHASE_STEPS,
                                         HD_PHASE_UNROLL, HD_PHASE_ROTATE, HD_PHASE_LATE};
    Optimize o = {.f = f, .d = d};

    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
        HD_TRY(run_phase(&o, phases[i]));
    note_waits(f);
    return HD_OK;
}

HdStatus hd_opt_prepare_alone(HdIrFunc *kernel, bool is_wide_cpu, HdDiags *d)
{
    Optimize o = {.f = kernel, .d = d, .is_wide_cpu = is_wide_cpu};

    return run_phase(&o, HD_PHASE_ALONE);
}

static HdStatus inline_all(HdIrModule *m, HdIrFunc *kernel, HdDiags *d)
{
    HdPassRun run = hd_pass_begin(m->log, HD_PASS_inline, kernel);

    return hd_pass_end(&run, hd_opt_inline(m, kernel, MAX_INSTS, d), kernel, true, d);
}

HdStatus hd_opt_optimize(HdIrModule *m, HdIrFunc *kernel, HdDiags *d)
{
    HdStatus st = HD_OK;

    for (size_t i = 0; st == HD_OK && i < m->funcs.count; i++)
        st = hd_ir_verify(m->funcs.at[i], d);
    if (st == HD_OK)
        st = inline_all(m, kernel, d);
    for (size_t i = 0; st == HD_OK && i < m->called.count; i++)
        st = run_all(m->funcs.at[m->called.at[i]], d);
    if (st == HD_OK)
        st = run_all(kernel, d);
    for (size_t i = 0; st == HD_OK && i < m->called.count; i++)
        st = hd_ir_verify(m->funcs.at[m->called.at[i]], d);
    if (st == HD_OK)
        st = hd_ir_verify(kernel, d);
    if (st != HD_OK && d->errors == 0) /* passes have no words of their own */
        return hd_fail(d, st, HD_NO_PLACE, "ir.optimize", "%s while optimising %s",
                       hd_status_name(st), kernel->name);
    return st;
}
