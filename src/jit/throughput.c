/* jit/throughput.c -- estimates the time of a wide function.
 *
 * A processor with a large out-of-order window overlaps independent instructions, so a block takes
 * as long as its instructions occupy the execution units. An innermost loop takes longer if it has
 * a loop-carried dependence: then units are idle, which more lanes would use. Both are estimated in
 * cycles, by the processor's row of jit/costs.c. The numbers are rough; what counts is which of the
 * two is larger.
 *
 * A grid-stride loop, which lanes leave together but for the last iteration, counts as keeping all
 * lanes busy, unless a branch on data leads to it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "jit/throughput.h"

#include <math.h>

#include "base/arena.h"
#include "ir/each.h"
#include "jit/costs.h"

#define LOOP_TIMES   8.0
#define MOST_DEPTH   4u
#define SELDOM       0.05 /* of the sub-groups come to what there is for those whose lanes part */
#define SPARSE       (1 / 64.) /* of the work-items come to what hardly any comes to */
#define MOST_CARRIED 48u       /* loop-carried values; with more there is enough parallelism */
#define LANE_BYTES   4u  /* of the elements of which a vector has as many as there are lanes */
#define ENDS         2.0 /* a vector of iterations, including its ends, to one iteration */
#define NEVER        (-1e9)
#define MISSED       8.0   /* a branch that depends on active lanes: some are mispredicted */
#define WINDOW       150.0 /* cycles of work that a processor looks ahead */

typedef struct Pace {
    const HdIrFunc *f;
    const HdIrGraph *g;
    const HdIrRef *sets; /* as of hd_throughput_sets */
    const HdCycleCosts *costs;
    unsigned width;
    bool may_miss;    /* whether branches on lanes depend on data; on ids they are foreseen */
    bool is_foreseen; /* masks: where a work-item alone goes is foreseen, nothing waits for it */
    double *depth;    /* [insts] cycles from the current value, NEVER: independent of it */
    uint32_t *number; /* [insts] of a loop-carried value, plus 1 */
    HdIrRef carried[MOST_CARRIED];
    unsigned count;
    double way[MOST_CARRIED][MOST_CARRIED]; /* cycles from one to another in an iteration */
} Pace;

/* ---- one instruction ---------------------------------------------------------------------------
 */

/* What only leads to an address is reckoned for lane 0 alone. */
bool hd_throughput_is_wide(const HdIrInst *in)
{
    return in->shape == HD_SHAPE_VARYING;
}

double hd_throughput_registers(const HdCycleCosts *costs, HdIrType t, unsigned width)
{
    double n = hd_ir_type_bytes(t) * width / costs->register_bytes;

    return t == HD_IR_BOOL || n < 1 ? 1 : n;
}

static HdOpCost repeated(HdOpCost c, double n)
{
    return (HdOpCost){c.latency, c.busy * n};
}

static HdOpCost of_access(const Pace *x, HdIrRef r)
{
    const HdCycleCosts *k = x->costs;
    const HdIrInst *in = &x->f->insts.at[r], *a = &x->f->insts.at[hd_ir_arg(x->f, r, 0)];
    bool loads = in->op == HD_IR_LOAD;
    HdIrType t = (HdIrType)(loads ? in->type : x->f->insts.at[hd_ir_arg(x->f, r, 1)].type);
    int64_t bytes = hd_ir_type_bytes(t);
    double n = hd_throughput_registers(x->costs, t, x->width);
    bool steps = a->shape == HD_SHAPE_AFFINE || a->shape == HD_SHAPE_ADDRESS;

    if (a->shape == HD_SHAPE_UNIFORM || (loads && in->shape == HD_SHAPE_UNIFORM))
        return k->uniform;
    if (steps && (a->stride == bytes || a->stride == -bytes))
        return repeated(loads ? k->load : k->store, n);
    if (loads && a->shape == HD_SHAPE_ADDRESS && a->stride == 0)
        return (HdOpCost){k->window.latency, k->window_once + k->window.busy * n};
    if (steps && a->stride > 0 && a->stride % bytes == 0 && a->stride / bytes <= 16)
        return repeated(k->step, n);
    return (HdOpCost){k->gather_latency, (bytes < 4 ? k->narrow
                                          : loads   ? k->gather
                                                    : k->scatter) *
                                             x->width};
}

