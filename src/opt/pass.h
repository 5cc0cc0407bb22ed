/* opt/pass.h -- passes over lane IR. Each returns through `changed` whether it did anything.
 *
 * Spec of the contract: a pass keeps the meaning of the function and leaves it such that
 * hd_ir_verify accepts it; the order of blocks (`rank`) and convergent operations stay as they are:
 * no pass changes which lanes reach a BARRIER or COLLECTIVE together. All run in time about linear
 * in the function and never recurse on the host stack by the size of the input.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPT_PASS_H
#define HD_OPT_PASS_H

#include "ir/pass.h"

/* The functions of the table's rows (ir/passes.def), but of those with arguments of their own. */
extern HdPassFn *const hd_opt_passes[HD_PASS_COUNT];

/* Say which functions stay, and are called (HdIrCallee.is_called), by m->calls.
 *   order    functions that a kernel reaches, callees first; the kernel is the last */
HdStatus hd_opt_choose_calls(HdIrModule *m, const uint32_t *order, size_t count, HdArena *scratch);
/* Inline into `f` every CALL but of functions that stay; those are listed in m->called, and have
 * their own calls inlined likewise. HD_UNSUPPORTED for recursion, or when a function would pass
 * `max_insts` instructions. */
HdStatus hd_opt_inline(HdIrModule *m, HdIrFunc *f, size_t max_insts, HdDiags *d);
/* Operations of sub-groups in blocks that a loop's construct has, and its graph has not, run with
 * the lanes of their iteration. Before private memory is promoted. */
HdStatus hd_opt_enclose(HdIrFunc *f, HdArena *scratch, bool *changed);
/* ALLOCAs that are only loaded and stored at constant offsets become SSA values; those addressed
 * by variables stay. */
HdStatus hd_opt_sroa(HdIrFunc *f, HdArena *scratch, bool *changed);
/* Constant folding, algebraic identities, strength reduction of divisions by constants. */
HdStatus hd_opt_fold(HdIrFunc *f, HdArena *scratch, bool *changed);
/* Common subexpressions along dominators; loads only while nothing in between writes. */
HdStatus hd_opt_cse(HdIrFunc *f, HdArena *scratch, bool *changed);
HdStatus hd_opt_dce(HdIrFunc *f, HdArena *scratch, bool *changed);
/* Unreachable blocks out, straight-line blocks joined, branches on constants decided, phis of one
 * value replaced. Never merges or moves blocks with convergent operations across control flow. */
HdStatus hd_opt_simplify_cfg(HdIrFunc *f, HdArena *scratch, bool *changed);
/* Loops that only count become the values that they end with. */
HdStatus hd_opt_exit_values(HdIrFunc *f, HdArena *scratch, bool *changed);
/* What steps in loops, pointers above all, becomes a start and a share of one counter. */
HdStatus hd_opt_induction(HdIrFunc *f, HdArena *scratch, bool *changed);
/* Fully unroll loops with a small, known trip count; in one run none that contains another. */
HdStatus hd_opt_unroll(HdIrFunc *f, HdArena *scratch, bool *changed);
/* Rotate loops that test at their header: they test at their end, after a guard. In one run no two
 * adjacent ones. */
HdStatus hd_opt_rotate(HdIrFunc *f, HdArena *scratch, bool *changed);
/* Addresses of a sub-group's blocks that are the same for all lanes are not taken from the first.
 */
HdStatus hd_opt_first_lane(HdIrFunc *f, HdArena *scratch, bool *changed);
/* Small copies between global and local memory become loads and stores of words: lane by lane a
 * copy is a loop, words of neighbouring lanes are vectors. */
