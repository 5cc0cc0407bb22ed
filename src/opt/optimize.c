/* opt/optimize.c -- all passes in the order that pays.
 *
 * Inlining first, then promotion of private memory, so that everything later sees values. Folding
 * enables control-flow simplification and more promotion (addresses become constant), so these
 * repeat until nothing changes, a few times at most. Loops are unrolled from the innermost
 * outwards, each time followed by all of that; remaining loops are rotated likewise. Invariant code
 * moves last, because that creates blocks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ir/edit.h"
#include "opt/pass.h"

/* Operations of a function at most after inlining (`ir.inline`, docs/limits.md). */
#define MAX_INSTS ((size_t)1 << 20)
/* Rounds of passes over a function until nothing changes: a bound of compile time. */
#define MAX_ROUNDS 6
#define MAX_NESTED 6 /* loops in each other that are unrolled or rotated */

typedef HdStatus Pass(HdIrFunc *f, HdArena *scratch, bool *changed);

/* Run one pass in scratch memory of its own. */
static HdStatus run(Pass *pass, HdIrFunc *f, bool *changed)
{
    HdArena *a = hd_arena_open();
    bool did = false;
    HdStatus st = a != NULL ? pass(f, a, &did) : HD_NO_MEMORY;

    hd_arena_drop(a);
    *changed = *changed || did;
    return st == HD_OK && f->module->failed ? HD_NO_MEMORY : st;
}

static HdStatus to_fixpoint(HdIrFunc *f)
{
    bool again = true, any = false;

    for (unsigned round = 0; again && round < MAX_ROUNDS; round++) {
        again = false;
        HD_TRY(run(hd_opt_sroa, f, &again));
        HD_TRY(run(hd_opt_fold, f, &again));
        HD_TRY(run(hd_opt_simplify_cfg, f, &again));
        HD_TRY(run(hd_opt_cse, f, &again));
        HD_TRY(run(hd_opt_merge_branches, f, &again));
        HD_TRY(run(hd_opt_hoist_common, f, &again));
        HD_TRY(run(hd_opt_dce, f, &any));
    }
    return HD_OK;
}

/* What is left of barriers. */
static void note_waits(HdIrFunc *f)
{
    f->has_barrier = f->needs_fibers = f->lanes_wait = false;
    for (size_t b = 0; b < f->blocks.count; b++) {
        for (size_t i = 0; i < f->blocks.at[b].insts.count; i++) {
            unsigned op = f->insts.at[f->blocks.at[b].insts.at[i]].op;

            f->has_barrier = f->has_barrier || op == HD_IR_BARRIER;
            f->needs_fibers = f->needs_fibers || op == HD_IR_NAMED_WAIT;
        }
    }
}

/* For loops in each other: one nesting at a time, each with all that it makes possible. */
static HdStatus each_depth(Pass *pass, HdIrFunc *f)
{
    bool again = true;

    for (unsigned depth = 0; again && depth < MAX_NESTED; depth++) {
        again = false;
        HD_TRY(run(pass, f, &again));
        if (again)
            HD_TRY(to_fixpoint(f));
    }
    return HD_OK;
}

static HdStatus run_all(HdIrFunc *f)
{
    bool moved = false, any = false, narrowed = false;

    HD_TRY(run(hd_opt_enclose, f, &any));
    HD_TRY(run(hd_opt_simplify_cfg, f, &any));
    HD_TRY(to_fixpoint(f));
    HD_TRY(run(hd_opt_narrow, f, &narrowed));
    HD_TRY(run(hd_opt_exit_values, f, &narrowed));
    if (narrowed)
        HD_TRY(to_fixpoint(f));
    HD_TRY(run(hd_opt_induction, f, &moved));
    if (moved)
        HD_TRY(run(hd_opt_dce, f, &any)); /* steps of removed values: they count as users */
    HD_TRY(each_depth(hd_opt_unroll, f));
    HD_TRY(each_depth(hd_opt_rotate, f));
    HD_TRY(run(hd_opt_copies, f, &moved));
    HD_TRY(run(hd_opt_idiom_bits, f, &moved));
    HD_TRY(run(hd_opt_demanded_masks, f, &moved));
    HD_TRY(run(hd_opt_narrow, f, &moved));
    HD_TRY(run(hd_opt_licm, f, &moved));
    HD_TRY(
        run(hd_opt_exit_values, f, &moved)); /* loops of one block, and invariant bounds, by now */
    HD_TRY(run(hd_opt_idiom_atomic, f, &moved));
    HD_TRY(run(hd_opt_forward_argmin, f, &moved)); /* between blocks that the one before makes */
    HD_TRY(run(hd_opt_sink_stores, f, &moved));
    if (moved)
        HD_TRY(to_fixpoint(f));
    note_waits(f);
    return HD_OK;
}

HdStatus hd_opt_optimize(HdIrModule *m, HdIrFunc *kernel, HdDiags *d)
{
    HdStatus st = HD_OK;

    for (size_t i = 0; st == HD_OK && i < m->funcs.count; i++)
        st = hd_ir_verify(m->funcs.at[i], d);
    if (st == HD_OK)
        st = hd_opt_inline(m, kernel, MAX_INSTS, d);
    for (size_t i = 0; st == HD_OK && i < m->called.count; i++)
        st = run_all(m->funcs.at[m->called.at[i]]);
    if (st == HD_OK)
        st = run_all(kernel);
    for (size_t i = 0; st == HD_OK && i < m->called.count; i++)
        st = hd_ir_verify(m->funcs.at[m->called.at[i]], d);
    if (st == HD_OK)
        st = hd_ir_verify(kernel, d);
    if (st != HD_OK && d->errors == 0) /* passes have no words of their own */
        return hd_fail(d, st, HD_NO_PLACE, "ir.optimize", "%s while optimising %s",
                       hd_status_name(st), kernel->name);
    return st;
}