static bool is_simple_factor(const Pace *x, HdIrRef v)
{
    const HdIrInst *in = &x->f->insts.at[v];

    return in->op == HD_IR_CONST && __builtin_popcountll(in->imm) <= 2;
}

/* For one register of values that differ between lanes. */
static HdOpCost of_vector(const Pace *x, HdIrRef r)
{
    const HdIrInst *in = &x->f->insts.at[r];

    if (in->op == HD_IR_MUL && is_simple_factor(x, hd_ir_arg(x->f, r, 1)))
        return x->costs->scaled;
    return hd_costs_of(x->costs, (HdIrOp)in->op, hd_ir_type_bytes((HdIrType)in->type));
}

/* Masks of several registers are combined from one for each, and split again. */
static HdOpCost of_masks(const Pace *x, HdIrType t, HdOpCost of_one, HdOpCost of_several)
{
    double n = hd_throughput_registers(x->costs, t, x->width);
    HdOpCost c = repeated(n > 1 ? of_several : of_one, n);

    c.busy += (n - 1) * x->costs->other_mask;
    return c;
}

static HdOpCost of_test(const Pace *x, HdIrRef compared)
{
    return of_masks(x, (HdIrType)x->f->insts.at[compared].type, x->costs->compare,
                    x->costs->compare_more);
}

static HdOpCost of_chosen(const Pace *x, HdIrType t)
{
    return of_masks(x, t, x->costs->select, x->costs->select_more);
}

/* One mask for all registers. */
static HdOpCost of_shared_choice(const Pace *x, HdIrType t)
{
    HdOpCost c = repeated(x->costs->select_all, hd_throughput_registers(x->costs, t, x->width));

    c.busy += x->costs->select_all_once;
    return c;
}

static HdOpCost of_select(const Pace *x, HdIrRef r)
{
    const HdIrInst *in = &x->f->insts.at[r];

    if (!hd_throughput_is_wide(in))
        return x->costs->scalar_test;
    if (x->f->insts.at[hd_ir_arg(x->f, r, 0)].shape == HD_SHAPE_UNIFORM)
        return of_shared_choice(x, (HdIrType)in->type);
    return in->type != HD_IR_BOOL ? of_chosen(x, (HdIrType)in->type) : x->costs->simple;
}

static HdOpCost cost(const Pace *x, HdIrRef r)
{
    const HdIrInst *in = &x->f->insts.at[r];
    bool wide = hd_throughput_is_wide(in);
    HdOpCost c;

    switch ((HdIrOp)in->op) {
    case HD_IR_CONST:
    case HD_IR_UNDEF:
    case HD_IR_PHI:
    case HD_IR_KARG:
    case HD_IR_SLOT:
    case HD_IR_SLOT_GET:
    case HD_IR_BR:
    case HD_IR_RET: return (HdOpCost){0, 0};
    case HD_IR_SLOT_SET:
        if ((in->flags & HD_IR_MASKED) == 0)
            return (HdOpCost){0, 0};
        return of_chosen(x, (HdIrType)x->f->insts.at[hd_ir_arg(x->f, r, 1)].type);
    case HD_IR_ANY: return x->costs->any;
    case HD_IR_CONDBR: return x->costs->branch;
    case HD_IR_LOAD:
    case HD_IR_STORE: return of_access(x, r);
    case HD_IR_ATOMIC_LOAD:
    case HD_IR_ATOMIC_STORE:
    case HD_IR_ATOMIC_RMW:
    case HD_IR_ATOMIC_CMPXCHG:
    case HD_IR_MEMCPY:
    case HD_IR_MEMSET: /* lane by lane, and units are busy all the while */
        return (HdOpCost){0, x->costs->serial * x->width};
    case HD_IR_ICMP:
    case HD_IR_FCMP: return wide ? of_test(x, hd_ir_arg(x->f, r, 0)) : x->costs->scalar_test;
    case HD_IR_SELECT: return of_select(x, r);
    default: break;
    }
    c = of_vector(x, r);
    if (!wide) /* a scalar register: separate units */
        return repeated(c, 0.5);
    return repeated(c, hd_throughput_registers(x->costs, (HdIrType)in->type, x->width));
}