HdStatus hd_opt_copies(HdIrFunc *f, HdArena *scratch, bool *changed);
/* Turn hand-written bit reversals, byte swaps and rotations into one operation. */
HdStatus hd_opt_idiom_bits(HdIrFunc *f, HdArena *scratch, bool *changed);
/* What both ways of a branch begin with, or store at their ends, is done once. */
HdStatus hd_opt_hoist_common(HdIrFunc *f, HdArena *scratch, bool *changed);
/* Where a branch tests a phi, predecessors that know the number go on to its target. */
HdStatus hd_opt_thread_jumps(HdIrFunc *f, HdArena *scratch, bool *changed);
/* Consecutive branches on the same condition become one. */
HdStatus hd_opt_merge_branches(HdIrFunc *f, HdArena *scratch, bool *changed);
/* Several iterations of an outer loop run its inner loops together, each with sums of its own. Not
 * for lanes, which are independent already. */
HdStatus hd_opt_jam(HdIrFunc *f, HdArena *scratch, bool *changed);
/* What that would do as vectors. *ways: [f->blocks.count] so many iterations of a loop around a
 * block at a time; f stays as it is. Errors: HD_NO_MEMORY. */
HdStatus hd_opt_jam_ways(HdIrFunc *f, HdArena *a, uint8_t **ways);
/* Loops that store one byte to consecutive places become a MEMSET of as many bytes. Not for lanes,
 * which would do it one after the other. */
HdStatus hd_opt_idiom_memset(HdIrFunc *f, HdArena *scratch, bool *changed);
/* Loops that move private memory byte by byte, as memmove is written, move the array's elements;
 * which of two addresses in one array is the lower one folds. */
HdStatus hd_opt_idiom_move(HdIrFunc *f, HdArena *scratch, bool *changed);
/* Remove masks that only clear unused bits. */
HdStatus hd_opt_demanded_masks(HdIrFunc *f, HdArena *scratch, bool *changed);
/* Sums of bytes and shorts that are kept in ints and cut off again become narrow. */
HdStatus hd_opt_narrow(HdIrFunc *f, HdArena *scratch, bool *changed);
/* What a loop loads from a place that earlier rounds have chosen is kept with the choice. */
HdStatus hd_opt_forward_argmin(HdIrFunc *f, HdArena *scratch, bool *changed);
/* Loop-invariant pure operations to the preheader; loads only when nothing in the loop writes. */
HdStatus hd_opt_licm(HdIrFunc *f, HdArena *scratch, bool *changed);
/* Counted loops that do nothing unless a loop-invariant condition holds are entered only if it
 * does; those with convergent operations stay. */
HdStatus hd_opt_unswitch(HdIrFunc *f, HdArena *scratch, bool *changed);
/* A compare-and-swap that is retried until it succeeds becomes one atomic operation. */
HdStatus hd_opt_idiom_atomic(HdIrFunc *f, HdArena *scratch, bool *changed);
/* Sink stores that every iteration makes to one address below the loop. */
HdStatus hd_opt_sink_stores(HdIrFunc *f, HdArena *scratch, bool *changed);
/* All of the above in the order of the table, for the kernel and the functions that it calls; the
 * result has the form that lanes/ expects. */
HdStatus hd_opt_optimize(HdIrModule *m, HdIrFunc *kernel, HdDiags *d);

/* What gains where work-items run one at a time, for an optimised kernel.
 *   is_wide_cpu   as HD_PASS_WIDE_CPU */
HdStatus hd_opt_prepare_alone(HdIrFunc *kernel, bool is_wide_cpu, HdDiags *d);

/* Loops that wait for what another sub-group stores YIELD at their back edges; sets `needs_fibers`
 * and `sees_others`. To be run last, for callees first: not one of hd_opt_optimize's. */
HdStatus hd_opt_wait(HdIrFunc *f, HdArena *scratch, bool *changed);

/* A kernel that is one grid-stride loop executes a single iteration if the launch says so
 * (HdIrFunc.stride). To be run last, on kernels only: not part of hd_opt_optimize. */
HdStatus hd_opt_grid_stride(HdIrFunc *f, HdArena *scratch, bool *changed);

#endif