/* ---- loop-carried values -----------------------------------------------------------------------
 */

/* Does this instruction carry a value to the next iteration? Which one; 0 = none. */
static HdIrRef handed_on(const Pace *x, uint32_t loop, HdIrRef r)
{
    const HdIrInst *in = &x->f->insts.at[r];

    if (in->op == HD_IR_PHI && in->block == x->g->loops[loop].head)
        return r;
    if (in->op != HD_IR_SLOT_SET)
        return 0;
    r = hd_ir_arg(x->f, r, 0);
    return x->is_foreseen && x->f->insts.at[r].type == HD_IR_BOOL ? 0 : r;
}

static bool find_carried(Pace *x, uint32_t loop)
{
    x->count = 0;
    for (HdIrEach e = hd_ir_each_in_loop(x->f, x->g, loop); hd_ir_next(&e);) {
        HdIrRef v = handed_on(x, loop, e.inst);

        if (v == 0 || x->number[v] != 0)
            continue;
        if (x->count == MOST_CARRIED)
            return false;
        x->carried[x->count++] = v;
        x->number[v] = x->count;
    }
    return true;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Cycles until instruction r has its result; `at` is when slots and phis have theirs. */
static void walk_inst(Pace *x, uint32_t loop, HdIrRef r, double *at)
{
    const HdIrInst *in = &x->f->insts.at[r];
    unsigned step = in->op == HD_IR_PHI ? 2 : 1;
    unsigned count = x->is_foreseen ? hd_ir_value_args(in) : in->nargs;
    double latest = NEVER;
    HdIrRef to;

    if (in->op == HD_IR_SLOT)
        return;
    if (in->op == HD_IR_SLOT_GET || handed_on(x, loop, r) == r) {
        to = in->op == HD_IR_SLOT_GET ? hd_ir_arg(x->f, r, 0) : r;
        x->depth[r] = x->number[to] != 0 ? at[x->number[to] - 1] : NEVER;
        return;
    }
    for (unsigned k = step - 1; k < count; k += step) {
        HdIrRef v = hd_ir_arg(x->f, r, k);

        if (x->f->insts.at[v].op != HD_IR_SLOT && x->f->insts.at[v].block != HD_IR_NOWHERE &&
            hd_ir_loop_holds(x->g, loop, x->f->insts.at[v].block))
            latest = larger(latest, x->depth[v]);
    }
    x->depth[r] = latest > NEVER ? latest + cost(x, r).latency : NEVER;
    if (x->depth[r] > NEVER && in->op == HD_IR_SLOT_SET && handed_on(x, loop, r) != 0) {
        to = x->number[hd_ir_arg(x->f, r, 0)];
        at[to - 1] = larger(at[to - 1], x->depth[r]);
    }
}

/* Fill way[from]: one iteration, in which only that value is available at the start. */
static void walk(Pace *x, uint32_t loop, unsigned from)
{
    double at[MOST_CARRIED];

    for (unsigned i = 0; i < x->count; i++)
        at[i] = NEVER;
    at[from] = 0;
    for (HdIrEach e = hd_ir_each_in_loop(x->f, x->g, loop); hd_ir_next(&e);)
        walk_inst(x, loop, e.inst, at);
    for (unsigned i = 0; i < x->count; i++) {
        HdIrRef v = x->carried[i];

        x->way[from][i] = at[i];
        if (x->f->insts.at[v].op != HD_IR_PHI)
            continue;
        x->way[from][i] = NEVER;
        for (unsigned k = 0; k + 1 < x->f->insts.at[v].nargs; k += 2)
            if (hd_ir_loop_holds(x->g, loop, hd_ir_arg(x->f, v, k)) &&
                hd_ir_loop_holds(x->g, loop, x->f->insts.at[hd_ir_arg(x->f, v, k + 1)].block))
                x->way[from][i] = larger(x->way[from][i], x->depth[hd_ir_arg(x->f, v, k + 1)]);
    }
}

/* The maximum cycles per iteration on a cycle of dependences that closes after one or two
 * iterations. */
static double longest_way(const Pace *x)
{
    double most = 0;

    for (unsigned i = 0; i < x->count; i++) {
        most = larger(most, x->way[i][i]);
        for (unsigned k = 0; k < i; k++)
            if (x->way[i][k] > NEVER && x->way[k][i] > NEVER)
                most = larger(most, (x->way[i][k] + x->way[k][i]) / 2);
    }
    return most;
}

static double latency_of(Pace *x, uint32_t loop)
{
    double most = 0;

    if (find_carried(x, loop)) {
        for (unsigned i = 0; i < x->count; i++)
            walk(x, loop, i);
        most = longest_way(x);
    }
    for (unsigned i = 0; i < x->count; i++)
        x->number[x->carried[i]] = 0;
    return most;
}

/* ---- all of it ---------------------------------------------------------------------------------
 */

static bool ends_in_any(const HdIrFunc *f, uint32_t block)
{
    const HdIrBlock *b = &f->blocks.at[block];
    HdIrRef end = b->insts.at[b->insts.count - 1];

    return f->insts.at[end].op == HD_IR_CONDBR && f->insts.at[hd_ir_arg(f, end, 0)].op == HD_IR_ANY;
}

static double busy_of(const Pace *x, uint32_t block)
{
    const HdIrBlock *b = &x->f->blocks.at[block];
    double sum = 0;

    for (size_t i = 0; i < b->insts.count; i++)
        sum += cost(x, b->insts.at[i]).busy;
    return sum;
}

/* The longest chain of results in a block that need each other. */
static double chain_of(Pace *x, uint32_t block)
{
    const HdIrBlock *b = &x->f->blocks.at[block];
    double most = 0;

    for (size_t i = 0; i < b->insts.count; i++) {
        HdIrRef r = b->insts.at[i];
        double latest = 0;

        for (unsigned k = 0; k < x->f->insts.at[r].nargs && x->f->insts.at[r].op != HD_IR_PHI;
             k++) {
            HdIrRef v = hd_ir_arg(x->f, r, k);

            if (x->f->insts.at[v].block == block)
                latest = larger(latest, x->depth[v]);
        }
        x->depth[r] = latest + cost(x, r).latency;
        most = larger(most, x->depth[r]);
    }
    return most;
}

/* A block of straight-line code: what follows it starts early if it is inside the window. */
static double straight(Pace *x, uint32_t block)
{
    double busy = busy_of(x, block);

    return busy < WINDOW ? busy : larger(busy, chain_of(x, block));
}

/* Cycles for a branch that skips what no lane waits for, or leaves when none is left: as many for
 * more lanes. */
static double missed_of(const Pace *x, uint32_t block)
{
    return x->may_miss && ends_in_any(x->f, block) ? MISSED : 0;
}

/* Do lanes compare varying values, and diverge anywhere? */
static bool may_miss(const HdIrFunc *f, const HdIrGraph *g)
{
    bool compares = false, branches = false;

    for (uint32_t r = 0; r < g->reachable; r++) {
        const HdIrBlock *b = &f->blocks.at[g->order[r]];

        branches = branches || ends_in_any(f, g->order[r]);
        for (size_t i = 0; i < b->insts.count && !compares; i++) {
            HdIrRef c = b->insts.at[i];

            if (f->insts.at[c].op == HD_IR_ICMP || f->insts.at[c].op == HD_IR_FCMP)
                compares = f->insts.at[hd_ir_arg(f, c, 0)].shape == HD_SHAPE_VARYING ||
                           f->insts.at[hd_ir_arg(f, c, 1)].shape == HD_SHAPE_VARYING;
        }
    }
    return compares && branches;
}

double hd_throughput_along(const HdIrBlock *b, unsigned width)
{
    unsigned bytes = b->along < LANE_BYTES ? LANE_BYTES : b->along;

    return b->along == 0 ? 1 : fmin(1, ENDS * bytes / (LANE_BYTES * width));
}

bool hd_throughput_is_innermost(const HdIrGraph *g, uint32_t loop)
{
    for (uint32_t k = 0; k < g->loop_count; k++)
        if (g->loops[k].parent == loop)
            return false;
    return true;
}

double hd_throughput_times(const HdIrFunc *f, const HdIrGraph *g, uint32_t block)
{
    double times = f->blocks.at[block].seldom ? SELDOM : 1;
    uint32_t loop = g->loop[block];

    for (unsigned depth = 0; loop != HD_IR_NOWHERE; loop = g->loops[loop].parent)
        times *= depth++ < MOST_DEPTH ? LOOP_TIMES : 1;
    return times;
}

double hd_throughput_reach(const HdIrBlock *b, unsigned items)
{
    return b->sparse ? fmin(1, SPARSE * items) : 1;
}

static bool has_stride(const HdIrInst *in)
{
    return (in->shape == HD_SHAPE_AFFINE || in->shape == HD_SHAPE_ADDRESS) && in->stride != 0;
}

/* Are the comparisons in a block of numbers that differ by as much from lane to lane? Mostly those
 * of a window that ends at an edge: `for (i = max(x - 1, 0); i <= min(x + 1, w - 1); i++)`. */
static bool compares_alike(const HdIrFunc *f, uint32_t block)
{
    const HdIrBlock *b = &f->blocks.at[block];
    bool any = false;

    for (size_t i = 0; i < b->insts.count; i++) {
        HdIrRef r = b->insts.at[i];
        const HdIrInst *in = &f->insts.at[r], *x, *y;

        if ((in->op != HD_IR_ICMP && in->op != HD_IR_FCMP) || in->shape == HD_SHAPE_UNIFORM)
            continue;
        x = &f->insts.at[hd_ir_arg(f, r, 0)];
        y = &f->insts.at[hd_ir_arg(f, r, 1)];
        if (in->op != HD_IR_ICMP || !has_stride(x) || !has_stride(y) || x->stride != y->stride)
            return false;
        any = true;
    }
    return any;
}

#define MOST_MASKS 16u /* operations that a mask is made of */
#define MOST_SLOTS 16u /* slots of masks that lead to another one */

typedef struct Masks {
    const HdIrFunc *f;
    const HdIrGraph *g;
    const HdIrRef *sets; /* as of hd_throughput_sets */
    uint32_t loop;
    bool at_entry; /* what is set inside of the loop does not count */
    HdIrRef seen[MOST_SLOTS];
    unsigned count;
} Masks;

/* Does a value change with the ids alone, step by step unless it wraps? */
static bool is_of_ids(const HdIrFunc *f, HdIrRef r, unsigned depth)
{
    const HdIrInst *in = &f->insts.at[r];

    if (in->shape != HD_SHAPE_VARYING)
        return true;
    if (depth == 0)
        return false;
    switch ((HdIrOp)in->op) {
    case HD_IR_TRUNC:
    case HD_IR_SEXT:
    case HD_IR_ZEXT:
    case HD_IR_BITCAST: return is_of_ids(f, hd_ir_arg(f, r, 0), depth - 1);
    case HD_IR_PTRADD:
    case HD_IR_ADD:
    case HD_IR_SUB:
    case HD_IR_MUL:
    case HD_IR_SHL:
        return is_of_ids(f, hd_ir_arg(f, r, 0), depth - 1) &&
               is_of_ids(f, hd_ir_arg(f, r, 1), depth - 1);
    default: return false;
    }
}

static bool is_slot_by_ids(Masks *m, HdIrRef slot);

/* Do lanes differ in a mask only as their ids do? Inside of the loop it does not matter which lanes
 * run now: only how long they stay. */
static bool is_by_ids(Masks *m, HdIrRef mask, bool inside, unsigned depth)
{
    const HdIrInst *in = &m->f->insts.at[mask];
    HdIrRef a, b;

    if (in->op == HD_IR_CONST || in->op == HD_IR_ACTIVE)
        return true;
    if (depth == 0 || in->nargs == 0)
        return false;
    a = hd_ir_arg(m->f, mask, 0);
    b = in->nargs > 1 ? hd_ir_arg(m->f, mask, 1) : 0;
    switch ((HdIrOp)in->op) {
    case HD_IR_SLOT_GET: return is_slot_by_ids(m, a);
    case HD_IR_OR:
    case HD_IR_XOR: return is_by_ids(m, a, inside, depth - 1) && is_by_ids(m, b, inside, depth - 1);
    case HD_IR_SELECT:
        return (inside || is_by_ids(m, a, inside, depth - 1)) &&
               is_by_ids(m, b, inside, depth - 1) &&
               m->f->insts.at[hd_ir_arg(m->f, mask, 2)].op == HD_IR_CONST;
    case HD_IR_ICMP: return is_of_ids(m->f, a, depth - 1) && is_of_ids(m->f, b, depth - 1);
    default: return false;
    }
}

static bool is_slot_by_ids(Masks *m, HdIrRef slot)
{
    for (unsigned i = 0; i < m->count; i++)
        if (m->seen[i] == slot)
            return true;
    if (m->count == MOST_SLOTS)
        return false;
    m->seen[m->count++] = slot;
    for (HdIrRef set = m->sets[slot]; set != 0; set = m->sets[set]) {
        bool inside = hd_ir_loop_holds(m->g, m->loop, m->f->insts.at[set].block);

        if (!(inside && m->at_entry) && !is_by_ids(m, hd_ir_arg(m->f, set, 1), inside, MOST_MASKS))
            return false;
    }
    return true;
}

HdIrRef *hd_throughput_sets(const HdIrFunc *f, const HdIrGraph *g, HdArena *a)
{
    HdIrRef *sets = HD_NEW(a, HdIrRef, f->insts.count);

    for (uint32_t r = g->reachable; sets != NULL && r-- > 0;) {
        const HdIrBlock *b = &f->blocks.at[g->order[r]];

        for (size_t i = b->insts.count; i-- > 0;) {
            HdIrRef set = b->insts.at[i];

            if (f->insts.at[set].op != HD_IR_SLOT_SET)
                continue;
            sets[set] = sets[hd_ir_arg(f, set, 0)];
            sets[hd_ir_arg(f, set, 0)] = set;
        }
    }
    return sets;
}

/* Do nearly all lanes go on with a loop that ends in ANY as long as each other:
 * `for (i = id; i < n; i += size)`? Not if what leads to it depends on data. */
static bool stay_together(const HdIrFunc *f, const HdIrGraph *g, const HdIrRef *sets, uint32_t loop,
                          uint32_t end)
{
    const HdIrBlock *b = &f->blocks.at[end];
    Masks m = {.f = f, .g = g, .sets = sets, .loop = loop};

    return is_by_ids(&m, hd_ir_arg(f, hd_ir_arg(f, b->insts.at[b->insts.count - 1], 0), 0), true,
                     MOST_MASKS);
}

/* Do the lanes that enter a loop differ from others only as their ids do? */
static bool enter_by_ids(const HdIrFunc *f, const HdIrGraph *g, const HdIrRef *sets, uint32_t loop)
{
    const HdIrBlock *head = &f->blocks.at[g->loops[loop].head];
    Masks m = {.f = f, .g = g, .sets = sets, .loop = loop, .at_entry = true};

    for (size_t i = 0; i < head->insts.count; i++) {
        const HdIrInst *in = &f->insts.at[head->insts.at[i]];

        if (in->op == HD_IR_SLOT_GET && in->type == HD_IR_BOOL)
            return is_slot_by_ids(&m, hd_ir_arg(f, head->insts.at[i], 0));
    }
    return true;
}

/* Does a block of a loop lead to its head or out of it? */
static bool is_end(const HdIrBlock *b, const HdIrGraph *g, uint32_t loop)
{
    for (uint32_t i = 0; i < b->succ_count; i++)
        if (b->succ[i] == g->loops[loop].head || !hd_ir_loop_holds(g, loop, b->succ[i]))
            return true;
    return false;
}

bool hd_throughput_is_shared(const HdIrFunc *f, const HdIrGraph *g, const HdIrRef *sets,
                             uint32_t loop)
{
    if (f->blocks.at[g->loops[loop].head].as_one && enter_by_ids(f, g, sets, loop))
        return false;
    for (uint32_t r = g->loops[loop].first; r <= g->loops[loop].last; r++) {
        const HdIrBlock *b = &f->blocks.at[g->order[r]];

        if (g->loop[g->order[r]] == loop && ends_in_any(f, g->order[r]) && is_end(b, g, loop) &&
            !compares_alike(f, g->order[r]) && !stay_together(f, g, sets, loop, g->order[r]))
            return true;
    }
    return false;
}

static void add_all(Pace *x, HdThroughput *out)
{
    const HdIrGraph *g = x->g;

    out->has_loops = g->loop_count != 0;
    out->may_miss = x->may_miss = may_miss(x->f, g);
    for (uint32_t r = 0; r < g->reachable; r++) {
        uint32_t l = g->loop[g->order[r]];

        if (l == HD_IR_NOWHERE || !hd_throughput_is_innermost(g, l))
            out->cycles += hd_throughput_times(x->f, g, g->order[r]) *
                           (straight(x, g->order[r]) + missed_of(x, g->order[r]));
    }
    for (uint32_t l = 0; l < g->loop_count; l++) {
        double busy = 0, missed = 0, times = hd_throughput_times(x->f, g, g->loops[l].head), waits;
        bool is_shared;

        if (!hd_throughput_is_innermost(g, l))
            continue;
        is_shared = hd_throughput_is_shared(x->f, g, x->sets, l);
        waits = latency_of(x, l);
        for (uint32_t r = g->loops[l].first; r <= g->loops[l].last; r++) {
            busy += straight(x, g->order[r]);
            missed += missed_of(x, g->order[r]);
        }
        busy = times * (larger(busy, waits) + missed);
        out->cycles += busy;
        out->shared += is_shared ? busy : 0;
        waits *= hd_throughput_along(&x->f->blocks.at[g->order[g->loops[l].last]], x->width);
        waits *= hd_throughput_reach(&x->f->blocks.at[g->loops[l].head], 1);
        out->waits[is_shared] += times * waits;
    }
}

HdStatus hd_throughput(const HdIrFunc *wide, unsigned width, const HdCycleCosts *costs,
                       bool is_foreseen, HdThroughput *out)
{
    HdArena *a = hd_arena_open();
    HdIrGraph *g;
    HdIrRef *sets;
    Pace *x;

    *out = (HdThroughput){0};
    if (a == NULL || hd_ir_graph(wide, a, &g) != HD_OK || (x = HD_NEW(a, Pace, 1)) == NULL ||
        (sets = hd_throughput_sets(wide, g, a)) == NULL ||
        (x->depth = HD_NEW(a, double, wide->insts.count)) == NULL ||
        (x->number = HD_NEW(a, uint32_t, wide->insts.count)) == NULL) {
        hd_arena_drop(a);
        return HD_NO_MEMORY;
    }
    x->f = wide;
    x->g = g;
    x->sets = sets;
    x->width = width;
    x->costs = costs;
    x->is_foreseen = is_foreseen;
    add_all(x, out);
    hd_arena_drop(a);
    return HD_OK;
}
